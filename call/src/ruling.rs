//! What policy says about one call.

use std::collections::BTreeSet;

use crate::{Confinement, Reason, RiskFlag, Sha256};

/// What policy says, and everything that is on record about why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruled {
    /// The answer.
    pub ruling: Ruling,
    /// What a reader of the ledger should look at.
    pub flags: BTreeSet<RiskFlag>,
    /// The rules that decided, in order of their names.
    pub rules: Vec<String>,
    /// The policy it was decided under.
    pub policy: Sha256,
}

/// The answer.
///
/// Each variant holds what the next stage needs and nothing that it could misuse: a denied call has
/// no walls to run within, an allowed one has no question to ask.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a ruling nobody reads is a call nobody gated"]
pub enum Ruling {
    /// Run it now, within these walls.
    Allow(Confinement),
    /// Run it when a person says yes in time.
    Ask(Question),
    /// Do not run it.
    Deny(Refusal),
}

/// What a person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Why a person must agree; never empty.
    pub reasons: Vec<Reason>,
    /// The walls within which it would run.
    pub walls: Confinement,
}

/// Why a call does not run. The agent is shown all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reasons; never empty.
    pub reasons: Vec<Reason>,
}

impl Ruling {
    /// The verdict in one word, as every interface spells it.
    #[must_use]
    pub const fn verdict(&self) -> &'static str {
        match self {
            Self::Allow(_) => "allow",
            Self::Ask(_) => "needs_approval",
            Self::Deny(_) => "deny",
        }
    }

    /// The reasons, if any are needed.
    #[must_use]
    pub fn reasons(&self) -> &[Reason] {
        match self {
            Self::Allow(_) => &[],
            Self::Ask(question) => &question.reasons,
            Self::Deny(refusal) => &refusal.reasons,
        }
    }

    /// The reasons, to be worded otherwise.
    pub fn reasons_mut(&mut self) -> &mut [Reason] {
        match self {
            Self::Allow(_) => &mut [],
            Self::Ask(question) => &mut question.reasons,
            Self::Deny(refusal) => &mut refusal.reasons,
        }
    }
}
