//! The first steps: a home, a file, a way out that is none, and a page.

use std::fs;
use std::io;

use serde_json::json;

use super::key;
use super::morning::{Morning, because, lists, text};
use super::program::VARIABLE;
use super::step::Step;
use crate::terminal::reason;

/// What the agent finds.
pub(super) const NOTES: &str = "Backups: none yet. Find out how, and write it down here.\n";

/// Makes the home, and gives its policy what this morning needs.
pub(super) fn home(morning: &mut Morning, step: &mut Step) {
    morning.answer(step, &["init"], &[0]);
    step.show("read-only, no shell, no network, no secrets");
    match settle(morning) {
        Ok(changes) => {
            step.show("then policy.toml gets, and `approvers` the key of Ada:");
            for line in changes {
                step.show(format!("  {line}"));
            }
        }
        Err(error) => step.wrong(format!("the home cannot be prepared: {}", reason(&error))),
    }
    let words = [
        "policy",
        "apply",
        "--reason",
        "The agent looks after backups",
        "--abuse-case",
        "A page talks it into sending files away",
        "--tests",
        "toolgate demo",
        "--rollback",
        "toolgate init",
    ];
    morning.answer(step, &words, &[0]);
}

/// Writes the files of the workspace and of the policy. Returns the lines that were changed.
fn settle(morning: &Morning) -> io::Result<Vec<String>> {
    let home = morning.workspace.join(".toolgate");
    let host = morning.site.host();
    let changes = [
        ("read_only = true", "read_only = false".to_owned()),
        ("enabled = false\nallowlist = []", format!("enabled = true\nallowlist = [\"{host}\"]")),
        ("allowed_scopes = []", "allowed_scopes = [\"ci\"]".to_owned()),
    ];
    let mut policy = fs::read_to_string(home.join("policy.toml"))?;
    for (old, new) in &changes {
        if !policy.contains(old) {
            return Err(io::Error::other(format!("there is no `{old}` in policy.toml")));
        }
        policy = policy.replacen(old, new, 1);
    }
    let scope = format!("[secrets.ci]\nprovider = \"env\"\nnames = [\"{VARIABLE}\"]\n");
    fs::write(home.join("policy.toml"), format!("{policy}\n{scope}"))?;
    let public = key::make(&morning.key)?;
    let line = format!("ada@example.org namespaces=\"{}\" {public}\n", approve::NAMESPACE);
    fs::write(home.join("approvers"), line)?;
    fs::write(morning.workspace.join("notes.txt"), NOTES)?;
    fs::write(morning.workspace.join(".env"), "PASSWORD=not for agents\n")?;
    let lines = changes.iter().flat_map(|(_, new)| new.lines()).chain(scope.lines());
    Ok(lines.map(str::to_owned).collect())
}

pub(super) fn read(morning: &mut Morning, step: &mut Step) {
    let arguments = json!({ "path": "notes.txt" });
    let answer = morning.call(step, ("read_file", "See what is to be done", &arguments), &[], &[0]);
    let content = text(&answer, "/content");
    step.show(content.trim_end());
    step.must(content == NOTES, "what came back is not what the file holds");
}

pub(super) fn climb(morning: &mut Morning, step: &mut Step) {
    let arguments = json!({ "path": "../../../../../etc/passwd" });
    let answer = morning.call(step, ("read_file", "Look around", &arguments), &[], &[2]);
    step.must(because(&answer, "path_traversal"), "it was not refused as a traversal");
    step.must(answer.pointer("/content").is_none_or(serde_json::Value::is_null), "something came back");
}

pub(super) fn page(morning: &mut Morning, step: &mut Step) {
    let arguments = json!({ "url": format!("http://{}/backups", morning.site.host()) });
    let answer = morning.call(step, ("network_fetch", "Read about backups", &arguments), &[], &[0]);
    for line in text(&answer, "/content/text").lines() {
        step.show(line);
    }
    let labels = answer.pointer("/labels").and_then(serde_json::Value::as_array).into_iter().flatten();
    let labels: Vec<&str> = labels.filter_map(serde_json::Value::as_str).collect();
    step.show(format!("untrusted, labels: {}", labels.join(", ")));
    step.must(answer.pointer("/untrusted") == Some(&true.into()), "the page is not marked as untrusted");
    step.must(lists(&answer, "/labels", "external_instruction"), "the override in the page is not labelled");
    step.must(!answer.to_string().contains("document.cookie"), "the script came through");
    step.must(morning.site.visits() == 1, "the site was not visited once");
}
