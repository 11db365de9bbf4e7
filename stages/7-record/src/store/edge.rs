//! The right edge of the tree, in tiles of 256 hashes.
//!
//! A tile that is full never changes again and is written once. What is not full is in memory, and can be
//! made again from the entries, so that an append writes nothing but its entry most of the time.

use verify::tree::Hash;

use super::{Store, StoreError};

/// Hashes of a full tile.
pub const TILE_WIDTH: usize = 256;

/// A tile that became full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// 0 for tiles of leaves; each level above has the roots of the one below.
    pub level: u32,
    /// Its number on the level.
    pub number: u64,
    /// Its hashes, one behind the other.
    pub hashes: Vec<u8>,
    /// Their root.
    pub root: Hash,
}

/// The hashes of the tiles that are not full, level by level.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    size: u64,
    levels: Vec<Vec<Hash>>,
}

impl Edge {
    /// How many leaves there are.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The right edge of all that a store keeps.
    ///
    /// # Errors
    /// When the store fails, or something that the edge is made of is missing.
    pub fn of(store: &mut dyn Store) -> Result<Self, StoreError> {
        let size = store.size()?;
        Self::at(store, size)
    }

    /// The right edge of the first `size` entries of a store.
    ///
    /// # Errors
    /// When the store fails, or something that the edge is made of is missing.
    pub fn at(store: &mut dyn Store, size: u64) -> Result<Self, StoreError> {
        Self::load(size, |level, from, end| match level.checked_sub(1) {
            None => {
                let count = usize::try_from(end - from).unwrap_or_default();
                let entries = store.read(from, count)?;
                Ok(entries.iter().map(|entry| Hash::of_leaf(&entry.leaf)).collect())
            }
            Some(below) => store.tile_roots(below, from, end),
        })
    }

    /// The right edge of a tree of this size. `hashes` tells the last hashes of a level, from one place to
    /// before another: those of leaves on level 0, and above it the roots of full tiles below.
    fn load(
        size: u64,
        mut hashes: impl FnMut(u32, u64, u64) -> Result<Vec<Hash>, StoreError>,
    ) -> Result<Self, StoreError> {
        let width = TILE_WIDTH as u64;
        let mut levels = Vec::new();
        let (mut count, mut level) = (size, 0);
        while count > 0 {
            let first = count / width * width;
            let last = if first < count { hashes(level, first, count)? } else { Vec::new() };
            // What is written behind a gap would have the wrong hashes for ever.
            if last.len() as u64 != count - first {
                let what = if level == 0 { "entries" } else { "tiles" };
                return Err(StoreError::Damaged(format!("it lacks {what} that its {size} entries need")));
            }
            levels.push(last);
            count /= width;
            level += 1;
        }
        Ok(Self { size, levels })
    }

    /// Appends a leaf, and says which tiles became full by it.
    pub fn push(&mut self, leaf: Hash) -> Vec<Tile> {
        let mut full = Vec::new();
        let (mut hash, mut number) = (leaf, self.size);
        self.size += 1;
        for level in 0.. {
            number /= TILE_WIDTH as u64;
            let place = usize::try_from(level).unwrap_or(usize::MAX);
            if self.levels.len() <= place {
                self.levels.push(Vec::with_capacity(TILE_WIDTH));
            }
            let Some(hashes) = self.levels.get_mut(place) else { break };
            hashes.push(hash);
            if hashes.len() < TILE_WIDTH {
                break;
            }
            let root = perfect_root(hashes);
            let bytes = hashes.iter().flat_map(|hash| *hash.as_bytes()).collect();
            full.push(Tile { level, number, hashes: bytes, root });
            hashes.clear();
            hash = root;
        }
        full
    }

    /// The hashes of the tiles that are not full, from level 0 up. Some have none.
    pub fn unfinished(&self) -> impl Iterator<Item = (u32, &[Hash])> {
        (0..).zip(self.levels.iter().map(Vec::as_slice))
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> Hash {
        let mut right: Option<Hash> = None;
        for hashes in &self.levels {
            for peak in peaks(hashes).into_iter().rev() {
                right = Some(right.map_or(peak, |right| Hash::of_node(&peak, &right)));
            }
        }
        right.unwrap_or_else(Hash::of_nothing)
    }
}

/// The root of a number of hashes that is a power of two.
pub(crate) fn perfect_root(hashes: &[Hash]) -> Hash {
    let mut row = hashes.to_vec();
    while row.len() > 1 {
        let (pairs, _) = row.as_chunks::<2>();
        row = pairs.iter().map(|[left, right]| Hash::of_node(left, right)).collect();
    }
    row.first().copied().unwrap_or_else(Hash::of_nothing)
}

/// The roots of the perfect trees that these make, from left to right.
fn peaks(hashes: &[Hash]) -> Vec<Hash> {
    let mut peaks = Vec::new();
    let mut rest = hashes;
    while !rest.is_empty() {
        let (tree, behind) = rest.split_at(1 << rest.len().ilog2());
        peaks.push(perfect_root(tree));
        rest = behind;
    }
    peaks
}

#[cfg(test)]
mod tests {
    use verify::tree::{Frontier, Hash};

    use super::Edge;

    #[test]
    fn an_edge_has_the_root_of_its_leaves_also_when_it_is_loaded() {
        let mut edge = Edge::default();
        let mut frontier = Frontier::default();
        let mut leaves = Vec::new();
        let mut roots: Vec<Vec<Hash>> = vec![Vec::new(); 3];
        for number in 0..70_000_u32 {
            let leaf = Hash::of_leaf(&number.to_be_bytes());
            leaves.push(leaf);
            frontier.push(leaf);
            for tile in edge.push(leaf) {
                let level = roots.get_mut(usize::try_from(tile.level).unwrap()).unwrap();
                assert_eq!(tile.number, level.len() as u64);
                level.push(tile.root);
            }
            if matches!(number, 0..600 | 65_500..65_600 | 69_999) {
                assert_eq!(edge.root(), frontier.root(), "{number}");
                let loaded = Edge::load(edge.size(), |level, from, end| {
                    let from = usize::try_from(from).unwrap();
                    let end = usize::try_from(end).unwrap();
                    let all = if level == 0 { &leaves } else { &roots[usize::try_from(level - 1).unwrap()] };
                    Ok(all[from..end].to_vec())
                });
                assert_eq!(loaded.unwrap().root(), frontier.root(), "{number}");
            }
        }
        assert_eq!((roots[0].len(), roots[1].len()), (273, 1));
    }
}
