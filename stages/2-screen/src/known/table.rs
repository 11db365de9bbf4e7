//! Values by their hashes, and where in a text they stand.
//!
//! No value is kept: of each there is a length, two short hashes (of its first and its last bytes) and a
//! SHA-256. Only every few bytes of a text are looked up ([`Grams`]), and only where some value may stand around
//! them is it asked which one; only where first and last bytes fit is the digest taken. So the cost is linear in
//! the text, whatever the number of values.

use call::{Sha256, Span};

use super::grams::Grams;

/// How many bytes are compared by their short hash; shorter values are not kept.
pub(super) const WINDOW: usize = 6;

/// Values to look for, without the values.
#[derive(Clone, Default)]
pub(super) struct Table {
    // Sorted by the hash of the first bytes.
    forms: Vec<Form>,
    // One byte for the lower bits of each hash of first bytes that occurs; empty when there is none.
    marks: Vec<u8>,
    grams: Grams,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    first: u32,
    last: u32,
    length: usize,
    digest: Sha256,
}

impl Form {
    /// Of a value, unless it is too short.
    fn of(value: &[u8]) -> Option<Self> {
        let first = short_hash(value.first_chunk()?);
        let last = short_hash(value.last_chunk()?);
        Some(Self { first, last, length: value.len(), digest: Sha256::of(value) })
    }
}

impl Table {
    /// Of these values; those that are too short are left out.
    pub(super) fn of(values: &[Vec<u8>]) -> Self {
        let values = values.iter().filter(|value| value.len() >= WINDOW);
        let grams = Grams::of_beginnings(values.clone().map(Vec::as_slice));
        Self::new(values.filter_map(|value| Form::of(value)).collect(), grams)
    }

    fn new(mut forms: Vec<Form>, grams: Grams) -> Self {
        forms.sort();
        forms.dedup();
        if forms.is_empty() {
            return Self::default();
        }
        let mut marks = vec![0; WIDTH];
        for form in &forms {
            marks.get_mut(lower_bits(form.first)).into_iter().for_each(|mark| *mark = 1);
        }
        Self { forms, marks, grams }
    }

    /// The values of both.
    pub(super) fn with(&self, other: &Self) -> Self {
        let forms = self.forms.iter().chain(&other.forms).cloned().collect();
        Self::new(forms, self.grams.with(&other.grams))
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// Where in `text` the values stand: wherever one begins, the longest that does.
    pub(super) fn search(&self, text: &[u8]) -> Vec<Span> {
        let mut found = Vec::new();
        self.grams.each_in(text, |starts| {
            found.extend(starts.filter_map(|start| self.longest_at(text, start)));
            false
        });
        found
    }

    /// The longest value that stands at `start`.
    fn longest_at(&self, text: &[u8], start: usize) -> Option<Span> {
        let here = text.get(start..)?;
        let hash = short_hash(here.first_chunk()?);
        self.marks.get(lower_bits(hash)).filter(|mark| **mark != 0)?;
        let first = self.forms.partition_point(|form| form.first < hash);
        let candidates = self.forms.get(first..)?.iter().take_while(|form| form.first == hash);
        let stands = |form: &&Form| {
            here.get(..form.length).is_some_and(|written| {
                written.last_chunk().map(short_hash) == Some(form.last) && Sha256::of(written) == form.digest
            })
        };
        let longest = candidates.filter(stands).map(|form| form.length).max()?;
        Some(Span::new(start, start + longest))
    }
}

/// Places of the table of marks.
const WIDTH: usize = 1 << 16;

/// Half of a product: enough to tell windows apart, too little to tell what they were. The six bytes are the
/// upper ones of the word.
const fn hash_of(word: u64) -> u32 {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

pub(super) const fn short_hash(window: &[u8; WINDOW]) -> u32 {
    let [a, b, c, d, e, f] = *window;
    hash_of(u64::from_le_bytes([0, 0, a, b, c, d, e, f]))
}

const fn lower_bits(hash: u32) -> usize {
    hash as usize % WIDTH
}

#[cfg(test)]
mod tests {
    use call::Span;
    use proptest::prelude::*;

    use super::{Table, WINDOW};

    /// Every value at every place, one by one.
    fn plainly(values: &[Vec<u8>], text: &[u8]) -> Vec<Span> {
        let longest = |start: usize| {
            let stands = |value: &&Vec<u8>| value.len() >= WINDOW && text[start..].starts_with(value);
            let longest = values.iter().filter(stands).map(Vec::len).max()?;
            Some(Span::new(start, start + longest))
        };
        (0..text.len()).filter_map(longest).collect()
    }

    proptest! {
        #[test]
        fn what_stands_somewhere_is_found_there(
            values in proptest::collection::vec(proptest::collection::vec(b'a'..=b'b', 3..12), 0..6),
            text in proptest::collection::vec(b'a'..=b'b', 0..80),
        ) {
            let table = Table::of(&values);
            prop_assert_eq!(table.search(&text), plainly(&values, &text));
        }
    }

    #[test]
    fn a_value_is_found_at_every_place() {
        let value = b"tr0ub4dor".to_vec();
        let table = Table::of(std::slice::from_ref(&value));
        for before in 0..40 {
            for behind in 0..20 {
                let text = [vec![b'.'; before], value.clone(), vec![b'.'; behind]].concat();
                assert_eq!(table.search(&text), [Span::new(before, before + value.len())]);
            }
        }
        assert_eq!(Table::default().search(&value), []);
    }
}
