//! `bench/RESULTS.md`: one page of six parts, each written by a program of its own.
//!
//! A run replaces its part and leaves the others as they were, with the machine and commit that part was
//! measured on.

use std::path::Path;

/// A part of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Checks of documents, from the start of the page.
    Documents,
    /// Decisions and screening, from their heading on.
    Decisions,
    /// The ledger, from its heading on.
    Ledger,
    /// The lanes, from their heading on.
    Lanes,
    /// The whole gate, from its heading on.
    Gate,
    /// The MCP door, from its heading to the end.
    Mcp,
}

const PAGE: &str = "bench/RESULTS.md";
const TITLE: &str = "<!-- Written by `cargo x bench`. Replaced by each run, not added to. -->\n\n# Results\n";
const DECISIONS: &str = "\n# Decisions\n";
const LEDGER: &str = "\n# Ledger\n";
const LANES: &str = "\n# Lanes\n";
const GATE: &str = "\n# Gate\n";
const MCP: &str = "\n# MCP\n";

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
    let (front, mcp) = old.split_once(MCP).unwrap_or((old, ""));
    let (front, gate) = front.split_once(GATE).unwrap_or((front, ""));
    let (front, lanes) = front.split_once(LANES).unwrap_or((front, ""));
    let (front, ledger) = front.split_once(LEDGER).unwrap_or((front, ""));
    let (documents, decisions) = front.split_once(DECISIONS).unwrap_or((front, ""));
    let mut parts = [documents.strip_prefix(TITLE).unwrap_or_default(), decisions, ledger, lanes, gate, mcp];
    let [documents, decisions, ledger, lanes, gate, mcp] = &mut parts;
    match part {
        Part::Documents => *documents = text,
        Part::Decisions => *decisions = text,
        Part::Ledger => *ledger = text,
        Part::Lanes => *lanes = text,
        Part::Gate => *gate = text,
        Part::Mcp => *mcp = text,
    }
    let headed = |heading: &str, text: &str| {
        if text.is_empty() { String::new() } else { format!("{heading}{text}") }
    };
    let [documents, decisions, ledger, lanes, gate, mcp] = parts;
    let (decisions, ledger) = (headed(DECISIONS, decisions), headed(LEDGER, ledger));
    let (lanes, gate, mcp) = (headed(LANES, lanes), headed(GATE, gate), headed(MCP, mcp));
    format!("{TITLE}{documents}{decisions}{ledger}{lanes}{gate}{mcp}")
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
        let three = with(&newest, Part::Ledger, "\nfive\n");
        assert_eq!(three, format!("{TITLE}\nthree\n\n# Decisions\n\nfour\n\n# Ledger\n\nfive\n"));
        let last = with(&three, Part::Decisions, "\nsix\n");
        assert_eq!(last, format!("{TITLE}\nthree\n\n# Decisions\n\nsix\n\n# Ledger\n\nfive\n"));
        let lanes = with(&last, Part::Lanes, "\nseven\n");
        assert_eq!(lanes, format!("{last}\n# Lanes\n\nseven\n"));
        let ledger = with(&lanes, Part::Ledger, "\neight\n");
        assert_eq!(ledger, lanes.replace("five", "eight"));
        let gate = with(&ledger, Part::Gate, "\nnine\n");
        assert_eq!(gate, format!("{ledger}\n# Gate\n\nnine\n"));
        assert_eq!(with(&gate, Part::Lanes, "\nten\n"), gate.replace("seven", "ten"));
    }
}
