//! The one place that reads the clock. Everything else is told the time.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use call::{Clock, Moment};

/// The clock of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        // A clock before 1970 or past the year 9999 is broken. The start of 1970 then makes every
        // document one of the future, so nothing is accepted by a machine without the time.
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment::since_epoch(elapsed).unwrap_or_else(epoch)
    }
}

impl SystemClock {
    /// A point for measuring how long something takes; it has nothing to do with the date.
    pub(crate) fn tick(self) -> Instant {
        Instant::now()
    }

    /// How long ago this time of a file was; nothing for one that lies in the future.
    pub(crate) fn since(self, seconds: i64, nanoseconds: u64) -> Option<Duration> {
        let after_epoch = Duration::new(u64::try_from(seconds).ok()?, u32::try_from(nanoseconds).ok()?);
        let moment = UNIX_EPOCH.checked_add(after_epoch)?;
        SystemTime::now().duration_since(moment).ok()
    }
}

#[expect(clippy::expect_used, reason = "the first second of 1970 is a real moment")]
fn epoch() -> Moment {
    Moment::from_civil((1970, 1, 1), (0, 0, 0)).expect("a real date")
}
