//! Puts files into a folder whole or not at all, and over one that is there only where that is asked for.
//!
//! A file is written under a hidden name, flushed to the disk, and then renamed. Whoever sees the
//! final name sees the whole content, also after a power cut.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// Writes `content` to the new file `name` in `folder`.
///
/// # Errors
///
/// `AlreadyExists` when the name is taken; whatever else the system says. Nothing is left behind.
pub(crate) fn new_file(
    folder: BorrowedFd<'_>,
    name: &OsStr,
    content: impl Read,
    mode: Mode,
) -> io::Result<()> {
    publish(folder, content, mode, |hidden| rename(folder, hidden, folder, name))
}

/// Writes `content` to the file `name` in `folder`, in place of a file that is there.
///
/// # Errors
///
/// `AlreadyExists` when something is there that is no ordinary file; whatever else the system says.
/// Nothing is left behind, and what was there stays.
pub(crate) fn replace_file(
    folder: BorrowedFd<'_>,
    name: &OsStr,
    content: impl Read,
    mode: Mode,
) -> io::Result<()> {
    match rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(there) if FileType::from_raw_mode(there.st_mode) == FileType::RegularFile => {}
        Ok(_) => {
            return Err(io::Error::new(
                io::ErrorKind::AlreadyExists,
                "is there, and is not an ordinary file",
            ));
        }
        Err(Errno::NOENT) => return new_file(folder, name, content, mode),
        Err(errno) => return Err(errno.into()),
    }
    publish(folder, content, mode, |hidden| rustix::fs::renameat(folder, hidden, folder, name))
}

/// Writes a hidden file, and lets `show` give it its name.
fn publish(
    folder: BorrowedFd<'_>,
    mut content: impl Read,
    mode: Mode,
    show: impl FnOnce(&OsStr) -> Result<(), Errno>,
) -> io::Result<()> {
    let hidden = hidden_name();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut file = File::from(rustix::fs::openat(folder, &hidden, flags, mode)?);
    let written = io::copy(&mut content, &mut file)
        .and_then(|_| file.flush())
        .and_then(|()| file.sync_all())
        .and_then(|()| Ok(show(&hidden)?));
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
