//! The way that nearly all paths go: plain names, real folders, one disk. The kernel goes it in one step.
//!
//! It gives the answer of the [walk](super::walk) or none, and none is no refusal: the walk goes everywhere else.
//!
//! **Why nothing on the way has to be looked at.** The root stands where it stood, and the home stands in it,
//! under its own name and by no link. The kernel is told to follow no link and to cross no mount. So every
//! folder that it comes through has one name alone, and one that is the home would show in the text of the path.
//! A file can have several names; one that has is left to the walk.

use std::fs::File;
use std::os::fd::{AsFd as _, OwnedFd};

use call::{AbsolutePath, FileKind};
use rustix::fs::{FileType, OFlags};

use super::disk::{Extent, Facts, LOOK, READ, open_on_one_disk};
use super::entrance::Entrance;
use super::home::Home;
use super::root::Root;

/// A path that may go straight, and the root that it begins at.
struct Way<'l> {
    root: &'l Root,
    path: AbsolutePath,
}

/// Where `given` leads, and what stands there.
pub(super) fn look(
    entrance: &Entrance,
    roots: &[Root],
    home: &Home,
    given: &str,
) -> Option<(AbsolutePath, FileKind)> {
    let way = Way::of(entrance, roots, given)?;
    let facts = way.open(home, LOOK)?.1;
    Some((way.path, facts.file_kind()))
}

/// The file that `given` leads to, open to be read, and how much there is of it. Only asked about what is known to
/// be a file: to open something else may do something.
pub(super) fn read(
    entrance: &Entrance,
    roots: &[Root],
    home: &Home,
    given: &str,
) -> Option<(AbsolutePath, File, Extent)> {
    let way = Way::of(entrance, roots, given)?;
    let (descriptor, facts) = way.open(home, READ)?;
    (facts.kind == FileType::RegularFile).then(|| (way.path, File::from(descriptor), facts.extent))
}

impl<'l> Way<'l> {
    fn of(entrance: &Entrance, roots: &'l [Root], given: &str) -> Option<Self> {
        let (root, path) = entrance.straight(given)?;
        Some(Self { root: roots.get(root)?, path })
    }

    fn open(&self, home: &Home, flags: OFlags) -> Option<(OwnedFd, Facts)> {
        let root = self.root.stands().ok()??;
        let below = self.path.below(self.root.path()).filter(|below| !below.is_empty())?;
        if !home.stands_in(root.as_fd(), self.root.path()) || home.covers(&self.path) {
            return None;
        }
        let descriptor = open_on_one_disk(&root, below, flags).ok()?;
        let facts = Facts::of(&descriptor).ok()?;
        let one_name = facts.kind == FileType::Directory || facts.names == 1;
        (one_name && facts.kind != FileType::Symlink).then_some((descriptor, facts))
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "these tests change a real disk")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::{Path, PathBuf};

    use call::{AbsolutePath, FileKind};
    use tempfile::TempDir;

    use super::super::Locator;

    struct Disk {
        _folder: TempDir,
        base: PathBuf,
    }

    impl Disk {
        /// A workspace `ws` with a home in it, and a file and a folder beside.
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let base = folder.path().canonicalize().unwrap();
            fs::create_dir_all(base.join("ws/.toolgate")).unwrap();
            fs::create_dir_all(base.join("ws/a/b")).unwrap();
            fs::write(base.join("ws/a/b/file"), "content").unwrap();
            Self { _folder: folder, base }
        }

        fn locator(&self) -> Locator {
            let path = |path: &str| AbsolutePath::parse(self.base.join(path).to_str().unwrap()).unwrap();
            Locator::new(&path("ws"), &[path("ws")], &path("ws/.toolgate")).unwrap()
        }
    }

    /// What the straight way says, if it says anything: never anything else than the walk.
    fn look(locator: &Locator, given: &str) -> Option<FileKind> {
        let Locator { entrance, roots, home } = locator;
        let straight = super::look(entrance, roots, home, given);
        let mut passed = Vec::new();
        let walked = locator.walk(given, &mut passed).map(|walked| (walked.path.clone(), walked.kind()));
        straight.map(|straight| {
            assert_eq!(Ok(&straight), walked.as_ref(), "{given}");
            assert_eq!(passed, [], "{given}");
            straight.1
        })
    }

    #[test]
    fn plain_paths_to_what_is_there_go_straight() {
        let disk = Disk::new();
        let locator = disk.locator();
        let absolute = disk.base.join("ws/a/b/file");
        assert_eq!(look(&locator, "a/b/file"), Some(FileKind::File));
        assert_eq!(look(&locator, "a"), Some(FileKind::Folder));
        assert_eq!(look(&locator, absolute.to_str().unwrap()), Some(FileKind::File));
        let (path, file, extent) = locator.read("a/b/file").unwrap();
        assert_eq!(extent, super::Extent::of(&file).unwrap());
        assert_eq!(extent.size, 7);
        assert_eq!(Path::new(path.as_str()), absolute);
        assert_eq!(std::io::read_to_string(file).unwrap(), "content");
        assert!(locator.read("a").is_none(), "a folder is not read");
    }

    #[test]
    fn whatever_else_there_is_has_to_be_walked() {
        let disk = Disk::new();
        let at = |path: &str| disk.base.join(path);
        symlink("a", at("ws/link")).unwrap();
        symlink("file", at("ws/a/b/last")).unwrap();
        fs::hard_link(at("ws/a/b/file"), at("ws/a/twin")).unwrap();
        let deep = ["d"; super::super::entrance::MOST_PLAIN + 1].join("/");
        fs::create_dir_all(at("ws").join(&deep)).unwrap();
        let locator = disk.locator();
        let outside = at("a/b/file");
        let others = [
            "",
            ".",
            "a/",
            "a//b",
            "./a",
            "a/../a",
            "../ws/a",
            "link/b/file",
            "a/b/last",
            "a/twin",
            "a/missing",
            "a/b/file/x",
            ".toolgate",
            "a/.toolgate/x",
            "~",
            "a\0",
            &deep,
            outside.to_str().unwrap(),
        ];
        for given in others {
            assert_eq!(look(&locator, given), None, "{given:?}");
        }
    }

    #[test]
    fn nothing_goes_straight_unless_root_and_home_stand_where_they_stood() {
        let moved: [fn(&Path); 4] = [
            |base| fs::rename(base.join("ws/.toolgate"), base.join("ws/a/home")).unwrap(),
            |base| {
                fs::rename(base.join("ws/.toolgate"), base.join("ws/a/home")).unwrap();
                symlink("a/home", base.join("ws/.toolgate")).unwrap();
            },
            |base| {
                fs::rename(base.join("ws"), base.join("other")).unwrap();
                symlink("other", base.join("ws")).unwrap();
            },
            |base| {
                fs::rename(base.join("ws"), base.join("other")).unwrap();
                fs::create_dir_all(base.join("ws/.toolgate")).unwrap();
                fs::create_dir_all(base.join("ws/a/b")).unwrap();
                fs::write(base.join("ws/a/b/file"), "another").unwrap();
            },
        ];
        for change in moved {
            let disk = Disk::new();
            let locator = disk.locator();
            assert_eq!(look(&locator, "a/b/file"), Some(FileKind::File));
            change(&disk.base);
            for given in ["a/b/file", "a/home", "a"] {
                assert_eq!(look(&locator, given), None);
                assert!(locator.read(given).is_none());
            }
        }
    }
}
