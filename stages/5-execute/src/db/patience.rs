//! How long a statement may take, and whether anybody still wants it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use call::{Errand, Fault};

/// Seconds that a statement may take where policy says nothing.
const USUAL: u64 = 30;

/// How long to wait for whoever else holds a lock.
const FOR_LOCKS: Duration = Duration::from_secs(5);

pub(super) struct Patience<'a> {
    seconds: u64,
    end: Instant,
    cancelled: &'a AtomicBool,
}

impl<'a> Patience<'a> {
    /// From now on.
    pub(super) fn new(errand: &Errand<'a>) -> Self {
        // A day is as good as for ever here, and keeps sums of moments within their range.
        let seconds = errand.walls.max_runtime_seconds.map_or(USUAL, u64::from).min(86_400);
        Self { seconds, end: Instant::now() + Duration::from_secs(seconds), cancelled: errand.cancelled }
    }

    pub(super) fn end(&self) -> Instant {
        self.end
    }

    pub(super) fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// At most until the end.
    pub(super) fn for_locks(&self) -> Duration {
        FOR_LOCKS.min(self.left())
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Whether it is over, and why.
    ///
    /// # Errors
    /// When it is.
    pub(super) fn check(&self) -> Result<(), Fault> {
        if self.is_cancelled() {
            return Err(Fault::Cancelled);
        }
        if self.left().is_zero() { Err(self.timed_out()) } else { Ok(()) }
    }

    pub(super) fn timed_out(&self) -> Fault {
        let unit = if self.seconds == 1 { "second" } else { "seconds" };
        Fault::TimedOut { message: format!("the statement took longer than {} {unit}", self.seconds) }
    }
}

/// Whoever else holds the database.
pub(super) fn locked() -> Fault {
    Fault::Failed {
        class: "database_locked",
        message: "another program holds the database or the rows for longer than the gate waits".to_owned(),
        remedy: Some("try again when it is done".to_owned()),
    }
}
