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

    /// Makes a call, and does not wait for its answer.
    pub(crate) fn begin(&mut self) -> Result<(), String> {
        self.last += 1;
        self.say(&asked(self.last).to_string())
    }

    /// Hears the answer to a call, whichever it is.
    pub(crate) fn end(&mut self) -> Result<(), String> {
        check(&self.hear()?)
    }

    fn ask(&mut self, message: &Value) -> Result<Value, String> {
        self.say(&message.to_string())?;
        self.hear()
    }

    fn hear(&mut self) -> Result<Value, String> {
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

/// What came back for one message.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Seconds to wait, where the server says so.
    pub(crate) retry_after: Option<u64>,
    session: Option<String>,
    pub(crate) text: String,
    /// The message of the protocol that answers, if there is one.
    pub(crate) message: Option<Value>,
}

impl Http {
    /// Connects, and says nothing.
    pub(crate) fn open(address: &str, token: &str) -> Result<Self, String> {
        let stream = TcpStream::connect(address).map_err(told)?;
        stream.set_nodelay(true).map_err(told)?;
        stream.set_read_timeout(Some(Duration::from_secs(60))).map_err(told)?;
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Type: \
             application/json\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n"
        );
        Ok(Self { stream: BufReader::new(stream), head, session: None, last: 0 })
    }

    /// Connects, in a session of its own.
    pub(crate) fn new(address: &str, token: &str) -> Result<Self, String> {
        let mut http = Self::open(address, token)?;
        http.session = Some(http.begin().map_err(|trouble| trouble.to_string())?);
        Ok(http)
    }

    /// Begins a session. Its id.
    pub(crate) fn begin(&mut self) -> Result<String, Trouble> {
        let answer = self.send(None, &hello().to_string()).map_err(Trouble::Broken)?.look()?;
        check(&answer.message.ok_or_else(|| Trouble::Broken("no answer".to_owned()))?)
            .map_err(Trouble::Wrong)?;
        let session = answer.session.ok_or_else(|| Trouble::Wrong("no session".to_owned()))?;
        self.send(Some(&session), READY).map_err(Trouble::Broken)?.look()?;
        Ok(session)
    }

    /// Sends a message, and hears what comes back. An error means that the connection broke.
    pub(crate) fn send(&mut self, session: Option<&str>, body: &str) -> Result<Answer, String> {
        let session = session.map(|session| format!("Mcp-Session-Id: {session}\r\n")).unwrap_or_default();
        let head = &self.head;
        let text = format!("{head}{session}Content-Length: {}\r\n\r\n{body}", body.len());
        self.stream.get_mut().write_all(text.as_bytes()).map_err(told)?;
        let (mut length, mut chunked, mut status) = (0, false, String::new());
        let (mut session, mut retry_after) = (None, None);
        loop {
            let line = self.line()?;
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
                "mcp-session-id" => session = Some(value.to_owned()),
                "retry-after" => retry_after = value.parse().ok(),
                _ => {}
            }
        }
        let mut body = Vec::new();
        loop {
            let count =
                if chunked { u64::from_str_radix(self.line()?.trim(), 16).map_err(told)? } else { length };
            let before = body.len();
            // Each part is followed by the end of a line.
            let whole = count + if chunked { 2 } else { 0 };
            let read = self.stream.by_ref().take(whole).read_to_end(&mut body).map_err(told)?;
            if (read as u64) < whole {
                return Err(ENDED.to_owned());
            }
            body.truncate(before + usize::try_from(count).map_err(told)?);
            if !chunked || count == 0 {
                break;
            }
        }
        let text = String::from_utf8_lossy(&body).into_owned();
        let status = status.split_whitespace().nth(1).and_then(|code| code.parse().ok());
        let status = status.ok_or_else(|| "an answer without a status".to_owned())?;
        let lines = text.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        let message = lines
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .find(|value| value.get("id").is_some_and(Value::is_number));
        Ok(Answer { status, retry_after, session, text, message })
    }

    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line).map_err(told)? == 0 {
            return Err(ENDED.to_owned());
        }
        Ok(line)
    }
}

const ENDED: &str = "the connection ended";

/// Why a message has no answer.
pub(crate) enum Trouble {
    /// The connection broke.
    Broken(String),
    /// The server wants to be asked later.
    Later(Duration),
    /// There is no such session any more.
    NoSession,
    /// Anything that a client need not expect.
    Wrong(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Broken(why) | Self::Wrong(why) => f.write_str(why),
            Self::Later(wait) => write!(f, "told to wait for {wait:?}"),
            Self::NoSession => f.write_str("there is no such session any more"),
        }
    }
}

impl Answer {
    /// What the status says, before the message counts.
    pub(crate) fn look(self) -> Result<Self, Trouble> {
        match self.status {
            200..=299 => Ok(self),
            404 => Err(Trouble::NoSession),
            429 => Err(match self.retry_after {
                Some(seconds) => Trouble::Later(Duration::from_secs(seconds)),
                None => Trouble::Wrong("429 without a time to wait".to_owned()),
            }),
            status => Err(Trouble::Wrong(format!("status {status}: {}", self.text))),
        }
    }
}

impl Connection for Http {
    fn call(&mut self) -> Result<(), String> {
        self.last += 1;
        let (session, body) = (self.session.clone(), asked(self.last).to_string());
        loop {
            match self.send(session.as_deref(), &body)?.look() {
                Ok(answer) => return check(&answer.message.ok_or("a call was not answered")?),
                Err(Trouble::Later(wait)) => std::thread::sleep(wait),
                Err(trouble) => return Err(trouble.to_string()),
            }
        }
    }
}
