//! The lane that a request runs in: tried before anything is used up, and never a weaker one than policy says.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use call::{Confinement, ExitReason, HostPattern, Lane, Reason, WebHost, WebScheme};
use document::{Request, Task};
use lanes::network::{Internet, Outside};
use lanes::{Ending, Jail, Job, Lane as _, LaneError, Limits, Network, Program, Ran, Reach};
use signal_hook::consts::{SIGINT, SIGTERM};

use super::setting::Judge;
use super::weighing::address;
use super::{LANE_MISSING, own_reason};
use crate::lanes_here;

/// Bytes that may go through the proxy of one run.
const MOST_BYTES: u64 = 1 << 30;

/// A lane that was tried.
pub(crate) struct Ready {
    pub(crate) lane: Lane,
    /// What runs there, as it says of itself.
    pub(crate) identity: String,
    runner: Runner,
}

enum Runner {
    Monty(monty_lane::Pool),
    Machine(Box<dyn lanes::Lane>),
}

/// Why a run did not come to an end.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotRun {
    #[error(transparent)]
    Lane(#[from] LaneError),
    #[error("the lane `monty` failed: {0}")]
    Monty(#[from] monty_lane::PoolError),
}

/// Tries the lane that policy says.
pub(crate) fn prepare(request: &Request, walls: &Confinement) -> Result<Ready, Reason> {
    let missing = |message: String| {
        own_reason(LANE_MISSING, message, "`toolgate doctor` says what is missing, and how to get it")
    };
    match (&request.task, walls.lane) {
        (Task::Code { .. }, _) => {
            let settings = monty_lane::Settings {
                workers: 1,
                longest: Duration::from_secs(request.limits.seconds.into()),
                most_memory: usize::try_from(megabytes(request.limits.memory_mb)).unwrap_or(usize::MAX),
                ..monty_lane::Settings::new("/proc/self/exe")
            };
            let pool = monty_lane::Pool::start(settings).map_err(|error| missing(error.to_string()))?;
            let identity = "Monty, a Python interpreter without access to anything".to_owned();
            Ok(Ready { lane: Lane::Monty, identity, runner: Runner::Monty(pool) })
        }
        (Task::Command { .. }, Some(Lane::Microvm)) => {
            let runner = Box::new(lanes_here::microvm());
            runner.probe().map_err(|error| missing(error.to_string()))?;
            let identity = "a virtual machine with a kernel of its own".to_owned();
            Ok(Ready { lane: Lane::Microvm, identity, runner: Runner::Machine(runner) })
        }
        (Task::Command { .. }, Some(Lane::Jail | Lane::Monty) | None) => {
            let jail = Jail::new(lanes_here::search());
            let runtime = jail.runtime(request.language).map_err(|error| missing(error.to_string()))?;
            jail.probe().map_err(|error| missing(error.to_string()))?;
            let identity = format!("{} {}", runtime.version, runtime.program.display());
            Ok(Ready { lane: Lane::Jail, identity, runner: Runner::Machine(Box::new(jail)) })
        }
    }
}

/// The limits of a run: what the request asks for, and never more than policy lets anybody have.
pub(crate) fn limits(request: &Request, walls: &Confinement) -> Limits {
    let seconds =
        walls.max_runtime_seconds.map_or(request.limits.seconds, |most| most.min(request.limits.seconds));
    let memory =
        walls.memory_limit_mb.map_or(request.limits.memory_mb, |most| most.min(request.limits.memory_mb));
    Limits {
        time: Duration::from_secs(seconds.into()),
        memory: megabytes(memory),
        cpus: request.limits.cpus,
        processes: walls.run.processes,
        disk: megabytes(walls.run.disk_mb),
        files: walls.run.files,
        output: u64::from(walls.run.output_kb) << 10,
    }
}

pub(crate) fn megabytes(count: u32) -> u64 {
    u64::from(count) << 20
}

impl Ready {
    /// Runs a request to its end. What it leaves below `/out` is put into `outputs`.
    pub(crate) fn run(
        &self,
        request: &Request,
        inputs: Vec<lanes::Input>,
        limits: Limits,
        judge: Judge,
        outputs: &Path,
    ) -> Result<Ran, NotRun> {
        match (&self.runner, &request.task) {
            (Runner::Monty(pool), Task::Code { code, inputs_json }) => {
                Ok(interpreted(pool, code, inputs_json.as_deref(), limits)?)
            }
            (Runner::Machine(lane), Task::Command { argv, .. }) => {
                let job = Job {
                    language: request.language,
                    program: Program::Arguments(argv.clone()),
                    inputs,
                    stdin: Vec::new(),
                    environment: Vec::new(),
                    limits,
                    network: network(&request.network_allowlist, judge),
                    cancelled: interruptible(),
                };
                Ok(lane.run(&job, outputs)?)
            }
            (Runner::Monty(_), Task::Command { .. }) | (Runner::Machine(_), Task::Code { .. }) => {
                Err(LaneError::BadJob("the lane was made ready for another request".to_owned()).into())
            }
        }
    }
}

/// Set when somebody asks this program to end: a run is then ended properly, and on record.
fn interruptible() -> Arc<AtomicBool> {
    let came = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Where a signal cannot be taken over, it ends the program as it always did.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&came));
        let _ = signal_hook::flag::register(signal, Arc::clone(&came));
    }
    came
}

fn interpreted(
    pool: &monty_lane::Pool,
    code: &str,
    inputs: Option<&str>,
    limits: Limits,
) -> Result<Ran, monty_lane::PoolError> {
    // The checker has read them as an object.
    let inputs = inputs.and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
    let output = usize::try_from(limits.output).unwrap_or(usize::MAX);
    let request = monty_lane::Request {
        source: code.to_owned(),
        modules: Vec::new(),
        inputs,
        limits: monty_lane::Limits {
            time: limits.time,
            memory: usize::try_from(limits.memory).unwrap_or(usize::MAX),
            prints: output,
            value: output,
        },
    };
    let outcome = pool.run(&request, None)?;
    let reason = match outcome.exit {
        monty_lane::Exit::Exited => ExitReason::Exited,
        monty_lane::Exit::TimeLimit => ExitReason::TimeLimit,
        monty_lane::Exit::MemoryLimit => ExitReason::MemoryLimit,
        monty_lane::Exit::OutputLimit => ExitReason::OutputLimit,
        monty_lane::Exit::Cancelled => ExitReason::Cancelled,
    };
    let mut stdout = outcome.prints;
    let (code, stderr) = match outcome.result {
        Ok(value) => {
            // What it comes to is the last line of what it printed, as in an interactive session.
            if value.json != "null" {
                if !stdout.is_empty() && !stdout.ends_with('\n') {
                    stdout.push('\n');
                }
                stdout.push_str(&value.json);
                stdout.push('\n');
            }
            (0, String::new())
        }
        Err(failure) => {
            let refusals: String = failure.refusals.iter().map(|refusal| format!("{refusal:?}\n")).collect();
            let text = failure.traceback.clone().unwrap_or_else(|| failure.to_string());
            (1, format!("{}\n{refusals}", text.trim_end()))
        }
    };
    Ok(Ran {
        ending: Ending { reason, code },
        stdout: stdout.into_bytes(),
        stderr: stderr.into_bytes(),
        artifacts: Vec::new(),
        unwanted: Vec::new(),
        destinations: Vec::new(),
        layers: outcome.layers,
        runtime: outcome.duration,
    })
}

/// Whom a program may reach: those that are listed, at ports that policy allows, each looked at again when
/// it is named.
fn network(listed: &[HostPattern], judge: Judge) -> Network {
    if listed.is_empty() {
        return Network::None;
    }
    let mut hosts = Vec::new();
    for pattern in listed {
        match pattern.port {
            Some(_) => hosts.push(pattern.clone()),
            None => {
                let at = |port| HostPattern { port: Some(port), ..pattern.clone() };
                hosts.push(at(WebScheme::Https.default_port()));
                hosts.push(at(WebScheme::Http.default_port()));
            }
        }
    }
    // Plain HTTP to a host whose policy speaks of HTTPS only is refused here.
    hosts.retain(|pattern| judge(pattern_address(pattern)));
    let outside = Arc::new(Judged { judge, hosts: hosts.clone() });
    Network::Only(Reach { hosts, bytes: MOST_BYTES, outside })
}

fn pattern_address(pattern: &HostPattern) -> call::WebAddress {
    let host = match &pattern.host {
        call::Host::Name(name) => WebHost::Name(name.as_str().into()),
        call::Host::Subdomains(name) => WebHost::Name(format!("*.{name}").into()),
        call::Host::Address(address) => WebHost::Ip(*address),
    };
    address(host, pattern.port.unwrap_or(WebScheme::Https.default_port()))
}

/// The network of this machine, as far as policy goes: a wildcard of a request may cover a host that policy
/// denies by name.
struct Judged {
    judge: Judge,
    hosts: Vec<HostPattern>,
}

impl fmt::Debug for Judged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Judged").finish_non_exhaustive()
    }
}

impl Outside for Judged {
    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let name = host.parse::<IpAddr>().map_or_else(|_| WebHost::Name(host.into()), WebHost::Ip);
        let ports = self.hosts.iter().filter_map(|pattern| pattern.port);
        let mut ports = ports.filter(|port| self.hosts.iter().any(|pattern| pattern.covers(host, *port)));
        if !ports.all(|port| (self.judge)(address(name.clone(), port))) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "policy denies this host"));
        }
        Internet.resolve(host)
    }

    fn connect(&self, address: SocketAddr) -> io::Result<TcpStream> {
        Internet.connect(address)
    }
}
