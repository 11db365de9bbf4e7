//! What the ledger is told about one call, from its arrival to its end.
//!
//! A call that holds a known secret is on record all the same, but for what repeats the secret: such a
//! docket is *bare*, and a call with one never runs, since nobody could see later what it did.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use call::{
    Actor, Arguments, CallId, Class, Family, Lane, Moment, Purpose, Reason, RiskFlag, Sha256, SkillChain,
};
use record::{Asked, Ended, Event, Intent, Ledger, Ruling, Status};

use crate::watch::{Watch, told};
use crate::weigh::Weighed;
use crate::{Incoming, Waiting};

/// A call as the ledger sees it.
#[derive(Clone, Debug)]
pub(crate) struct Docket {
    pub(crate) id: CallId,
    pub(crate) began: Moment,
    pub(crate) weighed: Weighed,
    asked: Arc<Asked>,
    bare: bool,
}

/// How a call ended.
#[derive(Clone, Debug, Default)]
pub(crate) struct End {
    pub(crate) status: Option<Status>,
    pub(crate) error_class: Option<String>,
    pub(crate) flags: BTreeSet<RiskFlag>,
    pub(crate) artifacts: Vec<String>,
    pub(crate) reasons: Option<Vec<Reason>>,
    pub(crate) decision: Option<&'static str>,
    pub(crate) approval: Option<(Sha256, String)>,
    pub(crate) diff: Option<Sha256>,
    pub(crate) lane: Option<(Lane, Vec<String>)>,
    pub(crate) verified: Option<bool>,
}

impl Docket {
    /// Of a call that was weighed, before anything about it is on record.
    pub(crate) fn new(
        ledger: &Ledger,
        id: CallId,
        began: Moment,
        incoming: &Incoming,
        weighed: Weighed,
    ) -> Self {
        let watch = Watch::over(ledger, incoming, true);
        let arguments = arguments_hash(&watch, incoming, &weighed);
        Self::with(&watch, id, began, incoming, weighed, arguments)
    }

    /// Of a call that waits, and was weighed again. The ledger goes on to speak of its arguments by the hash
    /// that it has.
    pub(crate) fn again(ledger: &Ledger, waiting: &Waiting, weighed: Weighed) -> Self {
        let Waiting { id, asked, incoming, arguments, .. } = waiting;
        match arguments {
            Some(arguments) => {
                let watch = Watch::over(ledger, incoming, false);
                Self::with(&watch, *id, *asked, incoming, weighed, arguments.clone())
            }
            None => Self::new(ledger, *id, *asked, incoming, weighed),
        }
    }

    fn with(
        watch: &Watch<'_>,
        id: CallId,
        began: Moment,
        incoming: &Incoming,
        weighed: Weighed,
        arguments: String,
    ) -> Self {
        let asked = Asked {
            call: id,
            actor: match &weighed.call {
                Some(call) => Some(call.actor.clone()),
                None => actor(incoming),
            }
            .filter(|_| !names_hold_a_secret(watch, incoming)),
            tool: watch.told(&incoming.tool, 128),
            purpose: incoming.purpose.as_deref().map(|purpose| watch.told(purpose, Purpose::LONGEST)),
            arguments: Some(arguments),
        };
        Self { id, began, weighed, asked: Arc::new(asked), bare: false }
    }

    /// Leaves out whatever may repeat a secret from now on.
    pub(crate) fn strip(&mut self) {
        self.bare = true;
    }

    pub(crate) fn arrival(&self) -> Event {
        Event::Asked(Arc::clone(&self.asked))
    }

    /// The ruling; with the digest of the call as it is kept, where it waits for a person.
    pub(crate) fn ruling(&self, ledger: &Ledger, held: Option<Sha256>) -> Event {
        let ruled = &self.weighed.ruled;
        let objections = self.weighed.objections.iter().cloned().map(|mut objection| {
            objection.argument = self.told(ledger, &objection.argument);
            objection
        });
        Event::Ruled(Box::new(Ruling {
            call: self.id,
            actor: self.asked.actor.clone(),
            tool: self.weighed.tool.clone(),
            effects: self.weighed.effects.as_ref().filter(|_| !self.bare).cloned(),
            objections: objections.collect(),
            verdict: ruled.ruling.verdict(),
            reasons: self.reasons(ledger, ruled.ruling.reasons()),
            rules: ruled.rules.clone(),
            flags: ruled.flags.clone(),
            policy: ruled.policy,
            held,
        }))
    }

    pub(crate) fn intent(&self, effects: Sha256, lane: Option<Lane>, approval: Option<Sha256>) -> Event {
        Event::Intent(Box::new(Intent { call: self.id, effects, lane, approval }))
    }

    /// The call is taken up, and what people said about it used up.
    pub(crate) const fn consumed(&self, approval: Option<Sha256>) -> Event {
        Event::Consumed { call: self.id, approval }
    }

    pub(crate) fn actor(&self) -> Option<&Actor> {
        self.asked.actor.as_ref()
    }

    /// The end. A call that was never run is `refused`, any other has an outcome.
    pub(crate) fn end(&self, ledger: &Ledger, end: &End, now: Moment) -> Event {
        let ruled = &self.weighed.ruled;
        let reasons = end.reasons.as_deref().unwrap_or_else(|| ruled.ruling.reasons());
        let mut flags = ruled.flags.clone();
        flags.extend(end.flags.iter().cloned());
        let elapsed = now.milliseconds().saturating_sub(self.began.milliseconds());
        let status = end.status.unwrap_or(Status::Denied);
        let ended = Box::new(Ended {
            asked: Arc::clone(&self.asked),
            status,
            elapsed_ms: elapsed,
            error_class: end.error_class.clone(),
            flags,
            artifacts: if self.bare { Vec::new() } else { end.artifacts.clone() },
            decision: Some(end.decision.unwrap_or_else(|| ruled.ruling.verdict()).to_owned()),
            reasons: self.reasons(ledger, reasons),
            policy: Some(ruled.policy),
            approval: end.approval.clone(),
            effects: self.weighed.effects.as_ref().filter(|_| !self.bare).map(call::Effects::digest),
            diff: end.diff,
            lane: end.lane.clone(),
            verified: end.verified,
        });
        if status == Status::Denied { Event::Refused(ended) } else { Event::Outcome(ended) }
    }

    fn reasons(&self, ledger: &Ledger, reasons: &[Reason]) -> Vec<Reason> {
        let told = reasons.iter().cloned().map(|mut reason| {
            reason.message = self.told(ledger, &reason.message);
            reason.remedy = reason.remedy.map(|remedy| self.told(ledger, &remedy));
            reason
        });
        told.collect()
    }

    /// What the gate says, which may repeat what the call says.
    fn told(&self, ledger: &Ledger, text: &str) -> String {
        if self.bare { told(ledger, text, text.len()) } else { text.to_owned() }
    }
}

/// Whether a name that a call came with is no name at all. Each is written down as it is.
fn names_hold_a_secret(watch: &Watch<'_>, incoming: &Incoming) -> bool {
    [Some(&incoming.agent), Some(&incoming.session), incoming.skill.as_ref()]
        .into_iter()
        .flatten()
        .any(|name| watch.is_guarded(name))
}

/// Who asks, when that can be read.
fn actor(incoming: &Incoming) -> Option<Actor> {
    let skills = match &incoming.skill {
        Some(chain) => chain.parse().ok()?,
        None => SkillChain::default(),
    };
    let (agent, session) = (incoming.agent.parse().ok()?, incoming.session.parse().ok()?);
    Some(Actor { agent, session, skills, context: incoming.context })
}

/// The hash by which the ledger speaks of the arguments: with a key where they hold a secret, or may, that
/// could be guessed, and of the text as it came where it is no JSON. Of what was not looked at nobody knows what
/// it holds.
fn arguments_hash(watch: &Watch<'_>, incoming: &Incoming, weighed: &Weighed) -> String {
    let key = || watch.ledger().key().derived("arguments of calls for secrets");
    let found = weighed.objections.iter().any(|objection| objection.found.family == Family::Secret);
    let unknown = weighed.call.is_none();
    let secret = unknown
        || found
        || weighed.classes.contains(&Class::Secrets)
        || watch.gives_away(&incoming.arguments);
    let parsed = || incoming.arguments.parse::<Arguments>().ok().map(Cow::Owned);
    let arguments = weighed.call.as_ref().map(|call| Cow::Borrowed(&call.arguments)).or_else(parsed);
    match (arguments, secret) {
        (Some(arguments), true) => arguments.keyed_hash(&key()),
        (Some(arguments), false) => arguments.hash(),
        (None, true) => format!("hmac-sha256:{}", Sha256::keyed(&key(), incoming.arguments.as_bytes())),
        (None, false) => format!("sha256:{}", Sha256::of(incoming.arguments.as_bytes())),
    }
}
