//! What a run came to.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::rules::Refusal;

/// How a run ended, and what it left.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What ended it.
    pub exit: Exit,
    /// The value of the last expression, or why there is none.
    pub result: Result<Value, Failure>,
    /// What was printed, up to its limit, also by a run that was ended.
    pub prints: String,
    /// By the clock of whoever asked, from the request to the answer.
    pub duration: Duration,
    /// The layers around the run that were really there.
    pub layers: Vec<String>,
}

/// What ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// The program itself, well or with an error.
    Exited,
    /// The limit of time.
    TimeLimit,
    /// The limit of memory.
    MemoryLimit,
    /// The limit of what is printed or returned.
    OutputLimit,
    /// Whoever asked.
    Cancelled,
}

impl Exit {
    /// The word for it in results and in the ledger.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exited => "exited",
            Self::TimeLimit => "time_limit",
            Self::MemoryLimit => "memory_limit",
            Self::OutputLimit => "output_limit",
            Self::Cancelled => "cancelled",
        }
    }
}

/// The value of the last expression of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// As JSON: in the order of the program, with whole numbers of any length.
    pub json: String,
    /// Whether JSON has all of it. Where it has not (a set, a date, bytes, a function), there is a list,
    /// an object or a text instead.
    pub exact: bool,
}

/// Why a run has no value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{}: {message}", kind.label())]
pub struct Failure {
    /// Of which kind.
    pub kind: FailureKind,
    /// In one line.
    pub message: String,
    /// As Python writes it, with the lines of the program.
    pub traceback: Option<String>,
    /// What the rule refuses, each with its place.
    pub refusals: Vec<Refusal>,
}

/// Kinds of failure, by who has to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The rule on imports and builtins: the program did not run.
    Refused,
    /// It is no Python: the program did not run.
    Syntax,
    /// It is Python that the interpreter of this lane does not have.
    Unsupported,
    /// An exception that the program did not catch.
    Python,
    /// The limit of memory.
    Memory,
    /// Calls or values inside each other, too deep.
    Recursion,
    /// The limit of time.
    Time,
    /// The limit of what is printed or returned.
    Output,
    /// Whoever asked ended it.
    Cancelled,
    /// The worker ended in a way that no program should bring about.
    Crashed,
}

impl FailureKind {
    /// Whose error it is, for people.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Refused => "refused by the rule of this lane",
            Self::Syntax => "not Python",
            Self::Unsupported => "outside of the Python of this lane's interpreter",
            Self::Python => "error of the program",
            Self::Memory => "limit of memory",
            Self::Recursion => "limit of depth",
            Self::Time => "limit of time",
            Self::Output => "limit of output",
            Self::Cancelled => "cancelled",
            Self::Crashed => "the worker ended",
        }
    }

    /// What ended a run that failed in this way.
    pub const fn exit(self) -> Exit {
        match self {
            Self::Refused
            | Self::Syntax
            | Self::Unsupported
            | Self::Python
            | Self::Recursion
            | Self::Crashed => Exit::Exited,
            Self::Memory => Exit::MemoryLimit,
            Self::Time => Exit::TimeLimit,
            Self::Output => Exit::OutputLimit,
            Self::Cancelled => Exit::Cancelled,
        }
    }
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), traceback: None, refusals: Vec::new() }
    }
}
