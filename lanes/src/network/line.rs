//! A connection, whatever kind of socket it is.

use std::io;
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{RecvFlags, SendFlags, Shutdown, recv, send, shutdown};

/// A connection that is read and written by turns: nobody waits longer than a [`TICK`] at once.
#[derive(Debug)]
pub(super) struct Line(OwnedFd);

/// How often somebody who waits looks whether the run is over.
pub(super) const TICK: Duration = Duration::from_millis(50);

/// How long whoever is sent something may take none of it. A program that thinks about what it got is not
/// cut off; one that never comes back does not hold a connection for ever.
const STANDSTILL: Duration = Duration::from_secs(300);

impl Line {
    fn new(socket: OwnedFd) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&socket, false)?;
        for way in [Timeout::Recv, Timeout::Send] {
            set_socket_timeout(&socket, way, Some(TICK))?;
        }
        Ok(Self(socket))
    }

    /// Reads what is there; nothing when nothing came for a while.
    pub(super) fn read(&self, into: &mut [u8]) -> io::Result<Option<usize>> {
        match recv(&self.0, into, RecvFlags::empty()) {
            Ok((count, _)) => Ok(Some(count)),
            Err(Errno::AGAIN | Errno::INTR) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes all of it, unless nobody takes it or `over` says that there is no need any more.
    pub(super) fn write(&self, mut bytes: &[u8], over: impl Fn() -> bool) -> io::Result<()> {
        let mut moved = Instant::now();
        while !bytes.is_empty() {
            match send(&self.0, bytes, SendFlags::NOSIGNAL) {
                Ok(count) => {
                    bytes = bytes.get(count..).unwrap_or_default();
                    moved = Instant::now();
                }
                Err(Errno::AGAIN | Errno::INTR) if !over() && moved.elapsed() < STANDSTILL => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Says that nothing more is written.
    pub(super) fn end(&self) {
        // Where the other side is gone, it does not need to be told.
        let _ = shutdown(&self.0, Shutdown::Write);
    }

    /// Ends it in both directions.
    pub(super) fn cut(&self) {
        let _ = shutdown(&self.0, Shutdown::Both);
    }
}

impl TryFrom<TcpStream> for Line {
    type Error = io::Error;

    fn try_from(stream: TcpStream) -> io::Result<Self> {
        Self::new(stream.into())
    }
}

impl TryFrom<UnixStream> for Line {
    type Error = io::Error;

    fn try_from(stream: UnixStream) -> io::Result<Self> {
        Self::new(stream.into())
    }
}
