//! `bench/RESULTS.md`: one page of two parts, each written by a program of its own.
//!
//! A run replaces its part and leaves the other as it was, with the machine and commit that part was
//! measured on.

use std::path::Path;

/// A part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Checks of documents, from the start of the page.
    Documents,
    /// Decisions and screening, from their heading to the end.
    Decisions,
}

const PAGE: &str = "bench/RESULTS.md";
const TITLE: &str = "<!-- Written by `cargo x bench`. Replaced by each run, not added to. -->\n\n# Results\n";
const DECISIONS: &str = "\n# Decisions\n";

/// Writes a part, without its heading, into the page below the current folder.
///
/// # Errors
///
/// The page cannot be written.
#[expect(clippy::disallowed_methods, reason = "the page is a file, and only measuring programs write it")]
pub fn write(part: Part, text: &str) -> Result<(), String> {
    let page = Path::new(PAGE);
    let old = std::fs::read_to_string(page).unwrap_or_default();
    std::fs::write(page, with(&old, part, text)).map_err(|error| format!("cannot write {PAGE}: {error}"))
}

fn with(old: &str, part: Part, text: &str) -> String {
    let (documents, decisions) = match old.split_once(DECISIONS) {
        Some((documents, decisions)) => (documents.strip_prefix(TITLE).unwrap_or_default(), decisions),
        None => (old.strip_prefix(TITLE).unwrap_or_default(), ""),
    };
    let (documents, decisions) = match part {
        Part::Documents => (text, decisions),
        Part::Decisions => (documents, text),
    };
    let heading = if decisions.is_empty() { "" } else { DECISIONS };
    format!("{TITLE}{documents}{heading}{decisions}")
}

#[cfg(test)]
mod tests {
    use super::{Part, TITLE, with};

    #[test]
    fn a_run_replaces_its_part_and_leaves_the_other() {
        let documents = with("", Part::Documents, "\none\n");
        assert_eq!(documents, format!("{TITLE}\none\n"));
        let both = with(&documents, Part::Decisions, "\ntwo\n");
        assert_eq!(both, format!("{TITLE}\none\n\n# Decisions\n\ntwo\n"));
        let newer = with(&both, Part::Documents, "\nthree\n");
        assert_eq!(newer, format!("{TITLE}\nthree\n\n# Decisions\n\ntwo\n"));
        let newest = with(&newer, Part::Decisions, "\nfour\n");
        assert_eq!(newest, format!("{TITLE}\nthree\n\n# Decisions\n\nfour\n"));
    }
}
