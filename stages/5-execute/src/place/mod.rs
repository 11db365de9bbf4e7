//! Where paths lead, by descriptor.
//!
//! A path is followed one component at a time from a root that is held open, and every folder on
//! the way is held open too. Links are read and followed by hand, so each step of a link is judged
//! like a step that the agent wrote. Names are looked up only inside folders that are held; what
//! is outside every root is never looked at, and nothing is followed on procfs, where links lead
//! to what a process has open.
//!
//! When the walk went through folders below the root, the kernel is asked to open the answer in one
//! step without any link. If it gets to something else, the disk changed meanwhile, and the path is
//! unclear. A path of plain names is tried in that one step first.
//!
//! **Invariant:** [`PathPlace::Below`] names a place that was, when it was given, below a root by
//! real folders alone, and not in the gate's home. Whoever acts on it uses [`Opened`], because a
//! name can mean something else a moment later and a descriptor cannot.
//!
//! What it does not see: a folder that lies on another machine's disk and is changed there, and a
//! mount over a folder of a root that hides the home's files under new inodes (an overlay). Both
//! take rights that no agent has.

mod below;
mod disk;
mod entrance;
mod home;
mod open;
mod real;
mod root;
mod straight;
mod walk;

use std::fs::File;

use call::{AbsolutePath, Located, Passed, PathPlace, Paths};

pub use below::{Below, Folder, Met};
pub(crate) use disk::Extent;
pub use open::{NotOpened, Opened};
pub use real::real_path;
pub use root::BadRoot;

use entrance::Entrance;
use home::Home;
use root::Root;
use walk::{Stop, Walked};

/// Follows paths on the disks of this machine.
#[derive(Debug)]
pub struct Locator {
    entrance: Entrance,
    roots: Vec<Root>,
    home: Home,
}

impl Locator {
    /// A locator for paths below `roots`. Relative paths belong to `workspace`, and nothing leads
    /// into `home`, which need not be there yet.
    ///
    /// Roots are followed to where they are now and held open. A root that is replaced on disk
    /// later leads nowhere until a new locator is made.
    pub fn new(
        workspace: &AbsolutePath,
        roots: &[AbsolutePath],
        home: &AbsolutePath,
    ) -> Result<Self, BadRoot> {
        let opened: Vec<Root> = roots.iter().map(Root::open).collect::<Result<_, _>>()?;
        let entrance = Entrance::new(workspace, roots.iter().zip(opened.iter().map(Root::path)));
        Ok(Self { entrance, roots: opened, home: Home::new(home) })
    }

    /// The roots, with all links followed.
    pub fn roots(&self) -> impl Iterator<Item = &AbsolutePath> {
        self.roots.iter().map(Root::path)
    }

    /// Follows `given`, and keeps hold of what it finds.
    ///
    /// Pipes, sockets and devices are found by [`Paths::locate`] and refused here.
    pub fn open(&self, given: &str) -> Result<Opened, NotOpened> {
        let mut passed = Vec::new();
        match self.walk(given, &mut passed) {
            Ok(walked) => Opened::new(given, walked, passed),
            Err(stop) => {
                Err(NotOpened::Refused(Located { given: given.to_owned(), place: stop.into(), passed }))
            }
        }
    }

    /// The file that `given` leads to, and how much there is of it, by a way on which there is nothing to decide: see
    /// [`straight`]. Nothing, when it has to be walked. Only asked about what is known to be a file.
    pub(crate) fn read(&self, given: &str) -> Option<(AbsolutePath, File, Extent)> {
        straight::read(&self.entrance, &self.roots, &self.home, given)
    }

    /// A disk that changes during the walk gets a few chances to hold still.
    fn walk(&self, given: &str, passed: &mut Vec<Passed>) -> Result<Walked, Stop> {
        let mut left = ATTEMPTS;
        loop {
            left -= 1;
            passed.clear();
            match walk::walk(&self.entrance, &self.roots, &self.home, given, passed) {
                Err(Stop::Changed) if left > 0 => {}
                other => return other,
            }
        }
    }
}

impl Paths for Locator {
    fn locate(&self, given: &str) -> Located {
        if let Some((path, kind)) = straight::look(&self.entrance, &self.roots, &self.home, given) {
            return Located::new(given.to_owned(), PathPlace::Below { path, kind });
        }
        let mut passed = Vec::new();
        let place = match self.walk(given, &mut passed) {
            Ok(walked) => PathPlace::Below { kind: walked.kind(), path: walked.path },
            Err(stop) => stop.into(),
        };
        Located { given: given.to_owned(), place, passed }
    }
}

const ATTEMPTS: u8 = 3;
