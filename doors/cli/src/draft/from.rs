//! A new draft from a request that exists: the same task again, under a new id.

use std::path::Path;

use call::Moment;
use document::{Document, Draft, Finding, Profile, Source, check};

use super::files::{self, BadFile};

/// Everything that the request at `path` says, as a draft. Its id and time are replaced later.
///
/// Only a request that keeps every rule can be taken over: of any other it is not certain what it
/// says.
pub(crate) fn draft_from(path: &Path, now: Moment) -> Result<Draft, BadFile> {
    let text = files::text(path)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy());
    let source = Source { stem: stem.as_deref(), bytes: text.as_bytes() };
    let checked =
        check(&source, Profile::Strict, now).map_err(|error| BadFile::new(path, error.to_string()))?;
    match checked.document {
        Some(Document::Request(request)) => Ok(Draft::again(&request, request.id.clone(), now)),
        Some(Document::Result(_)) => Err(BadFile::new(path, "this is a result, not a request")),
        None => {
            let first = checked.findings.iter().find(|finding| finding.is_error());
            let why = first.map_or("it is no request", |Finding { message, .. }| message);
            Err(BadFile::new(path, format!("cannot be taken over: {why}")))
        }
    }
}
