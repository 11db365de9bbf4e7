//! What is covered before the eyes of a server, and whether it still is.
//!
//! A cover lies over one file or folder. What policy denies and appears later has none, and a file that is put
//! in the place of another one (as editors and `git` do it) loses the one that it had. Nothing tells the gate at
//! that very moment, so it looks before a call is handed on and again before the answer is: a server that could
//! have seen something is ended, and what it said in that call is withheld.
//!
//! Only folders that changed since are listed again. The time of the last change of a folder cannot be set by
//! anybody, and one that is too fresh to tell is listed the next time as well.

use std::collections::{BTreeMap, HashMap};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::ground::Ground;
use crate::visible::visible_path;

/// Files that are looked at for what policy denies. Beyond that nobody could say what a server sees.
const MOST_FILES: usize = 300_000;

/// Things that are covered, at most.
const MOST_COVERS: usize = 2_000;

/// Two changes within this time may look like one.
const TOO_FRESH: Duration = Duration::from_millis(100);

/// Which file it is, whatever it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Identity {
    disk: u64,
    number: u64,
    /// Numbers are given out again, at another time.
    made: Option<SystemTime>,
    /// Where a disk does not know when a file was made, any change makes it another one.
    changed: Option<Changed>,
}

/// When something last changed: seconds, and nanoseconds beyond them.
type Changed = (i64, i64);

/// How a folder was when it was listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    disk: u64,
    number: u64,
    changed: Changed,
}

/// What is covered, and how the folders looked when it was.
#[derive(Debug)]
pub(super) struct Cover {
    ground: Ground,
    /// Nothing where it is not known for sure how one was.
    folders: HashMap<PathBuf, Option<Seen>>,
    hidden: BTreeMap<PathBuf, Option<Identity>>,
    /// Files that were looked at.
    looked: usize,
    /// What was found to be without a cover. A server that could have seen it is never trusted again.
    bare: Option<String>,
}

impl Cover {
    /// Everything below these folders that policy denies, and the gate's own home.
    ///
    /// # Errors
    /// When there is too much of it.
    pub(super) fn of(ground: &Ground, folders: &[PathBuf]) -> Result<Self, String> {
        let mut cover = Self {
            ground: ground.clone(),
            folders: HashMap::new(),
            hidden: BTreeMap::new(),
            looked: 0,
            bare: None,
        };
        if let Some(home) = ground.home() {
            cover.hidden.insert(home.to_owned(), identity(home));
        }
        for denied in cover.list(folders.to_vec())? {
            let which = identity(&denied);
            cover.hidden.insert(denied, which);
        }
        Ok(cover)
    }

    /// What is to be covered.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.hidden.keys().cloned().collect()
    }

    /// Looks again whether everything that policy denies is covered, and always was.
    ///
    /// # Errors
    /// What is not, or that nobody can say. Whoever asks later is told the same: the one who asked first may be
    /// gone by now.
    pub(super) fn look_again(&mut self) -> Result<(), String> {
        if self.bare.is_none() {
            self.bare = self.is_whole().err();
        }
        self.bare.clone().map_or(Ok(()), Err)
    }

    fn is_whole(&mut self) -> Result<(), String> {
        let mut changed = Vec::new();
        self.folders.retain(|folder, seen| match look(folder) {
            // What is gone shows nothing.
            None => false,
            now => {
                if now != *seen || seen.is_none() {
                    changed.push(folder.clone());
                }
                true
            }
        });
        // Files of folders that are listed again were counted before.
        self.looked = 0;
        let found = self.list(changed)?;
        // The gate's own home, and what lies in folders that did not change, may be replaced as well.
        let is_bare =
            |path: &&PathBuf| identity(path).is_some_and(|now| self.hidden.get(*path) != Some(&Some(now)));
        match found.iter().chain(self.hidden.keys()).find(is_bare) {
            Some(path) => Err(format!(
                "`{}`, which policy denies, appeared or was replaced while the server ran",
                visible_path(path)
            )),
            None => Ok(()),
        }
    }

    /// Lists these folders and those below them that were not listed before. What is denied in them.
    fn list(&mut self, mut waiting: Vec<PathBuf>) -> Result<Vec<PathBuf>, String> {
        let mut denied = Vec::new();
        while let Some(folder) = waiting.pop() {
            self.folders.insert(folder.clone(), look(&folder).filter(|seen| !is_fresh(*seen)));
            // What cannot be listed here cannot be listed by the server either.
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                self.looked += 1;
                let path = entry.path();
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                if self.ground.denies(&path) || (is_folder && self.ground.denies_all_below(&path)) {
                    denied.push(path);
                } else if is_folder && !self.folders.contains_key(&path) {
                    waiting.push(path);
                }
                if self.looked > MOST_FILES || denied.len() > MOST_COVERS {
                    return Err(format!(
                        "what policy denies below `{}` cannot be covered one by one: there is too much of it; \
                         say `workspace = \"none\"` and name smaller folders in `read` and `write`",
                        visible_path(&folder)
                    ));
                }
            }
        }
        Ok(denied)
    }
}

fn identity(path: &Path) -> Option<Identity> {
    let data = std::fs::symlink_metadata(path).ok()?;
    let made = data.created().ok();
    // What lies in a folder changes it, and it is the same one.
    let changed = (made.is_none() && !data.is_dir()).then(|| (data.ctime(), data.ctime_nsec()));
    Some(Identity { disk: data.dev(), number: data.ino(), made, changed })
}

/// How a folder is now.
fn look(folder: &Path) -> Option<Seen> {
    let data = std::fs::symlink_metadata(folder).ok().filter(std::fs::Metadata::is_dir)?;
    Some(Seen { disk: data.dev(), number: data.ino(), changed: (data.ctime(), data.ctime_nsec()) })
}

/// Whether it changed so lately that it could change again and look the same.
fn is_fresh(Seen { changed: (seconds, nanoseconds), .. }: Seen) -> bool {
    let whole = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
    let changed = whole + Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or_default());
    // A time that is still to come says nothing.
    let passed = SystemTime::now().duration_since(UNIX_EPOCH).ok().and_then(|now| now.checked_sub(changed));
    passed.is_none_or(|passed| passed < TOO_FRESH)
}

#[cfg(test)]
mod tests {
    use super::Cover;
    use crate::behind::ground::Ground;

    #[test]
    fn what_was_found_bare_once_is_told_to_whoever_asks_later() {
        let folder = tempfile::tempdir().unwrap();
        let ground = Ground::only(folder.path().to_owned());
        let mut cover = Cover::of(&ground, &[folder.path().to_owned()]).unwrap();
        assert_eq!(cover.look_again(), Ok(()));
        // Covered, and then another file of that name.
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "one").unwrap();
        cover.hidden.insert(secret.clone(), super::identity(&secret));
        assert_eq!(cover.look_again(), Ok(()));
        std::fs::remove_file(&secret).unwrap();
        std::fs::write(&secret, "two").unwrap();
        let first = cover.look_again().unwrap_err();
        assert!(first.contains("secret"), "{first}");
        std::fs::remove_file(&secret).unwrap();
        assert_eq!(cover.look_again(), Err(first));
    }
}
