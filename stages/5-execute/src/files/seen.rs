//! What stood in a file, by the descriptor that it was read from.

use std::fs::File;
use std::io::Read as _;

use call::{Fault, Sha256};
use sha2::Digest as _;

use super::patience::Patience;
use super::target::unreadable;

/// Bytes that are read at once, at least and at most.
const SMALLEST: usize = 4 * 1024;
pub(super) const CHUNK: usize = 128 * 1024;

/// The room to read a file of this size with. A small file needs no large room; one that grows meanwhile is
/// read in more steps.
pub(super) fn room_for(size: u64) -> usize {
    usize::try_from(size).map_or(CHUNK, |size| size.saturating_add(1).clamp(SMALLEST, CHUNK))
}

/// The content of a file, read once from beginning to end.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) sha256: Sha256,
    pub(super) bytes: u64,
    /// The content itself, where it is no larger than whoever asked wants to hold.
    pub(super) content: Option<Vec<u8>>,
    /// The file it was read from.
    pub(super) file: File,
    pub(super) facts: FileFacts,
}

/// What tells whether a file was written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileFacts {
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) size: i64,
    pub(super) modified: (i64, i64),
    pub(super) mode: u32,
    pub(super) owner: (u32, u32),
}

impl FileFacts {
    #[expect(clippy::useless_conversion, reason = "the widths differ between architectures")]
    pub(super) fn of(stat: &rustix::fs::Stat) -> Self {
        Self {
            device: stat.st_dev.into(),
            inode: stat.st_ino.into(),
            size: stat.st_size.into(),
            modified: (stat.st_mtime.into(), stat.st_mtime_nsec as i64),
            mode: stat.st_mode.into(),
            owner: (stat.st_uid, stat.st_gid),
        }
    }

    pub(super) fn of_file(file: &File) -> Result<Self, std::io::Error> {
        Ok(Self::of(&rustix::fs::fstat(file)?))
    }

    /// Whether it is the same file, whatever is in it.
    pub(super) fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

impl Seen {
    /// Reads a file to its end, and holds its content when it has at most `most` bytes.
    pub(super) fn read(
        mut file: File,
        most: u64,
        given: &str,
        patience: Patience<'_>,
    ) -> Result<Self, Fault> {
        let failed = |error: std::io::Error| unreadable(given, &error);
        let facts = FileFacts::of_file(&file).map_err(failed)?;
        let mut hasher = sha2::Sha256::new();
        let mut bytes: u64 = 0;
        let size = u64::try_from(facts.size).unwrap_or(0);
        let mut content = (size <= most).then(Vec::new);
        let mut chunk = vec![0; room_for(size)];
        loop {
            patience.check()?;
            let read = match file.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => chunk.get(..read).unwrap_or_default(),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(error)),
            };
            hasher.update(read);
            bytes += read.len() as u64;
            match content.as_mut() {
                Some(held) if bytes <= most => held.extend_from_slice(read),
                _ => content = None,
            }
        }
        Ok(Self { sha256: Sha256::finish(hasher), bytes, content, file, facts })
    }

    /// Whether nobody wrote to the file since.
    pub(super) fn is_unchanged(&self) -> bool {
        FileFacts::of_file(&self.file).is_ok_and(|now| {
            now.is_same_file(&self.facts)
                && (now.size, now.modified) == (self.facts.size, self.facts.modified)
        })
    }
}
