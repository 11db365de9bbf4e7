//! Lines and columns, as people count them.

use crate::text::lines;

/// A line and a column, both counted from 1.
///
/// Columns count characters (Unicode scalar values): a tab, a wide character and a combining mark
/// are one each. A byte order mark in front of the first line is not counted. Lines end with LF,
/// CRLF or a lone CR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The character within the line, from 1.
    pub column: usize,
}

/// Turns offsets of a text into places, each one at or behind the one before.
///
/// Findings come in the order of the document, so one walk over the text serves them all.
#[derive(Debug)]
pub(crate) struct Places<'a> {
    text: &'a str,
    line: usize,
    line_start: usize,
}

impl<'a> Places<'a> {
    /// At the start of `text`.
    pub(crate) fn of(text: &'a str) -> Self {
        let line_start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, line: 1, line_start }
    }

    /// The line and column of an offset that is not before the last one asked for; one past the end
    /// is the place behind the last character.
    pub(crate) fn place(&mut self, offset: usize) -> Place {
        let rest = self.text.get(self.line_start..).unwrap_or_default();
        for line in lines(rest, self.line_start).take_while(|line| line.next <= offset) {
            if line.next > line.start + line.text.len() {
                self.line += 1;
                self.line_start = line.next;
            }
        }
        let before = self.text.get(self.line_start..offset.max(self.line_start)).unwrap_or_default();
        Place { line: self.line, column: before.chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn columns_count_characters_whatever_ends_the_lines() {
        let cases = [
            // text, needle -> line:column
            ("ab\ncd", "d", "2:2"),
            ("ab\r\ncd", "d", "2:2"),
            ("ab\rcd", "d", "2:2"),
            ("ab\n\r\n\rcd", "d", "4:2"),
            ("\u{feff}ab", "a", "1:1"),
            ("\u{feff}ab\ncd", "c", "2:1"),
            ("\t\tx", "x", "1:3"),
            ("日本x", "x", "1:3"),
            ("e\u{301}x", "x", "1:3"),
        ];
        for (text, needle, want) in cases {
            let place = Places::of(text).place(text.find(needle).unwrap());
            assert_eq!(format!("{}:{}", place.line, place.column), want, "{text:?}");
        }
    }
}
