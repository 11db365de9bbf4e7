//! Lines of a text with their places, and texts made fit to be shown.

use screen::glyph::{self, Unseen};

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

/// How many bytes come before the first LF or CR: eight bytes at a time, because every rule reads
/// lines.
fn line_length(text: &str) -> usize {
    const EACH: u64 = u64::from_le_bytes([1; 8]);
    // The lowest bit of the result is the highest bit of the first byte that is 0.
    let zeros = |word: u64| word.wrapping_sub(EACH) & !word & (EACH << 7);
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let ends = zeros(word ^ (EACH * u64::from(b'\n'))) | zeros(word ^ (EACH * u64::from(b'\r')));
        if ends != 0 {
            return index * 8 + ends.trailing_zeros() as usize / 8;
        }
    }
    let near = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    words.len() * 8 + near.unwrap_or(rest.len())
}

/// A control character other than the line ends.
///
/// Without `&&` and `||`, so that [`any_byte`] can ask it of many bytes at once.
pub(crate) fn is_control(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\n') & (byte != b'\r') | (byte == 0x7f)
}

/// Whether a text holds nothing but printable ASCII.
pub(crate) fn is_printable(text: &str) -> bool {
    !any_byte(text, |byte| !(b' '..=b'~').contains(&byte))
}

/// Bytes that are looked at together.
const BLOCK: usize = 16;

/// Whether any byte of `text` is one of these. Meant for ASCII: those bytes begin and end characters.
pub(crate) fn any_byte(text: &str, is_one: impl Fn(u8) -> bool) -> bool {
    let (blocks, rest) = text.as_bytes().as_chunks::<BLOCK>();
    blocks.iter().any(|block| holds(block, &is_one)) || rest.iter().any(|byte| is_one(*byte))
}

/// Where the first such byte of `text` stands.
pub(crate) fn first_byte(text: &str, is_one: impl Fn(u8) -> bool) -> Option<usize> {
    let (blocks, rest) = text.as_bytes().as_chunks::<BLOCK>();
    let (skipped, near) = match blocks.iter().position(|block| holds(block, &is_one)) {
        Some(at) => (at, blocks.get(at)?.as_slice()),
        None => (blocks.len(), rest),
    };
    near.iter().position(|byte| is_one(*byte)).map(|at| skipped * BLOCK + at)
}

/// Whether any two neighbours of `text` are such a pair. All of them are asked at once, as above.
pub(crate) fn any_pair(text: &str, is_one: impl Fn(u8, u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    pairs.fold(false, |found, (first, second)| found | is_one(*first, *second))
}

/// Every byte is asked, whatever the others say: so the compiler asks them all at once.
fn holds(block: &[u8; BLOCK], is_one: impl Fn(u8) -> bool) -> bool {
    block.iter().fold(false, |found, byte| found | is_one(*byte))
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
