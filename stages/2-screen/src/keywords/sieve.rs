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

    /// Passes over `text` up to and with the next letters that a word may have; `window` holds the
    /// last letters passed over. Nothing at the end of the text.
    #[inline(never)]
    pub(super) fn pass(&self, text: &[u8], window: &mut u32) -> Option<usize> {
        // Four letters are read at once, and four windows end with one of them.
        let (fours, rest) = text.as_chunks::<4>();
        for (number, four) in fours.iter().enumerate() {
            let both = (u64::from(*window) << 32) | u64::from(u32::from_be_bytes(*four));
            for place in 0..4 {
                *window = (both >> (24 - 8 * place)) as u32;
                if self.knows(*window) {
                    return Some(number * 4 + place + 1);
                }
            }
        }
        for (place, &letter) in rest.iter().enumerate() {
            *window = (*window << 8) | u32::from(letter);
            if self.knows(*window) {
                return Some(fours.len() * 4 + place + 1);
            }
        }
        None
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
