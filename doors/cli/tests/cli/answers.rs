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
fn a_summary_never_speaks_of_more_than_the_answer_holds() {
    let desk = Desk::new();
    for number in 0..900 {
        desk.door.write(&format!("folder/name-{number:04}.txt"), "needle in a line of some length\n");
    }
    desk.door.write("long.txt", "x".repeat(20_000));
    for (tool, arguments) in [
        ("list_files", json!({ "path": "folder" })),
        ("search_files", json!({ "path": "folder", "pattern": "needle" })),
    ] {
        let (code, answer) = desk.call(tool, &arguments, &[]);
        let there = answer["content"].as_array().unwrap().len();
        assert!(code == 0 && there < 900, "{tool}: {there}");
        let summary = answer["summary"].as_str().unwrap();
        assert!(
            summary.ends_with(&format!("; only the first {there} fit into `max_file_chars`")),
            "{summary}"
        );
        assert_eq!(answer["labels"], json!(["truncated"]), "{tool}");
    }
    let (_, answer) = desk.call("read_file", &json!({ "path": "long.txt" }), &[]);
    assert_eq!(
        (&answer["summary"], &answer["labels"]),
        (&json!("20000 characters of `long.txt`; cut to fit into `max_file_chars`"), &json!(["truncated"]))
    );
    let (_, answer) = desk.call("read_file", &json!({ "path": "notes.txt" }), &[]);
    assert_eq!((&answer["summary"], &answer["labels"]), (&json!("4 characters of `notes.txt`"), &json!([])));
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

#[test]
fn a_refused_redirect_is_flagged_like_a_refused_address() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(
                b"HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/\r\ncontent-length: 0\r\n\r\n",
            );
        }
    });
    let listed = format!("enabled = true\nallowlist = [\"127.0.0.1:{port}\"]");
    let desk = alone(&[("enabled = false\nallowlist = []", &listed)]);
    let urls = [format!("http://127.0.0.1:{port}/"), "http://169.254.169.254/".to_owned()];
    for url in urls {
        let (code, answer) = desk.call("network_fetch", &json!({ "url": url }), &[]);
        assert_eq!((code, &answer["status"], &answer["verdict"]), (2, &json!("denied"), &json!("deny")));
        let flags = answer["risk_flags"].as_array().unwrap();
        for flag in ["network_denied", "denial:private_address"] {
            assert!(flags.contains(&json!(flag)), "{url}: {flags:?}");
        }
    }
}

#[test]
fn a_call_that_nobody_approved_never_fails_for_what_was_approved() {
    let desk = alone(&[]);
    let write = |number: usize| {
        let content = format!("{number}\n").repeat(10_000);
        desk.call("write_file", &json!({ "path": "notes.txt", "content": content }), &[])
    };
    let answers: Vec<(i32, serde_json::Value)> = thread::scope(|scope| {
        let started: Vec<_> = (0..12)
            .map(|number| {
                let write = &write;
                scope.spawn(move || write(number))
            })
            .collect();
        started.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for (code, answer) in answers {
        assert_eq!(answer["verdict"], "allow", "{answer}");
        // One that came second says so, and is no refusal.
        let came_second = (code, &answer["status"]) == (1, &json!("error"))
            && answer["reasons"][0]["code"] == "target_changed"
            && answer["summary"] == "somebody else changed `notes.txt` meanwhile; nothing was done";
        assert!(code == 0 || came_second, "{answer}");
    }
    let left = fs::read_to_string(desk.door.path("notes.txt")).unwrap();
    let first = left.lines().next().unwrap().to_owned();
    assert_eq!(left, format!("{first}\n").repeat(10_000));
}
