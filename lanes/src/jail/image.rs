//! The helper's program, as a file that only this process has.

use std::fs::File;
use std::io::{self, Seek as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::OnceLock;

use rustix::fs::{MemfdFlags, SealFlags, memfd_create};

use crate::LaneError;

pub(crate) static BYTES: &[u8] = include_bytes!(env!("TOOLGATE_HELPER"));

/// Where the helper can be started from.
pub(crate) fn path() -> Result<PathBuf, LaneError> {
    static FILE: OnceLock<Result<OwnedFd, String>> = OnceLock::new();
    let file = FILE.get_or_init(|| sealed(BYTES, true).map_err(|error| error.to_string()));
    let file = file.as_ref().map_err(|why| LaneError::Missing {
        lane: "jail",
        layer: "helper".to_owned(),
        why: format!("a file in memory cannot be made: {why}"),
    })?;
    Ok(PathBuf::from(format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(file))))
}

/// A file in memory that nobody changes any more.
pub(crate) fn sealed(content: &[u8], program: bool) -> io::Result<OwnedFd> {
    Ok(written(program, |file| file.write_all(content))?.0)
}

/// The same, written by somebody who says something about it.
pub(crate) fn written<T>(
    program: bool,
    write: impl FnOnce(&mut File) -> io::Result<T>,
) -> io::Result<(OwnedFd, T)> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    let kind = if program { MemfdFlags::EXEC } else { MemfdFlags::NOEXEC_SEAL };
    let file = match memfd_create("toolgate", flags | kind) {
        // A kernel before 6.3 knows neither.
        Err(rustix::io::Errno::INVAL) => memfd_create("toolgate", flags)?,
        made => made?,
    };
    let mut file = File::from(file);
    let said = write(&mut file)?;
    file.rewind()?;
    let all = SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE | SealFlags::SEAL;
    rustix::fs::fcntl_add_seals(&file, all)?;
    Ok((file.into(), said))
}
