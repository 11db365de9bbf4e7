//! `toolgate doctor`: what does this machine really have?

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use call::{ExitReason, Language};
use lanes::{Jail, Job, Lane, LaneError, Limits, Network, Program};
use serde::Serialize;

use super::print;
use crate::arguments::{DoctorArguments, Format};
use crate::exit::Exit;
use crate::terminal::say;
use crate::visible::visible;

/// One thing that was tried.
#[derive(Serialize)]
struct Tried {
    what: String,
    state: State,
    detail: String,
    /// The one command, or the one change, that mends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Works,
    WorksWithLess,
    Missing,
}

impl State {
    const fn words(self) -> &'static str {
        match self {
            Self::Works => "works",
            Self::WorksWithLess => "works with less",
            Self::Missing => "missing",
        }
    }
}

#[derive(Serialize)]
struct Answer {
    tried: Vec<Tried>,
}

pub(crate) fn run(arguments: &DoctorArguments) -> Exit {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let jail = Jail::new(std::env::split_paths(&search).collect());
    let jailed = walls("lane jail", &jail);
    let has_jail = jailed.state != State::Missing;
    if matches!(arguments.format, Format::Text) {
        say("trying a machine of its own ...");
    }
    let machine = match super::lanes::machines(&arguments.cache) {
        Ok(machines) => walls("lane microvm", &machines),
        Err(error) => missing("lane microvm", &error),
    };
    let mut tried = vec![interpreter(), jailed, machine];
    if has_jail {
        for (name, language) in Language::ALL {
            if matches!(arguments.format, Format::Text) {
                say(&format!("trying {name} ..."));
            }
            tried.push(runtime(&jail, name, language));
        }
    }
    let missing = tried.iter().any(|one| one.state == State::Missing);
    let exit = if missing { Exit::Failed } else { Exit::Done };
    match arguments.format {
        Format::Json => print::json(&Answer { tried }, exit),
        Format::Text => print::text(&table(&tried), exit),
    }
}

/// The Monty lane, tried with a sum.
fn interpreter() -> Tried {
    let what = "lane monty".to_owned();
    let request = monty_lane::Request {
        source: "1 + 1".to_owned(),
        modules: Vec::new(),
        inputs: serde_json::Map::new(),
        limits: monty_lane::Limits::default(),
    };
    let settings = monty_lane::Settings { workers: 1, ..monty_lane::Settings::new("/proc/self/exe") };
    match monty_lane::Pool::start(settings).and_then(|pool| pool.run(&request, None)) {
        Ok(outcome) => match outcome.result {
            Ok(_) => Tried { what, state: State::Works, detail: outcome.layers.join(" "), mend: None },
            Err(failure) => Tried { what, state: State::Missing, detail: failure.message, mend: None },
        },
        Err(error) => Tried { what, state: State::Missing, detail: error.to_string(), mend: None },
    }
}

/// A lane, tried with a program that does nothing.
fn walls(what: &str, lane: &dyn Lane) -> Tried {
    let probe = match lane.probe() {
        Ok(probe) => probe,
        Err(error) => return missing(what, &error),
    };
    let state = if probe.weaker.is_empty() { State::Works } else { State::WorksWithLess };
    let mend = (!probe.weaker.is_empty()).then(|| probe.weaker.join("; "));
    Tried { what: what.to_owned(), state, detail: probe.layers.join(" "), mend }
}

/// A lane that is not there.
fn missing(what: &str, error: &LaneError) -> Tried {
    let detail = error.to_string();
    let mend = remedy(error).or_else(|| super::lanes::mend(&detail));
    Tried { what: what.to_owned(), state: State::Missing, mend, detail }
}

/// What helps against the refusals that ordinary machines have.
fn remedy(error: &LaneError) -> Option<String> {
    let LaneError::Missing { layer, .. } = error else { return None };
    let mend = match layer.as_str() {
        "namespaces" => {
            "allow user namespaces: sysctl -w user.max_user_namespaces=10000 (and on Ubuntu \
             kernel.apparmor_restrict_unprivileged_userns=0, on older Debian kernel.unprivileged_userns_clone=1)"
        }
        "landlock" => "start the kernel with lsm=landlock,... or install Linux 5.13 or newer",
        "/proc of its own" => {
            "run the gate where /proc is not covered: outside a container, or with its /proc unmasked"
        }
        "seccomp" => "a kernel with CONFIG_SECCOMP_FILTER",
        _ => return None,
    };
    Some(mend.to_owned())
}

/// A language, tried with its shortest program.
fn runtime(jail: &Jail, name: &str, language: Language) -> Tried {
    let what = format!("language {name}");
    let missing = |detail: String, mend: Option<String>| Tried {
        what: what.clone(),
        state: State::Missing,
        detail,
        mend,
    };
    let found = match jail.runtime(language) {
        Ok(found) => found,
        Err(error) => {
            let detail = error.to_string();
            // The package is named where the runtime was not found at all.
            let mend = super::lanes::mend(&detail);
            return missing(detail, mend);
        }
    };
    let about = format!("{} {}", found.version, found.program.display());
    let folder = std::env::temp_dir();
    match jail.run(&shortest(language), &folder) {
        Ok(ran) if ran.ending.reason == ExitReason::Exited && ran.ending.code == 0 => {
            Tried { what, state: State::Works, detail: about, mend: None }
        }
        Ok(ran) => {
            let said = String::from_utf8_lossy(&ran.stderr);
            let said = said.lines().last().unwrap_or_default();
            missing(
                format!("{about}: ended with {} {}: {said}", ran.ending.reason.as_str(), ran.ending.code),
                None,
            )
        }
        Err(error) => missing(format!("{about}: {error}"), None),
    }
}

fn shortest(language: Language) -> Job {
    let code = match language {
        Language::Python => "pass",
        Language::Node | Language::Ts => "let a = 1",
        Language::Go => "package main\n\nfunc main() {}\n",
        Language::Ruby => "1",
    };
    Job {
        language,
        program: Program::Code(code.to_owned()),
        inputs: Vec::new(),
        stdin: Vec::new(),
        environment: Vec::new(),
        limits: Limits {
            time: Duration::from_secs(120),
            memory: 1 << 30,
            cpus: 2.0,
            processes: 256,
            disk: 512 << 20,
            files: 20_000,
            output: 64 * 1024,
        },
        network: Network::None,
        cancelled: Arc::new(AtomicBool::new(false)),
    }
}

fn table(tried: &[Tried]) -> String {
    let mut text = String::new();
    for Tried { what, state, detail, mend } in tried {
        text.push_str(&format!("{what:<16} {:<16} {}\n", state.words(), visible(detail)));
        if let Some(mend) = mend {
            text.push_str(&format!("{:<33} mend: {}\n", "", visible(mend)));
        }
    }
    text
}
