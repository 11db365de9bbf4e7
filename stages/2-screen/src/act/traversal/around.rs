//! The path that stands around a place in a text.

use call::Span;

/// A path that begins with one or two steps up and has nothing else in it that could matter.
pub(in crate::act) fn is_plain_step(path: &str) -> bool {
    let rest = path.strip_prefix("../").map(|rest| rest.strip_prefix("../").unwrap_or(rest));
    rest.is_some_and(|rest| {
        let letters = rest
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.'));
        let system = [
            "etc", "proc", "root", "sys", "boot", "dev", "win", "private", "var", "usr", "home", "users",
            "run", "opt", "srv",
        ]
        .iter()
        .any(|place| rest.starts_with(place));
        letters && !rest.contains("..") && !rest.starts_with('.') && !rest.contains("/.") && !system
    })
}

/// The path that stands around `place` in `text`.
pub(in crate::act) fn path_around(text: &str, place: Span) -> Span {
    let bytes = text.as_bytes();
    let longest = 1_024;
    let before = bytes.get(..place.start).unwrap_or_default();
    let start = place.start - before.iter().rev().take(longest).take_while(|&&byte| in_path(byte)).count();
    let behind = bytes.get(place.end..).unwrap_or_default();
    let end = place.end + behind.iter().take(longest).take_while(|&&byte| in_path(byte)).count();
    Span::new(text.floor_char_boundary(start), text.ceil_char_boundary(end))
}

/// Bytes that paths are written with, without quotes.
const fn in_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte >= 0x80
        || matches!(
            byte,
            b'/' | b'\\'
                | b'.'
                | b'-'
                | b'_'
                | b'~'
                | b'%'
                | b'$'
                | b'{'
                | b'}'
                | b':'
                | b'?'
                | b'*'
                | b'+'
                | b'['
                | b']'
        )
}
