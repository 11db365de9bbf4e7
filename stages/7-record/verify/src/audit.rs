//! A whole log, checked in one pass against any number of checkpoints.
//!
//! Entries are shown one after the other and not kept: what is kept is the right edge of the tree, and the
//! root at each size that a checkpoint was signed for. So a log of any length needs the same memory.

use std::collections::BTreeMap;

use crate::checkpoint::Checkpoint;
use crate::tree::{Frontier, Hash};

/// A pass over the entries of a log.
///
/// ```
/// use verify::audit::{Audit, Standing};
/// use verify::checkpoint::Checkpoint;
/// use verify::tree::Hash;
///
/// let signed = Checkpoint::new("example.com/ledger".parse()?, 1, Hash::of_leaf(b"one"));
/// let mut audit = Audit::of([signed]);
/// audit.push(b"one");
/// audit.push(b"two");
/// assert!(audit.end().iter().all(|(_, standing)| *standing == Standing::Holds));
/// # Ok::<(), verify::key::BadKeyName>(())
/// ```
#[derive(Clone, Debug)]
pub struct Audit {
    frontier: Frontier,
    checkpoints: Vec<Checkpoint>,
    // For each size of a checkpoint, the root that the log has there, once it was reached.
    roots: BTreeMap<u64, Option<Hash>>,
}

/// How a log stands to a checkpoint that was signed for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "an audit nobody reads is a log nobody checked"]
pub enum Standing {
    /// The log begins with exactly the entries that the checkpoint was signed for.
    Holds,
    /// The log has fewer entries than the checkpoint was signed for: it was cut, or put back.
    Truncated {
        /// How many it has.
        entries: u64,
    },
    /// The log has other entries than those that the checkpoint was signed for: some were changed, or the
    /// keeper shows different logs to different people.
    Changed {
        /// The root that they have.
        root: Hash,
    },
}

impl Audit {
    /// A pass that looks at these checkpoints.
    pub fn of(checkpoints: impl IntoIterator<Item = Checkpoint>) -> Self {
        let frontier = Frontier::default();
        let checkpoints: Vec<Checkpoint> = checkpoints.into_iter().collect();
        let mut roots: BTreeMap<u64, Option<Hash>> =
            checkpoints.iter().map(|checkpoint| (checkpoint.size(), None)).collect();
        if let Some(root) = roots.get_mut(&0) {
            *root = Some(frontier.root());
        }
        Self { frontier, checkpoints, roots }
    }

    /// Takes the next entry, and gives its hash.
    pub fn push(&mut self, entry: &[u8]) -> Hash {
        let hash = Hash::of_leaf(entry);
        self.frontier.push(hash);
        if let Some(root) = self.roots.get_mut(&self.frontier.size()) {
            *root = Some(self.frontier.root());
        }
        hash
    }

    /// How many entries were taken.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// The root of the entries that were taken.
    #[must_use]
    pub fn root(&self) -> Hash {
        self.frontier.root()
    }

    /// How the log stands to each checkpoint, in the order in which they were given.
    #[must_use]
    pub fn end(self) -> Vec<(Checkpoint, Standing)> {
        let entries = self.size();
        let standing = |checkpoint: &Checkpoint| match self.roots.get(&checkpoint.size()).copied().flatten() {
            None => Standing::Truncated { entries },
            Some(root) if root != checkpoint.root() => Standing::Changed { root },
            Some(_) => Standing::Holds,
        };
        let standings: Vec<Standing> = self.checkpoints.iter().map(standing).collect();
        self.checkpoints.into_iter().zip(standings).collect()
    }
}
