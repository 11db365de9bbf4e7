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
    /// The top of the disk, from which the path is followed again on each walk.
    top: OwnedFd,
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
        let top = open_in(rustix::fs::CWD, "/", LOOK | OFlags::DIRECTORY).map_err(unreadable)?;
        let folder = open_by_path(&top, &path).map_err(unreadable)?;
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
        Ok(Self { path, folder, facts, top })
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

    /// Takes hold of it once more, if its path still leads to the folder that is held, and by no link.
    pub(super) fn stands(&self) -> Result<Option<OwnedFd>, Errno> {
        let now = open_by_path(&self.top, &self.path).and_then(|now| Ok((Facts::of(&now)?, now)));
        match now {
            Ok((facts, _)) if facts.identity != self.facts.identity => Ok(None),
            Ok((facts, now)) if facts.mount == self.facts.mount => Ok(Some(now)),
            // The same folder, by a mount that somebody put over it: what it showed before is what it shows.
            Ok(_) => open_in(&self.folder, ".", LOOK | OFlags::DIRECTORY).map(Some),
            Err(_) => Ok(None),
        }
    }
}

/// Opens a path that has no links.
fn open_by_path(top: &OwnedFd, path: &AbsolutePath) -> Result<OwnedFd, Errno> {
    open_straight(top, path.as_str().trim_start_matches('/'), LOOK)
}
