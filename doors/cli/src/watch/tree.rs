//! A watch on folders and all folders below them, by inotify.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::inotify::{self, CreateFlags, ReadFlags, Reader, WatchFlags};
use rustix::io::Errno;

use crate::find::{Candidate, FolderId, below, entries, folder_id, is_document, is_hidden};

/// What can happen in a folder that matters here.
const EVENTS: WatchFlags = WatchFlags::CLOSE_WRITE
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::ONLYDIR);

/// Folders under watch.
#[derive(Debug)]
pub(super) struct Tree {
    inotify: OwnedFd,
    roots: Vec<PathBuf>,
    skip: Option<FolderId>,
    folders: BTreeMap<i32, PathBuf>,
}

/// What happened since the last look.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Documents that are completely written.
    pub(super) finished: BTreeSet<PathBuf>,
    /// Documents that were found, and may still be growing.
    pub(super) found: Vec<Candidate>,
    /// A watched folder that is not there any more.
    pub(super) lost_root: Option<PathBuf>,
}

impl Tree {
    /// Watches these folders and all below them but one.
    pub(super) fn new(roots: &[PathBuf], skip: Option<FolderId>) -> io::Result<Self> {
        let inotify = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
        let mut tree = Self { inotify, roots: roots.to_vec(), skip, folders: BTreeMap::new() };
        for root in roots {
            tree.watch(root)?;
        }
        Ok(tree)
    }

    /// All documents that lie there now.
    pub(super) fn scan(&self) -> Vec<Candidate> {
        self.roots.iter().flat_map(|root| below(root, self.skip)).collect()
    }

    /// Reads what the kernel has noticed.
    pub(super) fn news(&mut self) -> io::Result<News> {
        let mut news = News::default();
        for Event { folder, flags, path } in self.events()? {
            if flags.contains(ReadFlags::QUEUE_OVERFLOW) {
                // The kernel dropped events: look at everything.
                let roots = self.roots.clone();
                for root in &roots {
                    self.watch(root)?;
                }
                news.found.extend(self.scan());
            } else if flags.intersects(ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF | ReadFlags::UNMOUNT) {
                self.left(folder, &mut news);
            } else if flags.contains(ReadFlags::IGNORED) {
                self.folders.remove(&folder);
            } else if let Some(path) = path {
                self.arrived(path, flags, &mut news)?;
            }
        }
        Ok(news)
    }

    fn arrived(&mut self, path: PathBuf, flags: ReadFlags, news: &mut News) -> io::Result<()> {
        let name = path.file_name().unwrap_or_default();
        if flags.contains(ReadFlags::ISDIR) {
            if !is_hidden(name) && flags.intersects(ReadFlags::CREATE | ReadFlags::MOVED_TO) {
                // First the watch, then the look: what arrives in between is seen twice, not never.
                self.watch(&path)?;
                news.found.extend(below(&path, self.skip));
            }
        } else if is_document(name) && (!flags.contains(ReadFlags::CREATE) || is_complete_at_birth(&path)) {
            news.finished.insert(path);
        }
        Ok(())
    }

    /// A watched folder was deleted or renamed.
    fn left(&mut self, folder: i32, news: &mut News) {
        let Some(path) = self.folders.get(&folder).cloned() else {
            return;
        };
        if self.roots.contains(&path) {
            news.lost_root = Some(path);
        } else if !matches!(self.add(&path), Ok(Some(again)) if again == folder) {
            // A folder that moved within the tree has been found again under its new name; any
            // other is none of our business any more.
            self.folders.remove(&folder);
            let _ = inotify::remove_watch(&self.inotify, folder);
        }
    }

    /// Watches a folder and all below it.
    fn watch(&mut self, folder: &Path) -> io::Result<()> {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            if self.skip.is_some() && folder_id(&folder) == self.skip {
                continue;
            }
            if let Some(descriptor) = self.add(&folder)? {
                // What cannot be listed is reported by the look that follows.
                folders.extend(entries(&folder).map(|(_, inner)| inner).unwrap_or_default());
                self.folders.insert(descriptor, folder);
            } else if self.roots.contains(&folder) {
                return Err(io::ErrorKind::NotFound.into());
            }
        }
        Ok(())
    }

    /// Watches one folder; nothing when it is gone again or may not be looked into.
    fn add(&self, folder: &Path) -> io::Result<Option<i32>> {
        match inotify::add_watch(&self.inotify, folder, EVENTS) {
            Ok(descriptor) => Ok(Some(descriptor)),
            Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => Ok(None),
            Err(errno) => Err(errno.into()),
        }
    }

    fn events(&self) -> io::Result<Vec<Event>> {
        let mut buffer = [MaybeUninit::uninit(); 64 * 1024];
        let mut reader = Reader::new(&self.inotify, &mut buffer);
        let mut events = Vec::new();
        loop {
            match reader.next() {
                Ok(event) => {
                    let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()));
                    let folder = self.folders.get(&event.wd());
                    let path = folder.zip(name).map(|(folder, name)| folder.join(name));
                    events.push(Event { folder: event.wd(), flags: event.events(), path });
                }
                Err(Errno::WOULDBLOCK) => return Ok(events),
                Err(Errno::INTR) => {}
                Err(errno) => return Err(errno.into()),
            }
        }
    }
}

impl AsFd for Tree {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.inotify.as_fd()
    }
}

struct Event {
    folder: i32,
    flags: ReadFlags,
    path: Option<PathBuf>,
}

/// Whether a name that was just made leads to something that nobody is about to write and close: a
/// second name of a file, a symbolic link, a pipe.
fn is_complete_at_birth(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|data| !data.is_file() || data.nlink() > 1)
}
