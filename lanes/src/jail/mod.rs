//! The jail: a program shares the kernel with the machine and sees nothing else of it.
//!
//! Namespaces for users, mounts, processes, network, interprocess communication, names and control groups;
//! a root that is built for the run and has nothing in it but the runtime; no capabilities and no way to
//! get any; Landlock; a list of allowed system calls; limits. All of it is put up by the helper
//! (`lanes/helper`), from a plan that is written here. A layer that cannot be had is a refusal, except
//! control groups, which an ordinary user often cannot make: then a watchdog stands in, and the layers
//! say so.

mod bpf;
mod cgroup;
mod filter;
pub(crate) mod image;
mod landlock;
mod patience;
mod plan;
mod residence;
mod resident;
pub(crate) mod run;
pub(crate) mod view;
mod watch;
pub(crate) mod world;

pub use residence::Residence;
pub use resident::Resident;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use call::{ExitReason, Language};

use view::View;
use world::{Terms, World};

use crate::runtime::Runtime;
use crate::{Job, Lane, LaneError, Limits, Network, Probe, Program, Ran};

/// The jail of this machine.
#[derive(Debug)]
pub struct Jail {
    /// Folders in which runtimes are looked for, in order.
    search: Vec<PathBuf>,
    /// Runtimes that were found.
    known: Mutex<Vec<Arc<Known>>>,
    /// Plain programs that were run before.
    programs: Mutex<Vec<Arc<Known>>>,
    groups: Groups,
}

/// A runtime, and what a program of it sees of the machine.
#[derive(Debug)]
struct Known {
    runtime: Runtime,
    view: View,
}

impl Known {
    fn new(runtime: Runtime) -> Result<Self, LaneError> {
        let view = world::machine(&runtime)
            .map_err(|error| LaneError::failed(format!("`{}`", runtime.program.display()), error))?;
        Ok(Self { runtime, view })
    }
}

/// Whether control groups are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Groups {
    WherePossible,
    Never,
}

/// Walls that stand in every run, in the order in which they are put up.
pub(crate) const ALWAYS: [&str; 13] = [
    "user_namespace",
    "mount_namespace",
    "pid_namespace",
    "network_namespace",
    "ipc_namespace",
    "uts_namespace",
    "cgroup_namespace",
    "private_root",
    "unprivileged_user",
    "no_capabilities",
    "no_new_privileges",
    "rlimits",
    "seccomp",
];

impl Jail {
    /// A jail that looks for runtimes in these folders.
    #[must_use]
    pub fn new(search: Vec<PathBuf>) -> Self {
        Self { search, known: Mutex::default(), programs: Mutex::default(), groups: Groups::WherePossible }
    }

    /// The same without control groups, as it is for a user who may make none.
    #[must_use]
    pub fn without_groups(self) -> Self {
        Self { groups: Groups::Never, ..self }
    }

    /// The runtime of a language, as this machine has it.
    ///
    /// # Errors
    /// When it has none.
    pub fn runtime(&self, language: Language) -> Result<Runtime, LaneError> {
        Ok(self.known(language)?.runtime.clone())
    }

    fn known(&self, language: Language) -> Result<Arc<Known>, LaneError> {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = all.iter().find(|known| known.runtime.language == language) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(Known::new(Runtime::find(language, &self.search)?)?);
        all.push(Arc::clone(&found));
        Ok(found)
    }

    /// Forgets a runtime: it may have been replaced by another version since it was found.
    fn forget(&self, language: Language) {
        let mut all = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|known| known.runtime.language != language);
    }

    /// Runs any program of the machine as if it were a runtime.
    ///
    /// # Errors
    /// As [`Lane::run`].
    pub fn run_program(&self, program: &Runtime, job: &Job, outputs: &Path) -> Result<Ran, LaneError> {
        let known = {
            let mut all = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
            match all.iter().find(|known| known.runtime == *program) {
                Some(found) => Arc::clone(found),
                None => {
                    let found = Arc::new(Known::new(program.clone())?);
                    all.push(Arc::clone(&found));
                    found
                }
            }
        };
        let ran = self.run_known(&known, job, outputs);
        if ran.is_err() {
            // Its libraries may have been replaced by others since it was looked at.
            let mut all = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|other| !Arc::ptr_eq(other, &known));
        }
        ran
    }

    /// Starts a program that stays, and talks over pipes. It ends when what is returned is dropped, and with
    /// this process.
    ///
    /// # Errors
    /// When it cannot be started behind every wall.
    pub fn house(&self, residence: Residence) -> Result<Resident, LaneError> {
        Resident::start(residence, self.groups == Groups::WherePossible)
    }

    fn run_known(&self, known: &Known, job: &Job, outputs: &Path) -> Result<Ran, LaneError> {
        let terms = Terms::here()?;
        let world = || World::new(&known.runtime, &known.view, job, terms);
        run::run(world, job, outputs, self.groups == Groups::WherePossible)
    }
}

impl Lane for Jail {
    fn has(&self, language: Language) -> Result<(), LaneError> {
        self.known(language).map(drop)
    }

    fn probe(&self) -> Result<Probe, LaneError> {
        let runtime = Runtime::of_program(Path::new("/bin/true"))
            .map_err(|error| LaneError::failed("/bin/true", error))?;
        let job = Job {
            language: runtime.language,
            program: Program::Arguments(vec!["true".to_owned()]),
            inputs: Vec::new(),
            stdin: Vec::new(),
            environment: Vec::new(),
            limits: Limits {
                time: Duration::from_secs(20),
                memory: 64 << 20,
                cpus: 1.0,
                processes: 8,
                disk: 1 << 20,
                files: 64,
                output: 4_096,
            },
            network: Network::None,
            cancelled: Arc::new(AtomicBool::new(false)),
        };
        let folder = std::env::temp_dir();
        let ran = self.run_program(&runtime, &job, &folder)?;
        if (ran.ending.reason, ran.ending.code) != (ExitReason::Exited, 0) {
            let why = format!("a program that does nothing ended with {:?}", ran.ending);
            return Err(LaneError::failed("trying the jail", why));
        }
        let weaker = if ran.layers.iter().any(|layer| layer == "watchdog") {
            vec![
                "memory and processes are watched and not enforced by the kernel: this user may make no control \
                 groups (a systemd user session may, and so may root)"
                    .to_owned(),
            ]
        } else {
            Vec::new()
        };
        Ok(Probe { layers: ran.layers, weaker })
    }

    fn run(&self, job: &Job, outputs: &Path) -> Result<Ran, LaneError> {
        let ran = self.run_known(&*self.known(job.language)?, job, outputs);
        if ran.is_err() {
            self.forget(job.language);
        }
        ran
    }
}
