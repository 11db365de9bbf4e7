//! Content that is kept beside the log.

use std::sync::Arc;

use call::Sha256;

/// Content that is kept beside the log, by its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    digest: Sha256,
    content: Arc<Vec<u8>>,
    at: i64,
}

impl Kept {
    /// This content, kept at a time in microseconds since 1970.
    #[must_use]
    pub fn new(content: Vec<u8>, at: i64) -> Self {
        Self { digest: Sha256::of(&content), content: Arc::new(content), at }
    }

    /// The digest by which the log may name it.
    #[must_use]
    pub const fn digest(&self) -> Sha256 {
        self.digest
    }

    /// The content.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// When it was kept, in microseconds since 1970.
    #[must_use]
    pub const fn at(&self) -> i64 {
        self.at
    }
}
