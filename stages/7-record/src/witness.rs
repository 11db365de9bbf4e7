//! Witnesses: others who keep checkpoints, so that nobody can take back what was signed.
//!
//! Whoever owns the machine can put the ledger back to an earlier day and sign it anew. They cannot make a
//! witness forget. Before a checkpoint is given to one, the ledger is held against the last that it has seen:
//! a fork is never passed on.

use verify::checkpoint::Checkpoint;
use verify::tree::{Hash, check_consistency};

use crate::proofs::{self, NotShown};
use crate::store::{Store, StoreError};

/// Why a ledger does not follow from what a witness has seen.
#[derive(Debug, thiserror::Error)]
pub enum NotSuccessor {
    /// It has fewer entries.
    #[error("truncated or rolled back: {seen} entries were seen, and there are {size}")]
    Truncated {
        /// How many were seen.
        seen: u64,
        /// How many there are.
        size: u64,
    },
    /// It has others.
    #[error("forked or changed: the first {seen} entries are not those that were seen")]
    Forked {
        /// How many were seen.
        seen: u64,
    },
    /// The keeper failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What shows that the ledger at `now` begins with what was seen, after that was checked.
///
/// # Errors
/// When it does not, or the store fails.
pub fn succession(
    store: &mut dyn Store,
    seen: &Checkpoint,
    now: &Checkpoint,
) -> Result<Vec<Hash>, NotSuccessor> {
    let (old, new) = (seen.size(), now.size());
    if old > new {
        return Err(NotSuccessor::Truncated { seen: old, size: new });
    }
    let proof = proof(store, old, new)?;
    check_consistency((old, seen.root()), (new, now.root()), &proof)
        .map_err(|_| NotSuccessor::Forked { seen: old })?;
    Ok(proof)
}

/// What shows that the first `new` entries begin with the first `old`, of which only the number is known.
///
/// # Errors
/// When there are not so many, or the store fails.
pub fn proof(store: &mut dyn Store, old: u64, new: u64) -> Result<Vec<Hash>, NotSuccessor> {
    proofs::consistency(store, old, new).map_err(|error| match error {
        NotShown::NoEntry { .. } => NotSuccessor::Truncated { seen: old, size: new },
        NotShown::Store(error) => error.into(),
    })
}

/// The body of `add-checkpoint`, by which C2SP tlog-witness asks for a cosignature.
///
/// ```
/// use verify::tree::Hash;
///
/// let body = record::witness::add_checkpoint(2, &[Hash::of_leaf(b"c")], "the note\n");
/// assert_eq!(body, "old 2\nWX/LMSgtNGVMIA00GPylcFxkjr8ybsc9jd7xGEH4dtg=\n\nthe note\n");
/// ```
#[must_use]
pub fn add_checkpoint(old: u64, proof: &[Hash], note: &str) -> String {
    let hashes: String = proof.iter().map(|hash| format!("{}\n", hash.to_base64())).collect();
    format!("old {old}\n{hashes}\n{note}")
}

/// The size in the answer of a witness that has seen another one than it was asked for.
///
/// ```
/// use record::witness::conflict_size;
///
/// assert_eq!(conflict_size("20852014\n"), Some(20_852_014));
/// for other in ["", "20852014", "020852014\n", "-1\n", "1\n2\n", "it is\n"] {
///     assert_eq!(conflict_size(other), None, "{other:?}");
/// }
/// ```
#[must_use]
pub fn conflict_size(body: &str) -> Option<u64> {
    let digits = body.strip_suffix('\n')?;
    let size: u64 = digits.parse().ok()?;
    (size.to_string() == digits).then_some(size)
}
