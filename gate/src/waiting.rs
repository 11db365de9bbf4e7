//! Calls that wait for a person: asked once, answered by a signature, run once.
//!
//! Nothing of this is kept in memory. What waits, what was agreed to and what was used up is in the ledger,
//! so it outlives the gate and is the same for every gate of a home. The call itself is kept beside the log
//! until it ends, so that what runs is the call that was shown.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use call::{CallId, Content, Moment, Reason, ReasonCode, Sha256};
use record::{Beside, NotRecorded};
use screen::KnownSecrets;
use serde::Deserialize;
use serde_json::Value;

use crate::docket::Docket;
use crate::pass::{Pending, Refused};
use crate::{Gate, Halt, Incoming, Reply, Status, held};

/// Whoever waits in the gate's place.
pub trait Patience: Send + Sync {
    /// Waits a little, and says whether it is worth looking again for an answer to what was asked then.
    fn once_more(&self, asked: Moment, cancelled: &AtomicBool) -> bool;
}

/// Questions that one session may have open.
const MOST_WAITING: usize = 20;

/// A call that waits, as the ledger knows it.
#[derive(Clone, Debug)]
pub struct Waiting {
    /// Its name.
    pub id: CallId,
    /// When it was asked.
    pub asked: Moment,
    /// The call.
    pub incoming: Incoming,
    /// The digest of what it would do, as it was asked.
    pub effects: Option<Sha256>,
    /// The policy it was asked under.
    pub policy: Option<Sha256>,
    /// What people signed about it: events of the name `approved`.
    pub approved: Vec<Value>,
    /// The digest by which the call is kept.
    pub(crate) held: Sha256,
    /// The hash by which the ledger speaks of its arguments.
    pub(crate) arguments: Option<String>,
}

impl Gate {
    /// A call that needs a person: one who agreed to such calls before, one who said no, or one who is asked
    /// now.
    pub(crate) fn ask(
        &self,
        pending: Pending,
        known: &Arc<KnownSecrets>,
        cancelled: &AtomicBool,
    ) -> Result<Reply, Halt> {
        let now = self.clock.now();
        let pending = match self.answered_before(pending, now, cancelled)? {
            Ok(reply) => return Ok(reply),
            Err(pending) => pending,
        };
        if let Some(hopeless) = pending.prospect(&*self.tools, &self.knowledge.now(), now) {
            return pending.hopeless(hopeless).record(&self.ledger, now);
        }
        let open = self.open_questions(&pending.incoming.session)?;
        if let Some(same) = open.iter().find(|waiting| is_same(waiting, &pending)) {
            // Whoever asks twice has asked once.
            return Ok(waiting_reply(same.id, pending.docket(), None));
        }
        if open.len() >= MOST_WAITING {
            return Refused::new(pending.case, vec![too_many(open.len())]).record(&self.ledger, now);
        }
        let (id, entry) = match self.put_off(&pending, now) {
            Ok(put_off) => put_off,
            Err(NotRecorded::Secret(_)) => return pending.cannot_be_recorded(&self.ledger, now),
            Err(error) => return Err(error.into()),
        };
        let (standing, found) = (&pending.case.standing, &pending.docket().weighed.objections);
        self.knowledge.keep_objections(&pending.incoming, standing, known, found);
        self.wait(id, waiting_reply(id, pending.docket(), entry), cancelled)
    }

    /// Keeps the call, and puts on record that it waits.
    fn put_off(&self, pending: &Pending, now: Moment) -> Result<(CallId, Option<u64>), NotRecorded> {
        let docket = pending.docket();
        let held = self.ledger.attachment(held::written(docket.id, &pending.incoming), now)?;
        let events = [docket.arrival(), docket.ruling(&self.ledger, Some(held.digest()))];
        let beside = Beside { keep: vec![held], drop: Vec::new() };
        let entries = self.ledger.append_with(&events, &beside, now)?;
        Ok((docket.id, entries.last().copied()))
    }

    /// Waits a moment for an answer to a question that was just asked, then says that it waits.
    fn wait(&self, id: CallId, reply: Reply, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        let asked = self.clock.now();
        while self.patience.once_more(asked, cancelled) {
            let Some(waiting) = self.waiting(id)? else { break };
            if !waiting.approved.is_empty() {
                let answer = self.take_up(&waiting, cancelled)?;
                if answer.status != Status::Waiting {
                    return Ok(answer);
                }
            }
        }
        Ok(reply)
    }

    /// Everything that waits, oldest first.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn all_waiting(&self) -> Result<Vec<Waiting>, Halt> {
        let mut all = Vec::new();
        for id in self.ledger.waiting()? {
            all.extend(self.waiting(id)?);
        }
        Ok(all)
    }

    fn open_questions(&self, session: &str) -> Result<Vec<Waiting>, Halt> {
        let mut open = self.all_waiting()?;
        open.retain(|waiting| waiting.incoming.session == session);
        Ok(open)
    }

    /// A call, if it waits for a person.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn waiting(&self, id: CallId) -> Result<Option<Waiting>, Halt> {
        let (mut first, mut ruled, mut approved, mut is_over) = (None, None, Vec::new(), false);
        for entry in &self.ledger.of_call(id)? {
            // What people signed is large, and all of it is wanted; of the rest a few words are.
            let (noted, event) = match serde_json::from_slice(&entry.leaf) {
                Ok(noted @ Noted { moved: None, .. }) => (noted, None),
                Ok(Noted { .. }) | Err(_) => match self.ledger.event(entry)? {
                    Some(event) => (Noted::of(&event), Some(event)),
                    None => continue,
                },
            };
            match noted.event.as_deref() {
                Some("refused" | "outcome" | "consumed") => is_over = true,
                Some("approved") => approved.extend(match event {
                    Some(event) => Some(event),
                    None => self.ledger.event(entry)?,
                }),
                Some("ruled") => ruled = Some(noted.clone()),
                Some(_) | None => {}
            }
            first.get_or_insert(noted);
        }
        let (Some(ruled), false) = (ruled, is_over) else { return Ok(None) };
        let digest = |text: Option<String>| text?.parse().ok();
        let Some(held): Option<Sha256> = digest(ruled.held) else { return Ok(None) };
        let kept = self.ledger.blob(held)?;
        let Some(incoming) = kept.and_then(|kept| held::read(id, &kept)) else { return Ok(None) };
        let Some(Noted { at: Some(asked), args_hash: arguments, .. }) = first else { return Ok(None) };
        let (effects, policy) = (digest(ruled.effects_digest), digest(ruled.policy));
        let waiting = |asked| Waiting { id, asked, incoming, effects, policy, approved, held, arguments };
        Ok(asked.parse().ok().map(waiting))
    }
}

/// What of an event tells whether a call waits, and for what.
#[derive(Clone, Default, Deserialize)]
struct Noted {
    event: Option<String>,
    at: Option<String>,
    args_hash: Option<String>,
    held: Option<String>,
    effects_digest: Option<String>,
    policy: Option<String>,
    moved: Option<String>,
}

impl Noted {
    /// Of an event that was read as data, because some of it was moved out of its entry or is of another kind.
    fn of(event: &Value) -> Self {
        let text = |name: &str| event.get(name)?.as_str().map(str::to_owned);
        Self {
            event: text("event"),
            at: text("at"),
            args_hash: text("args_hash"),
            held: text("held"),
            effects_digest: text("effects_digest"),
            policy: text("policy"),
            moved: text("moved"),
        }
    }
}

/// Whether a question is the one that waits already: the same deed for the same agent, under the same policy.
fn is_same(waiting: &Waiting, pending: &Pending) -> bool {
    let weighed = &pending.docket().weighed;
    let effects = weighed.effects.as_ref().map(call::Effects::digest);
    let (one, other) = (&waiting.incoming, &pending.incoming);
    waiting.effects.is_some()
        && waiting.effects == effects
        && waiting.policy == Some(weighed.ruled.policy)
        && (&one.tool, &one.agent, &one.skill, one.context)
            == (&other.tool, &other.agent, &other.skill, other.context)
}

pub(crate) fn waiting_reply(id: CallId, docket: &Docket, entry: Option<u64>) -> Reply {
    let ruled = &docket.weighed.ruled;
    let mut reasons = ruled.ruling.reasons().to_vec();
    let remedy = format!("a person can agree with `toolgate approve {id}`; then ask again with that name");
    for reason in &mut reasons {
        reason.remedy.get_or_insert_with(|| remedy.clone());
    }
    Reply {
        call: Some(id),
        status: Status::Waiting,
        summary: format!("waits for a person: `toolgate approve {id}`"),
        artifacts: Vec::new(),
        content: Content::Nothing,
        untrusted: false,
        labels: Vec::new(),
        verdict: ruled.ruling.verdict(),
        reasons,
        flags: ruled.flags.clone(),
        entry,
    }
}

fn too_many(open: usize) -> Reason {
    Reason {
        code: ReasonCode::TOO_MANY_WAITING,
        message: format!("{open} calls of this session wait for a person already"),
        rule: None,
        remedy: Some("wait for answers; `toolgate pending` lists what is open".to_owned()),
    }
}
