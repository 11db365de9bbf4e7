//! Whether a command reads a secret, and whether a word shows one.

use super::Judge;
use super::environment::{has_windows_secret, is_file_of_that_name};
use super::showing::{filters, is_printer};
use crate::act::names::{is_secret, is_secret_file};
use crate::act::program::Program;
use crate::act::shell::{Command, Manner, Word};
use crate::act::{injection, program, vaults};

/// Shows its input, all of it or a part.
fn passes_on(program: &Program<'_>) -> bool {
    const NAMES: &[&str] = &[
        "cat", "tac", "head", "tail", "tee", "sort", "rev", "nl", "dd", "base64", "base32", "xxd", "od",
        "strings",
    ];
    NAMES.contains(&program.name()) && program.arguments().iter().all(|word| word.text.starts_with('-'))
}

impl Judge<'_> {
    /// Does the output of this command hold a secret?
    pub(super) fn reads_secret(&self, command: &Command, program: &Program<'_>) -> bool {
        let name = program.name();
        let arguments = program.arguments();
        if vaults::tells(name, arguments) {
            return true;
        }
        if let Some(written_out) = self.writes_out(command, program) {
            return written_out;
        }
        let operands = || {
            let set = matches!(name, "env" | "printenv");
            arguments.iter().filter(move |word| {
                let assigned = set && program::is_assignment(&word.text);
                !word.text.starts_with('-') && !assigned
            })
        };
        match name {
            // `print(ENV)` is a name in a program, and no command.
            "env" if program.words.first().is_some_and(|word| word.text == "ENV") => false,
            _ if is_file_of_that_name(program) => false,
            "env" | "printenv" | "set" | "gci" | "get-childitem" if self.setting.manner == Manner::Line => {
                match operands().next() {
                    None => arguments.is_empty() || name == "printenv" || name == "env",
                    Some(word) => {
                        (name == "printenv" && operands().any(|word| is_secret(&word.text)))
                            || word.text.eq_ignore_ascii_case("env:")
                    }
                }
            }
            "export" | "declare" | "typeset" => {
                (self.setting.manner == Manner::Line && arguments.is_empty())
                    || arguments.iter().any(|word| matches!(&*word.text, "-p" | "-x" | "-xp" | "-px"))
                        && operands().next().is_none()
            }
            name if is_printer(name) => {
                arguments.iter().chain(&command.given).any(|word| self.shows_secret(word))
            }
            _ => command.reads.iter().any(|word| is_secret_file(&word.text)),
        }
    }

    /// Does this word show a secret when it is printed?
    pub(super) fn shows_secret(&self, word: &Word) -> bool {
        word.names.iter().any(|name| is_secret(name) || self.held.contains(name))
            || self.substitutes_secret(word)
            || has_windows_secret(&word.text)
    }

    pub(super) fn substitutes_secret(&self, word: &Word) -> bool {
        word.substitutions.iter().any(|inner| self.puts_out_secret(&inner.commands))
    }

    /// Is there a secret in what comes out of these commands? `cat .env | wc -l` lets none through.
    fn puts_out_secret(&self, commands: &[Command]) -> bool {
        let (mut comes_in, mut is_left) = (false, false);
        for command in commands {
            let program = Program::of(command);
            // What the first command of a group leaves of its input is there for the next.
            let takes_rest = is_left && passes_on(&program);
            let secret =
                self.reads_secret(command, &program) || takes_rest || (comes_in && !filters(&program));
            let aside = comes_in && program.arguments().iter().any(|word| word.text.starts_with("/dev/"));
            if secret && !command.piped || aside {
                return true;
            }
            is_left |= comes_in && !command.piped;
            comes_in = secret && command.piped;
        }
        comes_in
    }

    /// Does a file of this name hold secrets, or was one written to it?
    pub(super) fn is_secret_file(&self, path: &str) -> bool {
        is_secret_file(path) || self.files.contains(&injection::file_name(path.trim_start_matches('@')))
    }
}
