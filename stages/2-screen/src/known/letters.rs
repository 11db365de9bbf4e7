//! What is left of a text without signs, or without tags.

use crate::blocks::bits;
use crate::wide::{Work, widely};

/// The letters and digits of a text, in order and in small letters.
pub(super) fn letters_of(text: &str) -> Vec<u8> {
    widely(Gathering(text.as_bytes()))
}

/// Letters and digits that are gathered of a text.
struct Gathering<'t>(&'t [u8]);

/// Bytes that are looked at together, and those that are copied at once; most words have fewer.
const BLOCK: usize = 64;
const STEP: usize = 16;

impl Work for Gathering<'_> {
    type Done = Vec<u8>;

    /// Word by word. What is copied behind the end of a word is written over by the next one, which is quicker than
    /// to copy as many bytes as there are.
    #[inline(always)]
    fn done(self) -> Vec<u8> {
        let (blocks, rest) = self.0.as_chunks::<BLOCK>();
        let mut letters = vec![0; self.0.len() + STEP];
        let mut count = 0;
        let mut last = [0; BLOCK];
        last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        for block in blocks.iter().chain([&last]) {
            let (mut small, mut is_letter) = ([0; BLOCK + STEP], [0; BLOCK]);
            for ((small, is_letter), &byte) in small.iter_mut().zip(&mut is_letter).zip(block) {
                // Of a digit that is the digit.
                *small = byte | 0x20;
                *is_letter = u8::from((small.wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10));
            }
            let mut left = bits(&is_letter);
            while left != 0 {
                let start = left.trailing_zeros();
                let length = (!(left >> start)).trailing_zeros().min(STEP as u32);
                let word = small.get(start as usize..).and_then(<[u8]>::first_chunk::<STEP>);
                let place = letters.get_mut(count..).and_then(<[u8]>::first_chunk_mut::<STEP>);
                if let (Some(word), Some(place)) = (word, place) {
                    *place = *word;
                }
                count += length as usize;
                left &= u64::MAX.checked_shl(start + length).unwrap_or_default();
            }
        }
        letters.truncate(count);
        letters
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
    use super::{Gathering, Work as _, difference, letters_of, without_tags};

    #[test]
    fn letters_are_all_letters_and_digits_in_order_and_small() {
        let text = "a-b_c 0123456789!abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@[`{:/ äé日 x ";
        for repeated in 0..5 {
            for from in 0..20 {
                let text = text.repeat(repeated);
                let text = text.get(from..).unwrap_or_default();
                let letters = text.bytes().filter(u8::is_ascii_alphanumeric);
                let plainly: Vec<u8> = letters.map(|byte| byte.to_ascii_lowercase()).collect();
                assert_eq!(letters_of(text), plainly, "{text}");
                assert_eq!(Gathering(text.as_bytes()).done(), plainly, "{text}");
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
