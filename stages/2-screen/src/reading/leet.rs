//! Words in which digits or signs could stand for letters: `1gn0r3`.

use super::alphabet::{Alphabet, leet_letter};

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
    while let Some(place) = next_beside_letter(bytes, at) {
        if is_alone(bytes, place) {
            return true;
        }
        let front =
            bytes.get(at..place).unwrap_or_default().iter().rev().take_while(|&&byte| in_word(byte)).count();
        let word = bytes.get(place - front..).unwrap_or_default();
        let length = word.iter().position(|&byte| !in_word(byte)).unwrap_or(word.len());
        if word.iter().take(length).fold(Word::default(), |word, &byte| word.with(byte)).may_be_leet() {
            return true;
        }
        at = place - front + length;
    }
    false
}

/// The next digit or sign that has a letter beside it, or stands where one may stand alone. Numbers and
/// signs by themselves, of which tables and programs are full, are none.
fn next_beside_letter(bytes: &[u8], from: usize) -> Option<usize> {
    const BLOCK: usize = 32;
    let is_it = |far: u8, before: u8, byte: u8, behind: u8| {
        let beside = is_letter(before) | is_letter(behind);
        let apart = (far == b' ') & (before == b' ') & (behind == b' ');
        is_disguise(byte) & (beside | apart)
    };
    let at = |place: Option<usize>| place.and_then(|place| bytes.get(place)).copied().unwrap_or(b' ');
    let one = |place: usize| {
        let before = |steps: usize| at(place.checked_sub(steps));
        is_it(before(3), before(1), at(Some(place)), at(Some(place + 1)))
    };
    let mut place = from;
    while place < bytes.len() {
        let here = bytes.get(place..).and_then(<[u8]>::first_chunk::<BLOCK>);
        if here.is_some_and(|here| !here.iter().fold(false, |any, &byte| any | may_disguise(byte))) {
            place += BLOCK;
            continue;
        }
        let block = place.checked_sub(3).and_then(|first| bytes.get(first..)?.first_chunk::<{ BLOCK + 4 }>());
        if let Some(block) = block {
            let (far, before, here, behind) =
                (block.iter(), block.iter().skip(2), block.iter().skip(3), block.iter().skip(4));
            let all = far.zip(before).zip(here).zip(behind).take(BLOCK);
            if !all.fold(false, |any, (((&far, &before), &byte), &behind)| {
                any | is_it(far, before, byte, behind)
            }) {
                place += BLOCK;
                continue;
            }
        }
        let end = bytes.len().min(place + BLOCK);
        let may_be = |place: &usize| bytes.get(*place).is_some_and(|&byte| may_disguise(byte));
        if let Some(found) = (place..end).filter(may_be).find(|&place| one(place)) {
            return Some(found);
        }
        place = end;
    }
    None
}

const fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() | !byte.is_ascii()
}

/// Does a digit stand alone among letters that stand alone: `1 g n 0 r 3`?
fn is_alone(bytes: &[u8], place: usize) -> bool {
    let around = place.checked_sub(4).and_then(|from| bytes.get(from..place + 3));
    matches!(around, Some(&[before, b' ', letter, b' ', _, b' ', next])
        if letter.is_ascii_alphabetic() && before.is_ascii_alphanumeric() && next.is_ascii_alphanumeric())
}

/// A digit or sign that is used for a letter.
const fn is_disguise(byte: u8) -> bool {
    matches!(byte, b'0' | b'1' | b'3'..=b'5' | b'7'..=b'9' | b'!' | b'|' | b'@' | b'$' | b'+')
}

/// The same and two digits more, which is told sooner.
const fn may_disguise(byte: u8) -> bool {
    (byte.wrapping_sub(b'0') < 10)
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
    use super::{is_disguise, leet_letter, may_disguise};

    #[test]
    fn every_disguise_has_a_letter() {
        for byte in 0..128 {
            assert_eq!(is_disguise(byte), leet_letter(byte) != 0, "{byte}");
            assert!(!is_disguise(byte) || may_disguise(byte), "{byte}");
        }
    }
}
