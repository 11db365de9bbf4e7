//! The gate as an MCP server, with clients that say bare lines.

mod http;
mod jailed;
mod proxy;
mod wire;

use std::fs;

use serde_json::{Value, json};

use crate::approvals::Desk;
use wire::Client;

pub(crate) fn codes(told: &Value) -> Vec<&str> {
    told["reasons"].as_array().unwrap().iter().map(|reason| reason["code"].as_str().unwrap()).collect()
}

fn read(path: &str) -> Value {
    json!({ "path": path, "purpose": "see what it says" })
}

fn write(content: &str) -> Value {
    json!({ "path": "notes.txt", "content": content, "purpose": "say it better" })
}

fn with_approval(mut arguments: Value, id: &str) -> Value {
    arguments["approval"] = id.into();
    arguments
}

#[test]
fn a_client_lists_reads_and_gets_no_further_than_the_workspace() {
    let desk = Desk::new();
    let mut client = Client::start(&desk, &["mcp", "--agent", "writer"]);
    let tools = client.tools();
    for tool in ["read_file", "write_file", "delete_file", "status"] {
        assert!(tools.iter().any(|name| name == tool), "{tool} is missing: {tools:?}");
    }
    for tool in ["network_fetch", "run_shell", "query_db", "secrets_get", "github_get_pr"] {
        assert!(!tools.iter().any(|name| name == tool), "this home has nothing for {tool}: {tools:?}");
    }
    let told = client.call("read_file", &read("notes.txt"));
    assert_eq!((&told["status"], &told["content"]), (&json!("success"), &json!("one\n")), "{told}");
    for path in ["../../../../etc/passwd", "/etc/passwd", ".toolgate/policy.toml", ".env"] {
        let told = client.call("read_file", &read(path));
        assert_eq!(told["status"], "denied", "{path}: {told}");
    }
    let told = client.call("no_such_tool", &json!({ "purpose": "try" }));
    assert_eq!((&told["status"], codes(&told)), (&json!("denied"), vec!["unknown_tool"]), "{told}");
    let policy = client.resource("toolgate://policy");
    assert_eq!((&policy["in_force"], &policy["read_only"]), (&json!(true), &json!(false)), "{policy}");
    let entries = client.resource("toolgate://ledger/session");
    let of_writer = |entry: &Value| entry["session"] == "mcp" && entry["agent"] == "writer";
    assert!(!entries.as_array().unwrap().is_empty());
    assert!(entries.as_array().unwrap().iter().all(of_writer), "{entries}");
    assert_eq!(client.end(), Some(0));
    desk.is_verified();
}

#[test]
fn a_skill_lists_and_uses_its_own_tools_only() {
    let desk = Desk::new();
    let mut client = Client::start(&desk, &["mcp", "--skill", "file_editor"]);
    let tools = client.tools();
    assert!(tools.iter().any(|name| name == "write_file"), "{tools:?}");
    assert!(!tools.iter().any(|name| name == "delete_file" || name == "status"), "{tools:?}");
    let told = client.call("delete_file", &read("notes.txt"));
    assert_eq!(told["status"], "denied", "what is not listed is refused as well: {told}");
    assert_eq!(client.call("read_file", &read("notes.txt"))["status"], "success");
    let mut stranger = Client::start(&desk, &["mcp", "--skill", "no_such_skill"]);
    assert!(stranger.tools().is_empty());
}

#[test]
fn a_write_waits_for_a_person_and_runs_once() {
    let desk = Desk::new();
    let mut client = Client::start(&desk, &["mcp"]);
    let told = client.call("write_file", &write("two\n"));
    assert_eq!(told["status"], "waiting", "{told}");
    let id = told["call_id"].as_str().unwrap().to_owned();
    assert!(told["next"].as_str().unwrap().contains(&id), "{told}");
    let early = client.call("write_file", &with_approval(write("two\n"), &id));
    assert_eq!(early["status"], "waiting", "{early}");
    desk.approved(&id);
    let other = client.call("write_file", &with_approval(write("three\n"), &id));
    assert_eq!(codes(&other), ["approval_mismatch"], "{other}");
    assert_eq!(desk.door.read("notes.txt"), "one\n");
    let told = client.call("write_file", &with_approval(write("two\n"), &id));
    assert_eq!((&told["status"], &told["call_id"]), (&json!("success"), &json!(id)), "{told}");
    assert_eq!(desk.door.read("notes.txt"), "two\n");
    desk.door.write("notes.txt", "one\n");
    let again = client.call("write_file", &with_approval(write("two\n"), &id));
    assert_eq!(codes(&again), ["approval_used"], "{again}");
    assert_eq!(desk.door.read("notes.txt"), "one\n");
    drop(client);
    desk.is_verified();
}

#[test]
fn a_call_that_is_held_back_runs_as_soon_as_a_person_agrees() {
    let desk = Desk::new();
    let mut client = Client::start(&desk, &["mcp", "--wait", "100"]);
    let asked = client.ask("write_file", &write("two\n"));
    let mut id = None;
    crate::door::wait_until("a question", || {
        let pending = desk.door.run(&["pending", "--format", "json"]).json();
        id = pending["pending"][0]["call_id"].as_str().map(str::to_owned);
        id.is_some()
    });
    desk.approved(&id.unwrap());
    let told = client.answer(asked);
    assert_eq!(told["status"], "success", "{told}");
    assert_eq!(desk.door.read("notes.txt"), "two\n");
}

/// The page is of no use when it is shown after the time in which somebody could have agreed there.
#[test]
fn a_client_that_opens_pages_shows_one_at_once_however_long_calls_are_held_back() {
    let desk = Desk::new();
    let words = ["mcp", "--wait", "100", "--approvals", "http://127.0.0.1:7878/calls"];
    let mut client = Client::that_opens_pages(&desk, &words);
    let asked = client.ask("write_file", &write("two\n"));
    let began = std::time::Instant::now();
    let question = client.question();
    assert!(began.elapsed().as_secs() < 50, "{question}");
    let url = question["params"]["url"].as_str().unwrap();
    let id = url.strip_prefix("http://127.0.0.1:7878/calls/").unwrap().to_owned();
    let message = question["params"]["message"].as_str().unwrap();
    assert!(message.contains("write notes.txt"), "{message}");
    desk.approved(&id);
    // What the client says of its page is not waited for.
    let told = client.answer(asked);
    assert_eq!(told["status"], "success", "{told}");
    assert_eq!(desk.door.read("notes.txt"), "two\n");
    let ran = desk.door.run(&["mcp", "--approvals", "calls"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    drop(client);
    desk.is_verified();
}

#[test]
fn what_somebody_says_who_refuses_is_told_to_the_agent_that_asked_and_to_no_other() {
    let desk = Desk::new();
    let mut client = Client::start(&desk, &["mcp"]);
    let told = client.call("write_file", &write("two\n"));
    let id = told["call_id"].as_str().unwrap().to_owned();
    let ran = desk.door.run(&["deny", &id, "--reason", "not on a Friday"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let mut again = write("two\n");
    again["approval"] = id.as_str().into();
    let told = client.call("write_file", &again);
    assert_eq!(codes(&told), ["approval_refused"], "{told}");
    assert!(told["summary"].as_str().unwrap().contains("not on a Friday"), "{told}");
    let mut other = Client::start(&desk, &["mcp", "--agent", "other"]);
    let told = other.call("write_file", &again);
    assert_eq!(codes(&told), ["approval_used"], "{told}");
    assert!(!told.to_string().contains("Friday"), "{told}");
    assert_eq!(desk.door.read("notes.txt"), "one\n");
    drop((client, other));
    desk.is_verified();
}

#[test]
fn a_gate_that_is_killed_in_the_middle_loses_nothing() {
    let desk = Desk::new();
    let mut client = Client::start(&desk, &["mcp"]);
    let told = client.call("write_file", &write("two\n"));
    let id = told["call_id"].as_str().unwrap().to_owned();
    for _ in 0..40 {
        client.ask("read_file", &read("notes.txt"));
        client.ask("list_files", &read("."));
    }
    let first = client.next_answer();
    assert_eq!(first["status"], "success", "{first}");
    client.kill();
    desk.approved(&id);
    let mut client = Client::start(&desk, &["mcp"]);
    let told = client.call("write_file", &with_approval(write("two\n"), &id));
    assert_eq!(told["status"], "success", "{told}");
    assert_eq!(desk.door.read("notes.txt"), "two\n");
    drop(client);
    desk.is_verified();
}

#[test]
fn a_policy_that_changes_closes_the_gate_until_it_is_applied_and_is_followed_then() {
    let desk = Desk::new();
    let mut client = Client::start(&desk, &["mcp"]);
    let told = client.call("write_file", &write("two\n"));
    let id = told["call_id"].as_str().unwrap().to_owned();
    desk.approved(&id);
    let before = desk.door.read(".toolgate/policy.toml");
    let stricter = before.replace("read_only = false", "read_only = true");
    desk.door.write(".toolgate/policy.toml", &stricter);
    let told = client.call("read_file", &read("notes.txt"));
    assert_eq!(codes(&told), ["policy_not_applied"], "{told}");
    assert!(client.tools().is_empty());
    assert_eq!(client.resource("toolgate://policy")["in_force"], false);
    // The very files that are in force open it again.
    desk.door.write(".toolgate/policy.toml", &before);
    assert_eq!(client.call("read_file", &read("notes.txt"))["status"], "success");
    desk.door.write(".toolgate/policy.toml", &stricter);
    desk.apply();
    assert_eq!(client.call("read_file", &read("notes.txt"))["status"], "success");
    let told = client.call("write_file", &with_approval(write("two\n"), &id));
    assert_eq!(told["status"], "denied", "a yes of another policy: {told}");
    assert!(!client.tools().iter().any(|name| name == "write_file"));
    assert_eq!(desk.door.read("notes.txt"), "one\n");
    // What the policy was read from may be gone altogether.
    fs::remove_file(desk.door.path(".toolgate/policy.toml")).unwrap();
    assert_eq!(client.call("read_file", &read("notes.txt"))["status"], "denied");
    desk.door.write(".toolgate/policy.toml", &stricter);
    assert_eq!(client.call("read_file", &read("notes.txt"))["status"], "success");
    drop(client);
    desk.is_verified();
}

#[test]
fn the_tools_follow_the_policy_as_well() {
    let desk = Desk::new();
    let table = |name: &str| {
        let path = desk.door.path(&format!("{name}.db"));
        let file = rusqlite::Connection::open(path).unwrap();
        file.execute_batch(&format!("CREATE TABLE t (name TEXT); INSERT INTO t VALUES ('{name}')")).unwrap();
    };
    table("one");
    table("two");
    let policy = desk.door.read(".toolgate/policy.toml");
    let with = |name: &str| {
        let more = format!("{policy}\n[databases.shop]\npath = \"{name}.db\"\nread_only = true\n");
        desk.door.write(".toolgate/policy.toml", more);
        desk.apply();
    };
    let query = json!({ "database": "shop", "sql": "SELECT name FROM t", "purpose": "look" });
    let mut client = Client::start(&desk, &["mcp"]);
    assert_eq!(client.call("query_db", &query)["status"], "denied", "there is no database yet");
    for name in ["one", "two"] {
        with(name);
        let told = client.call("query_db", &query);
        assert_eq!(told["status"], "success", "{told}");
        assert!(told["content"].to_string().contains(name), "{told}");
    }
}

#[test]
fn each_client_is_told_how_to_start_this_gate_for_this_home() {
    let desk = Desk::new();
    let ran = desk.door.run(&["mcp", "--print-config", "claude", "--skill", "file_editor"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let told = ran.json();
    let server = &told["mcpServers"]["toolgate"];
    assert_eq!(server["command"], env!("CARGO_BIN_EXE_toolgate"));
    let words: Vec<&str> =
        server["args"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    // What is printed works, from anywhere.
    let mut command = std::process::Command::new(server["command"].as_str().unwrap());
    command.args(words).current_dir("/");
    let mut client = Client::of(command);
    assert_eq!(client.call("read_file", &read("notes.txt"))["status"], "success");
    for client in ["codex", "cursor", "vscode", "gemini"] {
        assert_eq!(desk.door.run(&["mcp", "--print-config", client]).code, Some(0), "{client}");
    }
    assert_eq!(desk.door.run(&["mcp", "--print-config", "other"]).code, Some(3));
}

#[test]
fn without_a_home_there_is_no_gate() {
    let door = crate::door::Door::new();
    let words: [&[&str]; 4] = [
        &["mcp"],
        &["mcp", "--http", "127.0.0.1:0"],
        &["mcp", "--print-config", "claude"],
        &["proxy", "--", "true"],
    ];
    for words in words {
        let ran = door.run(words);
        assert_eq!(ran.code, Some(3), "{words:?}: {}", ran.all());
        assert!(ran.stderr.contains("toolgate init"), "{words:?}: {}", ran.all());
    }
}
