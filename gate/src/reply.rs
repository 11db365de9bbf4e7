//! What whoever asked is told.

use std::collections::BTreeSet;

use call::{CallId, Content, Reason, RiskFlag};

/// What whoever asked is told. Secrets are out of it, and it is short enough.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The call; nothing when it was never put on record (a dry run).
    pub call: Option<CallId>,
    /// How it stands.
    pub status: Status,
    /// What happened, in a sentence for people.
    pub summary: String,
    /// Files and resources that were touched.
    pub artifacts: Vec<String>,
    /// What was asked for.
    pub content: Content,
    /// Whether anything of it came from outside the gate.
    pub untrusted: bool,
    /// What it is, and what it carries.
    pub labels: Vec<String>,
    /// What policy says, in one word.
    pub verdict: &'static str,
    /// Why, where it was not simply allowed; and what went wrong, where something did.
    pub reasons: Vec<Reason>,
    /// What to look at twice.
    pub flags: BTreeSet<RiskFlag>,
    /// The last entry about it in the ledger.
    pub entry: Option<u64>,
}

/// How a call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It did what it should.
    Success,
    /// It did not.
    Error,
    /// It was not run.
    Denied,
    /// A person must agree first.
    Waiting,
}

impl Status {
    /// Its spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Denied => "denied",
            Self::Waiting => "waiting",
        }
    }
}
