//! A log that lies in tiles, checked from the first entry to the signature.
//!
//! Everything is computed from the entries, and every hash tile is compared with what they give. A tile
//! that differs is how a changed entry is found by its number; the root alone could only say that there is
//! one. Files are read once, one after the other, and one tile of each level is kept.

use std::ops::RangeInclusive;

use crate::audit::{Audit, Standing};
use crate::checkpoint::{self, BadCheckpoint, Checkpoint};
use crate::key::VerifierKey;
use crate::tiles::{Bundle, CutShort, Kind, Tile, WIDTH};
use crate::tree::{Frontier, Hash};

/// Whoever can read the files of a log.
pub trait Files {
    /// Why a file cannot be read.
    type Error;

    /// The bytes of the file with this path below the folder of the log. Nothing when there is no such file.
    ///
    /// # Errors
    /// When there is one and it cannot be read.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Self::Error>;
}

/// Why a log is not what its checkpoint says, or cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadLog<E> {
    /// A file cannot be read. Says nothing about the log.
    #[error("`{path}` cannot be read")]
    Unreadable {
        /// Which one.
        path: String,
        /// Why.
        source: E,
    },
    /// There is no file `checkpoint`, so this is not a log.
    #[error("there is no file `checkpoint`")]
    NoCheckpoint,
    /// The checkpoint is not one of the log.
    #[error("`checkpoint` is not a checkpoint of the log")]
    Checkpoint(#[source] BadCheckpoint),
    /// A tile is missing.
    #[error("there is no `{tile}`, for {}", spoken(&.tile.entries()))]
    Missing {
        /// Which one.
        tile: Tile,
    },
    /// A bundle ends inside an entry.
    #[error("`{tile}` is cut short")]
    CutShort {
        /// Which one.
        tile: Tile,
        /// Where it ends.
        source: CutShort,
    },
    /// A bundle has more or fewer entries than its path says.
    #[error("`{tile}` should have {} entries, and has {found}", .tile.width())]
    Entries {
        /// Which one.
        tile: Tile,
        /// How many it has. Those behind the first that is too many are not counted.
        found: u64,
    },
    /// A tile has more or fewer hashes than its path says.
    #[error("`{tile}` should have {} hashes of 32 bytes, and has {bytes} bytes", .tile.width())]
    Hashes {
        /// Which one.
        tile: Tile,
        /// How long it is.
        bytes: usize,
    },
    /// Entries are not those that a tile has the hash of: they were changed, or the tile was.
    #[error("`{tile}` has another hash for {}", spoken(entries))]
    Changed {
        /// The tile.
        tile: Tile,
        /// The entries.
        entries: RangeInclusive<u64>,
    },
}

/// Checks a log that lies in files: its entries, every tile, its checkpoint, and how it stands to it and to
/// checkpoints that were kept elsewhere. Its own checkpoint comes first in the answer.
///
/// # Errors
/// When a file is missing or cannot be read, or when entries, tiles and signature do not fit together.
pub fn check<F: Files>(
    files: &F,
    key: &VerifierKey,
    kept: Vec<Checkpoint>,
) -> Result<Vec<(Checkpoint, Standing)>, BadLog<F::Error>> {
    let note = read(files, "checkpoint")?.ok_or(BadLog::NoCheckpoint)?;
    let own = checkpoint::open(&note, key).map_err(BadLog::Checkpoint)?;
    let size = own.size();
    let mut audit = Audit::of([vec![own], kept].concat());
    let mut above = Levels { files, levels: Vec::new() };
    let bundles = Tile::of_log(Kind::Entries, size);
    for (bundle, tile) in bundles.zip(Tile::of_log(Kind::Hashes { level: 0 }, size)) {
        let entries = required(files, bundle)?;
        let hashes = hashes_of(files, tile)?;
        let mut signed = (0..).zip(&hashes);
        for entry in Bundle::new(&entries) {
            let entry = entry.map_err(|source| BadLog::CutShort { tile: bundle, source })?;
            let found = bundle.width() + 1;
            let (place, hash) = signed.next().ok_or(BadLog::Entries { tile: bundle, found })?;
            if audit.push(entry) != *hash {
                return Err(BadLog::Changed { tile, entries: tile.entries_below(place) });
            }
        }
        if let Some((found, _)) = signed.next() {
            return Err(BadLog::Entries { tile: bundle, found });
        }
        if bundle.width() == WIDTH {
            above.push(root(&hashes))?;
        }
    }
    above.end()?;
    Ok(audit.end())
}

/// The levels above that of the entries: roots of full tiles, until they fill a tile themselves.
struct Levels<'a, F> {
    files: &'a F,
    // From level 1 up.
    levels: Vec<Level>,
}

#[derive(Default)]
struct Level {
    // How many tiles were full.
    full: u64,
    // Hashes of the next one, fewer than fill it.
    hashes: Vec<Hash>,
}

impl<F: Files> Levels<'_, F> {
    /// Takes the root of the next full tile of level 0.
    fn push(&mut self, root_below: Hash) -> Result<(), BadLog<F::Error>> {
        let mut hash = root_below;
        for number in 1.. {
            if self.levels.len() < usize::from(number) {
                self.levels.push(Level::default());
            }
            let Some(level) = self.levels.get_mut(usize::from(number) - 1) else {
                break;
            };
            level.hashes.push(hash);
            let Some(tile) = level.tile(number).filter(|tile| tile.width() == WIDTH) else {
                break;
            };
            compare(self.files, tile, &level.hashes)?;
            hash = root(&level.hashes);
            level.full += 1;
            level.hashes.clear();
        }
        Ok(())
    }

    /// Compares the tiles that did not become full.
    fn end(&self) -> Result<(), BadLog<F::Error>> {
        for (number, level) in (1..).zip(&self.levels) {
            if let Some(tile) = level.tile(number) {
                compare(self.files, tile, &level.hashes)?;
            }
        }
        Ok(())
    }
}

impl Level {
    /// The tile that its hashes make. Nothing when there are none.
    fn tile(&self, level: u8) -> Option<Tile> {
        Tile::new(Kind::Hashes { level }, self.full, u64::try_from(self.hashes.len()).ok()?)
    }
}

fn compare<F: Files>(files: &F, tile: Tile, computed: &[Hash]) -> Result<(), BadLog<F::Error>> {
    let stored = hashes_of(files, tile)?;
    match (0..).zip(stored.iter().zip(computed)).find(|(_, (stored, computed))| stored != computed) {
        Some((place, _)) => Err(BadLog::Changed { tile, entries: tile.entries_below(place) }),
        None => Ok(()),
    }
}

/// The hashes of a tile, as many as its width.
fn hashes_of<F: Files>(files: &F, tile: Tile) -> Result<Vec<Hash>, BadLog<F::Error>> {
    let bytes = required(files, tile)?;
    let (hashes, rest) = bytes.as_chunks::<{ Hash::BYTES }>();
    if !rest.is_empty() || u64::try_from(hashes.len()) != Ok(tile.width()) {
        return Err(BadLog::Hashes { tile, bytes: bytes.len() });
    }
    Ok(hashes.iter().copied().map(Hash::from).collect())
}

fn required<F: Files>(files: &F, tile: Tile) -> Result<Vec<u8>, BadLog<F::Error>> {
    read(files, &tile.to_string())?.ok_or(BadLog::Missing { tile })
}

fn read<F: Files>(files: &F, path: &str) -> Result<Option<Vec<u8>>, BadLog<F::Error>> {
    files.read(path).map_err(|source| BadLog::Unreadable { path: path.to_owned(), source })
}

fn root(hashes: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    hashes.iter().for_each(|hash| frontier.push(*hash));
    frontier.root()
}

fn spoken(entries: &RangeInclusive<u64>) -> String {
    let (first, last) = (entries.start(), entries.end());
    if first == last { format!("entry {first}") } else { format!("entries {first} to {last}") }
}
