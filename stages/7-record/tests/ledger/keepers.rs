//! Both stores behind one name, and ways to tamper with what they keep.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;

use call::{CallId, Moment};
use kit::database::Server;
use record::store::{PostgresStore, RunId, SqliteStore, Store, StoreError};
use record::{Audited, Known, Ledger, Settings, SigningKey, audit};
use tempfile::TempDir;
use verify::checkpoint::Checkpoint;

/// A ledger on one of the stores.
pub(crate) enum Keeper {
    Sqlite(TempDir),
    Postgres { _server: Rc<Server>, url: String },
}

/// Makes ledgers on both stores, with one server for all of them.
pub(crate) struct Stores {
    server: Rc<Server>,
    made: Cell<u32>,
}

impl Stores {
    pub(crate) fn start() -> Self {
        Self { server: Rc::new(Server::start_durable()), made: Cell::new(0) }
    }

    pub(crate) fn server(&self) -> &Server {
        &self.server
    }

    pub(crate) fn postgres(&self) -> Keeper {
        let number = self.made.replace(self.made.get() + 1);
        let url = self.server.database(&format!("ledger{number}"));
        PostgresStore::create(&url).unwrap();
        Keeper::Postgres { _server: Rc::clone(&self.server), url }
    }

    /// A new ledger on each of the stores.
    pub(crate) fn both(&self) -> [Keeper; 2] {
        [sqlite(), self.postgres()]
    }
}

pub(crate) fn sqlite() -> Keeper {
    let folder = TempDir::new().unwrap();
    SqliteStore::create(folder.path()).unwrap();
    Keeper::Sqlite(folder)
}

/// A new ledger on each of the stores.
pub(crate) fn both() -> [Keeper; 2] {
    Stores::start().both()
}

pub(crate) fn now() -> Moment {
    "2026-03-01T12:00:00Z".parse().unwrap()
}

/// A run that no other test has.
pub(crate) fn run(number: u8) -> RunId {
    RunId(CallId::new(now(), [number; 10]))
}

pub(crate) fn key() -> SigningKey {
    SigningKey::new("example.org/ledger", [7; 32]).unwrap()
}

impl Keeper {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "SQLite",
            Self::Postgres { .. } => "PostgreSQL",
        }
    }

    /// How another process finds it.
    pub(crate) fn address(&self) -> String {
        match self {
            Self::Sqlite(folder) => folder.path().to_str().unwrap().to_owned(),
            Self::Postgres { url, .. } => url.clone(),
        }
    }

    pub(crate) fn open(&self, run: Option<RunId>) -> Box<dyn Store> {
        open(&self.address(), run)
    }

    pub(crate) fn try_open(&self, run: Option<RunId>) -> Result<Box<dyn Store>, StoreError> {
        try_open(&self.address(), run)
    }

    pub(crate) fn ledger(&self, number: u8) -> Ledger {
        ledger(self.open(Some(run(number))), number)
    }

    pub(crate) fn audit(&self, known: &[Known]) -> Audited {
        audit(&mut *self.open(None), key().public(), known, &mut |_, _| {}).unwrap()
    }

    /// The problems as lines, each with its place.
    pub(crate) fn problems(&self, known: &[Known]) -> Vec<String> {
        let problems = self.audit(known).problems;
        problems.into_iter().map(|problem| format!("{} {}", problem.place, problem.what)).collect()
    }

    /// Changes what is kept behind the back of the gate. `entries` and `open_calls` are the same tables
    /// in both stores.
    pub(crate) fn tamper(&self, sql: &str) {
        match self {
            Self::Sqlite(folder) => {
                let file = folder.path().join("ledger.db");
                rusqlite::Connection::open(file).unwrap().execute_batch(sql).unwrap();
            }
            Self::Postgres { url, .. } => {
                let mut client = postgres::Client::connect(url, postgres::NoTls).unwrap();
                client.batch_execute("SET search_path = toolgate_ledger").unwrap();
                client.batch_execute(sql).unwrap();
            }
        }
    }

    /// Sets the number of entries that the store goes by to what is there.
    pub(crate) fn settle_size(&self) {
        if let Self::Postgres { .. } = self {
            self.tamper("UPDATE log SET size = (SELECT coalesce(max(place) + 1, 0) FROM entries)");
        }
    }
}

pub(crate) fn open(address: &str, run: Option<RunId>) -> Box<dyn Store> {
    try_open(address, run).unwrap()
}

fn try_open(address: &str, run: Option<RunId>) -> Result<Box<dyn Store>, StoreError> {
    Ok(if Path::new(address).is_dir() {
        Box::new(SqliteStore::open(Path::new(address), run)?)
    } else {
        Box::new(PostgresStore::open(address, run)?)
    })
}

pub(crate) fn ledger(store: Box<dyn Store>, number: u8) -> Ledger {
    Ledger::start(store, key(), Box::new(|_| false), run(number), Settings::default(), now()).unwrap()
}

/// A checkpoint that somebody kept.
pub(crate) fn kept(note: &str) -> Known {
    let checkpoint: Checkpoint = verify::checkpoint::open(note.as_bytes(), key().public()).unwrap();
    Known { checkpoint, from: "a friend".to_owned() }
}
