//! `toolgate policy test`: the policy's own cases.

use std::path::{Path, PathBuf};

use call::{CallContext, Clock as _};
use serde::Serialize;

use super::{home, no_home};
use crate::arguments::{Format, HomeArguments};
use crate::cases::{Case, read_cases};
use crate::clock::SystemClock;
use crate::commands::print;
use crate::exit::Exit;
use crate::terminal::{reason, say_error};
use crate::visible::visible;
use crate::weigh::Scale;
use gate::Incoming;

#[derive(Serialize)]
struct Answer {
    passed: usize,
    failed: usize,
    cases: Vec<Outcome>,
}

#[derive(Serialize)]
struct Outcome {
    file: String,
    name: String,
    passed: bool,
    want: String,
    got: String,
}

pub(super) fn run(paths: &[PathBuf], arguments: &HomeArguments) -> Exit {
    let home = match home(arguments.home.as_deref()) {
        Ok(home) => home,
        Err(exit) => return exit,
    };
    let files = match home.policy_files() {
        Ok(files) => files,
        Err(error) => return no_home(&error),
    };
    let scale = match Scale::load(&home, &files) {
        Ok(scale) => scale,
        Err(error) => {
            say_error(&error.to_string(), Some("`toolgate policy check` says what is wrong"));
            return Exit::Refused;
        }
    };
    let own = [home.folder().join("tests")];
    let paths = if paths.is_empty() { own.as_slice() } else { paths };
    let mut outcomes = Vec::new();
    for path in paths.iter().flat_map(|path| files_of(path)) {
        let shown = path.to_string_lossy().into_owned();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                say_error(&format!("`{shown}`: {}", reason(&error)), None);
                return Exit::CouldNot;
            }
        };
        match read_cases(&text) {
            Ok(cases) => outcomes.extend(cases.into_iter().map(|case| outcome(&scale, &shown, case))),
            Err(message) => {
                say_error(
                    &format!("`{shown}`: {message}"),
                    Some("`toolgate policy test --help` shows a case"),
                );
                return Exit::CouldNot;
            }
        }
    }
    if outcomes.is_empty() {
        say_error("there are no cases", Some("`toolgate policy test --help` shows one"));
        return Exit::CouldNot;
    }
    show(outcomes, arguments.format)
}

/// The file itself, or every `*.toml` in the folder, by name.
fn files_of(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_path_buf()] };
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

fn outcome(scale: &Scale, file: &str, case: Case) -> Outcome {
    let typed = Incoming {
        tool: case.tool,
        purpose: Some(case.purpose),
        arguments: case.arguments,
        not_text: None,
        agent: case.agent,
        session: "policy-test".to_owned(),
        skill: case.skill,
        context: CallContext::ALL
            .iter()
            .find(|(word, _)| *word == case.context)
            .map_or(CallContext::Agent, |(_, c)| *c),
    };
    let ruled = scale.weigh(&typed, SystemClock.now()).ruled;
    let codes: Vec<&str> = ruled.ruling.reasons().iter().map(|reason| reason.code.as_str()).collect();
    let missing = case.reasons.iter().any(|want| !codes.contains(&want.as_str()));
    let passed = ruled.ruling.verdict() == case.verdict && !missing;
    let got = [&[ruled.ruling.verdict()], codes.as_slice()].concat().join(" ");
    let want = std::iter::once(&case.verdict).chain(&case.reasons).cloned().collect::<Vec<_>>().join(" ");
    Outcome { file: file.to_owned(), name: case.name, passed, want, got }
}

fn show(outcomes: Vec<Outcome>, format: Format) -> Exit {
    let failed = outcomes.iter().filter(|outcome| !outcome.passed).count();
    let passed = outcomes.len() - failed;
    let exit = if failed == 0 { Exit::Done } else { Exit::Failed };
    match format {
        Format::Json => print::json(&Answer { passed, failed, cases: outcomes }, exit),
        Format::Text => {
            let mut text = String::new();
            for outcome in outcomes.iter().filter(|outcome| !outcome.passed) {
                let Outcome { file, name, want, got, .. } = outcome;
                text.push_str(&format!(
                    "FAIL  {}: {}\n  want {want}\n  got  {got}\n",
                    visible(file),
                    visible(name)
                ));
            }
            text.push_str(&format!("{passed} passed, {failed} failed\n"));
            print::text(&text, exit)
        }
    }
}
