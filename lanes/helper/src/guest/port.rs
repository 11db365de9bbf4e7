//! The port to the gate: a wire on which this machine only speaks.

use core::ffi::CStr;

use crate::answer::HEAD;
use crate::sys::{self, EINVAL, Fd};

/// The port, and what could not be said yet.
pub(super) struct Port(Fd);

/// Tries to open it, and milliseconds between two of them: the kernel needs a moment to find it.
const TRIES: usize = 2_000;
const PAUSE: u64 = 5;

/// Waits until a port is there, and opens it.
///
/// # Errors
/// When it does not come.
pub(super) fn wait_for(name: &CStr, flags: usize) -> sys::Result<Fd> {
    for _ in 0..TRIES {
        if let Ok(port) = sys::open(name, flags, 0) {
            return Ok(port);
        }
        let _ = sys::poll_within([], Some(PAUSE));
    }
    Err(EINVAL)
}

impl Port {
    /// Waits until it is there.
    ///
    /// # Errors
    /// When it does not come.
    pub(super) fn open() -> sys::Result<Self> {
        wait_for(c"/dev/vport0p1", sys::O_WRONLY).map(Self)
    }

    /// Says a frame of these parts, one behind the other.
    ///
    /// # Errors
    /// When the gate does not listen.
    pub(super) fn frame(&mut self, kind: u32, parts: &[&[u8]]) -> sys::Result<()> {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let mut head = [0; HEAD];
        let kind = kind.to_le_bytes();
        let length = (length as u64).to_le_bytes();
        for (to, from) in head.iter_mut().zip(kind.iter().chain(&length)) {
            *to = *from;
        }
        self.say(&head)?;
        parts.iter().try_for_each(|part| self.say(part))
    }

    /// Says plain bytes.
    ///
    /// # Errors
    /// When the gate does not listen.
    pub(super) fn say(&mut self, mut bytes: &[u8]) -> sys::Result<()> {
        while !bytes.is_empty() {
            match sys::write(self.0, bytes) {
                Ok(0) => return Err(EINVAL),
                Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
                Err(sys::EINTR) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
