//! Descriptors that came along: all but standard input, output and error are closed.
#![expect(unsafe_code, reason = "closing descriptors that nobody here owns is one system call")]

use super::{Missing, missing};

pub(super) fn close_all_but_standard() -> Result<(), Missing> {
    // SAFETY: the call takes numbers only. It closes descriptors that this process inherited: it has one
    // thread and has opened nothing yet, so no object of ours owns one of them.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, 0_u32) };
    if closed == 0 {
        return Ok(());
    }
    Err(missing("no_descriptors")(std::io::Error::last_os_error()))
}
