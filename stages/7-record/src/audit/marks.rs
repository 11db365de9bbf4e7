//! The marks by which some events are found again, held against the entries.
//!
//! A mark that is missing hides a policy or a revocation from whoever asks for the last one; one that is too
//! many passes something else off as such. Both are met in order of their places, in memory that does not
//! grow with the ledger.

use std::collections::{BTreeMap, VecDeque};

use crate::event::MARKED;
use crate::store::{Store, StoreError};

/// Marked entries that are read at a time.
const AT_ONCE: usize = 64;

/// The marks that are still to come.
#[derive(Default)]
pub(super) struct Marks {
    kinds: BTreeMap<&'static str, Kind>,
}

#[derive(Default)]
struct Kind {
    waiting: VecDeque<u64>,
    /// The place from which more are read; nothing before the first look.
    next: Option<u64>,
    ended: bool,
}

impl Marks {
    /// What is wrong with the mark of this entry. Entries are brought in order.
    pub(super) fn entry(
        &mut self,
        event: &str,
        place: u64,
        since: u64,
        store: &mut dyn Store,
    ) -> Result<Option<String>, StoreError> {
        let Some(mark) = MARKED.into_iter().find(|mark| *mark == event) else { return Ok(None) };
        let kind = self.kinds.entry(mark).or_default();
        let mut strays = 0;
        while let Some(marked) = kind.first(mark, since, store)?.filter(|marked| *marked < place) {
            kind.waiting.pop_front();
            strays += usize::from(marked < place);
        }
        let is_marked = kind.waiting.pop_front_if(|marked| *marked == place).is_some();
        Ok(match (is_marked, strays) {
            (true, 0) => None,
            (true, _) => Some(format!("comes behind entries that are kept as `{mark}` and are not")),
            (false, _) => Some(format!("is `{mark}`, and not kept as such")),
        })
    }

    /// Marks that no entry has.
    pub(super) fn left(
        mut self,
        since: u64,
        store: &mut dyn Store,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let mut left = Vec::new();
        for mark in MARKED {
            let kind = self.kinds.entry(mark).or_default();
            if let Some(place) = kind.first(mark, since, store)? {
                left.push((place, format!("is kept as `{mark}`, and is not")));
            }
        }
        Ok(left)
    }
}

impl Kind {
    /// The place of the next mark.
    fn first(&mut self, mark: &str, since: u64, store: &mut dyn Store) -> Result<Option<u64>, StoreError> {
        if self.waiting.is_empty() && !self.ended {
            let entries = store.all_marked(mark, self.next.unwrap_or(since), AT_ONCE)?;
            self.ended = entries.len() < AT_ONCE;
            self.next = entries.last().map(|entry| entry.place + 1);
            self.waiting = entries.into_iter().map(|entry| entry.place).collect();
        }
        Ok(self.waiting.front().copied())
    }
}
