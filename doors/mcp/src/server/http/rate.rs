//! How many requests a token may make: so many at once, and so many a second in the long run.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Rate {
    per_second: f64,
    burst: f64,
    left: Mutex<HashMap<String, Left>>,
}

#[derive(Clone, Copy, Debug)]
struct Left {
    requests: f64,
    at: Instant,
}

impl Rate {
    pub(crate) fn new(per_second: u32, burst: u32) -> Self {
        Self::of(f64::from(per_second.max(1)), burst.max(1))
    }

    /// With less than one a second in the long run.
    pub(crate) fn of(per_second: f64, burst: u32) -> Self {
        Self { per_second, burst: f64::from(burst), left: Mutex::new(HashMap::new()) }
    }

    /// Counts a request; or says how long to wait before the next.
    pub(crate) fn take(&self, token: &str, now: Instant) -> Result<(), Duration> {
        let mut all = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let left = all.entry(token.to_owned()).or_insert(Left { requests: self.burst, at: now });
        let passed = now.saturating_duration_since(left.at).as_secs_f64();
        left.requests = (left.requests + passed * self.per_second).min(self.burst);
        left.at = now;
        if left.requests < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - left.requests) / self.per_second));
        }
        left.requests -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Rate;

    #[test]
    fn a_flood_of_one_token_does_not_count_for_another() {
        let rate = Rate::new(10, 2);
        let now = Instant::now();
        assert!(rate.take("a", now).is_ok());
        assert!(rate.take("a", now).is_ok());
        assert_eq!(rate.take("a", now), Err(Duration::from_millis(100)));
        assert!(rate.take("b", now).is_ok());
        assert!(rate.take("a", now + Duration::from_millis(101)).is_ok());
    }
}
