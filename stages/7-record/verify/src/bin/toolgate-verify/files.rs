//! Reads files that strangers may have made: each once, and never without an end.

use std::fs::File;
use std::io::{Error, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use verify::export::Files;

/// The folder of a log.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Files for Folder {
    type Error = Error;

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Error> {
        read(&self.0.join(path))
    }
}

/// The bytes of a file. Nothing when there is no such file.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    let absent = |error: Error| match error.kind() == ErrorKind::NotFound {
        true => Ok(None),
        false => Err(error),
    };
    // To open a pipe would wait for whoever writes to it, perhaps for ever.
    match std::fs::metadata(path) {
        Ok(found) if !found.is_file() => return Err(Error::other("it is not a file")),
        Ok(_) => {}
        Err(error) => return absent(error),
    }
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return absent(error),
    };
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= MOST_BYTES) {
        return Ok(Some(bytes));
    }
    Err(Error::new(ErrorKind::FileTooLarge, "it is larger than any file of a log"))
}

/// A bundle of 256 entries that are as long as entries can be. No other file of a log is larger.
const MOST_BYTES: u64 = 256 * (2 + 65_535);
