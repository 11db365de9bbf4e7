//! The other side of a comparison: a process that stays up, is told lines and answers with lines.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A process to talk to; it ends when this is dropped.
#[derive(Debug)]
pub struct Partner {
    child: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

impl Partner {
    /// Starts the process; nothing when there is no such program.
    ///
    /// # Errors
    ///
    /// It has no pipes.
    pub fn start(command: &mut Command) -> Result<Option<Self>, String> {
        let Ok(mut child) = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn() else {
            return Ok(None);
        };
        let (Some(ask), Some(answer)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("the Python process has no pipes".to_owned());
        };
        Ok(Some(Self { child, ask, answer: BufReader::new(answer) }))
    }

    /// Says a line, which ends with a line feed.
    ///
    /// # Errors
    ///
    /// The process is gone.
    pub fn say(&mut self, words: &str) -> Result<(), String> {
        self.ask.write_all(words.as_bytes()).map_err(|error| format!("cannot talk to Python: {error}"))
    }

    /// Waits for a line.
    ///
    /// # Errors
    ///
    /// The process is gone.
    pub fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        self.answer.read_line(&mut line).map_err(|error| format!("cannot hear from Python: {error}"))?;
        Ok(line.trim_end().to_owned())
    }
}

impl Drop for Partner {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
