//! `docs/rules.md`, written from the table of rules.
//!
//! The page is kept in the repository for readers without a toolchain; a test here fails when it
//! is out of step with the table.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use call::{Rule, Severity};

use crate::repository::root;

/// Writes the page.
pub(crate) fn write() -> Result<(), String> {
    let page = page();
    fs::write(&page, render()).map_err(|error| format!("cannot write {}: {error}", page.display()))
}

fn page() -> PathBuf {
    root().join("docs/rules.md")
}

/// The rules of documents, then those of policies.
fn all() -> Vec<&'static Rule> {
    [document::rules::ALL, decide::rules::ALL].concat()
}

/// Title of each group, and how the codes in it begin.
const GROUPS: &[(&str, &str)] = &[
    ("The document as a whole", "TR0"),
    ("Front matter of a request", "TR1"),
    ("Sections of a request", "TR2"),
    ("The command", "TR3"),
    ("Code for the Monty interpreter", "TR4"),
    ("Anywhere in a document", "TR5"),
    ("The original validator (`--profile threegate-v1`), where it differs", "TR9"),
    ("Front matter of a result", "TS1"),
    ("Sections of a result", "TS2"),
    ("Anywhere in a result", "TS5"),
    ("Any file of a policy", "PO00"),
    ("Lists in a policy", "PO01"),
    ("`policy.toml`", "PO02"),
    ("`PERMISSIONS.json`", "PO04"),
    ("`policies/*.cedar`", "PO06"),
    ("`tools/*.toml`", "PO08"),
];

fn render() -> String {
    let mut text = String::from(
        "<!-- Written by `cargo x rules` from the `rules.rs` of document and decide. Change the tables there. -->\n\n\
         # Rules\n\n\
         What `toolgate check` holds a document to, and `toolgate policy check` the files of a policy. A code keeps its \
         meaning\nfor ever; a retired one is not used again. An error rejects the document or the file, a warning does \
         not.\n",
    );
    for (title, prefix) in GROUPS {
        let rules: Vec<&Rule> = all().into_iter().filter(|rule| rule.code.starts_with(prefix)).collect();
        if rules.is_empty() {
            continue;
        }
        // Writing to a `String` cannot fail.
        let _ = write!(text, "\n## {title}\n\n| code | severity | what must hold |\n|---|---|---|\n");
        for rule in rules {
            let severity = match rule.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            let _ = writeln!(text, "| {} | {severity} | {} |", rule.code, in_a_cell(rule.holds));
        }
    }
    text
}

/// A bar would end the cell, in code marks too.
fn in_a_cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, all, page, render};

    #[test]
    fn the_rules_page_is_in_step_with_the_table() {
        let kept = std::fs::read_to_string(page()).unwrap_or_default();
        assert!(kept == render(), "docs/rules.md is not what the table says: run `cargo x rules`");
    }

    #[test]
    fn every_rule_is_in_one_group_and_codes_are_used_once() {
        let mut seen = std::collections::BTreeSet::new();
        for rule in all() {
            let groups = GROUPS.iter().filter(|(_, prefix)| rule.code.starts_with(prefix)).count();
            assert_eq!(groups, 1, "{}: add its group to xtask/src/rules_page.rs", rule.code);
            assert!(seen.insert(rule.code), "{} is used twice: take the next free number", rule.code);
        }
    }

    #[test]
    fn rules_stand_in_the_order_of_their_codes() {
        for table in [document::rules::ALL, decide::rules::ALL] {
            assert!(table.is_sorted_by_key(|rule| rule.code), "sort the table by code");
        }
    }
}
