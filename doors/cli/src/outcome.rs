//! What came out for one document, in the form that scripts read.
//!
//! The field names and their order are promises (`spec/cli.md`): keys are added, never changed.

use call::Sha256;
use document::{Differences, Finding, Severity, Verdict};
use serde::Serialize;

use crate::exit::Exit;
use crate::read::Unreadable;

/// What came out for one document.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Outcome {
    /// The path as it was given, or `<stdin>`.
    pub(crate) path: String,
    /// May it run?
    pub(crate) verdict: Answer,
    /// The canonical digest, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<Sha256>,
    /// Everything that is wrong.
    pub(crate) findings: Vec<Remark>,
    /// Where the profiles part, when that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) profiles: Option<Profiles>,
    /// Where in quarantine the document lies now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) moved_to: Option<String>,
}

/// The answer for one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Answer {
    /// It may run.
    Accept,
    /// It may not.
    Reject,
    /// It could not be checked.
    Error,
}

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Remark {
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
}

/// Where the two profiles part.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Profiles {
    pub(crate) strict: Answer,
    #[serde(rename = "threegate-v1")]
    pub(crate) threegate_v1: Answer,
    pub(crate) only_strict: Vec<Remark>,
    pub(crate) only_threegate_v1: Vec<Remark>,
}

impl Outcome {
    /// A document that could not be checked.
    pub(crate) fn unreadable(path: String, problem: &Unreadable) -> Self {
        let (line, column) = problem.place();
        let message = problem.to_string();
        let remark = Remark { code: problem.code(), severity: "error", message, line, column, hint: None };
        let findings = vec![remark];
        Self { path, verdict: Answer::Error, digest: None, findings, profiles: None, moved_to: None }
    }

    /// Adds that the document could not be moved to quarantine. The verdict stays.
    pub(crate) fn not_moved(&mut self, message: String) {
        self.findings.push(Remark {
            code: "IO005",
            severity: "error",
            message,
            line: 0,
            column: 0,
            hint: None,
        });
    }

    /// How a run over this one document ends.
    pub(crate) fn exit(&self) -> Exit {
        let stuck = self.findings.iter().any(|remark| remark.code == "IO005");
        match self.verdict {
            Answer::Error => Exit::CouldNot,
            Answer::Reject if stuck => Exit::CouldNot,
            Answer::Reject => Exit::Refused,
            Answer::Accept => Exit::Done,
        }
    }
}

impl Answer {
    /// The word for standard output.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Accept => "ACCEPT",
            Self::Reject => "REJECT",
            Self::Error => "ERROR",
        }
    }
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accept => Self::Accept,
            Verdict::Reject => Self::Reject,
        }
    }
}

impl From<&Finding> for Remark {
    fn from(finding: &Finding) -> Self {
        Self {
            code: finding.rule.code,
            severity: match finding.rule.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: finding.message.clone(),
            line: finding.place.line,
            column: finding.place.column,
            hint: finding.hint.clone(),
        }
    }
}

impl From<&Differences> for Profiles {
    fn from(differences: &Differences) -> Self {
        let remarks = |findings: &[Finding]| findings.iter().map(Remark::from).collect();
        Self {
            strict: differences.strict.into(),
            threegate_v1: differences.threegate_v1.into(),
            only_strict: remarks(&differences.only_strict),
            only_threegate_v1: remarks(&differences.only_threegate_v1),
        }
    }
}
