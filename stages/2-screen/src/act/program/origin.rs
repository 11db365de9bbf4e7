//! Where the output of commands comes from.
//!
//! The furthest counts: what was fetched stays fetched, whatever it went through.

use super::Program;
use super::lists::known;
use super::local::is_local;
use super::name::name_of;
use crate::act::shell::{Command, Kind, Word};

/// Where the output of some commands comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::act) enum Origin {
    /// From what is written there, or from a file of this machine.
    Here,
    /// From a program of this machine that reads its files, or tells a shell about itself.
    Local,
    /// From some program.
    Program,
    /// From something that was hidden.
    Hidden,
    /// From another machine.
    Elsewhere,
}

/// Where the output of `commands` comes from; the furthest counts.
pub(in crate::act) fn origin(commands: &[Command]) -> Origin {
    commands.iter().map(origin_of).max().unwrap_or(Origin::Here)
}

fn origin_of(command: &Command) -> Origin {
    let within = |word: &Word| word.put_in().map(|inner| origin(&inner.commands)).max();
    let nested = command.words.iter().chain(&command.given).filter_map(within).max().unwrap_or(Origin::Here);
    let named = command.words.iter().map(|word| {
        let facts = known(&name_of(word));
        if facts.fetches {
            return Origin::Elsewhere;
        }
        if facts.decodes { Origin::Hidden } else { Origin::Here }
    });
    let named = named.max().unwrap_or(Origin::Here);
    // What another machine prints.
    let far = command.words.first().is_some_and(|word| name_of(word) == "ssh") && command.words.len() > 2;
    let named = if far { Origin::Elsewhere } else { named };
    let program = Program::of(command);
    let text = command.words.iter().map(|word| &*word.text);
    let network = text.clone().any(|text| {
        text.contains("/dev/tcp/")
            || text.contains("urlopen")
            || text.contains("requests.get")
            || text.contains("fetch(")
    });
    let by_name = match program.name() {
        "" | "cat" | "echo" | "printf" | "}" | ":" | "true" | "cd" => Origin::Here,
        _ if is_local(command, &program) => Origin::Local,
        _ => Origin::Program,
    };
    let escapes = matches!(program.name(), "echo" | "printf")
        && text.clone().any(|text| text.contains("\\x") || text.contains("\\0") || text.contains("\\1"));
    let unknown = matches!(program.name(), "echo" | "printf")
        && command.words.iter().any(|word| !word.names.is_empty());
    let written = match (network, escapes, unknown) {
        (true, _, _) => Origin::Elsewhere,
        (_, true, _) => Origin::Hidden,
        (_, _, true) => Origin::Program,
        _ => Origin::Here,
    };
    nested.max(named).max(by_name).max(written)
}

/// A word that is the output of another command as a file: `<(…)`.
pub(in crate::act) fn file_substitution(word: &Word) -> Option<Origin> {
    let files = word.substitutions.iter().filter(|inner| inner.kind == Kind::File);
    files.map(|inner| origin(&inner.commands)).max()
}
