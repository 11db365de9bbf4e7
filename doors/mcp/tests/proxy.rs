//! Other servers behind the gate: honest ones work, and none gets further than a person has reviewed.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "tests: what is not as expected fails them"
)]

mod behind;
mod gatekeeper;
mod wire;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gate::{Incoming, Reply, Status};
use gatekeeper::SmallGate;
use mcp_door::{Definition, Fleet, Gatekeeper, ServerEntry, Servers, Withheld, learn};

const MAPPING: &str = "[tools.echo]\ntouches_nothing = true\nplain = ['text']\n[tools.read]\nread = 'path'\n";

fn entry(name: &str, mode: &str, flag: Option<&Path>) -> ServerEntry {
    let mut argv = vec![wire::example("odd_server").to_str().unwrap().to_owned(), mode.to_owned()];
    argv.extend(flag.map(|flag| flag.to_str().unwrap().to_owned()));
    let entry = ServerEntry::command(name, argv).unwrap();
    ServerEntry { call: Duration::from_secs(3), longest: 1 << 20, ..entry }
}

struct Stage {
    folder: tempfile::TempDir,
    fleet: Arc<Fleet>,
    gate: SmallGate,
}

impl Stage {
    fn new(mode: &str) -> Self {
        Self::with(mode, MAPPING)
    }

    fn with(mode: &str, mapping: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("note.txt"), "hello").unwrap();
        let servers = Servers::new(vec![entry("odd", mode, Some(&folder.path().join("begin")))]).unwrap();
        let (mapping, pins) = behind::mapped("odd", mapping);
        let fleet = Arc::new(Fleet::new(&servers, pins, behind::screen(), Arc::new(behind::Plain)).unwrap());
        let gate = behind::gate(folder.path(), "odd", mapping, &fleet);
        Self { folder, fleet, gate }
    }

    fn begin(&self) {
        std::fs::write(self.folder.path().join("begin"), "").unwrap();
    }

    fn call(&self, tool: &str, arguments: &str) -> Reply {
        self.gate.handle(&incoming(tool, arguments), &AtomicBool::new(false)).unwrap()
    }

    fn withheld(&self) -> Vec<(String, &'static str)> {
        self.fleet.tools().1.into_iter().map(|Withheld { name, code, .. }| (name, code)).collect()
    }
}

fn incoming(tool: &str, arguments: &str) -> Incoming {
    Incoming {
        tool: tool.to_owned(),
        purpose: Some("try it".to_owned()),
        arguments: arguments.to_owned(),
        agent: "tester".to_owned(),
        session: "s1".to_owned(),
        ..Incoming::default()
    }
}

fn told(reply: &Reply) -> String {
    let reasons: Vec<String> =
        reply.reasons.iter().map(|reason| format!("{}: {}", reason.code, reason.message)).collect();
    format!("{} {}", reply.status.as_str(), reasons.join("; "))
}

#[test]
fn an_honest_tool_is_offered_and_called_and_what_it_says_is_untrusted() {
    let stage = Stage::new("honest");
    let (offers, withheld) = stage.fleet.tools();
    assert_eq!(offers.iter().map(|offer| offer.name.as_str()).collect::<Vec<_>>(), ["odd.echo", "odd.read"]);
    assert!(withheld.is_empty(), "{withheld:?}");
    let reply = stage.call("odd.echo", r#"{"text":"hi"}"#);
    assert_eq!(reply.status, Status::Success, "{}", told(&reply));
    assert_eq!(reply.content, call::Content::Text(r#"{"text":"hi"}"#.to_owned()));
    assert!(reply.untrusted);
    assert_eq!(reply.labels, ["server:odd"]);
    assert_eq!(stage.call("odd.read", r#"{"path":"note.txt"}"#).status, Status::Success);
    let escape = stage.call("odd.read", r#"{"path":"../../etc/passwd"}"#);
    assert_eq!(
        told(&escape),
        "denied path_outside_allowed_roots: `../../etc/passwd` does not lie below the allowed root"
    );
}

#[test]
fn a_tool_that_nobody_mapped_is_neither_offered_nor_called() {
    let stage = Stage::with("honest", "[tools.read]\nread = 'path'\n");
    assert_eq!(stage.withheld(), [("odd.echo".to_owned(), "unmapped_tool")]);
    let reply = stage.call("odd.echo", "{}");
    assert_eq!(reply.status, Status::Denied);
    assert_eq!(reply.reasons[0].code.as_str(), "unmapped_tool");
    assert!(reply.reasons[0].remedy.as_deref().unwrap().contains("toolgate policy learn"));
}

#[test]
fn a_definition_that_changes_after_it_was_listed_is_not_called() {
    for mode in ["rug", "schema", "meta"] {
        let stage = Stage::new(mode);
        assert!(stage.withheld().is_empty());
        assert_eq!(stage.call("odd.echo", "{}").status, Status::Success, "{mode}");
        stage.begin();
        let reply = stage.call("odd.echo", "{}");
        assert_eq!(
            told(&reply),
            "denied definition_changed: the definition of `odd.echo` is not the one that was reviewed",
            "{mode}"
        );
        assert!(reply.reasons[0].remedy.as_deref().unwrap().contains("definition = \"sha256:"), "{mode}");
        assert_eq!(stage.withheld(), [("odd.echo".to_owned(), "definition_changed")], "{mode}");
        assert_eq!(
            stage.call("odd.read", r#"{"path":"note.txt"}"#).status,
            Status::Success,
            "the others still work"
        );
    }
}

#[test]
fn a_definition_that_changes_between_two_starts_is_not_called() {
    let folder = tempfile::tempdir().unwrap();
    let flag = folder.path().join("begin");
    let servers = Servers::new(vec![entry("odd", "rug", Some(&flag))]).unwrap();
    let kept: Arc<Mutex<Vec<(String, call::Sha256)>>> = Arc::default();
    {
        let keep = Arc::clone(&kept);
        let (_, pins) = behind::mapped("odd", MAPPING);
        let pins =
            pins.remembered_by(move |_, tool, digest| keep.lock().unwrap().push((tool.to_owned(), digest)));
        let fleet = Fleet::new(&servers, pins, behind::screen(), Arc::new(behind::Plain)).unwrap();
        assert_eq!(fleet.tools().0.len(), 2);
    }
    let lines: Vec<String> = kept
        .lock()
        .unwrap()
        .iter()
        .map(|(tool, digest)| {
            let rest =
                if tool == "echo" { "touches_nothing = true\nplain = ['text']" } else { "read = 'path'" };
            format!("[tools.{tool}]\n{rest}\ndefinition = \"sha256:{digest}\"\n")
        })
        .collect();
    assert_eq!(lines.len(), 2);
    for (changed, offers) in [(false, 2), (true, 1)] {
        if changed {
            std::fs::write(&flag, "").unwrap();
        }
        let (_, pins) = behind::mapped("odd", &lines.concat());
        let fleet = Fleet::new(&servers, pins, behind::screen(), Arc::new(behind::Plain)).unwrap();
        assert_eq!(fleet.tools().0.len(), offers);
    }
}

#[test]
fn a_poisoned_definition_is_withheld_wherever_the_poison_is() {
    for mode in ["poison", "poison_enum", "poison_name"] {
        let stage = Stage::new(mode);
        let (offers, withheld) = stage.fleet.tools();
        assert_eq!(
            offers.iter().map(|offer| offer.name.as_str()).collect::<Vec<_>>(),
            ["odd.read"],
            "{mode}"
        );
        assert_eq!(withheld[0].code, "definition_poisoned");
        assert!(!withheld[0].reason.to_lowercase().contains("ignore"), "{}", withheld[0].reason);
        assert_eq!(stage.call("odd.echo", "{}").status, Status::Denied, "{mode}");
    }
}

#[test]
fn a_tool_that_can_be_taken_for_another_is_withheld() {
    let stage = Stage::new("shadow");
    let mut withheld = stage.withheld();
    withheld.sort();
    assert_eq!(
        withheld,
        [
            ("odd.Echo".to_owned(), "name_collision"),
            ("odd.e-cho".to_owned(), "name_collision"),
            ("odd.re\u{430}d".to_owned(), "bad_name"),
        ]
    );
    assert_eq!(stage.call("odd.echo", "{}").status, Status::Success, "the one that was reviewed still works");
    let twice = Stage::new("twice");
    assert_eq!(
        twice.withheld(),
        [("odd.echo".to_owned(), "name_collision"), ("odd.echo".to_owned(), "name_collision")]
    );
    assert_eq!(twice.call("odd.echo", "{}").status, Status::Denied);
}

#[test]
fn one_server_that_hangs_floods_or_dies_does_not_hold_up_another() {
    let folder = tempfile::tempdir().unwrap();
    let modes = ["silent", "flood", "pages", "many", "honest"];
    let entries = modes.iter().map(|mode| entry(mode, mode, None)).collect();
    let mut all = mcp_door::Pins::default();
    for mode in modes {
        all.insert(mode, "echo", None);
        all.insert(mode, "read", None);
    }
    let fleet =
        Fleet::new(&Servers::new(entries).unwrap(), all, behind::screen(), Arc::new(behind::Plain)).unwrap();
    let start = Instant::now();
    let (offers, withheld) = fleet.tools();
    let offered: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
    assert!(offered.contains(&"honest.echo"), "{offered:?}");
    let codes: Vec<(&str, &str)> = withheld.iter().map(|no| (no.name.as_str(), no.code)).collect();
    for server in ["silent", "pages", "many"] {
        assert!(codes.contains(&(server, "server_unavailable")), "{codes:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(12), "{:?}", start.elapsed());
    drop(folder);
}

#[test]
fn a_server_has_so_much_time_and_so_much_to_say() {
    let cases = [
        ("hang", "timeout: the server `odd` did not answer within 3 seconds"),
        ("die", "server_unavailable: the server `odd`: it ended the talk"),
        ("big", "timeout: the server `odd` did not answer within 3 seconds"),
        ("endless", "timeout: the server `odd` did not answer within 3 seconds"),
        ("error", "tool_failed: `odd.echo` failed: no such thing"),
        ("error_poison", "tool_failed: `odd.echo` failed: (withheld: instruction_override)"),
        ("input", "server_asks: the server `odd` asks for more than the call: that is refused"),
    ];
    for (mode, want) in cases {
        let stage = Stage::new(mode);
        let start = Instant::now();
        let reply = stage.call("odd.echo", "{}");
        assert_eq!(told(&reply), format!("error {want}"), "{mode}");
        assert!(start.elapsed() < Duration::from_secs(8), "{mode}: {:?}", start.elapsed());
    }
}

#[test]
fn what_a_tool_says_is_delivered_with_a_label_where_it_gives_orders() {
    let stage = Stage::new("poison_result");
    let reply = stage.call("odd.echo", "{}");
    assert_eq!(reply.status, Status::Success);
    assert_eq!(reply.labels, ["server:odd", "instruction_override"]);
}

#[test]
fn a_server_cannot_ask_the_model_or_the_person() {
    let stage = Stage::new("ask");
    let reply = stage.call("odd.echo", "{}");
    assert_eq!(reply.content, call::Content::Text("refused refused".to_owned()), "{}", told(&reply));
}

#[test]
fn a_call_that_nobody_wants_any_more_stops() {
    let stage = Stage::new("hang");
    let cancelled = Arc::new(AtomicBool::new(false));
    let later = Arc::clone(&cancelled);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        later.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    let reply = stage.gate.handle(&incoming("odd.echo", "{}"), &cancelled).unwrap();
    assert_eq!(told(&reply), "error cancelled: the call was cancelled");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_server_that_died_is_started_again_for_the_next_call() {
    let stage = Stage::new("die");
    assert_eq!(stage.call("odd.echo", "{}").status, Status::Error);
    wire::until(|| stage.fleet.tools().0.len() == 2);
}

#[test]
fn what_a_server_started_ends_with_it() {
    let stage = Stage::new("family");
    let reply = stage.call("odd.echo", "{}");
    let call::Content::Text(number) = reply.content else { unreachable!("{}", reply.summary) };
    let alive = || {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
        stat.contains("(sleep)") && !stat.contains(") Z")
    };
    assert!(alive());
    drop(stage);
    wire::until(|| !alive());
}

#[test]
fn a_program_that_is_not_there_is_told_so() {
    let missing = ServerEntry::command("gone", vec!["/no/such/program".to_owned()]).unwrap();
    let servers = Servers::new(vec![missing]).unwrap();
    let fleet =
        Fleet::new(&servers, mcp_door::Pins::default(), behind::screen(), Arc::new(behind::Plain)).unwrap();
    let (offers, withheld) = fleet.tools();
    assert!(offers.is_empty());
    insta::assert_snapshot!(withheld[0].reason, @"the server `gone` is not available: it could not be started: No such file or directory (os error 2)");
}

#[test]
fn a_server_that_speaks_another_version_than_was_offered_is_not_talked_to() {
    let stage = Stage::new("version");
    let (offers, withheld) = stage.fleet.tools();
    assert!(offers.is_empty());
    insta::assert_snapshot!(withheld[0].reason, @"the server `odd` is not available: it speaks no version of the protocol that the gate knows");
    assert_eq!(stage.call("odd.echo", r#"{"text": "hi"}"#).status, gate::Status::Error);
}

#[test]
fn what_is_learnt_can_be_read_and_refuses_until_it_was_reviewed() {
    let stage = Stage::new("honest");
    let definitions: Vec<Definition> = stage.fleet.definitions();
    let draft = learn("odd", &definitions);
    let (mapping, pins) = behind::mapped("odd", &draft);
    let servers = Servers::new(vec![entry("odd", "honest", None)]).unwrap();
    let fleet = Arc::new(Fleet::new(&servers, pins, behind::screen(), Arc::new(behind::Plain)).unwrap());
    assert_eq!(fleet.tools().0.len(), 2, "{draft}");
    let gate = behind::gate(stage.folder.path(), "odd", mapping, &fleet);
    let call = |tool: &str, arguments: &str| {
        gate.handle(&incoming(tool, arguments), &AtomicBool::new(false)).unwrap()
    };
    assert_eq!(call("odd.read", r#"{"path":"note.txt"}"#).status, Status::Success);
    assert_eq!(call("odd.echo", "{}").status, Status::Denied, "nobody knows what it touches");
}

#[test]
fn a_client_sees_the_tools_of_a_server_through_the_whole_door() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.txt"), "hello").unwrap();
    let mapping: PathBuf = folder.path().join("odd.toml");
    std::fs::write(&mapping, MAPPING).unwrap();
    let mut command = std::process::Command::new(wire::example("small_proxy"));
    command.arg(folder.path()).arg(&mapping).args(["odd"]).arg(wire::example("odd_server")).arg("honest");
    let mut pipe = wire::Pipe::of(command);
    pipe.hello();
    pipe.say(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    let listed = pipe.hear();
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"odd.echo"), "{names:?}");
    let told = pipe.call("odd.echo", r#"{"text":"hi","purpose":"try"}"#);
    assert_eq!(told["result"]["structuredContent"]["untrusted"], true, "{told}");
    assert_eq!(told["result"]["structuredContent"]["content"], r#"{"text":"hi"}"#);
}

#[test]
fn a_server_over_http_stands_behind_the_gate_too() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.txt"), "hello").unwrap();
    let mapping: PathBuf = folder.path().join("far.toml");
    std::fs::write(&mapping, "[tools.read_file]\nread = 'path'\nplain = ['purpose']\n").unwrap();
    let mut command = std::process::Command::new(wire::example("small_http"));
    command.arg(folder.path()).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut far = command.spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(far.stdout.take().unwrap()), &mut line).unwrap();
    let (url, token) = line.trim().split_once(' ').unwrap();
    let [reached, refused] = [token, "tg_wrong"].map(|token| {
        let mut command = std::process::Command::new(wire::example("small_proxy"));
        command.arg(folder.path()).arg(&mapping).args(["far", url]).env("SMALL_TOKEN", token);
        let mut pipe = wire::Pipe::of(command);
        pipe.hello();
        pipe.call("far.read_file", r#"{"path":"note.txt","purpose":"see"}"#)["result"]["structuredContent"]
            .clone()
    });
    far.kill().unwrap();
    far.wait().unwrap();
    // The far gate wants a purpose of its own, and says so: it was reached.
    assert!(reached["summary"].as_str().unwrap().contains("the call has no purpose"), "{reached}");
    assert_eq!(refused["reasons"][0]["code"], "server_unavailable", "{refused}");
}
