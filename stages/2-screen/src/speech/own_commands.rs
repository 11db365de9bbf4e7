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
    ("npm", &["run", "test"]), ("yarn", &["run", "test", "lint", "format"]), ("pnpm", &["run", "test", "lint", "format"]),
    ("go", &["fmt", "vet", "test", "build"]),
    ("terraform", &["fmt", "validate"]), ("brew", &["upgrade", "update", "doctor", "cleanup"]),
    ("dotnet", &["format", "build", "test"]),
    ("mix", &["format", "test"]),
    ("make", CHORES), ("just", CHORES),
    ("ruff", &[]), ("black", &[]), ("prettier", &[]), ("eslint", &[]), ("rustfmt", &[]), ("gofmt", &[]), ("isort", &[]),
    ("mypy", &[]),
];

/// What a project calls its own chores. By any other name, a project runs what somebody else wrote.
#[rustfmt::skip]
const CHORES: &[&str] = &[
    "test", "tests", "lint", "format", "fmt", "build", "check", "clean", "fix", "docs", "doc", "typecheck", "all",
];

/// Settings that load nothing and take no word behind them.
#[rustfmt::skip]
const SETTINGS: &[&str] = &[
    "--", "--all", "--fix", "--write", "--check", "--release", "--workspace", "--verbose", "--all-targets", "--all-features",
    "--quiet", "--recursive", "--diff", "-v", "-w", "-q",
];

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
    let loads = rest.iter().any(|word| word.starts_with('-') && !SETTINGS.contains(word));
    let named = |words: &[&str]| words.iter().all(|word| word.starts_with('-') || CHORES.contains(word));
    let is_own = match (program, rest.as_slice()) {
        (_, ["run", script, ..]) => CHORES.contains(script),
        ("make" | "just", targets) => named(targets),
        // With a name behind it, it gets something.
        ("brew", words) => words.len() == 1,
        _ => true,
    };
    told && is_own
        && sentence.after.trim_matches(['.', ' ']).is_empty()
        && opening.split(' ').count() <= MOST
        && rest.len() < MOST
        && command.chars().all(plain)
        && !leaves
        && !loads
}
