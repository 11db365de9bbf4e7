//! What both databases keep as bytes, texts and numbers, read again. Anything else in its place is damage.

use call::{CallId, Sha256};
use verify::tree::Hash;

use super::{StoreError, TILE_WIDTH};

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
