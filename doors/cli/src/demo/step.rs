//! One step of the demo: what was asked, what was ruled and why, and whether that is as it must be.

use serde::Serialize;
use serde_json::Value;

use crate::visible::visible;

/// How a step ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// As it must be.
    #[default]
    Ok,
    /// This machine lacks something that the step needs.
    Skipped,
    /// Not as it must be.
    Wrong,
}

/// One step.
#[derive(Debug, Serialize)]
pub(crate) struct Step {
    title: &'static str,
    asked: Vec<Asked>,
    outcome: Outcome,
    /// What is not as it must be, or missing.
    note: Option<String>,
}

/// One command and its answer.
#[derive(Debug, Serialize)]
pub(super) struct Asked {
    command: String,
    verdict: Option<String>,
    why: Vec<String>,
    shown: Vec<String>,
}

/// Letters in a terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ink {
    Plain,
    Coloured,
}

impl Ink {
    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

impl Step {
    pub(super) const fn new(title: &'static str) -> Self {
        Self { title, asked: Vec::new(), outcome: Outcome::Ok, note: None }
    }

    pub(crate) const fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// A command that was run.
    pub(super) fn ask(&mut self, command: String) {
        self.asked.push(Asked { command, verdict: None, why: Vec::new(), shown: Vec::new() });
    }

    /// What the gate said to the last command.
    pub(super) fn rule(&mut self, answer: &Value) {
        let Some(asked) = self.asked.last_mut() else { return };
        let word = |name| answer.get(name).and_then(Value::as_str);
        asked.verdict = match word("status") {
            Some("error") => Some("error".to_owned()),
            Some(_) | None => word("verdict").map(str::to_owned),
        };
        for reason in answer.get("reasons").and_then(Value::as_array).into_iter().flatten() {
            let part = |name| reason.get(name).and_then(Value::as_str).unwrap_or_default();
            asked.why.push(format!("{}: {}", part("code"), part("message")));
            if !part("rule").is_empty() {
                asked.why.push(format!("rule: {}", part("rule")));
            }
        }
    }

    /// A line of what came back.
    pub(super) fn show(&mut self, line: impl Into<String>) {
        if let Some(asked) = self.asked.last_mut() {
            asked.shown.push(line.into());
        }
    }

    /// Holds the step to something. Only the first thing that is wrong is told.
    pub(super) fn must(&mut self, holds: bool, what: &str) {
        if !holds {
            self.wrong(what);
        }
    }

    pub(super) fn wrong(&mut self, what: impl Into<String>) {
        if self.outcome != Outcome::Wrong {
            self.outcome = Outcome::Wrong;
            self.note = Some(what.into());
        }
    }

    /// This machine cannot do it, and why.
    pub(super) fn skip(&mut self, why: impl Into<String>) {
        if self.outcome == Outcome::Ok {
            self.outcome = Outcome::Skipped;
            self.note = Some(why.into());
        }
    }

    /// The step for people.
    pub(crate) fn text(&self, number: usize, ink: Ink) -> String {
        let mut text = format!("{}\n", ink.paint("1", &format!("{number:>2}  {}", self.title)));
        for asked in &self.asked {
            text.push_str(&format!("    $ {}\n", visible(&asked.command)));
            let mut verdict = asked.verdict.as_deref().map(|verdict| {
                let code = match verdict {
                    "allow" => "32",
                    "needs_approval" => "33",
                    _ => "31",
                };
                ink.paint(code, verdict)
            });
            for why in &asked.why {
                let first = verdict.take().map(|verdict| format!("{verdict}  ")).unwrap_or_default();
                let indent = if first.is_empty() { "  " } else { "" };
                text.push_str(&format!("    {indent}{first}{}\n", visible(why)));
            }
            text.extend(verdict.map(|verdict| format!("    {verdict}\n")));
            for shown in &asked.shown {
                text.push_str(&format!("    | {}\n", visible(shown)));
            }
        }
        let note = self.note.as_deref().map(visible).unwrap_or_default();
        match self.outcome {
            Outcome::Ok => {}
            Outcome::Skipped => text.push_str(&format!("    {} {note}\n", ink.paint("33", "skipped:"))),
            Outcome::Wrong => text.push_str(&format!("    {} {note}\n", ink.paint("31", "WRONG:"))),
        }
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Ink, Outcome, Step};

    #[test]
    fn a_step_that_went_wrong_says_so_and_stays_so() {
        let mut step = Step::new("It climbs");
        step.ask("toolgate call read_file".to_owned());
        let reason =
            json!({ "code": "path_denied", "message": "no\u{1b}[2J", "rule": "policy.toml#deny[0]" });
        step.rule(&json!({ "verdict": "deny", "status": "denied", "reasons": [reason] }));
        step.show("a line");
        step.must(true, "this holds");
        assert_eq!(step.outcome(), Outcome::Ok);
        step.must(false, "the first thing");
        step.must(false, "the second thing");
        step.skip("no lane");
        assert_eq!(step.outcome(), Outcome::Wrong);
        insta::assert_snapshot!(step.text(3, Ink::Plain), @r"
         3  It climbs
            $ toolgate call read_file
            deny  path_denied: no\u{1b}[2J
              rule: policy.toml#deny[0]
            | a line
            WRONG: the first thing
        ");
    }

    #[test]
    fn a_program_that_ran_and_failed_is_not_shown_as_allowed() {
        let mut step = Step::new("It runs");
        step.ask("toolgate call exec_sandbox".to_owned());
        step.rule(&json!({ "verdict": "allow", "status": "error", "reasons": [] }));
        step.skip("no lane");
        assert_eq!(step.outcome(), Outcome::Skipped);
        insta::assert_snapshot!(step.text(10, Ink::Plain), @r"
        10  It runs
            $ toolgate call exec_sandbox
            error
            skipped: no lane
        ");
    }
}
