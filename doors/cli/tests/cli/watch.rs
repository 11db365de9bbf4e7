//! Drop folders: what arrives is checked once it is complete.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::door::{BAD, Door, GOOD, Ran, finish, good, wait_until};

/// A watcher at work.
struct Watcher {
    child: Child,
    lines: Receiver<String>,
}

impl Watcher {
    fn start(door: &Door, arguments: &[&str]) -> Self {
        let mut child = door.command(&[&["check", "--watch"], arguments].concat()).spawn().unwrap();
        let stdout: ChildStdout = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                drop(sender.send(line.unwrap()));
            }
        });
        child.stdout = Some(door.command(&["--version"]).spawn().unwrap().stdout.unwrap());
        Self { child, lines }
    }

    #[track_caller]
    fn line(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(20)).expect("a line in time")
    }

    fn is_quiet(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(300)).is_err()
    }

    fn end(self, signal: Signal) -> Ran {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        finish(self.child)
    }
}

#[test]
fn what_lies_there_and_what_arrives_is_checked() {
    let door = Door::new();
    door.write(&format!("in/{GOOD}.md"), good());
    fs::create_dir(door.path("in/sub")).unwrap();
    let watcher = Watcher::start(&door, &["in"]);
    assert_eq!(watcher.line(), format!("ACCEPT  in/{GOOD}.md"));

    door.write("tmp", BAD);
    fs::rename(door.path("tmp"), door.path("in/moved.md")).unwrap();
    assert_eq!(watcher.line(), "REJECT  in/moved.md");

    let mut slow = File::create(door.path("in/sub/slow.md")).unwrap();
    slow.write_all(BAD.as_bytes()).unwrap();
    assert!(watcher.is_quiet(), "a document that is still being written is left alone");
    slow.write_all(BAD.as_bytes()).unwrap();
    drop(slow);
    assert_eq!(watcher.line(), "REJECT  in/sub/slow.md");

    door.write("in/.hidden.md", BAD);
    door.write("in/part.md.tmp", BAD);
    door.write("in/new/deep/late.md", BAD);
    assert_eq!(watcher.line(), "REJECT  in/new/deep/late.md");
    door.write("in/new/deep/later.md", BAD);
    assert_eq!(watcher.line(), "REJECT  in/new/deep/later.md");
    fs::hard_link(door.path("in/moved.md"), door.path("in/linked.md")).unwrap();
    assert_eq!(watcher.line(), "REJECT  in/linked.md");
    assert!(watcher.is_quiet(), "nothing is checked twice");

    let ran = watcher.end(Signal::INT);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.ends_with("watched 1 folder: 1 accepted, 5 rejected, 0 errors\n"), "{}", ran.stderr);
}

#[test]
fn a_drop_folder_with_a_quarantine_is_emptied_of_what_is_bad() {
    let door = Door::new();
    fs::create_dir(door.path("in")).unwrap();
    let watcher = Watcher::start(&door, &["in", "--quarantine", "in/q", "--format", "json"]);
    wait_until("the quarantine", || door.path("in/q").exists());
    for number in 0..20 {
        door.write(&format!("in/{number}.md"), BAD);
        let json: serde_json::Value = serde_json::from_str(&watcher.line()).unwrap();
        assert_eq!(json["moved_to"], format!("in/q/{number}.md"));
    }
    assert_eq!(door.names("in"), ["q"]);
    assert!(watcher.is_quiet());
    let ran = watcher.end(Signal::TERM);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert_eq!(ran.stderr, "watched 1 folder: 0 accepted, 20 rejected, 0 errors\n");
}

#[test]
fn an_interrupted_watch_over_nothing_ends_well() {
    let door = Door::new();
    fs::create_dir(door.path("in")).unwrap();
    let watcher = Watcher::start(&door, &["in"]);
    door.write(&format!("in/{GOOD}.md"), good());
    assert_eq!(watcher.line(), format!("ACCEPT  in/{GOOD}.md"));
    assert_eq!(watcher.end(Signal::INT).code, Some(0));
}

#[test]
fn a_watched_folder_that_goes_away_is_an_error() {
    let door = Door::new();
    door.write(&format!("in/{GOOD}.md"), good());
    let watcher = Watcher::start(&door, &["in"]);
    watcher.line();
    fs::remove_dir_all(door.path("in")).unwrap();
    let ran = finish(watcher.child);
    assert_eq!(ran.code, Some(3));
    insta::assert_snapshot!(ran.stderr, @"
    error: the watched folder in is gone
    watched 1 folder: 1 accepted, 0 rejected, 0 errors
    ");
}
