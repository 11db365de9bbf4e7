//! "Run the following command to fix the formatting: cargo fmt": a command that is shown, and works on files that the
//! reader has.
//!
//! What formats, checks, tests or builds them is what guides tell people to run. What installs, fetches or starts
//! something by name stays an order: a command being well known says nothing about what it is made to get.

use super::sentence::Sentence;

/// Programs, and what they may be told to do; anything, where nothing is listed.
#[rustfmt::skip]
const PROGRAMS: &[(&str, &[&str])] = &[
    ("cargo", &["fmt", "clippy", "fix", "test", "build", "check", "clean", "doc"]),
    ("npm", &["run", "test", "audit", "dedupe", "prune"]),
    ("yarn", &["run", "test", "lint", "format", "dedupe"]),
    ("pnpm", &["run", "test", "lint", "format", "dedupe"]),
    ("go", &["fmt", "vet", "test", "build"]),
    ("brew", &["upgrade", "update", "doctor", "cleanup"]),
    ("terraform", &["fmt", "validate"]),
    ("dotnet", &["format", "build", "test"]),
    ("mix", &["format", "test"]),
    ("make", &[]), ("just", &[]), ("ruff", &[]), ("black", &[]), ("prettier", &[]), ("eslint", &[]), ("rustfmt", &[]),
    ("gofmt", &[]), ("isort", &[]), ("mypy", &[]), ("pre-commit", &[]),
];

/// Settings with which such a program loads or fetches something else.
#[rustfmt::skip]
const LOADS: &[&str] = &["config", "registry", "plugin", "prefix", "script", "exec", "require", "loader", "rule", "file", "dir"];

/// The same, in short.
const LOADS_BY_LETTER: &[&str] = &["-c", "-f", "-C", "-p", "-r", "-I"];

/// More words than these are no command for people to type.
const MOST: usize = 8;

pub(super) fn are_shown(sentence: &Sentence) -> bool {
    let Some((opening, command)) = sentence.behind.split_once(": ") else { return false };
    let command = command.trim().trim_matches(['`', '.', '*', ' ']);
    let plain = |sign: char| sign.is_ascii_alphanumeric() || " ._/-".contains(sign);
    let mut words = command.split(' ');
    let program = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    let known = PROGRAMS.iter().find(|(name, _)| *name == program);
    let told = known.is_some_and(|(_, acts)| match rest.first() {
        Some(act) => acts.is_empty() || acts.contains(act),
        None => acts.is_empty(),
    });
    let leaves = command.contains("..") || rest.iter().any(|word| word.starts_with('/'));
    let loads = rest
        .iter()
        .filter(|word| word.starts_with('-'))
        .any(|word| LOADS_BY_LETTER.contains(word) || LOADS.iter().any(|load| word.contains(load)));
    told && opening.split(' ').count() <= MOST
        && rest.len() < MOST
        && command.chars().all(plain)
        && !leaves
        && !loads
}
