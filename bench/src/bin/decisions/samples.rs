//! Times of one thing that was done many times.

use std::time::{Duration, Instant};

/// Times, in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(Vec<Duration>);

impl Samples {
    pub(crate) fn push(&mut self, time: Duration) {
        self.0.push(time);
    }

    pub(crate) fn extend(&mut self, times: impl IntoIterator<Item = Duration>) {
        self.0.extend(times);
    }

    /// Half of the times are no longer, in microseconds.
    pub(crate) fn p50(&self) -> f64 {
        self.percentile(50)
    }

    /// 99 of 100 times are no longer, in microseconds.
    pub(crate) fn p99(&self) -> f64 {
        self.percentile(99)
    }

    /// The shortest time, in microseconds.
    pub(crate) fn least(&self) -> f64 {
        self.percentile(0)
    }

    fn percentile(&self, percent: usize) -> f64 {
        let mut times = self.0.clone();
        times.sort_unstable();
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default().as_secs_f64() * 1e6
    }
}

/// Does something again and again for so long, and at least three times.
pub(crate) fn repeat<T>(long: Duration, mut work: impl FnMut() -> T) -> Samples {
    let mut samples = Samples::default();
    let begin = Instant::now();
    while begin.elapsed() < long || samples.0.len() < 3 {
        let start = Instant::now();
        std::hint::black_box(work());
        samples.push(start.elapsed());
    }
    samples
}
