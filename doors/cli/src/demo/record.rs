//! What is left of the morning: a record that can be checked, a report, and no secret.

use std::fs;

use super::leaks::{files, holds, spellings};
use super::morning::{Morning, ended};
use super::place::Place;
use super::program::VARIABLE;
use super::step::Step;
use crate::terminal::reason;

pub(super) fn verify(morning: &mut Morning, step: &mut Step) {
    for words in [["ledger", "checkpoint"], ["ledger", "verify"]] {
        let Some(ran) = morning.run(step, &words) else { return };
        for line in ran.stdout.lines().take(1) {
            step.show(line);
        }
        step.must(ran.code == Some(0), &ended(&ran, &[0]));
    }
}

pub(super) fn report(morning: &mut Morning, step: &mut Step) {
    let Some(ran) = morning.run(step, &["ledger", "report", "--out", Place::REPORT]) else { return };
    step.must(ran.code == Some(0), &ended(&ran, &[0]));
    let page = fs::read_to_string(&morning.report).unwrap_or_default();
    step.must(page.contains("path_traversal"), "the report does not tell of the refusal");
}

/// Looks for the value, and for something that must be found, so that a search which finds nothing means
/// something.
pub(super) fn search(morning: &mut Morning, step: &mut Step) {
    let Some(ran) = morning.run(step, &["ledger", "query", "--format", "json"]) else { return };
    step.must(ran.code == Some(0), &ended(&ran, &[0]));
    step.must(ran.stdout.contains(VARIABLE), "the record does not name the secret that was used");
    let value = spellings(&morning.token);
    step.must(!holds(morning.program.said(), &value), "a command has said the value");
    let all = match files(&morning.root) {
        Ok(all) => all,
        Err(error) => {
            step.wrong(format!("the demo's folder cannot be searched: {}", reason(&error)));
            return;
        }
    };
    for path in &all {
        match fs::read(path) {
            Ok(bytes) => {
                let shown = crate::visible::visible_path(path);
                step.must(!holds(&bytes, &value), &format!("the value is in `{shown}`"));
            }
            Err(error) => step.wrong(format!("{}: {}", path.display(), reason(&error))),
        }
    }
    let n_bytes = morning.program.said().len();
    step.show(format!("the record names {VARIABLE}, and not its value"));
    step.show(format!("not in {n_bytes} bytes of output, nor in {} files: plain, hex or base64", all.len()));
}
