//! The side in Python: one process that stays up and checks a folder on request.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use bench::Partner;

/// A Python process that holds a folder of documents.
#[derive(Debug)]
pub(crate) struct Python {
    pub(crate) variant: String,
    process: Partner,
}

impl Python {
    /// Starts the process; nothing when there is no Python here, or it lacks a library.
    pub(crate) fn start(variant: &str, folder: &Path) -> Result<Option<Self>, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/threegate_check.py");
        let mut command = Command::new("python3");
        command.arg("-B").arg(script).arg(folder).args(["--variant", variant]);
        let Some(mut process) = Partner::start(&mut command)? else { return Ok(None) };
        match process.line()?.as_str() {
            "ready" => Ok(Some(Self { variant: variant.to_owned(), process })),
            "no such parser" => Ok(None),
            other => Err(format!("the Python process says `{other}`, expected `ready`")),
        }
    }

    /// Checks every document once; the time is Python's own, without the talk between processes.
    pub(crate) fn round(&mut self) -> Result<Duration, String> {
        self.process.say("round\n")?;
        let line = self.process.line()?;
        line.parse().map(Duration::from_nanos).map_err(|_| format!("the Python process says `{line}`"))
    }

    /// The verdict of every document, by stem.
    pub(crate) fn verdicts(&mut self) -> Result<BTreeMap<String, String>, String> {
        self.process.say("verdicts\n")?;
        let mut verdicts = BTreeMap::new();
        loop {
            let line = self.process.line()?;
            match line.split_once(' ') {
                Some((verdict, stem)) => drop(verdicts.insert(stem.to_owned(), verdict.to_owned())),
                None if line == "end" => return Ok(verdicts),
                None => return Err(format!("the Python process says `{line}`")),
            }
        }
    }
}
