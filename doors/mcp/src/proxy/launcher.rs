//! Whoever starts servers: this crate starts none by itself.

use std::os::fd::OwnedFd;
use std::sync::Arc;

use call::Lane;

use super::Start;

/// Whoever starts servers, behind walls or not at all.
pub trait Launcher: Send + Sync {
    /// Starts a server. Blocks until it runs or it is known that it does not.
    ///
    /// # Errors
    /// Why it was not started, in a sentence.
    fn launch(&self, server: &str, start: &Start) -> Result<Launched, String>;
}

/// A server that runs.
pub struct Launched {
    /// What it reads from.
    pub input: OwnedFd,
    /// What it writes to.
    pub output: OwnedFd,
    /// The server itself: it ends when this is dropped.
    pub server: Arc<dyn Running>,
}

/// A server that runs, and ends when this is dropped, with everything that it started.
pub trait Running: Send + Sync {
    /// Where it runs, and behind which walls.
    fn walls(&self) -> Option<(Lane, Vec<String>)>;

    /// Whether what it must not see is hidden from it, also what appeared since it was started. Blocks. It is
    /// asked before a call and before its answer is handed on; a server that could have seen something is ended.
    ///
    /// # Errors
    /// What it may have seen, in a sentence.
    fn is_covered(&self) -> Result<(), String>;

    /// How it ended and the last that it said about it; nothing while it runs and is silent.
    fn last_words(&self) -> String;
}
