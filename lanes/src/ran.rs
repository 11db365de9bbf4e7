//! What became of a run.

use std::time::Duration;

use call::ExitReason;

use crate::{Artifact, Destination, Unwanted};

/// What became of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub ending: Ending,
    /// What it wrote to its standard output, up to its limit.
    pub stdout: Vec<u8>,
    /// What it wrote to its standard errors, up to its limit.
    pub stderr: Vec<u8>,
    /// The files that it left below `/out`.
    pub artifacts: Vec<Artifact>,
    /// What it left there that nobody takes.
    pub unwanted: Vec<Unwanted>,
    /// Whom it reached, or wanted to.
    pub destinations: Vec<Destination>,
    /// The walls that were really there.
    pub layers: Vec<String>,
    /// How long it took.
    pub runtime: Duration,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Why.
    pub reason: ExitReason,
    /// The exit code; where a signal ended it, 128 and the signal's number.
    pub code: i32,
}

impl Ending {
    /// How the kernel tells it.
    pub(crate) const fn of_status(status: i32) -> Self {
        match status & 0x7f {
            0 => Self { reason: ExitReason::Exited, code: (status >> 8) & 0xff },
            signal => Self { reason: ExitReason::Signal, code: 128 + signal },
        }
    }

    /// The same, with what else is known: whether the kernel took it for its memory, and which limit of
    /// its disks is used up.
    pub(crate) fn judged(status: i32, starved: bool, full: Option<ExitReason>) -> Self {
        let ending = Self::of_status(status);
        match full {
            _ if starved => Self { reason: ExitReason::MemoryLimit, ..ending },
            // A program that came to terms with a full disk is none that the disk ended.
            Some(reason) if ending.code != 0 => Self { reason, ..ending },
            _ if ending.code == 128 + libc::SIGXFSZ => Self { reason: ExitReason::DiskLimit, ..ending },
            _ => ending,
        }
    }

    /// Of a program that was ended.
    pub(crate) const fn stopped(reason: ExitReason) -> Self {
        Self { reason, code: 137 }
    }
}
