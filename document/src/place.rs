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

/// Where each line of a text begins, for turning offsets into places.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Finds the lines of `text`.
    pub(crate) fn of(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let first = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let ends = bytes.iter().enumerate().filter(|&(index, &byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(index + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(first).chain(ends.map(|(index, _)| index + 1)).collect();
        Self { text, starts }
    }

    /// The line and column of a byte offset; one past the end is the place behind the last character.
    pub(crate) fn place(&self, offset: usize) -> Place {
        let line = self.starts.partition_point(|&start| start <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..offset.max(start)).unwrap_or_default();
        Place { line, column: before.chars().count() + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

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
            let place = Lines::of(text).place(text.find(needle).unwrap());
            assert_eq!(format!("{}:{}", place.line, place.column), want, "{text:?}");
        }
    }
}
