//! The letters of a text that is not written in Latin letters, and nothing else.
//!
//! Accents and vowel signs are dropped with everything else that is not a letter, and the phrases
//! are folded by the same function, so that both sides always agree.

use unicode_normalization::UnicodeNormalization as _;

use crate::view::View;

/// Adds the letters of `character`, without marks, in lower case.
pub(crate) fn letters(character: char, folded: &mut String) {
    if character.is_ascii() {
        folded.extend(character.is_ascii_alphabetic().then_some(character.to_ascii_lowercase()));
        return;
    }
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
    let mut at = 0;
    while let Some(character) = text.get(at..).and_then(|rest| rest.chars().next()) {
        folded.clear();
        let length = match character {
            '。' | '！' | '？' | '।' => {
                folded.push('\n');
                character.len_utf8()
            }
            // A whole word at once: most of a text may be ASCII all the same.
            _ if character.is_ascii_alphabetic() => {
                let word = text.as_bytes().get(at..).unwrap_or_default().iter();
                let word = word.take_while(|byte| byte.is_ascii_alphabetic());
                folded.extend(word.map(|byte| char::from(byte.to_ascii_lowercase())));
                folded.len()
            }
            _ => {
                letters(character, &mut folded);
                character.len_utf8()
            }
        };
        if !folded.is_empty() {
            view.push(&folded, at, at + length);
        }
        at += length;
    }
    Some(view)
}
