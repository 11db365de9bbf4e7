//! What stands at the targets of a call, so that a yes to a change of one thing is no yes to a change of
//! another that took its place.

use serde::{Deserialize, Serialize};

use crate::{AbsolutePath, Sha256};

/// What stands at each target of a call, in order of their paths.
///
/// Targets are the files that a call writes, deletes or is given to run with: what a person saw when they
/// agreed, and what must still be there when the call runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Expected(
    // Invariant: sorted by path, each path once.
    Vec<Target>,
);

/// One target and what stands there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Target {
    /// Where, without links.
    pub path: AbsolutePath,
    /// What.
    #[serde(flatten)]
    pub state: TargetState,
}

/// What stands at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state")]
pub enum TargetState {
    /// Nothing.
    Absent,
    /// A file with this content.
    File {
        /// Its digest.
        sha256: Sha256,
        /// Its size.
        bytes: u64,
    },
    /// A folder. What lies in it is not part of this.
    Folder,
}

impl Expected {
    /// These targets. One that is named twice must be the same both times, and the first counts.
    #[must_use]
    pub fn new(mut targets: Vec<Target>) -> Self {
        targets.sort();
        targets.dedup_by(|later, first| later.path == first.path);
        Self(targets)
    }

    /// The targets, in order of their paths.
    #[must_use]
    pub fn targets(&self) -> &[Target] {
        &self.0
    }

    /// What stands at a path; nothing when it is no target.
    #[must_use]
    pub fn at(&self, path: &AbsolutePath) -> Option<TargetState> {
        let place = self.0.binary_search_by(|target| target.path.cmp(path)).ok()?;
        self.0.get(place).map(|target| target.state)
    }
}
