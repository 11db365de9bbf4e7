//! What comes out, and where.

use std::io::Read as _;

use crate::door::{BAD, Door, GOOD, examples, finish, good};

#[test]
fn one_document_gives_one_word() {
    let door = Door::new();
    door.write(&format!("{GOOD}.md"), good());
    door.write("bad.md", BAD);
    insta::assert_snapshot!(door.run(&["check", &format!("{GOOD}.md")]).all(), @"
    exit 0
    ACCEPT
    ---
    ");
    assert_eq!(door.run(&["check", "bad.md"]).stdout, "REJECT\n");
    let stdin = door.run_with(&["check", "-"], good().as_bytes());
    assert_eq!((stdin.code, stdin.stdout.as_str()), (Some(0), "ACCEPT\n"), "{}", stdin.all());
    let stdin = door.run_with(&["check", "-"], BAD.as_bytes());
    assert_eq!((stdin.code, stdin.stdout.as_str()), (Some(2), "REJECT\n"), "{}", stdin.all());
    assert!(stdin.stderr.contains(" --> <stdin>:1:1"), "{}", stdin.all());
}

#[test]
fn several_documents_give_one_line_each_in_the_order_of_the_paths() {
    let door = Door::new();
    door.write(&format!("in/{GOOD}.md"), good());
    door.write("in/b.md", BAD);
    door.write("in/a/c.md", BAD);
    let one = door.run(&["check", "in", "gone.md", "in/b.md", "--jobs", "1"]);
    insta::assert_snapshot!(one.stdout, @"
    ACCEPT  in/TR-20260112-090000Z-survey-stats.md
    REJECT  in/a/c.md
    REJECT  in/b.md
    ERROR   gone.md
    REJECT  in/b.md
    ");
    assert_eq!(one.code, Some(3));
    let many = door.run(&["check", "in", "gone.md", "in/b.md", "--jobs", "8"]);
    assert_eq!((one.stdout, one.stderr), (many.stdout, many.stderr));
}

#[test]
fn json_has_the_promised_shape_and_says_nothing_else() {
    let door = Door::new();
    door.write(&format!("in/{GOOD}.md"), good());
    door.write("in/latin.md", b"ok\n\xff");
    door.write("in/bad.md", BAD);
    let ran = door.run(&["check", "--format", "json", "in", "gone.md"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(3), ""), "{}", ran.all());
    let files = ran.json()["files"].as_array().unwrap().clone();
    let verdicts: Vec<&str> = files.iter().map(|file| file["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["accept", "reject", "error", "error"]);
    assert_eq!(files[0]["path"], format!("in/{GOOD}.md"));
    assert_eq!(files[0]["digest"].as_str().unwrap().len(), 64);
    let finding = &files[1]["findings"][0];
    let mut keys: Vec<&String> = finding.as_object().unwrap().keys().collect();
    keys.retain(|key| *key != "hint");
    assert_eq!(keys, ["code", "severity", "message", "line", "column"]);
    assert_eq!((finding["line"].as_u64(), finding["column"].as_u64()), (Some(1), Some(1)));
    insta::assert_snapshot!(files[2], @r#"{"path":"in/latin.md","verdict":"error","findings":[{"code":"IO003","severity":"error","message":"not UTF-8 text: byte 3 does not belong to any character","line":2,"column":1}]}"#);
    insta::assert_snapshot!(files[3], @r#"{"path":"gone.md","verdict":"error","findings":[{"code":"IO001","severity":"error","message":"no such file or directory","line":0,"column":0}]}"#);
}

#[test]
fn the_profiles_are_explained_in_both_formats() {
    let door = Door::new();
    door.write("bad.md", "---\nnetwork: internet\n---\n");
    let ran = door.run(&["check", "--explain-profile", "bad.md"]);
    assert!(ran.stderr.contains("profiles for bad.md\n  strict         REJECT\n"), "{}", ran.all());
    assert!(ran.stderr.contains("only threegate-v1"), "{}", ran.all());
    let json = door.run(&["check", "--explain-profile", "--format", "json", "bad.md"]).json();
    let profiles = json["files"][0]["profiles"].as_object().unwrap().clone();
    let keys: Vec<&String> = profiles.keys().collect();
    assert_eq!(keys, ["strict", "threegate-v1", "only_strict", "only_threegate_v1"]);
    assert_eq!(profiles["strict"], "reject");
}

#[test]
fn a_reader_who_leaves_is_no_reason_to_panic() {
    let door = Door::new();
    for number in 0..3000 {
        door.write(&format!("in/{number:0200}.md"), BAD);
    }
    let mut child = door.command(&["check", "--format", "json", "in"]).spawn().unwrap();
    let mut first = [0; 16];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    child.stdout = None;
    child.stdout = Some(door.command(&["--version"]).spawn().unwrap().stdout.unwrap());
    let ran = finish(child);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let door = Door::new();
    door.write("bad.md", BAD);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = door.command(&["check", "bad.md"]);
    let out = command.stdout(full).output().unwrap();
    assert_eq!(out.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&out.stderr).contains("standard output cannot be written"));
}

#[test]
fn the_examples_are_what_they_are_said_to_be() {
    let door = Door::new();
    let accepted = door.run(&["check", examples("accepted").to_str().unwrap()]);
    assert_eq!((accepted.code, accepted.stderr.as_str()), (Some(0), ""), "{}", accepted.all());
    assert_eq!(accepted.stdout.lines().count(), 6);
    let refused = door.run(&["check", examples("refused").to_str().unwrap()]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.stdout.lines().all(|line| line.starts_with("REJECT")), "{}", refused.stdout);
    assert_eq!(refused.stdout.lines().count(), 4);
}
