//! One call on its way through the ledger.
//!
//! A call is on record before it is weighed, and its ruling before anybody is told. Whatever stops it in
//! between, the next gate that starts finds it open and ends it.

use std::time::Duration;

use call::{Actor, Arguments, CallId, Class, Moment, Purpose, Ruling as Answer, Sha256, SkillChain};
use record::{Asked, Ended, Event, Ledger, NotRecorded, Ruling, Status};

use crate::weigh::{Typed, Weighed};

/// A call that is on record.
pub(crate) struct OnRecord<'l> {
    ledger: &'l Ledger,
    asked: Asked,
    began: Moment,
}

/// How a call that was weighed ended.
pub(crate) struct End {
    pub(crate) status: Status,
    pub(crate) error_class: Option<&'static str>,
    pub(crate) elapsed: Duration,
}

impl<'l> OnRecord<'l> {
    /// Puts a call on record as it arrives.
    pub(crate) fn ask(
        ledger: &'l Ledger,
        call: CallId,
        typed: &Typed,
        now: Moment,
    ) -> Result<Self, NotRecorded> {
        let asked = Asked {
            call,
            actor: actor(typed),
            tool: told(ledger, &typed.tool, 128),
            purpose: typed.purpose.as_deref().map(|purpose| told(ledger, purpose, Purpose::LONGEST)),
            // Whether a plain hash would give a secret away is known only after the call was weighed.
            arguments: None,
        };
        ledger.append(&Event::Asked(Box::new(asked.clone())), now)?;
        Ok(Self { ledger, asked, began: now })
    }

    pub(crate) const fn call(&self) -> CallId {
        self.asked.call
    }

    /// Puts the ruling on record.
    pub(crate) fn rule(&mut self, typed: &Typed, weighed: &Weighed, now: Moment) -> Result<u64, NotRecorded> {
        self.asked.arguments = Some(arguments_hash(self.ledger, typed, weighed));
        let ruled = &weighed.ruled;
        let event = Event::Ruled(Box::new(Ruling {
            call: self.asked.call,
            actor: self.asked.actor.clone(),
            tool: weighed.tool.clone(),
            effects: weighed.effects.clone(),
            objections: weighed.objections.clone(),
            verdict: ruled.ruling.verdict(),
            reasons: ruled.ruling.reasons().to_vec(),
            rules: ruled.rules.clone(),
            flags: ruled.flags.clone(),
            policy: ruled.policy,
        }));
        self.ledger.append(&event, now)
    }

    /// Puts the end on record.
    pub(crate) fn end(self, weighed: &Weighed, end: &End, now: Moment) -> Result<u64, NotRecorded> {
        let ruled = &weighed.ruled;
        let elapsed = u64::try_from(end.elapsed.as_millis()).unwrap_or(u64::MAX);
        let denied = matches!(ruled.ruling, Answer::Deny(_));
        let first = ruled.ruling.reasons().first().filter(|_| denied);
        let ended = Box::new(Ended {
            asked: self.asked,
            status: end.status,
            elapsed_ms: elapsed,
            error_class: first
                .map(|reason| reason.code.to_string())
                .or_else(|| end.error_class.map(str::to_owned)),
            flags: ruled.flags.clone(),
            artifacts: Vec::new(),
            decision: Some(ruled.ruling.verdict().to_owned()),
            reasons: ruled.ruling.reasons().to_vec(),
            policy: Some(ruled.policy),
            approval: None,
            effects: weighed.effects.as_ref().map(call::Effects::digest),
            diff: None,
            lane: None,
        });
        let event = if denied { Event::Refused(ended) } else { Event::Outcome(ended) };
        self.ledger.append(&event, now.max(self.began))
    }
}

/// Who asks, when that can be read.
fn actor(typed: &Typed) -> Option<Actor> {
    let skills = match &typed.skill {
        Some(chain) => chain.parse().ok()?,
        None => SkillChain::default(),
    };
    let (agent, session) = (typed.agent.parse().ok()?, typed.session.parse().ok()?);
    Some(Actor { agent, session, skills, context: typed.context })
}

/// The hash by which the ledger speaks of the arguments: with a key where they may hold a secret that
/// could be guessed, and of the text as it came where it is no JSON.
fn arguments_hash(ledger: &Ledger, typed: &Typed, weighed: &Weighed) -> String {
    let key = || ledger.key().derived("arguments of calls for secrets");
    match typed.arguments.parse::<Arguments>() {
        Ok(arguments) if weighed.classes.contains(&Class::Secrets) => arguments.keyed_hash(&key()),
        Ok(arguments) => arguments.hash(),
        Err(_) => format!("sha256:{}", Sha256::of(typed.arguments.as_bytes())),
    }
}

/// The beginning of a text that may be anything; not when it holds a secret.
fn told(ledger: &Ledger, text: &str, most: usize) -> String {
    if ledger.is_guarded(text) {
        return "<REDACTED:known_secret>".to_owned();
    }
    text.chars().take(most).collect()
}
