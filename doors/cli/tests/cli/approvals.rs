//! Calls that wait for a person: asked, signed, run once.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::door::{Door, finish};

/// A home in which writes need a person, and one who may agree. Keys lie outside the workspace.
pub(crate) struct Desk {
    pub(crate) door: Door,
    keys: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::with(&[("ada@example.org", "ada")], "")
    }

    /// A home with these approvers and these lines more in its policy.
    pub(crate) fn with(people: &[(&str, &str)], more: &str) -> Self {
        let (door, keys) = (Door::new(), tempfile::TempDir::new().unwrap());
        let desk = Self { door, keys };
        assert_eq!(desk.door.run(&["init"]).code, Some(0));
        let policy = desk.door.read(".toolgate/policy.toml").replace("read_only = true", "read_only = false");
        assert!(policy.contains("read_only = false"));
        let policy = if more.is_empty() {
            policy
        } else {
            policy.replace("[approvals]", &format!("[approvals]\n{more}"))
        };
        desk.door.write(".toolgate/policy.toml", policy);
        let mut lines = String::new();
        for (name, key) in people {
            desk.key(key);
            let public = fs::read_to_string(desk.keys.path().join(format!("{key}.pub"))).unwrap();
            lines.push_str(&format!("{name} {public}"));
        }
        desk.door.write(".toolgate/approvers", lines);
        desk.apply();
        desk.door.write("notes.txt", "one\n");
        desk
    }

    /// Makes a key.
    pub(crate) fn key(&self, name: &str) -> String {
        let path = self.keys.path().join(name);
        if !path.exists() {
            let made = Command::new("ssh-keygen")
                .args(["-q", "-t", "ed25519", "-N", "", "-C", name, "-f"])
                .arg(&path)
                .stdin(Stdio::null())
                .status()
                .expect("ssh-keygen is needed: install openssh-client");
            assert!(made.success());
        }
        path.to_string_lossy().into_owned()
    }

    pub(crate) fn apply(&self) {
        let words =
            ["policy", "apply", "--reason", "r", "--abuse-case", "a", "--tests", "t", "--rollback", "b"];
        let ran = self.door.run(&words);
        assert_eq!(ran.code, Some(0), "{}", ran.all());
    }

    /// A skill that may write so many files, and read some of them.
    fn writer(&self, files: u32) {
        let manifest = json!({
            "name": "writer", "version": "1.0.0", "risk_tier": "low",
            "tools": { "allow": ["edit_file", "write_file", "read_file"], "deny": [] },
            "filesystem": {
                "read_paths": ["docs"], "write_paths": ["docs", "drop"],
                "deny_paths": ["~/.ssh", "~/.aws", "~/.config", "/etc", "/var", "/proc"],
            },
            "network": { "enabled": false, "allowlist": [], "denylist": [] },
            "secrets": { "allowed_scopes": [] },
            "limits": {
                "max_runtime_seconds": 10, "max_files_written": files, "max_bytes_written": 1000,
                "sandbox_required": false,
            },
        });
        self.door.write(".toolgate/skills/writer/PERMISSIONS.json", manifest.to_string());
        self.apply();
    }

    /// A call, and its answer.
    #[track_caller]
    pub(crate) fn call(&self, tool: &str, arguments: &Value, more: &[&str]) -> (i32, Value) {
        let arguments = arguments.to_string();
        let words =
            [&["call", tool, "--purpose", "test", "--args", &arguments, "--format", "json"], more].concat();
        let ran = self.door.run(&words);
        (ran.code.unwrap(), ran.json())
    }

    /// A write that waits, and its name.
    #[track_caller]
    pub(crate) fn waiting(&self, content: &str) -> String {
        let (code, answer) = self.call("write_file", &write(content), &[]);
        assert_eq!((code, &answer["status"]), (4, &json!("waiting")), "{answer}");
        answer["call_id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn approve(&self, id: &str, key: &str, more: &[&str]) -> (Option<i32>, String) {
        let key = self.key(key);
        let ran = self.door.run(&[&["approve", id, "--key", &key, "--yes"], more].concat());
        (ran.code, ran.all())
    }

    #[track_caller]
    pub(crate) fn approved(&self, id: &str) {
        let (code, all) = self.approve(id, "ada", &[]);
        assert_eq!(code, Some(0), "{all}");
    }

    #[track_caller]
    pub(crate) fn is_verified(&self) {
        let ran = self.door.run(&["ledger", "verify"]);
        assert_eq!(ran.code, Some(0), "{}", ran.all());
    }
}

pub(crate) fn write(content: &str) -> Value {
    json!({ "path": "notes.txt", "content": content })
}

fn codes(answer: &Value) -> Vec<&str> {
    answer["reasons"].as_array().unwrap().iter().map(|reason| reason["code"].as_str().unwrap()).collect()
}

#[test]
fn what_was_approved_runs_once_when_it_is_asked_for_again() {
    let desk = Desk::new();
    let id = desk.waiting("two\n");
    assert_eq!(desk.door.read("notes.txt"), "one\n");
    let (code, early) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!((code, &early["status"]), (4, &json!("waiting")));
    desk.approved(&id);
    assert_eq!(desk.door.read("notes.txt"), "one\n", "a yes does nothing by itself");
    let (code, answer) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!(
        (code, &answer["status"], &answer["verdict"]),
        (0, &json!("success"), &json!("allow")),
        "{answer}"
    );
    assert_eq!(answer["call_id"], json!(id));
    assert_eq!(desk.door.read("notes.txt"), "two\n");
    desk.door.write("notes.txt", "one\n");
    let (code, again) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!((code, codes(&again)), (2, vec!["approval_used"]), "an approval is good once");
    assert_eq!(desk.door.read("notes.txt"), "one\n");
    desk.is_verified();
}

#[test]
fn a_reworded_purpose_and_another_order_of_keys_need_no_new_approval() {
    let desk = Desk::new();
    let id = desk.waiting("two\n");
    desk.approved(&id);
    let words = [
        "call",
        "write_file",
        "--purpose",
        "in quite other words",
        "--args",
        r#"{"content": "two\n", "path": "./notes.txt"}"#,
        "--approval",
        &id,
    ];
    let ran = desk.door.run(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert_eq!(desk.door.read("notes.txt"), "two\n");
}

#[test]
fn an_approval_does_not_cover_a_call_with_another_byte() {
    let desk = Desk::new();
    let id = desk.waiting("two\n");
    desk.approved(&id);
    let others = [
        ("write_file", json!({ "path": "notes.txt", "content": "two!\n" })),
        ("write_file", json!({ "path": "other.txt", "content": "two\n" })),
        ("write_file", json!({ "path": "notes.txt", "content": "two\n", "create_dirs": true })),
        ("delete_file", json!({ "path": "notes.txt" })),
    ];
    for (tool, arguments) in others {
        let (code, answer) = desk.call(tool, &arguments, &["--approval", &id]);
        assert_eq!((code, codes(&answer)), (2, vec!["approval_mismatch"]), "{arguments}");
    }
    let (code, _) = desk.call("write_file", &write("two\n"), &["--approval", &id, "--agent", "another"]);
    assert_eq!(code, 2, "another agent's approval is not one's own");
    assert_eq!(desk.door.read("notes.txt"), "one\n");
    let (code, _) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!(code, 0, "none of that used it up");
}

#[test]
fn a_target_that_was_changed_after_the_yes_is_left_alone() {
    type Change = fn(&Desk);
    let changes: [(&str, Change); 4] = [
        ("edited", |desk| drop(desk.door.write("notes.txt", "ONE\n"))),
        ("removed", |desk| fs::remove_file(desk.door.path("notes.txt")).unwrap()),
        ("replaced by another name", |desk| {
            desk.door.write("other.txt", "other\n");
            fs::rename(desk.door.path("other.txt"), desk.door.path("notes.txt")).unwrap();
        }),
        ("made a link", |desk| {
            desk.door.write("other.txt", "other\n");
            fs::remove_file(desk.door.path("notes.txt")).unwrap();
            std::os::unix::fs::symlink("other.txt", desk.door.path("notes.txt")).unwrap();
        }),
    ];
    for (what, change) in changes {
        let desk = Desk::new();
        let id = desk.waiting("two\n");
        desk.approved(&id);
        change(&desk);
        let before = fs::read(desk.door.path("notes.txt")).ok();
        let (code, answer) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
        assert_eq!(code, 2, "{what}: {answer}");
        assert_eq!(fs::read(desk.door.path("notes.txt")).ok(), before, "{what}");
        desk.is_verified();
    }
}

#[test]
fn a_yes_under_another_policy_does_not_count() {
    let desk = Desk::new();
    let id = desk.waiting("two\n");
    desk.approved(&id);
    let policy =
        desk.door.read(".toolgate/policy.toml").replace("max_file_chars = 8000", "max_file_chars = 7000");
    desk.door.write(".toolgate/policy.toml", policy);
    let (code, answer) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!((code, codes(&answer)), (2, vec!["policy_not_applied"]), "{answer}");
    desk.apply();
    let (code, answer) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!(code, 2, "{answer}");
    assert_eq!(desk.door.read("notes.txt"), "one\n");
}

#[test]
fn nobody_but_a_listed_person_agrees() {
    let desk = Desk::new();
    let id = desk.waiting("two\n");
    let (code, all) = desk.approve(&id, "mallory", &[]);
    assert_eq!(code, Some(2), "{all}");
    let (code, all) = desk.approve(&id, "mallory", &["--as", "ada@example.org"]);
    assert_eq!(code, Some(2), "{all}");
    // The same letters to the eye.
    let (code, all) = desk.approve(&id, "ada", &["--as", "\u{430}da@example.org"]);
    assert_ne!(code, Some(0), "{all}");
    let (code, answer) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!((code, &answer["status"]), (4, &json!("waiting")));
    assert_eq!(desk.door.read("notes.txt"), "one\n");
}

#[test]
fn a_key_that_was_revoked_does_not_agree_any_more() {
    let desk = Desk::new();
    let id = desk.waiting("two\n");
    desk.approved(&id);
    let public = fs::read_to_string(format!("{}.pub", desk.key("ada"))).unwrap();
    desk.door.write(".toolgate/revoked", public);
    let (code, answer) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_ne!(code, 0, "{answer}");
    assert_eq!(desk.door.read("notes.txt"), "one\n");
}

#[test]
fn whoever_asked_does_not_agree_to_their_own_question() {
    let desk = Desk::new();
    let arguments = write("two\n");
    let (code, answer) = desk.call("write_file", &arguments, &["--agent", "ada@example.org"]);
    if code != 4 {
        // An agent cannot even have such a name.
        assert_eq!(code, 2, "{answer}");
        return;
    }
    let id = answer["call_id"].as_str().unwrap().to_owned();
    let (code, all) = desk.approve(&id, "ada", &[]);
    assert_eq!(code, Some(2), "{all}");
}

#[test]
fn as_many_people_must_agree_as_policy_says() {
    let desk = Desk::with(&[("ada@example.org", "ada"), ("ben@example.org", "ben")], "");
    let policy = desk.door.read(".toolgate/policy.toml").replace("quorum = 1", "quorum = 2");
    desk.door.write(".toolgate/policy.toml", policy);
    desk.apply();
    let id = desk.waiting("two\n");
    let (code, all) = desk.approve(&id, "ada", &[]);
    assert_eq!(code, Some(4), "{all}");
    let (code, all) = desk.approve(&id, "ada", &[]);
    assert_eq!(code, Some(2), "the same person twice is one person: {all}");
    let (code, _) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!(code, 4);
    let (code, all) = desk.approve(&id, "ben", &[]);
    assert_eq!(code, Some(0), "{all}");
    let (code, answer) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!(code, 0, "{answer}");
}

#[test]
fn policy_says_who_may_agree_to_what_and_up_to_which_risk() {
    let desk = Desk::with(&[("ada@example.org", "ada"), ("ben@example.org", "ben")], "");
    let policy = desk.door.read(".toolgate/policy.toml");
    let may = "[[approvals.may]]\napprover = \"ada@example.org\"\nup_to = \"low\"\n\
               [[approvals.may]]\napprover = \"ben@example.org\"\ntools = [\"write_file\"]\nup_to = \"medium\"\n";
    desk.door.write(".toolgate/policy.toml", policy.clone() + may);
    let narrower = desk.door.run(&["policy", "apply"]);
    assert_eq!(narrower.code, Some(0), "fewer may agree, which needs no review: {}", narrower.all());
    let id = desk.waiting("two\n");
    let (code, all) = desk.approve(&id, "ada", &[]);
    assert_eq!(code, Some(2), "{all}");
    assert!(all.contains("ada@example.org may not answer for this tool at medium risk"), "{all}");
    let (code, all) = desk.approve(&id, "ben", &[]);
    assert_eq!(code, Some(0), "{all}");
    let (code, answer) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!(code, 0, "{answer}");
    let (code, answer) = desk.call("delete_file", &json!({ "path": "notes.txt" }), &[]);
    assert_eq!(code, 4, "{answer}");
    let (code, all) = desk.approve(answer["call_id"].as_str().unwrap(), "ben", &[]);
    assert_eq!(code, Some(2), "{all}");
    desk.door.write(".toolgate/policy.toml", policy);
    let wider = desk.door.run(&["policy", "apply"]);
    assert_eq!(wider.code, Some(2), "everybody may agree again, which is more: {}", wider.all());
}

#[test]
fn a_refused_call_has_ended_and_a_remembered_no_is_not_asked_again() {
    let desk = Desk::new();
    let id = desk.waiting("two\n");
    let ran = desk.door.run(&["deny", &id, "--reason", "not today", "--as", "ada", "--remember", "1h"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let (code, answer) = desk.call("write_file", &write("two\n"), &["--approval", &id]);
    assert_eq!((code, codes(&answer)), (2, vec!["approval_refused"]), "{answer}");
    assert!(answer["reasons"][0]["message"].as_str().unwrap().contains("not today"), "{answer}");
    let (code, answer) = desk.call("write_file", &write("two\n"), &[]);
    assert_eq!((code, codes(&answer)), (2, vec!["approval_refused"]), "{answer}");
    let (code, _) = desk.call("write_file", &write("three\n"), &[]);
    assert_eq!(code, 4, "something else is another question");
    desk.is_verified();
}

#[test]
fn the_same_question_twice_is_one_question_and_a_flood_is_refused() {
    let desk = Desk::new();
    let first = desk.waiting("two\n");
    assert_eq!(desk.waiting("two\n"), first);
    let mut refused = 0;
    for number in 0..25 {
        let (code, answer) = desk.call("write_file", &write(&format!("{number}\n")), &[]);
        if code == 2 {
            assert_eq!(codes(&answer), ["too_many_waiting"]);
            refused += 1;
        }
    }
    assert_eq!(refused, 6, "20 questions are open at most");
    let pending = desk.door.run(&["pending", "--format", "json"]).json();
    assert_eq!(pending["pending"].as_array().unwrap().len(), 20);
}

#[test]
fn a_grant_covers_what_it_says_and_no_more_and_can_be_taken_back() {
    let desk = Desk::new();
    fs::create_dir(desk.door.path("drafts")).unwrap();
    let at = |path: &str| json!({ "path": path, "content": "x\n" });
    let (_, answer) = desk.call("write_file", &at("drafts/a"), &[]);
    let id = answer["call_id"].as_str().unwrap().to_owned();
    let below = desk.door.path("drafts").to_string_lossy().into_owned();
    let (code, all) = desk.approve(&id, "ada", &["--grant", "10m", "--below", &below]);
    assert_eq!(code, Some(0), "{all}");
    assert_eq!(desk.call("write_file", &at("drafts/b"), &[]).0, 4, "a grant holds once its own call has run");
    assert_eq!(desk.call("write_file", &at("drafts/a"), &["--approval", &id]).0, 0);
    assert_eq!(desk.call("write_file", &at("drafts/c"), &[]).0, 0);
    assert_eq!(desk.call("write_file", &at("notes.txt"), &[]).0, 4, "outside the folder");
    assert_eq!(desk.call("write_file", &at("drafts/d"), &["--session", "other"]).0, 4, "another session");
    assert_eq!(desk.call("delete_file", &json!({ "path": "drafts/a" }), &[]).0, 4, "another tool");
    let grants = desk.door.run(&["grant", "list", "--format", "json"]).json();
    let name = grants["grants"][0]["grant"].as_str().unwrap().to_owned();
    assert_eq!(desk.door.run(&["grant", "revoke", &name]).code, Some(0));
    assert_eq!(desk.call("write_file", &at("drafts/e"), &[]).0, 4, "it was taken back");
    desk.is_verified();
}

#[test]
fn a_grant_does_not_hold_when_its_own_call_was_refused() {
    let desk = Desk::new();
    desk.writer(1);
    fs::create_dir(desk.door.path("drop")).unwrap();
    let at = |path: &str| json!({ "path": path, "content": "x\n" });
    let skill = ["--skill", "writer"];
    let asked = |path: &str| {
        let (code, answer) = desk.call("write_file", &at(path), &skill);
        assert_eq!(code, 4, "{answer}");
        answer["call_id"].as_str().unwrap().to_owned()
    };
    let (first, second) = (asked("drop/a"), asked("drop/b"));
    assert_eq!(desk.approve(&first, "ada", &[]).0, Some(0));
    let below = desk.door.path("drop").to_string_lossy().into_owned();
    let (code, all) = desk.approve(&second, "ada", &["--grant", "10m", "--below", &below]);
    assert_eq!(code, Some(0), "{all}");
    let run = |path: &str, id: &str| {
        desk.call("write_file", &at(path), &[&skill[..], &["--approval", id]].concat())
    };
    assert_eq!(run("drop/a", &first).0, 0);
    let (code, answer) = run("drop/b", &second);
    assert_eq!(code, 2, "the skill may write one file: {answer}");
    let grants = desk.door.run(&["grant", "list", "--format", "json"]).json();
    assert_eq!(grants["grants"], json!([]), "{grants}");
    desk.is_verified();
}

#[test]
fn of_many_who_ask_at_once_for_an_approved_call_one_runs_it() {
    let desk = Desk::new();
    let id = desk.waiting("two\n");
    desk.approved(&id);
    let arguments = write("two\n").to_string();
    let words =
        ["call", "write_file", "--purpose", "t", "--args", &arguments, "--approval", &id, "--format", "json"];
    let children: Vec<_> = (0..6).map(|_| desk.door.command(&words).spawn().unwrap()).collect();
    let ran: Vec<_> = children.into_iter().map(finish).collect();
    let done = ran.iter().filter(|ran| ran.code == Some(0)).count();
    assert_eq!(done, 1, "{ran:?}");
    assert!(ran.iter().all(|ran| matches!(ran.code, Some(0 | 2))), "{ran:?}");
    desk.is_verified();
}

#[test]
fn the_person_is_shown_the_difference_and_nothing_that_draws() {
    let desk = Desk::new();
    let id = desk.waiting("one\n\u{202e}two \u{1b}[31mred\n");
    let key = desk.key("ada");
    let ran = desk.door.run(&["approve", &id, "--key", &key]);
    assert_eq!(ran.code, Some(3), "nobody is at the terminal: {}", ran.all());
    assert!(ran.stderr.contains("+<U+202E>two <U+001B>[31mred"), "{}", ran.stderr);
    assert!(!ran.all().contains(['\u{202e}', '\u{1b}']));
}

#[test]
fn nobody_is_asked_about_code_whose_lane_or_runtime_is_not_there() {
    let desk = Desk::new();
    let made = |tool: &str, arguments: &Value, path: &str, more: &[&str]| {
        let arguments = arguments.to_string();
        let words = ["call", tool, "--purpose", "p", "--args", &arguments, "--format", "json"];
        let mut command = desk.door.command(&[&words, more].concat());
        // No image of a machine was ever built there.
        command.env("XDG_CACHE_HOME", desk.door.path("caches")).env("PATH", path);
        let ran = finish(command.spawn().unwrap());
        (ran.code, ran.json())
    };
    let call = |tool: &str, arguments: &Value, path: &str| made(tool, arguments, path, &[]);
    let forecast = |tool: &str, arguments: &Value, path: &str| made(tool, arguments, path, &["--dry-run"]);
    let node = json!({ "language": "node", "code": "1" });
    let (code, answer) = call("exec_sandbox", &node, "/nonexistent");
    assert_eq!((code, codes(&answer)), (Some(3), vec!["runtime_missing"]), "{answer}");
    assert_eq!((&answer["status"], &answer["verdict"]), (&json!("denied"), &json!("deny")), "{answer}");
    assert_eq!(answer["risk_flags"], json!(["denial:runtime_missing"]), "{answer}");
    // What policy says is the same on every machine; what this one lacks stands beside it.
    let (code, dry) = forecast("exec_sandbox", &node, "/nonexistent");
    assert_eq!((code, codes(&dry)), (Some(4), vec!["approval_required"]), "{dry}");
    assert_eq!(dry["missing"]["code"], "runtime_missing", "{dry}");
    let here = std::env::var("PATH").unwrap();
    assert_eq!(call("exec_sandbox", &node, &here).0, Some(4), "what is there is asked about");
    let policy = desk.door.read(".toolgate/policy.toml");
    desk.door.write(".toolgate/policy.toml", policy.replace("minimum = \"jail\"", "minimum = \"microvm\""));
    desk.apply();
    let (code, answer) = call("exec_sandbox", &json!({ "language": "node", "code": "2" }), &here);
    assert_eq!(code, Some(3), "{answer}");
    assert!(["lane_missing", "runtime_missing"].contains(&codes(&answer)[0]), "{answer}");
    assert_eq!((&answer["status"], &answer["verdict"]), (&json!("denied"), &json!("deny")), "{answer}");
    let (code, dry) = forecast("exec_sandbox", &json!({ "language": "node", "code": "2" }), &here);
    assert_eq!((code, &dry["verdict"]), (Some(4), &json!("needs_approval")), "{dry}");
    assert_eq!(dry["missing"]["code"], answer["reasons"][0]["code"], "{dry}");
    // Nobody is asked about the lane `jail` here, and so it is only found out when the code is to run.
    let policy = desk.door.read(".toolgate/policy.toml");
    let policy = policy.replace("minimum = \"microvm\"", "minimum = \"jail\"");
    let policy = policy.replace("without_approval = [\"monty\"]", "without_approval = [\"monty\", \"jail\"]");
    desk.door.write(".toolgate/policy.toml", policy);
    desk.apply();
    let (code, freed) = call("exec_sandbox", &node, "/nonexistent");
    assert_eq!((code, codes(&freed)), (Some(3), vec!["runtime_missing"]), "{freed}");
    assert_eq!((&freed["status"], &freed["verdict"]), (&json!("denied"), &json!("deny")), "{freed}");
    let (code, dry) = forecast("exec_sandbox", &node, "/nonexistent");
    assert_eq!((code, &dry["missing"]["code"]), (Some(0), &json!("runtime_missing")), "{dry}");
    assert_eq!(forecast("exec_sandbox", &node, &here).1["missing"], Value::Null);
    assert!(
        answer["reasons"][0]["remedy"].as_str().is_some_and(|remedy| remedy.contains("toolgate")),
        "{answer}"
    );
    desk.is_verified();
}

#[test]
fn nobody_is_asked_about_a_change_that_cannot_be_made() {
    let desk = Desk::new();
    desk.door.write("folder/inside.txt", "x\n");
    desk.door.write("twice.txt", "a a\n");
    let edit = |path: &str, old: &str| json!({ "path": path, "old": old, "new": "z" });
    let cases = [
        ("edit_file", edit("notes.txt", "two"), "no_match"),
        ("edit_file", edit("twice.txt", "a"), "many_matches"),
        ("edit_file", edit("missing.txt", "a"), "not_found"),
        ("edit_file", edit("folder", "a"), "is_folder"),
        ("delete_file", json!({ "path": "missing.txt" }), "not_found"),
        ("delete_file", json!({ "path": "folder" }), "is_folder"),
        ("write_file", json!({ "path": "folder", "content": "x" }), "is_folder"),
        ("write_file", json!({ "path": "new/x.txt", "content": "x" }), "not_found"),
        ("exec_sandbox", json!({ "language": "node", "code": "1", "inputs": ["missing.csv"] }), "not_found"),
    ];
    for (tool, arguments, class) in &cases {
        let (code, answer) = desk.call(tool, arguments, &[]);
        assert_eq!((code, &answer["status"]), (1, &json!("error")), "{arguments}: {answer}");
        assert_eq!(answer["verdict"], "needs_approval", "{answer}");
        assert_eq!(codes(&answer), [*class], "{answer}");
        assert_eq!(answer["risk_flags"], json!(["EXECUTION_ERROR"]), "{answer}");
    }
    assert_eq!(desk.door.run(&["pending"]).stdout, "");
    let ended = desk.door.run(&["ledger", "query", "--status", "error", "--format", "json"]);
    assert_eq!(ended.stdout.matches("\"outcome\"").count(), cases.len(), "{}", ended.all());
    desk.is_verified();

    // What can be done is asked about as ever.
    for (tool, arguments) in [
        ("edit_file", edit("notes.txt", "one")),
        ("write_file", json!({ "path": "new/x.txt", "content": "x", "create_dirs": true })),
        ("delete_file", json!({ "path": "twice.txt" })),
    ] {
        assert_eq!(desk.call(tool, &arguments, &[]).0, 4, "{arguments}");
    }
}

#[test]
fn whether_a_text_is_in_a_file_is_told_only_to_those_who_may_read_it() {
    let desk = Desk::new();
    desk.writer(10);
    desk.door.write("docs/a.txt", "open\n");
    desk.door.write("drop/a.txt", "hidden\n");
    let skill = ["--skill", "writer"];
    let edit = |path: &str, old: &str| json!({ "path": path, "old": old, "new": "z" });
    assert_eq!(desk.call("edit_file", &edit("docs/a.txt", "absent"), &skill).0, 1);
    let (hit, miss) = (
        desk.call("edit_file", &edit("drop/a.txt", "hidden"), &skill),
        desk.call("edit_file", &edit("drop/a.txt", "absent"), &skill),
    );
    assert_eq!((hit.0, miss.0), (4, 4), "{hit:?} {miss:?}");
}
