//! The gate's own home, by whichever way one comes to it.

use std::collections::BTreeSet;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::OnceLock;

use call::AbsolutePath;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;
use rustix::path::Arg;

use super::disk::{Facts, Identity, READ, open_in};
use super::real_path;

/// The home, which may not be there yet.
#[derive(Debug)]
pub(super) struct Home {
    given: AbsolutePath,
    real: AbsolutePath,
    /// The folder that was the home when it was first seen. It stays the home when it is renamed,
    /// and as long as it is held no other folder gets its number.
    held: OnceLock<Folder>,
}

/// A folder that is the home.
#[derive(Debug)]
struct Folder {
    descriptor: OwnedFd,
    identity: Identity,
}

impl Home {
    pub(super) fn new(given: &AbsolutePath) -> Self {
        let held = look(given).ok().flatten().map(OnceLock::from).unwrap_or_default();
        Self { given: given.clone(), real: real_path(given), held }
    }

    /// The home as it is now. An error means that it cannot be told.
    pub(super) fn now(&self) -> Result<HomeNow<'_>, Errno> {
        // Mostly the folder that is held still stands there, which one question tells: as long as it is held,
        // no other folder has its number.
        if let Some(held) = self.held.get()
            && Facts::at(self.given.as_str()).is_ok_and(|facts| facts.identity == held.identity)
        {
            return Ok(HomeNow { home: self, now: None });
        }
        let mut now = look(&self.given)?;
        if self.held.get().is_none()
            && let Some(first) = now.take()
        {
            now = self.held.set(first).err();
        }
        Ok(HomeNow { home: self, now })
    }

    /// Whether it stands in this folder, which has this path: the folder that is held, and by no link.
    pub(super) fn stands_in(&self, folder: BorrowedFd<'_>, path: &AbsolutePath) -> bool {
        let name = self.real.below(path).filter(|name| !name.is_empty() && !name.contains('/'));
        let (Some(name), Some(held)) = (name.filter(|_| self.given == self.real), self.held.get()) else {
            return false;
        };
        Facts::in_folder(folder, name).is_ok_and(|facts| facts.identity == held.identity)
    }

    /// Whether a path, by its text, is the home or lies in it.
    pub(super) fn covers(&self, path: &AbsolutePath) -> bool {
        path.is_within(&self.given) || path.is_within(&self.real)
    }
}

/// The folders that are the home during one walk.
#[derive(Debug)]
pub(super) struct HomeNow<'h> {
    home: &'h Home,
    /// What stands at its path, unless that is the folder that is held all the time.
    now: Option<Folder>,
}

impl HomeNow<'_> {
    /// Whether this is the home itself.
    pub(super) fn is(&self, identity: Identity) -> bool {
        self.folders().any(|folder| folder.identity == identity)
    }

    /// Whether a path, by its text, is the home or lies in it.
    pub(super) fn covers(&self, path: &AbsolutePath) -> bool {
        self.home.covers(path)
    }

    /// Whether any of these lies in the home, under whichever name. What cannot be looked at, or
    /// not to the end, counts as yes.
    pub(super) fn holds_any(&self, wanted: &[Identity]) -> bool {
        self.folders().any(|folder| search(folder, wanted).unwrap_or(true))
    }

    /// Everything that is the home or lies in it, whatever its names. An error means that it cannot be
    /// told.
    pub(super) fn identities(&self) -> Result<BTreeSet<Identity>, Errno> {
        let mut all = BTreeSet::new();
        for folder in self.folders() {
            all.insert(folder.identity);
            visit(folder, &mut |identity| {
                all.insert(identity);
                false
            })?;
        }
        Ok(all)
    }

    fn folders(&self) -> impl Iterator<Item = &Folder> {
        let now = self.now.as_ref();
        let held = self.home.held.get();
        let renamed = held.filter(|held| now.is_none_or(|now| now.identity != held.identity));
        now.into_iter().chain(renamed)
    }
}

/// What stands at the path of the home, links followed; nothing, if nothing does.
fn look(path: &AbsolutePath) -> Result<Option<Folder>, Errno> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    match rustix::fs::openat(CWD, path.as_str(), flags, Mode::empty()) {
        Ok(descriptor) => Ok(Some(Folder { identity: Facts::of(&descriptor)?.identity, descriptor })),
        Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// Whether one of `wanted` lies below `home`.
fn search(home: &Folder, wanted: &[Identity]) -> Result<bool, Errno> {
    visit(home, &mut |identity| wanted.contains(&identity))
}

/// Shows everything below `home` to `is_wanted`, until it says yes.
fn visit(home: &Folder, is_wanted: &mut dyn FnMut(Identity) -> bool) -> Result<bool, Errno> {
    let mut left = ENTRIES;
    let mut open = match read(&home.descriptor, ".") {
        Ok(folder) => vec![folder],
        // The home is a file, which has nothing below it.
        Err(Errno::NOTDIR) => return Ok(false),
        Err(errno) => return Err(errno),
    };
    while let Some(folder) = open.last_mut() {
        let Some(entry) = folder.next() else {
            open.pop();
            continue;
        };
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        left = left.checked_sub(1).ok_or(Errno::NOBUFS)?;
        let inside = folder.fd()?;
        let facts = match rustix::fs::statat(inside, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Facts::from(&stat),
            Err(Errno::NOENT) => continue,
            Err(errno) => return Err(errno),
        };
        if is_wanted(facts.identity) {
            return Ok(true);
        }
        if facts.kind == FileType::Directory {
            match read(inside, name) {
                Ok(_) if open.len() >= DEPTH => return Err(Errno::NOBUFS),
                Ok(below) => open.push(below),
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(errno),
            }
        }
    }
    Ok(false)
}

fn read(folder: impl AsFd, name: impl Arg + Copy) -> Result<Dir, Errno> {
    Dir::new(open_in(folder, name, READ | OFlags::DIRECTORY)?)
}

/// How much of the home is looked at before the answer is yes.
const ENTRIES: u32 = 100_000;
const DEPTH: usize = 64;

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

    use super::{Home, Identity};
    use call::AbsolutePath;

    #[test]
    fn what_lies_too_deep_to_be_looked_at_counts_as_home() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::new(&AbsolutePath::parse(folder.path().to_str().unwrap()).unwrap());
        let elsewhere = super::look(&AbsolutePath::root()).unwrap().unwrap().identity;
        assert!(!home.now().unwrap().holds_any(&[elsewhere]));

        let mut deep = folder.path().to_owned();
        for _ in 0..super::DEPTH {
            deep.push("d");
            std::fs::create_dir(&deep).unwrap();
        }
        assert!(home.now().unwrap().holds_any(&[elsewhere]));
    }

    #[test]
    fn files_of_every_folder_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::new(&AbsolutePath::parse(folder.path().to_str().unwrap()).unwrap());
        std::fs::create_dir(folder.path().join("a")).unwrap();
        let file = tempfile::NamedTempFile::new_in(folder.path().join("a")).unwrap();
        let data = file.as_file().metadata().unwrap();
        let identity = Identity { device: data.dev(), inode: data.ino() };
        assert!(home.now().unwrap().holds_any(&[identity]));
        assert!(!home.now().unwrap().is(identity));
    }
}
