//! The one way in which the gate itself fails.

use record::NotRecorded;
use record::store::StoreError;

/// The ledger could not be written. Nothing was handed over, and the gate should take no further calls.
#[derive(Debug, thiserror::Error)]
#[error("the call is stopped, because it cannot be put on record: {0}")]
pub struct Halt(#[from] pub NotRecorded);

impl From<StoreError> for Halt {
    fn from(error: StoreError) -> Self {
        Self(error.into())
    }
}
