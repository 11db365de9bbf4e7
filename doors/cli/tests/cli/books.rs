//! Homes with something on record, and ways to tamper with it.

use std::fs;
use std::path::PathBuf;

use call::{CallId, Moment};
use record::store::{RunId, SqliteStore};
use record::{Event, Ledger, Settings, SigningKey};
use verify::key::VerifierKey;

use crate::door::Door;

/// A home with calls of every kind: denied, not a call, allowed and failed, and one that waits.
pub(crate) fn with_calls() -> Door {
    let door = Door::new();
    assert_eq!(door.run(&["init"]).code, Some(0));
    let calls = [
        ("read_file", r#"{"path": ".env"}"#, 2),
        ("read_file", r#"{"path": "#, 2),
        ("read_file", r#"{"path": "missing.txt"}"#, 1),
        ("exec_sandbox", r#"{"language": "node", "code": "1 + 1"}"#, 4),
    ];
    for (tool, arguments, code) in calls {
        call(&door, tool, arguments, code);
    }
    door
}

#[track_caller]
pub(crate) fn call(door: &Door, tool: &str, arguments: &str, code: i32) {
    let purpose = "look\u{2028}at it";
    let ran = door.run(&["call", tool, "--purpose", purpose, "--args", arguments, "--session", "s1"]);
    assert_eq!(ran.code, Some(code), "{}", ran.all());
}

/// Writes one more event for each of these moments.
pub(crate) fn fill(door: &Door, moments: impl IntoIterator<Item = Moment>) {
    let run = RunId(CallId::new(moment("2026-02-09T00:00:00Z"), [9; 10]));
    let store = SqliteStore::open(&door.path(".toolgate/ledger"), Some(run)).unwrap();
    let key = SigningKey::parse(&door.read(".toolgate/ledger/key")).unwrap();
    let now = moment("2026-02-09T00:00:00Z");
    let ledger =
        Ledger::start(Box::new(store), key, Box::new(|_| false), run, Settings::default(), now).unwrap();
    for at in moments {
        let event = Event::GateStarted { version: "of a test".to_owned(), policy: None };
        ledger.append(&event, at).unwrap();
    }
}

pub(crate) fn moment(text: &str) -> Moment {
    text.parse().unwrap()
}

/// The key that outsiders check by.
pub(crate) fn key(door: &Door) -> VerifierKey {
    door.run(&["ledger", "key"]).stdout.trim().parse().unwrap()
}

/// The ledger as it is now, so that it can be put back.
pub(crate) struct Backup(Vec<(PathBuf, Option<Vec<u8>>)>);

impl Backup {
    pub(crate) fn of(door: &Door) -> Self {
        let names = ["ledger.db", "ledger.db-wal", "ledger.db-shm"];
        let paths = names.map(|name| door.path(&format!(".toolgate/ledger/{name}")));
        Self(paths.into_iter().map(|path| (path.clone(), fs::read(path).ok())).collect())
    }

    /// What whoever owns the machine can always do.
    pub(crate) fn put_back(&self) {
        for (path, content) in &self.0 {
            match content {
                Some(content) => fs::write(path, content).unwrap(),
                None => drop(fs::remove_file(path)),
            }
        }
    }
}
