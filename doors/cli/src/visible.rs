//! Makes characters visible that would otherwise draw on the terminal, or hide.
//!
//! Documents and file names come from strangers. Nothing of theirs reaches a terminal before it has
//! gone through here: an escape sequence could recolour a verdict, a line feed in a file name could
//! forge a line of output, a bidirectional override could turn a command around. They are shown as
//! `\u{1b}`, the spelling of Rust and JavaScript, so that a reader can search for them.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

use screen::glyph::unseen;

/// `text` in one line that a terminal can be trusted with.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        push_visible(&mut shown, character);
    }
    Cow::Owned(shown)
}

/// `text` made visible line by line; line feeds stay what they are.
pub(crate) fn visible_lines(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\n' { shown.push('\n') } else { push_visible(&mut shown, character) }
    }
    shown
}

/// A path in one line that a terminal can be trusted with.
pub(crate) fn visible_path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// Appends `character`, or its spelled-out form when it cannot be seen.
pub(crate) fn push_visible(shown: &mut String, character: char) {
    if is_hidden(character) {
        let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
    } else {
        shown.push(character);
    }
}

/// JSON with the same meaning, in which no character is hidden.
///
/// Outside of strings JSON is plain ASCII, so what is replaced here always stands in a string,
/// where `\u` escapes mean the very same character.
pub(crate) fn visible_json(json: String) -> String {
    let plain = |character: char| character == '\n' || !is_hidden(character);
    if json.chars().all(plain) {
        return json;
    }
    let mut shown = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if plain(character) {
            shown.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(shown, "\\u{unit:04x}");
            }
        }
    }
    shown
}

fn is_hidden(character: char) -> bool {
    // Control characters are asked for by name, although `unseen` knows them: whatever else changes
    // there, no escape character is ever sent to a terminal.
    !matches!(character, ' '..='~') && (character.is_control() || unseen(character).is_some())
}

#[cfg(test)]
mod tests {
    use super::{visible, visible_json};

    #[test]
    fn nothing_that_draws_or_hides_is_left_as_it_is() {
        let cases = [
            ("plain, ünïcödé and 日本", "plain, ünïcödé and 日本"),
            ("red \u{1b}[31m", "red \\u{1b}[31m"),
            ("two\nlines\r", "two\\u{a}lines\\u{d}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("\u{7f}\0", "\\u{7f}\\u{0}"),
            ("a\u{202e}b", "a\\u{202e}b"),
            ("a\u{200b}b", "a\\u{200b}b"),
            ("a\u{e0041}b", "a\\u{e0041}b"),
        ];
        for (text, want) in cases {
            assert_eq!(visible(text), want, "{text:?}");
        }
    }

    #[test]
    fn json_means_the_same_once_it_is_visible() {
        for text in ["\u{9b}", "\u{7f}", "a\u{202e}b", "\u{e0041}", "plain"] {
            let json = visible_json(serde_json::to_string(text).unwrap());
            assert!(!json.chars().any(super::is_hidden), "{json}");
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }
}
