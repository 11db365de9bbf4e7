//! The five classes of tools.

use serde::Serialize;

/// What a tool is able to do to the world, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Class {
    /// Looks.
    Read,
    /// Changes.
    Write,
    /// Runs code.
    Exec,
    /// Talks to other machines.
    Network,
    /// Uses credentials.
    Secrets,
}

impl Class {
    /// Its spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "READ",
            Self::Write => "WRITE",
            Self::Exec => "EXEC",
            Self::Network => "NETWORK",
            Self::Secrets => "SECRETS",
        }
    }
}
