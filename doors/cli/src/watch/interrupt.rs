//! SIGINT and SIGTERM, as something that can be waited for.

use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use signal_hook::consts::{SIGINT, SIGTERM};

use super::tree::Tree;

/// Whether somebody asked us to end.
#[derive(Debug)]
pub(super) struct Interrupt {
    came: Arc<AtomicBool>,
    wake: UnixStream,
}

impl Interrupt {
    /// Takes over both signals for the rest of the program.
    pub(super) fn listen() -> io::Result<Self> {
        let came = Arc::new(AtomicBool::new(false));
        let (wake, sender) = UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&came))?;
            signal_hook::low_level::pipe::register(signal, sender.try_clone()?)?;
        }
        Ok(Self { came, wake })
    }

    /// Whether somebody asked us to end.
    pub(super) fn came(&self) -> bool {
        self.came.load(Ordering::Relaxed)
    }

    /// Waits for news from the tree, for a signal, or for so long.
    pub(super) fn wait(&self, tree: &Tree, timeout: Option<Duration>) -> io::Result<()> {
        let timeout = timeout.and_then(|time| Timespec::try_from(time).ok());
        let readable = PollFlags::IN;
        let mut both = [PollFd::from_borrowed_fd(self.wake.as_fd(), readable), PollFd::new(tree, readable)];
        match poll(&mut both, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }
}
