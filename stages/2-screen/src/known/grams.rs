//! A few bytes of values, so that most of a text is told to have none of them by looking at some of its places.
//!
//! A value that is long enough has bytes to look up wherever it stands, though only every second, fourth or eighth
//! place of a text is looked at: so many windows of it are known, one behind the other. They are known by short
//! hashes, and those only in the company of all others. Five letters of a value stand in many texts; a place counts
//! when enough of its neighbours are known as well.

use std::ops::RangeInclusive;

/// How many bytes are looked up together.
pub(super) const GRAM: usize = 5;

/// Hashes of windows of values.
#[derive(Clone, Default)]
pub(super) struct Grams {
    // Two bits for each window that occurs; empty when there is none.
    bits: Vec<u64>,
    step: Step,
}

/// Which places of a text are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Two = 2,
    Four = 4,
    #[default]
    Eight = 8,
}

impl Step {
    /// The longest that passes over no value of this length.
    const fn for_length(length: usize) -> Self {
        match (length + 1).saturating_sub(GRAM) {
            ..4 => Self::Two,
            4..8 => Self::Four,
            8.. => Self::Eight,
        }
    }
}

impl Grams {
    /// Of how these values begin, none of which is shorter than [`super::table::WINDOW`].
    pub(super) fn of_beginnings<'v>(values: impl Iterator<Item = &'v [u8]> + Clone) -> Self {
        let shortest = values.clone().map(<[u8]>::len).min();
        let mut grams =
            Self { bits: Vec::new(), step: shortest.map_or_else(Step::default, Step::for_length) };
        for value in values {
            value.array_windows().take(grams.step as usize).for_each(|gram| grams.add(gram));
        }
        grams
    }

    /// Of all that these values have, so that every part of one which has `shortest` bytes is told.
    pub(super) fn of_parts<'v>(values: impl Iterator<Item = &'v [u8]>, shortest: usize) -> Self {
        let mut grams = Self { bits: Vec::new(), step: Step::for_length(shortest) };
        values.flat_map(<[u8]>::array_windows).for_each(|gram| grams.add(gram));
        grams
    }

    fn add(&mut self, gram: &[u8; GRAM]) {
        self.bits.resize(WORDS, 0);
        for (place, bit) in places_of(word_of(gram)) {
            self.bits.get_mut(place).into_iter().for_each(|bits| *bits |= bit);
        }
    }

    /// The windows of both.
    pub(super) fn with(&self, other: &Self) -> Self {
        let (mut bits, more) = match self.bits.len() < other.bits.len() {
            true => (other.bits.clone(), &self.bits),
            false => (self.bits.clone(), &other.bits),
        };
        bits.iter_mut().zip(more).for_each(|(bits, more)| *bits |= more);
        Self { bits, step: self.step.min(other.step) }
    }

    /// May something of them stand in `text`?
    pub(super) fn may_stand_in(&self, text: &[u8]) -> bool {
        self.each_in(text, |_| true)
    }

    /// For each place of `text` where a window may stand, calls `found` with the places where the value may begin
    /// that has it, until it says yes; and says whether it did.
    #[inline]
    pub(super) fn each_in(&self, text: &[u8], found: impl FnMut(RangeInclusive<usize>) -> bool) -> bool {
        let Some(bits) = self.bits.first_chunk() else { return false };
        match self.step {
            Step::Two => each_in::<2>(bits, text, found),
            Step::Four => each_in::<4>(bits, text, found),
            Step::Eight => each_in::<8>(bits, text, found),
        }
    }
}

/// Bits of a hash that are kept.
const KEPT: u32 = 18;

/// In numbers of so many bits.
const WORDS: usize = 1 << (KEPT - u64::BITS.ilog2());

#[inline]
fn each_in<const STEP: usize>(
    bits: &[u64; WORDS],
    text: &[u8],
    mut found: impl FnMut(RangeInclusive<usize>) -> bool,
) -> bool {
    let mut look = |word: u64, at: usize| {
        knows(bits, word) && is_in_company::<STEP>(bits, text, at) && {
            found(at.saturating_sub(STEP - 1)..=at)
        }
    };
    let words = text.array_windows().step_by(STEP);
    let rest = words.len() * STEP;
    for (word, at) in words.zip((0..).step_by(STEP)) {
        if look(u64::from_le_bytes(*word), at) {
            return true;
        }
    }
    // The last ones have fewer bytes behind them than a word.
    let mut last = [0; 2 * 8];
    let left = text.get(rest..).unwrap_or_default();
    last.iter_mut().zip(left).for_each(|(place, byte)| *place = *byte);
    let windows = (left.len() + 1).saturating_sub(GRAM);
    let words = last.array_windows().take(windows).step_by(STEP);
    words.zip((rest..).step_by(STEP)).any(|(word, at)| look(u64::from_le_bytes(*word), at))
}

/// Do so many windows stand in a row that are known, with the one at this place among them?
#[inline(never)]
fn is_in_company<const STEP: usize>(bits: &[u64; WORDS], text: &[u8], at: usize) -> bool {
    let is_known = |at: usize| {
        let gram = text.get(at..).and_then(<[u8]>::first_chunk);
        gram.is_some_and(|gram| knows(bits, word_of(gram)))
    };
    let front = (1..STEP).take_while(|back| at.checked_sub(*back).is_some_and(is_known)).count();
    let behind = (1..STEP).take_while(|ahead| is_known(at + ahead)).count();
    front + 1 + behind >= STEP
}

/// Is the window known that a word begins with? The second place is looked at only where the first one is set, which
/// hardly ever happens by chance; both hardly ever are.
#[inline]
fn knows(bits: &[u64; WORDS], word: u64) -> bool {
    let [first, second] = HASHES;
    holds(bits, place_of(word, first)) && holds(bits, place_of(word, second))
}

#[inline]
fn holds(bits: &[u64; WORDS], (place, bit): (usize, u64)) -> bool {
    bits.get(place % WORDS).is_some_and(|bits| bits & bit != 0)
}

/// What a window is multiplied with for either of its places: odd numbers without a pattern in their bits.
const HASHES: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93];

/// A window as a word, with nothing behind it.
const fn word_of(&[a, b, c, d, e]: &[u8; GRAM]) -> u64 {
    u64::from_le_bytes([a, b, c, d, e, 0, 0, 0])
}

fn places_of(word: u64) -> [(usize, u64); 2] {
    HASHES.map(|hash| place_of(word, hash))
}

/// A place of the window that a word begins with.
#[inline]
const fn place_of(word: u64, hash: u64) -> (usize, u64) {
    let window = word << (u64::BITS - 8 * GRAM as u32);
    let bit = window.wrapping_mul(hash) >> (u64::BITS - KEPT);
    ((bit / u64::BITS as u64) as usize, 1 << (bit % u64::BITS as u64))
}

#[cfg(test)]
mod tests {
    use super::{Grams, Step};

    const VALUE: &[u8] = b"0123456789abcdefghijk";

    #[test]
    fn every_part_that_is_long_enough_is_told_wherever_it_stands() {
        for shortest in 6..16 {
            let grams = Grams::of_parts([VALUE].into_iter(), shortest);
            for part in VALUE.windows(shortest) {
                for before in 0..20 {
                    for behind in 0..20 {
                        let text = [&vec![b'.'; before][..], part, &vec![b'.'; behind]].concat();
                        assert!(grams.may_stand_in(&text), "{shortest} {before} {behind}");
                    }
                }
            }
            assert!(!grams.may_stand_in(b"01230123.567801239abcABCDEFGH"));
        }
        assert!(!Grams::default().may_stand_in(VALUE));
    }

    #[test]
    fn a_value_begins_at_one_of_the_places_that_are_told() {
        for length in 6..=VALUE.len() {
            let value = VALUE.get(..length).unwrap();
            let grams = Grams::of_beginnings([value, VALUE].into_iter());
            for before in 0..20 {
                let text = [&vec![b'.'; before][..], value, b"."].concat();
                assert!(grams.each_in(&text, |mut starts| starts.any(|start| start == before)), "{length}");
            }
        }
    }

    #[test]
    fn of_two_the_smaller_step_holds() {
        let short = Grams::of_beginnings([VALUE.get(..6).unwrap()].into_iter());
        let long = Grams::of_beginnings([b"ABCDEFGHIJKLMNOP".as_slice()].into_iter());
        assert_eq!([short.step, long.step], [Step::Two, Step::Eight]);
        for both in [short.with(&long), long.with(&short)] {
            assert_eq!(both.step, Step::Two);
            for before in 0..20 {
                for value in [b"012345".as_slice(), b"ABCDEFGHIJKLMNOP"] {
                    assert!(both.may_stand_in(&[&vec![b'.'; before][..], value].concat()));
                }
            }
        }
        assert_eq!(long.with(&Grams::default()).step, Step::Eight);
    }
}
