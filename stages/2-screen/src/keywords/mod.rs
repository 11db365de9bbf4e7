//! Where do these words stand in a text? All of them at once, in one pass.
//!
//! Of each word only its rarest few letters are searched for: a table says for every few letters of
//! the text whether some word has them there, and nearly every place is passed over by one look at it. The table fits the fastest memory, and is cheaper to build than an automaton,
//! which matters because a command-line program builds it for one document.

mod rarity;
mod sieve;

use std::cmp::Ordering;
use std::ops::Range;

use call::Span;

use crate::view::Kept;
use rarity::commonness;
use sieve::{MULTIPLIER, Sieve, folded, window_of};

/// Words to search for.
pub(crate) struct Keywords {
    sieve: Sieve,
    words: Vec<Word>,
    // Sorted by bucket.
    places: Vec<Place>,
    // For each bucket, the first of its places; and one more, for where the last bucket ends.
    buckets: Box<[u16; BUCKETS + 1]>,
    longest: usize,
}

/// Where in a word its rarest letters stand.
struct Place {
    rarest: u32,
    // Which part of a window is compared with the rarest letters.
    mask: u32,
    // How many letters of the word end with them.
    end: usize,
    word: u16,
}

/// How words may be written in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// As in the table.
    Exact,
    /// In letters of either case.
    Either,
}

/// How many letters of a word are searched for: more of them are met less often by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letters {
    /// Three, in a text of all kinds of characters.
    Three,
    /// Four, in a text of small letters only; words may still be of three.
    Four,
}

impl Letters {
    const fn count(self) -> usize {
        match self {
            Self::Three => 3,
            Self::Four => 4,
        }
    }
}

/// A word that was found: its number among the words, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) word: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

struct Word {
    text: Box<[u8]>,
    case: Case,
}

const BUCKETS: usize = 1 << 12;

impl Keywords {
    /// Searches for `words`, which are of three letters at least; shorter ones are never found.
    pub(crate) fn new<'w>(words: impl IntoIterator<Item = (&'w str, Case)>, letters: Letters) -> Self {
        let words = words.into_iter().map(|(text, case)| Word::new(text.as_bytes(), case));
        let words: Vec<Word> = words.collect();
        let mut sieve = Sieve::new(letters);
        let mut places: Vec<(usize, Place)> = Vec::with_capacity(words.len());
        for (word, number) in words.iter().zip(0..) {
            let (rarest, end) = word.rarest(letters);
            if rarest.len() >= 3 {
                sieve.let_pass(&word.text, end);
                let mask = if rarest.len() == 3 { 0x00FF_FFFF } else { u32::MAX };
                let rarest = folded(window_of(rarest)) & mask;
                places.push((bucket(rarest), Place { rarest, mask, end, word: number }));
            }
        }
        places.sort_unstable_by_key(|(bucket, place)| (*bucket, place.word));
        let mut buckets = Box::new([0; BUCKETS + 1]);
        let mut first = 0;
        for (bucket, start) in buckets.iter_mut().enumerate() {
            let own = places.get(first..).unwrap_or_default().iter().take_while(|(other, _)| *other < bucket);
            first += own.count();
            *start = u16::try_from(first).unwrap_or(u16::MAX);
        }
        let longest = words.iter().map(|word| word.text.len()).max().unwrap_or_default();
        let places = places.into_iter().map(|(_, place)| place).collect();
        Self { sieve, words, places, buckets, longest }
    }

    /// Every place of every word, also where they overlap, in the order in which they start.
    pub(crate) fn find(&self, text: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::with_capacity(text.len() / 64 + 8);
        self.sieve.pass(text, |end| self.words_at(text, end, &mut hits));
        hits
    }

    /// The same, where it is known what `before` was found in the text that these stretches were kept
    /// from. Only what is not inside one of them is searched for.
    pub(crate) fn find_again(&self, text: &[u8], kept: &[Kept], before: &[Hit]) -> Vec<Hit> {
        // A word that is only partly inside ends or begins not farther inside than it is long.
        let edge = self.longest;
        let kept: Vec<Kept> = kept.iter().filter(|stretch| stretch.length > 2 * edge).copied().collect();
        let mut hits = Vec::with_capacity(before.len() + 8);
        let mut fresh = 0;
        for stretch in &kept {
            self.find_fresh(text, Span::new(fresh, stretch.at + edge), &kept, &mut hits);
            let first = before.partition_point(|hit| hit.start < stretch.from);
            let end = before.partition_point(|hit| hit.start < stretch.from + stretch.length);
            let inside = before.get(first..end).unwrap_or_default().iter();
            let inside = inside.filter(|hit| hit.end <= stretch.from + stretch.length);
            hits.extend(inside.map(|hit| Hit {
                start: hit.start - stretch.from + stretch.at,
                end: hit.end - stretch.from + stretch.at,
                ..*hit
            }));
            fresh = stretch.at + stretch.length - edge;
        }
        self.find_fresh(text, Span::new(fresh, text.len()), &kept, &mut hits);
        hits
    }

    /// Adds the words in a part of the text that are not inside one of these stretches.
    fn find_fresh(&self, text: &[u8], part: Span, kept: &[Kept], hits: &mut Vec<Hit>) {
        let mut found = Vec::new();
        let fresh = text.get(part.start..part.end).unwrap_or_default();
        self.sieve.pass(fresh, |end| self.words_at(text, part.start + end, &mut found));
        for hit in found {
            let behind = kept.partition_point(|stretch| stretch.at <= hit.start);
            let stretch = behind.checked_sub(1).and_then(|last| kept.get(last));
            if stretch.is_none_or(|stretch| hit.end > stretch.at + stretch.length) {
                self.add(hit, hits);
            }
        }
    }

    /// Adds the words whose rarest letters end at `rarest_end`.
    #[inline]
    fn words_at(&self, text: &[u8], rarest_end: usize, hits: &mut Vec<Hit>) {
        let Some(front) = text.get(..rarest_end) else { return };
        let last = front.last_chunk::<4>().map_or_else(|| window_of(front), |last| u32::from_be_bytes(*last));
        let window = folded(last);
        let place = |bucket: usize| self.buckets.get(bucket).copied().map_or(0, usize::from);
        let (first, end) = (place(bucket(window)), place(bucket(window) + 1));
        if first < end {
            self.words_of(first..end, text, window, rarest_end, hits);
        }
    }

    /// Adds those words of a bucket that stand there.
    #[inline(never)]
    fn words_of(
        &self,
        bucket: Range<usize>,
        text: &[u8],
        window: u32,
        rarest_end: usize,
        hits: &mut Vec<Hit>,
    ) {
        for place in self.places.get(bucket).unwrap_or_default() {
            if window & place.mask != place.rarest {
                continue;
            }
            let Some(start) = rarest_end.checked_sub(place.end) else { continue };
            let number = usize::from(place.word);
            let Some(word) = self.words.get(number) else { continue };
            let end = start + word.text.len();
            if text.get(start..end).is_some_and(|written| word.is(written)) {
                self.add(Hit { word: number, start, end }, hits);
            }
        }
    }

    /// Adds `hit` where it belongs, which is close to the end: words are short.
    fn add(&self, hit: Hit, hits: &mut Vec<Hit>) {
        if hits.last().is_none_or(|last| last.start < hit.start) {
            return hits.push(hit);
        }
        let behind = hits.iter().rev().take_while(|other| self.order(other, &hit).is_gt()).count();
        hits.insert(hits.len() - behind, hit);
    }

    fn order(&self, a: &Hit, b: &Hit) -> Ordering {
        let spelled = |hit: &Hit| self.words.get(hit.word).map(|word| &word.text);
        a.start.cmp(&b.start).then_with(|| (spelled(a), a.word).cmp(&(spelled(b), b.word)))
    }
}

impl Word {
    fn new(text: &[u8], case: Case) -> Self {
        let text = match case {
            Case::Exact => text.to_vec(),
            Case::Either => text.to_ascii_lowercase(),
        };
        Self { text: text.into(), case }
    }

    fn is(&self, written: &[u8]) -> bool {
        // Most are told apart by their first letter.
        let first = |text: &[u8]| text.first().map(|first| first | 0x20);
        first(written) == first(&self.text)
            && match self.case {
                Case::Exact => *written == *self.text,
                Case::Either => written.eq_ignore_ascii_case(&self.text),
            }
    }

    /// Its rarest letters, so many of them if there are, and where they end.
    fn rarest(&self, letters: Letters) -> (&[u8], usize) {
        // Many words begin like others, and with a common word.
        const BEGINNING: usize = 16;
        let count = letters.count();
        let weight = |start: usize, window: &[u8]| {
            // Where every second place is looked at, the letter behind counts as well.
            let next = match (letters, self.text.get(start + 1..start + 1 + count)) {
                (Letters::Three, _) => 0,
                (Letters::Four, Some(next)) => commonness(next),
                (Letters::Four, None) => ANY_LETTER_BEHIND,
            };
            commonness(window) + next + if start == 0 { BEGINNING } else { 0 }
        };
        let windows = self.text.windows(count).enumerate();
        let rarest = windows.min_by_key(|&(start, letters)| weight(start, letters));
        rarest.map_or((&self.text, self.text.len()), |(start, rarest)| (rarest, start + count))
    }
}

/// More than four letters can come to.
const ANY_LETTER_BEHIND: usize = 300;

/// Where to look for words whose rarest letters end with the last three of this window.
const fn bucket(window: u32) -> usize {
    (window.wrapping_mul(MULTIPLIER << 8) >> (u32::BITS - BUCKETS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::{Case, Kept, Keywords, Letters};

    #[test]
    fn every_word_is_found_everywhere() {
        let words = [("run", 0), ("rune", 0), ("UNE", 0), ("", 0), ("日本", 0), ("Kin", 1)];
        let words = words.map(|(word, exact)| (word, if exact == 1 { Case::Exact } else { Case::Either }));
        let keywords = Keywords::new(words, Letters::Three);
        let found = |text: &str| -> Vec<(usize, usize)> {
            keywords.find(text.as_bytes()).iter().map(|hit| (hit.word, hit.start)).collect()
        };
        assert_eq!(found("Runes run 日本"), [(0, 0), (1, 0), (2, 1), (0, 6), (4, 10)]);
        assert_eq!(found("rUN kin Kin"), [(0, 0), (5, 8)]);
        assert_eq!(found("ru"), []);
        assert_eq!(found(""), []);
    }

    #[test]
    fn a_word_is_found_wherever_it_stands() {
        let words = ["all", "gate", "these", "repair", "without", "日", "日本語"];
        let behind = ["", "a", "zz", "日", "\n"];
        for letters in [Letters::Three, Letters::Four] {
            let keywords = Keywords::new(words.map(|word| (word, Case::Exact)), letters);
            for (number, word) in words.iter().enumerate() {
                for front in 0..20 {
                    // Letters beside a word are of its own kind, where only letters are looked at.
                    let beside = behind.iter().filter(|behind| !word.is_ascii() || behind.is_ascii());
                    for behind in beside.filter(|behind| letters == Letters::Three || **behind != "\n") {
                        let text = format!("{}{word}{behind}", "x".repeat(front));
                        let hits = keywords.find(text.as_bytes());
                        let found = hits.iter().any(|hit| hit.word == number && hit.start == front);
                        assert!(found, "{letters:?} {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_was_found_before_need_not_be_searched_for() {
        let keywords = Keywords::new(["run", "rune", "uner"].map(|word| (word, Case::Exact)), Letters::Four);
        let before = b"aruneqrunesqqrununerqqq";
        let hits = keywords.find(before);
        for (from, length, at) in [(0, 23, 2), (3, 11, 2), (4, 9, 0), (2, 20, 1), (8, 4, 3)] {
            let text = [b"rune".get(..at).unwrap(), &before[from..from + length], b"nerun"].concat();
            let again = keywords.find_again(&text, &[Kept { from, at, length }], &hits);
            assert_eq!(again, keywords.find(&text), "{from} {length} {at}");
        }
    }

    #[test]
    fn words_of_three_letters_are_found_by_four() {
        let keywords = Keywords::new(["run", "rune", "uner"].map(|word| (word, Case::Exact)), Letters::Four);
        let found: Vec<(usize, usize)> =
            keywords.find(b"runerun").iter().map(|hit| (hit.word, hit.start)).collect();
        assert_eq!(found, [(0, 0), (1, 0), (2, 1), (0, 4)]);
    }
}
