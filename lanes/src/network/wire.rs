//! The gate's end of the wire to a machine of its own.
//!
//! Each stream of the wire becomes a connection to the proxy of the run, as if the program had connected to
//! its socket. What comes over the wire is read as an attacker's: the tunnel holds every frame against what
//! can be, and a wire on which something else came is closed for good.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;

use helper::wire::{Local, Moved, ROOM, STREAMS, Side, Tunnel};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};

use super::line::{Line, TICK};

/// The gate's end of a connection to the proxy.
#[derive(Debug)]
struct Near(UnixStream);

impl Local for Near {
    fn read(&mut self, into: &mut [u8]) -> Moved {
        moved(self.0.read(into))
    }

    fn write(&mut self, bytes: &[u8]) -> Moved {
        moved(self.0.write(bytes))
    }

    fn end(&mut self) {
        // Where the proxy is gone, it does not need to be told.
        let _ = self.0.shutdown(Shutdown::Write);
    }
}

fn moved(count: std::io::Result<usize>) -> Moved {
    match count {
        Ok(0) => Moved::Over,
        Ok(count) => Moved::Bytes(count),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Moved::Later,
        Err(_) => Moved::Lost,
    }
}

/// Bytes that are read from the wire at once.
const PART: usize = 64 * 1024;

/// Carries connections until the wire ends or `over` says so. `serve` takes one to the proxy; not where there
/// is no room for it.
///
/// # Errors
/// When something came that cannot be.
pub(super) fn carry(
    wire: &OwnedFd,
    over: impl Fn() -> bool,
    mut serve: impl FnMut(Line) -> bool,
) -> Result<(), &'static str> {
    let broken = |_| "the wire cannot be read";
    rustix::io::ioctl_fionbio(wire, true).map_err(broken)?;
    let mut room = vec![0; ROOM];
    let mut tunnel = Tunnel::new(Side::Gate, &mut room).ok_or("there is no room for streams")?;
    let mut part = vec![0; PART];
    let tick = Timespec::try_from(TICK).map_err(|_| "there is no clock")?;
    let mut connect = || {
        let (near, far) = UnixStream::pair().ok()?;
        near.set_nonblocking(true).ok()?;
        serve(Line::try_from(far).ok()?).then_some(Near(near))
    };
    let mut turn = 0;
    while !over() {
        let says = !tunnel.outgoing().is_empty();
        // By turns, so that nobody is always the first.
        turn = (turn + 1) % STREAMS;
        let order = (turn..STREAMS).chain(0..turn);
        let (ready, heard) = {
            let wanted = PollFlags::IN | if says { PollFlags::OUT } else { PollFlags::empty() };
            let mut waiting = vec![PollFd::new(wire, wanted)];
            let mut streams = Vec::with_capacity(STREAMS);
            for stream in order {
                if let Some((Near(near), reads, writes)) = tunnel.interest(stream) {
                    let reads = if reads { PollFlags::IN } else { PollFlags::empty() };
                    let writes = if writes { PollFlags::OUT } else { PollFlags::empty() };
                    waiting.push(PollFd::from_borrowed_fd(near.as_fd(), reads | writes));
                    streams.push(stream);
                }
            }
            match poll(&mut waiting, Some(&tick)) {
                Ok(0) | Err(Errno::INTR) => continue,
                Ok(_) => {}
                Err(_) => return Err("the wire cannot be waited for"),
            }
            let mut seen = waiting.iter().map(PollFd::revents);
            let heard = seen.next().unwrap_or(PollFlags::empty());
            (streams.into_iter().zip(seen).collect::<Vec<_>>(), heard)
        };
        if heard.intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR) {
            match recv(wire, part.as_mut_slice(), RecvFlags::empty()) {
                // QEMU is gone, and the run is over.
                Ok((0, _)) => return Ok(()),
                Ok((count, _)) => tunnel.take(part.get(..count).unwrap_or_default(), &mut connect)?,
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => return Ok(()),
            }
        }
        for (stream, seen) in ready {
            let gone = seen.intersects(PollFlags::HUP | PollFlags::ERR);
            tunnel.ready(stream, seen.contains(PollFlags::IN), seen.contains(PollFlags::OUT), gone);
        }
        let outgoing = tunnel.outgoing();
        if !outgoing.is_empty() {
            match send(wire, outgoing, SendFlags::NOSIGNAL) {
                Ok(count) => tunnel.sent(count),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => return Ok(()),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
