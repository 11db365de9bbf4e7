//! Every rule has a case that keeps it and a case that breaks it.
//!
//! The form of a case is described in `tests/corpus/README.md`; whether the cases come out as they
//! say is tested in `document/tests/corpus.rs`.

use std::collections::BTreeSet;

use document::rules::ALL;

use super::tree::files;

#[test]
fn every_rule_has_a_case_that_keeps_it_and_one_that_breaks_it() {
    let mut kept = BTreeSet::new();
    let mut broken = BTreeSet::new();
    for file in files().iter().filter(|file| file.path.starts_with("tests/corpus/") && file.is("expect")) {
        for line in file.text().lines() {
            if let Some(codes) = line.strip_prefix("keeps:") {
                kept.extend(codes.split_whitespace().map(str::to_owned));
            } else if let Some(found) = line.strip_prefix("threegate-v1:") {
                broken.extend(found.split_whitespace().skip(1).map(str::to_owned));
            } else if let Some((code, _)) = line.split_once(' ').filter(|(word, _)| !word.ends_with(':')) {
                broken.insert(code.to_owned());
            }
        }
    }
    let without = |cases: &BTreeSet<String>| -> Vec<&str> {
        ALL.iter().map(|rule| rule.code).filter(|code| !cases.contains(*code)).collect()
    };
    let (unkept, unbroken) = (without(&kept), without(&broken));
    assert!(
        unkept.is_empty() && unbroken.is_empty(),
        "add cases to tests/corpus.\nno case keeps (`keeps:`): {}\nno case breaks: {}",
        unkept.join(" "),
        unbroken.join(" "),
    );
}
