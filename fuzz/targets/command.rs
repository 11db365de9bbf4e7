//! A valid request with the fuzzer's text as its command line.
//!
//! What the check accepts is looked at once more by a scanner that knows nothing but quotes: no
//! character that a shell acts on stands in the open.
#![no_main]

use document::Verdict;
use fuzz::{REQUEST, promises_hold};

libfuzzer_sys::fuzz_target!(|command: &str| {
    let document = [REQUEST.0, command, REQUEST.1].concat();
    let Some(checked) = promises_hold(document.as_bytes()) else {
        return;
    };
    if checked.verdict() == Verdict::Accept {
        let command = command.trim();
        assert!(!command.contains(['\n', '\r']), "an accepted command is one line: {command:?}");
        assert_eq!(acted_on_by_a_shell(command), None, "accepted: {command:?}");
        let program = command.split(' ').next().unwrap_or_default();
        let plain = !program.contains(['\'', '"', '\\']);
        let name = program.rsplit('/').next().unwrap_or_default();
        assert!(!plain || name.starts_with("python"), "accepted for python: {command:?}");
    }
});

/// The first character that a POSIX shell would act on, with its offset.
fn acted_on_by_a_shell(command: &str) -> Option<(usize, char)> {
    let mut quote = None;
    let mut characters = command.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        match (quote, character) {
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => drop(characters.next()),
            (_, '`') => return Some((offset, character)),
            (_, '$') => match characters.peek() {
                Some((_, next)) if next.is_ascii_alphanumeric() || "_{(@*#?-$!".contains(*next) => {
                    return Some((offset, character));
                }
                _ => {}
            },
            (None, ';' | '|' | '&' | '<' | '>' | '(' | ')' | '\n' | '\r') => {
                return Some((offset, character));
            }
            _ => {}
        }
    }
    quote.map(|open| (command.len(), open))
}
