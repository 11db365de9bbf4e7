//! The text with percent-encoding and backslash escapes decoded, as a server or a parser sees it.
//! Markdown drops a backslash in front of any sign, so that counts as an escape too: `ghp\_…`.
//!
//! One level at a time; an escape that hides another is met again when the result is screened.

use crate::view::View;

/// `text` decoded by one level, or nothing when nothing in it is escaped.
pub(crate) fn unescape(text: &str) -> Option<View<'static>> {
    let bytes = text.as_bytes();
    let first = next_escape(bytes, 0)?;
    let mut view = View::with_capacity(bytes.len());
    let mut decoded = Vec::new();
    let (mut plain_from, mut escape) = (0, Some(first));
    while let Some(from) = escape {
        if let Some(plain) = text.get(plain_from..from).filter(|plain| !plain.is_empty()) {
            view.push(plain, plain_from, from);
        }
        decoded.clear();
        let mut to = from;
        while let Some(length) = decode_at(bytes, to, &mut decoded) {
            to += length;
        }
        let shown = String::from_utf8_lossy(&decoded);
        if !shown.is_empty() {
            view.push(&shown, from, to);
        }
        plain_from = to;
        escape = next_escape(bytes, to);
    }
    if let Some(plain) = text.get(plain_from..).filter(|plain| !plain.is_empty()) {
        view.push(plain, plain_from, text.len());
    }
    Some(view)
}

fn next_escape(bytes: &[u8], from: usize) -> Option<usize> {
    let mut ignored = Vec::new();
    let mut at = from;
    loop {
        at += memchr::memchr2(b'%', b'\\', bytes.get(at..)?)?;
        ignored.clear();
        if decode_at(bytes, at, &mut ignored).is_some() {
            return Some(at);
        }
        at += 1;
    }
}

/// Decodes the escape at `at`, if one starts there, and says how long it is.
fn decode_at(bytes: &[u8], at: usize, decoded: &mut Vec<u8>) -> Option<usize> {
    match (bytes.get(at)?, bytes.get(at + 1)?) {
        (b'%', _) => {
            decoded.push(u8::try_from(hex(bytes, at + 1, 2)?).ok()?);
            Some(3)
        }
        (b'\\', b'x') => {
            decoded.push(u8::try_from(hex(bytes, at + 2, 2)?).ok()?);
            Some(4)
        }
        (b'\\', b'u') if bytes.get(at + 2) == Some(&b'{') => {
            let digits =
                bytes.get(at + 3..)?.iter().take(7).take_while(|byte| byte.is_ascii_hexdigit()).count();
            let character = char::from_u32(hex(bytes, at + 3, digits)?)?;
            (bytes.get(at + 3 + digits) == Some(&b'}')).then_some(())?;
            push(character, decoded);
            Some(4 + digits)
        }
        (b'\\', b'u') => unit(bytes, at, decoded),
        (b'\\', letter @ (b'n' | b'r' | b't' | b'"' | b'/')) => {
            decoded.push(match letter {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                _ => *letter,
            });
            Some(2)
        }
        (b'\\', sign) if sign.is_ascii_punctuation() => {
            decoded.push(*sign);
            Some(2)
        }
        _ => None,
    }
}

/// A `\uXXXX`, or two of them that make up one character.
fn unit(bytes: &[u8], at: usize, decoded: &mut Vec<u8>) -> Option<usize> {
    let high = hex(bytes, at + 2, 4)?;
    if let Some(character) = char::from_u32(high) {
        push(character, decoded);
        return Some(6);
    }
    let low = if bytes.get(at + 6..at + 8)? == b"\\u" {
        hex(bytes, at + 8, 4)?
    } else {
        return None;
    };
    let both = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
    push(char::decode_utf16(both).next()?.ok()?, decoded);
    Some(12)
}

fn push(character: char, decoded: &mut Vec<u8>) {
    decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

fn hex(bytes: &[u8], from: usize, digits: usize) -> Option<u32> {
    let mut value = 0;
    for byte in bytes.get(from..from + digits).filter(|digits| !digits.is_empty())? {
        value = value * 16 + char::from(*byte).to_digit(16)?;
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn a_parser_sees_this() {
        let cases = [
            // written, seen
            ("ignore%20all", Some("ignore all")),
            ("%69%67nore", Some("ignore")),
            ("%2569", Some("%69")),
            (r"\x69\u0067\u{6e}ore\nall", Some("ignore\nall")),
            (r"\ud83d\ude00 \ud83d", Some("😀 \\ud83d")),
            ("100 %, 5%x, %zz", None),
            (r"C:\data\q", None),
            (r"ghp\_a \*b\*", Some("ghp_a *b*")),
            ("%c3%a9 %ff", Some("é \u{fffd}")),
            ("", None),
        ];
        for (written, seen) in cases {
            assert_eq!(unescape(written).as_ref().map(crate::view::View::text), seen, "{written}");
        }
    }
}
