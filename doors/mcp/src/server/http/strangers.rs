//! How many of those who may not come in are put on record.
//!
//! Anybody who reaches the listener can knock as often as they like, and what is on record stays. So of those
//! without a token a few are noted at once, and one a minute in the long run; each note says how many there
//! were since the last.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::rate::Rate;

/// Noted at once.
const AT_ONCE: u32 = 10;
/// Seconds until one more is.
const EVERY: u32 = 60;

#[derive(Debug)]
pub(crate) struct Strangers {
    rate: Rate,
    unnoted: AtomicU64,
}

impl Default for Strangers {
    fn default() -> Self {
        Self { rate: Rate::of(1.0 / f64::from(EVERY), AT_ONCE), unnoted: AtomicU64::new(0) }
    }
}

impl Strangers {
    /// Whether this one is noted; and how many were not since the last that was.
    pub(crate) fn note(&self, now: Instant) -> Option<u64> {
        match self.rate.take("", now) {
            Ok(()) => Some(self.unnoted.swap(0, Ordering::Relaxed)),
            Err(_) => {
                self.unnoted.fetch_add(1, Ordering::Relaxed);
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
}
