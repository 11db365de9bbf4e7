//! Words in which digits or signs could stand for letters: `1gn0r3`.

use super::alphabet::{Alphabet, leet_letter};
use crate::blocks::{Look, any_block, bits_behind, bits_in_front, bits_where};

/// Is there a word in which digits or signs could stand for letters?
///
/// Not every digit in a text is one: nothing is written with `2` and `6`, a sign at the end of a
/// word is a sign, and it takes three characters to make a word, two of them letters or the first
/// one. Checksums and times of day fall out here.
pub(crate) fn has_leet(text: &str) -> bool {
    let bytes = text.as_bytes();
    let in_word =
        |byte: u8| !byte.is_ascii() || Alphabet::Leet.letter(byte) != 0 || matches!(byte, b'2' | b'6');
    let mut at = 0;
    // From one digit or sign to the next; whole words without any are passed over.
    any_beside_letter(bytes, |place| {
        if place < at {
            return false;
        }
        if is_alone(bytes, place) {
            return true;
        }
        let front =
            bytes.get(at..place).unwrap_or_default().iter().rev().take_while(|&&byte| in_word(byte)).count();
        let rest = bytes.get(place - front..).unwrap_or_default().iter();
        at = place - front;
        let mut word = Word::default();
        for &byte in rest.take_while(|&&byte| in_word(byte)) {
            word = word.with(byte);
            at += 1;
        }
        word.may_be_leet()
    })
}

/// Calls `found` with every digit or sign that has a letter beside it, or stands where one may stand alone,
/// until it says yes; and says whether it did. Numbers and signs by themselves, of which tables and programs
/// are full, are none.
#[inline]
fn any_beside_letter(bytes: &[u8], found: impl FnMut(usize) -> bool) -> bool {
    any_block(bytes, BesideLetter { bytes, found })
}

struct BesideLetter<'b, F> {
    bytes: &'b [u8],
    found: F,
}

impl<F: FnMut(usize) -> bool> Look for BesideLetter<'_, F> {
    #[inline(always)]
    fn look(&mut self, block: &[u8; 64], start: usize) -> bool {
        let disguises = bits_where(block, is_disguise);
        if disguises == 0 {
            return false;
        }
        // The places around a block count as well; around a text there are blanks.
        let around = |place: Option<usize>| place.and_then(|place| self.bytes.get(place)).unwrap_or(&b' ');
        let before = |steps: usize| around(start.checked_sub(steps));
        let (last, next) = (Some(before(1)), Some(around(Some(start + 64))));
        let beside = bits_behind(block, last, is_letter) | bits_in_front(block, next, is_letter);
        let is_blank = |byte: u8| byte == b' ';
        let behind_blank = bits_behind(block, last, is_blank);
        let farther = |steps: usize, place: u32| u64::from(is_blank(*before(steps))) << place;
        let far = (behind_blank << 2) | farther(3, 0) | farther(2, 1);
        let apart = far & behind_blank & bits_in_front(block, next, is_blank);
        let mut left = disguises & (beside | apart);
        while left != 0 {
            if (self.found)(start + left.trailing_zeros() as usize) {
                return true;
            }
            left &= left - 1;
        }
        false
    }
}

#[inline(always)]
const fn is_letter(byte: u8) -> bool {
    ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte >= 0x80)
}

/// Does a digit stand alone among letters that stand alone: `1 g n 0 r 3`?
fn is_alone(bytes: &[u8], place: usize) -> bool {
    let around = place.checked_sub(4).and_then(|from| bytes.get(from..place + 3));
    matches!(around, Some(&[before, b' ', letter, b' ', _, b' ', next])
        if letter.is_ascii_alphabetic() && before.is_ascii_alphanumeric() && next.is_ascii_alphanumeric())
}

/// A digit or sign that is used for a letter.
#[inline(always)]
const fn is_disguise(byte: u8) -> bool {
    ((byte.wrapping_sub(b'0') < 10) & (byte != b'2') & (byte != b'6'))
        | (byte == b'!')
        | (byte == b'|')
        | (byte == b'@')
        | (byte == b'$')
        | (byte == b'+')
}

/// What a word is made of.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    letters: usize,
    digits: usize,
    signs: usize,
    // Signs in front of the last letter.
    inner_signs: usize,
    starts_with_letter: bool,
    impossible: bool,
}

impl Word {
    fn with(mut self, byte: u8) -> Self {
        match byte {
            b'2' | b'6' => self.impossible = true,
            b'0'..=b'9' => self.digits += 1,
            _ if leet_letter(byte) != 0 => self.signs += 1,
            _ => {
                self.starts_with_letter |= self.digits + self.signs + self.letters == 0;
                self.letters += 1;
                self.inner_signs = self.signs;
            }
        }
        self
    }

    const fn may_be_leet(self) -> bool {
        let disguised = self.digits + self.inner_signs;
        let enough = self.letters >= 2 || (self.letters == 1 && self.starts_with_letter);
        !self.impossible && enough && disguised > 0 && self.letters + disguised >= 3
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{any_beside_letter, is_disguise, is_letter, leet_letter};

    #[test]
    fn every_disguise_has_a_letter() {
        for byte in 0..128 {
            assert_eq!(is_disguise(byte), leet_letter(byte) != 0, "{byte}");
        }
    }

    /// Every place by itself.
    fn plainly(text: &str) -> Vec<usize> {
        let bytes = text.as_bytes();
        let at = |place: Option<usize>| place.and_then(|place| bytes.get(place)).copied().unwrap_or(b' ');
        let is_it = |place: &usize| {
            let before = |steps: usize| at(place.checked_sub(steps));
            let (byte, behind) = (at(Some(*place)), at(Some(place + 1)));
            let beside = is_letter(before(1)) || is_letter(behind);
            is_disguise(byte) && (beside || [before(3), before(1), behind] == *b"   ")
        };
        (0..bytes.len()).filter(is_it).collect()
    }

    proptest! {
        #[test]
        fn places_of_a_block_are_those_one_by_one(text in "[a0é !x 2.]{0,200}") {
            let mut places = Vec::new();
            any_beside_letter(text.as_bytes(), |place| {
                places.push(place);
                false
            });
            prop_assert_eq!(places, plainly(&text));
        }
    }
}
