//! Are the answers enough?
//!
//! Pure and total: the same question, answers, rules, keys and time give the same end on every machine. An
//! answer that does not count is set aside with the reason, and takes nothing away from those that do.

use std::collections::BTreeSet;

use call::{Moment, RiskFlag, Sha256};

use crate::approval::{Answer, Approval};
use crate::approvers::Approvers;
use crate::binding::{Binding, Difference};
use crate::grant::Grant;
use crate::principal::Principal;
use crate::rules::{Risk, Rules};
use crate::show::visible_line;
use crate::signature::{NotApproved, Signer, verify};

/// Seconds by which the clock of whoever answered may be ahead.
const SKEW_SECONDS: u32 = 60;

/// A question, as it is now: everything that an answer is held against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// What the call or document does now, under the policy and tools of now, to what stands there now.
    pub binding: Binding,
    /// How much can go wrong.
    pub risk: Risk,
    /// Who asks, by every name that is known: the agent, the operator, whoever wrote the request.
    pub asked_by: Vec<String>,
    /// When it was asked. No answer is older.
    pub at: Moment,
    /// From when on no answer helps any more.
    pub expires: Moment,
}

/// An answer: the record as it was signed, and the signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// The bytes that were signed.
    pub text: Vec<u8>,
    /// The armoured signature.
    pub signature: String,
}

/// Where a question stands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an answer that nobody reads is a call that nobody approved"]
pub enum Settled {
    /// Enough people agreed.
    Granted {
        /// Who, each once, in the order of their answers.
        approvers: Vec<Signer>,
        /// Digests of their records, in the same order: what is consumed.
        records: Vec<Sha256>,
        /// Digest of the binding that they agreed to.
        digest: Sha256,
        /// From when on it counts no more.
        expires: Moment,
        /// What a reader of the ledger should look at.
        flags: BTreeSet<RiskFlag>,
        /// The grant for later calls, when enough of them gave the same one.
        grant: Option<Box<Grant>>,
    },
    /// Not enough answers count so far.
    StillWaiting {
        /// How many people agreed.
        have: u32,
        /// How many must.
        need: u32,
        /// The answers that do not count, and why.
        set_aside: Vec<SetAside>,
    },
    /// It will not be done.
    Refused {
        /// Why.
        why: Why,
    },
}

/// Why a question ended without a yes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// Somebody who may answer said no.
    #[error("refused by {by}{}", told(.reason))]
    Said {
        /// Who.
        by: Principal,
        /// Why, in their words.
        reason: String,
    },
    /// Too few answered in time.
    #[error("nobody answered before the question expired")]
    Expired,
}

fn told(reason: &str) -> String {
    if reason.is_empty() { String::new() } else { format!(": {}", visible_line(reason)) }
}

/// An answer that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// Its place among the answers, from 0.
    pub answer: usize,
    /// Whose it is, when its signature was good.
    pub by: Option<Principal>,
    /// Why.
    pub why: NotCounted,
}

impl SetAside {
    /// Whether it was a good answer once, and things have changed since: the same question will not be
    /// answered by it again.
    #[must_use]
    pub const fn is_stale(&self) -> bool {
        matches!(self.why, NotCounted::Other(_) | NotCounted::Expired)
    }
}

/// Why an answer does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotCounted {
    /// It is no record, or its signature does not count.
    #[error(transparent)]
    Unsigned(#[from] NotApproved),
    /// It is for something else, or things have changed.
    #[error(transparent)]
    Other(#[from] Difference),
    /// It was given in the future.
    #[error("the answer is dated in the future; check the clock of whoever gave it")]
    Future,
    /// It was given before anybody asked.
    #[error("the answer is older than the question")]
    BeforeAsked,
    /// It counts no more.
    #[error("the answer has expired")]
    Expired,
    /// It ends before it begins.
    #[error("the answer expires before it was given")]
    Never,
    /// Whoever asked may not answer.
    #[error("{0} asked, and may not answer their own question; somebody else must")]
    OwnQuestion(Principal),
    /// They may not answer this.
    #[error("{by} may not answer for this tool at {} risk", .risk.as_str())]
    MayNot {
        /// Who.
        by: Principal,
        /// The risk of the call.
        risk: Risk,
    },
    /// They answered already, or somebody did with the same key.
    #[error("{0} has answered already, or the key has; each person counts once")]
    Twice(Principal),
}

struct Counted {
    signer: Signer,
    approval: Approval,
    /// The digest of the record. It has one spelling, so that of the text is that of the record.
    record: Sha256,
    own: bool,
}

/// Holds all answers against the question.
///
/// A no of somebody who may answer ends it, whatever others said. Otherwise it is granted when as many people
/// agreed as must; two keys of one person are one person, and so are two names of one key.
pub fn settle(
    asked: &Asked,
    answers: &[Signed],
    rules: &Rules,
    approvers: &Approvers,
    now: Moment,
) -> Settled {
    if now >= asked.expires {
        return Settled::Refused { why: Why::Expired };
    }
    let mut counted: Vec<Counted> = Vec::new();
    let mut set_aside = Vec::new();
    for (answer, signed) in answers.iter().enumerate() {
        match weigh(asked, signed, rules, approvers, now) {
            Ok(one) => match one.approval.answer {
                Answer::Refuse => {
                    let (by, reason) = (one.signer.principal, one.approval.reason);
                    return Settled::Refused { why: Why::Said { by, reason } };
                }
                Answer::Approve if counted.iter().any(|other| other.signer.is_same_person(&one.signer)) => {
                    let by = one.signer.principal;
                    set_aside.push(SetAside { answer, by: Some(by.clone()), why: NotCounted::Twice(by) });
                }
                Answer::Approve => counted.push(one),
            },
            Err((by, why)) => set_aside.push(SetAside { answer, by, why }),
        }
    }
    let (have, need) = (u32::try_from(counted.len()).unwrap_or(u32::MAX), rules.quorum());
    let Some(expires) = counted.iter().map(|one| one.ends(rules)).min().filter(|_| have >= need) else {
        return Settled::StillWaiting { have, need, set_aside };
    };
    let mut flags = BTreeSet::new();
    if counted.iter().any(|one| one.own) {
        flags.insert(RiskFlag::SELF_APPROVED);
    }
    if asked.risk >= Risk::High {
        flags.insert(RiskFlag::HIGH_RISK_APPROVED);
    }
    Settled::Granted {
        grant: Grant::common(&pairs(&counted), rules).map(Box::new),
        records: counted.iter().map(|one| one.record).collect(),
        digest: asked.binding.digest(),
        expires: expires.min(asked.expires),
        flags,
        approvers: counted.into_iter().map(|one| one.signer).collect(),
    }
}

/// Whether one answer counts, by itself.
fn weigh(
    asked: &Asked,
    signed: &Signed,
    rules: &Rules,
    approvers: &Approvers,
    now: Moment,
) -> Result<Counted, (Option<Principal>, NotCounted)> {
    let (approval, signer) =
        verify(&signed.text, &signed.signature, approvers, now).map_err(|why| (None, why.into()))?;
    let by = signer.principal.clone();
    let own = asked.asked_by.iter().any(|name| by.looks_like(name));
    let one = Counted { signer, approval, record: Sha256::of(&signed.text), own };
    let refusal = asked.binding.difference(&one.approval.binding).map(NotCounted::Other).or_else(|| {
        let (at, risk) = (one.approval.at, asked.risk);
        if at > now.later_by(SKEW_SECONDS) {
            Some(NotCounted::Future)
        } else if at.later_by(SKEW_SECONDS) < asked.at {
            Some(NotCounted::BeforeAsked)
        } else if one.approval.expires <= at {
            Some(NotCounted::Never)
        } else if now >= one.ends(rules) {
            Some(NotCounted::Expired)
        } else if !rules.allow(&by, &asked.binding.tool, risk) {
            Some(NotCounted::MayNot { by: by.clone(), risk })
        } else if own && !rules.self_approval && one.approval.answer == Answer::Approve {
            Some(NotCounted::OwnQuestion(by.clone()))
        } else {
            None
        }
    });
    refusal.map_or(Ok(one), |why| Err((Some(by), why)))
}

impl Counted {
    /// When the answer ends: when it says so, or when policy does, whichever is first.
    fn ends(&self, rules: &Rules) -> Moment {
        self.approval.expires.min(self.approval.at.later_by(rules.yes_holds_seconds))
    }
}

fn pairs(counted: &[Counted]) -> Vec<(&Approval, &Signer)> {
    counted.iter().map(|one| (&one.approval, &one.signer)).collect()
}
