//! The side of agent-os-kernel: a Python process that holds its policies and decides on request.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bench::{Case, Folders, Partner, Rulebook};
use serde_json::Value;
use tempfile::TempDir;

/// What it is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Rules alone, folders by its quickest operator.
    Quickest,
    /// Rules alone, folders by patterns.
    Exact,
    /// As the quickest, after its own detectors of injections and credentials.
    Screened,
}

impl Way {
    pub(crate) const ALL: [Self; 3] = [Self::Quickest, Self::Exact, Self::Screened];

    const fn order(self) -> &'static str {
        match self {
            Self::Quickest | Self::Exact => "round",
            Self::Screened => "screened",
        }
    }

    fn policy(self, rules: usize) -> String {
        match self {
            Self::Quickest | Self::Screened => format!("contained-{rules}"),
            Self::Exact => format!("matched-{rules}"),
        }
    }
}

/// A process with the policies and calls of a run.
#[derive(Debug)]
pub(crate) struct AgentOs {
    process: Partner,
    // The process reads policies from it when they are first asked for.
    _folder: TempDir,
}

impl AgentOs {
    /// Starts the process; nothing when there is no such Python, or the package is not installed.
    pub(crate) fn start(python: &Path, rules: &[usize], cases: &[Case]) -> Result<Option<Self>, String> {
        let folder = folder(rules, cases).map_err(|error| format!("cannot write policies: {error}"))?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/agent_os_decide.py");
        let mut command = Command::new(python);
        command.arg("-B").arg(script).arg(folder.path());
        let Some(mut process) = Partner::start(&mut command)? else { return Ok(None) };
        match process.line()?.as_str() {
            "ready" => Ok(Some(Self { process, _folder: folder })),
            "missing" => Ok(None),
            other => Err(format!("the Python process says `{other}`, expected `ready`")),
        }
    }

    /// What it says to every call, in our words.
    pub(crate) fn verdicts(&mut self, way: Way, rules: usize) -> Result<Vec<String>, String> {
        self.process.say(&format!("verdicts {}\n", way.policy(rules)))?;
        let line = self.process.line()?;
        // `block` is what its own translation makes of `escalate`.
        Ok(line
            .split(' ')
            .map(|word| if word == "block" { "needs_approval" } else { word }.to_owned())
            .collect())
    }

    /// The times of so many decisions about a call; they are its own, without the talk between
    /// processes.
    pub(crate) fn round(
        &mut self,
        way: Way,
        rules: usize,
        call: usize,
        times: usize,
    ) -> Result<Vec<Duration>, String> {
        self.process.say(&format!("{} {} {call} {times}\n", way.order(), way.policy(rules)))?;
        let line = self.process.line()?;
        let taken: Result<Vec<Duration>, _> =
            line.split(' ').map(|word| word.parse().map(Duration::from_nanos)).collect();
        taken.map_err(|_| format!("the Python process says `{line}`"))
    }
}

#[expect(clippy::disallowed_methods, reason = "the other process reads its policies from files")]
fn folder(rules: &[usize], cases: &[Case]) -> std::io::Result<TempDir> {
    let folder = TempDir::new()?;
    let contexts: Value = cases.iter().map(|case| case.context.clone()).collect();
    std::fs::write(folder.path().join("calls.json"), contexts.to_string())?;
    for &count in rules {
        let rulebook = Rulebook::with_others(count);
        for (way, folders) in [(Way::Quickest, Folders::Contained), (Way::Exact, Folders::Matched)] {
            let file = folder.path().join(format!("{}.json", way.policy(count)));
            std::fs::write(file, rulebook.agent_os_document(folders))?;
        }
    }
    Ok(folder)
}
