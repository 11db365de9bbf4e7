//! How these tests start the program.

use std::fs;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// No run takes nearly this long, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(150);

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A folder of its own, and the program in it.
#[derive(Debug)]
pub(crate) struct Door {
    pub(crate) folder: TempDir,
}

impl Door {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, and the folders it lies in.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names in a folder, sorted.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(folder))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_toolgate"));
        command.args(arguments).current_dir(self.folder.path()).env_remove("NO_COLOR");
        // A busy machine proves the same as a quiet one.
        command.env("TOOLGATE_PROOF_SECONDS", "120");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        finish(self.command(arguments).spawn().unwrap())
    }

    /// The same, where nothing can be proved.
    pub(crate) fn run_without_solver(&self, arguments: &[&str]) -> Ran {
        finish(self.command(arguments).env("CVC5", "/nowhere/cvc5").spawn().unwrap())
    }

    /// Runs the program with this on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Ran {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The program may stop reading before the end, which is its right.
        thread::spawn(move || drop(stdin.write_all(&input)));
        finish(child)
    }
}

/// Waits for the end of a run, and kills one that does not come to it.
pub(crate) fn finish(mut child: Child) -> Ran {
    let stdout = collect(child.stdout.take().unwrap());
    let stderr = collect(child.stderr.take().unwrap());
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("toolgate hangs");
        }
        thread::sleep(Duration::from_millis(2));
    };
    Ran { code: status.code(), stdout: stdout.join().unwrap(), stderr: stderr.join().unwrap() }
}

fn collect(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    })
}

impl Ran {
    /// Everything that can be seen from outside.
    pub(crate) fn all(&self) -> String {
        let code = self.code.map_or_else(|| String::from("none"), |code| code.to_string());
        format!("exit {code}\n{}---\n{}", self.stdout, self.stderr)
    }

    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.all()))
    }
}

/// Waits until `done`, or fails.
#[track_caller]
pub(crate) fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The stem of a document that is accepted.
pub(crate) const GOOD: &str = "TR-20260112-090000Z-survey-stats";

/// A document that is accepted, under the name [`GOOD`].
pub(crate) fn good() -> String {
    fs::read_to_string(examples("accepted").join(format!("{GOOD}.md"))).unwrap()
}

/// A document that every profile rejects, for two reasons that never change.
pub(crate) const BAD: &str = "no front matter\n";

pub(crate) fn examples(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(kind)
}
