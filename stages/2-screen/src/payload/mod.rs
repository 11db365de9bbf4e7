//! Things made to be run: scripts, download-and-run lines, large encoded blobs.
//!
//! For results, which are data and never a way to carry a program out of a sandbox. A result may
//! say *that* output held such a thing, so words about it are not looked for here; only the thing.

mod blob;
mod download;
mod dump;
mod script;

use call::Span;

use crate::keywords::Hit;
use crate::reading::encoded::Run;

pub(crate) use download::words;

/// All payloads in `text`, whose encoded runs are `runs` and in which [`words`] stand at `places`.
pub(crate) fn find(text: &str, runs: &[Run<'_>], places: &[Hit]) -> Vec<(&'static str, Span)> {
    let mut found = Vec::new();
    script::find(text, &mut found);
    download::find(text, places, &mut found);
    blob::find(runs, &mut found);
    dump::find(text, &mut found);
    found
}
