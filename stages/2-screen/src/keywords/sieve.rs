//! A table that says of a few letters whether some word has them as its rarest ones.
//!
//! It is asked in two steps: where to look for many places at once, in small numbers that a compiler makes
//! eight at a time, and then what stands there for each.

use super::Letters;
use crate::blocks::write_places;

/// Which few letters have words?
pub(super) enum Sieve {
    Three(Threes),
    Four(Fours),
}

/// For each hash of three letters, whether a word may have them.
pub(super) struct Threes(Box<[u8; 1 << 16]>);

/// For each hash of four letters, whether a word may have some of them: [`BEFORE_LAST`], [`AT_LAST`].
pub(super) struct Fours(Box<[u8; 1 << 16]>);

/// The letters of a word end one letter before the last of four.
const BEFORE_LAST: u8 = 1;

/// They end with the last of them.
const AT_LAST: u8 = 2;

/// A byte for everything that two bytes can say.
fn table() -> Box<[u8; 1 << 16]> {
    vec![0; 1 << 16].into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([0; 1 << 16]))
}

impl Sieve {
    /// One that lets nothing pass, and looks at so many letters at a time.
    pub(super) fn new(letters: Letters) -> Self {
        match letters {
            Letters::Three => Self::Three(Threes(table())),
            Letters::Four => Self::Four(Fours(table())),
        }
    }

    /// Lets places pass where these letters of `word` end, which are its last ones before `end`.
    pub(super) fn let_pass(&mut self, word: &[u8], end: usize) {
        let Some((front, behind)) = word.split_at_checked(end) else { return };
        let last = window_of(front);
        match self {
            Self::Three(threes) => threes.add(last),
            // Only every second place is looked at: the end of these letters, or one letter later.
            Self::Four(fours) => {
                let neighbours = Neighbours::of(word);
                match front.len() {
                    ..4 => neighbours.each(|letter| fours.add((letter << 24) | last, AT_LAST)),
                    _ => fours.add(last, AT_LAST),
                }
                match behind.first() {
                    Some(&next) => fours.add((last << 8) | u32::from(next), BEFORE_LAST),
                    None => neighbours.each(|letter| fours.add((last << 8) | letter, BEFORE_LAST)),
                }
            }
        }
    }

    /// Adds the places of `text` where letters may end that a word has, in order.
    #[inline(always)]
    pub(super) fn pass(&self, text: &[u8], found: &mut impl Collect) {
        match self {
            Self::Three(threes) => threes.pass(text, found),
            Self::Four(fours) => fours.pass(text, found),
        }
    }
}

/// Takes the places that pass.
pub(super) trait Collect {
    /// Takes those of the next stretch. To be inlined always, as all that looks at every letter.
    fn add(&mut self, passed: Passed);
}

impl Threes {
    /// Of as many as two bytes can say, only the first so many are used: they fit the fastest memory.
    const USED: u16 = 1 << 14;

    /// Three letters as digits of a number, which tells nearly all of them apart; and small enough for
    /// many to be made at once.
    #[inline(always)]
    const fn hash(first: u8, second: u8, third: u8) -> u16 {
        let (first, second, third) = ((first | 0x20) as u16, (second | 0x20) as u16, (third | 0x20) as u16);
        first.wrapping_add(second.wrapping_mul(121)).wrapping_add(third.wrapping_mul(121 * 121)) % Self::USED
    }

    fn add(&mut self, window: u32) {
        let [_, first, second, third] = window.to_be_bytes();
        let known = self.0.get_mut(usize::from(Self::hash(first, second, third)));
        known.into_iter().for_each(|known| *known = 1);
    }

    /// 1 for yes, 0 for no.
    #[inline(always)]
    fn knows(&self, hash: u16) -> u64 {
        u64::from(self.0.get(usize::from(hash)).copied().unwrap_or_default())
    }

    #[inline(always)]
    fn pass(&self, text: &[u8], found: &mut impl Collect) {
        let mut start = 0;
        let mut hashes = [0; STRETCH];
        let mut filled = [0; WITH_BEHIND];
        while let Some((letters, used)) = stretch(text, start, &mut filled) {
            let ([first @ .., _, _], [_, second @ .., _], [_, _, third @ ..]) = (letters, letters, letters);
            for (((hash, first), second), third) in hashes.iter_mut().zip(first).zip(second).zip(third) {
                *hash = Self::hash(*first, *second, *third);
            }
            // The first window of a stretch ends three letters behind its start.
            let mut passed = Passed { first: start + 3, places: 0 };
            each_eight(&hashes, used, |hashes| {
                hashes.iter().rev().for_each(|&hash| passed.add(self.knows(hash)));
            });
            found.add(passed);
            start += STRETCH;
        }
    }
}

impl Fours {
    /// Of two letters and the two behind them; numbers so small that many are made at once.
    #[inline(always)]
    const fn hash(two: [u8; 2], behind: [u8; 2]) -> u16 {
        let (two, behind) = (u16::from_le_bytes(two), u16::from_le_bytes(behind));
        two.wrapping_mul(6_411).wrapping_add(behind.wrapping_mul(35_795))
    }

    fn add(&mut self, window: u32, ends: u8) {
        let [first, second, third, fourth] = window.to_be_bytes();
        let known = self.0.get_mut(usize::from(Self::hash([first, second], [third, fourth])));
        known.into_iter().for_each(|known| *known |= ends);
    }

    /// Which of [`BEFORE_LAST`] and [`AT_LAST`] hold.
    #[inline(always)]
    fn knows(&self, hash: u16) -> u8 {
        self.0.get(usize::from(hash)).copied().unwrap_or_default()
    }

    #[inline(always)]
    fn pass(&self, text: &[u8], found: &mut impl Collect) {
        let mut start = 0;
        let mut hashes = [0; STRETCH / 2];
        let mut filled = [0; WITH_BEHIND];
        while let Some((letters, used)) = stretch(text, start, &mut filled) {
            let ([letters @ .., _, _], [_, _, behind @ ..]) = (letters, letters);
            let pairs = letters.as_chunks().0.iter().zip(behind.as_chunks().0);
            hashes.iter_mut().zip(pairs).for_each(|(hash, (two, behind))| *hash = Self::hash(*two, *behind));
            let mut passed = Passed { first: start + 3, places: 0 };
            // Two places have one number.
            each_eight(&hashes, used.div_ceil(2), |hashes| {
                hashes.iter().rev().for_each(|&hash| passed.add_two(u64::from(self.knows(hash))));
            });
            found.add(passed);
            start += STRETCH;
        }
    }
}

/// How many places are looked at before anything is done about those that pass.
const STRETCH: usize = 64;

/// A stretch, and what stands behind it and belongs to its last places.
const WITH_BEHIND: usize = STRETCH + 2;

/// The letters of the stretch at `start`, and how many of its places have any. The last one of a text is filled
/// up with zeros, which no word has.
#[inline(always)]
fn stretch<'l>(
    text: &'l [u8],
    start: usize,
    filled: &'l mut [u8; WITH_BEHIND],
) -> Option<(&'l [u8; WITH_BEHIND], usize)> {
    let rest = text.get(start..)?;
    match rest.first_chunk() {
        None if rest.len() > 2 => {
            filled.get_mut(..rest.len())?.copy_from_slice(rest);
            Some((filled, rest.len().min(STRETCH)))
        }
        whole => whole.map(|whole| (whole, STRETCH)),
    }
}

/// Calls `add` with the first `used` of these numbers, eight at a time, the last ones first.
#[inline(always)]
fn each_eight<const N: usize>(numbers: &[u16; N], used: usize, mut add: impl FnMut(&[u16; 8])) {
    let eights = numbers.as_chunks::<8>().0;
    if used == N {
        eights.iter().rev().for_each(add);
    } else {
        // Most texts are short.
        eights.iter().take(used.div_ceil(8)).rev().for_each(&mut add);
    }
}

/// Which places of a stretch passed. They are collected without a branch for each of them: which one passes
/// is what a processor cannot guess.
#[derive(Clone, Copy)]
pub(super) struct Passed {
    first: usize,
    // A bit for each place that passed, the lowest for the first.
    places: u64,
}

impl Passed {
    /// The most places that pass at once.
    pub(super) const MOST: usize = STRETCH;

    /// The place in front of the others passes if `known` is 1; not if it is 0.
    #[inline(always)]
    const fn add(&mut self, known: u64) {
        self.places = (self.places << 1) | known;
    }

    /// The same for two places; the lower bit is that of the first.
    #[inline(always)]
    const fn add_two(&mut self, known: u64) {
        self.places = (self.places << 2) | known;
    }

    /// Writes the places from `count` on, and says how many there are then.
    #[inline(always)]
    pub(super) fn write<const N: usize>(self, places: &mut [usize; N], count: usize) -> usize {
        write_places(self.places, self.first, places, count)
    }
}

/// What may stand beside a word: nothing, or any letter of its kind.
enum Neighbours {
    SmallLetters,
    Anything,
}

impl Neighbours {
    fn of(word: &[u8]) -> Self {
        if word.is_ascii() { Self::SmallLetters } else { Self::Anything }
    }

    fn each(&self, mut found: impl FnMut(u32)) {
        let letters = match self {
            Self::SmallLetters => b'a'..=b'z',
            Self::Anything => 1..=u8::MAX,
        };
        found(0);
        letters.for_each(|letter| found(u32::from(letter)));
    }
}

/// Up to four letters, the last of these, as the search has them.
pub(super) fn window_of(letters: &[u8]) -> u32 {
    letters.iter().fold(0, |window, &letter| (window << 8) | u32::from(letter))
}

/// Small and capital letters alike; and some signs, but this only says where to look closer.
pub(super) const fn folded(window: u32) -> u32 {
    window | FOLDED as u32
}

const FOLDED: u64 = 0x2020_2020_2020_2020;

/// An odd number without a pattern in its bits.
pub(super) const MULTIPLIER: u32 = 0x9E37_79B1;
