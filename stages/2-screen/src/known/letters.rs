//! What is left of a text without signs, or without tags.

use crate::blocks::bits;

/// The letters and digits of a text, in order.
pub(super) fn letters_of(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut letters = Vec::with_capacity(bytes.len() + STEP);
    let is_letter = |byte: u8| ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10);
    let (blocks, rest) = bytes.as_chunks::<64>();
    for (block, at) in blocks.iter().zip((0..).step_by(64)) {
        let mut marks = [0; 64];
        marks.iter_mut().zip(block).for_each(|(mark, &byte)| *mark = u8::from(is_letter(byte)));
        let mut marks = bits(&marks);
        while marks != 0 {
            let start = marks.trailing_zeros();
            let length = (!(marks >> start)).trailing_zeros();
            push_run(&mut letters, bytes, at + start as usize, length as usize);
            marks &= u64::MAX.checked_shl(start + length).unwrap_or_default();
        }
    }
    letters.extend(rest.iter().copied().filter(|&byte| is_letter(byte)));
    letters
}

/// Bytes that are copied at once; most words have fewer.
const STEP: usize = 16;

/// Adds the `length` bytes from `start` on. A few more are copied and cut off again, which is quicker than to
/// copy as many as there are.
#[inline]
fn push_run(letters: &mut Vec<u8>, bytes: &[u8], start: usize, length: usize) {
    match bytes.get(start..start + STEP) {
        Some(step) if length <= STEP => {
            let before = letters.len();
            letters.extend_from_slice(step);
            letters.truncate(before + length);
        }
        Some(_) | None => letters.extend_from_slice(bytes.get(start..start + length).unwrap_or_default()),
    }
}

/// What these letters are without those at both ends that others begin and end with too, and with a few more
/// that may belong to it.
pub(super) fn difference<'o>(letters: &[u8], others: &'o [u8]) -> &'o [u8] {
    const NEAR: usize = 256;
    let fronts = letters.as_chunks::<64>().0.iter().zip(others.as_chunks::<64>().0);
    let front = 64 * fronts.take_while(|(one, other)| one == other).count();
    if front == letters.len() && letters.len() == others.len() {
        return &[];
    }
    let backs = letters.as_rchunks::<64>().1.iter().rev().zip(others.as_rchunks::<64>().1.iter().rev());
    let back = 64 * backs.take_while(|(one, other)| one == other).count();
    let from = front.saturating_sub(NEAR);
    let to = (others.len() - back).saturating_add(NEAR).min(others.len());
    others.get(from..to).unwrap_or(others)
}

/// How many tags with little between them a text must have in a row to be read without them.
const FEWEST_TAGS: usize = 8;

/// Bytes that stand between them.
const MOST_BETWEEN: usize = 16;

/// A text as long as this one, with blanks for its tags, if some of them may stand between letters of a word.
pub(super) fn without_tags(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let (mut end, mut row) = (0, 0);
    let mut is_row = |start: usize| {
        let behind = bytes.get(start + 1..).unwrap_or_default();
        let between = start.saturating_sub(end);
        row = if between <= MOST_BETWEEN { row + 1 } else { 1 };
        // A tag ends before another begins.
        let length = memchr::memchr2(b'<', b'>', behind).unwrap_or(behind.len());
        end = start + 1 + length + usize::from(behind.get(length) == Some(&b'>'));
        row >= FEWEST_TAGS
    };
    if !memchr::memchr_iter(b'<', bytes).any(&mut is_row) {
        return None;
    }
    let mut blank = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('<') {
        blank.push_str(before);
        let length = behind.find(['<', '>']).filter(|&end| behind.as_bytes().get(end) == Some(&b'>'));
        let length = length.map_or(0, |end| end + 1);
        blank.extend(std::iter::repeat_n(' ', 1 + length));
        rest = behind.get(length..).unwrap_or_default();
    }
    blank.push_str(rest);
    Some(blank)
}

#[cfg(test)]
mod tests {
    use super::{difference, letters_of, without_tags};

    #[test]
    fn letters_are_all_letters_and_digits_in_order() {
        let text = "a-b_c 0123456789!abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@[`{:/ äé日 x ";
        for repeated in 0..5 {
            for from in 0..20 {
                let text = text.repeat(repeated);
                let text = text.get(from..).unwrap_or_default();
                let plainly: Vec<u8> = text.bytes().filter(u8::is_ascii_alphanumeric).collect();
                assert_eq!(letters_of(text), plainly, "{text}");
            }
        }
    }

    #[test]
    fn what_differs_lies_in_the_difference() {
        let long = "abcdefgh".repeat(200);
        let others = format!("{long}XYZ{long}");
        let apart = difference(format!("{long}nXZ{long}").as_bytes(), others.as_bytes());
        let apart = String::from_utf8(apart.to_vec()).unwrap();
        assert!(apart.contains("ghXYZab") && apart.len() < 800, "{apart}");
        assert_eq!(difference(b"abc", b"abd"), b"abd");
        assert_eq!(difference(b"", b"abd"), b"abd");
        assert_eq!(difference(b"abc", b""), b"");
    }

    #[test]
    fn only_tags_become_blanks() {
        let tags = "<a b='é'>".repeat(8);
        let blank = " ".repeat(tags.len());
        assert_eq!(without_tags(&format!("x{tags}y < z <b")).unwrap(), format!("x{blank}y   z  b"));
        assert_eq!(without_tags("<a>b</a>"), None);
    }
}
