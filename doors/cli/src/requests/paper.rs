//! A document in its folder, opened once.
//!
//! Everything that is done with it is done with what was read from that one descriptor. A name is used again
//! only to move the file, and only while it still leads to the file that was read.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, statat};

use crate::checker::Rejected;
use crate::find::{FolderId, folder_id};
use crate::home::Home;
use crate::publish::{flush_names, rename};
use crate::quarantine::{NotMoved, Quarantine};
use crate::read::{Identity, Opened, Unreadable};

/// Where in its life a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shelf {
    /// Drafted, in the home.
    Drafts,
    /// Approved, in the home.
    Approved,
    /// It has run.
    Done,
    /// It breaks a rule.
    Quarantine,
    /// Somewhere else on disk.
    Elsewhere,
}

impl Shelf {
    /// Those of a home, in the order in which an id is looked for.
    const ALL: [(Self, &'static str); 4] = [
        (Self::Approved, "approved"),
        (Self::Drafts, "drafts"),
        (Self::Done, "done"),
        (Self::Quarantine, "quarantine"),
    ];
}

/// The folder of a shelf.
pub(crate) fn shelf(home: &Home, name: &str) -> PathBuf {
    home.folder().join("requests").join(name)
}

/// A document that was read.
#[derive(Debug)]
pub(crate) struct Paper {
    /// Its path, for people.
    pub(crate) path: PathBuf,
    /// The folder that it was found in.
    folder: OwnedFd,
    name: OsString,
    /// Where in its life it is.
    pub(crate) shelf: Shelf,
    opened: Opened,
    /// What was read.
    pub(crate) bytes: Vec<u8>,
}

/// Why there is no document.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoPaper {
    /// Nobody knows this id.
    #[error("there is no request `{0}` in this home")]
    Unknown(String),
    /// It cannot be read.
    #[error("`{path}`: {why}")]
    Unreadable {
        /// Its path.
        path: String,
        /// Why.
        why: Unreadable,
    },
}

impl Paper {
    /// Finds a document by its path or its id, and reads it.
    pub(crate) fn open(home: &Home, named: &str) -> Result<Self, NoPaper> {
        let path = if is_id(named) { by_id(home, named)? } else { PathBuf::from(named) };
        Self::read(home, &path)
            .map_err(|why| NoPaper::Unreadable { path: path.to_string_lossy().into_owned(), why })
    }

    /// Reads the document at a path.
    pub(crate) fn read(home: &Home, path: &Path) -> Result<Self, Unreadable> {
        let name = path.file_name().ok_or(Unreadable::NotRegular("folder"))?.to_owned();
        let parent = parent(path);
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(parent, flags, Mode::empty())
            .map_err(|errno| Unreadable::System(errno.into()))?;
        let opened = Opened::open_in(folder.as_fd(), &name)?;
        let mut bytes = Vec::new();
        opened.read(&mut bytes)?;
        let stat = rustix::fs::fstat(&folder).map_err(|errno| Unreadable::System(errno.into()))?;
        let shelf = shelf_of(home, (stat.st_dev, stat.st_ino));
        Ok(Self { path: path.to_owned(), folder, name, shelf, opened, bytes })
    }

    /// The name without its extension.
    pub(crate) fn stem(&self) -> Option<String> {
        Path::new(&self.name).file_stem().map(|stem| stem.to_string_lossy().into_owned())
    }

    pub(crate) fn name(&self) -> &OsStr {
        &self.name
    }

    /// The folder that it lies in.
    pub(crate) fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// The name of the file with its signatures.
    pub(crate) fn signatures(&self) -> OsString {
        let mut name = Path::new(&self.name).file_stem().unwrap_or(&self.name).to_owned();
        name.push(".sig");
        name
    }

    /// Whether its name still leads to the file that was read.
    pub(crate) fn is_there(&self) -> bool {
        statat(&self.folder, &self.name, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|stat| Identity::of(&stat) == self.opened.identity)
    }

    /// Moves it and its signatures to another shelf, one way, and never over anything. What lies there now
    /// is moved only when it is what was read; false when it is not.
    pub(crate) fn move_to(&self, home: &Home, shelf_name: &str) -> io::Result<bool> {
        if !self.is_there() {
            return Ok(false);
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let target = rustix::fs::open(shelf(home, shelf_name), flags, Mode::empty())?;
        rename(&self.folder, self.name.as_os_str(), &target, self.name.as_os_str())?;
        let stat = statat(&target, &self.name, AtFlags::SYMLINK_NOFOLLOW)?;
        if !Identity::of(&stat).same_content(&self.opened.identity) {
            // Between the look and the rename another file took the name. It goes back.
            rename(&target, self.name.as_os_str(), &self.folder, self.name.as_os_str())?;
            return Ok(false);
        }
        let signatures = self.signatures();
        // A request that was let through without signatures has none. Any that lie there already are of no
        // document: its name was free.
        let _ = rustix::fs::renameat(&self.folder, &signatures, &target, &signatures);
        flush_names(target.as_fd())?;
        flush_names(self.folder.as_fd())?;
        Ok(true)
    }

    /// Moves it to quarantine, with the reasons beside it.
    pub(crate) fn quarantine(self, home: &Home, reasons: String, json: &str) -> Result<PathBuf, NotMoved> {
        let quarantine = Quarantine::open(&shelf(home, "quarantine"))?;
        let rejected = Rejected { path: self.path, opened: self.opened, reasons };
        Ok(quarantine.admit(&rejected, json)?.document)
    }
}

/// The folder that a path lies in.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    }
}

fn is_id(named: &str) -> bool {
    named.starts_with("TR-") && !named.contains('/') && !named.ends_with(".md")
}

fn by_id(home: &Home, id: &str) -> Result<PathBuf, NoPaper> {
    let paths = Shelf::ALL.iter().map(|(_, name)| shelf(home, name).join(format!("{id}.md")));
    let found = paths.into_iter().find(|path| path.symlink_metadata().is_ok());
    found.ok_or_else(|| NoPaper::Unknown(id.to_owned()))
}

fn shelf_of(home: &Home, folder: FolderId) -> Shelf {
    let own = Shelf::ALL.iter().find(|(_, name)| folder_id(&shelf(home, name)) == Some(folder));
    own.map_or(Shelf::Elsewhere, |(shelf, _)| *shelf)
}
