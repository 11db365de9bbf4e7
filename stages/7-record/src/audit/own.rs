//! The checkpoints that a ledger keeps of itself, each met when the audit has come as far.
//!
//! All of them count and not only the last: whoever changes an entry and has the gate sign again would
//! otherwise be found out only by others.

use std::collections::VecDeque;

use verify::checkpoint::{self, Checkpoint};
use verify::key::VerifierKey;

use crate::store::{Store, StoreError};

/// Checkpoints that are read at a time.
const AT_ONCE: usize = 256;

/// Those that are still to come.
pub(super) struct OwnCheckpoints<'k> {
    key: &'k VerifierKey,
    waiting: VecDeque<(u64, String)>,
    /// The size from which more are read; nothing when there are no more.
    next: Option<u64>,
}

impl<'k> OwnCheckpoints<'k> {
    pub(super) const fn since(size: u64, key: &'k VerifierKey) -> Self {
        Self { key, waiting: VecDeque::new(), next: Some(size) }
    }

    /// The one of this size, or what is wrong with it. Sizes are asked for from the smallest on.
    pub(super) fn at(
        &mut self,
        size: u64,
        store: &mut dyn Store,
    ) -> Result<Option<Result<Checkpoint, String>>, StoreError> {
        self.fill(store)?;
        let Some((kept, note)) = self.waiting.pop_front_if(|(kept, _)| *kept <= size) else {
            return Ok(None);
        };
        let wrong = |why: &str| format!("the ledger's own checkpoint over {kept} entries: {why}");
        Ok(Some(match checkpoint::open(note.as_bytes(), self.key) {
            Ok(checkpoint) if checkpoint.size() == kept => Ok(checkpoint),
            Ok(checkpoint) => Err(wrong(&format!("it was signed for {}", checkpoint.size()))),
            Err(error) => Err(wrong(&error.to_string())),
        }))
    }

    /// The largest size that is beyond what there is.
    pub(super) fn beyond(mut self, size: u64, store: &mut dyn Store) -> Result<Option<u64>, StoreError> {
        let mut largest = None;
        loop {
            self.fill(store)?;
            match self.waiting.pop_front() {
                None => return Ok(largest),
                Some((kept, _)) => largest = Some(kept).filter(|&kept| kept > size).or(largest),
            }
        }
    }

    fn fill(&mut self, store: &mut dyn Store) -> Result<(), StoreError> {
        let Some(from) = self.next.filter(|_| self.waiting.is_empty()) else { return Ok(()) };
        self.waiting = store.checkpoints(from, AT_ONCE)?.into();
        self.next = self.waiting.back().filter(|_| self.waiting.len() == AT_ONCE).map(|(last, _)| last + 1);
        Ok(())
    }
}
