//! Puts files into a folder whole or not at all, and never over one that is there.
//!
//! A file is written under a hidden name, flushed to the disk, and then renamed. Whoever sees the
//! final name sees the whole content, also after a power cut.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{AtFlags, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// Writes `content` to the new file `name` in `folder`.
///
/// # Errors
///
/// `AlreadyExists` when the name is taken; whatever else the system says. Nothing is left behind.
pub(crate) fn new_file(
    folder: BorrowedFd<'_>,
    name: &OsStr,
    mut content: impl Read,
    mode: Mode,
) -> io::Result<()> {
    let hidden = hidden_name();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut file = File::from(rustix::fs::openat(folder, &hidden, flags, mode)?);
    let written = io::copy(&mut content, &mut file)
        .and_then(|_| file.flush())
        .and_then(|()| file.sync_all())
        .and_then(|()| Ok(rename(folder, &hidden, folder, name)?));
    if written.is_err() {
        // The hidden file is ours and of no use to anybody.
        let _ = rustix::fs::unlinkat(folder, &hidden, AtFlags::empty());
    }
    written
}

/// Renames in one step, never over a file that is there.
pub(crate) fn rename(
    from_folder: impl AsFd,
    from: impl rustix::path::Arg + Copy,
    to_folder: impl AsFd,
    to: impl rustix::path::Arg + Copy,
) -> Result<(), Errno> {
    let (from_folder, to_folder) = (from_folder.as_fd(), to_folder.as_fd());
    match rustix::fs::renameat_with(from_folder, from, to_folder, to, RenameFlags::NOREPLACE) {
        // A file system without that flag: a second name fails when it is taken, like the rename.
        Err(Errno::INVAL | Errno::NOSYS) => {
            rustix::fs::linkat(from_folder, from, to_folder, to, AtFlags::empty())?;
            rustix::fs::unlinkat(from_folder, from, AtFlags::empty())
        }
        other => other,
    }
}

/// Makes the names in a folder survive a power cut.
pub(crate) fn flush_names(folder: BorrowedFd<'_>) -> io::Result<()> {
    match rustix::fs::fsync(folder) {
        // Some file systems cannot flush a folder, and need not.
        Ok(()) | Err(Errno::INVAL) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

fn hidden_name() -> OsString {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let number = COUNTER.fetch_add(1, Ordering::Relaxed);
    OsString::from(format!(".toolgate-{}-{number}.tmp", std::process::id()))
}
