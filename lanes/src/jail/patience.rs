//! How long the gate waits for its own helper.
//!
//! The helper stands still whenever the gate does: when the machine is suspended, or somebody stops them
//! both. So only time counts in which the gate was awake to look. The time of a program is another matter:
//! that is by the clock, whoever stood still.

use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use rustix::io::Errno;

/// Time that is left, of which nobody loses more than a [`STRIDE`] at once.
#[derive(Debug)]
pub(super) struct Patience {
    left: Duration,
    looked: Instant,
}

/// How long the helper may take to put up everything, and to take it down.
const LONG: Duration = Duration::from_secs(20);

/// Whoever looks does so more often than this, unless it stood still.
const STRIDE: Duration = Duration::from_secs(1);

/// How often somebody looks who has nothing else to do.
const LOOK: Duration = Duration::from_millis(200);

impl Patience {
    pub(super) fn new() -> Self {
        Self { left: LONG, looked: Instant::now() }
    }

    /// What is left of it.
    pub(super) fn left(&mut self) -> Duration {
        let now = Instant::now();
        let gone = now.saturating_duration_since(self.looked).min(STRIDE);
        self.looked = now;
        self.left = self.left.saturating_sub(gone);
        self.left
    }

    /// Waits until a descriptor has something, but not longer than it lasts.
    pub(super) fn wait_for(&mut self, fd: impl AsFd, what: PollFlags) -> Result<(), String> {
        loop {
            let left = self.left();
            let most = Timespec::try_from(left.min(LOOK)).map_err(|error| error.to_string())?;
            let mut fds = [PollFd::new(&fd, what)];
            match poll(&mut fds, Some(&most)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.to_string()),
            }
            if fds.iter().any(|fd| fd.revents().intersects(what)) {
                return Ok(());
            }
            if left.is_zero() {
                return Err("the helper did not come to an end".to_owned());
            }
        }
    }
}
