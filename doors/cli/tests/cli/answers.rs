//! What answers say about themselves: how much of a result is there, and whose no it was.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::{fs, thread};

use serde_json::json;

use crate::approvals::Desk;

/// A home in which nothing waits for a person.
fn alone(changes: &[(&str, &str)]) -> Desk {
    let desk = Desk::new();
    let approval = "approval_required = [\"write_file\", \"run_shell\", \"delete_file\"]";
    let mut policy = desk.door.read(".toolgate/policy.toml");
    for (old, new) in [&[(approval, "approval_required = []")][..], changes].concat() {
        assert!(policy.contains(old), "{old}: {policy}");
        policy = policy.replace(old, new);
    }
    desk.door.write(".toolgate/policy.toml", policy);
    desk.apply();
    desk
}

#[test]
fn no_edit_makes_a_file_binary_without_a_person() {
    let desk = alone(&[]);
    let edit = json!({ "path": "notes.txt", "old": "one", "new": "\u{0}" });
    let (code, answer) = desk.call("edit_file", &edit, &[]);
    assert_eq!((code, &answer["reasons"][0]["rule"]), (4, &json!("toolgate#binary_content")), "{answer}");
    assert_eq!(desk.door.read("notes.txt"), "one\n");
    let id = answer["call_id"].as_str().unwrap();
    desk.approved(id);
    assert_eq!(desk.call("edit_file", &edit, &["--approval", id]).0, 0);
    assert_eq!(desk.door.read("notes.txt"), "\u{0}\n");
    // One that is binary already is not edited on the quiet either.
    let edit = json!({ "path": "notes.txt", "old": "\n", "new": "more\n" });
    let (code, answer) = desk.call("edit_file", &edit, &[]);
    assert_eq!((code, &answer["reasons"][0]["code"]), (1, &json!("binary_file")), "{answer}");
    // And an edit of text is what it was.
    desk.door.write("notes.txt", "one\n");
    let edit = json!({ "path": "notes.txt", "old": "one", "new": "two" });
    assert_eq!(desk.call("edit_file", &edit, &[]).0, 0);
}

