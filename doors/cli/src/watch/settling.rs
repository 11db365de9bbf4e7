//! Documents that were found lying there, and may still be growing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::fs::stat;

use crate::clock::SystemClock;
use crate::find::Candidate;
use crate::read::Identity;

/// A file that has not changed for so long is taken for complete.
const QUIET: Duration = Duration::from_secs(1);

/// What was checked last under each name, and what is still watched for changes.
#[derive(Debug, Default)]
pub(super) struct Settling {
    checked: BTreeMap<PathBuf, Identity>,
    growing: BTreeMap<PathBuf, (Identity, Instant)>,
    n_after_pruning: usize,
}

impl Settling {
    /// Whether this state of a file was not checked yet; from here on it counts as checked.
    pub(super) fn is_news(&mut self, path: &Path) -> bool {
        self.growing.remove(path);
        self.forget_gone();
        match identity(path) {
            Some((identity, _)) => self.checked.insert(path.to_owned(), identity) != Some(identity),
            None => {
                self.checked.remove(path);
                // A broken link is worth a word; a file that is gone says so when it is opened.
                path.is_symlink()
            }
        }
    }

    /// Of what was found: what can be checked now. The rest is kept until it is quiet.
    pub(super) fn sort(&mut self, found: Vec<Candidate>, clock: SystemClock) -> Vec<Candidate> {
        let now = clock.tick();
        let mut due = Vec::new();
        for candidate in found {
            let Candidate::File(path) = candidate else {
                due.push(candidate);
                continue;
            };
            match identity(&path) {
                Some((identity, quiet)) if quiet.is_none_or(|quiet| quiet < QUIET) => {
                    if self.checked.get(&path) != Some(&identity) {
                        self.growing.insert(path, (identity, now + QUIET));
                    }
                }
                Some(_) | None => {
                    if self.is_news(&path) {
                        due.push(Candidate::File(path));
                    }
                }
            }
        }
        due
    }

    /// What has become quiet since.
    pub(super) fn settled(&mut self, clock: SystemClock) -> Vec<Candidate> {
        let now = clock.tick();
        let ripe = |(path, (_, due)): (&PathBuf, &(Identity, Instant))| (*due <= now).then(|| path.clone());
        let ripe: Vec<PathBuf> = self.growing.iter().filter_map(ripe).collect();
        let mut settled = Vec::new();
        for path in ripe {
            let before = self.growing.remove(&path).map(|(identity, _)| identity);
            match identity(&path) {
                Some((identity, _)) if Some(identity) != before => {
                    self.growing.insert(path, (identity, now + QUIET));
                }
                Some(_) | None => {
                    if self.is_news(&path) {
                        settled.push(Candidate::File(path));
                    }
                }
            }
        }
        settled
    }

    /// How long until something may have become quiet.
    pub(super) fn wait(&self, clock: SystemClock) -> Option<Duration> {
        let next = self.growing.values().map(|(_, due)| *due).min()?;
        Some(next.saturating_duration_since(clock.tick()))
    }

    /// Forgets what is not there any more, so that memory does not grow with all that ever came.
    fn forget_gone(&mut self) {
        if self.checked.len() > 2 * self.n_after_pruning + 1024 {
            self.checked.retain(|path, _| path.symlink_metadata().is_ok());
            self.n_after_pruning = self.checked.len();
        }
    }
}

/// Which file lies there, and how long it has not changed; no time for a change in the future.
fn identity(path: &Path) -> Option<(Identity, Option<Duration>)> {
    let stat = stat(path).ok()?;
    Some((Identity::of(&stat), SystemClock.since(stat.st_mtime, stat.st_mtime_nsec)))
}
