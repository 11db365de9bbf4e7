//! The record as people and programs see it.

use std::io::{BufRead as _, BufReader};

use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::door::{Door, Ran};

fn made() -> Door {
    let door = Door::new();
    door.run(&["init"]);
    door
}

fn call(door: &Door, tool: &str, arguments: &str) -> Ran {
    door.run(&["call", tool, "--purpose", "look", "--args", arguments, "--format", "json"])
}

fn read(door: &Door, path: &str) -> Ran {
    call(door, "read_file", &serde_json::json!({ "path": path }).to_string())
}

fn lines(ran: &Ran) -> Vec<Value> {
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Changes what is kept behind the gate's back.
fn tamper(door: &Door, sql: &str) {
    Connection::open(door.path(".toolgate/ledger/ledger.db")).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn a_call_is_on_record_from_its_beginning_to_its_end() {
    let door = made();
    let denied = read(&door, ".env").json();
    let events =
        lines(&door.run(&["ledger", "show", denied["call_id"].as_str().unwrap(), "--format", "json"]));
    let names: Vec<&str> = events.iter().map(|entry| entry["event"]["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["asked", "ruled", "refused"]);
    let end = &events[2]["event"];
    assert_eq!(end["args_hash"], "sha256:0382c6dc78d0736ca1f6717d4a825c7943534570f64e26f5c911b2cd63fa0708");
    assert_eq!((&end["result_status"], &end["error_class"]), (&"denied".into(), &"path_denied".into()));
    assert_eq!((&end["agent"], &end["tool"]), (&"cli".into(), &"read_file".into()));
    assert_eq!(events[2]["entry"], denied["ledger_entry"]);
    // A dry run leaves nothing.
    let before = door.run(&["ledger", "verify"]).stdout;
    door.run(&["call", "read_file", "--purpose", "look", "--args", "{\"path\": \"a\"}", "--dry-run"]);
    assert_eq!(door.run(&["ledger", "verify"]).stdout, before);
}

#[test]
fn a_call_that_waits_has_no_end_and_a_secret_no_plain_hash() {
    let door = made();
    door.write(
        ".toolgate/policy.toml",
        "read_only = false\nallowed_roots = [\".\"]\nwrite_paths = [\".\"]\n",
    );
    let said = ["--reason", "r", "--abuse-case", "a", "--tests", "t", "--rollback", "b"];
    let applied = door.run(&[&["policy", "apply"][..], &said].concat());
    assert_eq!(applied.code, Some(0), "{applied:?}");
    let waits = call(&door, "write_file", r#"{"path": "a", "content": "x"}"#);
    assert_eq!((waits.code, &waits.json()["status"]), (Some(4), &"waiting".into()), "{waits:?}");
    let id = waits.json()["call_id"].as_str().unwrap().to_owned();
    let names = |id: &str| -> Vec<String> {
        let entries = lines(&door.run(&["ledger", "show", id, "--format", "json"]));
        entries.iter().map(|entry| entry["event"]["event"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&id), ["asked", "ruled"]);
    // The next gate does not take it for one that was left by a dead one.
    read(&door, "a");
    assert_eq!(names(&id), ["asked", "ruled"]);
    let secret = call(&door, "secrets_get", r#"{"scope": "s", "name": "PIN", "use": "env"}"#);
    let last = lines(&door.run(&["ledger", "tail", "-n", "1", "--format", "json"]));
    let hash = last[0]["event"]["args_hash"].as_str().unwrap();
    assert!(hash.starts_with("hmac-sha256:"), "{hash} {secret:?}");
    assert_eq!(door.run(&["ledger", "verify"]).code, Some(0));
}

#[test]
fn entries_are_found_by_what_they_say() {
    let door = made();
    for path in [".env", "a.txt", "b.txt"] {
        read(&door, path);
    }
    door.run(&[
        "call",
        "read_file",
        "--purpose",
        "say \"hi\"",
        "--agent",
        "other",
        "--args",
        "{\"path\": \".env\"}",
    ]);
    let cases: [(&[&str], usize); 9] = [
        (&["--status", "denied"], 2),
        (&["--status", "denied", "--agent", "other"], 1),
        (&["--tool", "read_file", "--event", "asked"], 4),
        (&["--flag", "path_denied", "--event", "ruled"], 2),
        (&["--text", "say \"hi\"", "--event", "asked"], 1),
        (&["--text", "b.txt", "--event", "ruled"], 1),
        (&["--since", "2999-01-01T00:00:00Z"], 0),
        (&["--until", "2999-01-01T00:00:00Z", "--event", "policy_applied"], 1),
        (&["--agent", "nobody"], 0),
    ];
    for (words, want) in cases {
        let ran = door.run(&[&["ledger", "query"], words].concat());
        assert_eq!((ran.code, ran.stdout.lines().count()), (Some(0), want), "{words:?} {ran:?}");
    }
    let few = door.run(&["ledger", "query", "--limit", "2"]);
    assert!(few.stdout.lines().count() == 2 && few.stderr.contains("there are more"), "{few:?}");
    assert_eq!(door.run(&["ledger", "query", "--since", "yesterday"]).code, Some(3));
}

#[test]
fn whoever_follows_sees_what_is_written() {
    let door = made();
    let mut child = door.command(&["ledger", "tail", "-n", "1", "--follow"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().contains("policy_applied"));
    read(&door, ".env");
    assert!(lines.next().unwrap().unwrap().contains("asked"));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_does_not_hold_is_named_and_ends_with_2() {
    let door = made();
    (0..3).for_each(|_| drop(read(&door, ".env")));
    door.write("kept", door.run(&["ledger", "checkpoint"]).stdout);
    let sound = door.run(&["ledger", "verify", "--against", "kept"]);
    assert_eq!(sound.code, Some(0), "{sound:?}");
    assert_eq!(door.run(&["ledger", "verify", "--since", "kept"]).code, Some(0));
    let json = door.run(&["ledger", "verify", "--format", "json"]).json();
    assert_eq!((&json["ok"], &json["entries"]), (&true.into(), &10.into()));
    // Signed by another key.
    let other = made();
    door.write("other", other.run(&["ledger", "checkpoint"]).stdout);
    assert_eq!(door.run(&["ledger", "verify", "--against", "other"]).code, Some(2));
    let key = other.run(&["ledger", "key"]).stdout;
    assert_eq!(door.run(&["ledger", "verify", "--key", key.trim()]).code, Some(2));
    assert_eq!(door.run(&["ledger", "verify", "--against", "missing"]).code, Some(3));
    assert_eq!(door.run(&["ledger", "verify", "--key", "x"]).code, Some(3));
    tamper(&door, "UPDATE entries SET leaf = (SELECT leaf FROM entries WHERE place = 3) WHERE place = 6");
    let edited = door.run(&["ledger", "verify"]);
    assert_eq!(edited.code, Some(2), "{edited:?}");
    assert!(edited.stderr.contains("entry 6: `refused` of the call"), "{edited:?}");
    tamper(&door, "DELETE FROM entries WHERE place > 4; DELETE FROM open_calls; DELETE FROM checkpoints");
    let cut = door.run(&["ledger", "verify", "--against", "kept"]);
    assert!(cut.code == Some(2) && cut.stderr.contains("truncated or rolled back"), "{cut:?}");
    let json = door.run(&["ledger", "verify", "--against", "kept", "--format", "json"]).json();
    assert_eq!(json["ok"], false);
}

#[test]
fn a_proof_convinces_whoever_only_has_the_key() {
    let door = made();
    read(&door, ".env");
    assert_eq!(door.run(&["ledger", "prove", "2", "--out", "proof"]).code, Some(0));
    let key = door.run(&["ledger", "key"]).stdout;
    let check = |entry: &str| {
        door.run(&[
            "ledger",
            "verify",
            "--proof",
            "proof/2.tlog-proof",
            "--entry",
            entry,
            "--key",
            key.trim(),
        ])
    };
    assert_eq!(check("proof/2.json").code, Some(0));
    door.write("changed.json", door.read("proof/2.json").replace("deny", "allow"));
    assert_eq!(check("changed.json").code, Some(2));
    let beyond = door.run(&["ledger", "prove", "99"]);
    assert!(beyond.code == Some(3) && beyond.stderr.contains("there is no entry 99"), "{beyond:?}");
    door.write("proof/2.tlog-proof", "hello\n");
    assert_eq!(check("proof/2.json").code, Some(2));
}

#[test]
fn without_a_ledger_nothing_is_decided() {
    let door = made();
    std::fs::remove_file(door.path(".toolgate/ledger/ledger.db")).unwrap();
    let refused = read(&door, "a");
    assert_eq!(refused.code, Some(3), "{refused:?}");
    assert!(refused.stderr.contains("is not a ledger of the gate: there is no such file"), "{refused:?}");
    let created = door.run(&["ledger", "create"]);
    assert_eq!(created.code, Some(0), "{created:?}");
    assert_eq!(door.run(&["ledger", "create"]).code, Some(3), "there is one now");
    // A new ledger knows of no policy.
    assert_eq!(read(&door, "a").json()["reasons"][0]["code"], "policy_not_applied");
    let said = ["--reason", "r", "--abuse-case", "a", "--tests", "t", "--rollback", "b"];
    assert_eq!(door.run(&[&["policy", "apply"][..], &said].concat()).code, Some(0));
    assert_eq!(read(&door, "a").json()["verdict"], "allow");
}

#[test]
fn an_older_policy_is_not_put_back_in_force_behind_the_ledger() {
    let door = made();
    let (old_policy, old_state) =
        (door.read(".toolgate/policy.toml"), door.read(".toolgate/state/applied.json"));
    door.write(".toolgate/policy.toml", "allowed_roots = []\n");
    assert_eq!(door.run(&["policy", "apply"]).code, Some(0));
    door.write(".toolgate/policy.toml", old_policy);
    door.write(".toolgate/state/applied.json", old_state);
    assert_eq!(read(&door, "a").json()["reasons"][0]["code"], "policy_not_applied");
}

#[test]
fn a_ledger_that_is_none_of_ours_is_refused() {
    let cases: [(&str, &[u8], &str); 3] = [
        ("ledger.db", b"hello", "database"),
        ("key", b"hello", "the key of the ledger is not of the form"),
        ("ledger.toml", b"uri = \"x\"", "there is no key `uri`"),
    ];
    for (file, content, want) in cases {
        let door = made();
        door.write(&format!(".toolgate/ledger/{file}"), content);
        for words in [&["ledger", "checkpoint"][..], &["ledger", "verify"]] {
            let ran = door.run(words);
            assert!(ran.code == Some(3) && ran.stderr.contains(want), "{file} {ran:?}");
        }
        assert_eq!(std::fs::read(door.path(&format!(".toolgate/ledger/{file}"))).unwrap(), content);
    }
}

#[test]
fn calls_on_record_are_decided_again_by_another_policy() {
    let door = made();
    door.write("b/data.txt", "x");
    read(&door, "a.txt");
    read(&door, "b/data.txt");
    read(&door, ".env");
    read(&door, "/etc/hosts");
    call(&door, "read_file", "{}");
    let counts = |policy: &str| {
        door.write("other.toml", policy);
        let ran = door.run(&["policy", "backtest", "other.toml", "--format", "json"]);
        let json = ran.json();
        let number = |name: &str| json[name].as_u64().unwrap();
        let numbers = ["calls", "unchanged", "loosened", "tightened", "not_calls"].map(number);
        (ran.code, numbers)
    };
    let same = door.read(".toolgate/policy.toml");
    assert_eq!(counts(&same), (Some(0), [4, 4, 0, 0, 1]));
    assert_eq!(counts("allowed_roots = [\"b\"]\n"), (Some(0), [4, 3, 0, 1, 1]));
    assert_eq!(counts("allowed_roots = [\".\", \"/etc\"]\n"), (Some(2), [4, 3, 1, 0, 1]));
    let text = door.run(&["policy", "backtest", "other.toml"]).stdout;
    assert!(text.contains("deny -> allow  cli read_file") && text.contains("1 loosened"), "{text}");
    assert_eq!(door.run(&["policy", "backtest", "missing.toml"]).code, Some(3));
}

#[test]
fn a_pipe_in_the_place_of_a_file_of_the_ledger_is_refused_and_not_waited_for() {
    for (name, words) in [
        ("key", &["ledger", "verify"][..]),
        ("ledger.toml", &["ledger", "tail"]),
        ("witnesses.toml", &["ledger", "witness", "list"]),
    ] {
        let door = made();
        let place = door.path(&format!(".toolgate/ledger/{name}"));
        let _ = std::fs::remove_file(&place);
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &place, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        let ran = door.run(words);
        assert_eq!(ran.code, Some(3), "{name} {ran:?}");
        assert!(ran.stderr.contains("not an ordinary file"), "{name} {ran:?}");
    }
}

#[test]
fn a_password_in_the_settings_is_never_repeated() {
    let door = made();
    for text in ["url = \"postgres://gate:hunter2@db/x\" x", "url = \"postgres://gate:hunter2@:::/x\""] {
        door.write(".toolgate/ledger/ledger.toml", text);
        let ran = door.run(&["ledger", "verify"]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(!format!("{ran:?}").contains("hunter2"), "{ran:?}");
    }
}

#[test]
fn a_ledger_without_its_key_gets_no_other_one() {
    let door = made();
    let key = door.path(".toolgate/ledger/key");
    std::fs::remove_file(&key).unwrap();
    for words in [&["ledger", "verify"][..], &["ledger", "create"], &["ledger", "key"]] {
        let ran = door.run(words);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains("hint: "), "{ran:?}");
    }
    assert!(!key.exists());
    let unreachable = ["ledger", "create", "--url", "host=/nowhere user=gate dbname=x"];
    assert_eq!(door.run(&unreachable).code, Some(3));
    assert!(!key.exists(), "a key without a ledger would be taken for that of another one");
}

#[test]
fn a_home_without_a_ledger_says_so_whatever_is_asked() {
    let door = made();
    std::fs::remove_dir_all(door.path(".toolgate/ledger")).unwrap();
    for words in [
        &["ledger", "verify"][..],
        &["ledger", "key"],
        &["ledger", "witness", "push"],
        &["ledger", "witness", "list"],
        &["ledger", "witness", "add", "friend", "file:kept"],
    ] {
        let ran = door.run(words);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.stderr.contains("is not a ledger of the gate: there is no such folder"), "{ran:?}");
        assert!(ran.stderr.contains("`toolgate ledger create` makes one"), "{ran:?}");
    }
}

#[test]
fn what_no_checkpoint_covers_is_not_passed_off_as_signed() {
    let door = made();
    read(&door, "a");
    let said = door.run(&["ledger", "verify"]);
    assert_eq!(said.code, Some(0));
    assert!(said.stderr.contains("no checkpoint covers the last 3 entries yet"), "{said:?}");
    door.run(&["ledger", "checkpoint"]);
    assert_eq!(door.run(&["ledger", "verify"]).stderr, "");
    read(&door, "a");
    let answer = door.run(&["ledger", "verify", "--format", "json"]).json();
    assert_eq!((&answer["entries"], &answer["signed"]), (&7.into(), &4.into()));
}

#[test]
fn what_is_no_event_is_shown_as_it_is_and_draws_nothing() {
    let door = made();
    tamper(&door, "UPDATE entries SET leaf = CAST('hello' || char(27, 10) || '[31m' AS BLOB)");
    let shown = door.run(&["ledger", "show", "0"]);
    assert_eq!(shown.stdout, "entry 0\nis not an event: hello\\u{1b}\\u{a}[31m\n", "{shown:?}");
}
