//! The folder that rejected documents are moved to, with the reasons beside them.
//!
//! Reasons first, document second: a document never lies there unexplained. The move is one rename
//! that never overwrites, and the file that is moved is the one that was checked. Whatever fails,
//! the document stays where it was.

use std::ffi::{OsStr, OsString};
use std::fs::DirBuilder;
use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, statat};
use rustix::io::Errno;

use crate::checker::Rejected;
use crate::find::{FolderId, folder_id};
use crate::publish::{flush_names, new_file, rename};
use crate::read::Identity;
use crate::terminal::reason;

/// Longer stems are cut, so that the names of the reasons still fit into a file name.
const LONGEST_STEM: usize = 200;

/// Rejected documents are read by whoever answers for them, and by nobody else.
const PRIVATE: Mode = Mode::from_raw_mode(0o600);

/// The folder for rejected documents.
#[derive(Debug)]
pub(crate) struct Quarantine {
    folder: OwnedFd,
    path: PathBuf,
    /// Which folder it is, so that a walk does not enter it.
    pub(crate) id: FolderId,
}

/// Why a document was not moved. It lies where it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotMoved {
    /// Another file, or other content, has the name by now.
    #[error("changed while it was checked, so it was not moved to quarantine")]
    Changed,
    /// The path is a link, and what was checked lies elsewhere.
    #[error("not moved to quarantine, because the path is a symbolic link to the file that was checked")]
    Link,
    /// It lies in the quarantine folder already.
    #[error("not moved, because it lies in the quarantine folder already")]
    Already,
    /// The system would not.
    #[error("not moved to quarantine: {}", reason(.0))]
    System(#[from] io::Error),
}

impl From<Errno> for NotMoved {
    fn from(errno: Errno) -> Self {
        Self::System(errno.into())
    }
}

/// Where a document went.
#[derive(Debug)]
pub(crate) struct Moved {
    /// The document's new path.
    pub(crate) document: PathBuf,
    /// Its reasons, for people.
    pub(crate) reasons: PathBuf,
}

impl Quarantine {
    /// Opens the folder, and makes it where there is none.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(path, flags, Mode::empty())?;
        let stat = rustix::fs::fstat(&folder)?;
        Ok(Self { folder, path: path.to_owned(), id: (stat.st_dev, stat.st_ino) })
    }

    /// Moves a rejected file in, with its reasons as data and in words.
    pub(crate) fn admit(&self, rejected: &Rejected, json: &str) -> Result<Moved, NotMoved> {
        let parent = match rejected.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        if folder_id(parent) == Some(self.id) {
            return Err(NotMoved::Already);
        }
        unchanged(rejected)?;
        for number in 0_u32.. {
            let names = Names::new(&rejected.path, number);
            if self.is_taken(&names.document)? || !self.explain(&names, rejected, json)? {
                continue;
            }
            match self.enter(&names, rejected) {
                Ok(()) => {
                    return Ok(Moved {
                        document: self.path.join(&names.document),
                        reasons: self.path.join(&names.words),
                    });
                }
                Err(error) => {
                    self.remove(&names.data);
                    self.remove(&names.words);
                    let taken = matches!(&error, NotMoved::System(error) if error.kind() == io::ErrorKind::AlreadyExists);
                    // When somebody else took the name just now, the next one will do.
                    if !taken {
                        return Err(error);
                    }
                }
            }
        }
        Err(NotMoved::System(io::ErrorKind::AlreadyExists.into()))
    }

    /// Writes the reasons; false when their names are taken.
    fn explain(&self, names: &Names, rejected: &Rejected, json: &str) -> io::Result<bool> {
        let folder = self.folder.as_fd();
        let free = |written: io::Result<()>| match written {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error),
        };
        if !free(new_file(folder, &names.data, json.as_bytes(), PRIVATE))? {
            return Ok(false);
        }
        match free(new_file(folder, &names.words, rejected.reasons.as_bytes(), PRIVATE)) {
            Ok(true) => flush_names(folder).map(|()| true),
            other => {
                self.remove(&names.data);
                other
            }
        }
    }

    /// Moves the document itself.
    fn enter(&self, names: &Names, rejected: &Rejected) -> Result<(), NotMoved> {
        unchanged(rejected)?;
        match rename(CWD, rejected.path.as_path(), &self.folder, names.document.as_os_str()) {
            Ok(()) => {}
            Err(Errno::XDEV) => return self.copy(names, rejected),
            Err(errno) => return Err(errno.into()),
        }
        // Between the look and the rename another file may have taken the name. It goes back.
        let stat = statat(&self.folder, &names.document, AtFlags::SYMLINK_NOFOLLOW)?;
        if Identity::of(&stat).same_content(&rejected.opened.identity) {
            return Ok(());
        }
        rename(&self.folder, names.document.as_os_str(), CWD, rejected.path.as_path())?;
        Err(NotMoved::Changed)
    }

    /// Moves the document from another device: a copy of the open file, then the original goes.
    fn copy(&self, names: &Names, rejected: &Rejected) -> Result<(), NotMoved> {
        new_file(self.folder.as_fd(), &names.document, rejected.opened.rewound()?, PRIVATE)?;
        let removed = flush_names(self.folder.as_fd()).map_err(NotMoved::from).and_then(|()| {
            unchanged(rejected)?;
            Ok(rustix::fs::unlink(&rejected.path)?)
        });
        if removed.is_err() {
            self.remove(&names.document);
        }
        removed
    }

    fn is_taken(&self, name: &OsStr) -> io::Result<bool> {
        match statat(&self.folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(_) => Ok(true),
            Err(Errno::NOENT) => Ok(false),
            Err(errno) => Err(errno.into()),
        }
    }

    fn remove(&self, name: &OsStr) {
        // Only ever our own files; one that cannot be removed is a reason without its document.
        let _ = rustix::fs::unlinkat(&self.folder, name, AtFlags::empty());
    }
}

/// Whether the path still leads to the file that was checked, and its content is the same.
fn unchanged(rejected: &Rejected) -> Result<(), NotMoved> {
    let stat = match statat(CWD, &rejected.path, AtFlags::SYMLINK_NOFOLLOW) {
        Err(Errno::NOENT) => return Err(NotMoved::Changed),
        other => other?,
    };
    if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink {
        return Err(NotMoved::Link);
    }
    if Identity::of(&stat) == rejected.opened.identity { Ok(()) } else { Err(NotMoved::Changed) }
}

/// The names of a document and its reasons in quarantine.
struct Names {
    document: OsString,
    data: OsString,
    words: OsString,
}

impl Names {
    fn new(path: &Path, number: u32) -> Self {
        let stem = path.file_stem().unwrap_or(OsStr::new("document")).as_bytes();
        let mut stem: Vec<u8> = stem.iter().copied().take(LONGEST_STEM).collect();
        if number > 0 {
            stem.extend(format!(".{number}").bytes());
        }
        let with = |extension: &OsStr| {
            let mut name = OsString::from_vec(stem.clone());
            name.push(extension);
            name
        };
        let extension = match path.extension() {
            Some(extension) if extension.len() <= 16 => {
                let mut dotted = OsString::from(".");
                dotted.push(extension);
                dotted
            }
            _ => OsString::new(),
        };
        Self {
            document: with(&extension),
            data: with(OsStr::new(".reasons.json")),
            words: with(OsStr::new(".reasons.txt")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Names;

    #[test]
    fn names_in_quarantine_are_the_old_ones_numbered_when_taken_and_never_too_long() {
        let show = |path: &str, number| {
            let Names { document, data, words } = Names::new(Path::new(path), number);
            format!("{document:?} {data:?} {words:?}").replace('"', "")
        };
        insta::assert_snapshot!(show("in/TR-x.md", 0), @"TR-x.md TR-x.reasons.json TR-x.reasons.txt");
        insta::assert_snapshot!(show("TR-x.md", 2), @"TR-x.2.md TR-x.2.reasons.json TR-x.2.reasons.txt");
        insta::assert_snapshot!(show("a/plain", 0), @"plain plain.reasons.json plain.reasons.txt");
        let long = Names::new(Path::new(&format!("{}.md", "x".repeat(252))), 4_000_000_000);
        assert!(long.data.len() <= 255);
    }
}
