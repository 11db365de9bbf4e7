//! Where do these words stand in a text? All of them at once, in one pass.
//!
//! Of each word only its rarest few letters are searched for: a table of bits says for every few
//! letters of the text whether some word has them there, and nearly every place is passed over by
//! one look at it. The table fits the fastest memory, and is cheaper to build than an automaton,
//! which matters because a command-line program builds it for one document.

/// Words to search for.
pub(crate) struct Keywords {
    // One bit for each hash: has some word these letters?
    known: Box<[u64; HASHES / 64]>,
    // Drops what is no part of the last few letters, and hashes the rest.
    multiplier: u32,
    words: Vec<Word>,
    // Numbers of words, sorted by the bucket of their rarest letters.
    by_bucket: Vec<u16>,
    // For each bucket, its first place in `by_bucket`; and one more, for where the last one ends.
    buckets: Vec<u16>,
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
    // Where its rarest letters end.
    rarest_end: usize,
}

const HASHES: usize = 1 << 17;
const BUCKETS: usize = 1 << 10;
const MULTIPLIER: u32 = 0x9E37_79B1;

impl Keywords {
    /// Searches for `words`, which are of three letters at least; shorter ones are never found.
    pub(crate) fn new<'w>(words: impl IntoIterator<Item = (&'w str, Case)>, letters: Letters) -> Self {
        let (length, multiplier) = match letters {
            // The letter that is no part of it is shifted out of the product.
            Letters::Three => (3, MULTIPLIER << 8),
            Letters::Four => (4, MULTIPLIER),
        };
        let words = words.into_iter().map(|(text, case)| Word::new(text.as_bytes(), case, length));
        let mut keywords = Self {
            known: Box::new([0; HASHES / 64]),
            multiplier,
            words: words.collect(),
            by_bucket: Vec::new(),
            buckets: Vec::with_capacity(BUCKETS + 1),
        };
        let mut places: Vec<(usize, u16)> = Vec::with_capacity(keywords.words.len());
        for (word, number) in keywords.words.iter().zip(0..) {
            let Some(rarest) = word.rarest(length) else { continue };
            for spelling in spellings(rarest, word.case, length) {
                let hash = hash(spelling, multiplier);
                keywords.known.get_mut(hash / 64).into_iter().for_each(|known| *known |= 1 << (hash % 64));
            }
            places.push((bucket(rarest), number));
        }
        places.sort_unstable();
        for bucket in 0..=BUCKETS {
            let first = places.partition_point(|&(other, _)| other < bucket);
            keywords.buckets.push(u16::try_from(first).unwrap_or(u16::MAX));
        }
        keywords.by_bucket = places.into_iter().map(|(_, number)| number).collect();
        keywords
    }

    /// Every place of every word, also where they overlap, in the order in which they start.
    pub(crate) fn find(&self, text: &[u8]) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut window = 0;
        for (last, &byte) in text.iter().enumerate() {
            window = (window << 8) | u32::from(byte);
            let hash = hash(window, self.multiplier);
            let known = self.known.get(hash / 64).copied().unwrap_or_default();
            if (known >> (hash % 64)) & 1 == 1 {
                self.words_at(text, last + 1, &mut hits);
            }
        }
        let spelled = |hit: &Hit| self.words.get(hit.word).map(|word| &word.text);
        hits.sort_unstable_by(|a, b| {
            a.start
                .cmp(&b.start)
                .then_with(|| spelled(a).cmp(&spelled(b)))
                .then_with(|| a.word.cmp(&b.word))
        });
        hits
    }

    /// The words whose rarest letters end at `rarest_end`.
    #[cold]
    fn words_at(&self, text: &[u8], rarest_end: usize, hits: &mut Vec<Hit>) {
        let bucket = bucket(text.get(..rarest_end).unwrap_or_default());
        let first = self.buckets.get(bucket).copied().map_or(0, usize::from);
        let end = self.buckets.get(bucket + 1).copied().map_or(0, usize::from);
        for number in self.by_bucket.get(first..end).unwrap_or_default().iter().copied().map(usize::from) {
            let Some(word) = self.words.get(number) else { continue };
            let Some(start) = rarest_end.checked_sub(word.rarest_end) else { continue };
            let end = start + word.text.len();
            if text.get(start..end).is_some_and(|written| word.is(written)) {
                hits.push(Hit { word: number, start, end });
            }
        }
    }
}

impl Word {
    fn new(text: &[u8], case: Case, letters: usize) -> Self {
        let text = match case {
            Case::Exact => text.to_vec(),
            Case::Either => text.to_ascii_lowercase(),
        };
        let weight = |letters: &[u8]| letters.iter().map(|&letter| commonness(letter)).sum::<usize>();
        let rarest = text.windows(letters).enumerate().min_by_key(|(_, letters)| weight(letters));
        let rarest_end = rarest.map_or(text.len(), |(start, _)| start + letters);
        Self { text: text.into(), case, rarest_end }
    }

    fn is(&self, written: &[u8]) -> bool {
        match self.case {
            Case::Exact => *written == *self.text,
            Case::Either => written.eq_ignore_ascii_case(&self.text),
        }
    }

    /// Its rarest letters, at most so many and at least three.
    fn rarest(&self, letters: usize) -> Option<&[u8]> {
        let start = self.rarest_end.saturating_sub(letters);
        self.text.get(start..self.rarest_end).filter(|rarest| rarest.len() >= 3)
    }
}

/// The ways in which the last `length` letters of a text may end with these.
fn spellings(letters: &[u8], case: Case, length: usize) -> Vec<u32> {
    let mut all = match letters.len() < length {
        // Nothing in front of it, or any letter.
        true => std::iter::once(0).chain(u32::from(b'a')..=u32::from(b'z')).collect(),
        false => vec![0],
    };
    for &letter in letters {
        let other = match case {
            Case::Either if letter.is_ascii_lowercase() => Some(letter.to_ascii_uppercase()),
            Case::Either | Case::Exact => None,
        };
        let with = |letter: u8| move |front: &u32| (front << 8) | u32::from(letter);
        let others: Vec<u32> = other.iter().flat_map(|&other| all.iter().map(with(other))).collect();
        all = all.iter().map(with(letter)).chain(others).collect();
    }
    all
}

/// The hash of the last letters of a text.
const fn hash(window: u32, multiplier: u32) -> usize {
    (window.wrapping_mul(multiplier) >> (u32::BITS - HASHES.ilog2())) as usize
}

/// Where to look for words whose rarest letters end like this.
fn bucket(letters: &[u8]) -> usize {
    let last = letters.iter().rev().take(3);
    let window = last.fold(0, |window, letter| (window << 8) | u32::from(letter.to_ascii_lowercase()));
    (window.wrapping_mul(MULTIPLIER) >> (u32::BITS - BUCKETS.ilog2())) as usize
}

/// How often a character is met in prose and in code, roughly.
fn commonness(byte: u8) -> usize {
    const FROM_RARE_TO_COMMON: &[u8] = b"zqjxkvbwygfpmu/_-.:dhclrnsoitae ";
    FROM_RARE_TO_COMMON.iter().position(|&letter| letter == byte).map_or(0, |place| place + 4)
}

#[cfg(test)]
mod tests {
    use super::{Case, Keywords, Letters};

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
    fn words_of_three_letters_are_found_by_four() {
        let keywords = Keywords::new(["run", "rune", "uner"].map(|word| (word, Case::Exact)), Letters::Four);
        let found: Vec<(usize, usize)> =
            keywords.find(b"runerun").iter().map(|hit| (hit.word, hit.start)).collect();
        assert_eq!(found, [(0, 0), (1, 0), (2, 1), (0, 4)]);
    }
}
