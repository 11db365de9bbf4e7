//! The record of one answer: what a person was asked, and what they said.
//!
//! It has one spelling, RFC 8785 JSON, and that is what is signed. A text that says the same in another
//! spelling is not an approval: whoever signs and whoever checks must have the same bytes before them.

use std::borrow::Cow;

use call::{Expected, Moment, Sha256};
use serde::{Deserialize, Serialize};

use crate::binding::{self, Binding, state_digest};
use crate::principal::Principal;
use crate::proposal::Proposal;
use crate::scope::{self, Scope};

/// What one person said about one call or document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approval {
    /// Yes or no.
    pub answer: Answer,
    /// What they were shown of it.
    pub proposal: Proposal,
    /// What stands at its targets.
    pub expected: Expected,
    /// Who answers.
    pub approver: Principal,
    /// When.
    pub at: Moment,
    /// From when on it counts no more.
    pub expires: Moment,
    /// Why, in their own words; may be empty.
    pub reason: String,
    /// What the answer is bound to.
    pub binding: Binding,
    /// How far it goes.
    pub scope: Scope,
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It may be done.
    Approve,
    /// It may not.
    Refuse,
}

/// Why a text is not an approval.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadApproval {
    /// It is longer than any approval.
    #[error("the record is longer than {} bytes", Approval::LONGEST)]
    TooLong,
    /// It cannot be read.
    #[error("the record cannot be read: {0}")]
    Form(String),
    /// It is of another version.
    #[error("the record has version {0}, expected {version}", version = Approval::VERSION)]
    Version(u32),
    /// A field holds what it cannot hold.
    #[error("the record's `{0}` is none")]
    Field(&'static str),
    /// It says the same in another spelling.
    #[error("the record is not in its canonical form")]
    NotCanonical,
    /// What it shows of the state is not what it is bound to.
    #[error("the record is bound to another state than it shows")]
    Disagrees,
}

/// In the order in which it is written: nothing has to be moved then.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form<'f> {
    answer: Answer,
    approver: Cow<'f, str>,
    at: String,
    binding: binding::Form,
    expected: Cow<'f, Expected>,
    expires: String,
    proposal: Cow<'f, Proposal>,
    reason: Cow<'f, str>,
    scope: scope::Form,
    version: u32,
}

impl Approval {
    /// The version of the record.
    pub const VERSION: u32 = 1;

    /// Bytes of the longest record.
    pub const LONGEST: usize = 16 * 1024 * 1024;

    /// The canonical bytes: what is signed.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        let form = Form {
            answer: self.answer,
            approver: self.approver.as_str().into(),
            at: self.at.to_string(),
            binding: (&self.binding).into(),
            expected: Cow::Borrowed(&self.expected),
            expires: self.expires.to_string(),
            proposal: Cow::Borrowed(&self.proposal),
            reason: self.reason.as_str().into(),
            scope: (&self.scope).into(),
            version: Self::VERSION,
        };
        // Only floats and maps with keys that are not text can fail, and a record holds neither.
        call::canonical::of(&form).unwrap_or_default()
    }

    /// The digest of the canonical bytes: the name of this very answer.
    #[must_use]
    pub fn digest(&self) -> Sha256 {
        Sha256::of(&self.canonical())
    }

    /// Reads a record. Nothing is known about who wrote it before its signature was checked.
    ///
    /// # Errors
    /// [`BadApproval`] says what is wrong with it. A field that is not known is refused: what a reader does
    /// not understand might be what the signer cared about.
    pub fn parse(text: &[u8]) -> Result<Self, BadApproval> {
        if text.len() > Self::LONGEST {
            return Err(BadApproval::TooLong);
        }
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let unread = |error: serde_json::Error| BadApproval::Form(error.to_string());
        let form: Form<'_> = match serde_json::from_slice(text) {
            Ok(Form { version, .. }) if version != Self::VERSION => {
                return Err(BadApproval::Version(version));
            }
            Ok(form) => form,
            // A record of another version may have other fields, and is told as that.
            Err(error) => {
                let Versioned { version } = serde_json::from_slice(text).map_err(unread)?;
                return Err(match version {
                    Self::VERSION => unread(error),
                    other => BadApproval::Version(other),
                });
            }
        };
        let approval = Self {
            answer: form.answer,
            proposal: form.proposal.into_owned(),
            expected: Expected::new(form.expected.targets().to_vec()),
            approver: form.approver.parse().map_err(|_| BadApproval::Field("approver"))?,
            at: form.at.parse().map_err(|_| BadApproval::Field("at"))?,
            expires: form.expires.parse().map_err(|_| BadApproval::Field("expires"))?,
            reason: form.reason.into_owned(),
            binding: form.binding.binding().ok_or(BadApproval::Field("binding"))?,
            scope: form.scope.scope().ok_or(BadApproval::Field("scope"))?,
        };
        if approval.canonical() != text {
            return Err(BadApproval::NotCanonical);
        }
        if state_digest(&approval.expected) != approval.binding.state {
            return Err(BadApproval::Disagrees);
        }
        Ok(approval)
    }
}
