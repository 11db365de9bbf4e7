//! How many of those who may not come in are put on record.
//!
//! Anybody who reaches the listener can knock as often as they like, and what is on record stays. So of those
//! without a token who mean a call a few are noted at once, and one a minute in the long run; each note says how
//! many requests there were since the last. What they send is read more often, so that requests which are no
//! calls take no call's place.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::rate::Rate;

/// Noted at once.
const AT_ONCE: u32 = 10;
/// Seconds until one more is.
const EVERY: u32 = 60;
/// Read at once, and in each second.
const READ_AT_ONCE: u32 = 50;
const READ_A_SECOND: f64 = 10.0;

#[derive(Debug)]
pub(crate) struct Strangers {
    read: Rate,
    noted: Rate,
    unnoted: AtomicU64,
}

impl Default for Strangers {
    fn default() -> Self {
        Self {
            read: Rate::of(READ_A_SECOND, READ_AT_ONCE),
            noted: Rate::of(1.0 / f64::from(EVERY), AT_ONCE),
            unnoted: AtomicU64::new(0),
        }
    }
}

impl Strangers {
    /// Whether anything is read that this one sends. One that is not noted then must [pass](Self::pass).
    pub(crate) fn is_read(&self, now: Instant) -> bool {
        let read = self.read.take("", now).is_ok();
        if !read {
            self.pass();
        }
        read
    }

    /// One who is not put on record.
    pub(crate) fn pass(&self) {
        self.unnoted.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether one who means a call is noted; and how many were not since the last that was.
    pub(crate) fn note(&self, now: Instant) -> Option<u64> {
        match self.noted.take("", now) {
            Ok(()) => Some(self.unnoted.swap(0, Ordering::Relaxed)),
            Err(_) => {
                self.pass();
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Strangers;

    #[test]
    fn of_a_flood_few_are_noted_and_all_are_counted() {
        let (strangers, now) = (Strangers::default(), Instant::now());
        let noted = (0..1_000).filter(|_| strangers.note(now).is_some()).count();
        assert_eq!(noted, 10);
        assert_eq!(strangers.note(now + Duration::from_secs(61)), Some(990));
        assert_eq!(strangers.note(now + Duration::from_secs(61)), None);
    }

    #[test]
    fn requests_that_are_no_calls_take_no_place_and_are_counted() {
        let (strangers, now) = (Strangers::default(), Instant::now());
        let read = (0..1_000).filter(|_| strangers.is_read(now)).inspect(|_| strangers.pass()).count();
        assert_eq!(read, 50);
        assert_eq!(strangers.note(now), Some(1_000));
        assert!(strangers.is_read(now + Duration::from_secs(1)));
    }
}
