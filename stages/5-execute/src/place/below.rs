//! What lies below a folder that is held, one name at a time.
//!
//! To follow every path of a large tree from its root would look at the same folders again and again.
//! Here each name is looked up once, in the folder that holds it and by no link, and what must not be met
//! (the gate's home, by whichever name, and procfs) is told by what the kernel says about it. Links are not
//! followed here at all: where one leads is a question for the [`Locator`].

use std::collections::BTreeSet;
use std::fs::File;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::OnceLock;

use call::is_gate_home;
use rustix::fs::{Dir, FileType, OFlags};
use rustix::io::Errno;

use super::disk::{Facts, Identity, READ, is_on_procfs, open_in};
use super::home::HomeNow;
use super::{Locator, NotOpened, Opened};

/// The ground below a folder, and what is never met on it.
#[derive(Debug)]
pub struct Below<'l> {
    home: HomeNow<'l>,
    /// Everything of the home, once it was asked for; nothing when it cannot be told.
    inside: OnceLock<Option<BTreeSet<Identity>>>,
}

/// A folder that is held for listing.
#[derive(Debug)]
pub struct Folder {
    descriptor: OwnedFd,
    facts: Facts,
}

/// What a name in a folder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// An ordinary file.
    File,
    /// A folder.
    Folder,
    /// A link, which leads wherever the [`Locator`] says.
    Link,
}

impl Locator {
    /// The ground below an opened folder, and the folder.
    ///
    /// # Errors
    /// When it is no folder any more, or cannot be listed.
    pub fn below(&self, opened: &Opened) -> Result<(Below<'_>, Folder), NotOpened> {
        let unreadable =
            |errno: Errno| NotOpened::Unreadable { path: opened.path().clone(), source: errno.into() };
        let descriptor = opened.list()?;
        let facts = Facts::of(&descriptor).map_err(unreadable)?;
        let home = self.home.now().map_err(unreadable)?;
        Ok((Below { home, inside: OnceLock::new() }, Folder { descriptor, facts }))
    }
}

impl Folder {
    /// The names in it with their kinds, where the disk tells them. Names that are no text are left out,
    /// because nobody can decide about them.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub fn names(&self) -> Result<impl Iterator<Item = (String, Option<Met>)>, std::io::Error> {
        let entries = Dir::read_from(&self.descriptor)?;
        Ok(entries.map_while(Result::ok).filter_map(|entry| {
            let name = entry.file_name().to_str().ok()?;
            let kind = match entry.file_type() {
                FileType::RegularFile => Some(Met::File),
                FileType::Directory => Some(Met::Folder),
                FileType::Symlink => Some(Met::Link),
                FileType::Unknown => None,
                FileType::Fifo | FileType::Socket | FileType::CharacterDevice | FileType::BlockDevice => {
                    return None;
                }
            };
            let shown = name != "." && name != ".." && !is_gate_home(name);
            shown.then(|| (name.to_owned(), kind))
        }))
    }
}

impl Below<'_> {
    /// What `name` stands for in `folder`; nothing when it must not be met, or is neither file nor folder.
    #[must_use]
    pub fn look(&self, folder: &Folder, name: &str) -> Option<Met> {
        let facts = Facts::in_folder(&folder.descriptor, name).ok()?;
        self.may_meet(folder, &facts, name).then_some(())?;
        match facts.kind {
            FileType::RegularFile => Some(Met::File),
            FileType::Directory => Some(Met::Folder),
            FileType::Symlink => Some(Met::Link),
            FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => None,
        }
    }

    /// Takes hold of a folder; nothing when there is none of this name that may be met.
    ///
    /// # Errors
    /// When there is one, and the system does not let it be listed.
    pub fn enter(&self, folder: &Folder, name: &str) -> Result<Option<Folder>, std::io::Error> {
        let descriptor = match open_in(&folder.descriptor, name, READ | OFlags::DIRECTORY) {
            Ok(descriptor) => descriptor,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
            Err(errno) => return Err(errno.into()),
        };
        let facts = Facts::of(&descriptor)?;
        let foreign = !facts.same_device(&folder.facts) && is_on_procfs(&descriptor)?;
        let met = !foreign && self.may_meet(folder, &facts, name);
        Ok(met.then_some(Folder { descriptor, facts }))
    }

    /// Opens a file; nothing when there is none of this name that may be met.
    ///
    /// # Errors
    /// When there is one, and the system does not let it be read.
    pub fn open(&self, folder: &Folder, name: &str) -> Result<Option<File>, std::io::Error> {
        let descriptor = match open_in(folder.descriptor.as_fd(), name, READ) {
            Ok(descriptor) => descriptor,
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::NXIO) => return Ok(None),
            Err(errno) => return Err(errno.into()),
        };
        let facts = Facts::of(&descriptor)?;
        let met = facts.kind == FileType::RegularFile && self.may_meet(folder, &facts, name);
        Ok(met.then(|| File::from(descriptor)))
    }

    /// Whether this is none of the home's. Only a file with several names, or one that comes with a mount
    /// of its own, can be one that lies elsewhere.
    fn may_meet(&self, folder: &Folder, facts: &Facts, name: &str) -> bool {
        if is_gate_home(name) || self.home.is(facts.identity) {
            return false;
        }
        let is_linked = facts.kind != FileType::Directory && facts.names > 1;
        let is_mounted = facts.mount.is_none() || facts.mount != folder.facts.mount;
        if !is_linked && !is_mounted {
            return true;
        }
        let inside = self.inside.get_or_init(|| self.home.identities().ok());
        inside.as_ref().is_some_and(|inside| !inside.contains(&facts.identity))
    }
}
