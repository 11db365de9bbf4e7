//! The record of a review: what only a person can say about more authority.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use call::{Moment, Sha256};
use decide::compare::{Comparison, Risk};

use crate::arguments::ApplyArguments;
use crate::terminal::{ask_line, can_ask};

/// What a person says about an expansion.
#[derive(Clone, Debug)]
pub(super) struct Said {
    reason: String,
    abuse_case: String,
    tests: String,
    rollback: String,
}

/// The four things, by flag and question.
const QUESTIONS: [(&str, &str); 4] = [
    ("--reason", "Why is the authority needed?"),
    ("--abuse-case", "How could it be abused?"),
    ("--tests", "Which tests show the behaviour and its boundary?"),
    ("--rollback", "How is the old authority restored?"),
];

impl Said {
    /// Takes what the flags say, and asks for the rest where somebody can be asked. Otherwise, what
    /// is missing.
    pub(super) fn gather(arguments: &ApplyArguments) -> Result<Self, Vec<&'static str>> {
        let given = [&arguments.reason, &arguments.abuse_case, &arguments.tests, &arguments.rollback];
        let mut said: Vec<String> = Vec::new();
        let mut missing = Vec::new();
        for ((flag, question), given) in QUESTIONS.into_iter().zip(given) {
            let answer = match given {
                Some(text) => Some(text.clone()),
                None if can_ask() => ask_line(question),
                None => None,
            };
            match answer.filter(|text| text.chars().any(char::is_alphanumeric)) {
                Some(text) => said.push(text),
                None => missing.push(flag),
            }
        }
        match <[String; 4]>::try_from(said) {
            Ok([reason, abuse_case, tests, rollback]) => Ok(Self { reason, abuse_case, tests, rollback }),
            Err(_) => Err(missing),
        }
    }
}

/// Writes `reviews/<time>-<digest>.toml`, and says where. Never over one that is there.
pub(super) fn write(
    home: &Path,
    said: &Said,
    comparison: &Comparison,
    (old, new): (Option<Sha256>, Sha256),
    now: Moment,
) -> io::Result<PathBuf> {
    let folder = home.join("reviews");
    fs::create_dir_all(&folder)?;
    let digest: String = new.to_string().chars().take(12).collect();
    let path = folder.join(format!("{}-{digest}.toml", now.compact()));
    let text = record(said, comparison, old, new, now);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    Ok(path)
}

fn record(said: &Said, comparison: &Comparison, old: Option<Sha256>, new: Sha256, now: Moment) -> String {
    let added: Vec<&decide::compare::AuthorityChange> =
        comparison.changes.iter().filter(|change| change.is_added()).collect();
    let examples = |old: bool| -> Vec<String> {
        let calls = added.iter().map(|change| {
            format!("{} ({})", change.probe.example, if old { change.old } else { change.new })
        });
        let terms = comparison.terms.iter().filter(|term| term.risk > Risk::Low);
        let terms = terms.map(|term| format!("{} = {}", term.term, if old { &term.old } else { &term.new }));
        calls.take(50).chain(terms).collect()
    };
    let mut tools: Vec<String> = added.iter().map(|change| change.probe.tool.to_string()).collect();
    tools.sort();
    tools.dedup();
    let risk = comparison.risk().map_or("none", Risk::as_str);
    let warning = format!("this policy has more authority than the one before it; risk {risk}");
    let fields: [(&str, String); 12] = [
        ("previous_policy", quoted(&old.map_or_else(|| "none".to_owned(), |digest| digest.to_string()))),
        ("new_policy", quoted(&new.to_string())),
        ("reviewed_utc", quoted(&now.to_string())),
        ("previous_authority", list(&examples(true))),
        ("new_authority", list(&examples(false))),
        ("reason", quoted(&said.reason)),
        ("affected_tools", list(&tools)),
        ("abuse_case", quoted(&said.abuse_case)),
        ("tests_added", quoted(&said.tests)),
        (
            "trace_fields",
            list(&["policy".to_owned(), "verdict".to_owned(), "reasons".to_owned(), "risk_flags".to_owned()]),
        ),
        ("report_warning", quoted(&warning)),
        ("rollback", quoted(&said.rollback)),
    ];
    fields.iter().map(|(key, value)| format!("{key} = {value}\n")).collect()
}

fn quoted(text: &str) -> String {
    toml_edit::Value::from(text).to_string().trim().to_owned()
}

fn list(texts: &[String]) -> String {
    let entries: Vec<String> = texts.iter().map(|text| format!("    {},\n", quoted(text))).collect();
    if entries.is_empty() { "[]".to_owned() } else { format!("[\n{}]", entries.concat()) }
}
