//! A request runs at most once: its call has a name that follows from its id.
//!
//! The ledger lets a call begin once and never again, in one transaction with the approval that is used up
//! and the intent. Of two runs that race, one begins it; after a crash, whoever starts next finds it begun,
//! ends it as interrupted, and nobody begins it again. A run that is refused before that has a name of its
//! own, so that it uses nothing up.

use std::sync::Arc;
use std::time::Duration;

use call::{CallId, Lane, Moment, Reason, ReasonCode, RiskFlag, Sha256};
use record::{Asked, Ended, Event, Intent, Ledger, NotRecorded, Ruling, Signed, Status};
use serde_json::Value;
use std::collections::BTreeSet;

use super::approval::Agreed;
use super::weighing::Weighed;
use super::{TOOL, reason};
use crate::chance::chance;
use crate::home::NoBooks;

/// The name of the one call that a request can be.
pub(crate) fn call_of(request_id: &str) -> CallId {
    let digest = Sha256::of(format!("{TOOL}\n{request_id}").as_bytes());
    let mut rest = [0; 10];
    rest.iter_mut().zip(digest.as_bytes()).for_each(|(byte, given)| *byte = *given);
    // A checked id begins with a real time; any fixed one would do as well.
    let digits: Vec<char> = request_id.chars().filter(char::is_ascii_digit).take(14).collect();
    let text: String = digits.iter().collect();
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or("00");
    let time = format!(
        "{}-{}-{}T{}:{}:{}Z",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(8, 10),
        part(10, 12),
        part(12, 14)
    );
    let time = time.parse().ok().or_else(|| Moment::since_epoch(Duration::ZERO));
    time.map_or_else(|| CallId::new(epoch(), rest), |time| CallId::new(time, rest))
}

#[expect(clippy::expect_used, reason = "the first second of 1970 is a real moment")]
fn epoch() -> Moment {
    Moment::from_civil((1970, 1, 1), (0, 0, 0)).expect("a real date")
}

/// A run that has begun: it is on record that it is about to happen.
pub(crate) struct Begun {
    asked: Arc<Asked>,
    pub(crate) call: CallId,
    /// The place of the intent.
    pub(crate) entry: u64,
}

/// Why a run did not begin.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotBegun {
    /// It has run, or somebody else is at it.
    #[error("{}", .0.message)]
    Used(Reason),
    #[error(transparent)]
    NotRecorded(#[from] NotRecorded),
    #[error(transparent)]
    Store(#[from] record::store::StoreError),
}

/// Why a request cannot begin any more, when that is so.
pub(crate) fn used(ledger: &Ledger, id: &str, document: Sha256) -> Result<Option<Reason>, NotBegun> {
    let entries = ledger.of_call(call_of(id))?;
    let Some(first) = entries.first() else { return Ok(None) };
    let asked = first.value();
    let same = asked.as_ref().and_then(|asked| asked.get("args_hash")?.as_str()) == Some(&hash(document));
    let message = if same {
        format!("the request `{id}` has run already, or has begun to")
    } else {
        format!("a request with the id `{id}` and other content has run already")
    };
    let remedy = "`toolgate new --from REQUEST` drafts it anew under another id";
    Ok(Some(reason(ReasonCode::APPROVAL_USED, message, remedy)))
}

/// Begins the run of a request: its approval is used up and the intent is durable when this returns.
pub(crate) fn begin(
    ledger: &Ledger,
    weighed: &Weighed,
    agreed: &Agreed,
    lane: Lane,
    now: Moment,
) -> Result<Begun, NotBegun> {
    let call = call_of(&weighed.request.id);
    let asked = Arc::new(asked(ledger, weighed, call));
    let mut events = vec![Event::Asked(Arc::clone(&asked)), ruled(weighed, agreed, call)];
    for (digest, answer) in &agreed.answers {
        let record = serde_json::from_slice(&answer.text).unwrap_or(Value::Null);
        let approver = record.get("approver").and_then(Value::as_str).unwrap_or_default().to_owned();
        let signature = Some(answer.signature.clone());
        events.push(Event::Approved {
            call,
            signed: Box::new(Signed { approver, approval: *digest, record, signature }),
        });
    }
    let approval = agreed.answers.first().map(|(digest, _)| *digest);
    events.push(Event::Consumed { call, approval });
    let effects = weighed.effects.digest();
    events.push(Event::Intent(Box::new(Intent { call, effects, lane: Some(lane), approval })));
    match ledger.append_all(&events, now) {
        Ok(places) => Ok(Begun { asked, call, entry: places.last().copied().unwrap_or_default() }),
        Err(NotRecorded::Misstep(misstep)) => {
            let used = used(ledger, &weighed.request.id, weighed.document)?;
            Err(used.map_or(NotBegun::NotRecorded(misstep.into()), NotBegun::Used))
        }
        Err(error) => Err(error.into()),
    }
}

/// How a run that had begun ended.
pub(crate) struct Ending {
    pub(crate) status: Status,
    pub(crate) error_class: Option<String>,
    pub(crate) elapsed: Duration,
    pub(crate) artifacts: Vec<String>,
    pub(crate) lane: Option<(Lane, Vec<String>)>,
    pub(crate) verified: Option<bool>,
    pub(crate) flags: BTreeSet<RiskFlag>,
}

/// Puts the end of a run on record.
pub(crate) fn end(
    ledger: &Ledger,
    begun: &Begun,
    weighed: &Weighed,
    agreed: &Agreed,
    ending: Ending,
    now: Moment,
) -> Result<u64, NotRecorded> {
    let mut ended = Ended {
        asked: Arc::clone(&begun.asked),
        status: ending.status,
        elapsed_ms: u64::try_from(ending.elapsed.as_millis()).unwrap_or(u64::MAX),
        error_class: ending.error_class,
        flags: ending.flags,
        artifacts: ending.artifacts,
        decision: Some("allow".to_owned()),
        reasons: notes(agreed),
        policy: Some(weighed.ruled.policy),
        approval: agreed
            .answers
            .first()
            .zip(agreed.people.first())
            .map(|((digest, _), by)| (*digest, by.clone())),
        effects: Some(weighed.effects.digest()),
        diff: None,
        lane: ending.lane,
        verified: ending.verified,
    };
    match ledger.append(&Event::Outcome(Box::new(ended.clone())), now) {
        // What a program called its files may hold a secret; that it ended is on record all the same.
        Err(NotRecorded::Secret(_)) => {
            ended.artifacts = Vec::new();
            ledger.append(&Event::Outcome(Box::new(ended)), now)
        }
        answer => answer,
    }
}

/// What is known of a request that was refused.
pub(crate) struct Refused<'a> {
    /// The document as it was weighed, when it came so far.
    pub(crate) weighed: Option<&'a Weighed>,
    /// The digest of what was read.
    pub(crate) content: Sha256,
    pub(crate) reasons: &'a [Reason],
    pub(crate) elapsed: Duration,
}

/// Puts a refusal on record, under a name of its own.
pub(crate) fn refuse(ledger: &Ledger, refused: &Refused<'_>, now: Moment) -> Result<u64, NoBooks> {
    let call = CallId::new(now, chance()?);
    let asked = Arc::new(match refused.weighed {
        Some(weighed) => asked(ledger, weighed, call),
        None => Asked {
            call,
            actor: None,
            tool: TOOL.to_owned(),
            purpose: None,
            arguments: Some(hash(refused.content)),
        },
    });
    let flags = refused.reasons.iter().map(|reason| RiskFlag::denial(&reason.code)).collect();
    let told = |text: &str| {
        if ledger.is_guarded(text) { "<REDACTED:known_secret>".to_owned() } else { text.to_owned() }
    };
    let reasons = refused.reasons.iter().map(|reason| Reason {
        message: told(&reason.message),
        remedy: reason.remedy.as_deref().map(told),
        ..reason.clone()
    });
    let ended = Ended {
        asked: Arc::clone(&asked),
        status: Status::Denied,
        elapsed_ms: u64::try_from(refused.elapsed.as_millis()).unwrap_or(u64::MAX),
        error_class: refused.reasons.first().map(|reason| reason.code.to_string()),
        flags,
        artifacts: Vec::new(),
        decision: Some("deny".to_owned()),
        reasons: reasons.collect(),
        policy: refused.weighed.map(|weighed| weighed.ruled.policy),
        approval: None,
        effects: refused.weighed.map(|weighed| weighed.effects.digest()),
        diff: None,
        lane: None,
        verified: None,
    };
    let events = [Event::Asked(asked), Event::Refused(Box::new(ended))];
    let places = ledger.append_all(&events, now)?;
    Ok(places.last().copied().unwrap_or_default())
}

fn asked(ledger: &Ledger, weighed: &Weighed, call: CallId) -> Asked {
    let purpose = Some(weighed.request.purpose.clone()).filter(|purpose| !ledger.is_guarded(purpose));
    Asked {
        call,
        actor: Some(weighed.actor.clone()),
        tool: TOOL.to_owned(),
        purpose,
        arguments: Some(hash(weighed.document)),
    }
}

fn hash(document: Sha256) -> String {
    format!("sha256:{document}")
}

/// A document always waits for a person, also where policy would let its code run without one.
fn ruled(weighed: &Weighed, agreed: &Agreed, call: CallId) -> Event {
    let ruled = &weighed.ruled;
    let mut reasons = ruled.ruling.reasons().to_vec();
    if reasons.is_empty() {
        reasons.push(reason(
            ReasonCode::APPROVAL_REQUIRED,
            "a request document runs when a person has approved it",
            "",
        ));
    }
    reasons.extend(notes(agreed));
    let flags = ruled.flags.union(&agreed.flags).cloned().collect();
    Event::Ruled(Box::new(Ruling {
        call,
        actor: Some(weighed.actor.clone()),
        tool: Some(weighed.tool.clone()),
        effects: Some(weighed.effects.clone()),
        objections: Vec::new(),
        verdict: "needs_approval",
        reasons,
        rules: ruled.rules.clone(),
        flags,
        policy: ruled.policy,
        held: None,
    }))
}

/// What a reader of the ledger must not miss.
fn notes(agreed: &Agreed) -> Vec<Reason> {
    let who = agreed.people.join(", ");
    let message =
        format!("nobody signed: the document says that {who} approved it, and policy lets that pass");
    let note = reason(
        ReasonCode::APPROVAL_REQUIRED,
        message,
        "take `unsigned` out of `[approvals]` to ask for signatures",
    );
    if agreed.unsigned { vec![note] } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::call_of;

    #[test]
    fn a_request_is_one_call_for_ever() {
        let id = "TR-20260209-160501Z-stats";
        assert_eq!(call_of(id), call_of(id));
        assert_ne!(call_of(id), call_of("TR-20260209-160501Z-stats-2"));
        // Another name for it would let every request of the past run once more.
        insta::assert_snapshot!(call_of(id), @"01kh1jcay85hfrdpsrzswa690v");
    }
}
