//! Attacks that must be found, and their honest neighbours that must not.
#![expect(clippy::unwrap_used, reason = "a case file that cannot be read should fail the test")]

mod reader;

use call::Family;
use screen::screen;

/// Every line of `file` holds what it says and nothing else of `family`; or nothing at all.
#[track_caller]
fn check(file: &str, family: Family, least: usize) {
    let cases = reader::cases(file);
    assert!(cases.len() >= least, "{} cases", cases.len());
    let mut wrong = String::new();
    for (want, text) in &cases {
        let found: Vec<&str> = screen(text, &[family]).into_iter().map(|found| found.kind).collect();
        let right = match want {
            Some(kind) => found.contains(kind),
            None => found.is_empty(),
        };
        if !right {
            wrong.push_str(&format!("{text:?}\n  wanted {want:?}, found {found:?}\n"));
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn credentials_are_found() {
    check(include_str!("cases/secrets.txt"), Family::Secret, 80);
}

#[test]
fn what_is_no_credential_is_not_refused() {
    check(include_str!("cases/no_secrets.txt"), Family::Secret, 80);
}

#[test]
fn overrides_are_found_in_every_disguise() {
    check(include_str!("cases/overrides.txt"), Family::Override, 80);
}

#[test]
fn honest_neighbours_of_overrides_are_not_refused() {
    check(include_str!("cases/no_overrides.txt"), Family::Override, 80);
}

#[test]
fn payloads_are_found() {
    check(include_str!("cases/payloads.txt"), Family::Payload, 30);
}

#[test]
fn a_result_that_reports_a_payload_is_not_refused() {
    check(include_str!("cases/no_payloads.txt"), Family::Payload, 30);
}

#[test]
fn honest_text_is_honest_in_every_family() {
    check(include_str!("cases/no_secrets.txt"), Family::Payload, 0);
    check(include_str!("cases/no_overrides.txt"), Family::Secret, 0);
    check(include_str!("cases/no_payloads.txt"), Family::Secret, 0);
    check(include_str!("cases/no_secrets.txt"), Family::Override, 0);
    check(include_str!("cases/no_payloads.txt"), Family::Override, 0);
}
