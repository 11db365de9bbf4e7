//! The whole environment, and variables of it in the spellings of Windows.

use super::showing::filters;
use crate::act::injection;
use crate::act::names::is_secret;
use crate::act::program::Program;
use crate::act::shell::{Command, Word};

/// `%AWS_SECRET_ACCESS_KEY%`, `$env:API_KEY`
pub(super) fn has_windows_secret(text: &str) -> bool {
    windows_secrets(text).next().is_some()
}

/// The names of secrets between percent signs or behind `$env:`.
pub(super) fn windows_secrets(text: &str) -> impl Iterator<Item = &str> {
    let name =
        |rest: &'_ str| rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let by_percent = text.match_indices('%').filter_map(move |(at, _)| {
        let rest = text.get(at + 1..)?;
        let name = rest
            .get(..name(rest))
            .filter(|name| rest.get(name.len()..).is_some_and(|rest| rest.starts_with('%')))?;
        // Of an address it may be an encoded byte: `%20token%20`.
        let mut letters = name.bytes();
        let (first, second) = (letters.next()?, letters.next()?);
        let byte = first.is_ascii_hexdigit() && second.is_ascii_hexdigit() && !name.contains('_');
        (first.is_ascii_alphabetic() && !byte).then_some(name)
    });
    let by_env = text.match_indices('$').filter_map(move |(at, _)| {
        let rest = text.get(at + 1..)?;
        let rest = rest.get(..4).filter(|env| env.eq_ignore_ascii_case("env:")).and(rest.get(4..))?;
        rest.get(..name(rest))
    });
    by_percent.chain(by_env).filter(|name| is_secret(name))
}

/// Does it print the whole environment?
pub(super) fn is_environment(program: &Program<'_>) -> bool {
    let bare = program.arguments().is_empty();
    match program.name() {
        _ if is_file_of_that_name(program) => false,
        "env" | "printenv" => program.arguments().iter().all(|word| matches!(&*word.text, "-0" | "--null")),
        "set" => bare,
        "export" | "declare" | "typeset" => {
            program.arguments().iter().map(|word| &*word.text).eq(["-p"])
                || program.arguments().iter().map(|word| &*word.text).eq(["-x"])
        }
        "gci" | "get-childitem" | "dir" | "ls" => {
            program.arguments().first().is_some_and(|word| word.text.to_ascii_lowercase().starts_with("env:"))
        }
        _ => false,
    }
}

/// `./env`, `lib/set`: a file of the project, and not what shells and systems have under that name.
pub(super) fn is_file_of_that_name(program: &Program<'_>) -> bool {
    let Some(path) = program.words.first().map(|word| &*word.text) else { return false };
    match program.name() {
        "env" | "printenv" => path.contains('/') && !path.starts_with('/'),
        "set" | "export" | "declare" | "typeset" => path.contains('/'),
        _ => false,
    }
}

/// Does it print the names of variables?
pub(super) fn lists_names(command: &Command) -> bool {
    let program = Program::of(command);
    let has = |flags: &[&str]| program.arguments().iter().any(|word| flags.contains(&&*word.text));
    match program.name() {
        "compgen" => has(&["-e", "-v", "export", "variable"]),
        "env" | "printenv" => is_environment(&program),
        _ => false,
    }
}

/// "Run env": an order at the end of a sentence.
pub(super) fn ends_with_environment(command: &Command) -> bool {
    let [.., order, last] = &*command.words else { return false };
    matches!(&*last.text, "env" | "printenv")
        && (order.text.ends_with(':') || injection::is_order(&order.text))
}

pub(super) fn substitutes_environment(word: &Word) -> bool {
    let commands = word.substitutions.iter().flat_map(|inner| &inner.commands);
    let mut commands = commands.map(Program::of).peekable();
    commands.peek().is_some_and(is_environment) && !commands.any(|program| filters(&program))
}

/// `$env:API_KEY`, `[Environment]::GetEnvironmentVariables()`: what a statement of PowerShell is, it prints.
pub(super) fn prints_a_variable(line: &str) -> bool {
    line.split([';', '\n']).take(64).any(|statement| {
        let lower = statement.trim().trim_start_matches(['(', '"', ' ']).to_ascii_lowercase();
        let name = lower.strip_prefix("$env:").map(|rest| {
            let length =
                rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
            rest.split_at_checked(length).unwrap_or((rest, ""))
        });
        let one = name.is_some_and(|(name, rest)| {
            is_secret(&name.to_ascii_uppercase()) && !rest.trim_start().starts_with(['=', '.', '-', '+'])
        });
        let all =
            ["[environment]::getenvironmentvariables(", "[system.environment]::getenvironmentvariables("];
        one || all.iter().any(|start| lower.starts_with(start))
    })
}
