//! A file that keeps checkpoints, one behind the other.
//!
//! It may lie on another machine, or on a disk that only takes more: nothing in it is ever changed.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{FlockOperation, flock};
use verify::checkpoint::BETWEEN;

use super::NotWitnessed;
use crate::ordinary;

/// Bytes that are read; a witness of many years has fewer.
const LARGEST: u64 = 256 * 1024 * 1024;

/// All that is in a file. Nothing when there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, NotWitnessed> {
    match ordinary::read(path, LARGEST) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(NotWitnessed::File { path: path.display().to_string(), source }),
    }
}

/// Appends a note, so that it survives a power cut when this returns.
pub(super) fn append(path: &Path, note: &str) -> io::Result<()> {
    let file = ordinary::open(OpenOptions::new().read(true).append(true).create(true).mode(0o600), path)?;
    flock(&file, FlockOperation::LockExclusive)?;
    let mut file = file;
    let length = file.metadata()?.len();
    let mut end = [0; 2];
    if let Some(at) = length.checked_sub(2) {
        file.read_exact_at(&mut end, at)?;
    }
    // A write that was torn may have left what stands between two notes.
    let between = if length == 0 || end == *b"\n\n" { "" } else { BETWEEN };
    file.write_all(format!("{between}{note}").as_bytes())?;
    file.sync_all()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}
