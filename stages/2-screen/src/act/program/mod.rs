//! What programs do with their words and their input.

mod lists;
mod local;
mod name;
mod opened_shell;
mod origin;
mod runs;

use std::borrow::Cow;

use crate::act::shell::{Command, Word};
use lists::known;
pub(super) use lists::{
    DECODERS, ELSEWHERE, FETCHERS, INTERPRETERS, SHELLS, WRAPPERS, is_decoder, is_fetcher, is_interpreter,
    is_shell,
};
pub(super) use name::{is_assignment, name_of};
pub(super) use origin::{Origin, file_substitution, origin};
pub(super) use runs::Runs;

/// The command behind its wrappers.
#[derive(Clone)]
pub(super) struct Program<'c> {
    /// Its name and its words.
    pub(super) words: &'c [Word],
    name: Cow<'c, str>,
    /// Its input are the words of another command.
    pub(super) by_xargs: bool,
}

impl<'c> Program<'c> {
    pub(super) fn of(command: &'c Command) -> Self {
        let mut words = &*command.words;
        let mut by_xargs = false;
        // Each round takes at least one word.
        while let Some(first) = words.first() {
            if is_assignment(&first.text) {
                words = words.get(1..).unwrap_or_default();
                continue;
            }
            let name = name_of(first);
            let facts = known(&name);
            if facts.elsewhere {
                by_xargs |= name == "parallel";
                match words.iter().skip(1).position(|word| is_shell(&name_of(word))) {
                    Some(place) => words = words.get(place + 1..).unwrap_or_default(),
                    None => break,
                }
                continue;
            }
            // `find … -exec sh -c …`
            if matches!(&*name, "find" | "fd" | "fdfind") {
                let runs = |pair: &[Word]| {
                    let [flag, program] = pair else { return false };
                    let flag = matches!(
                        &*flag.text,
                        "-exec" | "-execdir" | "-ok" | "-okdir" | "-x" | "-X" | "--exec"
                    );
                    flag && (is_shell(&name_of(program)) || is_interpreter(&name_of(program)))
                };
                match words.windows(2).position(runs) {
                    Some(place) => words = words.get(place + 1..).unwrap_or_default(),
                    None => break,
                }
                continue;
            }
            let Some((valued, operands)) = facts.wrapper else { break };
            // `command -v`, bare `env` and kin ask for something and run nothing.
            let rest = behind_flags(words.get(1..).unwrap_or_default(), valued, operands);
            if rest.is_empty()
                || (name == "command" && words.get(1).is_some_and(|flag| matches!(&*flag.text, "-v" | "-V")))
            {
                break;
            }
            by_xargs |= name == "xargs";
            words = rest;
        }
        Self { words, name: words.first().map(name_of).unwrap_or_default(), by_xargs }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn arguments(&self) -> &'c [Word] {
        self.words.get(1..).unwrap_or_default()
    }

    /// Is text that it is given only text to it?
    pub(super) fn is_data(&self) -> bool {
        known(&self.name).data
    }
}

/// The words behind flags, their values, assignments and so many operands.
fn behind_flags<'c>(words: &'c [Word], valued: &[&str], operands: usize) -> &'c [Word] {
    let (mut at, mut operands) = (0, operands);
    while let Some(word) = words.get(at) {
        let text = &*word.text;
        if text == "--" {
            at += 1;
            break;
        }
        if valued.contains(&text) {
            at += 2;
        } else if text.starts_with('-') && text.len() > 1 || is_assignment(text) {
            at += 1;
        } else if operands > 0 {
            operands -= 1;
            at += 1;
        } else {
            break;
        }
    }
    words.get(at..).unwrap_or_default()
}
