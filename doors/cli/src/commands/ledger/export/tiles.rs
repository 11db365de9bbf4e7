//! The log itself, in tiles.
//!
//! In this order: what was exported before is held against the ledger; files are added; the checkpoint is
//! replaced; files that are not full and that the new checkpoint does not need are removed. Whoever reads
//! meanwhile finds all files of the checkpoint that they have read, old or new.

use std::fs;
use std::io;
use std::path::Path;

use record::export::tiles::{CHECKPOINT, File, Layout};
use record::proofs;
use record::store::Store;
use verify::checkpoint::Checkpoint;
use verify::key::VerifierKey;
use verify::tiles::{Kind, Tile, WIDTH};

use super::folder::{Folder, failed};
use super::{Exported, NotExported, batches};
use crate::ordinary;

/// Bytes of a file of an export that are read: a bundle of 256 entries has no more.
const LARGEST: u64 = 256 * (2 + 65_535);

/// Is this the name of a file of such an export?
pub(super) fn belongs(name: &str) -> bool {
    matches!(name, CHECKPOINT | "tile")
}

/// Writes the log at this checkpoint.
pub(super) fn write(
    folder: &Folder,
    store: &mut dyn Store,
    note: &str,
    key: &VerifierKey,
) -> Result<Exported, NotExported> {
    let checkpoint = verify::checkpoint::open(note.as_bytes(), key).map_err(|_| NotExported::OtherRoot)?;
    let before = before(folder, store, &checkpoint, key)?;
    let mut layout = Layout::default();
    let mut files = 1;
    batches(store, checkpoint.size(), &mut |_, entry| {
        for file in layout.push(entry)? {
            put(folder, &file)?;
            files += 1;
        }
        Ok(())
    })?;
    for file in layout.rest() {
        put(folder, &file)?;
        files += 1;
    }
    if layout.root() != checkpoint.root() {
        return Err(NotExported::OtherRoot);
    }
    let mut last = folder.begin()?;
    last.write(note.as_bytes())?;
    folder.place(last, CHECKPOINT)?;
    folder.flush()?;
    if let Some(before) = before {
        remove_unneeded(folder, before.size(), checkpoint.size())?;
    }
    Ok(Exported { things: checkpoint.size(), files })
}

/// The checkpoint of an earlier export. The ledger must still begin with its entries.
fn before(
    folder: &Folder,
    store: &mut dyn Store,
    now: &Checkpoint,
    key: &VerifierKey,
) -> Result<Option<Checkpoint>, NotExported> {
    let file = folder.join(CHECKPOINT);
    let path = || file.display().to_string();
    let Some(note) = read(&file)? else { return Ok(None) };
    let before = verify::checkpoint::open(&note, key)
        .map_err(|error| NotExported::OtherLog { path: path(), why: error.to_string() })?;
    let (old, new) = (before.size(), now.size());
    if old > new {
        return Err(NotExported::Truncated { path: path(), old, new });
    }
    if proofs::root(store, old)? != before.root() {
        return Err(NotExported::Forked { path: path() });
    }
    Ok(Some(before))
}

/// Puts a file in its place. One that is there and full must be the same, and stays.
fn put(folder: &Folder, file: &File) -> Result<(), NotExported> {
    let name = file.tile.to_string();
    let target = folder.join(&name);
    match read(&target)? {
        Some(there) if there == file.bytes => return Ok(()),
        Some(_) if file.tile.width() == WIDTH => {
            return Err(NotExported::Forked { path: target.display().to_string() });
        }
        Some(_) | None => {}
    }
    let mut new = folder.begin()?;
    new.write(&file.bytes)?;
    Ok(folder.place(new, &name)?)
}

/// Removes files of the old size that were not full and are not of the new size.
fn remove_unneeded(folder: &Folder, old: u64, new: u64) -> Result<(), NotExported> {
    let levels = (0..8).map(|level| Kind::Hashes { level });
    for kind in levels.chain([Kind::Entries]) {
        let Some(tile) = partial(kind, old).filter(|tile| partial(kind, new).as_ref() != Some(tile)) else {
            continue;
        };
        let file = folder.join(&tile.to_string());
        match fs::remove_file(&file) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(failed(&file, source).into()),
        }
        // The folder goes too, unless a larger part of the same tile lies in it.
        if let Some(parts) = file.parent() {
            let _ = fs::remove_dir(parts);
        }
    }
    Ok(())
}

/// The tile of this kind that is not full in a log of this size.
fn partial(kind: Kind, size: u64) -> Option<Tile> {
    let level = match kind {
        Kind::Entries => 0,
        Kind::Hashes { level } => u32::from(level),
    };
    let things = size.checked_shr(WIDTH.trailing_zeros() * level).unwrap_or(0);
    Tile::new(kind, things / WIDTH, things % WIDTH)
}

fn read(path: &Path) -> Result<Option<Vec<u8>>, NotExported> {
    match ordinary::read(path, LARGEST) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(failed(path, source).into()),
    }
}
