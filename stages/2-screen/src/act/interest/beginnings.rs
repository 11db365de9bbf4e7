//! Words that begin like one of some names, found by the block.

use super::names::is_name;
use crate::blocks::{FEW, bits_where, write_places};
use crate::wide::{Work, widely};

/// The first letters of names, told by a number that three bytes make: a bit for each number.
pub(super) struct Beginnings(Box<[u64; NUMBERS / 64]>);

const NUMBERS: usize = 1 << 15;

/// An odd number without a pattern in its bits.
const MULTIPLIER: u32 = 0x9E37_79B1;

/// Three bytes as a number, from the lowest byte on; what stands in the highest counts for nothing. Letters of either
/// case are the same, and so are some signs.
#[inline(always)]
const fn number(three: u32) -> usize {
    ((three & 0x1F_1F1F).wrapping_mul(MULTIPLIER) >> (u32::BITS - NUMBERS.ilog2())) as usize
}

impl Beginnings {
    pub(super) fn none() -> Self {
        Self(Box::new([0; NUMBERS / 64]))
    }

    /// Adds a name. Behind a short one stands any byte; behind one of a single letter a dot, or it is no word.
    pub(super) fn add(&mut self, name: &[u8]) {
        match name {
            [] => {}
            [first] => self.add_short(*first, b'.'),
            [first, second] => self.add_short(*first, *second),
            [first, second, third, ..] => self.set([*first, *second, *third]),
        }
    }

    fn add_short(&mut self, first: u8, second: u8) {
        (0..=u8::MAX).for_each(|third| self.set([first, second, third]));
    }

    fn set(&mut self, [first, second, third]: [u8; 3]) {
        let number = number(u32::from_le_bytes([first, second, third, 0]));
        self.0.get_mut(number / 64).into_iter().for_each(|bits| *bits |= 1 << (number % 64));
    }

    /// May a name begin with the first three of these? A sign in front of it counts for nothing.
    #[inline(always)]
    fn hold(&self, four: [u8; 4]) -> bool {
        let number = number(u32::from_le_bytes(four));
        let known = self.0.get(number / 64).copied().unwrap_or_default() >> (number % 64) & 1 != 0;
        // `-` or `.`
        known | (four[0].wrapping_sub(b'-') < 2)
    }
}

/// Bytes that are looked at together.
const BLOCK: usize = 64;

/// The same, and what stands behind them and belongs to the last word.
const WITH_BEHIND: usize = BLOCK + 3;

/// Calls `found` with the start and end of each word that may be one of the names, which has more than one letter,
/// until it says yes; and says whether it did.
#[inline]
pub(super) fn each_word(
    bytes: &[u8],
    beginnings: &Beginnings,
    found: impl FnMut(usize, usize) -> bool,
) -> bool {
    widely(EachWord { bytes, beginnings, found })
}

struct EachWord<'w, F> {
    bytes: &'w [u8],
    beginnings: &'w Beginnings,
    found: F,
}

impl<F: FnMut(usize, usize) -> bool> Work for EachWord<'_, F> {
    type Done = bool;

    #[inline(always)]
    fn done(self) -> bool {
        each_word_here(self.bytes, self.beginnings, self.found)
    }
}

#[inline(always)]
fn each_word_here(
    bytes: &[u8],
    beginnings: &Beginnings,
    mut found: impl FnMut(usize, usize) -> bool,
) -> bool {
    let mut at = 0;
    let mut last = [0; WITH_BEHIND];
    let mut places = [0; BLOCK + FEW];
    // Whether the byte in front of the block belongs to a word.
    let mut inside = 0;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let block = rest.first_chunk::<WITH_BEHIND>().unwrap_or_else(|| {
            last = [0; WITH_BEHIND];
            last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
            &last
        });
        let names = block.first_chunk().map_or(0, name_bytes);
        let starts = names & !((names << 1) | inside);
        inside = names >> (BLOCK - 1);
        let count = write_places(starts, 0, &mut places, 0);
        // Words are many, and which of them begins like a name cannot be guessed: told without a branch for each.
        let mut near = 0;
        for place in 0..count {
            let place = places.get(place).copied().unwrap_or_default();
            let letters = block.get(place..).and_then(<[u8]>::first_chunk);
            let worth = beginnings.hold(letters.copied().unwrap_or_default());
            places.get_mut(near).into_iter().for_each(|next| *next = place);
            near += usize::from(worth);
        }
        for &place in places.iter().take(near) {
            let start = at + place;
            // Where the word ends, unless it goes on in the next block.
            let inside = (!(names >> place)).trailing_zeros() as usize;
            let length = if place + inside < BLOCK {
                inside
            } else {
                rest.iter().skip(place).take_while(|&&byte| is_name(byte)).count()
            };
            if length > 1 && found(start, start + length) {
                return true;
            }
        }
        at += BLOCK;
    }
    false
}

/// One bit for each byte that names are written with.
#[inline(always)]
fn name_bytes(block: &[u8; BLOCK]) -> u64 {
    bits_where(block, is_name_byte)
}

/// As [`is_name`], and quicker for many bytes at once.
#[inline(always)]
pub(super) const fn is_name_byte(byte: u8) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    // `-`, `.` and the digits, with `/` between them.
    let other = (byte.wrapping_sub(b'-') < 13) & (byte != b'/');
    letter | other | (byte == b'_')
}
