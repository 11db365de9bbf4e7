//! The log itself, as the files of C2SP tlog-tiles.
//!
//! Entries are shown one after the other, and files come out as they become full. What is kept is the right
//! edge of the tree and one bundle, so that a log of any length needs the same memory.

use verify::tiles::{Bundle, Kind, Tile, TooLong, WIDTH};
use verify::tree::Hash;

use crate::Entry;
use crate::store::Edge;

/// The name of the file with the signed checkpoint. It is written behind all others.
pub const CHECKPOINT: &str = "checkpoint";

/// One file of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Which one; its path is how it is shown.
    pub tile: Tile,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Why an entry has no place in the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotLaid {
    /// Another one comes first.
    #[error("entry {expected} is missing: the next one is {found}")]
    Missing {
        /// The one that should come.
        expected: u64,
        /// The one that came.
        found: u64,
    },
    /// It is too long.
    #[error("entry {place}: {source}")]
    TooLong {
        /// Which one.
        place: u64,
        /// How long.
        source: TooLong,
    },
}

/// A log that is laid out from its first entry on.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    edge: Edge,
    bundle: Vec<u8>,
}

impl Layout {
    /// Takes the next entry, and gives the files that became full by it.
    ///
    /// # Errors
    /// When it is not the next one, or too long.
    pub fn push(&mut self, entry: &Entry) -> Result<Vec<File>, NotLaid> {
        let expected = self.edge.size();
        if entry.place != expected {
            return Err(NotLaid::Missing { expected, found: entry.place });
        }
        Bundle::write(&mut self.bundle, &entry.leaf)
            .map_err(|source| NotLaid::TooLong { place: entry.place, source })?;
        let mut full = Vec::new();
        for tile in self.edge.push(Hash::of_leaf(&entry.leaf)) {
            full.extend(file(kind(tile.level), tile.number, WIDTH, tile.hashes));
        }
        if self.edge.size().is_multiple_of(WIDTH) {
            let bytes = std::mem::take(&mut self.bundle);
            full.extend(file(Kind::Entries, expected / WIDTH, WIDTH, bytes));
        }
        Ok(full)
    }

    /// The files that are not full.
    #[must_use]
    pub fn rest(&self) -> Vec<File> {
        let size = self.edge.size();
        let mut rest: Vec<File> =
            file(Kind::Entries, size / WIDTH, size % WIDTH, self.bundle.clone()).into_iter().collect();
        for (level, hashes) in self.edge.unfinished() {
            let below = size.checked_shr(WIDTH.trailing_zeros() * level).unwrap_or(0);
            let bytes = hashes.iter().flat_map(|hash| *hash.as_bytes()).collect();
            rest.extend(file(kind(level), below / WIDTH, below % WIDTH, bytes));
        }
        rest
    }

    /// How many entries were taken.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.edge.size()
    }

    /// Their root.
    #[must_use]
    pub fn root(&self) -> Hash {
        self.edge.root()
    }
}

fn file(kind: Kind, index: u64, width: u64, bytes: Vec<u8>) -> Option<File> {
    Tile::new(kind, index, width).map(|tile| File { tile, bytes })
}

/// A tree that can be counted has eight levels of tiles.
fn kind(level: u32) -> Kind {
    Kind::Hashes { level: u8::try_from(level).unwrap_or(u8::MAX) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use call::Moment;
    use verify::audit::Standing;
    use verify::export::Files;

    use super::{CHECKPOINT, Layout, NotLaid};
    use crate::ledger::signed_checkpoint;
    use crate::{Entry, SigningKey};

    struct Folder(BTreeMap<String, Vec<u8>>);

    impl Files for Folder {
        type Error = std::convert::Infallible;

        fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Self::Error> {
            Ok(self.0.get(path).cloned())
        }
    }

    fn entry(place: u64) -> Entry {
        let at = Moment::since_epoch(std::time::Duration::from_secs(place)).unwrap();
        Entry { place, leaf: format!("{place} at {at}").into() }
    }

    #[test]
    fn a_log_of_any_length_is_what_outsiders_expect() {
        let key = SigningKey::new("example.com/ledger", [7; 32]).unwrap();
        let (mut layout, mut folder) = (Layout::default(), Folder(BTreeMap::new()));
        for place in 0..65_800 {
            for file in layout.push(&entry(place)).unwrap() {
                assert_eq!(folder.0.insert(file.tile.to_string(), file.bytes), None);
            }
            let size = layout.size();
            if ![1, 2, 255, 256, 257, 511, 512, 65_536, 65_537, 65_800].contains(&size) {
                continue;
            }
            let mut whole = Folder(folder.0.clone());
            whole.0.extend(layout.rest().into_iter().map(|file| (file.tile.to_string(), file.bytes)));
            let note = signed_checkpoint(&key, size, layout.root());
            whole.0.insert(CHECKPOINT.to_owned(), note.into());
            let standings = verify::export::check(&whole, key.public(), Vec::new()).unwrap();
            assert!(matches!(standings.as_slice(), [(_, Standing::Holds)]), "{size}");
        }
        let missing = NotLaid::Missing { expected: 65_800, found: 1 };
        assert_eq!(layout.push(&entry(1)), Err(missing));
    }
}
