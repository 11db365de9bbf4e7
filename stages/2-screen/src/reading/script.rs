//! The letters of a text that is not written in Latin letters, and nothing else.
//!
//! Accents and vowel signs are dropped with everything else that is not a letter, and the phrases
//! are folded by the same function, so that both sides always agree.

use unicode_normalization::UnicodeNormalization as _;

use crate::view::View;

/// Adds the letters of `character`, without marks, in lower case.
pub(crate) fn letters(character: char, folded: &mut String) {
    // Ligatures that stand for whole sentences, none of them a phrase of ours.
    if matches!(character, '\u{fdfa}' | '\u{fdfb}') {
        return;
    }
    let parts = std::iter::once(character).nfkd().filter(|part| part.is_alphabetic());
    let parts = parts.filter(|&part| !unicode_normalization::char::is_combining_mark(part));
    folded.extend(parts.flat_map(char::to_lowercase));
}

/// The letters of `text`; a line feed where a sentence ends. Nothing for a text in Latin letters.
pub(crate) fn script(text: &str) -> Option<View<'static>> {
    if text.is_ascii() || !text.chars().any(|character| character >= '\u{370}' && character.is_alphabetic()) {
        return None;
    }
    let mut view = View::with_capacity(text.len());
    let mut folded = String::new();
    for (at, character) in text.char_indices() {
        folded.clear();
        match character {
            '。' | '！' | '？' | '।' => folded.push('\n'),
            _ => letters(character, &mut folded),
        }
        if !folded.is_empty() {
            view.push(&folded, at, at + character.len_utf8());
        }
    }
    Some(view)
}
