//! The door over pipes, with a client of the protocol's library and with bare lines.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests: what is not as expected fails them"
)]

mod gatekeeper;
mod wire;

use std::time::{Duration, Instant};

use gatekeeper::SmallGate;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams};
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use wire::Pipe;

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap()
}

fn call(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

#[test]
fn a_client_lists_tools_reads_a_file_and_looks_at_its_own_entries() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.txt"), "hello").unwrap();
    runtime().block_on(async {
        let mut command = tokio::process::Command::new(wire::example("small_gate"));
        command.arg(folder.path());
        let client = ().serve(TokioChildProcess::new(command).unwrap()).await.unwrap();
        let tools = client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["read_file", "write_file", "status", "exec_sandbox"]);
        for tool in &tools {
            assert!(
                tool.input_schema["required"].as_array().unwrap().contains(&json!("purpose")),
                "{}",
                tool.name
            );
            assert!(tool.output_schema.is_some(), "{}", tool.name);
        }
        let read = tools[0].annotations.as_ref().unwrap();
        assert_eq!((read.read_only_hint, read.destructive_hint), (Some(true), Some(false)));
        let write = tools[1].annotations.as_ref().unwrap();
        assert_eq!((write.read_only_hint, write.destructive_hint), (Some(false), Some(true)));

        let told =
            client.call_tool(call("read_file", json!({"path": "note.txt", "purpose": "see"}))).await.unwrap();
        let told = told.structured_content.unwrap();
        assert_eq!((told["status"].as_str(), told["content"].as_str()), (Some("success"), Some("hello")));

        let told =
            client.call_tool(call("read_file", json!({"path": "../x", "purpose": "see"}))).await.unwrap();
        assert_eq!(told.is_error, Some(true));
        assert_eq!(told.structured_content.unwrap()["reasons"][0]["code"], "path_outside_allowed_roots");

        let resources = client.list_all_resources().await.unwrap();
        assert_eq!(resources.len(), 2);
        let read =
            client.read_resource(ReadResourceRequestParams::new("toolgate://ledger/session")).await.unwrap();
        let text = serde_json::to_value(&read).unwrap()["contents"][0]["text"].as_str().unwrap().to_owned();
        let entries: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(entries.as_array().unwrap().len(), 2, "{entries}");
        assert!(client.read_resource(ReadResourceRequestParams::new("file:///etc/passwd")).await.is_err());
        client.cancel().await.unwrap();
    });
}

#[test]
fn a_call_that_waits_runs_once_after_a_person_agreed() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.hello();
    let arguments = json!({"path": "new.txt", "content": "x", "purpose": "keep a note"});
    let waits = pipe.call("write_file", &arguments.to_string());
    assert_eq!(waits["result"]["isError"], false);
    let told = &waits["result"]["structuredContent"];
    assert_eq!(told["status"], "waiting");
    let id = told["call_id"].as_str().unwrap().to_owned();
    assert!(told["next"].as_str().unwrap().contains(&format!("toolgate approve {id}")));
    assert!(!folder.path().join("new.txt").exists());

    let mut again = arguments.clone();
    again["approval"] = id.as_str().into();
    assert_eq!(
        pipe.call("write_file", &again.to_string())["result"]["structuredContent"]["status"],
        "waiting"
    );
    SmallGate::approve(folder.path(), &id);
    let mut other = again.clone();
    other["content"] = "y".into();
    assert_eq!(
        pipe.call("write_file", &other.to_string())["result"]["structuredContent"]["status"],
        "denied"
    );
    assert_eq!(
        pipe.call("write_file", &again.to_string())["result"]["structuredContent"]["status"],
        "success"
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("new.txt")).unwrap(), "x");
    assert_eq!(
        pipe.call("write_file", &again.to_string())["result"]["structuredContent"]["status"],
        "denied"
    );
    let odd = json!({"path": "new.txt", "content": "x", "purpose": "p", "approval": "../x"});
    let told = pipe.call("write_file", &odd.to_string());
    assert_eq!(told["result"]["structuredContent"]["reasons"][0]["code"], "bad_request");
    let said = told["result"]["structuredContent"]["summary"].as_str().unwrap();
    assert!(
        said.contains("`approval`") && !said.contains("`purpose`"),
        "only one of the two is wrong: {said}"
    );
    let remedy = told["result"]["structuredContent"]["reasons"][0]["remedy"].as_str().unwrap();
    assert!(remedy.contains("`call_id`"), "{remedy}");
    let none = json!({"path": "again.txt", "content": "x", "purpose": "p", "approval": null});
    let told = pipe.call("write_file", &none.to_string());
    assert_eq!(told["result"]["structuredContent"]["status"], "waiting", "{told}");
}

#[test]
fn what_there_is_none_of_is_told_and_the_capabilities_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.say(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#);
    let told = pipe.hear();
    let capabilities = told["result"]["capabilities"].as_object().unwrap();
    let named: Vec<&str> = capabilities.keys().map(String::as_str).collect();
    assert_eq!(named, ["completions", "prompts", "resources", "tools"], "{told}");
    pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    for (method, params, want) in [
        ("prompts/list", json!({}), json!({"prompts": []})),
        (
            "completion/complete",
            json!({"ref": {"type": "ref/prompt", "name": "x"}, "argument": {"name": "a", "value": "b"}}),
            json!({"completion": {"values": []}}),
        ),
        ("prompts/get", json!({"name": "x"}), json!(-32602)),
        ("prompts/get", json!({"name": 1}), json!(-32602)),
        ("logging/setLevel", json!({"level": "info"}), json!(-32601)),
        ("resources/subscribe", json!({"uri": "toolgate://policy"}), json!(-32601)),
    ] {
        pipe.say(&json!({"jsonrpc": "2.0", "id": method, "method": method, "params": params}).to_string());
        let told = pipe.hear();
        assert_eq!(
            (&told["id"], told.get("result").unwrap_or(&told["error"]["code"])),
            (&json!(method), &want),
            "{told}"
        );
    }
}

#[test]
fn a_client_that_opens_pages_is_shown_one_and_never_asked_to_approve_here() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start_with(folder.path(), &["--page", "http://127.0.0.1:7878/calls/"]);
    pipe.say(
        &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"elicitation": {"url": {}}},
            "clientInfo": {"name": "test", "version": "1"}
        }})
        .to_string(),
    );
    assert_eq!(pipe.hear()["result"]["protocolVersion"], "2025-11-25");
    pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    pipe.say(&wire::tool_call(1, "write_file", r#"{"path":"new.txt","content":"x","purpose":"keep"}"#));
    let asked = pipe.hear();
    assert_eq!(asked["method"], "elicitation/create");
    assert_eq!(asked["params"]["mode"], "url");
    let url = asked["params"]["url"].as_str().unwrap();
    let id = url.strip_prefix("http://127.0.0.1:7878/calls/").unwrap();
    SmallGate::approve(folder.path(), id);
    pipe.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "accept"}}).to_string());
    let told = pipe.hear();
    assert_eq!(told["result"]["structuredContent"]["status"], "success", "{told}");
    assert!(folder.path().join("new.txt").exists());

    pipe.say(&wire::tool_call(2, "write_file", r#"{"path":"other.txt","content":"x","purpose":"keep"}"#));
    let asked = pipe.hear();
    pipe.say(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}}).to_string());
    assert_eq!(pipe.hear()["result"]["structuredContent"]["status"], "waiting");
    assert!(!folder.path().join("other.txt").exists());
}

/// People may agree elsewhere while the client still shows the address, and it may never say what became of that.
#[test]
fn a_person_who_agrees_while_the_client_is_still_asking_is_heard() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start_with(folder.path(), &["--page", "http://127.0.0.1:7878/calls"]);
    pipe.say(
        &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"elicitation": {"url": {}}},
            "clientInfo": {"name": "test", "version": "1"}
        }})
        .to_string(),
    );
    pipe.hear();
    pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    pipe.say(
        &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "write_file",
            "arguments": {"path": "new.txt", "content": "x", "purpose": "keep"},
            "_meta": {"progressToken": "p"}
        }})
        .to_string(),
    );
    let asked = pipe.hear();
    let url = asked["params"]["url"].as_str().unwrap();
    let id = url.strip_prefix("http://127.0.0.1:7878/calls/").unwrap();
    let message = asked["params"]["message"].as_str().unwrap();
    assert!(message.contains("`write_file` changes a file") && message.contains(id), "{message}");
    let waits = pipe.hear();
    assert_eq!(
        (&waits["method"], &waits["params"]["progressToken"]),
        (&json!("notifications/progress"), &json!("p"))
    );
    SmallGate::approve(folder.path(), id);
    let told = loop {
        let told = pipe.hear();
        if told["id"] == 1 {
            break told;
        }
    };
    assert_eq!(told["result"]["structuredContent"]["status"], "success", "{told}");
    assert!(folder.path().join("new.txt").exists());
}

#[test]
fn under_the_newest_protocol_the_client_asks_and_calls_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start_with(folder.path(), &["--page", "http://127.0.0.1:7878/calls/"]);
    let mut call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "write_file",
        "arguments": {"path": "new.txt", "content": "x", "purpose": "keep"},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"url": {}}}
        }
    }});
    pipe.say(&call.to_string());
    let told = pipe.hear();
    assert_eq!(told["result"]["resultType"], "input_required", "{told}");
    let state = told["result"]["requestState"].as_str().unwrap().to_owned();
    call["id"] = 2.into();
    call["params"]["requestState"] = state.as_str().into();
    call["params"]["inputResponses"] = json!({"approval": {"action": "accept"}});
    pipe.say(&call.to_string());
    assert_eq!(pipe.hear()["result"]["structuredContent"]["status"], "waiting", "nobody has agreed yet");
    SmallGate::approve(folder.path(), &state);
    call["id"] = 3.into();
    pipe.say(&call.to_string());
    assert_eq!(pipe.hear()["result"]["structuredContent"]["status"], "success");
}

#[test]
fn arguments_with_two_readings_reach_the_gate_and_are_on_record() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), "a").unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.hello();
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let cases = [
        (r#"{"path":"a","path":"/etc/passwd","purpose":"p"}"#.to_owned(), "bad_request"),
        (r#"{"path":"a","limit":123456789012345678901234567890,"purpose":"p"}"#.to_owned(), "bad_request"),
        (r#"{"path":"\ud800","purpose":"p"}"#.to_owned(), "bad_request"),
        (r#"{"Path":"a","purpose":"p"}"#.to_owned(), "bad_request"),
        (r#"{"path":"a"}"#.to_owned(), "bad_request"),
        (r#"{"path":"a","purpose":"p","purpose":"q"}"#.to_owned(), "bad_request"),
        (format!(r#"{{"path":{deep},"purpose":"p"}}"#), "bad_request"),
        ("[]".to_owned(), "bad_request"),
        ("null".to_owned(), "bad_request"),
        ("NaN".to_owned(), "bad_request"),
    ];
    for (arguments, code) in &cases {
        let told = pipe.call("read_file", arguments);
        assert_eq!(told["result"]["structuredContent"]["reasons"][0]["code"], *code, "{arguments}: {told}");
    }
    let told = pipe.call("no_such_tool", r#"{"purpose":"p"}"#);
    assert_eq!(told["result"]["structuredContent"]["reasons"][0]["code"], "unknown_tool");
    // The honest twin, and one event for each call.
    assert_eq!(pipe.call("read_file", r#"{"path":"a","purpose":"p"}"#)["result"]["isError"], false);
    assert_eq!(wire::entries(folder.path()).len(), cases.len() + 2);
}

#[test]
fn garbage_is_answered_in_the_words_of_the_protocol_and_the_session_lives_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.say("before hello");
    assert_eq!(pipe.hear()["error"]["code"], -32700);
    pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/odd"}"#);
    pipe.say(r#"{"jsonrpc":"2.0","id":4,"result":{}}"#);
    pipe.say(r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#);
    assert_eq!(pipe.hear()["error"]["code"], -32602, "there is no session yet");
    pipe.hello();
    let long =
        format!(r#"{{"jsonrpc":"2.0","id":8,"method":"ping","params":{{"x":"{}"}}}}"#, "x".repeat(2 << 20));
    let cases: Vec<(String, i64, Value)> = vec![
        ("garbage".into(), -32700, Value::Null),
        ("\u{0}\u{1}".into(), -32700, Value::Null),
        (r#"{"jsonrpc":"2.0","id":5,"method":"pi"#.into(), -32700, Value::Null),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#.into(), -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":6,"method":"no/such"}"#.into(), -32601, 6.into()),
        (r#"{"jsonrpc":"2.0","id":7,"method":"resources/read"}"#.into(), -32602, 7.into()),
        (r#"{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{}}"#.into(), -32602, 9.into()),
        (r#"{"jsonrpc":"1.0","id":10,"method":"ping"}"#.into(), -32600, 10.into()),
        (long, -32600, Value::Null),
    ];
    for (line, code, id) in cases {
        pipe.say(&line);
        let told = pipe.hear();
        let shown: String = line.chars().take(80).collect();
        assert_eq!((&told["error"]["code"], &told["id"]), (&code.into(), &id), "{shown}: {told}");
    }
    pipe.say(r#"{"jsonrpc":"2.0","id":11,"method":"ping"}"#);
    assert_eq!(pipe.hear()["id"], 11);
    let entries = wire::entries(folder.path());
    assert_eq!(entries.len(), 1, "one of it was meant as a call: {entries:?}");
}

/// Some shells put a byte order mark in front of what they pipe, and end lines in their own way.
#[test]
fn a_mark_in_front_of_everything_and_other_ends_of_lines_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.say("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r");
    assert_eq!(pipe.hear()["id"], 1);
    pipe.say("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}");
    assert_eq!(pipe.hear()["error"]["code"], -32700, "in the middle it is no part of a message");
    pipe.hello();
}

#[test]
fn a_hello_that_does_not_fit_and_a_page_that_is_not_there_are_told_plainly() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.say(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#);
    let told = pipe.hear();
    assert_eq!((&told["id"], &told["error"]["code"]), (&1.into(), &(-32602).into()), "{told}");
    assert!(told["error"]["message"].as_str().unwrap().contains("`protocolVersion`"), "{told}");
    pipe.hello();
    for method in ["tools/list", "resources/list"] {
        pipe.say(&format!(r#"{{"jsonrpc":"2.0","id":2,"method":"{method}","params":{{"cursor":"next"}}}}"#));
        let told = pipe.hear();
        assert_eq!(told["error"]["code"], -32602, "{method}: {told}");
        pipe.say(&format!(r#"{{"jsonrpc":"2.0","id":3,"method":"{method}","params":{{"cursor":null}}}}"#));
        assert!(pipe.hear()["result"].is_object(), "{method}");
    }
}

#[test]
fn a_call_without_an_id_is_never_run() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), "a").unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.hello();
    pipe.say(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"read_file","arguments":{"path":"a","purpose":"p"}}}"#);
    pipe.say(r#"{"jsonrpc":"2.0","id":77,"result":{"action":"accept"}}"#);
    pipe.say(r#"{"jsonrpc":"2.0","id":"2","method":"ping"}"#);
    assert_eq!(pipe.hear()["id"], "2");
    let entries = wire::entries(folder.path());
    assert_eq!(
        refused(&entries),
        [("read_file", "bad_request", "a call needs an id: nobody would hear its answer")]
    );
}

/// The tools, codes and reasons of calls, all of which were refused.
fn refused(entries: &[Value]) -> Vec<(&str, &str, &str)> {
    let told = entries.iter().map(|entry| {
        assert_eq!(entry["status"], "denied", "{entry}");
        (
            entry["tool"].as_str().unwrap(),
            entry["codes"][0].as_str().unwrap(),
            entry["summary"].as_str().unwrap(),
        )
    });
    told.collect()
}

#[test]
fn a_call_that_the_protocol_refuses_is_on_record_once_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a"), "a").unwrap();
    let mut pipe = Pipe::start(folder.path());
    let look = r#"{"path":"a","purpose":"p"}"#;
    pipe.say(&wire::tool_call(1, "read_file", look));
    assert_eq!(pipe.hear()["error"]["code"], -32602, "there is no session yet");
    let on_record = |many: usize| {
        wire::until(|| wire::entries(folder.path()).len() >= many);
        let entries = wire::entries(folder.path());
        assert_eq!(entries.len(), many, "{entries:?}");
        let last = entries.last().unwrap();
        let told = (
            last["tool"].as_str().unwrap(),
            last["agent"].as_str().unwrap(),
            last["status"].as_str().unwrap(),
        );
        (
            told.0.to_owned(),
            told.1.to_owned(),
            told.2.to_owned(),
            last["codes"][0].as_str().unwrap().to_owned(),
        )
    };
    let told =
        |tool: &str| (tool.to_owned(), "tester".to_owned(), "denied".to_owned(), "bad_request".to_owned());
    assert_eq!(on_record(1), told("read_file"));
    pipe.hello();
    let call = |more: &str| format!(r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call"{more}}}"#);
    let cases: [(String, i64, &str); 12] = [
        (call(""), -32602, ""),
        (call(r#","params":null"#), -32602, ""),
        (call(r#","params":[1]"#), -32602, ""),
        (call(r#","params":{"arguments":{"path":"a","purpose":"p"}}"#), -32602, ""),
        (call(r#","params":{"name":7,"arguments":{}}"#), -32602, ""),
        (call(r#","params":{"name":"status","name":"read_file"}"#), -32600, ""),
        (call(r#","params":{"name":"status","arguments":{},"Arguments":{}}"#), -32600, "status"),
        (call(r#","params":{"name":"status","_meta":7}"#), -32602, "status"),
        (call(r#","Method":"ping","params":{"name":"status"}"#), -32600, "status"),
        (
            r#"{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"status"}}"#.into(),
            -32600,
            "status",
        ),
        (r#"{"id":1,"method":"tools/call","params":{"name":"status"}}"#.into(), -32600, "status"),
        (
            format!(
                "[{},{}]",
                r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
                wire::tool_call(2, "status", "{}")
            ),
            -32600,
            "status",
        ),
    ];
    for (number, (line, code, tool)) in cases.iter().enumerate() {
        pipe.say(line);
        assert_eq!(pipe.hear()["error"]["code"], *code, "{line}");
        assert_eq!(on_record(number + 2), told(tool), "{line}");
    }
    assert_eq!(pipe.call("read_file", look)["result"]["isError"], false, "the session lives on");
    assert_eq!(wire::entries(folder.path()).len(), cases.len() + 2);
}

#[test]
fn an_id_that_is_in_use_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.hello();
    pipe.say(&wire::tool_call(5, "exec_sandbox", r#"{"language":"python","code":"0.5","purpose":"p"}"#));
    pipe.say(&wire::tool_call(5, "status", r#"{"purpose":"p"}"#));
    assert_eq!(pipe.hear()["error"]["message"], "the id is in use by another request");
    let entries = wire::entries(folder.path());
    assert_eq!(refused(&entries), [("status", "bad_request", "the id is in use by another request")]);
    assert_eq!(pipe.hear()["result"]["structuredContent"]["content"], "slept");
    pipe.say(&wire::tool_call(5, "status", r#"{"purpose":"p"}"#));
    assert_eq!(pipe.hear()["result"]["structuredContent"]["content"], "well");
}

#[test]
fn a_cancelled_call_stops_and_is_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.hello();
    let start = Instant::now();
    pipe.say(&wire::tool_call(5, "exec_sandbox", r#"{"language":"python","code":"25","purpose":"p"}"#));
    std::thread::sleep(Duration::from_millis(200));
    pipe.say(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"no"}}"#,
    );
    wire::until(|| !wire::entries(folder.path()).is_empty());
    assert_eq!(wire::entries(folder.path())[0]["codes"][0], "cancelled");
    assert!(start.elapsed() < Duration::from_secs(10));
    pipe.say(r#"{"jsonrpc":"2.0","id":6,"method":"ping"}"#);
    while pipe.hear()["id"] != 6 {}
}

#[test]
fn a_long_call_says_that_it_still_runs_where_the_client_wants_to_know() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.hello();
    let call = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {
        "name": "exec_sandbox", "arguments": {"language": "python", "code": "0.4", "purpose": "p"},
        "_meta": {"progressToken": "t"}
    }});
    pipe.say(&call.to_string());
    let mut told = 0;
    loop {
        let heard = pipe.hear();
        if heard["method"] == "notifications/progress" {
            assert_eq!(heard["params"]["progressToken"], "t");
            told += 1;
        } else {
            assert_eq!(heard["id"], 5);
            break;
        }
    }
    assert!(told >= 2, "{told}");
}

#[test]
fn calls_that_run_when_the_input_ends_are_answered_and_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.hello();
    pipe.say(&wire::tool_call(5, "exec_sandbox", r#"{"language":"python","code":"0.5","purpose":"p"}"#));
    pipe.end_input();
    assert_eq!(pipe.hear()["result"]["structuredContent"]["content"], "slept");
    assert!(pipe.wait().success());
    assert_eq!(wire::entries(folder.path()).len(), 1);
}

#[test]
fn a_version_that_nobody_speaks_is_answered_with_one_that_we_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.say(r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"1999-01-01","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#);
    let told = pipe.hear();
    assert!(told["result"]["protocolVersion"].as_str().unwrap().starts_with("202"), "{told}");
    assert_eq!(told["result"]["serverInfo"]["name"], "toolgate");
}

#[test]
fn the_door_closes_and_says_why_when_the_ledger_fails() {
    let folder = tempfile::tempdir().unwrap();
    let gate = SmallGate::new(folder.path());
    gate.broken.store(true, std::sync::atomic::Ordering::Relaxed);
    let (input, mut say) = std::io::pipe().unwrap();
    let (hear, output) = std::io::pipe().unwrap();
    let identity = mcp_door::Identity { agent: "a".into(), skill: None, context: call::CallContext::Agent };
    let served = std::thread::spawn(move || {
        mcp_door::serve(std::sync::Arc::new(gate), identity, mcp_door::Options::default(), input, output)
    });
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    for line in [hello, ready, &wire::tool_call(1, "status", r#"{"purpose":"p"}"#)] {
        std::io::Write::write_all(&mut say, format!("{line}\n").as_bytes()).unwrap();
    }
    let heard: Vec<String> =
        std::io::BufRead::lines(std::io::BufReader::new(hear)).take(2).map(Result::unwrap).collect();
    assert!(
        heard[1].contains("no further calls are taken: the ledger could not be written: the disk is full"),
        "{heard:?}"
    );
    assert!(matches!(served.join().unwrap(), Err(mcp_door::ServeError::Halt(_))));
}

#[test]
fn a_call_without_arguments_is_a_call_with_none() {
    let folder = tempfile::tempdir().unwrap();
    let mut pipe = Pipe::start(folder.path());
    pipe.hello();
    pipe.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status"}}"#);
    let told = pipe.hear();
    assert_eq!(told["result"]["structuredContent"]["summary"], "the call has no purpose", "{told}");
}

#[test]
fn a_client_that_reads_nothing_does_not_make_the_door_grow_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new(wire::example("small_gate"));
    command.arg(folder.path()).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let writes = std::thread::spawn(move || {
        let line = format!("{}\n", r#"{"jsonrpc":"2.0","method":"x"}"#.replace('x', &"y".repeat(100_000)));
        let mut written = 0;
        let hello = r#"{"jsonrpc":"2.0","id":"h","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
        std::io::Write::write_all(&mut input, format!("{hello}\n").as_bytes()).unwrap();
        for number in 0..20_000 {
            let ping =
                format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"nothing/{}"}}"#, "z".repeat(1_000));
            let sent = std::io::Write::write_all(&mut input, format!("{ping}\n").as_bytes());
            if sent.is_err() || std::io::Write::write_all(&mut input, line.as_bytes()).is_err() {
                break;
            }
            written += 1;
        }
        written
    });
    std::thread::sleep(Duration::from_secs(3));
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let resident: u64 = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let _ = writes.join().unwrap();
    assert!(resident < 400_000, "{resident} KB");
}

#[test]
fn calls_that_are_held_up_hold_up_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.txt"), "hello").unwrap();
    let held = SmallGate::held_up(folder.path(), "held");
    let mut pipe = Pipe::start(folder.path());
    pipe.hello();
    let read =
        |id, path: &str| wire::tool_call(id, "read_file", &format!(r#"{{"path":"{path}","purpose":"p"}}"#));
    for id in 1..=10 {
        pipe.say(&read(id, "held"));
    }
    for id in 11..=40 {
        pipe.say(&read(id, "note.txt"));
    }
    let mut ids: Vec<i64> = (11..=40).map(|_| pipe.hear()["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (11..=40).collect::<Vec<i64>>());
    // Nobody else has one to say it for them.
    assert_eq!(pipe.call("status", r#"{"purpose":"p"}"#)["result"]["structuredContent"]["content"], "well");
    std::fs::write(held, "late").unwrap();
    let mut ids: Vec<i64> = (1..=10).map(|_| pipe.hear()["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=10).collect::<Vec<i64>>());
    assert_eq!(wire::entries(folder.path()).len(), 41);
}

#[test]
fn a_client_that_does_not_listen_is_answered_when_it_does() {
    const CALLS: i64 = 300;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.txt"), "x".repeat(4_000)).unwrap();
    let (input, mut say) = std::io::pipe().unwrap();
    let (hear, output) = std::io::pipe().unwrap();
    let identity = mcp_door::Identity { agent: "a".into(), skill: None, context: call::CallContext::Agent };
    let gate = std::sync::Arc::new(SmallGate::new(folder.path()));
    let gatekeeper = std::sync::Arc::clone(&gate);
    let served = std::thread::spawn(move || {
        mcp_door::serve(gatekeeper, identity, mcp_door::Options::default(), input, output)
    });
    let mut heard = std::io::BufRead::lines(std::io::BufReader::new(hear));
    let mut said = |line: &str| std::io::Write::write_all(&mut say, format!("{line}\n").as_bytes()).unwrap();
    said(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
    );
    assert!(heard.next().unwrap().unwrap().contains("serverInfo"));
    said(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    for id in 1..=CALLS {
        said(&wire::tool_call(id, "read_file", r#"{"path":"note.txt","purpose":"p"}"#));
    }
    // What nobody hears fills the pipe, and then the places at the gate.
    std::thread::sleep(Duration::from_millis(500));
    let done = gate.entries().len();
    assert!(done < usize::try_from(CALLS).unwrap(), "{done} were done for a client that does not listen");
    drop(say);
    let ids: std::collections::BTreeSet<i64> = heard
        .map(|line| serde_json::from_str::<Value>(&line.unwrap()).unwrap()["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, (1..=CALLS).collect());
    served.join().unwrap().unwrap();
    assert_eq!(gate.entries().len(), usize::try_from(CALLS).unwrap());
}
