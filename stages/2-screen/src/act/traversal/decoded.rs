//! Paths without their encodings: percent signs (also several times over, overlong and wide), entities,
//! escapes, dots and slashes of other alphabets.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

/// A path without its encodings.
pub(super) struct Plain<'p> {
    pub(super) text: Cow<'p, str>,
    pub(super) changed: bool,
    // Some step up shows only once it is decoded.
    pub(super) steps_hidden: bool,
}

pub(super) fn decoded(path: &str) -> Plain<'_> {
    if is_plain(path) {
        return Plain { text: path.into(), changed: false, steps_hidden: false };
    }
    let steps = |text: &str| text.split(['/', '\\']).filter(|part| *part == "..").count();
    let written = steps(path);
    // A blank with a backslash in front is a blank.
    let mut text = path.replace("\\ ", " ");
    for _ in 0..4 {
        let next = once(&text);
        if next == text {
            break;
        }
        text = next;
    }
    let changed = text != path;
    let steps_hidden = changed && steps(&text.replace('\\', "/")) > written;
    Plain { text: text.replace('\\', "/").into(), changed, steps_hidden }
}

/// Is there nothing in it that an encoding begins with?
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii() && !matches!(byte, b'%' | b'\\' | b'&'))
}

/// One level of decoding.
fn once(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let source = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        let (letter, length) = escape(source.get(at..).unwrap_or_default()).unwrap_or((byte, 1));
        bytes.push(letter);
        at += length;
    }
    let mut plain = String::with_capacity(bytes.len());
    for character in String::from_utf8_lossy(&bytes).chars() {
        match character {
            '\u{2215}' | '\u{2044}' | '\u{29f8}' | '\u{29f5}' | '\u{2216}' | '\u{fe68}' | '\u{ff3c}'
            | '\u{ff0f}' => plain.push('/'),
            '\u{2024}' | '\u{ff0e}' | '\u{fe52}' | '\u{ff61}' => plain.push('.'),
            '\u{2025}' => plain.push_str(".."),
            _ if character.is_ascii() => plain.push(character),
            _ if crate::glyph::unseen(character).is_some() => {}
            _ => plain.extend(std::iter::once(character).nfkc()),
        }
    }
    plain
}

/// What an escape at the start of `rest` stands for, and how long it is.
fn escape(rest: &[u8]) -> Option<(u8, usize)> {
    let hex = |from: usize, count: usize| -> Option<u32> {
        let digits = rest.get(from..from + count)?;
        digits.iter().try_fold(0_u32, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
    };
    match rest.first()? {
        b'%' if matches!(rest.get(1), Some(b'u' | b'U')) => {
            let letter = u8::try_from(wide(hex(2, 4)?)).ok()?;
            Some((letter, 6))
        }
        b'%' => {
            let first = hex(1, 2)?;
            // Overlong forms: two or three bytes for what needs one.
            let follows = |at: usize| rest.get(at) == Some(&b'%');
            if (first == 0xc0 || first == 0xc1) && follows(3) {
                let letter = ((first & 1) << 6) | (hex(4, 2)? & 0x3f);
                return Some((u8::try_from(letter).ok()?, 6));
            }
            if first == 0xe0 && follows(3) && follows(6) && hex(4, 2)? < 0xa0 {
                let letter = ((hex(4, 2)? & 1) << 6) | (hex(7, 2)? & 0x3f);
                return Some((u8::try_from(letter).ok()?, 9));
            }
            Some((u8::try_from(first).ok()?, 3))
        }
        b'\\' if rest.get(1) == Some(&b'x') => Some((u8::try_from(hex(2, 2)?).ok()?, 4)),
        b'\\' if rest.get(1) == Some(&b'u') => Some((u8::try_from(wide(hex(2, 4)?)).ok()?, 6)),
        b'&' => ["&#46;", "&#x2e;", "&#x2E;", "&period;", "&#47;", "&#x2f;", "&#x2F;", "&sol;"]
            .iter()
            .enumerate()
            .find(|(_, entity)| rest.starts_with(entity.as_bytes()))
            .map(|(place, entity)| (if place < 4 { b'.' } else { b'/' }, entity.len())),
        _ => None,
    }
}

/// The ASCII form of a letter of full width.
const fn wide(code: u32) -> u32 {
    match code {
        0xff01..=0xff5e => code - 0xfee0,
        0x2215 | 0x2044 => 0x2f,
        0x2024 => 0x2e,
        _ => code,
    }
}
