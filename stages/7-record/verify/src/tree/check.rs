//! Proofs, checked.

use super::Hash;

/// A proof does not show what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotProved {
    /// There is no such leaf, or the old tree is larger than the new one.
    #[error("{place} is not below {size}")]
    Outside {
        /// The place of the leaf, or the size of the old tree.
        place: u64,
        /// The size of the tree.
        size: u64,
    },
    /// The proof has too many or too few hashes.
    #[error("the proof has {0} hashes, which is not the right number")]
    Length(usize),
    /// The proof leads to another root.
    #[error("the proof leads to another root")]
    Root,
    /// The proof leads to another old root: what was there has been changed.
    #[error("the proof leads to another root of the old tree")]
    OldRoot,
}

/// Checks that a leaf with this hash is at `index` in the tree of `size` leaves with this root.
///
/// # Errors
/// When the proof does not show that.
pub fn check_inclusion(
    leaf: Hash,
    index: u64,
    size: u64,
    proof: &[Hash],
    root: Hash,
) -> Result<(), NotProved> {
    if index >= size {
        return Err(NotProved::Outside { place: index, size });
    }
    let (mut place, mut last) = (index, size - 1);
    let mut hash = leaf;
    for beside in proof {
        if last == 0 {
            return Err(NotProved::Length(proof.len()));
        }
        if place & 1 == 1 || place == last {
            hash = Hash::of_node(beside, &hash);
            // At the right edge, levels without a brother are passed over.
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            hash = Hash::of_node(&hash, beside);
        }
        place >>= 1;
        last >>= 1;
    }
    match (last == 0, hash == root) {
        (false, _) => Err(NotProved::Length(proof.len())),
        (true, false) => Err(NotProved::Root),
        (true, true) => Ok(()),
    }
}

/// Checks that the tree of `new` leaves begins with the tree of `old` leaves, each with its root.
///
/// # Errors
/// When the proof does not show that.
pub fn check_consistency(
    (old, old_root): (u64, Hash),
    (new, new_root): (u64, Hash),
    proof: &[Hash],
) -> Result<(), NotProved> {
    if old > new {
        return Err(NotProved::Outside { place: old, size: new });
    }
    if old == new || old == 0 {
        // Nothing is to be proved about these: equal trees have equal roots, and a tree without leaves has
        // a root of its own.
        let known_root = if old == new { new_root } else { Hash::of_nothing() };
        return match (proof.is_empty(), old_root == known_root) {
            (false, _) => Err(NotProved::Length(proof.len())),
            (true, false) => Err(NotProved::OldRoot),
            (true, true) if new == 0 && new_root != Hash::of_nothing() => Err(NotProved::Root),
            (true, true) => Ok(()),
        };
    }
    // The old tree itself is the first hash when it is perfect.
    let (first, rest) = match (old.is_power_of_two(), proof.split_first()) {
        (true, _) => (old_root, proof),
        (false, Some((first, rest))) => (*first, rest),
        (false, None) => return Err(NotProved::Length(0)),
    };
    let (mut place, mut last) = (old - 1, new - 1);
    while place & 1 == 1 {
        place >>= 1;
        last >>= 1;
    }
    let (mut before, mut after) = (first, first);
    for beside in rest {
        if last == 0 {
            return Err(NotProved::Length(proof.len()));
        }
        if place & 1 == 1 || place == last {
            before = Hash::of_node(beside, &before);
            after = Hash::of_node(beside, &after);
            while place & 1 == 0 && place != 0 {
                place >>= 1;
                last >>= 1;
            }
        } else {
            after = Hash::of_node(&after, beside);
        }
        place >>= 1;
        last >>= 1;
    }
    if last != 0 {
        return Err(NotProved::Length(proof.len()));
    }
    if before != old_root {
        return Err(NotProved::OldRoot);
    }
    if after != new_root {
        return Err(NotProved::Root);
    }
    Ok(())
}
