//! The process of a machine that carries connections over the wire to the gate.
//!
//! Where a job lists hosts, the first process inside the jail gave its listening socket out, as it does to
//! the gate elsewhere. Here nobody has a network: what connects to that socket goes over a port of the
//! machine, and the gate's own proxy is at its other end.

use super::port;
use crate::sys::{self, Fd};
use crate::wire::{Local, Moved, ROOM, STREAMS, Side, Tunnel};

/// Bytes that are read from the wire at once.
const PART: usize = 32 * 1024;

/// Starts it. It ends when it is ended, or nobody is at the other end of the wire.
///
/// # Errors
/// When there is no wire, or no process.
pub(super) fn start(listener: Fd) -> sys::Result<i32> {
    /// Where it has its two descriptors; it has no others but the streams that everybody has.
    const LISTENER: Fd = 100;
    const WIRE: Fd = 101;
    let wire = port::wait_for(c"/dev/vport0p2", sys::O_RDWR | sys::O_NONBLOCK)?;
    match sys::fork(0)? {
        None => {
            let _ = sys::duplicate(listener, LISTENER, 0);
            let _ = sys::duplicate(wire, WIRE, 0);
            let _ = sys::close_range(3, LISTENER - 1);
            let _ = sys::close_from(WIRE + 1);
            let _ = carry(LISTENER, WIRE);
            sys::exit(0)
        }
        Some(process) => {
            [listener, wire].into_iter().for_each(sys::close);
            Ok(process)
        }
    }
}

/// A connection of a program.
struct Near(Fd);

impl Local for Near {
    fn read(&mut self, into: &mut [u8]) -> Moved {
        moved(sys::read(self.0, into))
    }

    fn write(&mut self, bytes: &[u8]) -> Moved {
        moved(sys::send(self.0, bytes))
    }

    fn end(&mut self) {
        sys::end_sending(self.0);
    }
}

impl Drop for Near {
    fn drop(&mut self) {
        sys::close(self.0);
    }
}

fn moved(count: sys::Result<usize>) -> Moved {
    match count {
        Ok(0) => Moved::Over,
        Ok(count) => Moved::Bytes(count),
        Err(sys::EAGAIN | sys::EINTR) => Moved::Later,
        Err(_) => Moved::Lost,
    }
}

fn carry(listener: Fd, wire: Fd) -> sys::Result<()> {
    sys::hurry(listener)?;
    let mut tunnel: Tunnel<'_, Near> = Tunnel::new(Side::Machine, sys::memory(ROOM)?).ok_or(sys::EINVAL)?;
    let mut part = [0; PART];
    let mut turn = 0;
    loop {
        let says = !tunnel.outgoing().is_empty();
        // By turns, so that nobody is always the first.
        turn = (turn + 1) % STREAMS;
        let mut waiting = [(-1, 0); STREAMS + 2];
        let wire_for = if says { sys::POLLIN | sys::POLLOUT } else { sys::POLLIN };
        let new = (if tunnel.has_room() { listener } else { -1 }, sys::POLLIN);
        for (place, slot) in waiting.iter_mut().enumerate() {
            *slot = match place.checked_sub(2).map(|place| tunnel.interest((place + turn) % STREAMS)) {
                None if place == 0 => (wire, wire_for),
                None => new,
                Some(None) => (-1, 0),
                Some(Some((near, reads, writes))) => {
                    let (reads, writes) = (i16::from(reads) * sys::POLLIN, i16::from(writes) * sys::POLLOUT);
                    (near.0, reads | writes)
                }
            };
        }
        let seen = match sys::poll_for(waiting, None) {
            Err(sys::EINTR) => continue,
            seen => seen?,
        };
        let [heard, new, ref streams @ ..] = seen;
        if heard & sys::POLLIN != 0 {
            match sys::read(wire, &mut part) {
                Ok(0) => return Ok(()),
                Ok(count) => {
                    let came = part.get(..count).unwrap_or_default();
                    tunnel.take(came, &mut || None).map_err(|_| sys::EINVAL)?;
                }
                Err(sys::EAGAIN | sys::EINTR) => {}
                Err(error) => return Err(error),
            }
        } else if heard & sys::POLL_GONE != 0 {
            return Ok(());
        }
        for (place, seen) in streams.iter().enumerate().filter(|(_, seen)| **seen != 0) {
            let [reads, writes, gone] =
                [sys::POLLIN, sys::POLLOUT, sys::POLL_GONE].map(|what| seen & what != 0);
            tunnel.ready((place + turn) % STREAMS, reads, writes, gone);
        }
        if new != 0
            && let Ok(connection) = sys::accept(listener)
        {
            tunnel.add(Near(connection));
        }
        let outgoing = tunnel.outgoing();
        if !outgoing.is_empty() {
            match sys::write(wire, outgoing) {
                Ok(count) => tunnel.sent(count),
                Err(sys::EAGAIN | sys::EINTR) => {}
                Err(error) => return Err(error),
            }
        }
    }
}
