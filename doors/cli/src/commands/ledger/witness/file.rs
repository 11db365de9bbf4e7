//! A file that keeps checkpoints, one behind the other.
//!
//! It may lie on another machine, or on a disk that only takes more: nothing in it is ever changed.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::{FlockOperation, OFlags, flock};
use verify::checkpoint::BETWEEN;

use super::NotWitnessed;

/// Bytes that are read; a witness of many years has fewer.
const LARGEST: u64 = 256 * 1024 * 1024;

/// All that is in a file. Nothing when there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<Vec<u8>>, NotWitnessed> {
    let failed = |source| NotWitnessed::File { path: path.display().to_string(), source };
    let file = match opened(OpenOptions::new().read(true), path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST {
        return Err(failed(io::Error::from(io::ErrorKind::FileTooLarge)));
    }
    Ok(Some(bytes))
}

/// Appends a note, so that it survives a power cut when this returns.
pub(super) fn append(path: &Path, note: &str) -> io::Result<()> {
    let file = opened(OpenOptions::new().read(true).append(true).create(true).mode(0o600), path)?;
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

/// Opens an ordinary file. A pipe would wait for its other end.
fn opened(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = options.custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not an ordinary file"));
    }
    Ok(file)
}
