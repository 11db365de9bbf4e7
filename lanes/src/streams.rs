//! What a program writes, read as it comes and never kept beyond its limit.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

/// One stream of a program.
pub(crate) struct Stream {
    /// Nothing when the program closed it.
    from: Option<OwnedFd>,
    kept: Vec<u8>,
    limit: u64,
    /// More came than is kept.
    pub(crate) overflowed: bool,
}

impl Stream {
    /// A stream, and the end that the program writes to.
    pub(crate) fn new(limit: u64) -> rustix::io::Result<(Self, OwnedFd)> {
        let (from, to) = pipe_with(PipeFlags::CLOEXEC)?;
        // Only our end: the program must wait where we do not read, and not get an error.
        rustix::fs::fcntl_setfl(&from, rustix::fs::OFlags::NONBLOCK)?;
        Ok((Self { from: Some(from), kept: Vec::new(), limit, overflowed: false }, to))
    }

    pub(crate) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.from.as_ref().map(AsFd::as_fd)
    }

    /// Reads what is there. The pipe holds back a program that writes faster than this is called.
    pub(crate) fn read(&mut self) {
        let mut bytes = [0; 65_536];
        while let Some(from) = &self.from {
            match rustix::io::read(from, &mut bytes) {
                Ok(0) => self.from = None,
                Ok(count) => {
                    let room = self.limit.saturating_sub(self.kept.len() as u64);
                    let room = usize::try_from(room).unwrap_or(usize::MAX);
                    self.kept.extend(bytes.iter().take(count.min(room)));
                    if count > room {
                        self.overflowed = true;
                        self.from = None;
                    }
                    if count < bytes.len() {
                        return;
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return,
                Err(_) => self.from = None,
            }
        }
    }

    pub(crate) fn into_kept(self) -> Vec<u8> {
        self.kept
    }
}
