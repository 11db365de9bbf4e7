//! Opens a document once, and reads no more of it than any document can hold.
//!
//! Never waits and never trusts a name twice: a pipe, device or socket is told apart on the open
//! descriptor, not before, so nothing can be put in its place in between. The same descriptor says
//! later whether the file that is moved to quarantine is the one that was checked.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

use document::RESULT_CAP;
use rustix::fs::{FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use crate::terminal::reason;

/// Why a document could not be checked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unreadable {
    /// The system would not open or read it.
    #[error("{}", reason(.0))]
    System(#[source] io::Error),
    /// A symbolic link that leads nowhere.
    #[error("symbolic link to a file that is not there")]
    BrokenLink,
    /// It is something else than a file with content.
    #[error("not a regular file: this is a {0}")]
    NotRegular(&'static str),
    /// The content is not text.
    #[error("not UTF-8 text: byte {offset} does not belong to any character")]
    NotText {
        /// Offset of the first byte that does not belong.
        offset: usize,
        /// The line of that byte, from 1.
        line: usize,
        /// Its column, from 1.
        column: usize,
    },
    /// A folder holds nothing to check.
    #[error("no documents: there is no file `*.md` in or below this folder")]
    NoDocuments,
    /// The check itself failed.
    #[error("the check itself failed on this document, which is a fault of toolgate")]
    Broken,
}

impl Unreadable {
    /// The stable code.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::System(_) | Self::BrokenLink => "IO001",
            Self::NotRegular(_) => "IO002",
            Self::NotText { .. } => "IO003",
            Self::NoDocuments => "IO004",
            Self::Broken => "IO006",
        }
    }

    /// Line and column, or zeros where there is no place.
    pub(crate) const fn place(&self) -> (usize, usize) {
        match self {
            Self::NotText { line, column, .. } => (*line, *column),
            Self::System(_) | Self::BrokenLink | Self::NotRegular(_) | Self::NoDocuments | Self::Broken => {
                (0, 0)
            }
        }
    }

    /// Content that stops being text at `offset`.
    pub(crate) fn not_text(bytes: &[u8], offset: usize) -> Self {
        let (before, _) = bytes.split_at_checked(offset).unwrap_or((bytes, &[]));
        let text = String::from_utf8_lossy(before);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n");
        let lines = text.split(['\n', '\r']);
        let column = lines.clone().next_back().map_or(0, |last| last.chars().count()) + 1;
        Self::NotText { offset, line: lines.count(), column }
    }

    /// Whether the file is simply not there any more.
    pub(crate) fn is_gone(&self) -> bool {
        matches!(self, Self::System(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

/// Which file this is, and which state of it: two that are equal hold the same content, unless
/// somebody took pains to hide a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) file: (u64, u64),
    size: i64,
    modified: (i64, u64),
    changed: (i64, u64),
}

impl Identity {
    /// What the system says of a file, in short.
    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            file: (stat.st_dev, stat.st_ino),
            size: stat.st_size,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
        }
    }

    /// Whether file and content are the same; its names may have changed, as in a rename.
    pub(crate) fn same_content(&self, other: &Self) -> bool {
        (self.file, self.size, self.modified) == (other.file, other.size, other.modified)
    }
}

/// A regular file, opened for reading.
#[derive(Debug)]
pub(crate) struct Opened {
    file: File,
    /// Which file it was when it was opened.
    pub(crate) identity: Identity,
}

impl Opened {
    /// Opens `path`, if it is a regular file.
    ///
    /// `NONBLOCK` lets a pipe without a writer open at once instead of waiting for one; for regular
    /// files it means nothing.
    pub(crate) fn open(path: &Path) -> Result<Self, Unreadable> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
        let descriptor = rustix::fs::open(path, flags, Mode::empty()).map_err(|errno| match errno {
            Errno::NOENT if path.is_symlink() => Unreadable::BrokenLink,
            Errno::NXIO => Unreadable::NotRegular("socket or device"),
            other => Unreadable::System(other.into()),
        })?;
        Self::of(descriptor)
    }

    fn of(descriptor: OwnedFd) -> Result<Self, Unreadable> {
        let stat = rustix::fs::fstat(&descriptor).map_err(|errno| Unreadable::System(errno.into()))?;
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {
                return Ok(Self { file: File::from(descriptor), identity: Identity::of(&stat) });
            }
            FileType::Directory => "folder",
            FileType::Fifo => "named pipe",
            FileType::Socket => "socket",
            FileType::CharacterDevice | FileType::BlockDevice => "device",
            FileType::Symlink | FileType::Unknown => "file of unknown kind",
        };
        Err(Unreadable::NotRegular(kind))
    }

    /// Opens the regular file `name` in a folder that is open, and not through a link.
    pub(crate) fn open_in(folder: BorrowedFd<'_>, name: &OsStr) -> Result<Self, Unreadable> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY | OFlags::NOFOLLOW;
        let opened = rustix::fs::openat(folder, name, flags, Mode::empty()).map_err(|errno| match errno {
            Errno::LOOP | Errno::MLINK => Unreadable::NotRegular("symbolic link"),
            Errno::NXIO => Unreadable::NotRegular("socket or device"),
            other => Unreadable::System(other.into()),
        })?;
        Self::of(opened)
    }

    /// Reads the content into `buffer`, up to one byte more than any document may hold.
    pub(crate) fn read(&self, buffer: &mut Vec<u8>) -> Result<(), Unreadable> {
        read_capped(&self.file, buffer)
    }

    /// The whole content from its start, for a copy.
    pub(crate) fn rewound(&self) -> io::Result<&File> {
        (&self.file).seek(SeekFrom::Start(0))?;
        Ok(&self.file)
    }
}

/// Reads all of `source` into `buffer`, up to one byte more than any document may hold.
pub(crate) fn read_capped(source: impl Read, buffer: &mut Vec<u8>) -> Result<(), Unreadable> {
    buffer.clear();
    let limit = u64::try_from(RESULT_CAP).unwrap_or(u64::MAX).saturating_add(1);
    source.take(limit).read_to_end(buffer).map(drop).map_err(Unreadable::System)
}

#[cfg(test)]
mod tests {
    use super::Unreadable;

    #[test]
    fn the_place_of_a_bad_byte_is_the_one_an_editor_shows() {
        let cases: [(&[u8], usize, (usize, usize)); 6] = [
            // content, offset -> line, column
            (b"\xff", 0, (1, 1)),
            (b"ab\xff", 2, (1, 3)),
            (b"ab\ncd\xff", 5, (2, 3)),
            (b"ab\r\ncd\xff", 6, (2, 3)),
            ("é\n\u{e9}é".as_bytes(), 5, (2, 2)),
            (b"\xef\xbb\xbfa\xff", 4, (1, 2)),
        ];
        for (bytes, offset, want) in cases {
            assert_eq!(Unreadable::not_text(bytes, offset).place(), want, "{bytes:?}");
        }
    }
}
