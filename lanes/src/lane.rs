//! What every lane can do.

use std::path::Path;

use call::Language;

use crate::{Job, Ran};

/// A way to run a program that nobody trusts.
pub trait Lane {
    /// Tries the lane for real: a program is started behind all its walls.
    ///
    /// # Errors
    /// When the lane is not there, with what is missing.
    fn probe(&self) -> Result<Probe, LaneError>;

    /// Whether programs of a language could be run here, as far as a quick look tells. Nothing is started.
    ///
    /// # Errors
    /// When something that it takes is missing.
    fn has(&self, language: Language) -> Result<(), LaneError>;

    /// Runs a job to its end and puts its outputs into a folder. When this returns, nothing of the run is
    /// left but that folder.
    ///
    /// # Errors
    /// When the program was not run, or it is not known how far it came. Whatever the program itself did
    /// is no error.
    fn run(&self, job: &Job, outputs: &Path) -> Result<Ran, LaneError>;
}

/// A lane that was seen to work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The walls that were really there.
    pub layers: Vec<String>,
    /// What could be better on this machine, each with what would mend it.
    pub weaker: Vec<String>,
}

/// Why a program was not run.
#[derive(Debug, thiserror::Error)]
pub enum LaneError {
    /// The machine has not what the lane needs.
    #[error("the lane `{lane}` is not there: {layer}: {why}")]
    Missing {
        /// The lane.
        lane: &'static str,
        /// Its layer.
        layer: String,
        /// What the machine said, and what would mend it.
        why: String,
    },
    /// The machine has no runtime for the language.
    #[error("there is no runtime for `{}` on this machine: {why}", .language.as_str())]
    NoRuntime {
        /// The language.
        language: Language,
        /// What was looked for, and what provides it.
        why: String,
    },
    /// The job cannot be run as it is.
    #[error("the job cannot be run: {0}")]
    BadJob(String),
    /// Something broke on the way.
    #[error("the lane failed at {at}: {why}")]
    Failed {
        /// Where.
        at: String,
        /// Of what.
        why: String,
    },
}

impl LaneError {
    pub(crate) fn failed(at: impl Into<String>, why: impl ToString) -> Self {
        Self::Failed { at: at.into(), why: why.to_string() }
    }
}
