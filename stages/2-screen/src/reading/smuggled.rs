//! Text written in characters that nothing shows: tags, and bytes as variation selectors.
//!
//! A person sees an empty place; a language model reads the letters. Elsewhere such characters
//! are simply dropped, so here the other half is done: what do they spell?

use call::Span;

/// What the invisible characters of `text` spell, run by run.
pub(crate) fn smuggled(text: &str) -> Vec<(Span, String)> {
    let mut found = Vec::new();
    let mut at = 0;
    // All of them begin with one of these bytes.
    while let Some(next) = text.as_bytes().get(at..).and_then(|rest| memchr::memchr2(0xEF, 0xF3, rest)) {
        let start = at + next;
        let mut bytes = Vec::new();
        at = start;
        for character in text.get(start..).unwrap_or_default().chars() {
            let Some(byte) = spelled(character) else { break };
            bytes.push(byte);
            at += character.len_utf8();
        }
        // An emoji with its variation selector and a flag made of tags are this short.
        if bytes.len() >= 12 {
            found.push((Span::new(start, at), String::from_utf8_lossy(&bytes).into_owned()));
        }
        at = at.max(start + 1);
    }
    found
}

fn spelled(character: char) -> Option<u8> {
    let (first, add) = match character {
        '\u{E0020}'..='\u{E007E}' => (0xE0000, 0),
        '\u{FE00}'..='\u{FE0F}' => (0xFE00, 0),
        '\u{E0100}'..='\u{E01EF}' => (0xE0100, 16),
        _ => return None,
    };
    u8::try_from(u32::from(character) - first + add).ok()
}
