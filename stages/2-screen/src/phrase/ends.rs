//! Could an order go over from one text into another?
//!
//! Texts of a call are also read one behind the other, and nearly never does anything go over. Most of that is
//! told from what is known of each by itself: an order takes a word to begin with and one that it needs, and
//! each of them stands near the ends of a text or goes over a seam itself.

use std::collections::HashMap;
use std::sync::LazyLock;

use call::Family;

use super::{LATIN, Words};
use crate::folding::ByFolding;
use crate::keywords::seams::{Around, Gram, OUTER, Seams, parts};

/// What an order must be to count where it goes over from one text into another.
const KINDS: [&str; 3] = ["ignore_instructions", "credential_request", "prompt_reveal"];

/// Does an order of this kind count there?
pub(crate) fn counts(kind: &str) -> bool {
    KINDS.contains(&kind)
}

/// A set of phrases, by their places in the book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Phrases([u64; 5]);

impl Phrases {
    fn add(&mut self, place: usize) {
        self.0.get_mut(place >> 6).into_iter().for_each(|bits| *bits |= 1 << (place & 63));
    }

    fn with(self, other: Self) -> Self {
        Self(std::array::from_fn(|place| self.bits(place) | other.bits(place)))
    }

    fn meets(self, other: Self) -> bool {
        self.0.iter().zip(&other.0).any(|(bits, other)| bits & other != 0)
    }

    fn bits(self, place: usize) -> u64 {
        self.0.get(place).copied().unwrap_or_default()
    }
}

/// The phrases that words near the ends of texts belong to, or words that go over from one into another.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ends {
    begun: Phrases,
    needing: Phrases,
}

impl Ends {
    /// Of the first and the last so many letters of a text.
    pub(crate) fn of(words: &Words<'_>, near: usize) -> Self {
        let mut ends = Self::default();
        let last = words.letters.as_bytes().len().saturating_sub(near);
        for (book, hits) in words.hits.iter().flatten().filter(|(book, _)| book.family == Family::Override) {
            let front = hits.iter().take_while(|hit| hit.start < near);
            // Words are short, so those that end behind a place start not far in front of it.
            let back = hits.iter().rev().take_while(|hit| hit.start + usize::from(u8::MAX) > last);
            let back = back.filter(|hit| hit.start >= near && hit.end() > last);
            for uses in front.chain(back).filter_map(|hit| book.uses.get(hit.word())) {
                uses.begins.iter().for_each(|&place| ends.begun.add(place));
                uses.needed_by.iter().for_each(|&place| ends.needing.add(place));
            }
        }
        ends
    }

    /// Of two texts.
    pub(crate) fn with(self, other: Self) -> Self {
        Self { begun: self.begun.with(other.begun), needing: self.needing.with(other.needing) }
    }

    /// Is there no phrase that counts, of which a word to begin with and one that it needs are there?
    pub(crate) fn are_quiet(self) -> bool {
        let crossing = &*CROSSING;
        let begun =
            Phrases(std::array::from_fn(|place| self.begun.bits(place) & crossing.counted.bits(place)));
        !begun.meets(self.needing.with(crossing.needless))
    }
}

/// The first and the last letters of a part of a text: all that a word can have there that goes over one of its
/// ends, as far as is looked at.
#[derive(Clone, Copy)]
pub(crate) struct Outer {
    letters: [u8; 2 * OUTER + 1],
    count: usize,
}

impl Outer {
    pub(crate) fn of(part: &str) -> Self {
        let table = super::Alphabet::Plain.letters();
        let letter = |byte: &u8| table.get(usize::from(*byte)).copied().filter(|&letter| letter != 0);
        let bytes = part.as_bytes();
        let mut outer = Self { letters: [0; 2 * OUTER + 1], count: 0 };
        // What stands between them is told by a zero, which no word has.
        let (front, back) = outer.letters.split_at_mut(OUTER + 1);
        let count = front
            .iter_mut()
            .zip(bytes.iter().filter_map(letter))
            .map(|(place, letter)| *place = letter)
            .count();
        if count > OUTER {
            front.last_mut().into_iter().for_each(|between| *between = 0);
            let last = bytes.iter().rev().filter_map(letter);
            back.iter_mut().rev().zip(last).for_each(|(place, letter)| *place = letter);
        }
        outer.count = if count > OUTER { outer.letters.len() } else { count };
        outer
    }
}

/// Parts of texts one behind the other. The same texts are laid in several orders, and in the same room.
pub(crate) struct Row {
    letters: Vec<u8>,
    seams: Vec<usize>,
}

impl Row {
    /// Room for so many parts.
    pub(crate) fn with_room(parts: usize) -> Self {
        let letters = Vec::with_capacity(parts * (2 * OUTER + 1) + 2 * OUTER);
        Self { letters, seams: Vec::with_capacity(parts) }
    }

    /// The phrases that count of which a word may go over a seam between these parts, one behind the other.
    pub(crate) fn over<'o>(&mut self, parts: impl Iterator<Item = &'o Outer>) -> Ends {
        let Self { letters, seams } = self;
        letters.clear();
        seams.clear();
        // Around all of them stands what no word has.
        letters.extend_from_slice(&[0; OUTER]);
        for part in parts.filter(|part| part.count > 0) {
            seams.push(letters.len());
            letters.extend_from_slice(part.letters.get(..part.count).unwrap_or_default());
        }
        letters.extend_from_slice(&[0; OUTER]);
        // In front of the first part there is none.
        let around = |seam: &usize| letters.get(seam - OUTER..)?.first_chunk::<{ 2 * OUTER }>();
        let crossing = &*CROSSING;
        seams.iter().skip(1).filter_map(around).fold(Ends::default(), |all, around| {
            match crossing.words.may_go_over(around) {
                true => all.with(crossing.over(around)),
                false => all,
            }
        })
    }
}

/// What is known of the words of phrases that count.
struct Crossing {
    counted: Phrases,
    // Those that need no other word.
    needless: Phrases,
    words: Seams,
    // By short words, and by every few letters side by side in others.
    by_letters: HashMap<Gram, Ends, ByFolding>,
}

impl Crossing {
    fn add(&mut self, word: &str, phrase: Ends) {
        self.words.add(word.as_bytes());
        for letters in parts(word.as_bytes()) {
            let all = self.by_letters.entry(letters).or_default();
            *all = all.with(phrase);
        }
    }

    /// The phrases of which a word may stand over this seam among letters.
    #[inline(never)]
    fn over(&self, around: &Around) -> Ends {
        // Nearly all are told to be none of a word, which is quicker than to look them up.
        let parts = self.words.parts_over(around);
        parts.filter_map(|part| self.by_letters.get(&part)).fold(Ends::default(), |all, ends| all.with(*ends))
    }
}

static CROSSING: LazyLock<Crossing> = LazyLock::new(|| {
    let (counted, needless) = (Phrases::default(), Phrases::default());
    let mut crossing = Crossing { counted, needless, words: Seams::none(), by_letters: HashMap::default() };
    for (_, book) in LATIN.iter().filter(|(family, _)| *family == Family::Override) {
        for (place, entry) in book.entries.iter().enumerate().filter(|(_, entry)| counts(entry.phrase.kind)) {
            crossing.counted.add(place);
            if entry.phrase.needs.is_empty() {
                crossing.needless.add(place);
            }
            let (mut first, mut needed) = (Ends::default(), Ends::default());
            first.begun.add(place);
            needed.needing.add(place);
            entry.firsts().for_each(|word| crossing.add(&word, first));
            entry.needed().for_each(|word| crossing.add(&word, needed));
        }
    }
    crossing
});

#[cfg(test)]
mod tests {
    use super::{Family, LATIN};

    #[test]
    fn every_phrase_has_its_bit_and_every_word_is_short() {
        for (_, book) in LATIN.iter().filter(|(family, _)| *family == Family::Override) {
            assert!(book.entries.len() <= 320);
            assert!(
                book.entries
                    .iter()
                    .flat_map(|entry| entry.firsts().chain(entry.needed()))
                    .all(|word| word.len() < 255)
            );
        }
    }
}
