//! Ordinary files, read whole and with a bound.
//!
//! Whoever can put a file in a home, or name one, can also put a pipe there, which waits for its other end, or
//! a device, which has no end.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

/// Opens an ordinary file in this way, or nothing.
///
/// # Errors
/// When it is something else; whatever else the system says.
pub(crate) fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = options.custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not an ordinary file"));
    }
    Ok(file)
}

/// All of an ordinary file that has at most so many bytes.
///
/// # Errors
/// When it is something else or larger; whatever else the system says.
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(OpenOptions::new().read(true), path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::from(io::ErrorKind::FileTooLarge));
    }
    Ok(bytes)
}

/// The same, when it is text.
///
/// # Errors
/// When it is something else or larger; whatever else the system says.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_pipe_a_device_a_folder_and_a_large_file_are_not_read() {
        let folder = tempfile::TempDir::new().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
            .unwrap();
        std::fs::write(folder.path().join("file"), "12345").unwrap();
        let cases = [
            // path, most -> what is said
            (pipe.as_path(), 9, "not an ordinary file"),
            ("/dev/zero".as_ref(), 9, "not an ordinary file"),
            (folder.path(), 9, "not an ordinary file"),
            (&folder.path().join("file"), 4, "file too large"),
            (&folder.path().join("file"), 5, ""),
        ];
        for (path, most, want) in cases {
            let said = read(path, most).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(said == want, "{}: {said}", path.display());
        }
    }
}
