//! How long a call may still take.
#![expect(clippy::disallowed_methods, reason = "a limit of time is kept by a clock that nobody sets")]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use call::{Errand, Fault};

/// Says when a call is to stop: somebody does not want it any more, or its time is up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience<'a> {
    cancelled: Option<&'a AtomicBool>,
    until: Option<(Instant, u32)>,
}

impl<'a> Patience<'a> {
    /// That of an errand, from now on.
    pub(crate) fn of(errand: &Errand<'a>) -> Self {
        let seconds = errand.walls.max_runtime_seconds;
        let until = seconds.and_then(|seconds| {
            let end = Instant::now().checked_add(Duration::from_secs(seconds.into()))?;
            Some((end, seconds))
        });
        Self { cancelled: Some(errand.cancelled), until }
    }

    /// No end to it: for what is looked at before anybody is asked.
    pub(crate) const fn endless() -> Self {
        Self { cancelled: None, until: None }
    }

    /// Asked in every loop.
    pub(crate) fn check(&self) -> Result<(), Fault> {
        if self.cancelled.is_some_and(|cancelled| cancelled.load(Ordering::Relaxed)) {
            return Err(Fault::Cancelled);
        }
        match self.until {
            Some((end, seconds)) if Instant::now() >= end => Err(Fault::TimedOut {
                message: format!("the call took longer than the {seconds} seconds that it may take"),
            }),
            _ => Ok(()),
        }
    }
}
