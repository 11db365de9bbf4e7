//! What both databases keep as bytes, texts and numbers, read again. Anything else in its place is damage.

use call::{CallId, Sha256};
use verify::tree::Hash;

use super::{StoreError, TILE_WIDTH};
use crate::Entry;

/// Hashes that lie one behind the other.
pub(super) fn hashes(bytes: &[u8]) -> Result<Vec<Hash>, StoreError> {
    let (hashes, rest) = bytes.as_chunks::<{ Hash::BYTES }>();
    if hashes.len() == TILE_WIDTH && rest.is_empty() {
        return Ok(hashes.iter().map(|hash| Hash::from(*hash)).collect());
    }
    Err(StoreError::Damaged("a tile does not have 256 hashes".to_owned()))
}

pub(super) fn call_id(text: &str) -> Result<CallId, StoreError> {
    text.parse().map_err(|_| StoreError::Damaged("an open call has no proper name".to_owned()))
}

pub(super) fn digest(bytes: &[u8]) -> Result<Sha256, StoreError> {
    let bytes: Result<[u8; 32], _> = bytes.try_into();
    bytes.map(Sha256::from).map_err(|_| StoreError::Damaged("a digest does not have 32 bytes".to_owned()))
}

/// The hash that these bytes are.
pub(super) fn hash(bytes: &[u8]) -> Result<Hash, StoreError> {
    Hash::try_from(bytes).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// Places are counted one by one: no disk holds more than this can say.
pub(super) fn number(place: u64) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}

/// An entry as its row has it. The leaf is asked for only when it is no larger than entries are: a row of
/// gigabytes must not be read to be found out.
pub(super) fn entry(place: i64, leaf: Option<Vec<u8>>) -> Result<Entry, StoreError> {
    let Ok(number) = u64::try_from(place) else {
        return Err(StoreError::Damaged(format!("an entry lies at {place}, which is no place")));
    };
    let larger = || StoreError::Damaged(format!("entry {place} is larger than any entry is"));
    Ok(Entry { place: number, leaf: leaf.ok_or_else(larger)? })
}

/// How many entries there are, as the database says it.
pub(super) fn size_of(size: i64) -> Result<u64, StoreError> {
    u64::try_from(size).map_err(|_| StoreError::Damaged(format!("it is said to have {size} entries")))
}
