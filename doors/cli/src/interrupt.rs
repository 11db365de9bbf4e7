//! SIGINT and SIGTERM, as something that can be waited for.

use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGINT, SIGTERM};

/// Set once somebody asks us to end, for work that looks at it now and then. Whoever asks a second time does
/// not want to wait for that.
pub(crate) fn cancelled() -> &'static AtomicBool {
    static CANCELLED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    CANCELLED.get_or_init(|| {
        let came = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // Where a signal cannot be taken over, it ends the program as it always did.
            let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&came));
            let _ = signal_hook::flag::register(signal, Arc::clone(&came));
        }
        came
    })
}

/// Whether somebody asked us to end.
#[derive(Debug)]
pub(crate) struct Interrupt {
    came: Arc<AtomicBool>,
    wake: UnixStream,
}

impl Interrupt {
    /// Takes over both signals for the rest of the program.
    pub(crate) fn listen() -> io::Result<Self> {
        let came = Arc::new(AtomicBool::new(false));
        let (wake, sender) = UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&came))?;
            signal_hook::low_level::pipe::register(signal, sender.try_clone()?)?;
        }
        Ok(Self { came, wake })
    }

    /// Whether somebody asked us to end.
    pub(crate) fn came(&self) -> bool {
        self.came.load(Ordering::Relaxed)
    }

    /// Waits for a signal or for so long; whether somebody asked us to end.
    pub(crate) fn came_within(&self, time: Duration) -> bool {
        // A wait that fails is over at once, and is no reason to go on for ever.
        self.came() || self.wait(None, Some(time)).is_err() || self.came()
    }

    /// Waits for something to read from the other, for a signal, or for so long.
    pub(crate) fn wait(&self, other: Option<BorrowedFd<'_>>, timeout: Option<Duration>) -> io::Result<()> {
        let timeout = timeout.and_then(|time| Timespec::try_from(time).ok());
        let readable = PollFlags::IN;
        let mut all = vec![PollFd::from_borrowed_fd(self.wake.as_fd(), readable)];
        all.extend(other.map(|other| PollFd::from_borrowed_fd(other, readable)));
        match poll(&mut all, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }
}
