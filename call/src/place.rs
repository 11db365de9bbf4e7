//! Lines and columns, as people count them.

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
/// Findings come in the order of the document, so one walk over the text serves them all, however
/// many stand on one line.
#[derive(Debug)]
pub struct Places<'a> {
    text: &'a [u8],
    at: usize,
    place: Place,
}

impl<'a> Places<'a> {
    /// At the start of `text`.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text: text.as_bytes(), at, place: Place { line: 1, column: 1 } }
    }

    /// The line and column of an offset that is not before the last one asked for; one past the end
    /// is the place behind the last character.
    pub fn place(&mut self, offset: usize) -> Place {
        let passed = self.text.get(self.at..offset).unwrap_or_default();
        for (index, &byte) in passed.iter().enumerate() {
            let next = self.text.get(self.at + index + 1);
            if byte == b'\n' || byte == b'\r' && next != Some(&b'\n') {
                self.place = Place { line: self.place.line + 1, column: 1 };
            } else if byte & 0b1100_0000 != 0b1000_0000 {
                // Every byte but those that continue a character begins one.
                self.place.column += 1;
            }
        }
        self.at = self.at.max(offset);
        self.place
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
