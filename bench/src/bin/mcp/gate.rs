//! A gate with a home of its own, and servers that listen.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::echo;
use crate::wire::Http;

/// A home, and the program to use it with.
pub(crate) struct Gate {
    program: PathBuf,
    folder: TempDir,
}

impl Gate {
    pub(crate) fn new(program: &Path) -> Result<Self, String> {
        let folder = TempDir::new().map_err(|error| error.to_string())?;
        let program = program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?;
        std::fs::write(folder.path().join("notes.txt"), "one\n").map_err(|error| error.to_string())?;
        let gate = Self { program, folder };
        gate.said(&["init"])?;
        Ok(gate)
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(self.folder.path()).stderr(Stdio::null());
        command
    }

    /// What it prints, if it ends well.
    pub(crate) fn said(&self, words: &[&str]) -> Result<String, String> {
        let ran = self.command(words).stdin(Stdio::null()).stderr(Stdio::piped()).output();
        let ran = ran.map_err(|error| error.to_string())?;
        if !ran.status.success() {
            return Err(format!("toolgate {}: {}", words.join(" "), String::from_utf8_lossy(&ran.stderr)));
        }
        Ok(String::from_utf8_lossy(&ran.stdout).into_owned())
    }

    /// Entries of its ledger.
    pub(crate) fn entries(&self) -> Result<u64, String> {
        let last = self.said(&["ledger", "tail", "--format", "json"])?;
        let last =
            last.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()).next_back();
        last.and_then(|entry| entry.get("entry")?.as_u64())
            .map(|last| last + 1)
            .ok_or_else(|| "an empty ledger".to_owned())
    }

    pub(crate) fn verify(&self) -> Result<(), String> {
        self.said(&["ledger", "verify"]).map(drop)
    }
}

/// A server that listens, until this is dropped.
pub(crate) struct Served {
    child: Child,
    address: String,
    token: String,
}

impl Served {
    pub(crate) fn gate(gate: &Gate) -> Result<Self, String> {
        let name = format!("t{}", std::process::id());
        let token = gate.said(&["mcp", "token", "add", &name, "--agent", "bench"])?;
        Self::of(&mut gate.command(&["mcp", "--http", "127.0.0.1:0"]), token.trim())
    }

    pub(crate) fn echo() -> Result<Self, String> {
        Self::of(&mut echo::command("http"), "none")
    }

    fn of(command: &mut Command, token: &str) -> Result<Self, String> {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or("no output")?;
        BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
        let address = line.trim().trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
        Ok(Self { child, address, token: token.to_owned() })
    }

    pub(crate) fn connect(&self) -> Result<Http, String> {
        Http::new(&self.address, &self.token, None)
    }

    /// One more connection of a session.
    pub(crate) fn join(&self, session: &str) -> Result<Http, String> {
        Http::new(&self.address, &self.token, Some(session))
    }

    /// Kilobytes that it has in memory.
    pub(crate) fn memory(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
