//! Code in two lanes. A machine may lack one; then the step says so, and the morning goes on.

use serde_json::{Value, json};

use super::consent;
use super::morning::{Morning, because, text};
use super::step::Step;

pub(super) fn monty(morning: &mut Morning, step: &mut Step) {
    let arguments = json!({ "language": "python", "code": "print(sum(range(1, 101)))" });
    let answer = morning.call(step, ("exec_sandbox", "Add up sizes", &arguments), &[], &[0, 3]);
    if because(&answer, "lane_missing") {
        step.skip("this machine lacks what Monty needs; `toolgate doctor` says how to get it");
        return;
    }
    printed(&answer, step);
    step.must(text(&answer, "/content/lane") == "monty", "it did not run in Monty");
    step.must(text(&answer, "/content/stdout") == "5050\n", "the sum is not right");
}

pub(super) fn jail(morning: &mut Morning, step: &mut Step) {
    // A text of JSON is one of Python too.
    let workspace = json!(morning.workspace.to_string_lossy()).to_string();
    let port = morning.site.port();
    let code = format!(
        "import os, socket\n\
         print(\"workspace:\", os.path.exists({workspace}))\n\
         try:\n    socket.create_connection((\"127.0.0.1\", {port}), 2)\n    print(\"network: True\")\n\
         except OSError:\n    print(\"network: False\")\n"
    );
    let arguments = json!({ "language": "python", "code": code, "lane": "jail" });
    let words = ("exec_sandbox", "Look out of the window", &arguments);
    // Nobody is asked about code that could not be run here.
    let answer = morning.call(step, words, &[], &[3, 4]);
    if is_lacking(&answer) {
        step.skip(LACKING);
        return;
    }
    step.must(because(&answer, "approval_required"), "it does not wait for a person");
    let id = text(&answer, "/call_id").to_owned();
    morning.waiting.clone_from(&id);
    consent::sign(morning, step);
    let visits = morning.site.visits();
    let answer = morning.call(step, words, &["--approval", &id], &[0, 3]);
    if is_lacking(&answer) {
        step.skip(LACKING);
        return;
    }
    printed(&answer, step);
    step.must(text(&answer, "/status") == "success", "it did not end well");
    step.must(text(&answer, "/content/lane") == "jail", "it did not run in the jail");
    let wanted = "workspace: False\nnetwork: False\n";
    step.must(text(&answer, "/content/stdout") == wanted, "it saw what it must not see");
    step.must(morning.site.visits() == visits, "it reached the site");
}

const LACKING: &str = "this machine lacks what the jail needs; `toolgate doctor` says how to get it";

fn is_lacking(answer: &Value) -> bool {
    because(answer, "runtime_missing") || because(answer, "lane_missing")
}

/// Shows what a program printed.
fn printed(answer: &Value, step: &mut Step) {
    for line in text(answer, "/content/stdout").lines() {
        step.show(line);
    }
}
