//! Puts content at a place, whole or not at all.
//!
//! The content is written to a file without a name, on the disk of the folder that is held, and made durable.
//! It gets a name beside its place, and then both change names in one step of the kernel. Only now is it
//! looked at what stood there: if that is not the very file that was read before, or the folder is not where
//! it was, they change names again and nothing happened. So what somebody else put there meanwhile is never
//! lost.
//!
//! A file with several names gets new content under this name alone. Mode and owner are kept as far as the
//! system lets us; access lists and other extended attributes are not.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::time::Duration;

use call::{Fault, FileKind, Sha256};
use rustix::fs::{Access, AtFlags, CWD, Dir, FlockOperation, Gid, Mode, OFlags, RenameFlags, Uid};
use rustix::io::Errno;

use super::patience::Patience;
use super::seen::{CHUNK, FileFacts, Seen};
use super::spot::Spot;
use super::target::{not_opened, unwritable};
use crate::place::{Locator, Opened};

const NEW_FILE: OFlags =
    OFlags::RDWR.union(OFlags::CREATE).union(OFlags::EXCL).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
const READ_FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// How often an exchange that somebody else disturbs is tried to be undone.
const ATTEMPTS: usize = 1_000;

/// How often, and how long each time, a call waits for its turn.
const TURNS: u32 = 5_000;
const TURN: Duration = Duration::from_micros(200);

/// What is put where.
pub(super) struct Replacement<'a> {
    pub(super) locator: &'a Locator,
    pub(super) opened: &'a Opened,
    /// What stands there, as it was read.
    pub(super) old: Option<&'a Seen>,
    pub(super) content: &'a [u8],
    pub(super) create_dirs: bool,
    pub(super) given: &'a str,
    pub(super) patience: Patience<'a>,
}

impl Replacement<'_> {
    /// Does it, and says whether what stands there now was read again and found right.
    pub(super) fn run(&self) -> Result<bool, Fault> {
        let mut spot = Spot::of(self.opened, self.create_dirs, self.given)?;
        if self.old.is_some() {
            // To give a name to another file takes no right to write to this one, and we want it all the same.
            let may = rustix::fs::accessat(&spot.folder, &spot.name, Access::WRITE_OK, AtFlags::EACCESS);
            if let Err(errno @ (Errno::ACCESS | Errno::ROFS)) = may {
                return Err(unwritable(self.given, &errno.into()));
            }
        }
        let done = self.put(&spot);
        if done.is_err() {
            spot.remove_made();
        }
        done
    }

    fn put(&self, spot: &Spot) -> Result<bool, Fault> {
        let failed = |errno: Errno| unwritable(self.given, &errno.into());
        let beside = unused_name().map_err(failed)?;
        // New files get what the system gives new files; others first nothing, and then what they had.
        let mode = self.old.map_or(Mode::from_raw_mode(0o666), |_| Mode::RUSR | Mode::WUSR);
        let file = match self.fill_unnamed(spot, &beside, mode)? {
            Some(file) => file,
            None => self.fill_named(spot, &beside, mode)?,
        };
        let turn = take_turn(spot.folder.as_fd(), self.patience);
        let done = turn.and_then(|turn| {
            let done = self.exchange(spot, &beside, &file);
            drop(turn);
            done
        });
        if done.is_err() {
            // After an exchange that was undone, and before one, this is ours.
            remove_if(spot.folder.as_fd(), &beside, &file);
        }
        done?;
        self.make_durable(spot);
        Ok(self.is_there(spot, &file))
    }

    /// A file that gets its name when it is whole, so that a machine that dies before leaves nothing behind.
    /// Nothing where the disk has no such files.
    fn fill_unnamed(&self, spot: &Spot, beside: &str, mode: Mode) -> Result<Option<File>, Fault> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let Ok(file) = rustix::fs::openat(&spot.folder, ".", flags, mode) else { return Ok(None) };
        let mut file = File::from(file);
        self.fill(&mut file)?;
        let held = format!("/proc/self/fd/{}", file.as_raw_fd());
        let named = rustix::fs::linkat(CWD, held, &spot.folder, beside, AtFlags::SYMLINK_FOLLOW);
        Ok(named.is_ok().then_some(file))
    }

    /// A file that has its name from the start.
    fn fill_named(&self, spot: &Spot, beside: &str, mode: Mode) -> Result<File, Fault> {
        let file = rustix::fs::openat(&spot.folder, beside, NEW_FILE, mode);
        let mut file = File::from(file.map_err(|errno| unwritable(self.given, &errno.into()))?);
        let filled = self.fill(&mut file);
        if filled.is_err() {
            remove_if(spot.folder.as_fd(), beside, &file);
        }
        filled.map(|()| file)
    }

    /// Writes the content and makes it durable.
    fn fill(&self, file: &mut File) -> Result<(), Fault> {
        let failed = |error: std::io::Error| unwritable(self.given, &error);
        for piece in self.content.chunks(CHUNK) {
            self.patience.check()?;
            file.write_all(piece).map_err(failed)?;
        }
        if let Some(old) = self.old {
            let own = FileFacts::of_file(file).map_err(failed)?;
            if own.owner != old.facts.owner {
                let (owner, group) = old.facts.owner;
                // Only root may give files away; others keep what they write.
                let _ = rustix::fs::fchown(&*file, Some(Uid::from_raw(owner)), Some(Gid::from_raw(group)));
            }
            // As after any write, what would run as somebody else does so no more.
            let mode = Mode::from_raw_mode(old.facts.mode & 0o777);
            rustix::fs::fchmod(&*file, mode).map_err(|errno| failed(errno.into()))?;
        }
        file.sync_all().map_err(failed)
    }

    /// Gives the new file its name, if what has it is what was read.
    fn exchange(&self, spot: &Spot, beside: &str, file: &File) -> Result<(), Fault> {
        let changed = || Fault::Changed { path: self.given.to_owned() };
        let folder = spot.folder.as_fd();
        self.patience.check()?;
        if !self.is_in_place(spot) {
            return Err(changed());
        }
        let Some(old) = self.old else {
            return match rename(folder, beside, &spot.name, RenameFlags::NOREPLACE) {
                Ok(()) if self.is_in_place(spot) => Ok(()),
                Ok(()) => {
                    remove_if(folder, &spot.name, file);
                    Err(changed())
                }
                Err(Errno::EXIST) => Err(changed()),
                Err(errno) => Err(unwritable(self.given, &errno.into())),
            };
        };
        if !is_file(folder, &spot.name, &old.file) || !old.is_unchanged() {
            return Err(changed());
        }
        match rename(folder, beside, &spot.name, RenameFlags::EXCHANGE) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Err(changed()),
            // A disk that cannot exchange names.
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
                return rustix::fs::renameat(folder, beside, folder, &spot.name)
                    .map_err(|errno| unwritable(self.given, &errno.into()));
            }
            Err(errno) => return Err(unwritable(self.given, &errno.into())),
        }
        if is_file(folder, beside, &old.file) && old.is_unchanged() && self.is_in_place(spot) {
            remove_if(folder, beside, &old.file);
            return Ok(());
        }
        take_back(folder, beside, &spot.name, file);
        Err(changed())
    }

    /// Whether the folder that is held is the one at its path.
    fn is_in_place(&self, spot: &Spot) -> bool {
        self.locator.open(spot.path.as_str()).is_ok_and(|now| {
            now.kind() == FileKind::Folder && *now.path() == spot.path && now.is_held_by(&spot.folder)
        })
    }

    /// A name is durable when its folder is. What is not is still there unless the machine dies now.
    fn make_durable(&self, spot: &Spot) {
        let made = spot.made.iter().map(|(folder, _)| folder.as_fd());
        for folder in made.chain([spot.folder.as_fd()]) {
            let readable = rustix::fs::openat(folder, ".", READ_FOLDER, Mode::empty());
            let _ = readable.and_then(rustix::fs::fsync);
        }
    }

    /// Reads what has the name now.
    fn is_there(&self, spot: &Spot, file: &File) -> bool {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let Ok(now) = rustix::fs::openat(&spot.folder, &spot.name, flags, Mode::empty()) else {
            return false;
        };
        let now = File::from(now);
        let is_ours = FileFacts::of_file(&now)
            .and_then(|now| Ok(now.is_same_file(&FileFacts::of_file(file)?)))
            .unwrap_or(false);
        is_ours
            && Seen::read(now, 0, self.given, self.patience)
                .is_ok_and(|seen| seen.sha256 == Sha256::of(self.content))
    }
}

/// Deletes exactly the file that was read: it gets another name first, and is looked at once more.
pub(super) fn remove(
    locator: &Locator,
    opened: &Opened,
    old: &Seen,
    given: &str,
    patience: Patience<'_>,
) -> Result<(), Fault> {
    let changed = || Fault::Changed { path: given.to_owned() };
    let failed = |errno: Errno| unwritable(given, &errno.into());
    let (Some(folder), Some(name)) = (opened.folder(), opened.name()) else { return Err(changed()) };
    let aside = unused_name().map_err(failed)?;
    let _turn = take_turn(folder, patience)?;
    patience.check()?;
    let again = locator.open(opened.path().as_str()).map_err(|error| not_opened(given, error))?;
    if !again.is_same_as(opened) || !is_file(folder, name, &old.file) || !old.is_unchanged() {
        return Err(changed());
    }
    match rename(folder, name, &aside, RenameFlags::NOREPLACE) {
        Ok(()) if is_file(folder, &aside, &old.file) && old.is_unchanged() => {
            rustix::fs::unlinkat(folder, &aside, AtFlags::empty()).map_err(|errno| {
                let _ = rename(folder, &aside, name, RenameFlags::NOREPLACE);
                failed(errno)
            })?;
        }
        Ok(()) => {
            let _ = rename(folder, &aside, name, RenameFlags::NOREPLACE);
            return Err(changed());
        }
        Err(Errno::INVAL | Errno::NOSYS) if is_file(folder, name, &old.file) && old.is_unchanged() => {
            rustix::fs::unlinkat(folder, name, AtFlags::empty()).map_err(failed)?;
        }
        Err(Errno::NOENT | Errno::INVAL | Errno::NOSYS) => return Err(changed()),
        Err(errno) => return Err(failed(errno)),
    }
    let readable = rustix::fs::openat(folder, ".", READ_FOLDER, Mode::empty());
    let _ = readable.and_then(rustix::fs::fsync);
    Ok(())
}

/// Waits until no other call of a gate exchanges names in this folder. Two that did at once would each find the
/// other's file where they left their own, and in undoing it could lose track of both.
///
/// A courtesy between gates and no more: what others do to the folder is found out in any case, and somebody
/// who holds the lock for ever keeps nobody from writing.
#[expect(clippy::disallowed_methods, reason = "whoever waits for a lock of others waits by the clock")]
fn take_turn(folder: BorrowedFd<'_>, patience: Patience<'_>) -> Result<Option<OwnedFd>, Fault> {
    let Ok(held) = rustix::fs::openat(folder, ".", READ_FOLDER, Mode::empty()) else { return Ok(None) };
    for _ in 0..TURNS {
        patience.check()?;
        match rustix::fs::flock(&held, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(Some(held)),
            Err(Errno::WOULDBLOCK | Errno::INTR) => std::thread::sleep(TURN),
            // A disk without locks.
            Err(_) => return Ok(None),
        }
    }
    Ok(None)
}

fn rename(folder: BorrowedFd<'_>, from: &str, to: &str, flags: RenameFlags) -> Result<(), Errno> {
    rustix::fs::renameat_with(folder, from, folder, to, flags)
}

/// Undoes an exchange of names, so that `file` has the name `beside` again and whatever stood there the name
/// that the file has now. That is `name`, unless somebody moved it on.
fn take_back(folder: BorrowedFd<'_>, beside: &str, name: &str, file: &File) {
    for _ in 0..ATTEMPTS {
        if is_file(folder, beside, file) {
            return;
        }
        let moved = || {
            let entries = Dir::new(rustix::fs::openat(folder, ".", READ_FOLDER, Mode::empty()).ok()?).ok()?;
            let mut names =
                entries.filter_map(|entry| Some(entry.ok()?.file_name().to_str().ok()?.to_owned()));
            names.find(|name| is_file(folder, name, file))
        };
        let now = if is_file(folder, name, file) { Some(name.to_owned()) } else { moved() };
        if let Some(now) = now {
            let _ = rename(folder, beside, &now, RenameFlags::EXCHANGE);
        }
    }
}

/// Whether `name` is this file's.
fn is_file(folder: BorrowedFd<'_>, name: &str, file: &File) -> bool {
    let named = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map(|stat| FileFacts::of(&stat));
    let held = FileFacts::of_file(file);
    matches!((named, held), (Ok(named), Ok(held)) if named.is_same_file(&held))
}

/// Takes a name away, if it is this file's.
fn remove_if(folder: BorrowedFd<'_>, name: &str, file: &File) {
    if is_file(folder, name, file) {
        let _ = rustix::fs::unlinkat(folder, name, AtFlags::empty());
    }
}

/// A name that nobody can guess and so nobody has taken.
fn unused_name() -> Result<String, Errno> {
    let mut random = [0; 16];
    rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())?;
    Ok(format!(".toolgate-{}.tmp", data_encoding::HEXLOWER.encode(&random)))
}
