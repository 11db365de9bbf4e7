//! The folder that an export is written to.
//!
//! A file is written under a hidden name, flushed to the disk, and then renamed over the one that was there:
//! whoever reads meanwhile sees the old file or the new one. A folder with anything else in it is not ours,
//! and nothing is written to it. One export works on a folder at a time.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use crate::publish::flush_names;

/// A folder that is ours for as long as this lives.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    lock: File,
    begun: Cell<u32>,
}

/// A file that is not in its place yet. Dropped without that, it is gone.
#[derive(Debug)]
pub(super) struct Unplaced {
    path: PathBuf,
    /// Nothing while it rests.
    file: Option<BufWriter<File>>,
}

/// Why a file is not in its place.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotPlaced {
    #[error("`{path}`: {}", crate::terminal::reason(source))]
    File { path: String, source: io::Error },
    #[error("`{folder}` has `{name}`, which is not of such an export")]
    Foreign { folder: String, name: String },
    #[error("another export is being written to `{0}`")]
    Busy(String),
}

impl NotPlaced {
    pub(super) const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::File { .. } => None,
            Self::Foreign { .. } => {
                Some("`--out` names a new folder, or one with an earlier export in the same format")
            }
            Self::Busy(_) => Some("wait until it has ended"),
        }
    }
}

/// How names begin that only this program gives.
const HIDDEN: &str = ".toolgate-export-";

impl Folder {
    /// The folder at this path, which is made where there is none. Everything in it must belong there.
    pub(super) fn open(path: &Path, belongs: impl Fn(&str) -> bool) -> Result<Self, NotPlaced> {
        let at = |source| NotPlaced::File { path: path.display().to_string(), source };
        fs::create_dir_all(path).map_err(at)?;
        let lock = File::open(path).map_err(at)?;
        match rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => return Err(NotPlaced::Busy(path.display().to_string())),
            Err(errno) => return Err(at(errno.into())),
        }
        let mut left = Vec::new();
        for entry in fs::read_dir(path).map_err(at)? {
            let name = entry.map_err(at)?.file_name();
            match name.to_str() {
                Some(text) if text.starts_with(HIDDEN) => left.push(path.join(&name)),
                Some(text) if belongs(text) => {}
                Some(_) | None => {
                    let (folder, name) = (path.display().to_string(), name.to_string_lossy().into_owned());
                    return Err(NotPlaced::Foreign { folder, name });
                }
            }
        }
        // An export that was killed left these; none is at work now.
        for path in left {
            let _ = fs::remove_file(path);
        }
        Ok(Self { path: path.to_path_buf(), lock, begun: Cell::new(0) })
    }

    pub(super) fn join(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A new file that has no place yet.
    pub(super) fn begin(&self) -> Result<Unplaced, NotPlaced> {
        let number = self.begun.replace(self.begun.get() + 1);
        let path = self.path.join(format!("{HIDDEN}{}-{number}", std::process::id()));
        let file = File::create_new(&path).map_err(|source| failed(&path, source))?;
        Ok(Unplaced { path, file: Some(BufWriter::new(file)) })
    }

    /// Puts a file in its place, over the one that is there.
    pub(super) fn place(&self, mut unplaced: Unplaced, name: &str) -> Result<(), NotPlaced> {
        let target = self.path.join(name);
        let placed = unplaced
            .open()
            .and_then(|file| file.flush().and_then(|()| file.get_ref().sync_all()))
            .and_then(|()| target.parent().map_or(Ok(()), fs::create_dir_all))
            .and_then(|()| fs::rename(&unplaced.path, &target));
        placed.map_err(|source| failed(&target, source))
    }

    /// Makes the names in the folder survive a power cut.
    pub(super) fn flush(&self) -> Result<(), NotPlaced> {
        flush_names(self.lock.as_fd()).map_err(|source| failed(&self.path, source))
    }
}

impl Unplaced {
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), NotPlaced> {
        self.open().and_then(|file| file.write_all(bytes)).map_err(|source| failed(&self.path, source))
    }

    /// Lets it lie until it is written to again, so that any number of them can be begun.
    pub(super) fn rest(&mut self) -> Result<(), NotPlaced> {
        let rested = self.file.take().map_or(Ok(()), |mut file| file.flush());
        rested.map_err(|source| failed(&self.path, source))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn open(&mut self) -> io::Result<&mut BufWriter<File>> {
        let file = match self.file.take() {
            Some(file) => file,
            None => BufWriter::new(File::options().append(true).open(&self.path)?),
        };
        Ok(self.file.insert(file))
    }
}

impl Drop for Unplaced {
    fn drop(&mut self) {
        // In its place, it has another name by now.
        let _ = fs::remove_file(&self.path);
    }
}

pub(super) fn failed(path: &Path, source: io::Error) -> NotPlaced {
    NotPlaced::File { path: path.display().to_string(), source }
}
