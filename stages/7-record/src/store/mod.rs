//! Where the ledger is kept.
//!
//! One trait with two keepers: an embedded database in the home, and a server that several gates share.
//! What each of them must hold to is said at the trait, and tested for both.

mod calls;
mod edge;
mod forms;
mod kept;
mod postgres;
mod run;
mod sqlite;

use call::{CallId, Sha256};
use verify::tree::Hash;

use crate::Entry;

pub(crate) use edge::perfect_root as edge_root;
pub use edge::{Edge, TILE_WIDTH, Tile};
pub use kept::Kept;
pub use postgres::PostgresStore;
pub use run::RunId;
pub use sqlite::SqliteStore;

/// Bytes of the largest entry: what the form in which logs are handed out can hold.
pub const LARGEST_ENTRY: usize = u16::MAX as usize;

/// An event that is to be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    leaf: Vec<u8>,
    hash: Hash,
    /// What it does to a call.
    pub step: Step,
    /// The name under which it is found again, with all others of its kind.
    pub mark: Option<&'static str>,
    /// Contents that are kept beside the log with it, in the same transaction.
    pub keeps: Vec<Kept>,
    /// Contents that go from beside the log with it, in the same transaction.
    pub drops: Vec<Sha256>,
}

impl Draft {
    /// A draft of this canonical JSON. It is hashed here, and not where one writes for all.
    #[must_use]
    pub fn new(leaf: Vec<u8>, step: Step, mark: Option<&'static str>) -> Self {
        let hash = Hash::of_leaf(&leaf);
        Self { leaf, hash, step, mark, keeps: Vec::new(), drops: Vec::new() }
    }

    /// The canonical JSON.
    #[must_use]
    pub fn leaf(&self) -> &[u8] {
        &self.leaf
    }

    /// The hash of the leaf.
    #[must_use]
    pub const fn hash(&self) -> Hash {
        self.hash
    }
}

/// What an event does to the call that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The first of its events.
    Opens(CallId),
    /// One more; the gate that writes it is at work on the call.
    Continues(CallId),
    /// One more; the gate that writes it takes up a call that waits. Of several that try, one does.
    Takes(CallId),
    /// One more about a call that waits, and goes on waiting; not once somebody has taken it up.
    Answers(CallId),
    /// One more; from now on nobody is at work on it.
    Waits(CallId),
    /// The last one.
    Ends(CallId),
    /// It is about no call.
    Apart,
}

impl Step {
    /// The call, if it is about one.
    #[must_use]
    pub const fn call(self) -> Option<CallId> {
        match self {
            Self::Opens(call)
            | Self::Continues(call)
            | Self::Takes(call)
            | Self::Answers(call)
            | Self::Waits(call)
            | Self::Ends(call) => Some(call),
            Self::Apart => None,
        }
    }
}

/// An event that must not be written, whatever the disk says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misstep {
    /// There was a call of this name.
    #[error("the call {0} is on record already")]
    Known(CallId),
    /// The call never came, or it has ended: no second end, and nothing behind the end.
    #[error("the call {0} is not open")]
    NotOpen(CallId),
    /// The call is open, and does not wait: somebody is at work on it.
    #[error("the call {0} was taken up already")]
    Taken(CallId),
    /// The entry is larger than a log may hold.
    #[error("the entry has {0} bytes, more than the 65535 that one may have")]
    TooLarge(usize),
}

/// Why the keeper did not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It is not a ledger.
    #[error("`{place}` is not a ledger of the gate: {why}")]
    NotLedger {
        /// Where.
        place: String,
        /// What it is instead.
        why: String,
    },
    /// It is a ledger of another version.
    #[error("`{place}` is a ledger of version {found}, and this gate knows version {known}")]
    OtherVersion {
        /// Where.
        place: String,
        /// The version it has.
        found: i64,
        /// The version that is known.
        known: i64,
    },
    /// What is kept does not fit together.
    #[error("the ledger is damaged: {0}")]
    Damaged(String),
    /// The database, the disk or the connection failed.
    #[error("the ledger cannot be used: {0}")]
    Failed(String),
}

/// An entry, and the call that the keeper finds it by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indexed {
    /// The entry.
    pub entry: Entry,
    /// The call, as it is kept beside the entry.
    pub call: Option<String>,
}

/// What a keeper has beside entries at places that are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// Entries at other places, which nobody would read in order.
    pub astray: u64,
    /// Tiles of all levels.
    pub tiles: u64,
}

/// Whoever keeps the ledger.
///
/// **Promises.** Entries have places from 0 on, without gaps. An entry that [`Store::append`] gave a place
/// to is durable: it is there, at that place and with these bytes, after any crash and for every reader.
/// When `append` fails, some or none of the drafts may be on record, in order and without gaps, and the
/// caller must not go on as if any were; opening the ledger again tells. Several gates may append at once:
/// there is one order, and never two entries at a place. Steps are held to in the same transaction, so
/// that no call ever has two ends. The drafts of one caller are written all, one behind the other, or not
/// at all, and what they keep beside the log or take away from there is kept or goes with them.
pub trait Store: Send {
    /// Appends what several callers have, in order, each with its answer: the place of its first draft,
    /// or why none of its drafts must be written. That is nobody else's loss.
    ///
    /// # Errors
    /// When the keeper failed.
    fn append(&mut self, bundles: &[Vec<Draft>]) -> Result<Vec<Result<u64, Misstep>>, StoreError>;

    /// How many entries there are.
    ///
    /// # Errors
    /// When the keeper failed.
    fn size(&mut self) -> Result<u64, StoreError>;

    /// Entries from this place on, in order, at most so many.
    ///
    /// # Errors
    /// When the keeper failed.
    fn read(&mut self, from: u64, most: usize) -> Result<Vec<Entry>, StoreError>;

    /// The same, each with the call that it is found by.
    ///
    /// # Errors
    /// When the keeper failed.
    fn read_indexed(&mut self, from: u64, most: usize) -> Result<Vec<Indexed>, StoreError>;

    /// What there is beside entries at places that are counted.
    ///
    /// # Errors
    /// When the keeper failed.
    fn census(&mut self) -> Result<Census, StoreError>;

    /// From now on shows the ledger as it is now, whoever writes to it meanwhile, until
    /// [`Store::let_go`]. Until then nothing can be written through this.
    ///
    /// # Errors
    /// When the keeper failed.
    fn hold_still(&mut self) -> Result<(), StoreError>;

    /// Shows the ledger as it is again.
    ///
    /// # Errors
    /// When the keeper failed.
    fn let_go(&mut self) -> Result<(), StoreError>;

    /// Entries from a place on that hold all of these texts, in order, at most so many; and the place to
    /// go on from.
    ///
    /// # Errors
    /// When the keeper failed.
    fn search(&mut self, from: u64, texts: &[&str], most: usize) -> Result<Vec<Entry>, StoreError>;

    /// The last entry with this mark.
    ///
    /// # Errors
    /// When the keeper failed.
    fn marked(&mut self, mark: &str) -> Result<Option<Entry>, StoreError>;

    /// The place of the last entry with this mark, which is asked for much more often than the entry.
    ///
    /// # Errors
    /// When the keeper failed.
    fn marked_at(&mut self, mark: &str) -> Result<Option<u64>, StoreError> {
        Ok(self.marked(mark)?.map(|entry| entry.place))
    }

    /// Entries with this mark from a place on, in order, at most so many.
    ///
    /// # Errors
    /// When the keeper failed.
    fn all_marked(&mut self, mark: &str, from: u64, most: usize) -> Result<Vec<Entry>, StoreError>;

    /// All entries about a call.
    ///
    /// # Errors
    /// When the keeper failed.
    fn of_call(&mut self, call: CallId) -> Result<Vec<Entry>, StoreError>;

    /// The hashes of a tile, if it is full.
    ///
    /// # Errors
    /// When the keeper failed.
    fn tile(&mut self, level: u32, number: u64) -> Result<Option<Vec<Hash>>, StoreError>;

    /// The roots of full tiles of a level, from one number to before another.
    ///
    /// # Errors
    /// When the keeper failed.
    fn tile_roots(&mut self, level: u32, from: u64, end: u64) -> Result<Vec<Hash>, StoreError>;

    /// Keeps a signed checkpoint.
    ///
    /// # Errors
    /// When the keeper failed.
    fn save_checkpoint(&mut self, size: u64, note: &str) -> Result<(), StoreError>;

    /// The checkpoint that covers most.
    ///
    /// # Errors
    /// When the keeper failed.
    fn checkpoint(&mut self) -> Result<Option<String>, StoreError>;

    /// Checkpoints from a size on, in order, at most so many: the size that each is kept under, and its note.
    ///
    /// # Errors
    /// When the keeper failed.
    fn checkpoints(&mut self, from: u64, most: usize) -> Result<Vec<(u64, String)>, StoreError>;

    /// Calls that a gate was at work on when it died.
    ///
    /// # Errors
    /// When the keeper failed.
    fn abandoned(&mut self) -> Result<Vec<CallId>, StoreError>;

    /// Calls that are open, whoever is at work on them.
    ///
    /// # Errors
    /// When the keeper failed.
    fn open_calls(&mut self) -> Result<Vec<CallId>, StoreError>;

    /// Calls that are open and that nobody is at work on, in order.
    ///
    /// # Errors
    /// When the keeper failed.
    fn waiting(&mut self) -> Result<Vec<CallId>, StoreError>;

    /// Keeps content beside the log.
    ///
    /// # Errors
    /// When the keeper failed.
    fn keep_blob(&mut self, content: &[u8], at: i64) -> Result<Sha256, StoreError>;

    /// Content that is kept beside the log. What was changed since is not that content, and not given.
    ///
    /// # Errors
    /// When the keeper failed.
    fn blob(&mut self, digest: Sha256) -> Result<Option<Vec<u8>>, StoreError>;

    /// Contents that were kept before this time, in microseconds since 1970.
    ///
    /// # Errors
    /// When the keeper failed.
    fn blobs_before(&mut self, at: i64) -> Result<Vec<Sha256>, StoreError>;

    /// Drops content, unless it was kept again at this time or later; its digest stays wherever it is written.
    ///
    /// # Errors
    /// When the keeper failed.
    fn drop_blob(&mut self, digest: Sha256, before: i64) -> Result<bool, StoreError>;
}

/// A database that says yes and changes nothing has not kept what it was given.
fn had_effect(changed: u64, expected: usize) -> Result<(), StoreError> {
    if u64::try_from(expected) == Ok(changed) {
        return Ok(());
    }
    Err(StoreError::Damaged(format!("{expected} rows were written, and the database has taken {changed}")))
}

/// Content, if it is that of the digest.
fn unchanged(content: Option<Vec<u8>>, digest: Sha256) -> Option<Vec<u8>> {
    content.filter(|content| Sha256::of(content) == digest)
}

/// Adds entries to the right edge that another gate has written since.
fn catch_up(
    edge: &mut Edge,
    size: u64,
    mut read: impl FnMut(u64, usize) -> Result<Vec<Entry>, StoreError>,
) -> Result<(), StoreError> {
    const AT_ONCE: usize = 1_024;
    if size < edge.size() {
        return Err(StoreError::Damaged(format!("it had {} entries and has {size} now", edge.size())));
    }
    while edge.size() < size {
        let entries = read(edge.size(), AT_ONCE)?;
        if entries.is_empty() {
            return Err(StoreError::Damaged(format!("entry {} is missing", edge.size())));
        }
        for entry in entries {
            if entry.place != edge.size() {
                return Err(StoreError::Damaged(format!("entry {} is missing", edge.size())));
            }
            edge.push(Hash::of_leaf(&entry.leaf));
        }
    }
    Ok(())
}
