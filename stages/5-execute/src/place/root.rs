//! A folder that paths may lead below, held open.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use call::AbsolutePath;
use rustix::fs::{FileType, OFlags};
use rustix::io::Errno;

use super::disk::{Facts, LOOK, is_on_procfs, open_in, open_straight};
use super::real_path;

/// A root, where it really is.
#[derive(Debug)]
pub(super) struct Root {
    path: AbsolutePath,
    folder: OwnedFd,
    facts: Facts,
}

/// Why a folder cannot be a root.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadRoot {
    /// Nothing is there.
    #[error("the allowed root `{root}` does not exist")]
    Missing {
        /// The root, as it was given.
        root: AbsolutePath,
    },
    /// Something else is there.
    #[error("the allowed root `{root}` is not a folder")]
    NotFolder {
        /// The root, as it was given.
        root: AbsolutePath,
    },
    /// It lies on procfs, where links lead to what processes have open.
    #[error("the allowed root `{root}` lies on procfs")]
    OnProcfs {
        /// The root, as it was given.
        root: AbsolutePath,
    },
    /// The system says why.
    #[error("the allowed root `{root}` cannot be opened")]
    Unreadable {
        /// The root, as it was given.
        root: AbsolutePath,
        /// What the system says.
        #[source]
        source: io::Error,
    },
}

impl Root {
    /// Opens the folder that `given` leads to.
    pub(super) fn open(given: &AbsolutePath) -> Result<Self, BadRoot> {
        let root = || given.clone();
        let unreadable = |errno: Errno| match errno {
            Errno::NOENT => BadRoot::Missing { root: root() },
            Errno::NOTDIR => BadRoot::NotFolder { root: root() },
            other => BadRoot::Unreadable { root: root(), source: other.into() },
        };
        let path = real_path(given);
        let folder = open_by_path(&path).map_err(unreadable)?;
        let facts = Facts::of(&folder).map_err(unreadable)?;
        if facts.kind == FileType::Symlink {
            // Its links were followed as far as they go, and this one goes nowhere.
            return Err(BadRoot::Missing { root: root() });
        }
        if facts.kind != FileType::Directory {
            return Err(BadRoot::NotFolder { root: root() });
        }
        if is_on_procfs(&folder).map_err(unreadable)? {
            return Err(BadRoot::OnProcfs { root: root() });
        }
        Ok(Self { path, folder, facts })
    }

    /// Where it really is.
    pub(super) const fn path(&self) -> &AbsolutePath {
        &self.path
    }

    pub(super) const fn facts(&self) -> &Facts {
        &self.facts
    }

    pub(super) fn folder(&self) -> BorrowedFd<'_> {
        self.folder.as_fd()
    }

    /// Whether its path still leads to the folder that is held, and by no link.
    pub(super) fn still_stands(&self) -> bool {
        open_by_path(&self.path).and_then(Facts::of).is_ok_and(|facts| facts.identity == self.facts.identity)
    }
}

/// Opens a path that has no links.
fn open_by_path(path: &AbsolutePath) -> Result<OwnedFd, Errno> {
    let top = open_in(rustix::fs::CWD, "/", LOOK | OFlags::DIRECTORY)?;
    open_straight(top, &path.components().collect::<Vec<_>>(), LOOK)
}
