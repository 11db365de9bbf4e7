//! The walk itself: one component at a time, each folder held.

use std::os::fd::OwnedFd;

use call::{AbsolutePath, FileKind, Passed, Passing, PathPlace, UnclearPath, is_gate_home};
use rustix::fs::FileType;
use rustix::io::Errno;

use super::disk::{Facts, Identity, LOOK, is_on_procfs, open_in, open_straight, target};
use super::entrance::{Entrance, PATH_LENGTH, Part, Pending, push};
use super::home::{Home, HomeNow};
use super::root::Root;

/// Follows `given` to its end. What it touches on the way is put into `passed`, wherever it gets to.
pub(super) fn walk(
    entrance: &Entrance,
    roots: &[Root],
    home: &Home,
    given: &str,
    passed: &mut Vec<Passed>,
) -> Result<Walked, Stop> {
    if given.is_empty() || given.contains('\0') {
        return Err(UnclearPath::NoPath.into());
    }
    if given.starts_with('~') {
        return Err(UnclearPath::Tilde.into());
    }
    if given.len() > PATH_LENGTH {
        return Err(UnclearPath::Unreadable.into());
    }
    if given.split('/').any(is_gate_home) {
        return Err(Stop::GateHome);
    }
    if !entrance.stays(given) {
        return Err(Stop::Outside);
    }
    let mut walk = Walk::new(entrance, roots, home.now().map_err(unreadable)?);
    let arrived = walk.go(entrance.parts(given));
    passed.append(&mut walk.passed);
    walk.arrive(arrived?)
}

/// The end of a walk.
#[derive(Debug)]
pub(super) struct Walked {
    pub(super) path: AbsolutePath,
    /// The root and every component that exists, in order. Never empty.
    pub(super) held: Vec<Held>,
    /// The components that do not exist, in order.
    pub(super) missing: Vec<String>,
}

impl Walked {
    /// What stands there.
    pub(super) fn kind(&self) -> FileKind {
        match self.held.last() {
            Some(held) if self.missing.is_empty() => held.facts.file_kind(),
            _ => FileKind::Absent,
        }
    }
}

/// A file or folder on the way, held by an `O_PATH` descriptor.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) descriptor: OwnedFd,
    /// Its name in the folder before; empty for a root.
    pub(super) name: String,
    pub(super) facts: Facts,
}

/// Why a walk did not get to the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Outside,
    GateHome,
    Unclear(UnclearPath),
    /// The disk changed under the walk.
    Changed,
}

impl From<UnclearPath> for Stop {
    fn from(unclear: UnclearPath) -> Self {
        Self::Unclear(unclear)
    }
}

impl From<Stop> for PathPlace {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Outside => Self::Outside,
            Stop::GateHome => Self::GateHome,
            Stop::Unclear(unclear) => Self::Unclear(unclear),
            Stop::Changed => Self::Unclear(UnclearPath::Unreadable),
        }
    }
}

/// A walk under way.
struct Walk<'l> {
    entrance: &'l Entrance,
    roots: &'l [Root],
    home: HomeNow<'l>,
    root: Option<&'l Root>,
    held: Vec<Held>,
    pending: Pending,
    links: usize,
    passed: Vec<Passed>,
}

impl<'l> Walk<'l> {
    const fn new(entrance: &'l Entrance, roots: &'l [Root], home: HomeNow<'l>) -> Self {
        Self {
            entrance,
            roots,
            home,
            root: None,
            held: Vec::new(),
            pending: Vec::new(),
            links: 0,
            passed: Vec::new(),
        }
    }

    /// Comes in, and takes all steps.
    fn go(&mut self, parts: Pending) -> Result<Vec<String>, Stop> {
        self.enter(parts)?;
        self.take_steps()
    }

    /// Notes the place that the walk is at, or what is called `name` there.
    fn pass(&mut self, name: Option<&str>, how: Passing) {
        let Some(root) = self.root else { return };
        let mut names = self.held.iter().skip(1).map(|held| held.name.as_str());
        let here = names.try_fold(root.path().clone(), |path, name| path.join(name));
        // What cannot be written down as a name is nothing that a rule could speak of.
        let path = here.map(|here| name.and_then(|name| here.join(name)).unwrap_or(here));
        self.passed.extend(path.map(|path| Passed { path, how }));
    }

    /// Comes in by the root to which these components lead, and leaves where it was.
    fn enter(&mut self, pending: Pending) -> Result<(), Stop> {
        let (index, pending) = self.entrance.enter(pending).ok_or(Stop::Outside)?;
        let root = self.roots.get(index).ok_or(Stop::Outside)?;
        if self.home.is(root.facts().identity) {
            return Err(Stop::GateHome);
        }
        let descriptor = root.stands().map_err(unreadable)?.ok_or(Stop::Changed)?;
        self.held = vec![Held { descriptor, name: String::new(), facts: *root.facts() }];
        self.root = Some(root);
        self.pending = pending;
        Ok(())
    }

    /// Takes all steps, and says which components were found missing.
    fn take_steps(&mut self) -> Result<Vec<String>, Stop> {
        while let Some(part) = self.pending.pop() {
            let kind = self.last()?.facts.kind;
            if kind != FileType::Directory {
                self.pass(None, Passing::Stop);
                return Err(self.stopped_by(kind, &part).into());
            }
            match part.name.as_str() {
                "" | "." => {}
                ".." => self.step_up()?,
                name => match self.look_at(name) {
                    Ok(Some(held)) if held.facts.kind == FileType::Symlink => self.follow(&held)?,
                    Ok(Some(held)) => self.held.push(held),
                    Ok(None) => return self.missing(part),
                    Err(stop) => {
                        self.pass(Some(name), Passing::Stop);
                        return Err(stop);
                    }
                },
            }
        }
        Ok(Vec::new())
    }

    /// What is said about a part that stands behind something else than a folder. Plainly nothing is there,
    /// unless the way goes back up from it or a link leads through it.
    fn stopped_by(&self, kind: FileType, part: &Part) -> UnclearPath {
        let plain = |part: &Part| part.name != ".." && !part.by_link;
        if kind == FileType::RegularFile && plain(part) && self.pending.iter().all(plain) {
            UnclearPath::ThroughFile
        } else {
            UnclearPath::NotFolder
        }
    }

    fn last(&self) -> Result<&Held, Stop> {
        self.held.last().ok_or(Stop::Changed)
    }

    /// Back to the folder that was held before. Above a root there is only another root's ground,
    /// or none.
    fn step_up(&mut self) -> Result<(), Stop> {
        if self.held.len() > 1 {
            self.pass(None, Passing::Up);
            self.held.pop();
            return Ok(());
        }
        let Some(parent) = self.root.and_then(|root| root.path().parent()) else { return Ok(()) };
        let mut pending = std::mem::take(&mut self.pending);
        push(&mut pending, parent.as_str(), false);
        self.enter(pending)
    }

    /// Takes hold of what is called `name` in the last folder, be it a link.
    fn look_at(&self, name: &str) -> Result<Option<Held>, Stop> {
        if is_gate_home(name) {
            return Err(Stop::GateHome);
        }
        if self.held.len() > DEPTH {
            return Err(UnclearPath::Unreadable.into());
        }
        let folder = self.last()?;
        let descriptor = match open_in(&folder.descriptor, name, LOOK) {
            Ok(descriptor) => descriptor,
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::NOTDIR) => return Err(UnclearPath::NotFolder.into()),
            Err(Errno::NAMETOOLONG) => return Err(UnclearPath::NameTooLong.into()),
            Err(errno) => return Err(unreadable(errno)),
        };
        let facts = Facts::of(&descriptor).map_err(unreadable)?;
        if self.home.is(facts.identity) {
            return Err(Stop::GateHome);
        }
        if !facts.same_device(&folder.facts) && is_on_procfs(&descriptor).map_err(unreadable)? {
            return Err(UnclearPath::Unreadable.into());
        }
        Ok(Some(Held { descriptor, name: name.to_owned(), facts }))
    }

    /// Puts the target of a link in front of what is still to be walked.
    fn follow(&mut self, link: &Held) -> Result<(), Stop> {
        self.pass(Some(&link.name), Passing::Link);
        self.links += 1;
        if self.links > LINKS {
            return Err(UnclearPath::Loop.into());
        }
        let target = target(&link.descriptor).map_err(unreadable)?;
        // A place that cannot be written down cannot be decided about either.
        let target = String::from_utf8(target).map_err(|_| UnclearPath::Unreadable)?;
        if target.is_empty() {
            return Err(UnclearPath::BrokenLink.into());
        }
        if target.split('/').any(is_gate_home) {
            return Err(Stop::GateHome);
        }
        let mut pending = std::mem::take(&mut self.pending);
        push(&mut pending, &target, true);
        if target.starts_with('/') {
            return self.enter(pending);
        }
        self.pending = pending;
        Ok(())
    }

    /// The components from `first` on, of which none exists.
    fn missing(&mut self, first: Part) -> Result<Vec<String>, Stop> {
        let name = first.name.clone();
        let missing = self.names_from(first);
        if missing.is_err() {
            self.pass(Some(&name), Passing::Stop);
        }
        missing
    }

    fn names_from(&mut self, first: Part) -> Result<Vec<String>, Stop> {
        if first.by_link {
            return Err(UnclearPath::BrokenLink.into());
        }
        let rest = std::mem::take(&mut self.pending).into_iter().rev();
        let mut missing = vec![first.name];
        for name in rest.map(|part| part.name) {
            match name.as_str() {
                "" | "." => {}
                // Up from what is not there is nowhere.
                ".." => return Err(UnclearPath::NotFolder.into()),
                longer if longer.len() > NAME_LENGTH => return Err(UnclearPath::NameTooLong.into()),
                _ => missing.push(name),
            }
        }
        Ok(missing)
    }

    /// Says where the walk ended, after a second look by another way.
    fn arrive(self, missing: Vec<String>) -> Result<Walked, Stop> {
        let root = self.root.ok_or(Stop::Changed)?;
        let names = || self.held.iter().skip(1).map(|held| held.name.as_str());
        let path = names()
            .chain(missing.iter().map(String::as_str))
            .try_fold(root.path().clone(), |path, name| path.join(name))
            .ok_or(UnclearPath::Unreadable)?;
        if path.as_str().len() > PATH_LENGTH {
            return Err(UnclearPath::Unreadable.into());
        }
        if path.components().any(is_gate_home) || self.home.covers(&path) || self.is_home_by_another_name()? {
            return Err(Stop::GateHome);
        }
        // What was found in the root itself was below it when it was found. Deeper down, a folder on the way
        // may have been moved out since.
        if self.held.len() > 2 {
            let straight = names().collect::<Vec<_>>().join("/");
            match open_straight(root.folder(), &straight, LOOK).and_then(Facts::of) {
                Ok(facts) if facts.identity == self.last()?.facts.identity => {}
                _ => return Err(Stop::Changed),
            }
        }
        Ok(Walked { path, held: self.held, missing })
    }

    /// A file with a second name may be one of the home's, and a mount on the way may show a part
    /// of it. Only then is the home searched.
    fn is_home_by_another_name(&self) -> Result<bool, Stop> {
        let last = self.last()?.facts;
        let is_linked = last.kind != FileType::Directory && last.names > 1;
        let mount = self.held.first().and_then(|root| root.facts.mount);
        let is_mounted = mount.is_none() || self.held.iter().any(|held| held.facts.mount != mount);
        if !is_linked && !is_mounted {
            return Ok(false);
        }
        let identities: Vec<Identity> = self.held.iter().map(|held| held.facts.identity).collect();
        Ok(self.home.holds_any(&identities))
    }
}

/// Whatever else goes wrong, nothing can be said about the path.
const fn unreadable(_: Errno) -> Stop {
    Stop::Unclear(UnclearPath::Unreadable)
}

/// As many links as the kernel follows.
const LINKS: usize = 40;
/// `NAME_MAX`.
const NAME_LENGTH: usize = 255;
/// Each folder on the way takes a descriptor, of which a process has about a thousand.
const DEPTH: usize = 256;

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "this test changes a real disk")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::{Entrance, Home, Root, Stop, Walk};
    use call::AbsolutePath;

    fn path(path: &Path) -> AbsolutePath {
        AbsolutePath::parse(path.to_str().unwrap()).unwrap()
    }

    #[test]
    fn what_changes_between_the_walk_and_the_second_look_is_noticed() {
        type Change = (&'static str, fn(&Path), Result<&'static str, Stop>);
        let changes: [Change; 6] = [
            ("nothing", |_| {}, Ok("/ws/a/b")),
            ("a folder in it", |base| fs::create_dir(base.join("ws/a/b/c")).unwrap(), Ok("/ws/a/b")),
            (
                "it moved",
                |base| fs::rename(base.join("ws/a/b"), base.join("ws/c")).unwrap(),
                Err(Stop::Changed),
            ),
            (
                "it moved out",
                |base| fs::rename(base.join("ws/a"), base.join("a")).unwrap(),
                Err(Stop::Changed),
            ),
            (
                "another took its place",
                |base| {
                    fs::rename(base.join("ws/a/b"), base.join("b")).unwrap();
                    fs::create_dir(base.join("ws/a/b")).unwrap();
                },
                Err(Stop::Changed),
            ),
            (
                "a link to it took its place",
                |base| {
                    fs::rename(base.join("ws/a"), base.join("a")).unwrap();
                    symlink(base.join("a"), base.join("ws/a")).unwrap();
                },
                Err(Stop::Changed),
            ),
        ];
        for (what, change, want) in changes {
            for given in ["a/b", "a/b/new"] {
                let folder = tempfile::tempdir().unwrap();
                let base = folder.path().canonicalize().unwrap();
                for name in ["ws", "ws/a", "ws/a/b"] {
                    fs::create_dir(base.join(name)).unwrap();
                }
                let workspace = path(&base.join("ws"));
                let roots = [Root::open(&workspace).unwrap()];
                let home = Home::new(&path(&base.join("ws/.toolgate")));
                let entrance = Entrance::new(&workspace, roots.iter().map(|root| (&workspace, root.path())));

                let mut walk = Walk::new(&entrance, &roots, home.now().unwrap());
                walk.enter(entrance.parts(given)).unwrap();
                let missing = walk.take_steps().unwrap();
                change(&base);
                let got = walk.arrive(missing).map(|walked| walked.path);
                let new = given.strip_prefix("a/b").unwrap();
                let want = want.map(|place| path(Path::new(&format!("{}{place}{new}", base.display()))));
                assert_eq!(got, want, "{what}, {given}");
            }
        }
    }
}
