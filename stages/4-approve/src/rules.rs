//! How many must agree, who may, and up to which risk. Given by policy.

use std::num::NonZeroU32;

use call::ToolName;
use serde::Serialize;

use crate::principal::Principal;

/// How much can go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
    /// Everything.
    Critical,
}

impl Risk {
    /// Its spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// When answers are enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    quorum: NonZeroU32,
    /// Whether the one who asked may agree.
    pub self_approval: bool,
    /// Seconds that a yes holds at most, whatever it says itself.
    pub yes_holds_seconds: u32,
    /// Seconds that a grant holds at most, whatever it says itself.
    pub grant_holds_seconds: u32,
    /// Who may answer what. Empty: every listed approver everything.
    pub may: Vec<May>,
}

/// That somebody may answer something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct May {
    /// Who; nothing means every listed approver.
    pub approver: Option<Principal>,
    /// For which tools; nothing means all.
    pub tools: Option<Vec<ToolName>>,
    /// Up to which risk.
    pub up_to: Risk,
}

/// A quorum of nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the quorum is 0, expected at least 1: nobody's yes is no yes")]
pub struct NoQuorum;

impl Rules {
    /// These rules, for every listed approver and everything.
    ///
    /// # Errors
    /// When the quorum is zero: a question that nobody must answer is an error, never a free pass.
    pub fn new(quorum: u32, self_approval: bool, yes_holds_seconds: u32) -> Result<Self, NoQuorum> {
        let quorum = NonZeroU32::new(quorum).ok_or(NoQuorum)?;
        Ok(Self {
            quorum,
            self_approval,
            yes_holds_seconds,
            grant_holds_seconds: yes_holds_seconds,
            may: Vec::new(),
        })
    }

    /// How many must agree.
    #[must_use]
    pub const fn quorum(&self) -> u32 {
        self.quorum.get()
    }

    /// Whether somebody may answer for a tool at this risk.
    #[must_use]
    pub fn allow(&self, approver: &Principal, tool: &ToolName, risk: Risk) -> bool {
        self.may.is_empty()
            || self.may.iter().any(|may| {
                may.approver.as_ref().is_none_or(|listed| listed == approver)
                    && may.tools.as_ref().is_none_or(|tools| tools.contains(tool))
                    && risk <= may.up_to
            })
    }
}
