//! What is started, which must be what was decided about.

use call::programs::{is_runtime, starts_shell};
use call::{Errand, Fault, Language, Program, Run, Sha256};
use serde_json::Value;

use super::text;

/// What is started.
pub(super) enum Start {
    /// The runtime of a language.
    Runtime(Language, lanes::Program),
    /// The shell of the machine, with these words; the first is its own name.
    Shell(Vec<String>),
}

pub(super) fn start(run: &Run, errand: &Errand<'_>) -> Result<Start, Fault> {
    match &run.program {
        Program::Code { language, sha256 } => {
            let code = text(errand, "code").filter(|code| Sha256::of(code.as_bytes()) == *sha256);
            let code = code.ok_or_else(|| bad("the code is not the one that was decided about"))?;
            Ok(Start::Runtime(of_name(language)?, lanes::Program::Code(code.to_owned())))
        }
        Program::Argv { language, argv } => {
            let language = checked(language, argv)?;
            Ok(Start::Runtime(language, lanes::Program::Arguments(argv.clone())))
        }
        Program::Shell { command } => shell(command, errand),
        Program::Foreign { .. } => Err(bad("it is run by another server, not here")),
    }
}

/// The language whose runtime a run starts; none where that is a shell.
pub(super) fn language(run: &Run) -> Result<Option<Language>, Fault> {
    match &run.program {
        Program::Argv { argv, .. } if starts_shell(argv) => Ok(None),
        Program::Code { language, .. } | Program::Argv { language, .. } => of_name(language).map(Some),
        Program::Shell { .. } | Program::Foreign { .. } => Ok(None),
    }
}

/// The language, when these words begin with its runtime: the lane starts its own, and would start it for any
/// name. Stage 1 has seen to that.
fn checked(language: &str, argv: &[String]) -> Result<Language, Fault> {
    let language = of_name(language)?;
    let name = argv.first().map_or("", String::as_str);
    if is_runtime(language, name) {
        return Ok(language);
    }
    Err(bad(&format!("`{name}` is not the runtime of `{}`", language.as_str())))
}

fn bad(message: &str) -> Fault {
    Fault::failed("bad_request", message)
}

fn of_name(name: &str) -> Result<Language, Fault> {
    let found = Language::ALL.iter().find(|(spelling, _)| *spelling == name);
    found.map(|&(_, language)| language).ok_or_else(|| bad("there is no such language"))
}

/// A line for a shell, or words that start one.
fn shell(command: &str, errand: &Errand<'_>) -> Result<Start, Fault> {
    let own = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<String>>();
    if text(errand, "command") == Some(command) {
        return Ok(Start::Shell(own(&["sh", "-c", command])));
    }
    let argv: Vec<String> = errand
        .arguments
        .values()
        .get("argv")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    if argv.join(" ") != command || !starts_shell(&argv) {
        return Err(bad("the command is not the one that was decided about"));
    }
    // The words stay words: the shell only finds the program.
    Ok(Start::Shell([own(&["sh", "-c", "exec \"$@\"", "sh"]), argv].concat()))
}
