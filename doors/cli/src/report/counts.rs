//! Counting with a bound: names that strangers choose must not fill the memory.

use std::collections::{BTreeMap, VecDeque};

/// Different names that are counted one by one; whatever comes behind them is counted as others.
pub(super) const MOST_NAMES: usize = 1_000;

/// Lines of a list that are kept.
pub(super) const MOST_LISTED: usize = 200;

/// How often each name came.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    names: BTreeMap<String, u64>,
    others: u64,
}

impl Counts {
    pub(super) fn add(&mut self, name: &str) {
        if let Some(count) = self.names.get_mut(name) {
            *count += 1;
        } else if self.names.len() < MOST_NAMES {
            self.names.insert(name.to_owned(), 1);
        } else {
            self.others += 1;
        }
    }

    /// How often this one came.
    pub(super) fn of(&self, name: &str) -> u64 {
        self.names.get(name).copied().unwrap_or_default()
    }

    /// Names that came too late to be counted one by one.
    pub(super) const fn others(&self) -> u64 {
        self.others
    }

    /// The names with their counts, the most frequent first.
    pub(super) fn sorted(&self) -> Vec<(&str, u64)> {
        let mut names: Vec<(&str, u64)> =
            self.names.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        names
    }
}

/// The newest of many lines, and how many there were.
#[derive(Clone, Debug)]
pub(super) struct Newest<T> {
    lines: VecDeque<T>,
    pub(super) all: u64,
}

impl<T> Default for Newest<T> {
    fn default() -> Self {
        Self { lines: VecDeque::new(), all: 0 }
    }
}

impl<T> Newest<T> {
    pub(super) fn push(&mut self, line: T) {
        if self.lines.len() == MOST_LISTED {
            self.lines.pop_front();
        }
        self.lines.push_back(line);
        self.all += 1;
    }

    /// Those that are kept, the newest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.lines.iter().rev()
    }

    /// How many are not kept.
    pub(super) fn left_out(&self) -> u64 {
        self.all.saturating_sub(self.lines.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, MOST_LISTED, MOST_NAMES, Newest};

    #[test]
    fn names_beyond_the_bound_are_counted_together() {
        let mut counts = Counts::default();
        for round in 0..2 {
            for name in 0..MOST_NAMES + 5 {
                counts.add(&format!("n{name}"));
            }
            assert_eq!(counts.others(), 5 * (round + 1));
        }
        counts.add("n7");
        assert_eq!(counts.sorted().len(), MOST_NAMES);
        assert_eq!(counts.sorted()[0], ("n7", 3));
        assert_eq!((counts.of("n8"), counts.of("n1004")), (2, 0));
    }

    #[test]
    fn the_newest_are_kept_and_all_are_counted() {
        let mut newest = Newest::default();
        for number in 0..=MOST_LISTED {
            assert_eq!(newest.left_out(), 0);
            newest.push(number);
        }
        assert_eq!((newest.all, newest.left_out()), (201, 1));
        assert_eq!((newest.iter().next(), newest.iter().last()), (Some(&200), Some(&1)));
    }
}
