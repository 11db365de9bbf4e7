//! A table of bits that says of a few letters whether some word has them as its rarest ones.

use super::{Case, Letters};

/// Which few letters have words?
pub(super) struct Sieve {
    // One bit for each hash of letters.
    known: Box<[u64; HASHES / 64]>,
    letters: Letters,
    // Drops what is no part of the last few letters, and hashes the rest.
    multiplier: u32,
}

const HASHES: usize = 1 << 17;

impl Sieve {
    /// One that lets nothing pass, and looks at so many letters at a time.
    pub(super) fn new(letters: Letters) -> Self {
        let multiplier = match letters {
            // The letter that is no part of it is shifted out of the product.
            Letters::Three => MULTIPLIER << 8,
            Letters::Four => MULTIPLIER,
        };
        Self { known: Box::new([0; HASHES / 64]), letters, multiplier }
    }

    /// Lets these letters pass.
    pub(super) fn let_pass(&mut self, letters: &[u8], case: Case) {
        spellings(letters, case, self.letters.count(), &mut |window| self.add(window));
    }

    fn add(&mut self, window: u32) {
        let hash = hash(window, self.multiplier);
        self.known.get_mut(hash / 64).into_iter().for_each(|known| *known |= 1 << (hash % 64));
    }

    fn knows(&self, window: u32) -> bool {
        let hash = hash(window, self.multiplier);
        (self.known.get(hash / 64).copied().unwrap_or_default() >> (hash % 64)) & 1 == 1
    }

    /// Calls `found` with every few letters of `text` that a word may have, as a window, and with
    /// where they end.
    #[inline]
    pub(super) fn pass(&self, text: &[u8], mut found: impl FnMut(u32, usize)) {
        let mut window = 0;
        // Four letters are read at once, and four windows end with one of them.
        let (fours, rest) = text.as_chunks::<4>();
        let mut at = 0;
        for four in fours {
            let both = (u64::from(window) << 32) | u64::from(u32::from_be_bytes(*four));
            let windows = [(both >> 24) as u32, (both >> 16) as u32, (both >> 8) as u32, both as u32];
            let known = windows.map(|window| self.knows(window));
            if known != [false; 4] {
                for (place, (window, known)) in windows.into_iter().zip(known).enumerate() {
                    if known {
                        found(window, at + place + 1);
                    }
                }
            }
            window = both as u32;
            at += 4;
        }
        for &letter in rest {
            window = (window << 8) | u32::from(letter);
            at += 1;
            if self.knows(window) {
                found(window, at);
            }
        }
    }
}

/// Calls `found` with every way in which the last `length` letters of a text may end with these.
fn spellings(letters: &[u8], case: Case, length: usize, found: &mut impl FnMut(u32)) {
    let window = window_of(letters);
    if letters.len() < length {
        // Nothing in front of it, or any letter.
        found(window);
        (b'a'..=b'z').for_each(|letter| found((u32::from(letter) << 24) | window));
        return;
    }
    match case {
        Case::Exact => found(window),
        Case::Either => {
            // The bit that tells capital letters from small ones, in every set of places.
            for places in 0..1_u32 << length {
                let bits = letters.iter().rev().zip(0..).map(|(letter, place)| {
                    let capital = letter.is_ascii_lowercase() && places & (1 << place) != 0;
                    if capital { 0x20 << (8 * place) } else { 0 }
                });
                found(window - bits.sum::<u32>());
            }
        }
    }
}

/// Up to four letters as the search has them.
pub(super) fn window_of(letters: &[u8]) -> u32 {
    letters.iter().fold(0, |window, &letter| (window << 8) | u32::from(letter))
}

/// The hash of the last letters of a text.
const fn hash(window: u32, multiplier: u32) -> usize {
    (window.wrapping_mul(multiplier) >> (u32::BITS - HASHES.ilog2())) as usize
}

/// An odd number without a pattern in its bits.
pub(super) const MULTIPLIER: u32 = 0x9E37_79B1;
