//! Input that is no document: each kind has its exit code and a message that names it.

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::door::{BAD, Door, GOOD, good};

#[test]
fn what_cannot_be_read_is_an_error_with_a_reason() {
    let door = Door::new();
    door.write("latin.md", b"---\ncaf\xe9\n");
    fs::create_dir(door.path("empty")).unwrap();
    symlink("nowhere", door.path("broken.md")).unwrap();
    symlink("loop.md", door.path("loop.md")).unwrap();
    mknodat(CWD, door.path("pipe.md"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let _socket = UnixListener::bind(door.path("socket.md")).unwrap();

    let see = |path: &str| door.run(&["check", path]).all();
    insta::assert_snapshot!(see("latin.md"), @"
    exit 3
    ---
    ERROR: latin.md:2:4: not UTF-8 text: byte 7 does not belong to any character [IO003]
    ");
    insta::assert_snapshot!(see("empty"), @"
    exit 3
    ERROR   empty
    ---
    ERROR: empty: no documents: there is no file `*.md` in or below this folder [IO004]
    ");
    insta::assert_snapshot!(see("broken.md"), @"
    exit 3
    ---
    ERROR: broken.md: symbolic link to a file that is not there [IO001]
    ");
    insta::assert_snapshot!(see("loop.md"), @"
    exit 3
    ---
    ERROR: loop.md: too many levels of symbolic links [IO001]
    ");
    insta::assert_snapshot!(see("pipe.md"), @"
    exit 3
    ---
    ERROR: pipe.md: not a regular file: this is a named pipe [IO002]
    ");
    insta::assert_snapshot!(see("socket.md"), @"
    exit 3
    ---
    ERROR: socket.md: not a regular file: this is a socket or device [IO002]
    ");
    insta::assert_snapshot!(see("/dev/zero"), @"
    exit 3
    ---
    ERROR: /dev/zero: not a regular file: this is a device [IO002]
    ");
    insta::assert_snapshot!(see("missing.md"), @"
    exit 3
    ---
    ERROR: missing.md: no such file or directory [IO001]
    ");
    insta::assert_snapshot!(see("latin.md/below.md"), @"
    exit 3
    ---
    ERROR: latin.md/below.md: not a directory [IO001]
    ");
    insta::assert_snapshot!(see("/proc/self/mem"), @"
    exit 3
    ---
    ERROR: /proc/self/mem: input/output error [IO001]
    ");
}

#[test]
fn what_can_be_read_but_is_no_document_is_refused() {
    let door = Door::new();
    door.write("empty.md", "");
    door.write("nul.md", b"---\na: \0\n---\n");
    door.write("rule.md", "---\n");
    door.write("rules.md", "---\n---\n");
    for name in ["empty.md", "nul.md", "rule.md", "rules.md"] {
        let ran = door.run(&["check", name]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), "REJECT\n"), "{name}: {}", ran.all());
        assert!(ran.stderr.starts_with("ERROR: "), "{}", ran.all());
        assert!(ran.stderr.contains(&format!(" --> {name}:")), "{}", ran.all());
        assert!(!ran.stderr.contains('\0'));
    }
}

#[test]
fn a_huge_file_is_refused_without_being_read() {
    let door = Door::new();
    File::create(door.path("huge.md")).unwrap().set_len(100 << 20).unwrap();
    let ran = door.run(&["check", "huge.md"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), "REJECT\n"), "{}", ran.all());
    assert!(ran.stderr.contains("[TR001]"), "{}", ran.all());
    let ran = door.run_with(&["check", "-"], &vec![b'a'; 8 << 20]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), "REJECT\n"), "{}", ran.all());
}

#[test]
fn one_bad_file_does_not_keep_the_others_from_being_checked() {
    let door = Door::new();
    door.write(&format!("in/{GOOD}.md"), good());
    door.write("in/a/bad.md", BAD);
    door.write("in/.hidden/bad.md", BAD);
    door.write("in/.hidden.md", BAD);
    door.write("in/notes.txt", BAD);
    door.write("elsewhere/bad.md", BAD);
    symlink("../elsewhere", door.path("in/link")).unwrap();
    symlink("../elsewhere", door.path("in/link.md")).unwrap();
    mknodat(CWD, door.path("in/pipe.md"), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let ran = door.run(&["check", "in"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    insta::assert_snapshot!(ran.stdout, @"
    ACCEPT  in/TR-20260112-090000Z-survey-stats.md
    REJECT  in/a/bad.md
    ERROR   in/link.md
    ERROR   in/pipe.md
    ");
}

#[test]
fn usage_that_makes_no_sense_ends_with_three() {
    let door = Door::new();
    door.write("a.md", BAD);
    let cases: [&[&str]; 7] = [
        &[],
        &["check"],
        &["check", "--profile", "lax", "a.md"],
        &["check", "--jobs", "0", "a.md"],
        &["check", "-", "-"],
        &["check", "--watch", "a.md"],
        &["chekc", "a.md"],
    ];
    for arguments in cases {
        let ran = door.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{arguments:?}: {}", ran.all());
        assert!(!ran.stderr.is_empty());
    }
    insta::assert_snapshot!(door.run(&["check"]).all(), @"
    exit 3
    ---
    error: the following required arguments were not provided:
      <PATH>...

    Usage: toolgate check <PATH>...

    For more information, try '--help'.

    hint: `toolgate check .` checks every document in and below this folder
    ");
    insta::assert_snapshot!(door.run(&["call", "read_file", "{\"path\": \"a.md\"}"]).all(), @r#"
    exit 3
    ---
    error: unexpected argument '{"path": "a.md"}' found

    Usage: toolgate call [OPTIONS] <TOOL>

    For more information, try '--help'.

    hint: arguments of a call go behind `--args`, as in --args '{"path": "notes.md"}'
    "#);
    insta::assert_snapshot!(door.run(&["check", "--watch", "a.md"]).all(), @"
    exit 3
    ---
    error: `a.md` is not a folder, and only folders can be watched

    hint: leave out `--watch` to check it once
    ");
}

#[test]
fn a_path_behind_the_tool_is_told_where_it_belongs() {
    let door = crate::door::Door::new();
    for (words, is_told) in [
        (["call", "read_file", "notes.md", "--dry-run"], true),
        (["call", "read_file", "--nonsense", "--dry-run"], false),
        (["check", "--nonsense", "a.md", "b.md"], false),
    ] {
        let ran = door.run(&words);
        assert_eq!(ran.code, Some(3), "{}", ran.all());
        assert_eq!(
            ran.stderr.contains("hint: arguments of a call go behind `--args`"),
            is_told,
            "{}",
            ran.all()
        );
    }
}
