//! Texts from outside, so that a reader sees every character of them.
//!
//! Two different texts never look the same: what could be taken for our own spelling of a character is
//! spelled out as well.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

use crate::glyph;

/// A part of a text that is not broken over two lines, and the columns that it takes at most.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) columns: usize,
}

/// How many spaces in a row are shown as they are.
#[derive(Clone, Copy)]
pub(super) struct Spaces {
    /// At the beginning.
    pub(super) leading: usize,
    /// Between two characters.
    pub(super) inner: usize,
}

/// Marks that one letter carries at most. Scripts get by with three; a pile of them is drawn over other lines.
const MOST_MARKS: usize = 4;

/// For values that have one line.
pub(super) const OF_LINE: Spaces = Spaces { leading: 0, inner: 3 };

/// For lines of code and differences, which are indented and aligned.
pub(super) const OF_BLOCK: Spaces = Spaces { leading: 64, inner: 16 };

/// `text` in one line in which nothing draws or hides. Line ends are spelled out, too.
#[must_use]
pub fn line(text: &str) -> String {
    pieces(text, OF_LINE).into_iter().map(|piece| piece.text).collect()
}

/// `text` with everything spelled out that is not ASCII: for whoever wants to know which letters these are.
#[must_use]
pub fn spelled(text: &str) -> String {
    spelled_pieces(text).into_iter().map(|piece| piece.text).collect()
}

/// The same in pieces.
pub(super) fn spelled_pieces(text: &str) -> Vec<Piece> {
    let ascii = |character: char| matches!(character, ' '..='~');
    let one = |(place, character): (usize, char)| {
        let imitates = text.get(place..).is_some_and(imitates);
        plain(if ascii(character) && !imitates { character.to_string() } else { code(character) })
    };
    text.char_indices().map(one).collect()
}

/// `text` in pieces that can be put side by side.
pub(super) fn pieces(text: &str, spaces: Spaces) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut before = None;
    let mut marks = 0;
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if character == ' ' {
            let behind = rest.trim_start_matches(' ');
            let count = rest.len() - behind.len();
            let most = match (pieces.is_empty(), behind.is_empty()) {
                (_, true) => 0,
                (true, false) => spaces.leading,
                (false, false) => spaces.inner,
            };
            if count > most {
                pieces.push(plain(format!("<{count} space{}>", if count == 1 { "" } else { "s" })));
            } else {
                pieces.extend(std::iter::repeat_n(plain(" ".to_owned()), count));
            }
            rest = behind;
        } else {
            let mut behind = rest.chars();
            behind.next();
            let columns = character.width_cjk().unwrap_or(1);
            marks = if columns == 0 { marks + 1 } else { 0 };
            let piece = if glyph::is_seen(before, character) && marks <= MOST_MARKS && !imitates(rest) {
                Piece { text: character.to_string(), columns }
            } else {
                plain(code(character))
            };
            // A mark stays with its letter.
            match pieces.last_mut().filter(|_| piece.columns == 0) {
                Some(last) => last.text.push_str(&piece.text),
                None => pieces.push(piece),
            }
            rest = behind.as_str();
        }
        before = Some(character);
    }
    pieces
}

/// Whether our own spelling of a character stands here, and so is none.
fn imitates(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('<') else { return false };
    let number = inside.trim_start_matches(|c: char| c.is_ascii_digit());
    inside.starts_with("U+") || (number.len() < inside.len() && number.starts_with(" space"))
}

fn plain(text: String) -> Piece {
    Piece { columns: text.len(), text }
}

fn code(character: char) -> String {
    let mut shown = String::new();
    let _ = write!(shown, "<U+{:04X}>", u32::from(character));
    shown
}

#[cfg(test)]
mod tests {
    use super::{line, spelled};

    #[test]
    fn nothing_that_draws_hides_or_pads_is_left_as_it_is() {
        let cases = [
            ("plain, ünïcödé and 日本", "plain, ünïcödé and 日本"),
            ("red \u{1b}[31m", "red <U+001B>[31m"),
            ("\u{1b}]8;;https://evil.example\u{7}x", "<U+001B>]8;;https://evil.example<U+0007>x"),
            ("two\nlines\r", "two<U+000A>lines<U+000D>"),
            ("a\u{202e}b\u{2066}c", "a<U+202E>b<U+2066>c"),
            ("a\u{200b}b\u{feff}", "a<U+200B>b<U+FEFF>"),
            ("tab\there", "tab<U+0009>here"),
            ("a        rm -rf", "a<8 spaces>rm -rf"),
            ("a b  c", "a b  c"),
            (" a ", "<1 space>a<1 space>"),
            ("a\u{a0}b\u{3000}c", "a<U+00A0>b<U+3000>c"),
            ("e\u{301}", "e<U+0301>"),
            ("น้ำที่ก็", "น้ำที่ก็"),
            ("ก\u{e47}\u{e47}\u{e47}x", "ก\u{e47}<U+0E47><U+0E47>x"),
            (
                "ש\u{5b0}\u{5b1}\u{5b2}\u{5b3}\u{5b4}\u{5b5}ש\u{5b0}",
                "ש\u{5b0}\u{5b1}\u{5b2}\u{5b3}<U+05B4><U+05B5>ש\u{5b0}",
            ),
            ("<U+202E>", "<U+003C>U+202E>"),
            ("<8 spaces>", "<U+003C>8 spaces>"),
            ("a<b && 1<5", "a<b && 1<5"),
            ("", ""),
        ];
        for (text, want) in cases {
            assert_eq!(line(text), want, "{text:?}");
        }
        assert_eq!(spelled("аdmin é"), "<U+0430>dmin <U+00E9>");
    }
}
