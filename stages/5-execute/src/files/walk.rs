//! Walks a tree with several threads, and asks policy about every file in it.
//!
//! Folders are held while their entries are looked at, and each name is looked up in the folder that is
//! held. What policy denies is not shown to anybody: neither listed, nor searched, nor counted. Ignore files
//! have no say.

use std::num::NonZero;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use call::{
    AbsolutePath, Effect, Errand, Fault, FileKind, Located, Passed, PathPlace, Paths as _, Reach, ReasonCode,
};
use globset::GlobMatcher;

use super::patience::Patience;
use crate::place::{Below, Folder, Locator, Met};

/// Each folder on the way down takes a descriptor.
const DEPTH: usize = 256;

/// Entries that are looked at before a tree counts as too large.
const ENTRIES: u64 = 20_000_000;

const THREADS: usize = 8;

/// A tree to be walked.
pub(super) struct Tree<'a> {
    pub(super) locator: &'a Locator,
    pub(super) below: &'a Below<'a>,
    pub(super) path: &'a AbsolutePath,
    /// The path as the agent gave it.
    pub(super) given: &'a str,
    pub(super) glob: Option<GlobMatcher>,
    pub(super) errand: &'a Errand<'a>,
    pub(super) patience: Patience<'a>,
}

/// A file that policy allows to look at.
pub(super) struct Found<'a> {
    pub(super) folder: &'a Folder,
    pub(super) name: &'a str,
    /// Its path from the folder that is walked.
    pub(super) relative: &'a str,
    /// Where it is, for a link: where that leads.
    pub(super) link: Option<Link>,
}

/// Where a link leads.
pub(super) struct Link {
    pub(super) path: AbsolutePath,
    pub(super) kind: FileKind,
}

/// Whoever is shown what is found. Each thread has its own.
pub(super) trait Visitor: Send {
    /// A file or a link to something.
    fn visit(&mut self, found: &Found<'_>) -> Result<(), Fault>;
}

struct Job {
    above: Arc<Folder>,
    name: String,
    path: AbsolutePath,
    relative: String,
    depth: usize,
}

#[derive(Default)]
struct Work {
    jobs: Vec<Job>,
    busy: usize,
    fault: Option<Fault>,
    looked_at: u64,
    unreadable: u64,
}

/// What a walk could not look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Missed {
    /// Folders that the system does not let be listed, or that lie too deep.
    pub(super) folders: u64,
}

struct Walk<'a> {
    tree: &'a Tree<'a>,
    work: Mutex<Work>,
    more: Condvar,
}

impl Tree<'_> {
    /// Shows every file to a visitor, and gives back all visitors.
    pub(super) fn walk<V: Visitor>(
        &self,
        folder: Folder,
        visitor: impl Fn() -> V,
    ) -> Result<(Vec<V>, Missed), Fault> {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get).clamp(1, THREADS);
        let walk = Walk { tree: self, work: Mutex::default(), more: Condvar::new() };
        let mut visitors: Vec<V> = (0..threads).map(|_| visitor()).collect();
        std::thread::scope(|scope| {
            let mut started = Vec::new();
            let mut rest = visitors.iter_mut();
            let own = rest.next();
            walk.lock().busy = 1;
            for visitor in rest {
                // A system that gives no more threads leaves the work to this one.
                started.extend(std::thread::Builder::new().spawn_scoped(scope, || walk.run(visitor)).ok());
            }
            if let Some(own) = own {
                let mut turn = Turn::of(&walk);
                turn.done = walk.list(&Arc::new(folder), self.path, "", 0, own);
                drop(turn);
                walk.run(own);
            }
            for thread in started {
                // One that ended early has said so by its turn.
                let _ = thread.join();
            }
        });
        let work = walk.work.into_inner().unwrap_or_else(PoisonError::into_inner);
        match work.fault {
            Some(fault) => Err(fault),
            None => Ok((visitors, Missed { folders: work.unreadable })),
        }
    }

    /// Whether policy allows to look at this.
    fn allows(&self, relative: &str, path: &AbsolutePath, kind: FileKind) -> Result<(), ReasonCode> {
        self.allows_place(relative, PathPlace::Below { path: path.clone(), kind }, Vec::new())
    }

    fn allows_place(&self, relative: &str, place: PathPlace, passed: Vec<Passed>) -> Result<(), ReasonCode> {
        let given = format!("{}/{relative}", self.given.trim_end_matches('/'));
        let effect = Effect::Read { path: Located { given, place, passed }, reach: Reach::Itself };
        self.errand.judge.allows(&effect).map_err(|reason| reason.code)
    }

    fn wants(&self, relative: &str) -> bool {
        self.glob.as_ref().is_none_or(|glob| glob.is_match(relative))
    }
}

impl Walk<'_> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes folders for as long as there are any, or may be.
    fn run(&self, visitor: &mut impl Visitor) {
        while let Some(job) = self.next() {
            let mut turn = Turn::of(self);
            turn.done = self.enter(&job, visitor);
        }
    }

    fn next(&self) -> Option<Job> {
        let mut work = self.lock();
        loop {
            if work.fault.is_some() {
                return None;
            }
            if let Some(job) = work.jobs.pop() {
                work.busy += 1;
                return Some(job);
            }
            if work.busy == 0 {
                return None;
            }
            work = self.more.wait(work).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn enter(&self, job: &Job, visitor: &mut impl Visitor) -> Result<(), Fault> {
        match self.tree.below.enter(&job.above, &job.name) {
            Ok(Some(folder)) => self.list(&Arc::new(folder), &job.path, &job.relative, job.depth, visitor),
            Ok(None) => Ok(()),
            Err(_) => {
                self.lock().unreadable += 1;
                Ok(())
            }
        }
    }

    fn list(
        &self,
        folder: &Arc<Folder>,
        path: &AbsolutePath,
        relative: &str,
        depth: usize,
        visitor: &mut impl Visitor,
    ) -> Result<(), Fault> {
        let Ok(names) = folder.names() else {
            self.lock().unreadable += 1;
            return Ok(());
        };
        let mut jobs = Vec::new();
        let mut looked_at = 0;
        for (name, kind) in names {
            self.tree.patience.check()?;
            looked_at += 1;
            let Some(below) = path.join(&name) else { continue };
            let relative = if relative.is_empty() { name.clone() } else { format!("{relative}/{name}") };
            let Some(kind) = kind.or_else(|| self.tree.below.look(folder, &name)) else { continue };
            let found = |link| Found { folder, name: &name, relative: &relative, link };
            match kind {
                Met::File => {
                    if self.tree.wants(&relative)
                        && self.tree.allows(&relative, &below, FileKind::File).is_ok()
                    {
                        visitor.visit(&found(None))?;
                    }
                }
                Met::Link => {
                    if self.tree.wants(&relative)
                        && let Some(link) = self.leads_to(&relative, &below)
                    {
                        visitor.visit(&found(Some(link)))?;
                    }
                }
                Met::Folder => {
                    // A deny covers whatever lies below. A folder that is merely not allowed may hold files
                    // that are.
                    let asked = self.tree.allows(&relative, &below, FileKind::Folder);
                    if asked != Err(ReasonCode::PATH_DENIED) {
                        jobs.push(Job {
                            above: Arc::clone(folder),
                            name,
                            path: below,
                            relative,
                            depth: depth + 1,
                        });
                    }
                }
            }
        }
        let mut work = self.lock();
        work.looked_at += looked_at;
        if work.looked_at > ENTRIES {
            return Err(too_large(self.tree.given));
        }
        if depth >= DEPTH {
            work.unreadable += jobs.len() as u64;
        } else {
            work.jobs.append(&mut jobs);
        }
        drop(work);
        self.more.notify_all();
        Ok(())
    }

    /// Where a link leads, if that is a file or folder below a root, and policy allows to look at both.
    fn leads_to(&self, relative: &str, link: &AbsolutePath) -> Option<Link> {
        let Located { place, passed, .. } = self.tree.locator.locate(link.as_str());
        let (path, kind) = match &place {
            PathPlace::Below { path, kind: kind @ (FileKind::File | FileKind::Folder) } => {
                (path.clone(), *kind)
            }
            PathPlace::Below { .. } | PathPlace::Outside | PathPlace::GateHome | PathPlace::Unclear(_) => {
                return None;
            }
        };
        self.tree.allows_place(relative, place, passed).is_ok().then_some(Link { path, kind })
    }
}

/// One folder's turn. However it ends, the others hear of it and nobody waits for ever.
struct Turn<'w, 'a> {
    walk: &'w Walk<'a>,
    done: Result<(), Fault>,
}

impl<'w, 'a> Turn<'w, 'a> {
    fn of(walk: &'w Walk<'a>) -> Self {
        Self { walk, done: Err(Fault::failed("internal", "a thread of the walk ended early")) }
    }
}

impl Drop for Turn<'_, '_> {
    fn drop(&mut self) {
        let mut work = self.walk.lock();
        work.busy -= 1;
        if let Err(fault) = &self.done {
            work.fault.get_or_insert_with(|| fault.clone());
        }
        drop(work);
        self.walk.more.notify_all();
    }
}

fn too_large(given: &str) -> Fault {
    Fault::Failed {
        class: "too_large",
        message: format!("there are more than {ENTRIES} entries below `{given}`"),
        remedy: Some("name a folder further down".to_owned()),
    }
}
