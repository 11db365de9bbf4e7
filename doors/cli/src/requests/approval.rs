//! Did people agree to this very document?

use approve::{Asked, NotCounted, Settled, Signed, Signer, settle};
use call::{Moment, Reason, ReasonCode, RiskFlag, Sha256};
use std::collections::BTreeSet;

use super::paper::Paper;
use super::setting::InForce;
use super::weighing::Weighed;
use super::{reason, signatures};

/// Seconds for which a question about a document stays open: the answers themselves end long before.
const OPEN_SECONDS: u32 = 365 * 86_400;

/// A document that people agreed to.
#[derive(Debug)]
pub(crate) struct Agreed {
    /// Who, in the order of their answers.
    pub(crate) people: Vec<String>,
    /// The answers that count, with the digests of their records.
    pub(crate) answers: Vec<(Sha256, Signed)>,
    pub(crate) flags: BTreeSet<RiskFlag>,
    /// Nobody signed, and the home lets that pass.
    pub(crate) unsigned: bool,
}

/// What stands in the way.
#[derive(Debug)]
pub(crate) enum NotAgreed {
    /// It may not run.
    Refused(Vec<Reason>),
    /// More people must agree.
    Waiting(Reason),
}

/// Holds the answers beside a document against the document as it is now.
pub(crate) fn verify(
    weighed: &Weighed,
    paper: &Paper,
    in_force: &InForce<'_>,
    now: Moment,
) -> Result<Agreed, NotAgreed> {
    let refused = |code: ReasonCode, message: String, remedy: &str| {
        NotAgreed::Refused(vec![reason(code, message, remedy)])
    };
    let answers = signatures::read(paper.folder(), &paper.signatures()).map_err(|error| {
        let message = format!("`{}`: {error}", paper.signatures().to_string_lossy());
        refused(ReasonCode::APPROVAL_INVALID, message, APPROVE)
    })?;
    if answers.is_empty() {
        return unsigned(weighed, in_force).ok_or_else(|| {
            let message = "the document says that it was approved, and nobody signed that".to_owned();
            refused(ReasonCode::APPROVAL_INVALID, message, APPROVE)
        });
    }
    match settled(weighed, &answers, in_force, now)
        .map_err(|why| refused(ReasonCode::APPROVAL_INVALID, why, ""))?
    {
        Settled::Granted { approvers, records, flags, .. } => {
            named(weighed, &approvers, &answers)
                .map_err(|why| refused(ReasonCode::APPROVAL_MISMATCH, why, APPROVE))?;
            let of =
                |record: &Sha256| answers.iter().find(|answer| Sha256::of(&answer.text) == *record).cloned();
            Ok(Agreed {
                people: approvers.into_iter().map(|signer| signer.principal.to_string()).collect(),
                answers: records.into_iter().filter_map(|record| Some((record, of(&record)?))).collect(),
                flags,
                unsigned: false,
            })
        }
        Settled::StillWaiting { have, need, set_aside } if have > 0 && set_aside.is_empty() => {
            let message = format!("{have} of {need} people have agreed");
            Err(NotAgreed::Waiting(reason(ReasonCode::APPROVAL_REQUIRED, message, APPROVE)))
        }
        Settled::StillWaiting { set_aside, .. } => {
            let reasons =
                set_aside.iter().map(|aside| reason(code(&aside.why), aside.why.to_string(), APPROVE));
            Err(NotAgreed::Refused(reasons.collect()))
        }
        Settled::Refused { why } => {
            Err(refused(ReasonCode::APPROVAL_REFUSED, why.to_string(), "draft another request"))
        }
    }
}

const APPROVE: &str = "`toolgate approve REQUEST --key FILE` shows it to a person, who signs it";

/// Where the question stands with these answers.
pub(crate) fn settled(
    weighed: &Weighed,
    answers: &[Signed],
    in_force: &InForce<'_>,
    now: Moment,
) -> Result<Settled, String> {
    let asked = Asked {
        binding: weighed.binding.clone(),
        risk: weighed.risk,
        asked_by: vec![weighed.request.requested_by.as_str().to_owned()],
        at: weighed.request.created,
        expires: now.later_by(OPEN_SECONDS),
    };
    let rules = in_force.rules().map_err(|error| error.to_string())?;
    Ok(settle(&asked, answers, &rules, in_force.approvers, now))
}

/// The front matter names one of those who signed, and the time at which they did. It is not signed itself,
/// so it is held to what is.
fn named(weighed: &Weighed, approvers: &[Signer], answers: &[Signed]) -> Result<(), String> {
    let request = &weighed.request;
    let by = approvers.iter().find(|signer| signer.principal.as_str() == request.approved_by);
    let Some(by) = by else {
        let people: Vec<&str> = approvers.iter().map(|signer| signer.principal.as_str()).collect();
        return Err(format!("`approved_by` is `{}`, and {} signed", request.approved_by, people.join(", ")));
    };
    let records = answers.iter().filter_map(|answer| approve::Approval::parse(&answer.text).ok());
    let mut times = records.filter(|record| record.approver == by.principal).map(|record| record.at);
    if times.any(|at| at == request.approved) {
        Ok(())
    } else {
        Err(format!("`approved_utc` is {}, which is not when {} signed", request.approved, by.principal))
    }
}

/// What a home lets pass that takes the document's word for it.
fn unsigned(weighed: &Weighed, in_force: &InForce<'_>) -> Option<Agreed> {
    in_force.policy.home().approvals.unsigned.then(|| Agreed {
        people: vec![weighed.request.approved_by.clone()],
        answers: Vec::new(),
        flags: BTreeSet::new(),
        unsigned: true,
    })
}

/// Whatever else there will be, such an answer does not count.
fn code(why: &NotCounted) -> ReasonCode {
    if matches!(why, NotCounted::Other(_)) {
        ReasonCode::APPROVAL_MISMATCH
    } else if matches!(why, NotCounted::Expired) {
        ReasonCode::APPROVAL_EXPIRED
    } else {
        ReasonCode::APPROVAL_INVALID
    }
}
