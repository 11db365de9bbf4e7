//! The letters of a text one after the other, and nothing between them, not even sentences.
//!
//! Not for reading, only for searching: where none of the words stands that phrases are made of,
//! nothing needs to be squeezed with care. The way back is as short as can be, because it is hardly
//! ever gone: how many letters stand in front of every block of the text.

mod found;
mod rest;

use super::alphabet::{Alphabet, Folded};
use crate::view::Kept;
use crate::wide::{Work, widely};
use found::Found;
pub(crate) use rest::Rest;

/// The letters of a text.
#[derive(Debug)]
pub(crate) struct Letters<'t> {
    text: &'t str,
    alphabet: Alphabet,
    letters: Vec<u8>,
    // For the first byte of each block: its place in the text, and the number of letters before it. The
    // first block of all need not be there, so that a short text has none.
    blocks: Vec<(usize, usize)>,
}

/// Bytes of a block.
const BLOCK: usize = 2 * found::HALF;

/// What is to be read of a text.
struct Reading<'r, 't> {
    letters: &'r mut Letters<'t>,
    from: usize,
    to: usize,
    folded: &'r mut Folded,
}

impl Work for Reading<'_, '_> {
    type Done = ();

    #[inline(always)]
    fn done(self) {
        self.letters.read_here(self.from, self.to, self.folded);
    }
}

impl<'t> Letters<'t> {
    pub(crate) fn of(text: &'t str, alphabet: Alphabet) -> Self {
        let mut all = Self::none(text, alphabet);
        all.read(0, text.len(), &mut Folded::default());
        all
    }

    /// The same, for a text that has these stretches of one whose letters are known; and which
    /// stretches of letters are the same.
    pub(crate) fn again<'u>(&self, text: &'u str, kept: &[Kept]) -> (Letters<'u>, Vec<Kept>) {
        let mut folded = Folded::default();
        let mut all = Letters::none(text, self.alphabet);
        let mut kept_letters = Vec::with_capacity(kept.len());
        let mut at = 0;
        for stretch in kept {
            all.read(at, stretch.at, &mut folded);
            kept_letters.push(all.copy(self, *stretch, &mut folded));
            at = stretch.at + stretch.length;
        }
        all.read(at, text.len(), &mut folded);
        (all, kept_letters)
    }

    fn none(text: &'t str, alphabet: Alphabet) -> Self {
        let blocks = Vec::with_capacity(text.len().saturating_sub(1) / BLOCK);
        Self { text, alphabet, letters: Vec::with_capacity(text.len()), blocks }
    }

    fn read(&mut self, from: usize, to: usize, folded: &mut Folded) {
        widely(Reading { letters: self, from, to, folded });
    }

    #[inline(always)]
    fn read_here(&mut self, from: usize, to: usize, folded: &mut Folded) {
        let mut found = Found::default();
        let mut at = from;
        while at < to {
            if at > 0 {
                self.blocks.push((at, self.letters.len()));
            }
            let end = self.text.ceil_char_boundary(at.saturating_add(BLOCK).min(to));
            let block = self.text.get(at..end).unwrap_or_default();
            if block.is_ascii() {
                self.add_ascii(block.as_bytes(), &mut found);
            } else {
                self.add(block, folded);
            }
            at = end;
        }
    }

    /// Adds the letters of a stretch that is known, and says which they are.
    fn copy(&mut self, known: &Letters<'_>, stretch: Kept, folded: &mut Folded) -> Kept {
        let end = stretch.from + stretch.length;
        let first = known.before(stretch.from, folded);
        let letters = Kept {
            from: first,
            at: self.letters.len(),
            length: known.before(end, folded).saturating_sub(first),
        };
        self.blocks.push((stretch.at, self.letters.len()));
        let block_at = |place| known.blocks.partition_point(|&(from, _)| from < place);
        let blocks = known.blocks.get(block_at(stretch.from)..block_at(end)).unwrap_or_default().iter();
        self.blocks.extend(
            blocks.map(|&(from, before)| (from - stretch.from + stretch.at, before - first + letters.at)),
        );
        let copied = known.letters.get(first..first + letters.length);
        self.letters.extend_from_slice(copied.unwrap_or_default());
        letters
    }

    /// How many letters stand in front of this place in the text.
    fn before(&self, place: usize, folded: &mut Folded) -> usize {
        let behind = self.blocks.partition_point(|&(from, _)| from <= place);
        self.before_in(behind, place, folded)
    }

    /// The last of the first so many blocks that are known, or the first block of all.
    fn block(&self, behind: usize) -> (usize, usize) {
        behind.checked_sub(1).and_then(|last| self.blocks.get(last)).copied().unwrap_or_default()
    }

    /// The same for a place in the last of the first so many blocks.
    fn before_in(&self, behind: usize, place: usize, folded: &mut Folded) -> usize {
        let (from, before) = self.block(behind);
        let whole = self.text.as_bytes().get(from..).and_then(<[u8]>::first_chunk::<BLOCK>);
        if let (Alphabet::Plain, Some(whole)) = (self.alphabet, whole.filter(|whole| whole.is_ascii()))
            && let Ok(count @ 0..=128) = u8::try_from(place - from)
        {
            return before + found::count_first(whole, count);
        }
        let front = self.text.get(from..place).unwrap_or_default();
        before + front.chars().map(|character| self.count(character, folded)).sum::<usize>()
    }

    fn count(&self, character: char, folded: &mut Folded) -> usize {
        match u8::try_from(character) {
            Ok(byte) if byte.is_ascii() => usize::from(self.alphabet.letter(byte) != 0),
            Ok(_) | Err(_) => folded.letters(character).len(),
        }
    }

    pub(crate) const fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.letters
    }

    /// Adds a block of ASCII.
    #[inline(always)]
    fn add_ascii(&mut self, block: &[u8], found: &mut Found) {
        found.clear();
        match self.alphabet {
            Alphabet::Plain => found.add_all_words(block),
            Alphabet::Leet => found.add_each(block, self.alphabet),
        }
        self.letters.extend_from_slice(found.letters());
    }

    #[inline(never)]
    fn add(&mut self, block: &str, folded: &mut Folded) {
        for character in block.chars() {
            match u8::try_from(character) {
                Ok(byte) if byte.is_ascii() => {
                    self.letters.extend(Some(self.alphabet.letter(byte)).filter(|&letter| letter != 0));
                }
                Ok(_) | Err(_) => self.letters.extend_from_slice(folded.letters(character).as_bytes()),
            }
        }
    }

    /// Where in the text the character stands that this letter was made from.
    pub(crate) fn source(&self, letter: usize, folded: &mut Folded) -> Option<usize> {
        let behind = self.blocks.partition_point(|&(_, before)| before <= letter);
        let (from, mut letters) = self.block(behind);
        for (offset, character) in self.text.get(from..)?.char_indices() {
            letters += self.count(character, folded);
            if letters > letter {
                return Some(from + offset);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Alphabet, Folded, Letters, Reading, Work as _};

    proptest! {
        /// What is compiled for processors that do more reads the same as what is compiled for the least.
        #[test]
        fn every_processor_reads_the_same(text in "[a-zA-Z0-9 .é日]{0,300}") {
            for alphabet in [Alphabet::Plain, Alphabet::Leet] {
                let mut letters = Letters::none(&text, alphabet);
                Reading { letters: &mut letters, from: 0, to: text.len(), folded: &mut Folded::default() }.done();
                let widely = Letters::of(&text, alphabet);
                prop_assert_eq!((letters.letters, letters.blocks), (widely.letters, widely.blocks));
            }
        }
    }

    #[test]
    fn words_of_any_length_are_letters_wherever_they_stand() {
        for front in [0, 1, 15, 60, 63, 64, 70] {
            for length in 0..150 {
                let text = format!("{}{} Zl.", "-".repeat(front), "aLb".repeat(50).get(..length).unwrap());
                let want: String = text.to_lowercase().replace('l', "i").replace(['-', ' ', '.'], "");
                assert_eq!(Letters::of(&text, Alphabet::Plain).as_bytes(), want.as_bytes(), "{text}");
            }
        }
    }

    #[test]
    fn letters_lead_back_to_their_characters() {
        let text = "I-g (n) ò\u{301}r3 ".repeat(40);
        for (alphabet, want) in [(Alphabet::Plain, "ignor"), (Alphabet::Leet, "ignore")] {
            let letters = Letters::of(&text, alphabet);
            assert_eq!(letters.as_bytes(), want.repeat(40).as_bytes());
            let whole = text.len() / 40;
            for (place, _) in letters.as_bytes().iter().enumerate() {
                let offsets = [0, 2, 5, 8, 12, 13];
                let want = place / want.len() * whole + offsets[place % want.len()];
                assert_eq!(letters.source(place, &mut Folded::default()), Some(want), "{place}");
            }
            assert_eq!(letters.source(letters.as_bytes().len(), &mut Folded::default()), None);
        }
    }
}
