//! Documents and file names that try to draw on the terminal.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;

use crate::door::{BAD, Door, Ran};

#[track_caller]
fn harmless(ran: &Ran) {
    let both = format!("{}{}", ran.stdout, ran.stderr);
    let raw: Vec<char> = both
        .chars()
        .filter(|&character| character != '\n' && (character.is_control() || is_bidi(character)))
        .collect();
    assert!(raw.is_empty(), "{both:?}");
}

fn is_bidi(character: char) -> bool {
    matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

#[test]
fn a_file_name_cannot_draw_on_the_terminal_or_forge_a_line() {
    let door = Door::new();
    let name = "in/x\nACCEPT  in\u{1b}[2J\u{9b}1m\u{202e}dm.md";
    door.write(name, BAD);
    fs::write(door.path("in").join(OsStr::from_bytes(b"bad-\xff.md")), BAD).unwrap();
    for arguments in [
        vec!["check", "in"],
        vec!["check", name],
        vec!["check", "--explain-profile", "in"],
        vec!["check", "--format", "json", "in"],
        vec!["check", "in/gone\u{1b}[31m.md"],
        vec!["check", "--watch", name],
        vec!["check", "--no\u{1b}[31m"],
        vec!["check", "--quarantine", "quarantine\u{1b}[31m", "in"],
    ] {
        let ran = door.run(&arguments);
        harmless(&ran);
        assert!(!ran.stdout.lines().any(|line| line.starts_with("ACCEPT")), "{}", ran.all());
    }
}

#[test]
fn a_document_cannot_draw_on_the_terminal() {
    let door = Door::new();
    door.write(
        "bad.md",
        "---\nnetwork: \u{1b}]0;owned\u{7}\u{9b}2J\u{202e}\u{200b}\r\u{8}x\n---\n\u{1b}[31m\n",
    );
    let ran = door.run(&["check", "bad.md"]);
    assert_eq!(ran.code, Some(2));
    harmless(&ran);
    harmless(&door.run(&["check", "--format", "json", "bad.md"]));
    harmless(&door.run(&["check", "--explain-profile", "bad.md"]));
    door.run(&["check", "--quarantine", "q", "bad.md"]);
    let reasons =
        Ran { code: None, stdout: door.read("q/bad.reasons.txt"), stderr: door.read("q/bad.reasons.json") };
    harmless(&reasons);
}

#[test]
fn thousands_of_findings_are_counted_and_not_all_shown() {
    let door = Door::new();
    let text = format!("---\n{}---\n", "a: \u{1}\n".repeat(5000));
    door.write("many.md", text);
    let ran = door.run(&["check", "many.md"]);
    let n_blocks = ran.stderr.lines().filter(|line| line.starts_with("ERROR: ")).count();
    assert!(n_blocks <= 100, "{n_blocks}");
    assert!(ran.stderr.contains("more findings; `--format json` lists them all"), "{}", ran.stderr);
    let json = door.run(&["check", "--format", "json", "many.md"]).json();
    assert!(json["files"][0]["findings"].as_array().unwrap().len() > 1000);
}

#[test]
fn an_endless_line_stays_short_on_the_terminal() {
    let door = Door::new();
    door.write("long.md", format!("---\nnetwork: {}\u{1}\n---\n", "x".repeat(200_000)));
    let ran = door.run(&["check", "long.md"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.stderr.lines().filter(|line| line.starts_with("2 | ")).all(|line| line.chars().count() < 200)
    );
}
