//! The gate over HTTP: a token says who is asking, and nobody comes in without one.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::codes;
use super::wire::content;
use crate::approvals::Desk;
use crate::door::wait_until;

struct Served {
    child: Child,
    url: String,
    agent: ureq::Agent,
}

struct Answer {
    status: u16,
    session: Option<String>,
    body: String,
}

impl Answer {
    /// The message of the protocol in it, which may come as an event.
    #[track_caller]
    fn message(&self) -> Value {
        let lines = self.body.lines().map(|line| line.strip_prefix("data:").unwrap_or(line));
        let mut messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        messages.find(|message| message["id"].is_number()).unwrap_or_else(|| panic!("{}", self.body))
    }
}

impl Served {
    fn new(desk: &Desk) -> Self {
        let mut command = desk.door.command(&["mcp", "--http", "127.0.0.1:0"]);
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("http://127.0.0.1:"), "{line}");
        let config = ureq::Agent::config_builder().http_status_as_error(false).proxy(None);
        // The door may close a connection that nobody uses, just when it is used again.
        let config = config.max_idle_connections(0).build();
        Self { child, url: line.trim().to_owned(), agent: config.into() }
    }

    fn post(&self, token: Option<&str>, session: Option<&str>, body: &Value) -> Answer {
        let mut request = self.agent.post(&self.url).header("Content-Type", "application/json");
        request = request.header("Accept", "application/json, text/event-stream");
        if let Some(token) = token {
            request = request.header("Authorization", format!("Bearer {token}"));
        }
        if let Some(session) = session {
            request = request.header("Mcp-Session-Id", session);
        }
        let mut answer = request.send(body.to_string()).unwrap();
        let session = answer.headers().get("mcp-session-id").map(|id| id.to_str().unwrap().to_owned());
        let (status, body) = (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap());
        Answer { status, session, body }
    }

    /// Begins a session.
    #[track_caller]
    fn hello(&self, token: &str) -> String {
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" }
        });
        let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let answer = self.post(Some(token), None, &hello);
        assert_eq!(answer.status, 200, "{}", answer.body);
        let session = answer.session.unwrap();
        let begun = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(self.post(Some(token), Some(&session), &begun).status, 202);
        session
    }

    #[track_caller]
    fn call(&self, token: &str, session: &str, tool: &str, arguments: &Value) -> Value {
        let answer = self.post(Some(token), Some(session), &tool_call(tool, arguments));
        assert_eq!(answer.status, 200, "{}", answer.body);
        content(answer.message())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn tool_call(tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params })
}

fn token(desk: &Desk, name: &str, more: &[&str]) -> String {
    let ran = desk.door.run(&[&["mcp", "token", "add", name, "--agent", name], more].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    ran.stdout.trim().to_owned()
}

#[test]
fn a_token_says_who_asks_and_nobody_comes_in_without_one() {
    let desk = Desk::new();
    let editor = token(&desk, "editor", &["--skill", "file_editor"]);
    let reader = token(&desk, "reader", &["--skill", "web_research"]);
    let served = Served::new(&desk);
    let look = json!({ "path": "notes.txt", "purpose": "look" });
    for wrong in [None, Some("tg_guess"), Some("")] {
        let answer = served.post(wrong, None, &tool_call("read_file", &look));
        assert_eq!(answer.status, 401, "{}", answer.body);
    }
    let session = served.hello(&editor);
    let told = served.call(&editor, &session, "read_file", &look);
    assert_eq!((&told["status"], &told["content"]), (&json!("success"), &json!("one\n")), "{told}");
    let answer = served.post(Some(&reader), Some(&session), &tool_call("read_file", &look));
    assert_eq!(answer.status, 404, "a session is worth nothing with another token: {}", answer.body);
    let own = served.hello(&reader);
    let write = json!({ "path": "notes.txt", "content": "two\n", "purpose": "write" });
    let told = served.call(&reader, &own, "write_file", &write);
    assert_eq!(told["status"], "denied", "the scope of a token is its own: {told}");
    let told = served.call(&editor, &session, "write_file", &write);
    assert_eq!(told["status"], "waiting", "{told}");
    let id = told["call_id"].as_str().unwrap();
    let mut again = write.clone();
    again["approval"] = id.into();
    desk.approved(id);
    let told = served.call(&reader, &own, "write_file", &again);
    assert_eq!(told["status"], "denied", "another's approval: {told}");
    let later = served.hello(&editor);
    let told = served.call(&editor, &later, "write_file", &again);
    assert_eq!(told["status"], "success", "whoever comes back has lost nothing: {told}");
    let told = served.call(&editor, &session, "write_file", &again);
    assert_eq!(codes(&told), ["approval_used"], "{told}");
    assert_eq!(desk.door.read("notes.txt"), "two\n");
    drop(served);
    desk.is_verified();
}

#[test]
fn a_call_that_gets_no_further_than_the_door_is_on_record_as_refused() {
    let desk = Desk::new();
    let (one, other) = (token(&desk, "one", &[]), token(&desk, "other", &[]));
    let served = Served::new(&desk);
    let session = served.hello(&one);
    let look = tool_call("read_file", &json!({ "path": "notes.txt", "purpose": "look" }));
    let mut nameless = look.clone();
    nameless["params"]["name"] = Value::Null;
    assert_eq!(served.post(Some(&other), Some(&session), &look).status, 404);
    assert_eq!(served.post(Some(&one), Some(&session), &nameless).status, 400);
    assert!(served.post(Some(&one), None, &look).status >= 400);
    assert_eq!(served.post(None, None, &look).status, 401);
    drop(served);
    let told = desk.door.run(&["ledger", "query", "--format", "json", "--limit", "1000"]).stdout;
    let events = told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].take());
    let ends: Vec<Value> = events.filter(|event| event["event"] == "refused").collect();
    let told: Vec<_> = ends
        .iter()
        .map(|end| (end["agent"].as_str(), end["tool"].as_str(), end["error_class"].as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (Some("other"), Some("read_file"), Some("not_admitted")),
            (Some("one"), Some(""), Some("bad_request")),
            (Some("one"), Some("read_file"), Some("bad_request")),
            (None, Some("read_file"), Some("not_admitted")),
        ],
        "{ends:?}"
    );
    desk.is_verified();
}

#[test]
fn a_token_that_was_taken_away_is_worth_nothing_any_more() {
    let desk = Desk::new();
    let (gone, stays) = (token(&desk, "gone", &[]), token(&desk, "stays", &[]));
    let served = Served::new(&desk);
    let look = tool_call("read_file", &json!({ "path": "notes.txt", "purpose": "look" }));
    let (session, other) = (served.hello(&gone), served.hello(&stays));
    assert_eq!(served.post(Some(&gone), Some(&session), &look).status, 200);
    assert_eq!(desk.door.run(&["mcp", "token", "remove", "gone"]).code, Some(0));
    wait_until("the token to be worth nothing", || {
        served.post(Some(&gone), Some(&session), &look).status == 401
    });
    assert_eq!(served.post(Some(&stays), Some(&other), &look).status, 200);
    let late = token(&desk, "late", &[]);
    wait_until("a new token to be known", || served.post(Some(&late), None, &json!({})).status != 401);
    desk.door.write(".toolgate/tokens.toml", "[[");
    wait_until("a broken list to let nobody in", || {
        served.post(Some(&stays), Some(&other), &look).status == 401
    });
}

#[test]
fn a_token_is_printed_once_and_kept_as_a_digest_only() {
    let desk = Desk::new();
    let shown = token(&desk, "laptop", &["--skill", "file_editor", "--context", "external"]);
    assert!(shown.starts_with("tg_"), "{shown}");
    let kept = desk.door.read(".toolgate/tokens.toml");
    assert!(!kept.contains(&shown) && kept.contains("sha256"), "{kept}");
    let mode = std::fs::metadata(desk.door.path(".toolgate/tokens.toml")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let ran = desk.door.run(&["mcp", "token", "add", "laptop", "--agent", "other"]);
    assert_eq!(ran.code, Some(2), "a name is taken once: {}", ran.all());
    insta::assert_snapshot!(desk.door.run(&["mcp", "token", "list"]).all(), @"
    exit 0
    laptop  agent laptop  skill file_editor  context external
    ---
    ");
    for (words, code) in [
        (&["mcp", "token", "add", "Not A Name", "--agent", "a"][..], 3),
        (&["mcp", "token", "add", "x", "--agent", "\u{202e}"], 3),
        (&["mcp", "token", "add", "x", "--agent", "a", "--skill", "../x"], 3),
        (&["mcp", "token", "remove", "nobody"], 2),
    ] {
        let ran = desk.door.run(words);
        assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.all());
    }
    assert_eq!(desk.door.run(&["mcp", "token", "remove", "laptop"]).code, Some(0));
    let ran = desk.door.run(&["mcp", "--http", "127.0.0.1:0"]);
    assert_eq!(ran.code, Some(3), "nobody could come in: {}", ran.all());
    assert!(ran.stderr.contains("toolgate mcp token add"), "{}", ran.all());
}

#[test]
fn nobody_else_on_the_network_reaches_it_unless_that_is_said() {
    let desk = Desk::new();
    token(&desk, "laptop", &[]);
    let ran = desk.door.run(&["mcp", "--http", "0.0.0.0:0"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    assert!(ran.stderr.contains("--beyond-loopback"), "{}", ran.all());
}
