//! What a program printed, made fit to be read.
//!
//! Nothing of it can be seen as anything but text of one line: bytes that are no text, control, invisible
//! and turning characters are spelled out, and a line that begins like a heading, a fence or a rule of
//! Markdown has a `\` in front. Every line keeps its number.

use screen::glyph;

/// Lines that a result shows.
const SHOWN_LINES: usize = 200;

/// Bytes of a line, and of all shown lines of one stream together.
const LONGEST_LINE: usize = 2_000;
const MOST_BYTES: usize = 192 * 1_024;

/// The beginning of a stream.
#[derive(Debug, Default)]
pub(crate) struct Shown {
    /// The lines, from the first.
    pub(crate) lines: Vec<String>,
    /// How many there are in all.
    pub(crate) n_lines: usize,
    /// Whether one of the shown lines is not there to its end.
    pub(crate) cut_inside: bool,
}

impl Shown {
    /// Whether there is more than what is shown.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut_inside || self.n_lines > self.lines.len()
    }
}

/// The lines that are shown.
pub(crate) fn shown(bytes: &[u8]) -> Shown {
    let mut shown = Shown::default();
    let mut left = MOST_BYTES;
    let whole = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if bytes.is_empty() {
        return shown;
    }
    for line in whole.split(|byte| *byte == b'\n') {
        shown.n_lines += 1;
        if shown.lines.len() == SHOWN_LINES || left == 0 {
            left = 0;
            continue;
        }
        let (text, cut) = visible(line.strip_suffix(b"\r").unwrap_or(line), LONGEST_LINE.min(left));
        shown.cut_inside |= cut;
        left = left.saturating_sub(text.len());
        shown.lines.push(text);
    }
    shown
}

/// One line as it is shown, at most so many bytes and a few more; and whether it was cut.
fn visible(line: &[u8], most: usize) -> (String, bool) {
    let mut text = String::new();
    for chunk in line.utf8_chunks() {
        for character in chunk.valid().chars() {
            if text.len() >= most {
                return (plain_start(text), true);
            }
            let hidden = character != '\t' && (character.is_control() || glyph::unseen(character).is_some());
            if hidden || matches!(character, '＃' | '﹟') {
                text.push_str(&format!("\\u{{{:x}}}", u32::from(character)));
            } else {
                text.push(character);
            }
        }
        for byte in chunk.invalid() {
            if text.len() >= most {
                return (plain_start(text), true);
            }
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    (plain_start(text), false)
}

/// A line that Markdown takes for nothing but text.
fn plain_start(text: String) -> String {
    let begins = text.trim_start();
    let is_structure = ["##", "```", "~~~", "---", "==="].iter().any(|mark| begins.starts_with(mark));
    if is_structure { format!("\\{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_line_is_shown_as_text_and_as_nothing_else() {
        let cases: [(&[u8], &[&str]); 11] = [
            (b"", &[]),
            (b"\n", &[""]),
            (b"one\ntwo\r\n\nfour", &["one", "two", "", "four"]),
            (b"10%\r20%\n", &["10%\\u{d}20%"]),
            (b"\x1b[31mred\x1b[0m", &["\\u{1b}[31mred\\u{1b}[0m"]),
            (b"\xff\xfe ok", &["\\xff\\xfe ok"]),
            ("a\u{202e}b\u{200b}c".as_bytes(), &["a\\u{202e}b\\u{200b}c"]),
            (b"## Safety Notes", &["\\## Safety Notes"]),
            (b"  ```sh", &["\\  ```sh"]),
            (b"---", &["\\---"]),
            ("# title\nprice\t5 €".as_bytes(), &["# title", "price\t5 €"]),
        ];
        for (bytes, want) in cases {
            assert_eq!(shown(bytes).lines, want, "{bytes:?}");
        }
    }

    #[test]
    fn a_stream_is_cut_by_lines_and_by_bytes_and_says_so() {
        let rows = "row\n".repeat(201);
        let long = shown(rows.as_bytes());
        assert_eq!((long.lines.len(), long.n_lines, long.is_cut()), (200, 201, true));
        assert!(!shown("row\n".repeat(200).as_bytes()).is_cut());
        let wide = shown("é".repeat(1_000_000).as_bytes());
        assert!(wide.is_cut() && wide.lines.iter().map(String::len).sum::<usize>() < 3_000);
        let both = shown(format!("{}\n", "x".repeat(1_900)).repeat(150).as_bytes());
        assert!(both.is_cut() && both.lines.iter().map(String::len).sum::<usize>() < 200_000);
    }
}
