//! Lines of a text with their places, and texts made fit to be shown.

use screen::glyph::{self, Unseen};

use crate::bytes::{is_printable, line_length};

/// One line of a text, without its ending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    /// Offset of its first byte.
    pub(crate) start: usize,
    /// The line itself.
    pub(crate) text: &'a str,
    /// Offset just behind its ending, where the next line begins.
    pub(crate) next: usize,
}

/// The lines of `text`. They end with LF, CRLF or a lone CR, as CommonMark and YAML both have it;
/// what begins at `base` in the document is shifted by as much.
pub(crate) fn lines(text: &str, base: usize) -> impl Iterator<Item = Line<'_>> {
    let mut rest = text;
    let mut start = base;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let length = line_length(rest);
        let (text, ending) = rest.split_at_checked(length)?;
        rest = ending.strip_prefix("\r\n").or_else(|| ending.get(1..)).unwrap_or_default();
        let line = Line { start, text, next: start + length + ending.len() - rest.len() };
        start = line.next;
        Some(line)
    })
}

/// The first character of a text that a reader cannot see, and where it stands. `lines` when line
/// ends are fine.
///
/// A variation selector behind a symbol chooses how an emoji is drawn: that can be seen.
pub(crate) fn first_unseen(text: &str, lines: bool) -> Option<(usize, char, Unseen)> {
    // Nearly every text needs no table.
    if is_printable(text) {
        return None;
    }
    let mut before = None;
    for (at, character) in text.char_indices() {
        let draws_emoji = matches!(character, '\u{fe0e}' | '\u{fe0f}')
            && before.is_some_and(|before: char| !before.is_alphabetic() && glyph::unseen(before).is_none());
        if let Some(unseen) = glyph::unseen(character)
            && !(draws_emoji || lines && character == '\n')
        {
            return Some((at, character, unseen));
        }
        before = Some(character);
    }
    None
}

/// A value of the document as part of a message: in backticks, unseen characters spelled out, cut
/// where it is long. Messages reach terminals and logs, and a value must not draw on either.
pub(crate) fn quoted(value: &str) -> String {
    const SHOWN: usize = 60;
    let mut shown = String::from("`");
    for (count, character) in value.chars().enumerate() {
        if count == SHOWN {
            shown.push('…');
            break;
        }
        match glyph::unseen(character) {
            None => shown.push(character),
            Some(_) => shown.extend(character.escape_unicode()),
        }
    }
    shown.push('`');
    shown
}

/// A character as part of a message: its code point, for those that cannot be shown.
pub(crate) fn code_point(character: char) -> String {
    format!("U+{:04X}", u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn every_line_ending_ends_one_line() {
        let cases: [(&str, &[(usize, &str)]); 8] = [
            ("", &[]),
            ("a", &[(0, "a")]),
            ("a\n", &[(0, "a")]),
            ("a\r\nb", &[(0, "a"), (3, "b")]),
            ("a\rb\n\nc", &[(0, "a"), (2, "b"), (4, ""), (5, "c")]),
            ("\n\r", &[(0, ""), (1, "")]),
            ("eight by\rte, and more\n", &[(0, "eight by"), (9, "te, and more")]),
            ("é\u{10a}\u{d0d}\u{a0a}\n\u{b}\u{c}", &[(0, "é\u{10a}\u{d0d}\u{a0a}"), (11, "\u{b}\u{c}")]),
        ];
        for (text, want) in cases {
            let got: Vec<_> = lines(text, 0).map(|line| (line.start, line.text)).collect();
            assert_eq!(got, want, "{text:?}");
        }
    }
}
