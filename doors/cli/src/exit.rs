//! How the program ends, as scripts see it.
//!
//! The numbers are promises (`spec/cli.md`): a code keeps its meaning for ever.

use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done, and allowed.
    Done = 0,
    /// It ran, and failed.
    Failed = 1,
    /// Refused: an invalid document, a denied call, a failed verification.
    Refused = 2,
    /// Could not be done: bad usage, an unreadable file, a missing lane.
    CouldNot = 3,
    /// Waits for approval.
    Waits = 4,
}

impl Exit {
    /// The worse of two ends, for a run over several things.
    ///
    /// What could not be looked at is worse than what was refused: a refusal is an answer.
    #[must_use]
    pub(crate) fn worst(self, other: Self) -> Self {
        if self.badness() < other.badness() { other } else { self }
    }

    const fn badness(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Waits => 1,
            Self::Failed => 2,
            Self::Refused => 3,
            Self::CouldNot => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::Exit::{CouldNot, Done, Refused};

    #[test]
    fn three_beats_two_beats_zero() {
        let cases = [
            // one, other -> worst
            (Done, Done, Done),
            (Done, Refused, Refused),
            (Refused, Done, Refused),
            (Refused, CouldNot, CouldNot),
            (CouldNot, Refused, CouldNot),
            (CouldNot, Done, CouldNot),
        ];
        for (one, other, want) in cases {
            assert_eq!(one.worst(other), want, "{one:?} and {other:?}");
        }
    }
}
