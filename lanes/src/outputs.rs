//! What a program left below `/out`, taken over file by file.
//!
//! Everything there is hostile: names, links, pipes, things that never end. Only regular files with one
//! name each are taken, by descriptor, none of them followed; each is copied and hashed in one reading.
//! What is not taken is told, with the reason.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use call::Sha256;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, Stat, openat, statat};
use sha2::Digest as _;

use crate::LaneError;

/// A file that a program left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// Its path below `/out`, without a slash in front.
    pub path: String,
    /// The digest of what was taken.
    pub sha256: Sha256,
    /// Its bytes.
    pub bytes: u64,
}

/// Something that a program left and nobody takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwanted {
    /// Its path below `/out`; what no text can hold is marked, and what nobody could see is spelled out.
    pub path: String,
    /// Why not.
    pub why: &'static str,
}

/// Folders in folders.
pub(crate) const DEEPEST: usize = 16;

/// Bytes of a name, and of a path.
const LONGEST_NAME: usize = 200;
pub(crate) const LONGEST_PATH: usize = 1_000;

/// Entries that are told as unwanted, at most.
const MOST_TOLD: usize = 100;

/// Takes what is below `from` and puts it below `into`, which is there and empty. At most so many files
/// and bytes are taken.
pub(crate) fn collect(from: BorrowedFd<'_>, into: &Path, files: u32, bytes: u64) -> Result<Taken, LaneError> {
    let mut taken = Taken::of_at_most(files, bytes);
    taken.folder(from, into, "", 0)?;
    Ok(taken.sorted())
}

/// Why something is not taken that is no plain file; nothing for files and folders.
pub(crate) const fn odd_kind(kind: FileType) -> Option<&'static str> {
    match kind {
        FileType::RegularFile | FileType::Directory => None,
        FileType::Symlink => Some("it is a link"),
        FileType::Fifo => Some("it is a pipe"),
        FileType::Socket => Some("it is a socket"),
        FileType::CharacterDevice | FileType::BlockDevice => Some("it is a device"),
        FileType::Unknown => Some("it is nothing that is known"),
    }
}

/// Other reasons for which something is not taken.
pub(crate) mod why {
    pub(crate) const NAME: &str = "its name is none that every machine can have";
    pub(crate) const DEEP: &str = "it lies too deep";
    pub(crate) const NAMES: &str = "it has more than one name";
    pub(crate) const MANY: &str = "there are more files or bytes than are taken";
}

#[derive(Debug, Default)]
pub(crate) struct Taken {
    pub(crate) artifacts: Vec<Artifact>,
    pub(crate) unwanted: Vec<Unwanted>,
    left: (u32, u64),
}

impl Taken {
    pub(crate) fn of_at_most(files: u32, bytes: u64) -> Self {
        Self { left: (files, bytes), ..Self::default() }
    }

    pub(crate) fn sorted(mut self) -> Self {
        self.artifacts.sort_by(|one, other| one.path.cmp(&other.path));
        self.unwanted.sort_by(|one, other| one.path.cmp(&other.path));
        self
    }

    pub(crate) fn refuse(&mut self, path: String, why: &'static str) {
        if self.unwanted.len() < MOST_TOLD {
            self.unwanted.push(Unwanted { path: drawn(&path), why });
        }
    }

    fn folder(
        &mut self,
        from: BorrowedFd<'_>,
        into: &Path,
        above: &str,
        depth: usize,
    ) -> Result<(), LaneError> {
        let failed = |error| LaneError::failed(format!("/out/{above}"), error);
        let mut names: Vec<std::ffi::CString> = Vec::new();
        for entry in list(from).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
                names.push(entry.file_name().to_owned());
            }
        }
        names.sort();
        for name in names {
            let shown = format!("{above}{}", name.to_string_lossy());
            let Some(name) = plain_name(name.to_bytes()).filter(|_| shown.len() <= LONGEST_PATH) else {
                self.refuse(shown, why::NAME);
                continue;
            };
            let kind = statat(from, name, AtFlags::SYMLINK_NOFOLLOW).map_err(failed)?;
            let shape = FileType::from_raw_mode(kind.st_mode);
            match shape {
                FileType::Directory if depth >= DEEPEST => self.refuse(shown, why::DEEP),
                FileType::Directory => {
                    let inner = open(from, name, OFlags::DIRECTORY).map_err(failed)?;
                    let into = into.join(name);
                    std::fs::create_dir(&into)
                        .map_err(|error| LaneError::failed(into.display().to_string(), error))?;
                    self.folder(inner.as_fd(), &into, &format!("{shown}/"), depth + 1)?;
                }
                FileType::RegularFile if kind.st_nlink > 1 => self.refuse(shown, why::NAMES),
                FileType::RegularFile => self.file(from, name, &kind, into, shown)?,
                FileType::Symlink
                | FileType::Fifo
                | FileType::Socket
                | FileType::CharacterDevice
                | FileType::BlockDevice
                | FileType::Unknown => self.refuse(shown, odd_kind(shape).unwrap_or_default()),
            }
        }
        Ok(())
    }

    fn file(
        &mut self,
        from: BorrowedFd<'_>,
        name: &str,
        kind: &Stat,
        into: &Path,
        shown: String,
    ) -> Result<(), LaneError> {
        let failed = |error: &dyn ToString| LaneError::failed(format!("/out/{shown}"), error.to_string());
        let size = u64::try_from(kind.st_size).unwrap_or(u64::MAX);
        if !self.has_room(size) {
            self.refuse(shown, why::MANY);
            return Ok(());
        }
        let opened = open(from, name, OFlags::NONBLOCK).map_err(|error| failed(&error))?;
        self.put(File::from(opened), &into.join(name), shown, size)
    }

    /// May a file of so many bytes be taken?
    pub(crate) const fn has_room(&self, size: u64) -> bool {
        let (files, bytes) = self.left;
        files > 0 && bytes >= size
    }

    /// Takes a file: so many bytes of what can be read.
    pub(crate) fn put(
        &mut self,
        from: impl Read,
        target: &Path,
        shown: String,
        size: u64,
    ) -> Result<(), LaneError> {
        let mut to = OpenOptions::new();
        let mut to = to
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(target)
            .map_err(|error| LaneError::failed(target.display().to_string(), error))?;
        let sha256 =
            copy(from, &mut to, size).map_err(|error| LaneError::failed(format!("/out/{shown}"), error))?;
        let (files, bytes) = self.left;
        self.left = (files.saturating_sub(1), bytes.saturating_sub(size));
        self.artifacts.push(Artifact { path: shown, sha256, bytes: size });
        Ok(())
    }
}

/// What is in a folder. A program can take all rights from its own, `/out` itself included; they are given
/// back.
fn list(folder: BorrowedFd<'_>) -> rustix::io::Result<Dir> {
    match Dir::read_from(folder) {
        Err(rustix::io::Errno::ACCESS) => {
            rustix::fs::fchmod(folder, Mode::RWXU)?;
            Dir::read_from(folder)
        }
        listed => listed,
    }
}

/// Opens what must not be a link. A program can take all rights from its own files; they are given back,
/// as nobody inside is there any more to mind.
fn open(from: BorrowedFd<'_>, name: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    let flags = flags | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
    match openat(from, name, flags, Mode::empty()) {
        Err(rustix::io::Errno::ACCESS) => {
            // Not through a link: what is there was looked at, and nobody changes it any more.
            rustix::fs::chmodat(from, name, Mode::RWXU, AtFlags::empty())?;
            openat(from, name, flags, Mode::empty())
        }
        opened => opened,
    }
}

fn copy(from: impl Read, to: &mut File, size: u64) -> std::io::Result<Sha256> {
    let mut hasher = sha2::Sha256::new();
    let mut from = from.take(size);
    let mut bytes = vec![0; 128 * 1024];
    loop {
        let count = from.read(&mut bytes)?;
        let Some(read) = bytes.get(..count).filter(|read| !read.is_empty()) else { break };
        hasher.update(read);
        to.write_all(read)?;
    }
    to.sync_all()?;
    Ok(Sha256::finish(hasher))
}

/// A name that every machine and every terminal can have.
pub(crate) fn plain_name(name: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(name).ok()?;
    let odd = |letter: char| letter.is_control() || matches!(letter, '/' | '\\') || is_unseen(letter);
    (name.len() <= LONGEST_NAME && !name.starts_with('-') && !name.contains(odd)).then_some(name)
}

/// A path as it can be shown anywhere.
fn drawn(path: &str) -> String {
    let spelled = |letter: char| letter.is_control() || is_unseen(letter);
    path.chars().fold(String::with_capacity(path.len()), |mut text, letter| {
        if spelled(letter) {
            text.extend(letter.escape_unicode());
        } else {
            text.push(letter);
        }
        text
    })
}

/// Nobody sees it, or sees only what it does to others: spaces without width, marks of direction, fillers,
/// tags, ends of lines. What joins letters of a word or parts of a picture belongs to it.
const fn is_unseen(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}'
    )
}
