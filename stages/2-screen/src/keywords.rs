//! Where do these words stand in a text? All of them at once, in one pass.
//!
//! A table says for every three letters whether a word begins so; nearly every place in a text is
//! passed over by one look at it. Cheaper to build than an automaton, which matters because a
//! command-line program builds it for one document.

/// Words to search for, letters of either case.
#[derive(Debug)]
pub(crate) struct Keywords {
    // For each hash of a beginning: does any word begin so?
    begins: Vec<bool>,
    // For each hash, the place of the first of its words in `words`.
    first_of: Vec<u16>,
    // Sorted by hash.
    words: Vec<(usize, Vec<u8>, usize)>,
    // How many letters count as the beginning.
    letters: usize,
}

/// A word that was found: its number among the words, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) word: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Keywords {
    /// Searches for `words`; empty ones are never found.
    pub(crate) fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let numbered = words.into_iter().enumerate().filter(|(_, word)| !word.is_empty());
        let numbered: Vec<(usize, Vec<u8>)> =
            numbered.map(|(number, word)| (number, word.to_ascii_lowercase().into_bytes())).collect();
        let letters = numbered.iter().map(|(_, word)| word.len()).min().unwrap_or(1).min(3);
        let mut begins = vec![false; 1 << (5 * letters)];
        let mut words = Vec::with_capacity(numbered.len());
        for (number, word) in numbered {
            let hash = word.iter().take(letters).fold(0, |hash, &byte| step(hash, byte, letters));
            begins.get_mut(hash).into_iter().for_each(|begins| *begins = true);
            words.push((hash, word, number));
        }
        words.sort();
        let mut first_of = vec![0; 1 << (5 * letters)];
        for (place, (hash, _, _)) in words.iter().enumerate().rev() {
            if let (Some(first), Ok(place)) = (first_of.get_mut(*hash), u16::try_from(place)) {
                *first = place;
            }
        }
        Self { begins, first_of, words, letters }
    }

    /// Calls `found` for every place of every word, also where they overlap, in the order in which
    /// they start.
    pub(crate) fn find(&self, text: &[u8], mut found: impl FnMut(Hit)) {
        let (letters, mut hash) = (self.letters, 0);
        for (last, &byte) in text.iter().enumerate() {
            hash = step(hash, byte, letters);
            let known = self.begins.get(hash) == Some(&true);
            if known && let Some(start) = (last + 1).checked_sub(self.letters) {
                self.words_at(text, start, hash, &mut found);
            }
        }
    }

    fn words_at(&self, text: &[u8], start: usize, hash: usize, found: &mut impl FnMut(Hit)) {
        let first = self.first_of.get(hash).copied().map_or(usize::MAX, usize::from);
        let candidates = self.words.iter().skip(first).take_while(|(other, _, _)| *other == hash);
        for (_, word, number) in candidates {
            let end = start + word.len();
            if text.get(start..end).is_some_and(|written| written.eq_ignore_ascii_case(word)) {
                found(Hit { word: *number, start, end });
            }
        }
    }
}

/// The hash of the last letters: five bits of each, which in ASCII do not tell cases apart.
const fn step(hash: usize, byte: u8, letters: usize) -> usize {
    ((hash << 5) | (byte & 31) as usize) & ((1 << (5 * letters)) - 1)
}

#[cfg(test)]
mod tests {
    use super::Keywords;

    #[test]
    fn every_word_is_found_everywhere() {
        let keywords = Keywords::new(["run", "rune", "UNE", "", "日本"]);
        let found = |text: &str| -> Vec<(usize, usize)> {
            let mut found = Vec::new();
            keywords.find(text.as_bytes(), |hit| found.push((hit.word, hit.start)));
            found
        };
        assert_eq!(found("Runes run 日本"), [(0, 0), (1, 0), (2, 1), (0, 6), (4, 10)]);
        assert_eq!(found("ru"), []);
        assert_eq!(found(""), []);
    }
}
