//! A write that waits for a person, and runs once.

use std::fs;

use serde_json::{Value, json};

use super::files::NOTES;
use super::morning::{Morning, because, ended, text};
use super::place::Place;
use super::step::Step;

const WRITTEN: &str = "Backups: tar --create --zstd, every night. Restored once, on Friday.\n";

const PURPOSE: &str = "Note how backups are made";

fn arguments() -> Value {
    json!({ "path": "notes.txt", "content": WRITTEN })
}

/// Whether the file holds this.
fn holds(morning: &Morning, content: &str) -> bool {
    fs::read_to_string(morning.workspace.join("notes.txt")).is_ok_and(|found| found == content)
}

pub(super) fn ask(morning: &mut Morning, step: &mut Step) {
    let answer = morning.call(step, ("write_file", PURPOSE, &arguments()), &[], &[4]);
    morning.waiting = text(&answer, "/call_id").to_owned();
    step.show(text(&answer, "/summary"));
    step.must(because(&answer, "approval_required"), "it does not wait for a person");
    step.must(holds(morning, NOTES), "the file was changed without a yes");
}

pub(super) fn agree(morning: &mut Morning, step: &mut Step) {
    sign(morning, step);
    step.must(holds(morning, NOTES), "the yes itself changed the file");
}

/// Ada signs what waits.
pub(super) fn sign(morning: &mut Morning, step: &mut Step) {
    let id = morning.waiting.clone();
    let Some(ran) = morning.run(step, &["approve", &id, "--key", Place::KEY, "--yes"]) else { return };
    // The head of what she is shown: what happens, and the difference that it makes.
    let more = ["The call in full", "Why you are asked"];
    let shown = ran.stderr.lines().take_while(|line| !more.contains(line));
    for line in shown.filter(|line| !line.trim_matches([' ', '|']).is_empty()).take(16) {
        step.show(line);
    }
    for line in ran.stdout.lines() {
        step.show(line);
    }
    step.must(ran.code == Some(0), &ended(&ran, &[0]));
}

pub(super) fn run(morning: &mut Morning, step: &mut Step) {
    let id = morning.waiting.clone();
    let answer = morning.call(step, ("write_file", PURPOSE, &arguments()), &["--approval", &id], &[0]);
    step.show(text(&answer, "/summary"));
    step.must(text(&answer, "/status") == "success", "it did not succeed");
    step.must(holds(morning, WRITTEN), "the file does not hold what was approved");
}

pub(super) fn replay(morning: &mut Morning, step: &mut Step) {
    let path = morning.workspace.join("notes.txt");
    // As it was when Ada looked at it, so that nothing but the use of her yes stands in the way.
    if let Err(error) = fs::write(path, NOTES) {
        step.wrong(format!("notes.txt cannot be put back: {error}"));
    }
    let id = morning.waiting.clone();
    let answer = morning.call(step, ("write_file", PURPOSE, &arguments()), &["--approval", &id], &[2]);
    step.must(because(&answer, "approval_used"), "it was not refused as used");
    step.must(holds(morning, NOTES), "it was written a second time");
}
