//! Bytes that nobody can guess, from the system.

use rustix::rand::{GetRandomFlags, getrandom};

/// The system has no chance to give.
#[derive(Debug, thiserror::Error)]
#[error("the system gives no random bytes: {0}")]
pub(crate) struct NoChance(rustix::io::Errno);

/// So many bytes.
pub(crate) fn chance<const COUNT: usize>() -> Result<[u8; COUNT], NoChance> {
    let mut bytes = [0; COUNT];
    let mut filled = 0;
    while filled < COUNT {
        let rest = bytes.get_mut(filled..).unwrap_or_default();
        match getrandom(rest, GetRandomFlags::empty()) {
            Ok(count) => filled += count,
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(NoChance(error)),
        }
    }
    Ok(bytes)
}
