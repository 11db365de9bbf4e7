//! Hashes of the tree, from what the store keeps.

use std::cell::RefCell;

use verify::tree::{Hash, Nodes, prove_consistency, prove_inclusion};

use crate::store::edge_root;
use crate::store::{Store, StoreError, TILE_WIDTH};

/// A store as a keeper of hashes.
struct Kept<'s> {
    store: RefCell<&'s mut dyn Store>,
    size: u64,
}

impl Nodes for Kept<'_> {
    type Error = StoreError;

    fn node(&self, level: u32, index: u64) -> Result<Hash, StoreError> {
        const LEVELS: u32 = TILE_WIDTH.ilog2();
        let (tile_level, inside) = (level / LEVELS, level % LEVELS);
        // These hashes of the tile's level are below the node.
        let first = index << inside;
        let end = first + (1 << inside);
        let width = TILE_WIDTH as u64;
        let number = first / width;
        let mut store = self.store.borrow_mut();
        let full = (number + 1).checked_mul(width).and_then(|end| end.checked_shl(LEVELS * tile_level));
        let hashes = match full.filter(|&end| end <= self.size) {
            Some(_) => {
                let tile = store.tile(tile_level, number)?;
                let tile = tile.ok_or_else(|| missing(tile_level, number))?;
                let place = |hash: u64| usize::try_from(hash % width).unwrap_or(TILE_WIDTH);
                tile.get(place(first)..=place(end - 1)).map(<[Hash]>::to_vec).unwrap_or_default()
            }
            // The tile is not full: its hashes are those of entries, or the roots of the tiles below.
            None => match tile_level.checked_sub(1) {
                Some(below) => store.tile_roots(below, first, end)?,
                None => {
                    let entries = store.read(first, 1 << inside)?;
                    entries.iter().map(|entry| Hash::of_leaf(&entry.leaf)).collect()
                }
            },
        };
        if hashes.len() == 1 << inside { Ok(edge_root(&hashes)) } else { Err(missing(tile_level, number)) }
    }
}

fn missing(level: u32, number: u64) -> StoreError {
    StoreError::Damaged(format!("tile {number} of level {level} is not whole"))
}

/// The root of the first `size` entries.
///
/// # Errors
/// When the store fails.
pub fn root(store: &mut dyn Store, size: u64) -> Result<Hash, StoreError> {
    verify::tree::root(&Kept { store: RefCell::new(store), size }, size)
}

/// The roots of the perfect trees that the first `size` entries make, from left to right.
pub(crate) fn peaks(store: &mut dyn Store, size: u64) -> Result<Vec<Hash>, StoreError> {
    let nodes = Kept { store: RefCell::new(store), size };
    let levels = (0..u64::BITS).rev().filter(|level| size >> level & 1 == 1);
    levels.map(|level| nodes.node(level, (size >> level) - 1)).collect()
}

/// Something that was asked for is not there.
#[derive(Debug, thiserror::Error)]
pub enum NotShown {
    /// There are not so many entries.
    #[error("there is no entry {place}: the ledger has {size}")]
    NoEntry {
        /// The place.
        place: u64,
        /// How many entries there are.
        size: u64,
    },
    /// The keeper failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What shows that the entry at `place` is among the first `size`.
///
/// # Errors
/// When there are not so many, or the store fails.
pub fn inclusion(store: &mut dyn Store, place: u64, size: u64) -> Result<Vec<Hash>, NotShown> {
    let proof = prove_inclusion(&Kept { store: RefCell::new(store), size }, place, size)?;
    proof.ok_or(NotShown::NoEntry { place, size })
}

/// What shows that the first `new` entries begin with the first `old`.
///
/// # Errors
/// When there are not so many, or the store fails.
pub fn consistency(store: &mut dyn Store, old: u64, new: u64) -> Result<Vec<Hash>, NotShown> {
    let proof = prove_consistency(&Kept { store: RefCell::new(store), size: new }, old, new)?;
    proof.ok_or(NotShown::NoEntry { place: old, size: new })
}
