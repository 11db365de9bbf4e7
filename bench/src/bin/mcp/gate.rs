//! A gate with a home of its own, and servers that listen.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::echo;
use crate::wire::Http;

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A home, and the program to use it with.
pub(crate) struct Gate {
    program: PathBuf,
    folder: TempDir,
}

impl Gate {
    pub(crate) fn new(program: &Path) -> Result<Self, String> {
        let folder = TempDir::new().map_err(told)?;
        let program = program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?;
        std::fs::write(folder.path().join("notes.txt"), "one\n").map_err(told)?;
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
        let ran = ran.map_err(told)?;
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

    /// Hands each line that it prints to `take`, without keeping them.
    pub(crate) fn lines(
        &self,
        words: &[&str],
        mut take: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut command = self.command(words);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(told)?;
        let mut output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut line = String::new();
        while output.read_line(&mut line).map_err(told)? > 0 {
            take(line.trim_end())?;
            line.clear();
        }
        let status = child.wait().map_err(told)?;
        if status.success() { Ok(()) } else { Err(format!("toolgate {}: {status}", words.join(" "))) }
    }

    /// Puts a policy in force that lets agents write without asking anybody.
    pub(crate) fn let_write(&self) -> Result<(), String> {
        let path = self.folder.path().join(".toolgate/policy.toml");
        let policy = std::fs::read_to_string(&path).map_err(told)?;
        let policy = policy
            .replace("read_only = true", "read_only = false")
            .replace("[\"write_file\", \"run_shell\", \"delete_file\"]", "[\"run_shell\", \"delete_file\"]");
        std::fs::write(&path, policy).map_err(told)?;
        let why = ["--reason", "r", "--abuse-case", "a", "--tests", "t", "--rollback", "b"];
        self.said(&[&["policy", "apply"][..], &why].concat()).map(drop)
    }

    /// Makes a folder in the workspace.
    pub(crate) fn folder(&self, name: &str) -> Result<(), String> {
        std::fs::create_dir_all(self.folder.path().join(name)).map_err(told)
    }

    pub(crate) fn verify(&self) -> Result<(), String> {
        self.said(&["ledger", "verify"]).map(drop)
    }
}

/// A server that listens, until this is dropped.
pub(crate) struct Served {
    child: Child,
    address: String,
    tokens: Vec<String>,
}

impl Served {
    /// The gate, for clients with so many tokens.
    pub(crate) fn gate(gate: &Gate, tokens: usize) -> Result<Self, String> {
        let mut shown = Vec::new();
        for number in 0..tokens.max(1) {
            let (name, agent) = (format!("t{}-{number}", std::process::id()), format!("bench-{number}"));
            let token = gate.said(&["mcp", "token", "add", &name, "--agent", &agent])?;
            shown.push(token.trim().to_owned());
        }
        Self::of(&mut gate.command(&["mcp", "--http", "127.0.0.1:0"]), shown)
    }

    pub(crate) fn echo(kind: echo::Kind) -> Result<Self, String> {
        Self::of(&mut echo::command("http", kind), vec!["none".to_owned()])
    }

    fn of(command: &mut Command, tokens: Vec<String>) -> Result<Self, String> {
        let (child, address) = start(command)?;
        Ok(Self { child, address, tokens })
    }

    pub(crate) fn connect(&self) -> Result<Http, String> {
        self.connect_as(0)
    }

    /// With the token of this number, or one of the others where there are not so many.
    pub(crate) fn connect_as(&self, number: usize) -> Result<Http, String> {
        Http::new(&self.address, self.tokens.iter().cycle().nth(number).ok_or("no token")?)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn tokens(&self) -> &[String] {
        &self.tokens
    }

    /// Ends it in the middle of whatever it does.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Starts it again, at the same address.
    pub(crate) fn again(&mut self, gate: &Gate) -> Result<(), String> {
        self.kill();
        let (child, address) = start(&mut gate.command(&["mcp", "--http", &self.address]))?;
        self.child = child;
        if address == self.address { Ok(()) } else { Err(format!("it listens at `{address}` now")) }
    }

    /// Asks it to end, and waits until it has.
    pub(crate) fn stop(mut self) -> Result<(), String> {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, rustix::process::Signal::TERM).map_err(told)?;
        let status = self.child.wait().map_err(told)?;
        if status.success() { Ok(()) } else { Err(format!("it ended with {status}")) }
    }

    /// Kilobytes that it has in memory.
    pub(crate) fn memory(&self) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }
}

/// A server, and where it listens.
fn start(command: &mut Command) -> Result<(Child, String), String> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(told)?;
    let mut line = String::new();
    let output = child.stdout.take().ok_or("no output")?;
    BufReader::new(output).read_line(&mut line).map_err(told)?;
    let address = line.trim().trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    if address.is_empty() {
        let _ = child.kill();
        let _ = child.wait();
        return Err("the server did not say where it listens".to_owned());
    }
    Ok((child, address))
}

impl Drop for Served {
    fn drop(&mut self) {
        self.kill();
    }
}
