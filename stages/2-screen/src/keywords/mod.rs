//! Where do these words stand in a text? All of them at once, in one pass.
//!
//! Of each word only its rarest few letters are searched for: a table says for every few letters of the
//! text whether some word has them there. A place that passes is compared with what all words have in
//! common that have these letters, and only then with each of them. The table fits the fastest memory,
//! and is cheaper to build than an automaton, which matters because a command-line program builds it for
//! one document.
//!
//! Where places pass is what a processor cannot guess, and a wrong guess costs more than looking at
//! several places. So they are collected without a branch for each of them.

mod again;
mod rarity;
pub(crate) mod seams;
mod sieve;

use std::cmp::Ordering;
use std::sync::OnceLock;

use call::Span;

use crate::blocks::FEW;
use crate::wide::{Work, widely};
use rarity::commonness;
use seams::Seams;
use sieve::{Collect, MULTIPLIER, Passed, Sieve, folded, window_of};

/// Words to search for.
pub(crate) struct Keywords {
    sieve: Sieve,
    words: Vec<Word>,
    // Those of a bucket stand side by side.
    places: Vec<Places>,
    // What the places of a bucket have in common; the first one is for all buckets without places.
    common: Vec<Common>,
    // For each bucket, which of these.
    buckets: Box<[u16; BUCKETS]>,
    longest: usize,
    // Made when first asked for.
    seams: OnceLock<Seams>,
}

/// Where in a word its rarest letters stand.
#[derive(Clone, Copy)]
struct Place {
    around: Around,
    word: u16,
    /// How many letters the word has.
    length: u16,
    /// How many of them end with the rarest.
    end: u16,
    /// The letters around are all that it has.
    known: bool,
}

/// A few places, which are compared with a text together: which of them fits is what a processor cannot guess.
type Places = [Place; TOGETHER];

const TOGETHER: usize = 4;

/// The letters of a word around its rarest ones, as far as there are any.
#[derive(Clone, Copy)]
struct Around {
    letters: u64,
    // Which bits of the text count: none beside the word, and not those that tell small from capital
    // letters if either will do.
    mask: u64,
}

/// What all places of a bucket have in common, and which they are.
struct Common {
    around: Around,
    first: u16,
    count: u16,
}

/// How many places are collected before they are looked at closely. Whether a place is worth that is what
/// a processor cannot guess, so there is no branch for it.
const NEAR: usize = 64;

/// How many letters count around the rarest ones: so many in front of where they end, and behind.
const IN_FRONT: usize = 6;
const BEHIND: usize = 2;

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

/// A word that was found: its number among the words, and where it stands. A text may have many, so what
/// is small is kept in small numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) start: usize,
    word: u16,
    length: u16,
}

impl Hit {
    pub(crate) fn word(self) -> usize {
        usize::from(self.word)
    }

    pub(crate) fn length(self) -> usize {
        usize::from(self.length)
    }

    pub(crate) fn end(self) -> usize {
        self.start + self.length()
    }

    /// The same where the word with the number `first` has the number 0.
    pub(crate) fn renumbered(self, first: usize) -> Self {
        Self { word: u16::try_from(self.word().saturating_sub(first)).unwrap_or(NONE), ..self }
    }
}

struct Word {
    text: Box<[u8]>,
    case: Case,
}

const BUCKETS: usize = 1 << 12;

/// No place has this number.
const NONE: u16 = u16::MAX;

impl Keywords {
    /// Searches for `words`, which are of three letters at least; shorter ones are never found.
    pub(crate) fn new<'w>(words: impl IntoIterator<Item = (&'w str, Case)>, letters: Letters) -> Self {
        let words = words.into_iter().map(|(text, case)| Word::new(text.as_bytes(), case));
        let words: Vec<Word> = words.collect();
        let mut sieve = Sieve::new(letters);
        let mut all: Vec<(usize, Place)> = Vec::with_capacity(words.len());
        for (word, number) in words.iter().zip(0..) {
            let (rarest, end) = word.rarest(letters);
            if rarest.len() >= 3
                && let Some(place) = word.place(number, end)
            {
                sieve.let_pass(&word.text, end);
                all.push((bucket(folded(window_of(rarest))), place));
            }
        }
        all.sort_by_key(|(bucket, _)| *bucket);
        let (mut places, mut buckets) = (Vec::with_capacity(words.len()), Box::new([0; BUCKETS]));
        let mut common = vec![Common { around: Around::NOTHING, first: 0, count: 0 }];
        for same in all.chunk_by(|(left, _), (right, _)| left == right) {
            let number = |count: usize| u16::try_from(count).unwrap_or_default();
            let around = same.iter().map(|(_, place)| place.around).reduce(Around::and);
            if let (Some((bucket, _)), Some(around)) = (same.first(), around) {
                buckets.get_mut(*bucket).into_iter().for_each(|bucket| *bucket = number(common.len()));
                let count = number(same.len().div_ceil(TOGETHER));
                common.push(Common { around, first: number(places.len()), count });
                places.extend(same.chunks(TOGETHER).map(together));
            }
        }
        let longest = words.iter().map(|word| word.text.len()).max().unwrap_or_default();
        Self { sieve, words, places, common, buckets, longest, seams: OnceLock::new() }
    }

    /// Every place of every word, also where they overlap, in the order in which they start.
    pub(crate) fn find(&self, text: &[u8]) -> Vec<Hit> {
        // Most short texts have none.
        let mut hits = Vec::with_capacity(if text.len() < 256 { 0 } else { text.len() / 512 + 8 });
        self.words_in(text, Span::new(0, text.len()), &mut hits);
        hits
    }

    /// Adds the words whose rarest letters pass in `part` of the text.
    fn words_in(&self, text: &[u8], part: Span, hits: &mut Vec<Hit>) {
        widely(Search { keywords: self, text, part, hits });
    }

    /// Adds the words whose rarest letters end at these places, counted from `from` on.
    #[inline(always)]
    fn words_near(&self, text: &[u8], from: usize, near: &mut [usize], hits: &mut Vec<Hit>) {
        let mut count = 0;
        for at in 0..near.len() {
            let rarest_end = from + near.get(at).copied().unwrap_or_default();
            let around = around(text, rarest_end);
            let worth = self.bucket(around).is_some_and(|bucket| bucket.around.fits(around));
            near.get_mut(count).into_iter().for_each(|next| *next = rarest_end);
            count += usize::from(worth);
        }
        for &end in near.iter().take(count) {
            self.words_at(text, end, hits);
        }
    }

    /// What the words have in common that may have these letters.
    #[inline(always)]
    fn bucket(&self, around: u64) -> Option<&Common> {
        let bucket = self.buckets.get(bucket(folded((around >> (8 * BEHIND)) as u32)))?;
        self.common.get(usize::from(*bucket))
    }

    /// Adds the words whose rarest letters end there.
    #[inline(never)]
    fn words_at(&self, text: &[u8], rarest_end: usize, hits: &mut Vec<Hit>) {
        let around = around(text, rarest_end);
        let Some(Common { first, count, .. }) = self.bucket(around) else { return };
        let (first, count) = (usize::from(*first), usize::from(*count));
        for places in self.places.get(first..first + count).unwrap_or_default() {
            let fits = places.iter().rev().map(|place| u8::from(place.around.fits(around)));
            let mut left = fits.fold(0, |fits, next| (fits << 1) | next);
            while let Some(place) = places.get(left.trailing_zeros() as usize) {
                self.add_word(place, text, rarest_end, hits);
                left &= left - 1;
            }
        }
    }

    /// Adds the word of this place, if all of it stands there.
    #[inline(always)]
    fn add_word(&self, place: &Place, text: &[u8], rarest_end: usize, hits: &mut Vec<Hit>) {
        let Some(start) = rarest_end.checked_sub(usize::from(place.end)) else { return };
        if place.known || self.is_word(place.word, text, start) {
            self.add(Hit { start, word: place.word, length: place.length }, hits);
        }
    }

    #[inline(never)]
    fn is_word(&self, word: u16, text: &[u8], start: usize) -> bool {
        let Some(word) = self.words.get(usize::from(word)) else { return false };
        text.get(start..start + word.text.len()).is_some_and(|written| word.is(written))
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
        let spelled = |hit: &Hit| self.words.get(hit.word()).map(|word| &word.text);
        a.start.cmp(&b.start).then_with(|| (spelled(a), a.word).cmp(&(spelled(b), b.word)))
    }
}

/// A search in a part of a text.
struct Search<'s> {
    keywords: &'s Keywords,
    text: &'s [u8],
    part: Span,
    hits: &'s mut Vec<Hit>,
}

/// The places of a search that have to be looked at closely. They lie where the search is done: most texts are
/// short, and it would take longer to hand over all that room than to search them.
struct Looking<'s> {
    search: Search<'s>,
    near: [usize; NEAR + Passed::MOST + FEW],
    count: usize,
}

impl Work for Search<'_> {
    type Done = ();

    #[inline(always)]
    fn done(self) {
        let searched = self.text.get(self.part.start..self.part.end).unwrap_or_default();
        let sieve = &self.keywords.sieve;
        let mut looking = Looking { search: self, near: [0; NEAR + Passed::MOST + FEW], count: 0 };
        sieve.pass(searched, &mut looking);
        looking.look();
    }
}

impl Collect for Looking<'_> {
    #[inline(always)]
    fn add(&mut self, passed: Passed) {
        self.count = passed.write(&mut self.near, self.count);
        if self.count >= NEAR {
            self.look();
        }
    }
}

impl Looking<'_> {
    /// Looks at the places collected so far.
    #[inline(always)]
    fn look(&mut self) {
        let Search { keywords, text, part, hits } = &mut self.search;
        let near = self.near.get_mut(..self.count).unwrap_or_default();
        keywords.words_near(text, part.start, near, hits);
        self.count = 0;
    }
}

/// These places, and behind them some that fit nowhere.
fn together(few: &[(usize, Place)]) -> Places {
    let nowhere = Place { around: Around::NOTHING, word: NONE, length: 0, end: 0, known: false };
    std::array::from_fn(|place| few.get(place).map_or(nowhere, |(_, place)| *place))
}

impl Around {
    /// No text has only these bytes.
    const NOTHING: Self = Self { letters: u64::MAX, mask: u64::MAX };

    /// Are these letters of a text the same, as far as they count?
    #[inline(always)]
    const fn fits(self, around: u64) -> bool {
        (self.letters ^ around) & self.mask == 0
    }

    /// What both have in common.
    const fn and(self, other: Self) -> Self {
        Self { letters: self.letters, mask: self.mask & other.mask & !(self.letters ^ other.letters) }
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
        match self.case {
            Case::Exact => *written == *self.text,
            Case::Either => written.eq_ignore_ascii_case(&self.text),
        }
    }

    /// The place where its rarest letters end.
    fn place(&self, number: u16, end: usize) -> Option<Place> {
        let length = u16::try_from(self.text.len()).ok()?;
        let known = end <= IN_FRONT && self.text.len() <= end + BEHIND;
        Some(Place { around: self.around(end), word: number, length, end: u16::try_from(end).ok()?, known })
    }

    /// The letters around the place where its rarest ones end.
    fn around(&self, rarest_end: usize) -> Around {
        let mask = |letter: &u8| match self.case {
            Case::Either if letter.is_ascii_alphabetic() => !0x20,
            Case::Either | Case::Exact => u8::MAX,
        };
        let masks: Vec<u8> = self.text.iter().map(mask).collect();
        Around { letters: around(&self.text, rarest_end), mask: around(&masks, rarest_end) }
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

/// The eight letters around a place, the last of them in the lowest byte; 0 where there is none.
#[inline(always)]
fn around(text: &[u8], rarest_end: usize) -> u64 {
    let start = rarest_end.wrapping_sub(IN_FRONT);
    let all = text.get(start..start.wrapping_add(IN_FRONT + BEHIND)).and_then(<[u8]>::first_chunk);
    all.map_or_else(|| around_edge(text, rarest_end), |all| u64::from_be_bytes(*all))
}

/// The same where the text begins or ends.
#[cold]
fn around_edge(text: &[u8], rarest_end: usize) -> u64 {
    (0..IN_FRONT + BEHIND).fold(0, |all, place| {
        let letter = (rarest_end + place).checked_sub(IN_FRONT).and_then(|place| text.get(place));
        (all << 8) | letter.copied().map_or(0, u64::from)
    })
}

/// Where to look for words whose rarest letters end with the last three of this window.
#[inline(always)]
const fn bucket(window: u32) -> usize {
    (window.wrapping_mul(MULTIPLIER << 8) >> (u32::BITS - BUCKETS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Case, Keywords, Letters, Search, Span, Work as _};

    proptest! {
        /// What is compiled for processors that do more finds the same as what is compiled for the least.
        #[test]
        fn every_processor_finds_the_same(
            pieces in proptest::collection::vec(
                proptest::sample::select(vec!["run", "rune", "ru", "neru", "x", " ", "日本", "RUNE", "une"]), 0..80),
        ) {
            let text = pieces.concat();
            for letters in [Letters::Three, Letters::Four] {
                let words = ["run", "rune", "uner", "日本", "nex"].map(|word| (word, Case::Exact));
                let keywords = Keywords::new(words, letters);
                let mut hits = Vec::new();
                let part = Span::new(0, text.len());
                Search { keywords: &keywords, text: text.as_bytes(), part, hits: &mut hits }.done();
                prop_assert_eq!(hits, keywords.find(text.as_bytes()));
            }
        }
    }

    #[test]
    fn every_word_is_found_everywhere() {
        let words = [("run", 0), ("rune", 0), ("UNE", 0), ("", 0), ("日本", 0), ("Kin", 1)];
        let words = words.map(|(word, exact)| (word, if exact == 1 { Case::Exact } else { Case::Either }));
        let keywords = Keywords::new(words, Letters::Three);
        let found = |text: &str| -> Vec<(usize, usize)> {
            keywords.find(text.as_bytes()).iter().map(|hit| (hit.word(), hit.start)).collect()
        };
        assert_eq!(found("Runes run 日本"), [(0, 0), (1, 0), (2, 1), (0, 6), (4, 10)]);
        assert_eq!(found("rUN kin Kin"), [(0, 0), (5, 8)]);
        assert_eq!(found("ru"), []);
        assert_eq!(found(""), []);
    }

    #[test]
    fn a_word_is_found_wherever_it_stands() {
        let words = ["all", "gate", "these", "repair", "without", "日", "日本語"];
        // Whole stretches are searched in another way than the rest of a text.
        let long = "z".repeat(90);
        let behind = ["", "a", "zz", "日", "\n", &long];
        for letters in [Letters::Three, Letters::Four] {
            let keywords = Keywords::new(words.map(|word| (word, Case::Exact)), letters);
            for (number, word) in words.iter().enumerate() {
                for front in 0..140 {
                    // Letters beside a word are of its own kind, where only letters are looked at.
                    let beside = behind.iter().filter(|behind| !word.is_ascii() || behind.is_ascii());
                    for behind in beside.filter(|behind| letters == Letters::Three || **behind != "\n") {
                        let text = format!("{}{word}{behind}", "x".repeat(front));
                        let hits = keywords.find(text.as_bytes());
                        let found = hits.iter().any(|hit| hit.word() == number && hit.start == front);
                        assert!(found, "{letters:?} {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn words_of_three_letters_are_found_by_four() {
        let keywords = Keywords::new(["run", "rune", "uner"].map(|word| (word, Case::Exact)), Letters::Four);
        let found: Vec<(usize, usize)> =
            keywords.find(b"runerun").iter().map(|hit| (hit.word(), hit.start)).collect();
        assert_eq!(found, [(0, 0), (1, 0), (2, 1), (0, 4)]);
    }
}
