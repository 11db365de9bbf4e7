//! What the ledger does by itself: one durable append, and as many a second as many callers get.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use call::{CallId, Moment};
use record::store::{RunId, SqliteStore};
use record::{Event, Ledger, Settings, SigningKey};
use tempfile::TempDir;

use crate::calls;
use crate::wire::Connection;

/// What is appended at once.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Told {
    /// One event.
    Event,
    /// All that there is to say about a call.
    Call,
}

/// A ledger of its own, on the same disk as the gate's.
pub(crate) struct Appends {
    ledger: Ledger,
    event: Event,
    now: Moment,
    /// Calls that it was told about.
    calls: AtomicU64,
    _folder: TempDir,
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Appends {
    pub(crate) fn new() -> Result<Self, String> {
        let folder = TempDir::new().map_err(told)?;
        SqliteStore::create(folder.path()).map_err(told)?;
        let now = Moment::from_civil((2026, 3, 1), (12, 0, 0)).ok_or("no date")?;
        let run = RunId(CallId::new(now, [1; 10]));
        let store = SqliteStore::open(folder.path(), Some(run)).map_err(told)?;
        let key = SigningKey::new("example.org/bench", [7; 32]).map_err(told)?;
        let settings = Settings { checkpoint_every: u64::MAX };
        let ledger =
            Ledger::start(Box::new(store), key, Box::new(|_| false), run, settings, now).map_err(told)?;
        let event = Event::CheckpointWitnessed { witness: "0".repeat(370), size: 1, root: String::new() };
        Ok(Self { ledger, event, now, calls: AtomicU64::new(0), _folder: folder })
    }

    /// Appends all that there is to say about one more call.
    pub(crate) fn tell_call(&self) -> Result<(), String> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let events = calls::events(self.now, number).ok_or("no events")?;
        self.ledger.append_all(&events, self.now).map(drop).map_err(told)
    }

    /// Appends a second, by so many callers.
    pub(crate) fn rate(&self, callers: usize, each: Duration, what: Told) -> Result<f64, String> {
        let written = AtomicU64::new(0);
        let begun = Instant::now();
        let until = begun + each;
        std::thread::scope(|scope| {
            let work = || {
                while Instant::now() < until {
                    match what {
                        Told::Event => self.ledger.append(&self.event, self.now).map(drop).map_err(told)?,
                        Told::Call => self.tell_call()?,
                    }
                    written.fetch_add(1, Ordering::Relaxed);
                }
                Ok::<(), String>(())
            };
            let workers: Vec<_> = (0..callers).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|one| one.join().map_err(|_| "a caller panicked".to_owned())?)
        })?;
        Ok(written.into_inner() as f64 / begun.elapsed().as_secs_f64())
    }
}

/// One durable append is a turn too, between the calls: a disk is not as fast at one moment as at another.
impl Connection for Appends {
    fn call(&mut self) -> Result<(), String> {
        self.ledger.append(&self.event, self.now).map(drop).map_err(told)
    }
}
