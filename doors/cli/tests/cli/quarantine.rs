//! Rejected documents are moved, never lost, and never unexplained.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

use crate::door::{BAD, Door, GOOD, good};

#[test]
fn a_rejected_document_is_moved_with_its_reasons_beside_it() {
    let door = Door::new();
    door.write(&format!("in/{GOOD}.md"), good());
    let bad = door.write("in/bad.md", BAD);
    door.write("in/latin.md", b"\xff");
    let inode = fs::metadata(&bad).unwrap().ino();
    let ran = door.run(&["check", "in", "--quarantine", "in/quarantine"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    assert_eq!(door.names("in"), [&format!("{GOOD}.md"), "latin.md", "quarantine"]);
    assert_eq!(door.names("in/quarantine"), ["bad.md", "bad.reasons.json", "bad.reasons.txt"]);
    assert_eq!(fs::metadata(door.path("in/quarantine/bad.md")).unwrap().ino(), inode, "renamed, not copied");
    assert_eq!(fs::metadata(door.path("in/quarantine")).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(
        ran.stderr
            .contains("moved in/bad.md to in/quarantine/bad.md, reasons in in/quarantine/bad.reasons.txt")
    );
    assert!(door.read("in/quarantine/bad.reasons.txt").starts_with("ERROR: "));
    let reasons: serde_json::Value =
        serde_json::from_str(&door.read("in/quarantine/bad.reasons.json")).unwrap();
    assert_eq!((&reasons["verdict"], &reasons["profile"]), (&"reject".into(), &"strict".into()));
    assert_eq!(reasons["path"], "in/bad.md");
    assert!(reasons["checked_utc"].as_str().unwrap().ends_with('Z'));
    assert!(!reasons["findings"].as_array().unwrap().is_empty());

    let again = door.run(&["check", "in", "--quarantine", "in/quarantine"]);
    assert!(!again.stdout.contains("quarantine"), "the quarantine is not checked: {}", again.all());
}

#[test]
fn nothing_in_quarantine_is_overwritten() {
    let door = Door::new();
    for round in 0..3 {
        door.write("bad.md", format!("{BAD}{round}"));
        let ran = door.run(&["check", "bad.md", "--quarantine", "q", "--format", "json"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), ""));
        let name = if round == 0 { String::from("bad.md") } else { format!("bad.{round}.md") };
        assert_eq!(ran.json()["files"][0]["moved_to"], format!("q/{name}"));
        assert_eq!(door.read(&format!("q/{name}")), format!("{BAD}{round}"));
    }
    assert_eq!(door.names("q").len(), 9);
}

#[test]
fn documents_of_the_same_name_from_two_folders_are_numbered_in_order() {
    let door = Door::new();
    for folder in 0..40 {
        door.write(&format!("in/{folder:02}/bad.md"), format!("{BAD}{folder}"));
    }
    door.run(&["check", "in", "--quarantine", "q", "--jobs", "8"]);
    assert_eq!(door.names("q").len(), 120);
    assert_eq!(door.read("q/bad.md"), format!("{BAD}0"));
    assert_eq!(door.read("q/bad.39.md"), format!("{BAD}39"));
}

#[test]
fn a_document_on_another_device_is_copied_and_then_removed() {
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else {
        return;
    };
    let door = Door::new();
    if fs::metadata(other.path()).unwrap().dev() == fs::metadata(door.folder.path()).unwrap().dev() {
        return;
    }
    let document = other.path().join("bad.md");
    fs::write(&document, BAD).unwrap();
    let ran = door.run(&["check", document.to_str().unwrap(), "--quarantine", "q"]);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert!(!document.exists());
    assert_eq!(door.read("q/bad.md"), BAD);
    assert_eq!(door.names("q"), ["bad.md", "bad.reasons.json", "bad.reasons.txt"]);
}

#[test]
fn what_cannot_be_moved_stays_and_says_so() {
    let door = Door::new();
    door.write("real/bad.md", BAD);
    fs::create_dir(door.path("in")).unwrap();
    symlink("../real/bad.md", door.path("in/bad.md")).unwrap();
    let ran = door.run(&["check", "in/bad.md", "--quarantine", "q"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    assert!(ran.stderr.contains("symbolic link") && ran.stderr.contains("[IO005]"), "{}", ran.all());
    assert_eq!(door.read("real/bad.md"), BAD);
    assert_eq!(door.names("q"), [""; 0]);

    door.run(&["check", "real/bad.md", "--quarantine", "q"]);
    let already = door.run(&["check", "q/bad.md", "--quarantine", "q"]);
    assert_eq!(already.code, Some(2), "{}", already.all());
    assert_eq!(door.names("q"), ["bad.md", "bad.reasons.json", "bad.reasons.txt"]);

    door.write("file", "");
    door.write("bad.md", BAD);
    insta::assert_snapshot!(door.run(&["check", "bad.md", "--quarantine", "file"]).all(), @"
    exit 3
    ---
    error: quarantine folder `file`: file exists

    hint: `--quarantine` names a folder that can be written to; nothing was checked
    ");
    assert_eq!(door.read("bad.md"), BAD);
}

#[test]
fn a_name_that_leaves_no_room_for_its_reasons_is_cut() {
    let door = Door::new();
    door.write(&format!("{}.md", "x".repeat(250)), BAD);
    let ran = door.run(&["check", ".", "--quarantine", "q"]);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert_eq!(door.names("q").len(), 3);
}
