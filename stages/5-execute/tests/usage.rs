//! Limits of sessions and skills, on a real file that several gates share.
#![expect(clippy::disallowed_methods, reason = "these tests are about files on a real disk")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot do its part should fail the test")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use call::{Actor, Allowance as _, Confinement, Did, Moment, Reason, RunCaps, Spending, Ticket};
use execute::usage::Usage;

fn actor(session: &str, skills: &str) -> Actor {
    Actor {
        agent: "scribe".parse().unwrap(),
        session: session.parse().unwrap(),
        skills: skills.parse().unwrap(),
        context: call::CallContext::Agent,
    }
}

fn walls() -> Confinement {
    Confinement {
        max_file_chars: 8000,
        lane: None,
        sandbox_required: false,
        max_runtime_seconds: None,
        memory_limit_mb: None,
        run: RunCaps { disk_mb: 1, files: 1, processes: 1, output_kb: 1 },
        max_files_written: None,
        max_bytes_written: None,
        max_calls_per_minute: None,
        max_concurrent: None,
    }
}

fn at(seconds: u64) -> Moment {
    Moment::since_epoch(Duration::from_secs(1_800_000_000 + seconds)).unwrap()
}

const NOTHING: Spending = Spending { files: 0, bytes: 0 };

fn wrote(files: u64, bytes: u64) -> Spending {
    Spending { files, bytes }
}

fn begin(usage: &Usage, walls: &Confinement, spending: Spending, seconds: u64) -> Result<Ticket, Reason> {
    usage.begin(&actor("s1", "file_editor"), walls, spending, at(seconds))
}

#[test]
fn a_minute_has_so_many_calls_whichever_gate_counts() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (Usage::new(folder.path()), Usage::new(folder.path()));
    let walls = Confinement { max_calls_per_minute: Some(3), ..walls() };
    for (usage, seconds) in [(&one, 0), (&other, 10), (&one, 20)] {
        let ticket = begin(usage, &walls, NOTHING, seconds).unwrap();
        usage.end(ticket, Did::Nothing);
    }
    let reason = begin(&other, &walls, NOTHING, 59).unwrap_err();
    insta::assert_snapshot!(
        format!("{}: {}\n{}", reason.code, reason.message, reason.remedy.unwrap()),
        @r"
    limit_exceeded: the session made 3 calls within a minute, and may make 3
    wait until a minute has passed; whoever keeps the skill can raise `max_calls_per_minute`
    ");
    // Another session and another skill have minutes of their own.
    for actor in [actor("s2", "file_editor"), actor("s1", "other"), actor("s1", "other/file_editor")] {
        assert!(one.begin(&actor, &walls, NOTHING, at(59)).is_ok(), "{actor:?}");
    }
    begin(&other, &walls, NOTHING, 60).unwrap();
    begin(&other, &walls, NOTHING, 65).unwrap_err();
    begin(&other, &walls, NOTHING, 71).unwrap();
    // A clock that was set back by a day has minutes as well.
    assert!(one.begin(&actor("s1", "file_editor"), &walls, NOTHING, at(0).earlier_by_days(1)).is_ok());
}

#[test]
fn only_so_many_calls_are_under_way_and_each_that_ends_makes_room() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (Usage::new(folder.path()), Usage::new(folder.path()));
    let walls = Confinement { max_concurrent: Some(2), ..walls() };
    let first = begin(&one, &walls, NOTHING, 0).unwrap();
    let second = begin(&other, &walls, NOTHING, 0).unwrap();
    let reason = begin(&one, &walls, NOTHING, 0).unwrap_err();
    insta::assert_snapshot!(reason.message, @"the session has 2 calls under way, and may have 2");
    one.end(first, Did::It);
    one.end(first, Did::It);
    let third = begin(&other, &walls, NOTHING, 1000).unwrap();
    begin(&one, &walls, NOTHING, 1000).unwrap_err();
    other.end(second, Did::It);
    other.end(third, Did::Nothing);
    for _ in 0..2 {
        begin(&one, &walls, NOTHING, 2000).unwrap();
    }
}

const FOLDER: &str = "TOOLGATE_TEST_USAGE";

/// A gate that dies in the middle of two calls. Does nothing where the tests run by themselves.
#[test]
fn a_gate_that_dies() {
    let Ok(folder) = std::env::var(FOLDER) else { return };
    let usage = Usage::new(Path::new(&folder));
    let walls = Confinement { max_concurrent: Some(2), max_files_written: Some(10), ..walls() };
    for _ in 0..2 {
        begin(&usage, &walls, wrote(2, 0), 0).unwrap();
    }
    std::process::abort();
}

#[test]
fn calls_of_a_gate_that_died_are_not_under_way_and_what_they_announced_counts() {
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_gate_that_dies"])
        .env(FOLDER, folder.path())
        .output()
        .unwrap()
        .status;
    assert!(!status.success());
    let usage = Usage::new(folder.path());
    let walls = Confinement { max_concurrent: Some(1), max_files_written: Some(5), ..walls() };
    let ticket = begin(&usage, &walls, wrote(1, 0), 1).unwrap();
    usage.end(ticket, Did::It);
    begin(&usage, &walls, wrote(1, 0), 2).unwrap_err();
    assert_eq!(fs::read_dir(folder.path().join("usage-runs")).unwrap().count(), 1);
}

#[test]
fn what_a_session_wrote_is_known_after_a_restart_and_given_back_if_it_was_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let walls = Confinement { max_files_written: Some(3), max_bytes_written: Some(100), ..walls() };
    let usage = Usage::new(folder.path());
    let ticket = begin(&usage, &walls, wrote(2, 60), 0).unwrap();
    usage.end(ticket, Did::It);
    drop(usage);
    let usage = Usage::new(folder.path());
    let reason = begin(&usage, &walls, wrote(2, 1), 100_000).unwrap_err();
    insta::assert_snapshot!(reason.message, @"the session wrote 2 files so far and would write 2 more, and may write 3");
    let reason = begin(&usage, &walls, wrote(1, 41), 100_000).unwrap_err();
    insta::assert_snapshot!(reason.message, @"the session wrote 60 bytes so far and would write 41 more, and may write 100");
    let ticket = begin(&usage, &walls, wrote(1, 40), 100_000).unwrap();
    begin(&usage, &walls, wrote(1, 1), 100_000).unwrap_err();
    // A call that only reads is no write.
    begin(&usage, &walls, NOTHING, 100_000).unwrap();
    usage.end(ticket, Did::Nothing);
    usage.end(ticket, Did::Nothing);
    begin(&usage, &walls, wrote(1, 40), 100_000).unwrap();
    begin(&usage, &walls, wrote(u64::MAX, u64::MAX), 100_000).unwrap_err();
}

#[test]
fn gates_at_once_never_let_more_through_than_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let walls = Confinement { max_files_written: Some(50), ..walls() };
    let let_through: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let usage = Usage::new(folder.path());
                    (0..30).filter(|_| begin(&usage, &walls, wrote(1, 0), 0).is_ok()).count()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert_eq!(let_through, 50);
}

#[test]
fn counts_that_cannot_be_read_or_written_refuse_the_call() {
    let limited = Confinement { max_calls_per_minute: Some(3), ..walls() };
    type Break = (&'static str, fn(&Path));
    let breaks: [Break; 4] = [
        ("not a database", |file| fs::write(file, "x".repeat(5000)).unwrap()),
        ("another database", |file| {
            let other = rusqlite::Connection::open(file).unwrap();
            other.execute_batch("CREATE TABLE other (x); PRAGMA application_id = 5;").unwrap();
        }),
        ("a folder", |file| fs::create_dir(file).unwrap()),
        ("a link", |file| {
            let elsewhere = file.with_file_name("elsewhere");
            fs::write(&elsewhere, "").unwrap();
            std::os::unix::fs::symlink(elsewhere, file).unwrap();
        }),
    ];
    for (what, break_it) in breaks {
        let folder = tempfile::tempdir().unwrap();
        break_it(&folder.path().join("usage.db"));
        let usage = Usage::new(folder.path());
        let reason = begin(&usage, &limited, NOTHING, 0).unwrap_err();
        assert_eq!(reason.code.as_str(), "policy_error", "{what}");
        assert!(reason.remedy.is_some());
        // What nothing limits needs no counts.
        assert!(begin(&usage, &walls(), wrote(1, 1), 0).is_ok());
    }
    // A page in the middle that was written over.
    let folder = tempfile::tempdir().unwrap();
    let usage = Usage::new(folder.path());
    begin(&usage, &limited, NOTHING, 0).unwrap();
    drop(usage);
    let file = folder.path().join("usage.db");
    let mut bytes = fs::read(&file).unwrap();
    for byte in bytes.iter_mut().skip(4096).take(8192) {
        *byte = 0x55;
    }
    fs::write(&file, bytes).unwrap();
    let reason = begin(&Usage::new(folder.path()), &limited, NOTHING, 0).unwrap_err();
    assert_eq!(reason.code.as_str(), "policy_error");
}

#[test]
fn nobody_else_may_read_the_counts() {
    use std::os::unix::fs::MetadataExt as _;
    let folder = tempfile::tempdir().unwrap();
    let usage = Usage::new(&folder.path().join("new/home"));
    begin(&usage, &Confinement { max_concurrent: Some(1), ..walls() }, NOTHING, 0).unwrap();
    let data = fs::metadata(folder.path().join("new/home/usage.db")).unwrap();
    assert_eq!(data.mode() & 0o777, 0o600);
}
