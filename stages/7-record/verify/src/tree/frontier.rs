//! The right edge of a tree: all that is needed to append to it and to name its root.

use super::Hash;

/// The right edge of a tree.
///
/// ```
/// use verify::tree::{Frontier, Hash};
///
/// let mut frontier = Frontier::default();
/// assert_eq!(frontier.root(), Hash::of_nothing());
/// frontier.push(Hash::of_leaf(b"one"));
/// frontier.push(Hash::of_leaf(b"two"));
/// assert_eq!(frontier.root(), Hash::of_node(&Hash::of_leaf(b"one"), &Hash::of_leaf(b"two")));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frontier {
    size: u64,
    // One for each bit of the size, that of the highest bit first: roots of the perfect trees that the
    // leaves make, from left to right.
    peaks: Vec<Hash>,
}

/// So many peaks do not belong to a tree of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a tree of {size} leaves does not have {peaks} peaks")]
pub struct BadFrontier {
    size: u64,
    peaks: usize,
}

impl Frontier {
    /// The right edge of a tree of this size with these peaks, from left to right.
    ///
    /// # Errors
    /// When a tree of this size has another number of peaks.
    pub fn new(size: u64, peaks: Vec<Hash>) -> Result<Self, BadFrontier> {
        if usize::try_from(size.count_ones()) == Ok(peaks.len()) {
            return Ok(Self { size, peaks });
        }
        Err(BadFrontier { size, peaks: peaks.len() })
    }

    /// How many leaves there are.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The peaks, from left to right.
    #[must_use]
    pub fn peaks(&self) -> &[Hash] {
        &self.peaks
    }

    /// Appends a leaf.
    pub fn push(&mut self, leaf: Hash) {
        let mut hash = leaf;
        // Every perfect tree at the right end that has a brother now becomes one with it.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.peaks.pop() {
                hash = Hash::of_node(&left, &hash);
            }
        }
        self.peaks.push(hash);
        self.size = self.size.saturating_add(1);
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> Hash {
        let joined = self.peaks.iter().rev().copied().reduce(|right, left| Hash::of_node(&left, &right));
        joined.unwrap_or_else(Hash::of_nothing)
    }
}
