//! The door over HTTP: with a client of the protocol's library, and with bare requests of those who should
//! not get in.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests: what is not as expected fails them"
)]

mod gatekeeper;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use call::CallContext;
use gatekeeper::SmallGate;
use mcp_door::{Gatekeeper, HttpOptions, Identity, Limits, Listener, ServeError, Token, Tokens};
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use serde_json::{Value, json};

struct Open {
    address: SocketAddr,
    gate: Arc<SmallGate>,
    writer: String,
    reader: String,
    close: Box<dyn Fn() + Send + Sync>,
    served: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Open {
    fn new(root: &Path, limits: Limits) -> Self {
        let token = |name: &str, chance: u8, skill: Option<&str>| {
            let identity = Identity {
                agent: name.to_owned(),
                skill: skill.map(str::to_owned),
                context: CallContext::Agent,
            };
            Token::new(name, identity, [chance; 32]).unwrap()
        };
        let mut tokens = Tokens::default();
        let (one, writer) = token("writer", 1, None);
        let (other, reader) = token("reader", 2, Some("file_editor"));
        tokens.insert(one);
        tokens.insert(other);
        let gate = Arc::new(SmallGate::new(root));
        let options = HttpOptions { limits, ..HttpOptions::new("127.0.0.1:0".parse().unwrap(), tokens) };
        let listener = Listener::bind(Arc::clone(&gate) as Arc<dyn Gatekeeper>, options).unwrap();
        let (address, close) = (listener.address(), Box::new(listener.closer()));
        let served = Some(std::thread::spawn(move || listener.serve()));
        Self { address, gate, writer, reader, close, served }
    }

    fn end(&mut self) -> Result<(), ServeError> {
        (self.close)();
        self.served.take().unwrap().join().unwrap()
    }

    /// A request as bytes, and the head and body of what came back until the other side was done.
    fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        answer(&mut stream)
    }

    fn post(&self, token: Option<&str>, more: &[(&str, &str)], body: &str) -> (u16, String) {
        let host = self.address.to_string();
        let mut head = format!(
            "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n",
            body.len()
        );
        if !more.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {host}\r\n"));
        }
        if let Some(token) = token {
            head.push_str(&format!("Authorization: Bearer {token}\r\n"));
        }
        for (name, value) in more {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        self.raw(&format!("{head}\r\n{body}"))
    }

    /// Begins a session.
    fn hello(&self, token: &str) -> String {
        let (status, text) = self.post(Some(token), &[], HELLO);
        assert_eq!(status, 200, "{text}");
        let session =
            text.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().trim().to_owned();
        let (status, text) = self.post(
            Some(token),
            &[("Mcp-Session-Id", &session)],
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        );
        assert_eq!(status, 202, "{text}");
        session
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        (self.close)();
    }
}

fn answer(stream: &mut TcpStream) -> (u16, String) {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(read) => bytes.extend_from_slice(&part[..read]),
        }
        // A stream of events stays open for a while after the answer.
        let text = String::from_utf8_lossy(&bytes);
        if text.contains("\"result\":") || text.contains("\"error\":") {
            break;
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let status = text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, text)
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

fn call(id: u32, arguments: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"read_file","arguments":{arguments}}}}}"#
    )
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.txt"), "hello").unwrap();
    folder
}

#[test]
fn a_client_with_a_token_lists_and_calls_as_whoever_the_token_says() {
    let folder = folder();
    let mut open = Open::new(folder.path(), Limits::default());
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for (token, tools) in [(&open.writer, 4), (&open.reader, 2)] {
            let config =
                StreamableHttpClientTransportConfig::with_uri(format!("http://{}/mcp", open.address))
                    .auth_header(token.as_str());
            let client = ().serve(StreamableHttpClientTransport::from_config(config)).await.unwrap();
            assert_eq!(client.list_all_tools().await.unwrap().len(), tools);
            let arguments = json!({"path": "note.txt", "purpose": "see"}).as_object().unwrap().clone();
            let told = client
                .call_tool(CallToolRequestParams::new("read_file").with_arguments(arguments))
                .await
                .unwrap();
            assert_eq!(told.structured_content.unwrap()["content"], "hello");
            client.cancel().await.unwrap();
        }
    });
    let entries = open.gate.entries();
    assert_eq!(entries.len(), 2);
    assert_eq!((&entries[0]["agent"], &entries[0]["skill"]), (&json!("writer"), &Value::Null));
    assert_eq!((&entries[1]["agent"], &entries[1]["skill"]), (&json!("reader"), &json!("file_editor")));
    assert_ne!(entries[0]["session"], entries[1]["session"]);
    assert!(open.end().is_ok());
}

#[test]
fn an_id_that_waits_for_its_answer_is_not_taken_again() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let (token, session) = (open.writer.as_str(), open.hello(&open.writer));
    let ask = |id: u32, name: &str, arguments: &str| {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{name}","arguments":{arguments}}}}}"#
        );
        open.post(Some(token), &[("Mcp-Session-Id", &session)], &body)
    };
    let read = r#"{"path":"note.txt","purpose":"see"}"#;
    std::thread::scope(|scope| {
        let slow =
            scope.spawn(|| ask(7, "exec_sandbox", r#"{"language":"python","code":"4","purpose":"wait"}"#));
        std::thread::sleep(Duration::from_secs(1));
        let (status, text) = ask(7, "read_file", read);
        assert_eq!(status, 400, "{text}");
        assert!(text.contains("is not answered yet"), "{text}");
        let (status, text) = ask(8, "read_file", read);
        assert_eq!(status, 200, "{text}");
        let (status, text) = slow.join().unwrap();
        assert_eq!(status, 200, "{text}");
        assert!(text.contains("\"id\":7"), "{text}");
    });
    let (status, text) = ask(7, "read_file", read);
    assert_eq!(status, 200, "it is free again: {text}");
}

/// HTTP lets the same be said in several ways, and what only begins like it is something else.
#[test]
fn what_a_client_sends_and_takes_is_read_as_http_has_it() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let (host, token, session) = (open.address, &open.writer, open.hello(&open.writer));
    let body = call(1, r#"{"path":"note.txt","purpose":"p"}"#);
    let ask = |more: &str| {
        open.raw(&format!(
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nMcp-Session-Id: {session}\r\n{more}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ))
    };
    let json = "Content-Type: application/json\r\n";
    let cases = [
        (json.to_owned(), 200),
        (format!("{json}Accept: */*\r\n"), 200),
        (format!("{json}aCCEPT: application/*, text/*;q=0.1\r\n"), 200),
        (format!("{json}Accept: application/json\r\nAccept: TEXT/event-stream\r\n"), 200),
        (format!("{json}Accept: application/json\r\n"), 406),
        (format!("{json}Accept: text/html\r\n"), 406),
        ("Content-Type: Application/JSON; charset=\"UTF-8\"\r\n".to_owned(), 200),
        ("Content-Type: application/json; charset=utf-16\r\n".to_owned(), 415),
        ("Content-Type: application/json-rpc\r\n".to_owned(), 415),
        (format!("{json}Content-Type: text/plain\r\n"), 415),
        ("Content-Type: text/plain\r\n".to_owned(), 415),
        (String::new(), 415),
        (format!("{json}MCP-Protocol-Version: 2025-06-18\r\n"), 200),
        (format!("{json}MCP-Protocol-Version: 2025-06-18\r\nMCP-Protocol-Version: 2025-03-26\r\n"), 400),
    ];
    for (more, want) in cases {
        let (status, text) = ask(&more);
        assert_eq!(status, want, "{more}: {text}");
    }
    // A message that ends before its end is not too long.
    let mut stream = TcpStream::connect(open.address).unwrap();
    let half = format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{json}Content-Length: 5000\r\n\r\n{body}"
    );
    stream.write_all(half.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let (status, text) = answer(&mut stream);
    assert_eq!(status, 400, "{text}");
    assert!(text.contains("ended before its end"), "{text}");
    let (status, text) = open.post(Some(token), &[], &HELLO.replace("protocolVersion", "version"));
    assert_eq!(status, 400, "{text}");
    assert!(text.contains("-32602") && text.contains("`protocolVersion`"), "{text}");
}

/// Clients before 2025-11-25 read every event as a message, and complain about one without data.
#[test]
fn a_stream_begins_with_an_event_without_data_only_for_clients_that_know_it() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let session = open.hello(&open.writer);
    // What is over in a moment has no stream at all.
    let look =
        call(1, r#"{"path":"new.txt","content":"x","purpose":"p"}"#).replace("read_file", "write_file");
    for (version, begins) in [(None, false), (Some("2025-06-18"), false), (Some("2025-11-25"), true)] {
        let mut more = vec![("Mcp-Session-Id", session.as_str())];
        more.extend(version.map(|version| ("MCP-Protocol-Version", version)));
        let (status, text) = open.post(Some(&open.writer), &more, &look);
        assert_eq!(status, 200, "{text}");
        let events = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
        let empty = events.clone().filter(|data| data.is_empty()).count();
        assert_eq!(
            (empty, events.count()),
            (usize::from(begins), 1 + usize::from(begins)),
            "{version:?}: {text}"
        );
    }
}

/// The call itself, with what only the protocol's library can answer beside it, so that both ways are seen.
#[test]
fn an_answer_is_the_same_with_and_without_a_stream() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let session = open.hello(&open.writer);
    let whole = |kind: &str, headers: &[(&str, &str)], body: &str| {
        let mut more = vec![("Mcp-Session-Id", session.as_str())];
        more.extend(headers);
        let (status, text) = open.post(Some(&open.writer), &more, body);
        assert_eq!(status, 200, "{text}");
        assert!(text.contains(kind), "{kind}: {text}");
        let line = text.lines().find(|line| line.contains("\"result\":")).unwrap();
        let mut told: Value =
            serde_json::from_str(line.strip_prefix("data:").unwrap_or(line).trim()).unwrap();
        // Each call has its own name and place.
        let content = &mut told["result"]["structuredContent"];
        let own = (content["call_id"].take(), content["ledger_entry"].take());
        let text = told["result"]["content"][0]["text"].as_str().unwrap();
        let text =
            text.replace(&own.0.to_string(), "null").replace(&format!("\"ledger_entry\":{}", own.1), "");
        told["result"]["content"][0]["text"] = text.into();
        told
    };
    for arguments in [
        r#"{"path":"note.txt","purpose":"p"}"#,
        r#"{"path":"missing","purpose":"p"}"#,
        r#"{"path":"../out","purpose":"p"}"#,
        r#"{"path":"note.txt","purpose":"p","approval":"nobodys"}"#,
        "null",
    ] {
        let plain = call(7, arguments);
        let with_meta = plain.replace("\"params\":{", "\"params\":{\"_meta\":{\"progressToken\":5},");
        let direct = whole("application/json", &[], &plain);
        assert_eq!(direct, whole("text/event-stream", &[], &with_meta), "{arguments}");
    }
    // Whoever takes events only is sent events.
    let body = call(8, r#"{"path":"note.txt","purpose":"p"}"#);
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nMcp-Session-Id: {session}\r\nContent-Type: application/json\r\nAccept: text/event-stream, application/json;q=0\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        open.address,
        open.writer,
        body.len()
    );
    let (status, text) = open.raw(&head);
    assert!(status == 200 && text.contains("text/event-stream") && text.contains("hello"), "{text}");
}

#[test]
fn a_session_that_a_client_ends_has_ended() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let (host, token, session) = (open.address, &open.writer, open.hello(&open.writer));
    let end = format!(
        "DELETE /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nMcp-Session-Id: {session}\r\nConnection: close\r\n\r\n"
    );
    let (status, text) = open.raw(&end);
    assert_eq!(status, 204, "clients warn about anything but 200 and 204: {text}");
    assert_eq!(open.raw(&end).0, 404);
    let look = call(1, r#"{"path":"note.txt","purpose":"p"}"#);
    assert_eq!(open.post(Some(token), &[("Mcp-Session-Id", &session)], &look).0, 404);
}

#[test]
fn nobody_gets_in_without_a_token_of_ours() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let guess = open.writer.replace("tg_a", "tg_b");
    for token in [None, Some("tg_guess"), Some(""), Some(guess.as_str())] {
        let (status, text) = open.post(token, &[], HELLO);
        assert_eq!(status, 401, "{text}");
        assert!(text.contains("www-authenticate: Bearer"), "{text}");
    }
    // A token in the address is not looked at, and neither is a second one.
    let (host, token) = (open.address, &open.writer);
    let (status, _) = open
        .raw(&format!("GET /mcp?access_token={token} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
    assert_eq!(status, 404);
    let (status, _) = open.post(Some(token), &[("Authorization", "Bearer x")], HELLO);
    assert_eq!(status, 401);
    assert!(open.gate.entries().is_empty());
}

#[test]
fn a_page_does_not_get_in_by_rebinding_a_name_or_across_origins() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let token = Some(open.writer.as_str());
    let port = open.address.port();
    for host in
        ["evil.example".to_owned(), format!("evil.example:{port}"), format!("127.0.0.1.evil.example:{port}")]
    {
        assert_eq!(open.post(token, &[("Host", &host)], HELLO).0, 403, "{host}");
    }
    for origin in ["https://evil.example", "null", "http://localhost", "http://127.0.0.1:3000"] {
        assert_eq!(open.post(token, &[("Origin", origin)], HELLO).0, 403, "{origin}");
        // The stream of events is behind the same check.
        let request = format!(
            "GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: {origin}\r\nAccept: text/event-stream\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
            open.writer
        );
        assert_eq!(open.raw(&request).0, 403, "{origin}");
    }
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}")] {
        assert_eq!(open.post(token, &[("Host", &host)], HELLO).0, 200, "{host}");
    }
    let no_host = format!(
        "POST /mcp HTTP/1.1\r\nAuthorization: Bearer {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        open.writer
    );
    assert!([400, 403].contains(&open.raw(&no_host).0));
}

#[test]
fn a_session_is_of_no_use_to_another_token() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let session = open.hello(&open.writer);
    let body = call(1, r#"{"path":"note.txt","purpose":"see"}"#);
    assert_eq!(open.post(Some(&open.reader), &[("Mcp-Session-Id", &session)], &body).0, 404);
    assert_eq!(open.post(Some(&open.writer), &[("Mcp-Session-Id", "fixed-by-somebody")], &body).0, 404);
    let told = |entry: &Value| (entry["agent"].clone(), entry["session"].clone(), entry["codes"][0].clone());
    let refused = |agent: &str| (agent.into(), format!("http-{agent}").into(), "not_admitted".into());
    let entries = open.gate.entries();
    assert_eq!(entries.iter().map(told).collect::<Vec<_>>(), [refused("reader"), refused("writer")]);
    let (status, text) = open.post(Some(&open.writer), &[("Mcp-Session-Id", &session)], &body);
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("hello"), "{text}");
    assert_eq!(open.gate.entries()[2]["session"], session.as_str());
}

#[test]
fn arguments_with_two_readings_are_refused_by_the_gate_over_http_too() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let session = open.hello(&open.writer);
    for odd in
        [r#"{"path":"note.txt","path":"/etc/passwd","purpose":"p"}"#, r#"{"path":"\ud800","purpose":"p"}"#]
    {
        let (status, text) = open.post(Some(&open.writer), &[("Mcp-Session-Id", &session)], &call(2, odd));
        assert_eq!(status, 200, "{text}");
        assert!(text.contains("bad_request"), "{text}");
    }
    assert_eq!(open.gate.entries().len(), 2);
    let cases = [
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call"}"#, "-32600"),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "-32600"),
        ("garbage", "-32700"),
        ("", "-32700"),
    ];
    for (body, code) in cases {
        let (status, text) = open.post(Some(&open.writer), &[("Mcp-Session-Id", &session)], body);
        assert_eq!(status, 400, "{body}: {text}");
        assert!(text.contains(code), "{body}: {text}");
    }
    assert_eq!(open.gate.entries().len(), 3, "a reader that does not care for case would see one call");
}

#[test]
fn a_call_that_gets_no_further_than_the_door_is_on_record_once() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let session = open.hello(&open.writer);
    let look = call(1, r#"{"path":"note.txt","purpose":"see"}"#);
    let in_session = ("Mcp-Session-Id", session.as_str());
    type Case<'c> = (&'c [(&'c str, &'c str)], String, &'c [u16], &'c str);
    let cases: [Case<'_>; 9] = [
        (&[], look.clone(), &[400, 422], "bad_request"),
        (&[("Mcp-Session-Id", "nobodys")], look.clone(), &[404], "not_admitted"),
        (&[in_session, in_session], look.clone(), &[404], "not_admitted"),
        (&[in_session, ("MCP-Protocol-Version", "1999-01-01")], look.clone(), &[400], "bad_request"),
        (&[in_session], look.replace(r#""id":1,"#, ""), &[202], "bad_request"),
        (&[in_session], look.replace("read_file", "read_file\",\"name\":\"x"), &[400], "bad_request"),
        (&[in_session], look.replace(r#""name":"read_file","#, ""), &[400], "bad_request"),
        (&[in_session], format!("[{look}]"), &[400], "bad_request"),
        (&[in_session, ("Content-Type", "text/plain")], look.clone(), &[415], "bad_request"),
    ];
    for (number, (headers, body, statuses, code)) in cases.iter().enumerate() {
        let (status, text) = open.post(Some(&open.writer), headers, body);
        assert!(statuses.contains(&status), "{headers:?} {body}: {text}");
        let entries = open.gate.entries();
        assert_eq!(entries.len(), number + 1, "{headers:?} {body}: {entries:?}");
        let last = entries.last().unwrap();
        let told = (&last["status"], &last["agent"], &last["codes"][0]);
        assert_eq!(told, (&json!("denied"), &json!("writer"), &json!(code)), "{headers:?} {body}");
    }
    let (status, _) =
        open.post(Some(&open.writer), &[in_session], "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
    assert_eq!(status, 200, "the session lives on");
    assert_eq!(open.gate.entries().len(), cases.len());
}

#[test]
fn strangers_are_on_record_and_fill_no_disk() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let look = call(1, r#"{"path":"note.txt","purpose":"see"}"#);
    // What is no call takes the place of none.
    for _ in 0..20 {
        assert_eq!(open.post(None, &[], "{}").0, 401);
    }
    assert_eq!(open.post(Some("tg_guess"), &[], &look).0, 401);
    assert_eq!(open.post(Some(&open.writer), &[("Origin", "https://evil.example")], &look).0, 403);
    let entries = open.gate.entries();
    assert_eq!(entries.len(), 2, "{entries:?}");
    for entry in &entries {
        let told = (&entry["agent"], &entry["session"], &entry["tool"], &entry["codes"][0]);
        assert_eq!(told, (&json!(""), &json!(""), &json!("read_file"), &json!("not_admitted")));
    }
    for _ in 0..400 {
        assert_eq!(open.post(None, &[], &look).0, 401);
    }
    assert_eq!(open.gate.entries().len(), 10, "few are noted, however many come");
    let slow = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 900\r\n\r\n{{", open.address);
    assert_eq!(open.raw(&slow).0, 401);
}

#[test]
fn a_request_line_that_names_another_host_is_not_for_us() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    for (target, want) in
        [(format!("http://{}/mcp", open.address), 200), ("http://rebound.example/mcp".to_owned(), 403)]
    {
        let (status, text) = open.raw(&format!(
            "POST {target} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{HELLO}",
            open.address,
            open.writer,
            HELLO.len()
        ));
        assert_eq!(status, want, "{target}: {text}");
    }
}

#[test]
fn a_version_without_hello_says_so_in_the_words_of_http_too() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}
    });
    let hello = json!({"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {"_meta": meta}});
    let more = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "initialize")];
    let (status, text) = open.post(Some(&open.writer), &more, &hello.to_string());
    assert_eq!(status, 404, "{text}");
    assert!(text.contains("-32601") && text.contains("\"id\":3"), "{text}");
    let (status, text) = open.post(Some(&open.writer), &[], &hello.to_string());
    assert_eq!(status, 400, "{text}");
    assert!(text.contains("-32602"), "{text}");
}

#[test]
fn there_is_nothing_here_that_approves() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    for path in ["/", "/approve", "/mcp/approve", "/api/approvals", "/pending", "/sse", "/mcp/"] {
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}",
            open.address, open.writer
        );
        assert_eq!(open.raw(&request).0, 404, "{path}");
    }
}

#[test]
fn large_and_slow_clients_are_let_go_while_others_are_served() {
    let folder = folder();
    let brief = Duration::from_millis(400);
    let open = Open::new(folder.path(), Limits { head: brief, body: brief, ..Limits::default() });
    let large = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\nConnection: close\r\n\r\n",
        open.address, open.writer
    );
    assert_eq!(open.raw(&large).0, 413);
    let start = Instant::now();
    let mut slow_head = TcpStream::connect(open.address).unwrap();
    slow_head.write_all(b"POST /mcp HTTP/1.1\r\nHost: ").unwrap();
    let mut slow_body = TcpStream::connect(open.address).unwrap();
    let head = large.replace("999999999", "500");
    slow_body.write_all(head.as_bytes()).unwrap();
    slow_body.write_all(b"{").unwrap();
    assert_eq!(open.post(Some(&open.writer), &[], HELLO).0, 200, "others are served meanwhile");
    for stream in [&mut slow_head, &mut slow_body] {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    }
    assert_eq!(answer(&mut slow_body).0, 408);
    let mut rest = Vec::new();
    slow_head.read_to_end(&mut rest).unwrap();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_flood_of_one_token_is_told_to_wait() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits { requests_per_second: 1, burst: 3, ..Limits::default() });
    let statuses: Vec<u16> = (0..6).map(|_| open.post(Some(&open.writer), &[], HELLO).0).collect();
    assert_eq!(statuses[..3], [200; 3]);
    assert!(statuses[3..].contains(&429), "{statuses:?}");
    assert_eq!(open.post(Some(&open.reader), &[], HELLO).0, 200);
}

#[test]
fn the_door_closes_when_the_ledger_fails() {
    let folder = folder();
    let mut open = Open::new(folder.path(), Limits::default());
    let session = open.hello(&open.writer);
    open.gate.broken.store(true, Ordering::Relaxed);
    let body = call(1, r#"{"path":"note.txt","purpose":"see"}"#);
    let (_, text) = open.post(Some(&open.writer), &[("Mcp-Session-Id", &session)], &body);
    assert!(text.contains("no further calls are taken") || text.is_empty(), "{text}");
    assert!(matches!(open.served.take().unwrap().join().unwrap(), Err(ServeError::Halt(_))));
}

#[test]
fn it_listens_where_others_are_only_when_told_so() {
    let folder = folder();
    let identity = Identity { agent: "a".into(), skill: None, context: CallContext::Agent };
    let mut tokens = Tokens::default();
    let address: SocketAddr = "0.0.0.0:0".parse().unwrap();
    let gate = || Arc::new(SmallGate::new(folder.path())) as Arc<dyn Gatekeeper>;
    let refused = Listener::bind(gate(), HttpOptions::new("127.0.0.1:0".parse().unwrap(), tokens.clone()));
    assert!(matches!(refused, Err(ServeError::NoTokens)));
    tokens.insert(Token::new("a", identity, [3; 32]).unwrap().0);
    let refused = Listener::bind(gate(), HttpOptions::new(address, tokens.clone())).err().unwrap();
    insta::assert_snapshot!(refused, @"`0.0.0.0:0` is not a loopback address: others on the network could reach the gate");
    assert!(refused.hint().is_some());
    let meant = HttpOptions { beyond_loopback: true, ..HttpOptions::new(address, tokens) };
    assert!(Listener::bind(gate(), meant).is_ok());
}

#[test]
fn a_thousand_calls_of_fifty_sessions_are_each_answered_and_on_record_once() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut sessions = tokio::task::JoinSet::new();
        for session in 0..50 {
            let config =
                StreamableHttpClientTransportConfig::with_uri(format!("http://{}/mcp", open.address))
                    .auth_header(open.writer.as_str());
            sessions.spawn(async move {
                let client = ().serve(StreamableHttpClientTransport::from_config(config)).await.unwrap();
                let mut calls = tokio::task::JoinSet::new();
                for number in 0..20 {
                    let peer = client.peer().clone();
                    calls.spawn(async move {
                        let purpose = format!("call {number} of {session}");
                        let arguments =
                            json!({"path": "note.txt", "purpose": purpose}).as_object().unwrap().clone();
                        let call = CallToolRequestParams::new("read_file").with_arguments(arguments);
                        let told = peer.call_tool_once(call).await.unwrap();
                        let rmcp::model::CallToolResponse::Complete(told) = told else { return false };
                        told.structured_content.unwrap()["content"] == "hello"
                    });
                }
                let answered = calls.join_all().await.into_iter().filter(|well| *well).count();
                client.cancel().await.unwrap();
                answered
            });
        }
        assert_eq!(sessions.join_all().await.into_iter().sum::<usize>(), 1_000);
    });
    let entries = open.gate.entries();
    let purposes: std::collections::BTreeSet<&str> =
        entries.iter().map(|entry| entry["purpose"].as_str().unwrap()).collect();
    assert_eq!((entries.len(), purposes.len()), (1_000, 1_000));
}

#[test]
fn a_call_is_cancelled_over_http_by_another_request() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let session = open.hello(&open.writer);
    let long = r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"exec_sandbox","arguments":{"language":"python","code":"25","purpose":"p"}}}"#;
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#;
    std::thread::scope(|scope| {
        scope.spawn(|| open.post(Some(&open.writer), &[("Mcp-Session-Id", &session)], long));
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(open.post(Some(&open.writer), &[("Mcp-Session-Id", &session)], cancel).0, 202);
        let end = Instant::now() + Duration::from_secs(8);
        while open.gate.entries().is_empty() {
            assert!(Instant::now() < end, "the call was not stopped");
            std::thread::sleep(Duration::from_millis(10));
        }
    });
    assert_eq!(open.gate.entries()[0]["codes"][0], "cancelled");
}

#[test]
fn the_newest_protocol_without_sessions_is_bound_to_the_token_too() {
    let folder = folder();
    let open = Open::new(folder.path(), Limits::default());
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "read_file",
        "arguments": {"path": "note.txt", "purpose": "see"},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "root", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}
        }
    }});
    let headers =
        [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "read_file")];
    let (status, text) = open.post(Some(&open.reader), &headers, &body.to_string());
    assert_eq!(status, 200, "{text}");
    assert!(text.contains("hello"), "{text}");
    let entry = open.gate.entries()[0].clone();
    assert_eq!((&entry["agent"], &entry["session"]), (&json!("reader"), &json!("http-reader")));
    assert_eq!(open.post(None, &headers, &body.to_string()).0, 401);
}

#[test]
fn calls_that_are_held_up_hold_up_nobody_else() {
    let folder = folder();
    let held = SmallGate::held_up(folder.path(), "held");
    let mut open = Open::new(folder.path(), Limits::default());
    let session = open.hello(&open.writer);
    let read = |id: u32, path: &str| {
        let body = call(id, &format!(r#"{{"path":"{path}","purpose":"p"}}"#));
        open.post(Some(&open.writer), &[("Mcp-Session-Id", &session)], &body)
    };
    std::thread::scope(|scope| {
        let late: Vec<_> = (1..=10).map(|id| scope.spawn(move || read(id, "held"))).collect();
        std::thread::sleep(Duration::from_millis(200));
        let others: Vec<_> = (11..=40).map(|id| scope.spawn(move || read(id, "note.txt"))).collect();
        for other in others {
            let (status, text) = other.join().unwrap();
            assert!(status == 200 && text.contains("hello"), "{status} {text}");
        }
        assert!(late.iter().all(|one| !one.is_finished()));
        std::fs::write(held, "late").unwrap();
        for one in late {
            let (status, text) = one.join().unwrap();
            assert_eq!(status, 200, "{text}");
        }
    });
    assert!(open.end().is_ok());
    assert_eq!(open.gate.entries().len(), 40);
}

#[test]
fn a_call_whose_client_is_gone_comes_to_its_end_on_record() {
    let folder = folder();
    let held = SmallGate::held_up(folder.path(), "held");
    let mut open = Open::new(folder.path(), Limits::default());
    let session = open.hello(&open.writer);
    // Two that are held up, so that neither is alone, and a client that does not wait for the second.
    let begin = |id| {
        let mut stream = TcpStream::connect(open.address).unwrap();
        let body = call(id, r#"{"path":"held","purpose":"p"}"#);
        let (host, token, length) = (open.address, &open.writer, body.len());
        write!(
            stream,
            "POST /mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMcp-Session-Id: {session}\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        std::thread::sleep(Duration::from_millis(200));
        stream
    };
    let (stays, goes) = (begin(1), begin(2));
    drop(goes);
    std::thread::sleep(Duration::from_millis(200));
    let writes = std::thread::spawn(move || std::fs::write(held, "late").unwrap());
    let mut stays = stays;
    assert_eq!(answer(&mut stays).0, 200);
    writes.join().unwrap();
    assert!(open.end().is_ok());
    assert_eq!(open.gate.entries().len(), 2);
}
