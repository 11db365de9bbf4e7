//! Clients and servers of other makers, from their registries: the reference clients for Python and
//! TypeScript, the protocol's own conformance suite, and a file server behind the gate.
//!
//! Packages are installed once, in exact versions, below the folder for tests of the build.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests: what is not as expected fails them"
)]

mod gatekeeper;
mod wire;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use gatekeeper::SmallGate;
use serde_json::{Value, json};

const NODE_PACKAGES: [&str; 5] = [
    "@modelcontextprotocol/sdk@1.32.2",
    "sdk-of-2025-11@npm:@modelcontextprotocol/sdk@1.21.1",
    "sdk-of-2025-06@npm:@modelcontextprotocol/sdk@1.12.1",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/conformance@0.1.13",
];
const PYTHON_PACKAGE: &str = "mcp==2.3.0";
/// What many still use.
const OLDER_PYTHON_PACKAGE: &str = "mcp==1.22.0";

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

/// A folder with what `install` puts there, once. One process installs at a time, and the others find it done.
fn installed(name: &str, install: impl FnOnce(&Path)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let alone = std::fs::File::create(folder.with_extension("lock")).unwrap();
    alone.lock().unwrap();
    if !folder.join("done").exists() {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        install(&folder);
        std::fs::write(folder.join("done"), "").unwrap();
    }
    folder
}

fn node() -> PathBuf {
    installed("mcp-node-3", |folder| {
        run(Command::new("npm")
            .args(["install", "--no-fund", "--no-audit", "--ignore-scripts", "--prefix"])
            .arg(folder)
            .args(NODE_PACKAGES));
        for script in ["client.mjs", "token.mjs"] {
            std::fs::copy(scripts().join(script), folder.join(script)).unwrap();
        }
    })
}

fn python(name: &str, package: &str) -> PathBuf {
    let folder = installed(name, |folder| {
        run(Command::new("python3").args(["-m", "venv"]).arg(folder));
        run(Command::new(folder.join("bin/pip")).args([
            "install",
            "--quiet",
            "--disable-pip-version-check",
            package,
        ]));
    });
    folder.join("bin/python")
}

#[track_caller]
fn run(command: &mut Command) -> String {
    let shown = format!("{command:?}");
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{shown}\n{text}");
    text
}

/// The door over HTTP in a process of its own, until this is gone.
struct Served {
    child: Child,
    url: String,
    token: String,
}

impl Served {
    fn new(root: &Path) -> Self {
        let mut command = Command::new(wire::example("small_http"));
        let mut child = command.arg(root).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (url, token) = line.trim().split_once(' ').unwrap();
        Self { child, url: url.to_owned(), token: token.to_owned() }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.txt"), "hello").unwrap();
    folder
}

#[test]
fn the_reference_client_for_python_lists_and_calls() {
    let folder = folder();
    let served = Served::new(folder.path());
    let mut command = Command::new(python("mcp-python-2", PYTHON_PACKAGE));
    command.arg(scripts().join("client.py")).arg(wire::example("small_gate")).arg(folder.path());
    let told = run(command.args([&served.url, &served.token]));
    assert!(told.ends_with("well\n"), "{told}");
    assert_eq!(wire::entries(folder.path()).len(), 6);
}

/// Its log would say what it did not understand.
#[test]
fn an_older_reference_client_for_python_lists_and_calls_and_complains_about_nothing() {
    let folder = folder();
    let served = Served::new(folder.path());
    let mut command = Command::new(python("mcp-python-1.22", OLDER_PYTHON_PACKAGE));
    command.arg(scripts().join("older_client.py")).arg(wire::example("small_gate")).arg(folder.path());
    let told = run(command.args([&served.url, &served.token]));
    assert_eq!(told, "well\n");
    assert_eq!(wire::entries(folder.path()).len(), 4);
}

#[test]
fn the_reference_client_for_typescript_lists_and_calls() {
    lists_and_calls_with("@modelcontextprotocol/sdk");
}

#[test]
fn older_reference_clients_for_typescript_list_and_call_and_complain_about_nothing() {
    lists_and_calls_with("sdk-of-2025-11");
    lists_and_calls_with("sdk-of-2025-06");
}

#[track_caller]
fn lists_and_calls_with(package: &str) {
    let folder = folder();
    let served = Served::new(folder.path());
    let node = node();
    let mut command = Command::new("node");
    command.current_dir(&node).arg("client.mjs").arg(wire::example("small_gate")).arg(folder.path());
    let told = run(command.args([&served.url, &served.token, package]));
    assert!(told.ends_with("well\n"), "{told}");
    assert_eq!(wire::entries(folder.path()).len(), 6);
}

/// Scenarios for what this server has. The others are about tools, prompts and resources that the suite
/// wants to find in a server made for it; `docs/clients.md` has each of them with the reason.
const SCENARIOS: [&str; 9] = [
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-error",
    "resources-list",
    "prompts-list",
    "completion-complete",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
];

#[test]
fn the_conformance_suite_passes_where_it_applies() {
    let folder = folder();
    let served = Served::new(folder.path());
    let node = node();
    for scenario in SCENARIOS {
        let mut command = Command::new("node");
        command
            .current_dir(&node)
            .env("MCP_TOKEN", &served.token)
            .args(["--import", "./token.mjs"])
            .arg("node_modules/@modelcontextprotocol/conformance/dist/index.js")
            .args(["server", "--url", &served.url, "--scenario", scenario]);
        let told = run(&mut command);
        assert!(told.contains(", 0 failed, 0 warnings"), "{scenario}: {told}");
    }
}

/// Scenarios that do not apply: what the suite calls or reads there is not in this server.
const OTHERS: [&str; 23] = [
    "logging-set-level",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "json-schema-2020-12",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
    "server-sse-polling",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
];

/// A scenario that a later version of the suite brings is run or has a reason.
#[test]
fn every_scenario_of_the_suite_is_run_or_has_a_reason_not_to_be() {
    let mut command = Command::new("node");
    command
        .current_dir(node())
        .args(["node_modules/@modelcontextprotocol/conformance/dist/index.js", "list"]);
    let told = run(&mut command);
    let (servers, _) = told.split_once("Client scenarios").unwrap();
    let mut all: Vec<&str> = servers.lines().filter_map(|line| line.trim().strip_prefix("- ")).collect();
    let mut known: Vec<&str> = SCENARIOS.into_iter().chain(OTHERS).collect();
    all.sort_unstable();
    known.sort_unstable();
    assert_eq!(all, known);
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/clients.md")).unwrap();
    for scenario in known {
        assert!(page.contains(&format!("`{scenario}`")), "{scenario} is not in docs/clients.md");
    }
}

const FILES: &str = "
[tools.read_text_file]
read = 'path'
plain = ['head', 'tail']
[tools.write_file]
write = 'path'
content = 'content'
[tools.list_directory]
read = 'path'
";

/// The server is let loose on the whole machine, and the gate holds it to one folder.
#[test]
fn a_file_server_behind_the_gate_reads_waits_and_does_not_escape() {
    let folder = folder();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.txt"), "secret").unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    let mapping = outside.path().join("files.toml");
    std::fs::write(&mapping, FILES).unwrap();
    let server = node().join("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js");
    let mut command = Command::new(wire::example("small_proxy"));
    command.arg(folder.path()).arg(&mapping).args(["files", "node"]).arg(server).arg("/");
    let mut pipe = wire::Pipe::of(command);
    pipe.hello();

    pipe.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let listed = pipe.hear();
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> =
        tools.iter().map(|tool| tool["name"].as_str().unwrap()).filter(|name| name.contains('.')).collect();
    assert_eq!(
        names,
        ["files.read_text_file", "files.write_file", "files.list_directory"],
        "only what is mapped"
    );

    let root = folder.path().canonicalize().unwrap();
    let at = |name: &str| root.join(name).to_str().unwrap().to_owned();
    let read = |pipe: &mut wire::Pipe, path: &str| -> Value {
        let told = pipe.call("files.read_text_file", &json!({"path": path, "purpose": "see"}).to_string());
        told["result"]["structuredContent"].clone()
    };
    let told = read(&mut pipe, &at("note.txt"));
    assert_eq!(
        (told["status"].as_str(), told["untrusted"].as_bool()),
        (Some("success"), Some(true)),
        "{told}"
    );
    assert!(told["content"].to_string().contains("hello"), "{told}");
    let secret = outside.path().join("secret.txt");
    for path in
        [secret.to_str().unwrap(), &at("link/secret.txt"), "/etc/passwd", &at("../../../../etc/passwd")]
    {
        let told = read(&mut pipe, path);
        assert_eq!(told["reasons"][0]["code"], "path_outside_allowed_roots", "{path}: {told}");
    }

    let arguments = json!({"path": at("new.txt"), "content": "x", "purpose": "keep"});
    let waits = pipe.call("files.write_file", &arguments.to_string())["result"]["structuredContent"].clone();
    assert_eq!(waits["status"], "waiting");
    assert!(!folder.path().join("new.txt").exists());
    let id = waits["call_id"].as_str().unwrap();
    SmallGate::approve(folder.path(), id);
    let mut again = arguments.clone();
    again["approval"] = id.into();
    let told = pipe.call("files.write_file", &again.to_string())["result"]["structuredContent"].clone();
    assert_eq!(told["status"], "success", "{told}");
    assert_eq!(std::fs::read_to_string(folder.path().join("new.txt")).unwrap(), "x");
    let unmapped = pipe.call("files.edit_file", r#"{"path":"x","edits":[],"purpose":"p"}"#);
    assert_eq!(unmapped["result"]["structuredContent"]["reasons"][0]["code"], "unmapped_tool");
}
