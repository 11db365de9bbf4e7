//! The name of a program, however its file is spelled.

use std::borrow::Cow;

use super::lists::{FETCHERS, SHELLS, is_interpreter, known};
use crate::act::shell::Word;

pub(in crate::act) fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// The name of a program, however its file is spelled.
pub(in crate::act) fn name_of(word: &Word) -> Cow<'_, str> {
    // Most words have nothing about them that would have to be taken off.
    let is_bare =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
    if word.names.is_empty() && word.text.bytes().all(is_bare) {
        return Cow::Borrowed(&word.text);
    }
    let text = word.text.trim_matches(|c: char| {
        matches!(c, '`' | ',' | '"' | '\'' | ')' | ';' | ':' | '*' | ']' | '}' | '[')
    });
    let text = text.trim_end_matches(['.', '!', '?']);
    let text = if text.is_empty() { &*word.text } else { text };
    // `%x[sh …]`: a line between the brackets of Ruby.
    let text = text.strip_prefix("%x[").filter(|line| !line.is_empty()).unwrap_or(text);
    if text == "{" {
        return Cow::Borrowed("{");
    }
    // More arguments behind the string that is run: `'… | sh',{stdio: 'inherit'}`.
    if let Some((front, _)) = text.split_once(',') {
        let base = front.rsplit('/').next().unwrap_or(front);
        if SHELLS.contains(&base) || is_interpreter(base) {
            return Cow::Borrowed(base);
        }
    }
    // A key in front, as data has it: `{"run":"curl …"}`.
    let base = text.rsplit(['/', '\\', '=', ':', '{', ',']).next().unwrap_or(text);
    let lower = if base.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(base.to_ascii_lowercase())
    } else {
        Cow::Borrowed(base)
    };
    // `/bin/b?sh`: the shell finds the program that fits.
    if lower.len() <= 16 && lower.contains(['?', '[']) && text.contains('/') {
        let fits = |name: &&&str| crate::act::traversal::glob(lower.as_bytes(), name.as_bytes());
        if let Some(name) = SHELLS.iter().chain(FETCHERS).find(fits) {
            return Cow::Borrowed(name);
        }
    }
    // `| "$SHELL"`: the shell that everybody has.
    if matches!(&*lower, "$shell" | "$bash" | "$0" | "${shell}" | "${bash}") {
        return Cow::Borrowed("sh");
    }
    // `c${x}url`: what is not set is nothing.
    if !word.names.is_empty() && lower.len() <= 64 {
        let strip =
            |text: String, name: &String| text.replacen(&format!("${}", name.to_ascii_lowercase()), "", 1);
        let bare = word.names.iter().take(8).fold(lower.clone().into_owned(), strip);
        let facts = known(&bare);
        if facts.fetches || facts.shell || facts.decodes || facts.wrapper.is_some() || is_interpreter(&bare) {
            return Cow::Owned(bare);
        }
    }
    match lower.strip_suffix(".exe") {
        Some(bare) => Cow::Owned(bare.to_owned()),
        None => lower,
    }
}
