//! What is proposed, in the words of the record.

use call::{Access, Effect, Effects, Located, MemoryUse, PathPlace, Program};
use serde::{Deserialize, Serialize};

/// What is proposed, in words for people. None of it is compared when the answer is used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proposal {
    /// What kind of action it is: `write`, `run`, `network`; several with a comma between them.
    pub action: String,
    /// What it touches.
    pub target: Vec<String>,
    /// The proposed difference, or the command.
    pub summary: String,
    /// Why it is asked for, in the words of whoever asks.
    pub purpose: String,
    /// What is checked once it is done.
    pub verification: String,
}

impl Proposal {
    /// What these effects propose: with the difference that they make, where there is one, and the reason
    /// that whoever asks gave.
    #[must_use]
    pub fn new(effects: &Effects, difference: Option<&str>, purpose: &str) -> Self {
        let mut actions: Vec<&str> = Vec::new();
        let mut target = Vec::new();
        let mut commands = Vec::new();
        for effect in effects.iter() {
            let (action, what, command) = told(effect);
            if !actions.contains(&action) {
                actions.push(action);
            }
            target.push(what);
            commands.extend(command);
        }
        let summary = difference.map_or_else(|| commands.join("\n"), str::to_owned);
        let verification = verification(effects).to_owned();
        Self { action: actions.join(", "), target, summary, purpose: purpose.to_owned(), verification }
    }
}

/// Kind, target and command of an effect.
fn told(effect: &Effect) -> (&'static str, String, Option<String>) {
    match effect {
        Effect::Read { path, .. } => ("read", place(path), None),
        Effect::Write { path, .. } => ("write", place(path), None),
        Effect::Delete { path } => ("delete", place(path), None),
        Effect::Run(run) => {
            let (target, command) = match &run.program {
                Program::Code { language, sha256 } => (format!("{language} code {sha256}"), None),
                Program::Argv { argv, .. } => (argv.first().cloned().unwrap_or_default(), Some(words(argv))),
                Program::Shell { command } => ("shell".to_owned(), Some(command.clone())),
                Program::Foreign { command } => ("another server".to_owned(), Some(command.clone())),
            };
            ("run", target, command)
        }
        Effect::Network(request) => {
            ("network", request.url.origin(), Some(format!("{} {}", request.method, request.url)))
        }
        Effect::Secret { scope, name, .. } => ("secret", format!("{scope}/{name}"), None),
        Effect::Query(query) => ("query", query.database.clone(), Some(query.sql.clone())),
        Effect::Memory(MemoryUse::Recall { .. }) => ("recall", "memory".to_owned(), None),
        Effect::Memory(MemoryUse::Store { .. }) => ("store", "memory".to_owned(), None),
        Effect::Repository(using) => {
            let action = match using.access {
                Access::Read => "repository read",
                Access::Write => "repository write",
            };
            (action, using.repository.clone(), None)
        }
        Effect::Status => ("status", "gate".to_owned(), None),
        Effect::Nothing => ("nothing", "nothing".to_owned(), None),
        Effect::Unknown { why } => ("unknown", why.clone(), None),
    }
}

fn place(path: &Located) -> String {
    match &path.place {
        PathPlace::Below { path, .. } => path.as_str().to_owned(),
        PathPlace::Outside | PathPlace::GateHome | PathPlace::Unclear(_) => path.given.clone(),
    }
}

/// The words, so that nobody can take two for one.
fn words(argv: &[String]) -> String {
    let quoted: Vec<String> =
        argv.iter().map(|word| serde_json::Value::from(word.as_str()).to_string()).collect();
    quoted.join(" ")
}

fn verification(effects: &Effects) -> &'static str {
    let any = |hit: fn(&Effect) -> bool| effects.iter().any(hit);
    if any(|effect| matches!(effect, Effect::Run(_))) {
        "expected outputs are there, and their digests are recorded"
    } else if any(|effect| matches!(effect, Effect::Write { .. })) {
        "what was written is read again and compared"
    } else if any(|effect| matches!(effect, Effect::Delete { .. })) {
        "what was deleted is not there any more"
    } else {
        "the outcome is recorded"
    }
}

#[cfg(test)]
mod tests {
    use call::{Effect, Effects, Program, Run, RunLimits, WebAddress, WebRequest};

    use super::Proposal;

    #[test]
    fn a_proposal_says_what_is_done_to_what_and_how() {
        let argv = vec!["python3".into(), "a b".into(), "c\"d".into()];
        let run = Run {
            program: Program::Argv { language: "python".into(), argv },
            lane: None,
            network: false,
            stdin: None,
            inputs: 0,
            limits: RunLimits::default(),
            environment: Vec::new(),
        };
        let request = WebRequest {
            method: "GET".into(),
            url: WebAddress::parse("https://h.example/a").unwrap(),
            headers: Vec::new(),
            body: None,
        };
        let effects = Effects::new(vec![Effect::Run(run), Effect::Network(request)]);
        let proposal = Proposal::new(&effects, None, "why not");
        assert_eq!(proposal.action, "run, network");
        assert_eq!(proposal.target, ["python3", "https://h.example"]);
        assert_eq!(proposal.summary, "\"python3\" \"a b\" \"c\\\"d\"\nGET https://h.example/a");
        assert_eq!(Proposal::new(&effects, Some("-a\n+b\n"), "").summary, "-a\n+b\n");
    }
}
