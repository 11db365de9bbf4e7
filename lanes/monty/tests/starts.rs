//! Workers that do not come up: what is told of it, and when another is tried.
//!
//! A worker here is a script that ends in its own way or becomes a real worker.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "helpers of tests, which write files")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use monty_lane::{Limits, Pool, PoolError, Request, Settings};

/// A folder for one test, with the script in it.
struct Script(PathBuf);

impl Script {
    /// A script that notes each of its starts. `$worker` is a real worker with what this one was given,
    /// `$starts` how often it was started.
    fn new(name: &str, body: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("monty-starts-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut worker = std::env::current_exe().unwrap();
        worker.pop();
        worker.pop();
        let worker = worker.join("examples/worker");
        let notes = folder.join("starts");
        let text = format!(
            "#!/bin/sh\necho >> {notes}\nstarts=$(wc -l < {notes})\nworker=\"{worker} $*\"\n{body}\n",
            notes = notes.display(),
            worker = worker.display(),
        );
        let script = folder.join("script");
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        Self(folder)
    }

    fn start(&self) -> Result<Pool, PoolError> {
        Pool::start(Settings { workers: 1, ..Settings::new(self.path()) })
    }

    fn path(&self) -> PathBuf {
        self.0.join("script")
    }

    fn starts(&self) -> usize {
        let notes: &Path = &self.0.join("starts");
        fs::read_to_string(notes).unwrap().lines().count()
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn answer(pool: &Pool, source: &str) -> String {
    let request = Request {
        source: source.to_owned(),
        modules: Vec::new(),
        inputs: serde_json::Map::new(),
        limits: Limits::default(),
    };
    pool.run(&request, None).unwrap().result.unwrap().json
}

#[test]
fn a_worker_that_crashes_once_is_started_once_more() {
    let script = Script::new("once", "[ $starts = 1 ] && exit 101\nexec env -i $worker");
    let pool = script.start().unwrap();
    assert_eq!(answer(&pool, "1 + 1"), "2");
    assert_eq!(script.starts(), 2);
}

#[test]
fn a_worker_that_always_crashes_is_told_with_its_own_reason() {
    let script = Script::new(
        "always",
        "echo \"thread 'main' panicked at interpret.rs:1:1:\" >&2\nprintf 'no\\033[2J luck\\n' >&2\nexit 101",
    );
    let error = script.start().unwrap_err().to_string();
    let want = "a worker did not answer as one: the interpreter ended with code 101; \
                it said: thread 'main' panicked at interpret.rs:1:1: | no?[2J luck (as it did when it was started before)";
    assert_eq!(error, want);
    assert_eq!(script.starts(), 2);
}

#[test]
fn a_worker_that_says_what_is_missing_is_believed() {
    let script = Script::new("missing", "exec env -i SECRET=1 $worker");
    let error = script.start().unwrap_err();
    assert!(matches!(&error, PoolError::NotConfined(why) if why.contains("empty_environment")), "{error}");
    assert_eq!(script.starts(), 1);
}

#[test]
fn a_worker_that_says_too_much_is_cut_short() {
    let script = Script::new("flood", "head -c 60000 /dev/zero | tr '\\0' x >&2\necho the end >&2\nexit 7");
    let error = script.start().unwrap_err().to_string();
    assert!(error.len() < 1_000 && error.contains("ended with code 7; it said: ...xxx"), "{error}");
    assert!(error.contains("xthe end"), "{error}");
}

#[test]
fn a_start_that_somebody_else_keeps_open_ends_all_the_same() {
    // The child of the script has its errors and lives on for a while.
    let script = Script::new("kept", "sleep 3 < /dev/null > /dev/null &\necho gone >&2\nexit 3");
    let error = script.start().unwrap_err().to_string();
    assert!(error.contains("code 3; it said: gone"), "{error}");
}

#[test]
fn whoever_waits_for_a_worker_that_never_comes_is_told() {
    let script = Script::new("never", "[ $starts = 1 ] || exit 9\nexec env -i $worker");
    let settings = Settings { workers: 1, runs_per_worker: 1, ..Settings::new(script.path()) };
    let pool = Pool::start(settings).unwrap();
    assert_eq!(answer(&pool, "3"), "3");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..3 {
                    let error = pool.layers().unwrap_err().to_string();
                    assert!(error.contains("code 9"), "{error}");
                }
            });
        }
    });
}

/// Who enters a container by its side door has a session whose leader cannot be seen from inside.
#[test]
fn a_worker_starts_where_the_leader_of_its_session_has_no_number() {
    let body = "exec unshare --user --map-root-user --pid --fork env -i $worker";
    let script = Script::new("outside", body);
    let pool = script.start().unwrap();
    assert_eq!(answer(&pool, "1 + 1"), "2");
    assert_eq!(script.starts(), 1);
}

#[test]
fn what_was_said_at_the_start_of_a_worker_that_came_up_is_nobodys() {
    let script = Script::new("chatty", "echo hello >&2\nexec env -i $worker");
    let pool = script.start().unwrap();
    assert_eq!(answer(&pool, "print('x')\n2"), "2");
    // The runtime has something to say about this one, to nobody: it ends as it always did.
    let request = Request {
        source: "x = 'a' * (1 << 40)\nx".to_owned(),
        modules: Vec::new(),
        inputs: serde_json::Map::new(),
        limits: Limits { memory: 1 << 20, ..Limits::default() },
    };
    let outcome = pool.run(&request, None).unwrap();
    assert_eq!(outcome.exit.as_str(), "memory_limit");
    assert!(!format!("{outcome:?}").contains("hello"));
}
