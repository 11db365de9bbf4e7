//! A place that is held, so that nobody can put another in its stead.

use std::fmt;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use call::{AbsolutePath, FileKind, Located, Passed, PathPlace};
use rustix::fs::OFlags;
use rustix::io::Errno;

use super::disk::{Facts, READ, open_in, open_straight};
use super::walk::{Held, Walked};

/// A file or folder that is held, or the place for one that does not exist yet.
///
/// Everything done to it later is done through these descriptors, so it is done to what was
/// located and to nothing that took its name meanwhile.
#[derive(Debug)]
pub struct Opened {
    given: String,
    path: AbsolutePath,
    kind: FileKind,
    last: Held,
    folder: Option<OwnedFd>,
    missing: Vec<String>,
    passed: Vec<Passed>,
}

/// Why nothing was opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotOpened {
    /// It leads to no place below a root, or to a device, pipe or socket.
    #[error("`{}` {}", .0.given, refusal(&.0.place))]
    Refused(Located),
    /// It is not what was asked for.
    #[error("`{path}` is {}", Words(*found))]
    WrongKind {
        /// Where.
        path: AbsolutePath,
        /// What stands there.
        found: FileKind,
    },
    /// Something else has its name now.
    #[error("`{path}` was replaced while it was being opened")]
    Changed {
        /// Where.
        path: AbsolutePath,
    },
    /// The system says why.
    #[error("`{path}` cannot be opened")]
    Unreadable {
        /// Where.
        path: AbsolutePath,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

impl Opened {
    pub(super) fn new(given: &str, walked: Walked, passed: Vec<Passed>) -> Result<Self, NotOpened> {
        let kind = walked.kind();
        let Walked { path, mut held, missing } = walked;
        let (Some(last), false) = (held.pop(), kind == FileKind::Special) else {
            let place = PathPlace::Below { path, kind };
            return Err(NotOpened::Refused(Located { given: given.to_owned(), place, passed }));
        };
        let folder = held.pop().map(|held| held.descriptor);
        Ok(Self { given: given.to_owned(), path, kind, last, folder, missing, passed })
    }

    /// What [`call::Paths::locate`] said about it, to be compared with what was decided about.
    #[must_use]
    pub fn located(&self) -> Located {
        let place = PathPlace::Below { path: self.path.clone(), kind: self.kind };
        Located { given: self.given.clone(), place, passed: self.passed.clone() }
    }

    /// Where it is, without links.
    #[must_use]
    pub const fn path(&self) -> &AbsolutePath {
        &self.path
    }

    /// What it was when it was opened; never [`FileKind::Special`].
    #[must_use]
    pub const fn kind(&self) -> FileKind {
        self.kind
    }

    /// The components that do not exist, to be made in [`Opened::folder`] in this order. Empty,
    /// unless it is absent.
    #[must_use]
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The folder that it stands in, or that the first missing component would be made in, by a
    /// descriptor that only serves to look things up (`O_PATH`). A root itself has none.
    #[must_use]
    pub fn folder(&self) -> Option<BorrowedFd<'_>> {
        match self.kind {
            FileKind::Absent => Some(self.last.descriptor.as_fd()),
            FileKind::File | FileKind::Folder | FileKind::Special => self.folder.as_ref().map(AsFd::as_fd),
        }
    }

    /// Its name in [`Opened::folder`]; of an absent one, the first that is missing.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.missing.first().or(self.folder.is_some().then_some(&self.last.name)).map(String::as_str)
    }

    /// Opens the content of a file.
    ///
    /// It is looked up once more in the folder that is held, and must be the very file that was
    /// located. Never waits: a pipe that took its place is opened without a writer and refused.
    pub fn read(&self) -> Result<File, NotOpened> {
        match (self.kind, self.folder.as_ref(), self.name()) {
            (FileKind::File, Some(folder), Some(name)) => {
                let file = open_straight(folder, name, READ);
                self.same(file).map(File::from)
            }
            _ => Err(self.wrong_kind()),
        }
    }

    /// Opens a folder for listing. Names in it are to be located like any others.
    pub fn list(&self) -> Result<OwnedFd, NotOpened> {
        match self.kind {
            FileKind::Folder => self.same(open_in(&self.last.descriptor, ".", READ | OFlags::DIRECTORY)),
            FileKind::Absent | FileKind::File | FileKind::Special => Err(self.wrong_kind()),
        }
    }

    /// Whether two opened things are one, whatever their names.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.missing == other.missing && self.last.facts.identity == other.last.facts.identity
    }

    /// Whether `descriptor` is of what is held here. Never true of what is absent.
    #[must_use]
    pub fn is_held_by(&self, descriptor: impl AsFd) -> bool {
        self.kind != FileKind::Absent
            && Facts::of(descriptor).is_ok_and(|facts| facts.identity == self.last.facts.identity)
    }

    /// The descriptor, if it is of what is held.
    fn same(&self, opened: Result<OwnedFd, Errno>) -> Result<OwnedFd, NotOpened> {
        let path = || self.path.clone();
        let descriptor = match opened {
            Ok(descriptor) => descriptor,
            Err(Errno::NOENT | Errno::LOOP | Errno::NXIO | Errno::NOTDIR) => {
                return Err(NotOpened::Changed { path: path() });
            }
            Err(errno) => return Err(NotOpened::Unreadable { path: path(), source: errno.into() }),
        };
        match Facts::of(&descriptor) {
            Ok(facts) if facts.identity == self.last.facts.identity => Ok(descriptor),
            Ok(_) => Err(NotOpened::Changed { path: path() }),
            Err(errno) => Err(NotOpened::Unreadable { path: path(), source: errno.into() }),
        }
    }

    fn wrong_kind(&self) -> NotOpened {
        NotOpened::WrongKind { path: self.path.clone(), found: self.kind }
    }
}

/// What is said to a path that is refused.
fn refusal(place: &PathPlace) -> String {
    match place {
        PathPlace::Below { kind, .. } => format!("is {}", Words(*kind)),
        PathPlace::Outside => "is outside the allowed roots".to_owned(),
        PathPlace::GateHome => "leads into the gate's own home".to_owned(),
        PathPlace::Unclear(unclear) => unclear.to_string(),
    }
}

/// A kind of file, in words.
struct Words(FileKind);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            FileKind::Absent => "not there",
            FileKind::File => "a file",
            FileKind::Folder => "a folder",
            FileKind::Special => "a device, pipe or socket",
        })
    }
}
