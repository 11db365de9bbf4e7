//! The letters of one block of ASCII, collected without a branch for each byte: whether the next one is a
//! letter is what a processor cannot guess.

use super::Alphabet;
use crate::blocks::bits_where;

/// How many bytes are looked at together: as many as a number has bits.
pub(super) const HALF: usize = 64;

/// So many letters are copied at once, whether a word has as many or not.
const COPIED: usize = 16;

/// How many of the first so many bytes are plain letters. All are looked at, since that takes no branch.
pub(super) fn count_first(block: &[u8; 2 * HALF], count: u8) -> usize {
    let places = block.iter().zip(&PLACES);
    let letters =
        places.map(|(byte, place)| u8::from(((byte | 0x20).wrapping_sub(b'a') < 26) & (*place < count)));
    usize::from(letters.sum::<u8>())
}

/// Every place in a block.
#[expect(clippy::indexing_slicing, reason = "the index runs over the table, and at compile time")]
static PLACES: [u8; 2 * HALF] = {
    let mut places = [0; 2 * HALF];
    let mut place = 0;
    while place < places.len() {
        places[place] = place as u8;
        place += 1;
    }
    places
};

/// Letters of a block, of two halves at most.
pub(super) struct Found {
    letters: [u8; 256],
    length: u8,
}

impl Default for Found {
    fn default() -> Self {
        Self { letters: [0; 256], length: 0 }
    }
}

impl Found {
    pub(super) const fn clear(&mut self) {
        self.length = 0;
    }

    pub(super) fn letters(&self) -> &[u8] {
        self.letters.get(..usize::from(self.length)).unwrap_or_default()
    }

    /// Adds the plain letters of a block. What is missing of its last half is filled up with blanks.
    #[inline(always)]
    pub(super) fn add_all_words(&mut self, block: &[u8]) {
        let mut last = [b' '; HALF];
        let mut at = 0;
        while let Some(rest) = block.get(at..).filter(|rest| !rest.is_empty()) {
            let half = rest.first_chunk().unwrap_or_else(|| {
                last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
                &last
            });
            self.add_words(half);
            at += HALF;
        }
    }

    /// Adds plain letters word by word. What is copied behind the end of a word is written over by the
    /// next one.
    #[inline(always)]
    fn add_words(&mut self, half: &[u8; HALF]) {
        // One loop for each, or a compiler does them byte by byte.
        let mut left = bits_where(half, |byte| (byte | 0x20).wrapping_sub(b'a') < 26);
        if left == 0 {
            return;
        }
        let mut folded = [0; HALF + COPIED];
        for (folded, byte) in folded.iter_mut().zip(half) {
            let small = byte | 0x20;
            *folded = small - (b'l' - b'i') * u8::from(small == b'l');
        }
        let mut length = usize::from(self.length);
        while left != 0 {
            let start = left.trailing_zeros() as usize;
            // Adding the first letter of a word carries to the place behind its last one.
            let behind = left.wrapping_add(left & left.wrapping_neg());
            let end = behind.trailing_zeros() as usize;
            left &= behind;
            self.copy(&folded, start, length);
            if end - start > COPIED {
                (1..HALF / COPIED)
                    .for_each(|part| self.copy(&folded, start + part * COPIED, length + part * COPIED));
            }
            length += end - start;
        }
        self.length = length as u8;
    }

    #[inline(always)]
    fn copy(&mut self, folded: &[u8; HALF + COPIED], from: usize, to: usize) {
        let letters = folded.get(from..).and_then(|letters| letters.first_chunk::<COPIED>());
        let place = self.letters.get_mut(to..).and_then(|place| place.first_chunk_mut());
        if let (Some(letters), Some(place)) = (letters, place) {
            *place = *letters;
        }
    }

    /// Adds the letters of any alphabet byte by byte.
    pub(super) fn add_each(&mut self, block: &[u8], alphabet: Alphabet) {
        let letters = alphabet.letters();
        for &byte in block {
            let letter = letters.get(usize::from(byte)).copied().unwrap_or_default();
            if let Some(next) = self.letters.get_mut(usize::from(self.length)) {
                *next = letter;
            }
            self.length = self.length.wrapping_add(u8::from(letter != 0));
        }
    }
}
