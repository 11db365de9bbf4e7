//! QEMU, in the jail: one machine, from its start to the last trace of it.
//!
//! QEMU is a large program that parses what a hostile kernel says to it. So it is run like any program
//! that nobody trusts: with nothing of the gate's machine but its own files, no network, no capability, a
//! user of its own, a short list of system calls, and on top of it QEMU's own list. It has no network
//! device to give, no monitor, no display, and three things that it may open beside its own: the kernel,
//! the archive to start from, and the image. Where a job lists hosts, it is handed one end of a wire, whose
//! other end is the gate's proxy.

use std::cell::Cell;
use std::fs::File;
use std::io::Seek as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use call::{ExitReason, Language};
use rustix::fs::{AtFlags, Mode, OFlags, openat, statat};

use super::answer::{self, Answer};
use super::store::Accelerator;
use super::words::{Places, arguments};
use crate::jail::run::{self, Beside, Ended, Over};
use crate::jail::world::{self, Terms, World};
use crate::network::Proxy;
use crate::runtime::Runtime;
use crate::{Input, Job, LaneError, Limits, Network, Program};

/// QEMU as this machine has it.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    program: Runtime,
}

/// One machine that is to be started.
#[derive(Debug)]
pub(crate) struct Machine<'m> {
    pub(crate) accelerator: Accelerator,
    pub(crate) kernel: &'m Path,
    pub(crate) initramfs: &'m Path,
    /// The image with the runtimes and the disk with the job. Without them, the machine only comes up.
    pub(crate) disks: Option<(&'m Path, &'m File)>,
    /// Megabytes of memory.
    pub(crate) memory: u64,
    pub(crate) processors: u32,
    /// How long it may take to come up.
    pub(crate) patience: Duration,
    /// The job's limits.
    pub(crate) limits: Limits,
    pub(crate) cancelled: Arc<AtomicBool>,
    /// Whom the program may reach. Whoever is nobody's to reach has no wire either.
    pub(crate) network: Network,
}

/// What came of a machine.
pub(crate) struct Outcome {
    pub(crate) answer: Answer,
    /// The answer itself, for what lies in it.
    pub(crate) file: Option<File>,
    pub(crate) over: Over,
}

/// What QEMU is called here.
pub(super) const PROGRAM: &str = "qemu-system-x86_64";

/// Where QEMU keeps what it gives to machines: Debian has it in two places.
const SHARED: [&str; 2] = ["/usr/share/qemu", "/usr/share/seabios"];

/// The part of QEMU that emulates, where it is a file of its own.
const EMULATOR: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/qemu/accel-tcg-x86_64.so",
    "/usr/lib64/qemu/accel-tcg-x86_64.so",
    "/usr/lib/qemu/accel-tcg-x86_64.so",
];

/// Bytes that QEMU takes beside the machine's memory, with the code that it makes.
const OWN_MEMORY: u64 = 512 << 20;

/// How long a machine may take for everything behind the program's end.
const PACKING: Duration = Duration::from_secs(20);

/// Bytes of outputs in a second that even an emulated machine packs.
const PACKED: u64 = 4 << 20;

/// Where QEMU puts the answer.
pub(super) const ANSWER: &str = "answer";

impl Engine {
    /// Looks for QEMU in these folders.
    pub(crate) fn find(search: &[PathBuf]) -> Result<Self, LaneError> {
        let missing = |why: String| LaneError::Missing { lane: "microvm", layer: "qemu".to_owned(), why };
        if !cfg!(target_arch = "x86_64") {
            return Err(missing("machines of their own are built for x86_64 only".to_owned()));
        }
        let found = search.iter().map(|folder| folder.join(PROGRAM)).find(|program| program.is_file());
        let found = found.ok_or_else(|| {
            missing(format!(
                "there is no `{PROGRAM}` in the search path; on Debian or Ubuntu, \
                 `apt-get install qemu-system-x86` provides it"
            ))
        })?;
        let of = |path: &Path| {
            Runtime::of_program(path).map_err(|error| missing(format!("`{}`: {error}", path.display())))
        };
        let mut program = of(&found)?;
        if let Some(emulator) = EMULATOR.iter().map(Path::new).find(|emulator| emulator.is_file()) {
            let part = of(emulator)?;
            // By the path that QEMU looks for, which may be a link's.
            program.folders.push(emulator.to_owned());
            program.folders.push(part.program);
            program.libraries.extend(part.libraries);
        }
        program.folders.extend(SHARED.map(PathBuf::from).into_iter().filter(|folder| folder.is_dir()));
        Ok(Self { program })
    }

    /// Its program, to tell whether it is still the same.
    pub(crate) fn program(&self) -> &Path {
        &self.program.program
    }

    /// The words that start the same machine without a jail, with everything in this folder.
    pub(crate) fn bare(&self, machine: Machine<'_>, folder: &Path) -> std::io::Result<Vec<String>> {
        let job = folder.join("job");
        let places = Places {
            kernel: machine.kernel.to_owned(),
            initramfs: machine.initramfs.to_owned(),
            image: machine.disks.map_or_else(PathBuf::new, |(image, _)| image.to_owned()),
            answer: folder.join(ANSWER),
            job: job.clone(),
        };
        let mut words = arguments(&machine, &places);
        if let Some((_, disk)) = machine.disks {
            let mut disk = disk.try_clone()?;
            disk.rewind()?;
            std::io::copy(&mut disk, &mut File::create(job)?)?;
        }
        if let Some(first) = words.first_mut() {
            *first = self.program.program.display().to_string();
        }
        Ok(words)
    }

    /// Starts a machine and waits for its end. When this returns, nothing of it is left.
    pub(crate) fn run(&self, machine: Machine<'_>) -> Result<Outcome, LaneError> {
        let program = &self.program;
        let own = |error| LaneError::failed("the files of QEMU", error);
        let mut view = world::machine(program).map_err(own)?;
        let inside = Places::inside();
        let image = machine.disks.map(|(image, _)| image);
        let parts = [(&inside.kernel, Some(machine.kernel)), (&inside.initramfs, Some(machine.initramfs))];
        for (path, from) in parts.into_iter().chain([(&inside.image, image)]) {
            if let Some(from) = from {
                view.move_to(path, from).map_err(own)?;
            }
        }
        let devices: &[&str] = match machine.accelerator {
            Accelerator::Kvm => &["kvm"],
            Accelerator::Tcg => &[],
        };
        let limits = machine.limits;
        let (proxy, wire) = way_out(&machine.network)?;
        let arguments = arguments(&machine, &inside);
        let packing = PACKING + Duration::from_secs(limits.disk / PACKED);
        let job = job(machine, arguments, packing)?;
        let terms = Terms { devices, ..Terms::here()? };
        let hard = limits.time + packing;
        let started: Cell<Option<Instant>> = Cell::new(None);
        // From the moment the machine says that the program starts, its own clock is not trusted.
        let look = |disks: &[OwnedFd]| {
            if broken(&proxy).is_some() {
                return Some(ExitReason::Cancelled);
            }
            let began = started.get().or_else(|| {
                let seen = statat(disks.first()?, ANSWER, AtFlags::SYMLINK_NOFOLLOW).ok()?;
                // More than the word that it is up.
                (seen.st_size > 16).then(Instant::now)
            })?;
            started.set(Some(began));
            (began.elapsed() > hard).then_some(ExitReason::TimeLimit)
        };
        let world = || World::new(program, &view, &job, terms);
        let mut over = run::play(world, &job, true, Beside { look: Some(&look), wire })?;
        if let Some(why) = broken(&proxy) {
            return Err(LaneError::failed("the wire of the machine", why));
        }
        if let Some(proxy) = proxy {
            over.destinations = proxy.end();
        }
        let file = over.disks.first().and_then(|out| {
            let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
            openat(out.as_fd(), ANSWER, flags, Mode::empty()).ok().map(File::from)
        });
        let answer = match &file {
            Some(file) => answer::read(file, &limits),
            None => Ok(Answer::default()),
        };
        let answer = answer.map_err(|why| LaneError::failed("the answer of the machine", why))?;
        Ok(Outcome { answer, file, over })
    }
}

impl Outcome {
    /// The last words of a machine that did not come to its end, or of QEMU.
    pub(crate) fn last_words(&self) -> String {
        let line = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes);
            let last =
                text.lines().rev().find(|line| !line.trim().is_empty()).map(str::trim).map(str::to_owned);
            last.map(|line| line.chars().filter(|letter| !letter.is_control()).take(300).collect::<String>())
        };
        let said = [line(&self.over.stderr), line(&self.over.stdout)].into_iter().flatten();
        let ended = match self.over.ended {
            Ended::Alone(status) => format!("QEMU ended with status {status}"),
            Ended::Stopped(reason) => format!("QEMU was ended: {}", reason.as_str()),
        };
        std::iter::once(ended).chain(said).collect::<Vec<_>>().join(": ")
    }
}

/// The proxy of a machine, and QEMU's end of the wire to it.
fn way_out(network: &Network) -> Result<(Option<Proxy>, Option<OwnedFd>), LaneError> {
    let Network::Only(reach) = network else { return Ok((None, None)) };
    let failed = |error| LaneError::failed("the proxy", error);
    let (ours, theirs) = UnixStream::pair().map_err(failed)?;
    let proxy = Proxy::over_wire(ours.into(), reach.clone()).map_err(failed)?;
    Ok((Some(proxy), Some(theirs.into())))
}

/// What came over the wire that cannot be, if something did.
fn broken(proxy: &Option<Proxy>) -> Option<&'static str> {
    proxy.as_ref().and_then(Proxy::broken)
}

/// QEMU as a job for the jail.
fn job(machine: Machine<'_>, arguments: Vec<String>, packing: Duration) -> Result<Job, LaneError> {
    let Machine { limits, processors, memory, .. } = machine;
    let disk = machine.disks.map(|(_, disk)| disk.try_clone()).transpose();
    let disk = disk.map_err(|error| LaneError::failed("the disk with the job", error))?;
    let inputs = disk.map(|content| Input { name: "job".to_owned(), content });
    // Each entry of the answer has a head and a path.
    let answer = limits.disk + 2 * limits.output + u64::from(limits.files) * 4_096 + (4 << 20);
    Ok(Job {
        language: Language::Python,
        program: Program::Arguments(arguments),
        inputs: inputs.into_iter().collect(),
        stdin: Vec::new(),
        environment: Vec::new(),
        limits: Limits {
            time: machine.patience + limits.time + packing,
            memory: (memory << 20) + OWN_MEMORY,
            // One more for QEMU itself, which would take it from the machine otherwise.
            cpus: f64::from(processors) + 1.0,
            processes: 64,
            disk: answer,
            files: 16,
            output: 256 * 1024,
        },
        network: Network::None,
        cancelled: machine.cancelled,
    })
}
