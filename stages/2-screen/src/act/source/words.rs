//! The words of a program, and whether one of them stands for a secret.

use std::collections::BTreeSet;

use regex::bytes::Match;

/// What was matched; names and files of other letters than ASCII are none of those looked for.
pub(super) fn shown<'t>(found: &Match<'t>) -> &'t str {
    std::str::from_utf8(found.as_bytes()).unwrap_or_default()
}

/// The first place in `text` where one of `names` stands as a word.
pub(in crate::act) fn mentions(text: &str, names: &BTreeSet<String>) -> Option<usize> {
    if names.is_empty() {
        return None;
    }
    words(text).find(|(_, word)| names.contains(*word)).map(|(place, _)| place)
}

pub(in crate::act) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let rest = text.as_bytes().get(at..)?;
        let start = at + rest.iter().position(|&byte| is_word(byte))?;
        let length = text.as_bytes().get(start..)?.iter().take_while(|&&byte| is_word(byte)).count();
        at = start + length;
        Some((start, text.get(start..at)?))
    })
}

/// All of it and not one entry.
pub(super) fn is_whole_use(text: &str, place: usize) -> bool {
    let rest = text.get(place..).unwrap_or_default();
    let behind =
        rest.trim_start_matches(|character: char| character.is_ascii_alphanumeric() || character == '_');
    let entry = behind.starts_with('[')
        || behind.starts_with(".get")
        || (behind.starts_with('.')
            && !behind.starts_with(".items")
            && !behind.starts_with(".copy")
            && !behind.starts_with(".to_"));
    let argument = behind.trim_start().starts_with('=');
    // `env=env` hands it to a program.
    let keyword = text.get(..place).unwrap_or_default().trim_end().ends_with("env=");
    !entry && !argument && !keyword
}

/// `env=os.environ`, `{**os.environ, …}`: a program gets it, nobody sees it.
pub(super) fn hands_on(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default().trim_end();
    // `print for %ENV` goes through it.
    if text.get(place..).is_some_and(|read| read.starts_with("%ENV")) {
        return false;
    }
    ["env=", "env:", "env =", "in", "for"].iter().any(|front| before.ends_with(front))
        && !before.ends_with("for v in")
}

/// `name=value`: this is the name.
pub(super) fn is_keyword_name(text: &str, end: usize) -> bool {
    let behind = text.get(end..).unwrap_or_default();
    behind.starts_with('=') && !behind.starts_with("==")
        || behind.starts_with(':') && !behind.starts_with(":=") && !behind.starts_with("::")
}

/// Inside a string, and not put in by `{…}`, `${…}`, `#{…}` or a dollar sign.
pub(super) fn is_quoted_word(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default();
    if before.ends_with(['{', '$']) || before.trim_end().ends_with(['{', '$']) {
        return false;
    }
    let mut open: Option<u8> = None;
    for &byte in before.as_bytes() {
        match (open, byte) {
            (None, b'"' | b'\'' | b'`') => open = Some(byte),
            (Some(quote), _) if quote == byte => open = None,
            _ => {}
        }
    }
    open.is_some()
}
