//! Where what stands in words comes from, and what it is called when it is run.

use crate::act::program;
use crate::act::program::{Origin, name_of};
use crate::act::shell::{Command, Word};

/// What it is when something from there is run.
pub(super) fn kind_of(origin: Origin, any_program: bool) -> Option<&'static str> {
    match origin {
        Origin::Elsewhere => Some("download_to_shell"),
        Origin::Hidden => Some("decoded_to_shell"),
        Origin::Program => any_program.then_some("output_to_shell"),
        // As with `cat a | sh`, a person is asked.
        Origin::Local | Origin::Here => None,
    }
}

pub(super) fn substituted(word: &Word) -> Origin {
    word.put_in().map(|inner| program::origin(&inner.commands)).max().unwrap_or(Origin::Here)
}

/// In prose the name of a program is a word like any other, unless something follows that it takes.
pub(super) fn prose_origin(sources: &[Command]) -> Origin {
    let mut origin = Origin::Here;
    for command in sources {
        for (place, word) in command.words.iter().enumerate() {
            let name = name_of(word);
            let behind = command.words.get(place + 1..).unwrap_or_default();
            if program::is_fetcher(&name) && behind.iter().take(12).any(is_address) {
                origin = origin.max(Origin::Elsewhere);
            }
            let decodes = |next: &Word| {
                matches!(&*next.text, "-d" | "-D" | "--decode" | "-r" | "-di" | "-rp" | "enc" | "-dc")
            };
            if program::is_decoder(&name) && behind.first().is_some_and(decodes) {
                origin = origin.max(Origin::Hidden);
            }
        }
    }
    origin
}

/// Something that can be fetched: a URL, a host, a variable.
pub(super) fn is_address(word: &Word) -> bool {
    let text = word.text.trim_matches(['"', '\'', '`', ',', '.', '<', '>']);
    let dotted = text.split_once('.').is_some_and(|(left, right)| {
        left.ends_with(|c: char| c.is_ascii_alphanumeric())
            && right.starts_with(|c: char| c.is_ascii_alphanumeric())
    });
    dotted
        || text.contains("://")
        || text.contains('/')
        || !word.names.is_empty()
        || text.contains("$()")
        || text.contains("localhost")
}

/// "Run" in front of a quotation makes it an order.
pub(in crate::act) fn is_order(word: &str) -> bool {
    let word = word.trim_end_matches([':', ',']);
    ["run", "execute", "paste", "type", "invoke", "launch", "issue", "exec"]
        .iter()
        .any(|order| word.eq_ignore_ascii_case(order))
}
