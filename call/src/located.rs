//! From a path as an agent wrote it to the place on disk that it names.

use serde::{Deserialize, Serialize};

use crate::AbsolutePath;

/// Where a path of an argument leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The path as the agent wrote it. Shown, never decided by.
    pub given: String,
    /// Where it leads.
    pub place: PathPlace,
    /// What it touches on its way beside that, in order. Whoever may not know of such a place may not learn by
    /// such a path whether it is there.
    pub passed: Vec<Passed>,
}

impl Located {
    /// A path that leads straight to its place.
    #[must_use]
    pub fn new(given: impl Into<String>, place: PathPlace) -> Self {
        Self { given: given.into(), place, passed: Vec::new() }
    }
}

/// A place that a path touches, and that it does not lead to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// The place, without links on the way to it.
    pub path: AbsolutePath,
    /// What the path has to do with it.
    pub how: Passing,
}

/// What a path has to do with a place that it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Passing {
    /// It is a link, and the path goes on where it leads.
    Link,
    /// It is a folder that the path leaves again by `..`.
    Up,
    /// The path comes no further.
    Stop,
}

/// Where a path leads, with every link on the way followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathPlace {
    /// Below one of the roots.
    Below {
        /// The path without links.
        path: AbsolutePath,
        /// What stands there.
        kind: FileKind,
    },
    /// To no place below a root. Nothing more was looked at.
    Outside,
    /// Into the gate's own home, by whichever way.
    GateHome,
    /// It cannot be said, and so it is refused.
    Unclear(UnclearPath),
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileKind {
    /// Nothing yet.
    Absent,
    /// An ordinary file.
    File,
    /// A folder.
    Folder,
    /// A device, pipe or socket, which no tool opens.
    Special,
}

/// Why it cannot be said where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum UnclearPath {
    /// It is empty or holds a NUL byte.
    #[error("is no path")]
    NoPath,
    /// It begins with `~`, which only a shell knows.
    #[error("begins with `~`, which is not expanded; write the path out")]
    Tilde,
    /// A link on the way has no end.
    #[error("goes through a link that leads nowhere")]
    BrokenLink,
    /// There are too many links on the way.
    #[error("goes through too many links")]
    Loop,
    /// It goes through a file, or ends in a slash behind one.
    #[error("goes through a file, below which there is nothing")]
    ThroughFile,
    /// One of its names is longer than any file's.
    #[error("has a name of more than 255 bytes, which no file has")]
    NameTooLong,
    /// A component on the way is not a folder.
    #[error("goes through something that is not a folder")]
    NotFolder,
    /// The gate may not look there, or the disk failed.
    #[error("cannot be looked at")]
    Unreadable,
}

/// Whoever can tell where paths lead.
pub trait Paths {
    /// Follows `given` from the folder that relative paths belong to.
    ///
    /// Looks at nothing outside the roots, follows no magic link (`/proc/self/fd/3` and kin), and
    /// when it says [`PathPlace::Below`], every component of the answer was a real folder that it
    /// held open. What is not there yet is [`FileKind::Absent`], at the place where it would be
    /// made. Never fails: what cannot be told is [`PathPlace::Unclear`].
    fn locate(&self, given: &str) -> Located;
}
