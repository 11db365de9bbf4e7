//! The root that the program sees: nothing but what the plan puts there.

use core::ffi::CStr;

use crate::plan::Step;
use crate::sys::{self, Fd};

const MS_NOSUID: usize = 2;
const MS_NODEV: usize = 4;
const MS_NOEXEC: usize = 8;
const MS_BIND: usize = 4096;
const MS_REC: usize = 16384;
const MS_SLAVE: usize = 1 << 19;

const ATTR_RDONLY: u64 = 1;
const ATTR_NOSUID: u64 = 2;
const ATTR_NODEV: u64 = 4;
const ATTR_NOEXEC: u64 = 8;

/// The empty root, with the machine's own below `/.machine`.
///
/// # Errors
/// When the kernel refuses.
pub fn begin() -> sys::Result<()> {
    // What is mounted outside may come in until the machine's root is gone; nothing goes out.
    sys::mount(c"none", c"/", c"none", MS_REC | MS_SLAVE, c"")?;
    sys::mount(c"tmpfs", c"/tmp", c"tmpfs", MS_NOSUID | MS_NODEV, c"mode=755,size=1m,nr_inodes=8192")?;
    sys::make_dir(c"/tmp/.machine", 0o700)?;
    sys::pivot_root(c"/tmp", c"/tmp/.machine")?;
    sys::change_dir(c"/")
}

/// The machine's root is gone, and nothing more is put into the new one.
///
/// # Errors
/// When the kernel refuses.
pub fn finish() -> sys::Result<()> {
    sys::unmount(c"/.machine")?;
    sys::remove_dir(c"/.machine")?;
    sys::restrict_mount(c"/", ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV | ATTR_NOEXEC, false)
}

/// Does a step, if it is one about the root.
///
/// # Errors
/// When the kernel refuses.
pub fn build(step: Step<'_>, plan: Fd) -> sys::Result<()> {
    match step {
        Step::Dir { path, mode } => match sys::make_dir(path, mode) {
            Ok(()) | Err(sys::EEXIST) => {}
            Err(error) => return Err(error),
        },
        Step::Link { to, path } => sys::link(to, path)?,
        Step::Bind { from, path, folder } => {
            if !folder {
                empty(path)?;
            }
            sys::mount(from, path, c"none", MS_BIND | if folder { MS_REC } else { 0 }, c"")?;
            sys::restrict_mount(path, ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV, folder)?;
        }
        Step::Device { from, path } => {
            empty(path)?;
            sys::mount(from, path, c"none", MS_BIND, c"")?;
            sys::restrict_mount(path, ATTR_NOSUID | ATTR_NOEXEC, false)?;
        }
        Step::Tmpfs { path, options } => {
            sys::mount(c"tmpfs", path, c"tmpfs", MS_NOSUID | MS_NODEV, options)?;
        }
        Step::Proc { path } => {
            let flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
            sys::mount(c"proc", path, c"proc", flags, c"subset=pid")?;
        }
        Step::Copy { offset, length, path } => {
            let file = sys::open(path, sys::O_WRONLY | sys::O_CREAT_EXCL, 0o444)?;
            let copied = sys::copy(plan, offset, file, length);
            sys::close(file);
            copied?;
        }
        Step::Seal { path } => sys::restrict_mount(path, ATTR_RDONLY, false)?,
        Step::Share { from, path } => {
            sys::mount(from, path, c"none", MS_BIND | MS_REC, c"")?;
            sys::restrict_mount(path, ATTR_NOSUID | ATTR_NODEV, true)?;
        }
        Step::Mask { path, folder } => mask(path, folder)?,
        _ => {}
    }
    Ok(())
}

/// Puts nothing over what is there: an empty folder that nobody can enter, or a device that nobody can open.
/// What is not there needs no cover.
fn mask(path: &CStr, folder: bool) -> sys::Result<()> {
    let covered = if folder {
        sys::mount(
            c"tmpfs",
            path,
            c"tmpfs",
            MS_NOSUID | MS_NODEV | MS_NOEXEC,
            c"mode=000,size=4k,nr_inodes=1",
        )
    } else {
        sys::mount(c"/dev/null", path, c"none", MS_BIND, c"")
    };
    match covered {
        Ok(()) => sys::restrict_mount(path, ATTR_RDONLY | ATTR_NOSUID | ATTR_NODEV | ATTR_NOEXEC, false),
        Err(sys::ENOENT) => Ok(()),
        Err(error) => Err(error),
    }
}

/// An empty file, as a place to put another over.
fn empty(path: &CStr) -> sys::Result<()> {
    sys::open(path, sys::O_WRONLY | sys::O_CREAT_EXCL, 0o444).map(sys::close)
}
