//! The order of things, and how a step asks the gate.

use std::io;
use std::path::PathBuf;

use data_encoding::HEXLOWER;
use serde_json::Value;

use super::place::Place;
use super::program::{Program, Ran, typed};
use super::site::Site;
use super::step::{Outcome, Step};
use super::{code, consent, files, record, secret};
use crate::chance::{NoChance, chance};
use crate::terminal::reason;

/// Plays one step.
type Scene = fn(&mut Morning, &mut Step);

/// The whole morning.
const SCENES: [(&str, Scene); 16] = [
    ("A home for the gate, and a policy for this agent", files::home),
    ("The agent reads a file of the workspace: allowed", files::read),
    ("It tries to climb out of the workspace: refused", files::climb),
    ("It reads a page with a trap in it: the script is gone, the rest is labelled", files::page),
    ("It wants to write: a person must agree, and nothing is written yet", consent::ask),
    ("Ada looks at exactly what will happen, and signs it with her key", consent::agree),
    ("What was approved runs", consent::run),
    ("The same approval once more: refused, it was good once", consent::replay),
    ("A sum in Monty, an interpreter that can touch nothing: no person is needed", code::monty),
    ("A program in the jail, once Ada agrees: no workspace, no network", code::jail),
    ("The agent asks for a secret by itself: refused", secret::agent),
    ("The operator asks: a handle comes back, not the value", secret::operator),
    ("The handle is used: the service gets the value, the agent does not", secret::used),
    ("The record is signed and checked", record::verify),
    ("A report for people", record::report),
    ("The secret's value is in nothing that was said or written", record::search),
];

/// The demo, under way.
#[derive(Debug)]
pub(crate) struct Morning {
    pub(super) workspace: PathBuf,
    pub(super) root: PathBuf,
    pub(super) key: PathBuf,
    pub(super) report: PathBuf,
    pub(super) site: Site,
    pub(super) program: Program,
    pub(super) token: String,
    /// The call that waits for a person.
    pub(super) waiting: String,
    /// What stands for the secret.
    pub(super) handle: String,
}

/// Why there is no demo.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoMorning {
    #[error("no site can be opened on 127.0.0.1: {}", reason(.0))]
    Site(#[source] io::Error),
    #[error(transparent)]
    Chance(#[from] NoChance),
}

impl Morning {
    pub(crate) fn new(place: &Place) -> Result<Self, NoMorning> {
        let token = format!("demo-{}", HEXLOWER.encode(&chance::<16>()?));
        Ok(Self {
            workspace: place.workspace(),
            root: place.root().to_owned(),
            key: place.key(),
            report: place.report(),
            site: Site::open(&token).map_err(NoMorning::Site)?,
            program: Program::new(place.workspace(), token.clone()),
            token,
            waiting: String::new(),
            handle: String::new(),
        })
    }

    /// Plays the steps one after the other, and hands each to `told`, which says whether to go on. Without a
    /// home there is nothing to go on with.
    pub(crate) fn play(&mut self, mut told: impl FnMut(usize, Step) -> bool) {
        for (number, (title, scene)) in (1..).zip(SCENES) {
            let mut step = Step::new(title);
            scene(self, &mut step);
            let homeless = number == 1 && step.outcome() == Outcome::Wrong;
            if !told(number, step) || homeless {
                return;
            }
        }
    }

    /// Runs a command as it is typed.
    pub(super) fn run(&mut self, step: &mut Step, words: &[&str]) -> Option<Ran> {
        step.ask(typed(words));
        self.try_run(step, words)
    }

    /// Runs a command, which must end with one of these codes, and reads its answer.
    pub(super) fn answer(&mut self, step: &mut Step, words: &[&str], codes: &[i32]) -> Value {
        step.ask(typed(words));
        let words = [words, &["--format", "json"]].concat();
        let Some(ran) = self.try_run(step, &words) else { return Value::Null };
        let answer = serde_json::from_str(&ran.stdout).unwrap_or(Value::Null);
        step.rule(&answer);
        step.must(ran.code.is_some_and(|code| codes.contains(&code)), &ended(&ran, codes));
        answer
    }

    /// Puts a call through the gate; the last words are those that only this call needs.
    pub(super) fn call(
        &mut self,
        step: &mut Step,
        (tool, purpose, arguments): (&str, &str, &Value),
        more: &[&str],
        codes: &[i32],
    ) -> Value {
        let arguments = arguments.to_string();
        let words = [&["call", tool, "--purpose", purpose, "--args", &arguments], more].concat();
        self.answer(step, &words, codes)
    }

    fn try_run(&mut self, step: &mut Step, words: &[&str]) -> Option<Ran> {
        match self.program.run(words) {
            Ok(ran) => Some(ran),
            Err(error) => {
                step.wrong(format!("the command could not be run: {}", reason(&error)));
                None
            }
        }
    }
}

/// How a command ended that was to end otherwise.
pub(super) fn ended(ran: &Ran, wanted: &[i32]) -> String {
    let wanted: Vec<String> = wanted.iter().map(i32::to_string).collect();
    let wanted = wanted.join(" or ");
    let code = ran.code.map_or_else(|| "a signal".to_owned(), |code| format!("exit code {code}"));
    let said = ran.stderr.lines().rev().find(|line| line.starts_with("error")).unwrap_or_default();
    format!("it ended with {code}, not {wanted} {said}").trim_end().to_owned()
}

/// A text in an answer, by the names that lead to it.
pub(super) fn text<'answer>(answer: &'answer Value, path: &str) -> &'answer str {
    answer.pointer(path).and_then(Value::as_str).unwrap_or_default()
}

/// Whether a list of texts in an answer has this one.
pub(super) fn lists(answer: &Value, path: &str, wanted: &str) -> bool {
    let list = answer.pointer(path).and_then(Value::as_array);
    list.is_some_and(|list| list.iter().any(|item| item == wanted))
}

/// Whether one of the reasons has this code.
pub(super) fn because(answer: &Value, code: &str) -> bool {
    let reasons = answer.pointer("/reasons").and_then(Value::as_array);
    reasons.is_some_and(|reasons| reasons.iter().any(|reason| text(reason, "/code") == code))
}
