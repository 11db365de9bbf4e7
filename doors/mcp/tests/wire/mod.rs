//! A client that says bare lines and hears bare lines.
#![allow(dead_code, reason = "each test file uses a part of this")]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::panic,
    reason = "a test that cannot talk to its server has failed"
)]

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::Value;

/// A program of `examples/`, which is built with the tests.
pub(crate) fn example(name: &str) -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples").join(name)
}

pub(crate) struct Pipe {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: i64,
}

impl Pipe {
    pub(crate) fn start(root: &Path) -> Self {
        Self::start_with(root, &[])
    }

    pub(crate) fn start_with(root: &Path, more: &[&str]) -> Self {
        let mut command = Command::new(example("small_gate"));
        command.arg(root).args(more);
        Self::of(command)
    }

    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { return };
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, next: 100 }
    }

    pub(crate) fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    #[track_caller]
    pub(crate) fn hear(&mut self) -> Value {
        let line = self.lines.recv_timeout(Duration::from_secs(20)).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    pub(crate) fn hello(&mut self) {
        self.say(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#);
        assert_eq!(self.hear()["id"], 0);
        self.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    #[track_caller]
    pub(crate) fn call(&mut self, tool: &str, arguments: &str) -> Value {
        self.next += 1;
        self.say(&tool_call(self.next, tool, arguments));
        let told = self.hear();
        assert_eq!(told["id"], self.next, "{told}");
        told
    }

    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn tool_call(id: i64, tool: &str, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
    )
}

/// What the small gate of another process has put on record.
pub(crate) fn entries(root: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(root.join(".entries")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
pub(crate) fn until(mut done: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(15);
    while !done() {
        assert!(Instant::now() < end, "it did not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}
