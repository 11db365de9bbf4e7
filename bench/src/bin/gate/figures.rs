//! Many figures of the same thing, and the one in their middle.

use std::time::{Duration, Instant};

/// Figures of the same thing.
#[derive(Default)]
pub(crate) struct Figures(Vec<f64>);

impl Figures {
    pub(crate) fn push(&mut self, figure: f64) {
        self.0.push(figure);
    }

    pub(crate) fn push_microseconds(&mut self, time: Duration) {
        self.push(time.as_secs_f64() * 1e6);
    }

    pub(crate) fn median(&self) -> f64 {
        self.at(0.5)
    }

    /// The figure that so large a part of them does not exceed.
    pub(crate) fn at(&self, part: f64) -> f64 {
        let mut figures = self.0.clone();
        figures.sort_by(f64::total_cmp);
        let place = (figures.len() as f64 * part) as usize;
        figures.get(place.min(figures.len().saturating_sub(1))).copied().unwrap_or_default()
    }
}

/// What it gives, and how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> Result<T, String>) -> Result<(T, Duration), String> {
    let start = Instant::now();
    let done = work()?;
    Ok((done, start.elapsed()))
}
