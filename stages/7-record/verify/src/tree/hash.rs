//! Hashes of leaves and of nodes.

use std::fmt;

use data_encoding::BASE64;
use sha2::{Digest as _, Sha256};

use crate::base64;

/// The hash of a leaf, a node or a whole tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hash([u8; Self::BYTES]);

/// Bytes are not a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a hash has 32 bytes, not {0}")]
pub struct NotHash(pub usize);

impl Hash {
    /// How long one is.
    pub const BYTES: usize = 32;

    /// The root of a tree without leaves.
    #[must_use]
    pub fn of_nothing() -> Self {
        Self(Sha256::digest(b"").into())
    }

    /// The hash of a leaf with this content. Leaves and nodes begin differently, so that neither can be
    /// taken for the other.
    #[must_use]
    pub fn of_leaf(content: &[u8]) -> Self {
        Self(Sha256::new().chain_update([0]).chain_update(content).finalize().into())
    }

    /// The hash of a node over these two.
    #[must_use]
    pub fn of_node(left: &Self, right: &Self) -> Self {
        Self(Sha256::new().chain_update([1]).chain_update(left.0).chain_update(right.0).finalize().into())
    }

    /// The hash that this is the base64 of, as checkpoints and proofs write it. Nothing for any other
    /// text, nor for a second spelling of the same bytes.
    #[must_use]
    pub fn from_base64(text: &str) -> Option<Self> {
        let bytes = base64::decode(text)?;
        bytes.as_slice().try_into().ok()
    }

    /// The hash as checkpoints and proofs write it.
    #[must_use]
    pub fn to_base64(&self) -> String {
        BASE64.encode(&self.0)
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Self::BYTES] {
        &self.0
    }
}

impl From<[u8; Hash::BYTES]> for Hash {
    fn from(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }
}

impl TryFrom<&[u8]> for Hash {
    type Error = NotHash;

    fn try_from(bytes: &[u8]) -> Result<Self, NotHash> {
        bytes.try_into().map(Self).map_err(|_| NotHash(bytes.len()))
    }
}

/// Hexadecimal digits.
impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
