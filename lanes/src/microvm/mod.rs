//! A machine of its own: a program does not even share the kernel.
//!
//! QEMU's `microvm` with Debian's kernel for clouds. The machine has no network device. It has a disk with
//! an image of the runtime (EROFS, written by us), a disk with the job, and a port on which it answers; the
//! gate mounts nothing of it and believes nothing of what it says. Where a job lists hosts, it has one port
//! more, a wire that leads to the gate's proxy and nowhere else. Inside, the same helper puts up the same
//! jail as outside, so that a program is behind its walls before it meets the machine's kernel; and around
//! QEMU there is a jail again.
//!
//! KVM is used where a machine really came up with it, and emulation elsewhere: on some hosts `/dev/kvm`
//! opens but a kernel hangs in it. Which it was is in the layers of every run.

mod answer;
mod build;
mod clock;
mod disk;
mod engine;
mod erofs;
mod initramfs;
mod kernel;
mod store;
mod tree;
mod trial;
mod words;

use std::fs::File;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use call::{ExitReason, Language};
use helper::answer::{full, stopped};

use crate::jail::run::{Ended, Meanings};
use crate::jail::world::{Builder, Terms, World};
use crate::outputs::Taken;
use crate::{Ending, Job, Lane, LaneError, Limits, Network, Probe, Program, Ran};
use engine::{Engine, Machine, Outcome};
pub use store::Accelerator;
use store::{Kept, Store, Trial};

/// Machines of their own, as this machine can have them.
#[derive(Debug)]
pub struct MicroVm {
    store: Store,
    /// Folders in which QEMU and runtimes are looked for, in order.
    search: Vec<PathBuf>,
    known: Mutex<Option<Arc<Known>>>,
}

/// What was found once.
#[derive(Debug)]
struct Known {
    engine: Engine,
    kept: Kept,
    trial: Trial,
}

/// How long an emulated machine may take to come up. It takes three seconds, and ten times as long where
/// everybody wants the processor.
const SLOW: Duration = Duration::from_secs(120);

/// Megabytes that the kernel needs for itself.
const KERNEL: u64 = 128;

impl MicroVm {
    /// Machines whose parts lie in this folder, and whose QEMU is looked for in these.
    #[must_use]
    pub fn new(cache: PathBuf, search: Vec<PathBuf>) -> Self {
        Self { store: Store::new(cache), search, known: Mutex::default() }
    }

    /// Builds what machines need for programs of these languages, as far as it is not there yet, and tries
    /// one. `say` is told what is going on.
    ///
    /// # Errors
    /// When something is missing, with what provides it.
    pub fn build(&self, languages: &[Language], say: &mut dyn FnMut(&str)) -> Result<Probe, LaneError> {
        let engine = Engine::find(&self.search)?;
        {
            let _lock = self.store.lock().map_err(|error| LaneError::failed("the cache", error))?;
            build::build(&self.store, &self.search, languages, say)?;
        }
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = None;
        say("starting a machine ...");
        let known = self.known_with(engine)?;
        Ok(known.probe())
    }

    /// The languages for which there is an image, with the versions of their runtimes.
    ///
    /// # Errors
    /// When nothing is built.
    pub fn languages(&self) -> Result<Vec<(String, String)>, LaneError> {
        let kept = self.store.kept(&build::helper())?;
        Ok(kept.images.into_iter().map(|(name, image)| (name, image.version)).collect())
    }

    fn known(&self) -> Result<Arc<Known>, LaneError> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        match known {
            Some(known) => Ok(known),
            None => self.known_with(Engine::find(&self.search)?),
        }
    }

    /// Finds out how machines run here, once: under the lock of the store, so that others wait for it.
    fn known_with(&self, engine: Engine) -> Result<Arc<Known>, LaneError> {
        let cache = |error| LaneError::failed("the cache", error);
        let mut kept = self.store.kept(&build::helper())?;
        let of = trial::holds_for(&kept, &engine);
        let mut trial = kept.trial.take().filter(|trial| trial.of == of);
        if trial.is_none() {
            // A cache that somebody else filled cannot be written to; then it is found out every time.
            let lock = self.store.lock();
            kept = self.store.kept(&build::helper())?;
            trial = kept.trial.take().filter(|trial| trial.of == of);
            if trial.is_none() {
                let found = trial::run(&self.store, &engine, &kept, of)?;
                if lock.is_ok() {
                    kept.trial = Some(found.clone());
                    self.store.keep(&kept).map_err(cache)?;
                }
                trial = Some(found);
            }
        }
        let trial = trial.ok_or_else(|| LaneError::failed("trying a machine", "it was not tried"))?;
        let known = Arc::new(Known { engine, kept, trial });
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&known));
        Ok(known)
    }

    /// The words that start the machine of a job without the gate: QEMU alone, with the job and the answer
    /// in this folder. For whoever measures what the lane adds.
    ///
    /// # Errors
    /// When the job cannot be run.
    pub fn bare(&self, job: &Job, folder: &Path) -> Result<Vec<String>, LaneError> {
        let known = self.known()?;
        let prepared = self.prepare(&known, job)?;
        known
            .engine
            .bare(prepared.machine(known.trial.accelerator, job), folder)
            .map_err(|error| LaneError::failed("the folder", error))
    }

    /// Everything that the machine of a job needs.
    fn prepare(&self, known: &Known, job: &Job) -> Result<Prepared, LaneError> {
        let image = known.kept.images.get(job.language.as_str()).ok_or_else(|| no_image(job.language))?;
        let terms = Terms { landlock: known.trial.landlock, builder: Builder::Guest, devices: &[] };
        if terms.landlock == 0 {
            let why = "the kernel of the machine has none".to_owned();
            return Err(LaneError::Missing { lane: "microvm", layer: "landlock".to_owned(), why });
        }
        let world = World::new(&image.runtime(job.language), &image.view, job, terms)?;
        let meanings = Meanings::of(&world.plan);
        let memory = job.limits.memory.saturating_add(world.files.0);
        let all = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let processors = (job.limits.cpus.ceil().max(1.0) as u32).min(u32::try_from(all).unwrap_or(1));
        let (disk, bytes) = disk::write(world, job, processors)?;
        // What of the disk the kernel keeps in memory, and its own list of pages.
        let memory = memory.saturating_add(bytes) >> 20;
        Ok(Prepared {
            kernel: self.store.path(&known.kept.kernel),
            initramfs: self.store.path(&known.kept.initramfs),
            image: self.store.path(&image.file),
            disk: File::from(disk),
            memory: memory + memory / 32 + KERNEL,
            processors,
            meanings,
        })
    }
}

/// The machine of a job, before its start.
struct Prepared {
    kernel: PathBuf,
    initramfs: PathBuf,
    image: PathBuf,
    disk: File,
    memory: u64,
    processors: u32,
    /// What the steps inside are for.
    meanings: Meanings,
}

impl Prepared {
    fn machine(&self, accelerator: Accelerator, job: &Job) -> Machine<'_> {
        Machine {
            accelerator,
            kernel: &self.kernel,
            initramfs: &self.initramfs,
            disks: Some((&self.image, &self.disk)),
            memory: self.memory,
            processors: self.processors,
            patience: SLOW,
            limits: job.limits,
            cancelled: Arc::clone(&job.cancelled),
            network: job.network.clone(),
        }
    }
}

impl Known {
    fn layers(&self, around: &[String]) -> Vec<String> {
        let own = [
            format!("machine:{}", self.trial.accelerator.as_str()),
            format!("kernel:{}", self.kept.version),
            "no_network_device".to_owned(),
            "read_only_image".to_owned(),
            "qemu_seccomp".to_owned(),
        ];
        let inside = crate::jail::ALWAYS.map(str::to_owned).into_iter();
        let inside = inside.chain([format!("landlock:{}", self.trial.landlock), "cgroup:v2".to_owned()]);
        own.into_iter()
            .chain(around.iter().map(|layer| format!("around:{layer}")))
            .chain(inside.map(|layer| format!("inside:{layer}")))
            .collect()
    }

    fn probe(&self) -> Probe {
        let why = self.trial.why.as_ref();
        let weaker =
            why.map(|why| format!("machines are emulated, and so slow: KVM does not work here ({why})"));
        Probe { layers: self.layers(&[]), weaker: weaker.into_iter().collect() }
    }

    /// What the machine said about the end of the program.
    fn ending(&self, outcome: &Outcome) -> Result<Ending, LaneError> {
        let failed = |why: String| LaneError::failed("the machine", why);
        let answer = &outcome.answer;
        match (&outcome.over.ended, &answer.ended) {
            (Ended::Stopped(ExitReason::Cancelled), _) => Ok(Ending::stopped(ExitReason::Cancelled)),
            // It had its time, and more, whatever it says itself.
            (Ended::Stopped(reason @ (ExitReason::TimeLimit | ExitReason::MemoryLimit)), _)
                if answer.started =>
            {
                Ok(Ending::stopped(*reason))
            }
            (Ended::Alone(0), Some(ended)) if answer.done => {
                let full = match ended.full {
                    full::BYTES => Some(ExitReason::DiskLimit),
                    full::FILES => Some(ExitReason::FileLimit),
                    _ => None,
                };
                Ok(match ended.stopped {
                    stopped::TIME => Ending::stopped(ExitReason::TimeLimit),
                    stopped::MEMORY => Ending::stopped(ExitReason::MemoryLimit),
                    stopped::PROCESSES => Ending::stopped(ExitReason::ProcessLimit),
                    stopped::OUTPUT => Ending::stopped(ExitReason::OutputLimit),
                    _ => Ending::judged(ended.status, ended.starved, full),
                })
            }
            (Ended::Stopped(_) | Ended::Alone(_), _) => Err(failed(outcome.last_words())),
        }
    }
}

impl Lane for MicroVm {
    fn has(&self, language: Language) -> Result<(), LaneError> {
        Engine::find(&self.search)?;
        let kept = self.store.kept(&build::helper())?;
        if kept.images.contains_key(language.as_str()) { Ok(()) } else { Err(no_image(language)) }
    }

    fn probe(&self) -> Result<Probe, LaneError> {
        let known = self.known()?;
        let (name, _) = Language::ALL
            .into_iter()
            .find(|(name, _)| known.kept.images.contains_key(*name))
            .ok_or_else(|| no_image(Language::Python))?;
        let (language, code) = match name {
            "python" => (Language::Python, "pass"),
            "node" => (Language::Node, "0"),
            "ts" => (Language::Ts, "0"),
            "ruby" => (Language::Ruby, "0"),
            _ => (Language::Go, "package main\n\nfunc main() {}\n"),
        };
        let job = Job {
            language,
            program: Program::Code(code.to_owned()),
            inputs: Vec::new(),
            stdin: Vec::new(),
            environment: Vec::new(),
            limits: Limits {
                time: SLOW,
                memory: 512 << 20,
                cpus: 1.0,
                processes: 64,
                disk: 64 << 20,
                files: 4_096,
                output: 4_096,
            },
            network: Network::None,
            cancelled: Arc::new(AtomicBool::new(false)),
        };
        let ran = self.run(&job, &std::env::temp_dir())?;
        if (ran.ending.reason, ran.ending.code) != (ExitReason::Exited, 0) {
            let why = format!("a program that does nothing ended with {:?}", ran.ending);
            return Err(LaneError::failed("trying a machine", why));
        }
        Ok(Probe { layers: ran.layers, ..known.probe() })
    }

    fn run(&self, job: &Job, outputs: &Path) -> Result<Ran, LaneError> {
        let known = self.known()?;
        let prepared = self.prepare(&known, job)?;
        let outcome = known.engine.run(prepared.machine(known.trial.accelerator, job))?;
        if let Some((step, error)) = outcome.answer.failed {
            return Err(prepared.meanings.failed("microvm", step, error));
        }
        let ending = known.ending(&outcome)?;
        let taken = match &outcome.file {
            Some(file) if outcome.answer.done => outcome.answer.unpack(file, outputs, &job.limits)?,
            _ => Taken::default(),
        };
        let Outcome { answer, over, .. } = outcome;
        let mut layers = known.layers(&over.layers);
        if matches!(job.network, Network::Only(_)) {
            layers.push("proxy".to_owned());
        }
        Ok(Ran {
            ending,
            stdout: answer.stdout,
            stderr: answer.stderr,
            artifacts: taken.artifacts,
            unwanted: taken.unwanted,
            destinations: over.destinations,
            layers,
            runtime: over.runtime,
        })
    }
}

fn no_image(language: Language) -> LaneError {
    let name = language.as_str();
    LaneError::NoRuntime {
        language,
        why: format!("no image was built for it; `toolgate lanes build --language {name}` makes it"),
    }
}
