//! The tools `exec_sandbox` and `exec_shell`: code in a lane.
//!
//! Policy says which lane, and that one is used or none: a lane that is not there is a refusal with a remedy,
//! never a weaker lane. Files are opened once, by descriptor, and what was approved is compared with what is
//! handed over (`inputs`). What the program leaves lies in a folder that is cleared before anybody is told.
//!
//! A program that ran against a limit has failed, with the limit as its class; one that ended by itself has
//! not, whatever its exit code.
#![expect(
    clippy::disallowed_methods,
    reason = "what a program left is read, and whoever waits sleeps meanwhile"
)]

mod environment;
mod inputs;
mod limits;
mod monty;
mod program;
mod shell;
mod told;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use call::{
    Done, Effect, Effects, Errand, Fault, Host, HostPattern, Lane, Language, Reason, ReasonCode, Run, Sha256,
    WebHost,
};
use lanes::network::Outside;
use lanes::{Jail, Job, Lane as _, LaneError, Network, Ran, Reach};
use monty_lane::{Pool, Settings};
use serde_json::Value;

use crate::place::Locator;
use crate::secrets::Vault;
pub use monty::refusal;
use program::Start;

/// The lanes of this machine, as tools use them.
pub struct Sandbox {
    jail: Jail,
    /// Set once the jail was seen to work.
    jail_stands: OnceLock<()>,
    microvm: Option<Box<dyn lanes::Lane + Send + Sync>>,
    monty: Settings,
    /// Workers are started by the first program that needs one.
    pool: Mutex<Option<Arc<Pool>>>,
    outside: Arc<dyn Outside>,
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let microvm = self.microvm.is_some();
        formatter
            .debug_struct("Sandbox")
            .field("jail", &self.jail)
            .field("microvm", &microvm)
            .finish_non_exhaustive()
    }
}

/// Bytes that a program may send and receive.
const NETWORK_BYTES: u64 = 64 * 1024 * 1024;

/// How often one looks whether a call is still wanted.
const TICK: Duration = Duration::from_millis(20);

impl Sandbox {
    /// Lanes with runtimes from these folders, Monty workers of this executable, and programs with network that
    /// reach it through `outside`. A microVM where there is one.
    #[must_use]
    pub fn new(
        search: Vec<PathBuf>,
        worker: PathBuf,
        microvm: Option<Box<dyn lanes::Lane + Send + Sync>>,
        outside: Arc<dyn Outside>,
    ) -> Self {
        let pool = Mutex::default();
        // One run at a time is what a call needs; a door that serves many has more processes or waits.
        let monty = Settings::new(worker);
        Self { jail: Jail::new(search), jail_stands: OnceLock::new(), microvm, monty, pool, outside }
    }

    /// Runs what was decided about.
    ///
    /// # Errors
    /// When it was not run, or ended by a limit.
    pub fn run(&self, errand: &Errand<'_>, locator: &Locator, vault: &Vault) -> Result<Done, Fault> {
        let run = errand
            .effects
            .iter()
            .find_map(|effect| if let Effect::Run(run) = effect { Some(run) } else { None });
        let (Some(run), Some(lane)) = (run, errand.walls.lane) else {
            let message = "nothing says where the code is to run";
            return Err(missing(ReasonCode::LANE_MISSING, message, "leave out `lane`"));
        };
        if errand.cancelled.load(Ordering::Relaxed) {
            return Err(Fault::Cancelled);
        }
        let stdin = text(errand, "stdin").unwrap_or_default();
        if run.stdin.is_some_and(|digest| digest != Sha256::of(stdin.as_bytes())) {
            return Err(Fault::failed(
                "bad_request",
                "the standard input is not the one that was decided about",
            ));
        }
        let start = program::start(run, errand)?;
        match lane {
            Lane::Monty => self.run_monty(run, start, stdin, errand),
            Lane::Jail | Lane::Microvm => self.run_job(lane, run, start, stdin, errand, (locator, vault)),
        }
    }

    /// Whether what a call would run could be started at all. Nothing is run.
    ///
    /// # Errors
    /// When it would not be.
    pub fn prospect(&self, effects: &Effects, lane: Option<Lane>) -> Result<(), Fault> {
        effects.iter().try_for_each(|effect| match effect {
            Effect::Run(run) => self.has(run, lane),
            Effect::Read { .. }
            | Effect::Write { .. }
            | Effect::Delete { .. }
            | Effect::Network(_)
            | Effect::Secret { .. }
            | Effect::Query(_)
            | Effect::Memory(_)
            | Effect::Repository(_)
            | Effect::Status
            | Effect::Nothing
            | Effect::Unknown { .. } => Ok(()),
        })
    }

    /// Whether the lane and the runtime of a run are there.
    fn has(&self, run: &Run, lane: Option<Lane>) -> Result<(), Fault> {
        let language = program::language(run)?;
        match (lane, language) {
            (Some(Lane::Jail), language) => {
                match language {
                    Some(language) => self.jail.has(language).map_err(fault)?,
                    None => drop(shell::runtime().map_err(|error| no_shell(&error))?),
                }
                // A wall that this machine does not have. Whatever else goes wrong now may go well later.
                if self.jail_stands.get().is_none() {
                    match self.jail.probe() {
                        Err(error @ LaneError::Missing { .. }) => return Err(fault(error)),
                        Err(_) => {}
                        Ok(_) => drop(self.jail_stands.set(())),
                    }
                }
                Ok(())
            }
            (Some(Lane::Microvm), None) => Err(no_shell_there()),
            (Some(Lane::Microvm), Some(language)) => match &self.microvm {
                Some(microvm) => microvm.has(language).map_err(fault),
                None => Err(no_microvm()),
            },
            (Some(Lane::Monty) | None, _) => Ok(()),
        }
    }

    fn run_job(
        &self,
        lane: Lane,
        run: &Run,
        start: Start,
        stdin: &str,
        errand: &Errand<'_>,
        (locator, vault): (&Locator, &Vault),
    ) -> Result<Done, Fault> {
        let (mut inputs, left_out) = inputs::open(errand, locator)?;
        let (variables, files) = environment::given(run, errand, vault)?;
        inputs.extend(files);
        let (language, program, shell) = match start {
            Start::Runtime(language, program) => (language, program, false),
            // The language is that of no runtime here: the program is the shell of the machine.
            Start::Shell(words) => (Language::Python, lanes::Program::Arguments(words), true),
        };
        let hosts = hosts(errand);
        let network = if hosts.is_empty() {
            Network::None
        } else {
            Network::Only(Reach { hosts, bytes: NETWORK_BYTES, outside: Arc::clone(&self.outside) })
        };
        let cancelled = Arc::new(AtomicBool::new(false));
        let job = Job {
            language,
            program,
            inputs,
            stdin: stdin.as_bytes().to_vec(),
            environment: variables,
            limits: limits::of_job(run, errand.walls),
            network,
            cancelled: Arc::clone(&cancelled),
        };
        let folder = tempfile::Builder::new().prefix("toolgate-run-").tempdir();
        let folder = folder
            .map_err(|error| Fault::failed("lane_failed", format!("no folder for outputs: {error}")))?;
        let ran = watched(
            errand.cancelled,
            || cancelled.store(true, Ordering::Relaxed),
            || self.run_in(lane, &job, shell, folder.path()),
        );
        let told = ran.and_then(|ran| told::tell(lane, &ran, folder.path(), &left_out, &job.limits));
        folder.close().map_err(|error| {
            Fault::failed("lane_failed", format!("outputs could not be cleared: {error}"))
        })?;
        told
    }

    fn run_in(&self, lane: Lane, job: &Job, shell: bool, outputs: &Path) -> Result<Ran, Fault> {
        let ran = match (lane, &self.microvm, shell) {
            (Lane::Microvm, Some(_), true) => return Err(no_shell_there()),
            (Lane::Microvm, Some(microvm), false) => microvm.run(job, outputs),
            (Lane::Microvm, None, _) => return Err(no_microvm()),
            (Lane::Jail, _, true) => shell::runtime()
                .map_err(|error| no_shell(&error))
                .map(|shell| self.jail.run_program(&shell, job, outputs))?,
            (Lane::Jail, _, false) => self.jail.run(job, outputs),
            (Lane::Monty, _, _) => {
                return Err(missing(ReasonCode::LANE_MISSING, "Monty runs no such program", "use the jail"));
            }
        };
        ran.map_err(fault)
    }
}

fn no_shell(error: &std::io::Error) -> Fault {
    missing(ReasonCode::RUNTIME_MISSING, format!("there is no shell: {error}"), DOCTOR)
}

fn no_shell_there() -> Fault {
    let remedy = "use `exec_sandbox` with a language";
    missing(ReasonCode::LANE_MISSING, "the microVM lane has no shell", remedy)
}

fn no_microvm() -> Fault {
    let remedy = "`toolgate doctor` says what the machine needs for it; no weaker lane takes its place";
    missing(ReasonCode::LANE_MISSING, "the microVM lane is not there", remedy)
}

const DOCTOR: &str = "`toolgate doctor` says what the machine needs for it";

/// What the code is to run in is what it gets, or a refusal.
fn missing(code: ReasonCode, message: impl Into<String>, remedy: impl Into<String>) -> Fault {
    Fault::Denied(Reason { code, message: message.into(), rule: None, remedy: Some(remedy.into()) })
}

/// Why a program was not run, for the agent.
fn fault(error: LaneError) -> Fault {
    let message = error.to_string();
    match error {
        LaneError::Missing { .. } => missing(ReasonCode::LANE_MISSING, message, DOCTOR),
        LaneError::NoRuntime { why, .. } => missing(ReasonCode::RUNTIME_MISSING, message, why),
        LaneError::BadJob(_) => Fault::failed("bad_request", message),
        LaneError::Failed { .. } => Fault::failed("lane_failed", message),
    }
}

/// A text among the arguments.
fn text<'a>(errand: &Errand<'a>, name: &str) -> Option<&'a str> {
    errand.arguments.values().get(name).and_then(Value::as_str)
}

/// The hosts that were decided about, and nothing beside them.
fn hosts(errand: &Errand<'_>) -> Vec<HostPattern> {
    let requests = errand
        .effects
        .iter()
        .filter_map(|effect| if let Effect::Network(request) = effect { Some(request) } else { None });
    requests
        .map(|request| {
            let host = match &request.url.host {
                WebHost::Name(name) => Host::Name(name.to_string()),
                WebHost::Ip(address) => Host::Address(*address),
            };
            HostPattern { host, port: Some(request.url.port) }
        })
        .collect()
}

/// Does something that takes a while, and has it stopped when nobody wants it any more.
fn watched<T>(unwanted: &AtomicBool, stop: impl Fn() + Sync, act: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if unwanted.load(Ordering::Relaxed) {
                    stop();
                    return;
                }
                std::thread::park_timeout(TICK);
            }
        });
        let done = act();
        over.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        done
    })
}
