//! The few questions that are asked of the kernel, each by descriptor.

use std::os::fd::{AsFd, OwnedFd};

use call::FileKind;
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, ResolveFlags, StatxFlags};
use rustix::io::{Errno, retry_on_intr};
use rustix::path::Arg;

/// To look at something without opening it, and without following it if it is a link.
pub(super) const LOOK: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// To read something that is known not to be a link. Without `NONBLOCK` a pipe that somebody put
/// there meanwhile would wait for a writer.
pub(super) const READ: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// Below the folder alone, and through real folders alone.
const STRAIGHT: ResolveFlags =
    ResolveFlags::BENEATH.union(ResolveFlags::NO_SYMLINKS).union(ResolveFlags::NO_MAGICLINKS);

/// Which file or folder it is, whatever its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Identity {
    pub(super) device: u64,
    pub(super) inode: u64,
}

/// What the kernel says about something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub(super) identity: Identity,
    pub(super) kind: FileType,
    pub(super) names: u64,
    /// The mount it was reached by, where the kernel tells.
    pub(super) mount: Option<u64>,
    pub(super) extent: Extent,
}

/// How much there is of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Bytes.
    pub(crate) size: u64,
    /// Not all of them take up room on the disk: there are holes, which read as NUL bytes.
    pub(crate) is_sparse: bool,
}

impl Extent {
    /// Of a file that is open.
    pub(crate) fn of(file: impl AsFd) -> Result<Self, Errno> {
        let stat = rustix::fs::fstat(file)?;
        Ok(Self::new(
            stat.st_size.try_into().unwrap_or_default(),
            stat.st_blocks.try_into().unwrap_or(u64::MAX),
        ))
    }

    /// Blocks are of 512 bytes, whatever the disk has.
    const fn new(size: u64, blocks: u64) -> Self {
        Self { size, is_sparse: blocks.saturating_mul(512) < size }
    }
}

impl Facts {
    /// What the holder of `descriptor` holds.
    pub(super) fn of(descriptor: impl AsFd) -> Result<Self, Errno> {
        let wanted = StatxFlags::BASIC_STATS | StatxFlags::MNT_ID;
        match rustix::fs::statx(&descriptor, c"", AtFlags::EMPTY_PATH, wanted) {
            Ok(stat) => Ok(Self::from_statx(&stat)),
            Err(Errno::NOSYS | Errno::PERM) => rustix::fs::fstat(&descriptor).map(|stat| Self::from(&stat)),
            Err(errno) => Err(errno),
        }
    }

    /// What a path leads to, links followed.
    pub(super) fn at(path: &str) -> Result<Self, Errno> {
        let wanted = StatxFlags::BASIC_STATS | StatxFlags::MNT_ID;
        match rustix::fs::statx(CWD, path, AtFlags::NO_AUTOMOUNT, wanted) {
            Ok(stat) => Ok(Self::from_statx(&stat)),
            Err(Errno::NOSYS | Errno::PERM) => rustix::fs::stat(path).map(|stat| Self::from(&stat)),
            Err(errno) => Err(errno),
        }
    }

    /// What is called `name` in `folder`, be it a link.
    pub(super) fn in_folder(folder: impl AsFd, name: &str) -> Result<Self, Errno> {
        let wanted = StatxFlags::BASIC_STATS | StatxFlags::MNT_ID;
        match rustix::fs::statx(&folder, name, AtFlags::SYMLINK_NOFOLLOW, wanted) {
            Ok(stat) => Ok(Self::from_statx(&stat)),
            Err(Errno::NOSYS | Errno::PERM) => {
                rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW).map(|stat| Self::from(&stat))
            }
            Err(errno) => Err(errno),
        }
    }

    fn from_statx(stat: &rustix::fs::Statx) -> Self {
        Self {
            identity: Identity {
                device: rustix::fs::makedev(stat.stx_dev_major, stat.stx_dev_minor),
                inode: stat.stx_ino,
            },
            kind: FileType::from_raw_mode(stat.stx_mode.into()),
            names: stat.stx_nlink.into(),
            mount: (stat.stx_mask & StatxFlags::MNT_ID.bits() != 0).then_some(stat.stx_mnt_id),
            extent: Extent::new(stat.stx_size, stat.stx_blocks),
        }
    }

    pub(super) fn same_device(&self, other: &Self) -> bool {
        self.identity.device == other.identity.device
    }

    pub(super) const fn file_kind(&self) -> FileKind {
        match self.kind {
            FileType::RegularFile => FileKind::File,
            FileType::Directory => FileKind::Folder,
            FileType::Symlink
            | FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => FileKind::Special,
        }
    }
}

impl From<&rustix::fs::Stat> for Facts {
    #[expect(clippy::useless_conversion, reason = "the widths differ between architectures")]
    fn from(stat: &rustix::fs::Stat) -> Self {
        Self {
            identity: Identity { device: stat.st_dev.into(), inode: stat.st_ino.into() },
            kind: FileType::from_raw_mode(stat.st_mode),
            names: stat.st_nlink.into(),
            mount: None,
            extent: Extent::new(
                stat.st_size.try_into().unwrap_or_default(),
                stat.st_blocks.try_into().unwrap_or(u64::MAX),
            ),
        }
    }
}

/// Opens one component of `folder`.
pub(super) fn open_in(folder: impl AsFd, name: impl Arg + Copy, flags: OFlags) -> Result<OwnedFd, Errno> {
    retry_on_intr(|| rustix::fs::openat(&folder, name, flags, Mode::empty()))
}

/// Opens a path of plain components below `folder`, through real folders alone. None at all is the folder
/// itself.
pub(super) fn open_straight(folder: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    let path = if path.is_empty() { "." } else { path };
    match retry_on_intr(|| rustix::fs::openat2(&folder, path, flags, Mode::empty(), STRAIGHT)) {
        // Older than the call, or a filter that does not know it.
        Err(Errno::NOSYS | Errno::PERM) => open_stepwise(folder, path, flags),
        other => other,
    }
}

/// The same, and through no mount. A kernel that cannot promise that opens nothing.
pub(super) fn open_on_one_disk(folder: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    let resolve = STRAIGHT.union(ResolveFlags::NO_XDEV);
    retry_on_intr(|| rustix::fs::openat2(&folder, path, flags, Mode::empty(), resolve))
}

/// What [`open_straight`] does on kernels without `openat2`: the last folder is reached by steps that follow no
/// link, which is no weaker, only slower.
fn open_stepwise(folder: impl AsFd, path: &str, flags: OFlags) -> Result<OwnedFd, Errno> {
    let mut at = open_in(&folder, ".", LOOK | OFlags::DIRECTORY)?;
    let Some((before, last)) = path.rsplit_once('/') else {
        return open_in(&at, path, flags | OFlags::NOFOLLOW);
    };
    for name in before.split('/') {
        at = open_in(&at, name, LOOK | OFlags::DIRECTORY)?;
    }
    open_in(&at, last, flags | OFlags::NOFOLLOW)
}

/// Whether it lies on procfs, whose links are no paths.
pub(super) fn is_on_procfs(descriptor: impl AsFd) -> Result<bool, Errno> {
    Ok(rustix::fs::fstatfs(&descriptor)?.f_type == rustix::fs::PROC_SUPER_MAGIC)
}

/// The target of a link that is held.
pub(super) fn target(link: impl AsFd) -> Result<Vec<u8>, Errno> {
    Ok(rustix::fs::readlinkat(&link, c"", Vec::new())?.into_bytes())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::{CWD, Facts, LOOK, READ, open_in, open_stepwise, open_straight};
    use rustix::fs::Mode;
    use rustix::io::Errno;

    #[test]
    fn steps_without_openat2_refuse_the_same_links() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("real/deep");
        rustix::fs::mkdir(folder.path().join("real"), Mode::RWXU).unwrap();
        rustix::fs::mkdir(&below, Mode::RWXU).unwrap();
        rustix::fs::open(below.join("file"), rustix::fs::OFlags::CREATE, Mode::RWXU).unwrap();
        symlink("real", folder.path().join("link")).unwrap();
        symlink("file", below.join("last")).unwrap();
        let held = rustix::fs::openat(CWD, folder.path(), LOOK, Mode::empty()).unwrap();

        let cases: [(&str, Result<(), Errno>); 6] = [
            (".", Ok(())),
            ("real", Ok(())),
            ("real/deep/file", Ok(())),
            ("link/deep/file", Err(Errno::NOTDIR)),
            ("real/deep/last", Err(Errno::LOOP)),
            ("real/missing", Err(Errno::NOENT)),
        ];
        for (path, want) in cases {
            let straight = open_straight(&held, path, READ);
            let stepwise = open_stepwise(&held, path, READ);
            assert_eq!(stepwise.as_ref().map(|_| ()).map_err(|errno| *errno), want, "{path}");
            assert_eq!(straight.is_ok(), stepwise.is_ok(), "{path}");
            if let (Ok(one), Ok(other)) = (straight, stepwise) {
                assert_eq!(Facts::of(one).unwrap().identity, Facts::of(other).unwrap().identity, "{path}");
            }
        }
    }

    #[test]
    fn both_ways_to_ask_name_the_same_file() {
        let held = open_in(CWD, "/", LOOK).unwrap();
        let facts = Facts::of(&held).unwrap();
        let stat = Facts::from(&rustix::fs::fstat(&held).unwrap());
        assert_eq!((facts.identity, facts.kind, facts.names), (stat.identity, stat.kind, stat.names));
        let path = Facts::at("/").unwrap();
        assert_eq!((facts.identity, facts.kind, facts.mount), (path.identity, path.kind, path.mount));
    }
}
