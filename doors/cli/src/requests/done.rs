//! How a run that had begun ended, for the answer and for the ledger.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use call::{ExitReason, RiskFlag};
use lanes::Ran;
use record::Status;

use super::answer::Answer;
use super::once::Ending;
use super::own_reason;
use super::results::Kept;
use crate::exit::Exit;

/// A run that came to its end, with its result.
pub(super) struct Done {
    pub(super) path: PathBuf,
    pub(super) kept: Vec<Kept>,
    pub(super) ran: Ran,
    pub(super) lane: call::Lane,
    pub(super) verified: bool,
    pub(super) missing: Vec<String>,
}

impl Done {
    /// What programs and the ledger are told of it.
    pub(super) fn told(self, answer: &mut Answer, elapsed: Duration) -> (Ending, Exit) {
        let ending = self.ran.ending;
        let good = ending.reason == ExitReason::Exited && ending.code == 0;
        let (status, word, class) = match (ending.reason, good, self.verified) {
            (ExitReason::TimeLimit, ..) => (Status::Timeout, "timeout", Some("time_limit")),
            (_, true, true) => (Status::Success, "success", None),
            (_, true, false) => (Status::Error, "error", Some("not_verified")),
            (reason, false, _) => (Status::Error, "error", Some(reason.as_str())),
        };
        let mut flags = BTreeSet::new();
        if status == Status::Timeout {
            flags.insert(RiskFlag::TIMEOUT);
        } else if status == Status::Error {
            flags.insert(RiskFlag::EXECUTION_ERROR);
        }
        for missing in &self.missing {
            let message = format!("the expected output `{missing}` is not there");
            answer.reasons.push(own_reason("output_missing", message, ""));
        }
        answer.status = word;
        answer.exit_code = Some(ending.code.into());
        answer.exit_reason = Some(ending.reason.as_str());
        answer.lane = Some(self.lane.as_str());
        answer.layers = self.ran.layers.clone();
        answer.result = Some(self.path.to_string_lossy().into_owned());
        let exit = if status == Status::Success { Exit::Done } else { Exit::Failed };
        let artifacts =
            self.kept.iter().map(|kept| format!("{} sha256:{}", kept.path, kept.sha256)).collect();
        answer.artifacts = self.kept;
        let ending = Ending {
            status,
            error_class: class.map(str::to_owned),
            elapsed,
            artifacts,
            lane: Some((self.lane, self.ran.layers)),
            verified: Some(self.verified),
            flags,
        };
        (ending, exit)
    }
}

impl Ending {
    /// A run that came to no end.
    pub(super) fn failed(class: &str, elapsed: Duration, lane: call::Lane) -> Self {
        Self {
            status: Status::Error,
            error_class: Some(class.to_owned()),
            elapsed,
            artifacts: Vec::new(),
            lane: Some((lane, Vec::new())),
            verified: None,
            flags: [RiskFlag::EXECUTION_ERROR].into(),
        }
    }
}
