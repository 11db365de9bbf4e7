//! Values by their hashes, and where in a text they stand.
//!
//! No value is kept: of each there is a length, two short hashes (of its first and its last bytes) and a
//! SHA-256. One pass over a text looks up the short hash of every six bytes; only where first and last bytes
//! fit is the digest taken. So the cost is linear in the text, whatever the number of values, and on nearly
//! every byte of a text it is one multiplication and one look into a table.

use call::{Sha256, Span};

/// How many bytes are compared by their short hash; shorter values are not kept.
pub(super) const WINDOW: usize = 6;

/// Values to look for, without the values.
#[derive(Clone, Default)]
pub(super) struct Table {
    // Sorted by the hash of the first bytes.
    forms: Vec<Form>,
    // One byte for the upper bits of each hash of first bytes that occurs; empty when there is none.
    upper: Vec<u8>,
    // One for bits below them, looked at only where the upper ones occur.
    lower: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form {
    first: u32,
    last: u32,
    length: usize,
    digest: Sha256,
}

impl Form {
    /// Of a value, unless it is too short.
    pub(super) fn of(value: &[u8]) -> Option<Self> {
        let first = short_hash(value.first_chunk()?);
        let last = short_hash(value.last_chunk()?);
        Some(Self { first, last, length: value.len(), digest: Sha256::of(value) })
    }
}

impl Table {
    pub(super) fn of(mut forms: Vec<Form>) -> Self {
        forms.sort();
        forms.dedup();
        if forms.is_empty() {
            return Self::default();
        }
        let (mut upper, mut lower) = (vec![0; WIDTH], vec![0; WIDTH]);
        for form in &forms {
            for (marks, place) in [(&mut upper, upper_bits(form.first)), (&mut lower, lower_bits(form.first))]
            {
                if let Some(mark) = marks.get_mut(place) {
                    *mark = 1;
                }
            }
        }
        Self { forms, upper, lower }
    }

    /// The values of both.
    pub(super) fn with(&self, other: &Self) -> Self {
        Self::of(self.forms.iter().chain(&other.forms).cloned().collect())
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// Where in `text` the values stand: wherever one begins, the longest that does.
    pub(super) fn search(&self, text: &[u8]) -> Vec<Span> {
        let mut found = Vec::new();
        let Some(upper) = self.upper.first_chunk::<WIDTH>() else { return found };
        // Eight places at a time, each with the bytes behind it that a whole word is loaded from.
        let blocks = text.array_windows::<15>().step_by(8);
        let rest = blocks.len() * 8;
        for (block, at) in blocks.zip((0..).step_by(8)) {
            let words = block.array_windows::<8>().map(|word| u64::from_le_bytes(*word) << 16);
            let mark = |word| upper.get(upper_bits(hash_of(word))).copied().unwrap_or_default();
            if words.fold(0, |any, word| any | mark(word)) != 0 {
                found.extend((at..at + 8).filter_map(|start| self.longest_at(text, start)));
            }
        }
        // The last ones as a block that is filled up, where nothing begins that was not looked at.
        let mut last = [0; 15 + 8];
        let left = text.get(rest..).unwrap_or_default();
        last.iter_mut().zip(left).for_each(|(place, byte)| *place = *byte);
        let words = last.array_windows::<8>().map(|word| u64::from_le_bytes(*word) << 16);
        let mark = |word| upper.get(upper_bits(hash_of(word))).copied().unwrap_or_default();
        if left.len() >= WINDOW && words.take(left.len()).fold(0, |any, word| any | mark(word)) != 0 {
            found.extend((rest..text.len()).filter_map(|start| self.longest_at(text, start)));
        }
        found
    }

    /// The longest value that stands at `start`.
    fn longest_at(&self, text: &[u8], start: usize) -> Option<Span> {
        let here = text.get(start..)?;
        let hash = short_hash(here.first_chunk()?);
        let marked = |marks: &[u8], place: usize| marks.get(place).is_some_and(|mark| *mark != 0);
        if !marked(&self.upper, upper_bits(hash)) || !marked(&self.lower, lower_bits(hash)) {
            return None;
        }
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

/// Places of each table of marks.
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

const fn upper_bits(hash: u32) -> usize {
    (hash >> 16) as usize
}

const fn lower_bits(hash: u32) -> usize {
    hash as usize % WIDTH
}

#[cfg(test)]
mod tests {
    use call::Span;
    use proptest::prelude::*;

    use super::{Form, Table, WINDOW};

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
            let table = Table::of(values.iter().filter_map(|value| Form::of(value)).collect());
            prop_assert_eq!(table.search(&text), plainly(&values, &text));
        }
    }

    #[test]
    fn a_value_is_found_at_every_place() {
        let value = b"tr0ub4dor".to_vec();
        let table = Table::of(Form::of(&value).into_iter().collect());
        for before in 0..40 {
            for behind in 0..20 {
                let text = [vec![b'.'; before], value.clone(), vec![b'.'; behind]].concat();
                assert_eq!(table.search(&text), [Span::new(before, before + value.len())]);
            }
        }
        assert_eq!(Table::default().search(&value), []);
    }
}
