//! Clients that say bare messages: over pipes, and over HTTP with one connection that stays.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// Somebody to make calls to.
pub(crate) trait Connection {
    /// Makes a call, and hears that it was done.
    fn call(&mut self) -> Result<(), String>;
}

fn hello() -> Value {
    let client = json!({ "name": "bench", "version": "1" });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params })
}

fn asked(id: u64) -> Value {
    let arguments = json!({ "path": "notes.txt", "purpose": "measure" });
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "read_file", "arguments": arguments } })
}

const READY: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A call that did not succeed would make the figures lie.
fn check(answer: &Value) -> Result<(), String> {
    let failed =
        answer.pointer("/result/isError") == Some(&Value::Bool(true)) || answer.get("result").is_none();
    if failed { Err(format!("a call failed: {answer}")) } else { Ok(()) }
}

/// A server at the other end of two pipes.
pub(crate) struct Pipes {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Pipes {
    /// Starts it, and hears its first answer.
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(told)?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        let mut pipes = Self { child, input, output, last: 0 };
        check(&pipes.ask(&hello())?)?;
        pipes.say(READY)?;
        Ok(pipes)
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        let input = self.input.as_mut().ok_or("no input")?;
        input.write_all(format!("{line}\n").as_bytes()).map_err(told)
    }

    fn ask(&mut self, message: &Value) -> Result<Value, String> {
        self.say(&message.to_string())?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(told)?;
        serde_json::from_str(&line).map_err(told)
    }
}

impl Connection for Pipes {
    fn call(&mut self) -> Result<(), String> {
        self.last += 1;
        check(&self.ask(&asked(self.last))?)
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

/// A server over HTTP.
pub(crate) struct Http {
    stream: BufReader<TcpStream>,
    head: String,
    session: Option<String>,
    last: u64,
}

impl Http {
    /// Connects, in a session of its own or in one that is there already.
    pub(crate) fn new(address: &str, token: &str, session: Option<&str>) -> Result<Self, String> {
        let stream = TcpStream::connect(address).map_err(told)?;
        stream.set_nodelay(true).map_err(told)?;
        stream.set_read_timeout(Some(Duration::from_secs(60))).map_err(told)?;
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: \
             application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n"
        );
        let stream = BufReader::new(stream);
        let mut http = Self { stream, head, session: session.map(str::to_owned), last: 0 };
        if http.session.is_none() {
            check(&http.post(&hello().to_string())?.ok_or("no answer")?)?;
            http.post(READY)?;
        }
        Ok(http)
    }

    /// Counts its requests from here on: those of one session must not have the same numbers.
    pub(crate) const fn count_from(&mut self, number: u64) {
        self.last = number;
    }

    pub(crate) fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    /// Sends a message. What is answered, if anything is.
    fn post(&mut self, body: &str) -> Result<Option<Value>, String> {
        let session =
            self.session.as_ref().map(|session| format!("Mcp-Session-Id: {session}\r\n")).unwrap_or_default();
        let head = &self.head;
        let text = format!("{head}{session}Content-Length: {}\r\n\r\n{body}", body.len());
        self.stream.get_mut().write_all(text.as_bytes()).map_err(told)?;
        let (mut length, mut chunked, mut status) = (0, false, String::new());
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).map_err(told)? == 0 {
                return Err("the connection ended".to_owned());
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if status.is_empty() {
                status = line.to_owned();
            }
            let Some((name, value)) = line.split_once(": ") else { continue };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().map_err(told)?,
                "transfer-encoding" => chunked = true,
                "mcp-session-id" => self.session = Some(value.to_owned()),
                _ => {}
            }
        }
        let mut body = Vec::new();
        if chunked {
            loop {
                let mut line = String::new();
                self.stream.read_line(&mut line).map_err(told)?;
                let count = u64::from_str_radix(line.trim(), 16).map_err(told)?;
                let before = body.len();
                self.stream.by_ref().take(count + 2).read_to_end(&mut body).map_err(told)?;
                body.truncate(before + usize::try_from(count).map_err(told)?);
                if count == 0 {
                    break;
                }
            }
        } else {
            self.stream.by_ref().take(length).read_to_end(&mut body).map_err(told)?;
        }
        let text = String::from_utf8_lossy(&body);
        if !status.contains(" 20") {
            return Err(format!("{status}: {text}"));
        }
        let lines = text.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        Ok(lines
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .find(|value| value.get("id").is_some_and(Value::is_number)))
    }
}

impl Connection for Http {
    fn call(&mut self) -> Result<(), String> {
        self.last += 1;
        let body = asked(self.last).to_string();
        check(&self.post(&body)?.ok_or("a call was not answered")?)
    }
}
