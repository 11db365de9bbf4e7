//! Proofs, made from the hashes of perfect trees.

use super::Hash;

/// Whoever keeps the hashes of perfect trees.
pub trait Nodes {
    /// Why a hash cannot be had.
    type Error;

    /// The root of the perfect tree over the leaves from `index << level` to before
    /// `(index + 1) << level`. Only asked for such that all of them are there.
    ///
    /// # Errors
    /// When the hash cannot be had.
    fn node(&self, level: u32, index: u64) -> Result<Hash, Self::Error>;
}

/// The root of the first `size` leaves.
///
/// # Errors
/// Those of `nodes`.
pub fn root<N: Nodes>(nodes: &N, size: u64) -> Result<Hash, N::Error> {
    subtree(nodes, 0, size)
}

/// What shows that the leaf at `index` is among the first `size`: the hashes beside its way to the root,
/// from the leaf up. Nothing for a leaf that is not among them.
///
/// # Errors
/// Those of `nodes`.
pub fn prove_inclusion<N: Nodes>(nodes: &N, index: u64, size: u64) -> Result<Option<Vec<Hash>>, N::Error> {
    if index >= size {
        return Ok(None);
    }
    let mut path = Vec::new();
    let (mut first, mut end) = (0, size);
    // From the root down; what stands beside the way is kept.
    while end - first > 1 {
        let middle = first + largest_power_below(end - first);
        if index < middle {
            path.push(subtree(nodes, middle, end)?);
            end = middle;
        } else {
            path.push(subtree(nodes, first, middle)?);
            first = middle;
        }
    }
    path.reverse();
    Ok(Some(path))
}

/// What shows that the first `new` leaves begin with the first `old`. Nothing when they cannot.
///
/// # Errors
/// Those of `nodes`.
pub fn prove_consistency<N: Nodes>(nodes: &N, old: u64, new: u64) -> Result<Option<Vec<Hash>>, N::Error> {
    if old > new {
        return Ok(None);
    }
    let mut proof = Vec::new();
    if old == 0 || old == new {
        return Ok(Some(proof));
    }
    let (mut first, mut end) = (0, new);
    // Down to the node that ends where the old tree ends.
    while end != old {
        let middle = first + largest_power_below(end - first);
        if old <= middle {
            proof.push(subtree(nodes, middle, end)?);
            end = middle;
        } else {
            proof.push(subtree(nodes, first, middle)?);
            first = middle;
        }
    }
    // The old tree as a whole is known to whoever checks.
    if first > 0 {
        proof.push(subtree(nodes, first, end)?);
    }
    proof.reverse();
    Ok(Some(proof))
}

/// The root of the leaves from `first` to before `end`. `first` is where a tree of that size may begin.
fn subtree<N: Nodes>(nodes: &N, first: u64, end: u64) -> Result<Hash, N::Error> {
    // From the right: the perfect trees that make it up become one.
    let mut whole: Option<Hash> = None;
    let mut rest = end - first;
    while rest > 0 {
        let level = rest.trailing_zeros();
        rest &= rest - 1;
        let left = nodes.node(level, (first + rest) >> level)?;
        whole = Some(whole.map_or(left, |right| Hash::of_node(&left, &right)));
    }
    Ok(whole.unwrap_or_else(Hash::of_nothing))
}

/// The largest power of two that is smaller than `count`, which is two at least.
const fn largest_power_below(count: u64) -> u64 {
    1 << (count - 1).ilog2()
}
