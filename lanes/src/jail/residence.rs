//! Everything that a program finds which stays: a server, with folders of the machine to work in.
//!
//! A run to its end gets copies and leaves outputs; a server works on the machine's own folders, at the paths
//! that they have there. It is given what it is started from, the folders that are named, and nothing else.
//! What is covered is not seen even where it lies in such a folder.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::plan::{Content, Plan};
use super::view::{Seen, View};
use super::world::{CERTIFICATES, MOST_ARGUMENTS, MOST_VARIABLES, TRUSTED, USER, own_files, proxy};
use super::{filter, landlock, world};
use crate::{LaneError, Limits, Network, network};

/// A program that stays, with everything that it may touch.
#[derive(Debug)]
pub struct Residence {
    /// What is started, as a path of the machine. Links on the way are there inside too.
    pub program: PathBuf,
    /// What stands behind it on its command line.
    pub arguments: Vec<String>,
    /// Where it starts: in a folder that it sees.
    pub folder: PathBuf,
    /// Files and folders of the machine that it is made of: its runtime, its libraries, its packages.
    pub made_of: Vec<PathBuf>,
    /// Files and folders of the machine that it may read.
    pub read: Vec<PathBuf>,
    /// Folders of the machine that it may write to.
    pub write: Vec<PathBuf>,
    /// What it does not see, wherever that lies.
    pub hidden: Vec<PathBuf>,
    /// Variables beside the few that every program has.
    pub environment: Vec<(String, String)>,
    /// How far it may go. There is no end to its time, and its output is whoever's who reads it.
    pub limits: Limits,
    /// Whom it may reach.
    pub network: Network,
}

/// What may be done with a folder of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Right {
    Read,
    Write,
}

/// Where its own things are: what a program has of the machine is put beside them, never over them.
const OWN: [&str; 2] = ["/proc", "/dev"];

/// Memory to write to.
const SCRATCH: &str = "/tmp";

impl Residence {
    /// The plan for the helper, and the version of Landlock in it.
    pub(super) fn plan(&self) -> Result<(Plan, u32), LaneError> {
        let terms = world::Terms::here()?;
        let shares = self.shares()?;
        let mut plan = Plan::default();
        who(&mut plan, &shares);
        let view = self.view()?;
        let late = |path: &Path| path.starts_with(SCRATCH);
        write(&view, &mut plan, |path| !late(path));
        own_files(&mut plan, &[]);
        self.trust(&mut plan);
        plan.dir(Path::new("/out"), 0o755);
        plan.dir(Path::new(SCRATCH), 0o755);
        let Limits { disk, files, .. } = self.limits;
        let room = format!("mode=0700,uid={USER},gid={USER},size={disk},nr_inodes={}", u64::from(files) + 1);
        plan.tmpfs(Path::new(SCRATCH), &room);
        write(&view, &mut plan, |path| late(path) && path != Path::new(SCRATCH));
        for (path, right) in &shares {
            let folder = path.is_dir();
            for above in ancestors(path) {
                plan.dir(above, 0o755);
            }
            match (right, folder) {
                (Right::Write, _) => {
                    plan.dir(path, 0o755);
                    plan.share(path);
                }
                (Right::Read, true) => {
                    plan.dir(path, 0o755);
                    plan.bind(path, path, true);
                }
                (Right::Read, false) if view.shows(path) || within(&shares, path) => {}
                (Right::Read, false) => plan.bind(path, path, false),
            }
        }
        for hidden in self.hidden.iter().filter(|hidden| view.shows(hidden) || within(&shares, hidden)) {
            plan.mask(hidden, hidden.is_dir());
        }
        limits(&mut plan, &self.limits);
        let port = match &self.network {
            Network::None => None,
            Network::Only(_) => Some(network::PORT),
        };
        if let Some(port) = port {
            plan.listen(port);
        }
        landlock::write(&mut plan, terms.landlock, port, false);
        for (path, right) in &shares {
            if *right == Right::Write {
                landlock::write_below(&mut plan, terms.landlock, path);
            }
        }
        let seccomp = |why| LaneError::failed("seccomp", why);
        for program in filter::sharing().map_err(seccomp)?.iter().chain(filter::programs().map_err(seccomp)?)
        {
            plan.filter(program);
        }
        plan.directory(&self.folder);
        self.environment(&mut plan)?;
        self.command_line(&mut plan)?;
        Ok((plan, terms.landlock))
    }

    /// The folders of the machine, by their real paths, what is above first.
    fn shares(&self) -> Result<BTreeMap<PathBuf, Right>, LaneError> {
        let mut shares = BTreeMap::new();
        let asked = self.read.iter().map(|path| (path, Right::Read));
        for (path, right) in asked.chain(self.write.iter().map(|path| (path, Right::Write))) {
            let real = std::fs::canonicalize(path)
                .map_err(|error| LaneError::BadJob(format!("`{}`: {error}", path.display())))?;
            if real.parent().is_none() || OWN.iter().any(|own| real.starts_with(own)) {
                let message = format!("`{}` is the machine itself, and no folder to work in", path.display());
                return Err(LaneError::BadJob(message));
            }
            if right == Right::Write && !real.is_dir() {
                return Err(LaneError::BadJob(format!("`{}` is not a folder", path.display())));
            }
            shares.insert(real, right);
        }
        Ok(shares)
    }

    fn view(&self) -> Result<View, LaneError> {
        let mut view = View::default();
        for path in std::iter::once(&self.program).chain(&self.made_of) {
            view.show(path).map_err(|error| LaneError::failed(format!("`{}`", path.display()), error))?;
        }
        Ok(view)
    }

    fn trust(&self, plan: &mut Plan) {
        if let (Network::Only(_), Some(trusted)) =
            (&self.network, TRUSTED.iter().find_map(|path| std::fs::read(path).ok()))
        {
            plan.copy(Content::Bytes(trusted), Path::new(CERTIFICATES));
        }
    }

    fn environment(&self, plan: &mut Plan) -> Result<(), LaneError> {
        let everybodys = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("HOME", SCRATCH),
            ("TMPDIR", SCRATCH),
            ("USER", "lane"),
            ("LANG", "C.UTF-8"),
        ];
        let everybodys = everybodys.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let proxy = match &self.network {
            Network::None => Vec::new(),
            Network::Only(_) => proxy(),
        };
        let mut given: BTreeMap<&str, &str> = BTreeMap::new();
        for (name, value) in everybodys.iter().chain(&proxy).chain(&self.environment) {
            if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
                return Err(LaneError::BadJob(format!("`{}` is no variable", name.escape_debug())));
            }
            given.insert(name, value);
        }
        if given.len() > MOST_VARIABLES {
            return Err(LaneError::BadJob(format!("it has more than {MOST_VARIABLES} variables")));
        }
        given.into_iter().for_each(|(name, value)| plan.variable(name, value));
        Ok(())
    }

    fn command_line(&self, plan: &mut Plan) -> Result<(), LaneError> {
        use std::os::unix::ffi::OsStrExt as _;
        if self.arguments.len() > MOST_ARGUMENTS {
            return Err(LaneError::BadJob(format!("it has more than {MOST_ARGUMENTS} arguments")));
        }
        if let Some(odd) = self.arguments.iter().find(|argument| argument.contains('\0')) {
            return Err(LaneError::BadJob(format!("`{}` is no argument", odd.escape_debug())));
        }
        plan.argument(self.program.as_os_str().as_bytes());
        self.arguments.iter().for_each(|argument| plan.argument(argument.as_bytes()));
        Ok(())
    }
}

/// The folders above a path, the highest first, without the root.
fn ancestors(path: &Path) -> Vec<&Path> {
    let mut all: Vec<&Path> = path.ancestors().skip(1).filter(|above| above.parent().is_some()).collect();
    all.reverse();
    all
}

fn within(shares: &BTreeMap<PathBuf, Right>, path: &Path) -> bool {
    path.ancestors().skip(1).any(|above| shares.contains_key(above))
}

fn write(view: &View, plan: &mut Plan, now: impl Fn(&Path) -> bool) {
    for (path, seen) in view.entries().filter(|(path, _)| now(path)) {
        match seen {
            Seen::Folder => plan.dir(path, 0o755),
            Seen::Link(to) => plan.link(to, path),
            Seen::Own { folder } => {
                if *folder {
                    plan.dir(path, 0o755);
                }
                plan.bind(path, path, *folder);
            }
            Seen::Moved(from) => plan.bind(from, path, false),
        }
    }
}

/// Who the program is: whoever the folders belong to that it works in, without any powers, so that it reads
/// and leaves files as that user would. Without such folders it is nobody.
fn who(plan: &mut Plan, shares: &BTreeMap<PathBuf, Right>) {
    /// A user that no machine gives to anybody.
    const NOBODY: u32 = 1_990_000_000;
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    if !user.is_root() {
        let (user, group) = (user.as_raw(), group.as_raw());
        plan.maps(&format!("{USER} {user} 1\n"), &format!("{USER} {group} 1\n"), false);
        plan.ids(USER, USER);
        return;
    }
    let first = |wanted| shares.iter().find(|(_, right)| **right == wanted).map(|(path, _)| path);
    let folder = first(Right::Write).or_else(|| first(Right::Read));
    let kind = folder.and_then(|folder| std::fs::metadata(folder).ok());
    let (user, group) = kind.map_or((NOBODY, NOBODY), |kind| (kind.uid(), kind.gid()));
    if user == 0 {
        // One and the same number cannot stand for two users inside.
        plan.maps(&format!("{USER} 0 1\n"), &format!("{USER} {group} 1\n"), true);
        plan.ids(USER, USER);
    } else {
        let groups = if group == 0 { format!("{USER} 0 1\n") } else { format!("0 0 1\n{USER} {group} 1\n") };
        plan.maps(&format!("0 0 1\n{USER} {user} 1\n"), &groups, true);
        plan.ids(if group == 0 { USER } else { 0 }, USER);
    }
}

/// What the kernel allows each process of a program that has no end to its time.
fn limits(plan: &mut Plan, limits: &Limits) {
    let rows = [
        ("core", libc::RLIMIT_CORE, 0),
        ("nofile", libc::RLIMIT_NOFILE, 4_096),
        ("nproc", libc::RLIMIT_NPROC, u64::from(limits.processes) + 16),
        ("memlock", libc::RLIMIT_MEMLOCK, 65_536),
        ("msgqueue", libc::RLIMIT_MSGQUEUE, 0),
        ("nice", libc::RLIMIT_NICE, 0),
        ("rtprio", libc::RLIMIT_RTPRIO, 0),
    ];
    for (name, resource, value) in rows {
        plan.limit(name, resource.into(), value);
    }
}
