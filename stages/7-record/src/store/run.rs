//! One life of a gate, from its start to its end.

use std::fmt;

use call::CallId;

/// The name of one life of a gate. Whoever finds a call that was left open asks by it whether the gate
/// that left it is still at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(pub CallId);

impl RunId {
    /// A number for locks that have no names.
    #[must_use]
    pub fn number(&self) -> i64 {
        let digest = verify::tree::Hash::of_leaf(self.to_string().as_bytes());
        let first = digest.as_bytes().first_chunk::<8>().copied().unwrap_or_default();
        i64::from_be_bytes(first)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
