//! The side in Python: one process that stays up and checks a folder on request.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// A Python process that holds a folder of documents.
#[derive(Debug)]
pub(crate) struct Python {
    pub(crate) variant: String,
    child: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

impl Python {
    /// Starts the process; nothing when there is no Python here, or it lacks a library.
    pub(crate) fn start(variant: &str, folder: &Path) -> Result<Option<Self>, String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/threegate_check.py");
        let mut command = Command::new("python3");
        command.arg("-B").arg(script).arg(folder).args(["--variant", variant]);
        let Ok(mut child) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            return Ok(None);
        };
        let (Some(ask), Some(answer)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the Python process has no pipes".to_owned());
        };
        let mut python = Self { variant: variant.to_owned(), child, ask, answer: BufReader::new(answer) };
        match python.line()?.as_str() {
            "ready" => Ok(Some(python)),
            "no such parser" => Ok(None),
            other => Err(format!("the Python process says `{other}`, expected `ready`")),
        }
    }

    /// Checks every document once; the time is Python's own, without the talk between processes.
    pub(crate) fn round(&mut self) -> Result<Duration, String> {
        self.say("round\n")?;
        let line = self.line()?;
        line.parse().map(Duration::from_nanos).map_err(|_| format!("the Python process says `{line}`"))
    }

    /// The verdict of every document, by stem.
    pub(crate) fn verdicts(&mut self) -> Result<BTreeMap<String, String>, String> {
        self.say("verdicts\n")?;
        let mut verdicts = BTreeMap::new();
        loop {
            let line = self.line()?;
            match line.split_once(' ') {
                Some((verdict, stem)) => drop(verdicts.insert(stem.to_owned(), verdict.to_owned())),
                None if line == "end" => return Ok(verdicts),
                None => return Err(format!("the Python process says `{line}`")),
            }
        }
    }

    fn say(&mut self, words: &str) -> Result<(), String> {
        self.ask.write_all(words.as_bytes()).map_err(|error| format!("cannot talk to Python: {error}"))
    }

    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        self.answer.read_line(&mut line).map_err(|error| format!("cannot hear from Python: {error}"))?;
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
