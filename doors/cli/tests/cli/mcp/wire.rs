//! A client that says bare lines and hears bare lines.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::approvals::Desk;

/// No answer takes nearly this long, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    heard: HashMap<i64, Value>,
    last: i64,
    stderr: Arc<Mutex<String>>,
}

impl Client {
    /// Starts the program in a home, and says hello.
    pub(super) fn start(desk: &Desk, words: &[&str]) -> Self {
        Self::of(desk.door.command(words))
    }

    /// The same, for a client that shows its user a page where it is told to.
    pub(super) fn that_opens_pages(desk: &Desk, words: &[&str]) -> Self {
        Self::greeting(desk.door.command(words), "2025-11-25", &json!({ "elicitation": { "url": {} } }))
    }

    pub(super) fn of(command: Command) -> Self {
        Self::greeting(command, "2025-06-18", &json!({}))
    }

    fn greeting(mut command: Command, version: &str, capabilities: &Value) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (send, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let Ok(value) = serde_json::from_str(&line) else { return };
                if send.send(value).is_err() {
                    return;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(String::new()));
        let (said, mut pipe) = (Arc::clone(&stderr), child.stderr.take().unwrap());
        std::thread::spawn(move || {
            let mut bytes = [0; 1024];
            while let Ok(count @ 1..) = pipe.read(&mut bytes) {
                said.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        let input = child.stdin.take();
        let mut client = Self { child, input, lines, heard: HashMap::new(), last: 0, stderr };
        let hello = json!({
            "protocolVersion": version, "capabilities": capabilities,
            "clientInfo": { "name": "test", "version": "1" }
        });
        let told = client.request("initialize", &hello);
        assert!(told["result"]["capabilities"]["tools"].is_object(), "{told}");
        client.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn say(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        input.write_all(format!("{message}\n").as_bytes()).unwrap();
        input.flush().unwrap();
    }

    fn send(&mut self, method: &str, params: &Value) -> i64 {
        self.last += 1;
        let id = self.last;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    #[track_caller]
    fn hear(&mut self, id: i64) -> Value {
        loop {
            if let Some(told) = self.heard.remove(&id) {
                return told;
            }
            let told = match self.lines.recv_timeout(PATIENCE) {
                Ok(told) => told,
                Err(error) => panic!("{error}: {}", self.stderr()),
            };
            if let Some(id) = told["id"].as_i64() {
                self.heard.insert(id, told);
            }
        }
    }

    #[track_caller]
    pub(super) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.send(method, params);
        self.hear(id)
    }

    /// The first thing that the gate asks the client itself.
    #[track_caller]
    pub(super) fn question(&mut self) -> Value {
        self.hear(0)
    }

    /// The names of all tools that are listed.
    #[track_caller]
    pub(super) fn tools(&mut self) -> Vec<String> {
        let told = self.request("tools/list", &json!({}));
        let tools = told["result"]["tools"].as_array().unwrap_or_else(|| panic!("{told}"));
        for tool in tools {
            let required = tool["inputSchema"]["required"].as_array().unwrap();
            assert!(required.contains(&json!("purpose")), "{tool}");
        }
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    #[track_caller]
    pub(super) fn resource(&mut self, uri: &str) -> Value {
        let told = self.request("resources/read", &json!({ "uri": uri }));
        let text = told["result"]["contents"][0]["text"].as_str().unwrap_or_else(|| panic!("{told}"));
        serde_json::from_str(text).unwrap()
    }

    /// Makes a call, and does not wait for its answer.
    pub(super) fn ask(&mut self, tool: &str, arguments: &Value) -> i64 {
        self.send("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }

    #[track_caller]
    pub(super) fn answer(&mut self, id: i64) -> Value {
        content(self.hear(id))
    }

    /// Whatever call is answered next.
    #[track_caller]
    pub(super) fn next_answer(&mut self) -> Value {
        content(self.lines.recv_timeout(PATIENCE).unwrap())
    }

    #[track_caller]
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let id = self.ask(tool, arguments);
        self.answer(id)
    }

    pub(super) fn stderr(&self) -> String {
        self.stderr.lock().unwrap().clone()
    }

    /// Ends the program at once, as a power cut would.
    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Says nothing more, and waits for the end.
    pub(super) fn end(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().unwrap().code()
    }
}

#[track_caller]
pub(super) fn content(mut told: Value) -> Value {
    assert!(told["result"]["structuredContent"].is_object(), "{told}");
    told["result"]["structuredContent"].take()
}

impl Drop for Client {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
