//! One type for each point on the path of a call.
//!
//! Fields are private and each type is made only by consuming the one before it, so code that skips a step
//! does not compile: a call that was not decided about cannot be journaled, one that is not in the ledger
//! cannot be executed, and nothing is handed over that was not cleaned and recorded. `tests/forge/` holds
//! the attempts.
//!
//! **A look is written down as a whole.** A call that only looks at single things changes nothing that
//! anybody could see, so its arrival, its ruling and its outcome are made durable together, before what it
//! saw is handed over. Whatever else a call does is announced first.

mod recording;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use call::{
    Allowance, CallId, Change, Confinement, Content, Did, Done, Effect, Effects, Errand, Expected, Fault,
    Judge as _, Located, MemoryUse, Moment, Reach, Reason, ReasonCode, RiskFlag, Ruling, Sha256, Spending,
    ToolCall, ToolName, Tools,
};
use record::store::Misstep;
use record::{Attachment, Beside, Event, Ledger, NotRecorded, Status as Ending};
use screen::KnownSecrets;

pub use self::recording::{Begun, Recording};

use crate::clean::{Clean, clean, clean_text, marks};
use crate::docket::{Docket, End};
use crate::judge::SamePolicy;
use crate::keepsake::Keepsake;
use crate::standing::{Rulebook, Standing};
use crate::{Halt, Incoming, Reply, Status};

/// Attempts to skip a step, none of which compiles; and the honest way, which does.
///
/// ```compile_fail,E0451
#[doc = include_str!("../tests/forge/make_a_permit.rs")]
/// ```
/// ```compile_fail,E0599
#[doc = include_str!("../tests/forge/skip_the_ledger.rs")]
/// ```
/// ```compile_fail,E0599
#[doc = include_str!("../tests/forge/run_what_was_denied.rs")]
/// ```
/// ```compile_fail,E0382
#[doc = include_str!("../tests/forge/run_twice.rs")]
/// ```
/// ```compile_fail,E0599
#[doc = include_str!("../tests/forge/hand_over_unclean.rs")]
/// ```
/// ```compile_fail,E0624
#[doc = include_str!("../tests/forge/answer_unrecorded.rs")]
/// ```
/// ```
#[doc = include_str!("../tests/forge/honest.rs")]
/// ```
#[cfg(doctest)]
pub struct Forgeries;

/// Came in, and has a name.
#[derive(Debug)]
pub struct Arrived<'i> {
    id: CallId,
    at: Moment,
    incoming: &'i Incoming,
}

/// Policy has spoken.
#[must_use = "a ruling nobody reads is a call nobody gated"]
pub enum Weighed {
    /// It may run.
    Allowed(Box<Permitted>),
    /// It may run if a person agrees.
    Asked(Pending),
    /// It may not.
    Denied(Refused),
}

/// What every point on the path has with it.
pub(crate) struct Case {
    pub(crate) standing: Arc<Standing>,
    pub(crate) docket: Docket,
    /// Whether arrival and ruling are on record.
    pub(crate) on_record: bool,
    /// The digest by which the call is kept while it waits; its end is the end of that too.
    pub(crate) held: Option<Sha256>,
}

/// May run, but nothing says so on disk yet.
pub struct Permitted {
    case: Box<Case>,
    call: ToolCall,
    tool: ToolName,
    effects: Effects,
    walls: Confinement,
    yes: Option<Yes>,
}

/// What a person agreed to.
#[derive(Clone, Debug)]
pub(crate) struct Yes {
    /// The digest of what was signed.
    pub(crate) approval: Sha256,
    /// Who signed.
    pub(crate) approver: String,
    /// What must stand at the targets.
    pub(crate) expected: Option<Expected>,
    /// What to look at twice.
    pub(crate) flags: Vec<RiskFlag>,
}

/// Why a call would fail whoever agreed to it.
pub(crate) struct Hopeless {
    fault: Fault,
    flags: BTreeSet<RiskFlag>,
}

/// Waits for a person.
pub struct Pending {
    pub(crate) case: Box<Case>,
    pub(crate) incoming: Incoming,
}

/// Does not run.
pub struct Refused {
    case: Box<Case>,
    reasons: Vec<Reason>,
    decision: &'static str,
    status: Ending,
    flags: Vec<RiskFlag>,
}

/// May run, and the ledger says so: if the machine dies now, the attempt is still on record. (A look is
/// not yet; nobody is told what it saw before it is.)
pub struct Journaled {
    permitted: Permitted,
    ticket: call::Ticket,
}

/// Why a call that may run does not.
pub enum NotJournaled {
    /// It may not run after all: this is the answer.
    Answered(Box<Reply>),
    /// The ledger failed.
    Halt(Halt),
}

impl NotJournaled {
    fn of(answer: Result<Reply, Halt>) -> Self {
        match answer {
            Ok(reply) => Self::Answered(Box::new(reply)),
            Err(halt) => Self::Halt(halt),
        }
    }

    /// The answer.
    ///
    /// # Errors
    /// When the ledger failed.
    pub fn answer(self) -> Result<Reply, Halt> {
        match self {
            Self::Answered(reply) => Ok(*reply),
            Self::Halt(halt) => Err(halt),
        }
    }
}

/// Ran.
pub struct Ran {
    permitted: Permitted,
    outcome: Result<Done, Fault>,
}

/// Ran, and what came back holds no secret.
pub struct Cleaned {
    permitted: Permitted,
    outcome: Result<(Done, Clean), Fault>,
    /// What the sentence about a failure carries, where it repeats what a program or a server said.
    carries: (Vec<String>, BTreeSet<RiskFlag>),
}

impl<'i> Arrived<'i> {
    /// A call that came in just now.
    #[must_use]
    pub const fn new(id: CallId, at: Moment, incoming: &'i Incoming) -> Self {
        Self { id, at, incoming }
    }

    /// Classify, screen, locate, decide.
    pub fn weigh(self, standing: Arc<Standing>, known: &KnownSecrets, ledger: &Ledger) -> Weighed {
        let weighed = standing.weigh(self.incoming, known, self.at);
        let docket = Docket::new(ledger, self.id, self.at, self.incoming, weighed);
        Box::new(Case { standing, docket, on_record: false, held: None }).ruled(self.incoming)
    }

    /// Refused by whoever was to bring it here, before anybody looked at it.
    pub(crate) fn turn_away(
        self,
        standing: Arc<Standing>,
        reason: Reason,
        known: &KnownSecrets,
        ledger: &Ledger,
    ) -> Refused {
        let weighed = standing.turned_away(reason, known);
        let reasons = weighed.ruled.ruling.reasons().to_vec();
        let docket = Docket::new(ledger, self.id, self.at, self.incoming, weighed);
        Refused::new(Box::new(Case { standing, docket, on_record: false, held: None }), reasons)
    }
}

impl Case {
    /// What follows from the ruling.
    pub(crate) fn ruled(self: Box<Self>, incoming: &Incoming) -> Weighed {
        match &self.docket.weighed.ruled.ruling {
            Ruling::Allow(walls) => {
                let walls = walls.clone();
                match Permitted::new(self, walls, None) {
                    Ok(permitted) => Weighed::Allowed(Box::new(permitted)),
                    Err(refused) => Weighed::Denied(refused),
                }
            }
            Ruling::Ask(_) => Weighed::Asked(Pending { case: self, incoming: incoming.clone() }),
            Ruling::Deny(refusal) => {
                let reasons = refusal.reasons.clone();
                Weighed::Denied(Refused::new(self, reasons))
            }
        }
    }

    /// A call that cannot be on record as it is does not run.
    fn cannot_be_recorded(mut self: Box<Self>, ledger: &Ledger, now: Moment) -> Result<Reply, Halt> {
        self.docket.strip();
        let reason = Reason {
            code: ReasonCode::SECRET_EXFILTRATION,
            message: "the call repeats a secret that the gate keeps, so it cannot be put on record"
                .to_owned(),
            rule: None,
            remedy: Some("leave the value out; `secrets_get` gives a handle".to_owned()),
        };
        let refused = Refused { decision: "deny", ..Refused::new(self, vec![reason]) };
        refused.record(ledger, now)
    }

    /// The answer to whoever came too late.
    fn taken(self: Box<Self>) -> Reply {
        let reason = Reason {
            code: ReasonCode::APPROVAL_USED,
            message: "this call was run already, or is being run".to_owned(),
            rule: None,
            remedy: Some("an approval is good once; ask again for another".to_owned()),
        };
        let mut refused = Refused::new(self, vec![reason]);
        refused.is_denial();
        refused.reply(None)
    }

    pub(crate) fn rulebook(&self) -> Option<&Rulebook> {
        self.standing.rulebook()
    }

    /// The last events about the call: what was kept of it while it waited goes too.
    fn ended_by(&self, last: Event) -> impl Iterator<Item = Event> {
        let removed = |blob| Event::BlobRemoved { blob, why: "the call has ended".to_owned() };
        self.held.map(removed).into_iter().chain([last])
    }

    /// What happens beside the log with them, in the same transaction.
    fn beside(&self, keep: Vec<Attachment>) -> Beside {
        Beside { keep, drop: self.held.into_iter().collect() }
    }
}

impl Permitted {
    /// `None` of what makes a call is missing where policy allowed one; if it were, nothing would run.
    pub(crate) fn new(mut case: Box<Case>, walls: Confinement, yes: Option<Yes>) -> Result<Self, Refused> {
        let weighed = &mut case.docket.weighed;
        // What is on record of the call is in the docket by now: it goes with whoever runs it.
        match (weighed.call.take(), weighed.tool.clone(), weighed.effects.clone()) {
            (Some(call), Some(tool), Some(effects)) => Ok(Self { case, call, tool, effects, walls, yes }),
            _ => Err(Refused::new(case, vec![no_effect()])),
        }
    }

    /// Counts the call and puts it on record.
    ///
    /// # Errors
    /// When it may not run after all, or the ledger failed.
    pub fn journal(
        mut self,
        ledger: &Ledger,
        allowance: &dyn Allowance,
        now: Moment,
    ) -> Result<Journaled, NotJournaled> {
        let actor = &self.call.actor;
        let ticket = match allowance.begin(actor, &self.walls, spending(&self.effects), now) {
            Ok(ticket) => ticket,
            Err(reason) => {
                let mut refused = Refused::new(self.case, vec![reason]);
                refused.decision = "deny";
                return Err(NotJournaled::of(refused.record(ledger, now)));
            }
        };
        if self.is_look() {
            return Ok(Journaled { permitted: self, ticket });
        }
        let approval = self.yes.as_ref().map(|yes| yes.approval);
        let docket = &self.case.docket;
        let intent = docket.intent(self.effects.digest(), self.walls.lane, approval);
        let events = match (self.case.on_record, &self.yes) {
            (true, _) => vec![docket.consumed(approval), intent],
            (false, Some(_)) => {
                vec![docket.arrival(), docket.ruling(ledger, None), docket.consumed(approval), intent]
            }
            (false, None) => vec![docket.arrival(), docket.ruling(ledger, None), intent],
        };
        match ledger.append_all(&events, now) {
            Ok(_) => {
                self.case.on_record = true;
                Ok(Journaled { permitted: self, ticket })
            }
            Err(NotRecorded::Secret(_)) => {
                allowance.end(ticket, Did::Nothing);
                Err(NotJournaled::of(self.case.cannot_be_recorded(ledger, now)))
            }
            Err(error) if self.case.on_record && is_taken(&error) => {
                // Somebody else runs it, or did. It is theirs to end.
                allowance.end(ticket, Did::Nothing);
                Err(NotJournaled::Answered(Box::new(self.case.taken())))
            }
            Err(error) => {
                allowance.end(ticket, Did::Nothing);
                Err(NotJournaled::Halt(error.into()))
            }
        }
    }

    /// Whether it only looks at single things.
    fn is_look(&self) -> bool {
        if self.case.on_record || self.yes.is_some() {
            return false;
        }
        let looks = |effect: &Effect| match effect {
            Effect::Read { reach: Reach::Itself, .. }
            | Effect::Status
            | Effect::Nothing
            | Effect::Memory(MemoryUse::Recall { .. }) => true,
            Effect::Read { reach: Reach::Below, .. }
            | Effect::Write { .. }
            | Effect::Delete { .. }
            | Effect::Run(_)
            | Effect::Network(_)
            | Effect::Secret { .. }
            | Effect::Query(_)
            | Effect::Memory(MemoryUse::Store { .. })
            | Effect::Repository(_)
            | Effect::Unknown { .. } => false,
        };
        // What another server's tool does beside looking, nobody here can see.
        !self.tool.as_str().contains('.') && self.effects.iter().all(looks)
    }
}

impl Pending {
    pub(crate) const fn docket(&self) -> &Docket {
        &self.case.docket
    }

    /// Why the call would fail if a person agreed to it now, cleaned of secrets. Nothing when it would not,
    /// or when whoever asks may not look at the files that it is about: they would learn what is in them.
    pub(crate) fn prospect(&self, tools: &dyn Tools, known: &KnownSecrets, now: Moment) -> Option<Hopeless> {
        let weighed = &self.case.docket.weighed;
        let (rulebook, actor) = (self.case.rulebook()?, self.case.docket.actor()?);
        let (tool, call, effects) =
            (weighed.tool.as_ref()?, weighed.call.as_ref()?, weighed.effects.as_ref()?);
        let look: ToolName = "read_file".parse().ok()?;
        let judge = SamePolicy { rulebook, tool: &look, actor, now, approved: false };
        let is_open =
            |path: &Located| judge.allows(&Effect::Read { path: path.clone(), reach: Reach::Itself }).is_ok();
        if !effects.iter().filter_map(file_of).all(is_open) {
            return None;
        }
        let lane = match &weighed.ruled.ruling {
            Ruling::Ask(question) => question.walls.lane,
            Ruling::Allow(_) | Ruling::Deny(_) => None,
        };
        let fault = match tools.prospect(tool, &call.arguments, effects, lane) {
            Err(fault @ Fault::Failed { .. }) => fault,
            Err(Fault::Denied(reason)) if reason.code.is_missing() => Fault::Denied(reason),
            // What changes at this moment, or is refused on the way, is looked at again when it runs.
            Err(Fault::TimedOut { .. } | Fault::Cancelled | Fault::Denied(_) | Fault::Changed { .. })
            | Ok(()) => return None,
        };
        let (_, flags) = carried(&fault, false, known);
        Some(Hopeless { fault: clean_fault(fault, known), flags })
    }

    /// A call that would fail ends with that, and nobody is asked.
    pub(crate) fn hopeless(self, hopeless: Hopeless) -> Refused {
        let Hopeless { fault, flags } = hopeless;
        let mut refused = Refused::new(self.case, vec![reason_of(&fault)]);
        match fault {
            Fault::Denied(_) => refused.is_denial(),
            Fault::Failed { .. } | Fault::TimedOut { .. } | Fault::Cancelled | Fault::Changed { .. } => {
                refused.status = Ending::Error;
                refused.flags = vec![RiskFlag::EXECUTION_ERROR];
            }
        }
        refused.flags.extend(flags);
        refused
    }

    /// A call that cannot be on record as it is does not run, and nobody is asked.
    pub(crate) fn cannot_be_recorded(self, ledger: &Ledger, now: Moment) -> Result<Reply, Halt> {
        self.case.cannot_be_recorded(ledger, now)
    }
}

impl Refused {
    /// A refusal for these reasons.
    pub(crate) fn new(case: Box<Case>, reasons: Vec<Reason>) -> Self {
        let decision = match case.docket.weighed.ruled.ruling {
            Ruling::Deny(_) | Ruling::Allow(_) => "deny",
            Ruling::Ask(_) => "needs_approval",
        };
        let flags = reasons.iter().map(|reason| RiskFlag::denial(&reason.code)).collect();
        Self { case, reasons, decision, status: Ending::Denied, flags }
    }

    /// Puts the refusal on record, and answers.
    ///
    /// # Errors
    /// When the ledger fails.
    pub fn record(mut self, ledger: &Ledger, now: Moment) -> Result<Reply, Halt> {
        let beside = self.case.beside(Vec::new());
        let mut written = ledger.append_with(&self.events(ledger, now), &beside, now);
        if matches!(written, Err(NotRecorded::Secret(_))) {
            self.case.docket.strip();
            written = ledger.append_with(&self.events(ledger, now), &beside, now);
        }
        self.answered(written.map(|entries| entries.last().copied()))
    }

    /// The same, without waiting until it is on record.
    ///
    /// # Errors
    /// When the ledger fails.
    pub(crate) fn hand_in(self, ledger: &Ledger, now: Moment) -> Result<Begun, Halt> {
        let beside = self.case.beside(Vec::new());
        match ledger.hand_in(&self.events(ledger, now), &beside, now) {
            // It is told in other words, and whether somebody else has taken it is seen there.
            Err(NotRecorded::Secret(_)) => self.record(ledger, now).map(Begun::Answered),
            pending => Ok(Begun::Recording(Recording::refused(self, pending?))),
        }
    }

    /// The answer, when it is known what became of its end.
    fn answered(self, written: Result<Option<u64>, NotRecorded>) -> Result<Reply, Halt> {
        match written {
            Ok(entry) => Ok(self.reply(entry)),
            Err(error) if self.case.on_record && is_taken(&error) => Ok(self.case.taken()),
            Err(error) => Err(error.into()),
        }
    }

    /// Whatever policy says, this is a no.
    pub(crate) fn is_denial(&mut self) {
        self.decision = "deny";
    }

    pub(crate) fn first_message(&self) -> String {
        self.reasons.first().map(|reason| reason.message.clone()).unwrap_or_default()
    }

    fn events(&self, ledger: &Ledger, now: Moment) -> Vec<Event> {
        let docket = &self.case.docket;
        let end = End {
            status: Some(self.status),
            error_class: self.reasons.first().map(|reason| reason.code.to_string()),
            flags: self.flags.iter().cloned().collect(),
            reasons: Some(self.reasons.clone()),
            decision: Some(self.decision),
            ..End::default()
        };
        let last = docket.end(ledger, &end, now);
        // A call that waited is taken up to be ended, so that nobody runs it meanwhile.
        match self.case.on_record {
            true => std::iter::once(docket.consumed(None)).chain(self.case.ended_by(last)).collect(),
            false => vec![docket.arrival(), docket.ruling(ledger, None), last],
        }
    }

    pub(crate) fn reply(self, entry: Option<u64>) -> Reply {
        let Self { case, reasons, decision, status, flags } = self;
        let mut all = case.docket.weighed.ruled.flags.clone();
        all.extend(flags);
        let summary = reasons.first().map(|reason| reason.message.clone()).unwrap_or_default();
        Reply {
            call: Some(case.docket.id),
            status: match status {
                Ending::Denied => Status::Denied,
                Ending::Success | Ending::Error | Ending::Timeout => Status::Error,
            },
            summary,
            artifacts: Vec::new(),
            content: Content::Nothing,
            untrusted: false,
            labels: Vec::new(),
            verdict: decision,
            reasons,
            flags: all,
            entry,
        }
    }
}

impl Journaled {
    /// Does it.
    pub fn execute(
        self,
        tools: &dyn Tools,
        allowance: &dyn Allowance,
        now: Moment,
        cancelled: &AtomicBool,
    ) -> Ran {
        let Self { permitted, ticket } = self;
        let outcome = match permitted.case.rulebook() {
            None => Err(Fault::Denied(no_effect())),
            Some(rulebook) => {
                let judge = SamePolicy {
                    rulebook,
                    tool: &permitted.tool,
                    actor: &permitted.call.actor,
                    now,
                    approved: permitted.yes.is_some(),
                };
                tools.run(&Errand {
                    tool: &permitted.tool,
                    arguments: &permitted.call.arguments,
                    actor: &permitted.call.actor,
                    effects: &permitted.effects,
                    walls: &permitted.walls,
                    expected: permitted.yes.as_ref().and_then(|yes| yes.expected.as_ref()),
                    judge: &judge,
                    now,
                    cancelled,
                })
            }
        };
        allowance.end(ticket, if outcome.is_ok() { Did::It } else { Did::Nothing });
        Ran { permitted, outcome }
    }
}

impl Ran {
    /// Takes secrets out of what came back, then caps it.
    #[must_use]
    pub fn clean(self, known: &KnownSecrets) -> Cleaned {
        let Self { permitted, outcome } = self;
        let most = permitted.walls.max_file_chars;
        let mut carries = Default::default();
        let outcome = match outcome {
            Ok(mut done) => {
                let cleaned = clean(&mut done, known, most);
                Ok((done, cleaned))
            }
            Err(fault) => {
                carries = carried(&fault, is_outside(&permitted.effects), known);
                Err(clean_fault(fault, known))
            }
        };
        Cleaned { permitted, outcome, carries }
    }
}

impl Cleaned {
    /// Puts the outcome on record, and only then answers.
    ///
    /// # Errors
    /// When the ledger fails. Nobody is told anything then.
    pub fn record(mut self, ledger: &Ledger, now: Moment) -> Result<Reply, Halt> {
        let now = now.max(self.permitted.case.docket.began);
        let (end, beside) = self.ended(ledger, now)?;
        match ledger.append_with(&self.events(ledger, &end, now), &beside, now) {
            Err(NotRecorded::Secret(_)) => self.stripped(ledger, end, &beside, now),
            written => Ok(self.reply(end, written?.last().copied())),
        }
    }

    /// The same, without waiting until it is on record.
    ///
    /// # Errors
    /// When the ledger fails. Nobody is told anything then.
    pub(crate) fn hand_in(mut self, ledger: &Ledger, now: Moment) -> Result<Begun, Halt> {
        let now = now.max(self.permitted.case.docket.began);
        let (end, beside) = self.ended(ledger, now)?;
        match ledger.hand_in(&self.events(ledger, &end, now), &beside, now) {
            Err(NotRecorded::Secret(_)) => self.stripped(ledger, end, &beside, now).map(Begun::Answered),
            pending => Ok(Begun::Recording(Recording::ran(self, end, pending?))),
        }
    }

    /// How it ended, and what goes beside the log with that.
    fn ended(&mut self, ledger: &Ledger, now: Moment) -> Result<(End, Beside), Halt> {
        let (diff, removed) = self.contents(ledger, now)?;
        let end = self.end(&diff, &removed);
        let keep = [diff, removed].into_iter().filter_map(Keepsake::with_the_event).collect();
        Ok((end, self.permitted.case.beside(keep)))
    }

    /// What is told where the end as it is repeats a secret.
    fn stripped(mut self, ledger: &Ledger, end: End, beside: &Beside, now: Moment) -> Result<Reply, Halt> {
        if !self.permitted.case.on_record {
            return self.permitted.case.cannot_be_recorded(ledger, now);
        }
        self.permitted.case.docket.strip();
        let entries = ledger.append_with(&self.events(ledger, &end, now), beside, now)?;
        Ok(self.reply(end, entries.last().copied()))
    }

    /// What goes beside the log: the difference that was made, and what is gone.
    fn contents(&mut self, ledger: &Ledger, now: Moment) -> Result<(Keepsake, Keepsake), Halt> {
        let Ok((done, _)) = &mut self.outcome else { return Ok((Keepsake::None, Keepsake::None)) };
        let copy = |content: Option<Vec<u8>>| match content {
            Some(content) => Keepsake::of(ledger, content, now),
            None => Ok(Keepsake::None),
        };
        Ok((copy(done.diff.take().map(String::into_bytes))?, copy(done.removed.take())?))
    }

    fn end(&self, diff: &Keepsake, removed: &Keepsake) -> End {
        let yes = self.permitted.yes.as_ref();
        let mut end = End {
            diff: diff.digest(),
            approval: yes.map(|yes| (yes.approval, yes.approver.clone())),
            flags: yes.map(|yes| yes.flags.iter().cloned().collect()).unwrap_or_default(),
            ..End::default()
        };
        match &self.outcome {
            Ok((done, cleaned)) => {
                end.status = Some(Ending::Success);
                end.flags.extend(cleaned.flags.iter().cloned());
                end.artifacts.clone_from(&cleaned.artifacts);
                end.lane.clone_from(&done.lane);
                end.verified = done.verified;
                if [diff, removed].into_iter().any(|copy| matches!(copy, Keepsake::Lost)) {
                    end.flags.insert(RiskFlag::CONTENT_NOT_KEPT);
                }
                if let Some(class) = done.failed {
                    end.status = Some(Ending::Error);
                    end.error_class = Some(class.to_owned());
                    end.flags.insert(RiskFlag::EXECUTION_ERROR);
                }
                if done.verified == Some(false) {
                    end.status = Some(Ending::Error);
                    end.error_class = Some("not_verified".to_owned());
                }
            }
            Err(fault) => {
                end.error_class = Some(fault.class().to_owned());
                end.reasons = Some(vec![reason_of(fault)]);
                end.flags.extend(self.carries.1.iter().cloned());
                (end.status, end.decision) = match fault {
                    Fault::Failed { .. } | Fault::Cancelled => (Some(Ending::Error), None),
                    Fault::TimedOut { .. } => (Some(Ending::Timeout), None),
                    Fault::Denied(_) | Fault::Changed { .. } => (Some(Ending::Denied), Some("deny")),
                };
                end.flags.insert(match fault {
                    Fault::Failed { .. } | Fault::Cancelled => RiskFlag::EXECUTION_ERROR,
                    Fault::TimedOut { .. } => RiskFlag::TIMEOUT,
                    Fault::Denied(_) | Fault::Changed { .. } => RiskFlag::denial(&reason_of(fault).code),
                });
                if let Fault::Denied(reason) = fault {
                    end.flags.extend(decide::flag_of(&reason.code));
                }
            }
        }
        // Once a person has agreed, the call is an allowed one.
        if yes.is_some() && end.decision.is_none() {
            end.decision = Some("allow");
        }
        end
    }

    fn events(&self, ledger: &Ledger, end: &End, now: Moment) -> Vec<Event> {
        let case = &self.permitted.case;
        let last = case.docket.end(ledger, end, now);
        if case.on_record {
            return case.ended_by(last).collect();
        }
        vec![case.docket.arrival(), case.docket.ruling(ledger, None), last]
    }

    /// The answer, once it is on record.
    fn reply(self, end: End, entry: Option<u64>) -> Reply {
        let Self { permitted, outcome, carries } = self;
        let mut flags = permitted.case.docket.weighed.ruled.flags.clone();
        flags.extend(end.flags);
        let verdict = end.decision.unwrap_or("allow");
        let mut reply = Reply {
            call: Some(permitted.case.docket.id),
            status: match end.status {
                Some(Ending::Success) => Status::Success,
                Some(Ending::Denied) => Status::Denied,
                Some(Ending::Error | Ending::Timeout) | None => Status::Error,
            },
            summary: String::new(),
            artifacts: end.artifacts,
            content: Content::Nothing,
            untrusted: false,
            labels: Vec::new(),
            verdict,
            reasons: Vec::new(),
            flags,
            entry,
        };
        match outcome {
            Ok((done, cleaned)) => {
                if let Some(code) = done.failed.and_then(ReasonCode::parse) {
                    let message = cleaned.summary.clone();
                    reply.reasons.push(Reason { code, message, rule: None, remedy: None });
                }
                reply.summary = cleaned.summary;
                reply.content = cleaned.content;
                reply.untrusted = done.untrusted;
                reply.labels = cleaned.labels;
            }
            Err(fault) => {
                let reason = reason_of(&fault);
                reply.untrusted = is_outside(&permitted.effects);
                reply.labels = carries.0;
                reply.summary.clone_from(&reason.message);
                reply.reasons.push(reason);
            }
        }
        reply
    }
}

/// The file that an effect is about.
const fn file_of(effect: &Effect) -> Option<&Located> {
    match effect {
        Effect::Read { path, .. } | Effect::Write { path, .. } | Effect::Delete { path } => Some(path),
        Effect::Run(_)
        | Effect::Network(_)
        | Effect::Secret { .. }
        | Effect::Query(_)
        | Effect::Memory(_)
        | Effect::Repository(_)
        | Effect::Status
        | Effect::Nothing
        | Effect::Unknown { .. } => None,
    }
}

/// Whether what is said about a failure may be the words of a program, a server or a database.
fn is_outside(effects: &Effects) -> bool {
    effects.iter().any(|effect| match effect {
        Effect::Run(_)
        | Effect::Network(_)
        | Effect::Query(_)
        | Effect::Repository(_)
        | Effect::Unknown { .. } => true,
        Effect::Read { .. }
        | Effect::Write { .. }
        | Effect::Delete { .. }
        | Effect::Secret { .. }
        | Effect::Memory(_)
        | Effect::Status
        | Effect::Nothing => false,
    })
}

/// Whether a call is somebody else's by now, or over.
const fn is_taken(error: &NotRecorded) -> bool {
    matches!(error, NotRecorded::Misstep(Misstep::Taken(_) | Misstep::NotOpen(_)))
}

/// What the sentences about a failure carry.
fn carried(fault: &Fault, is_outside: bool, known: &KnownSecrets) -> (Vec<String>, BTreeSet<RiskFlag>) {
    let reason = reason_of(fault);
    marks([Some(reason.message), reason.remedy].iter().flatten().map(String::as_str), is_outside, known)
}

fn clean_fault(fault: Fault, known: &KnownSecrets) -> Fault {
    match fault {
        Fault::Failed { class, message, remedy } => Fault::Failed {
            class,
            message: clean_text(&message, known),
            remedy: remedy.map(|remedy| clean_text(&remedy, known)),
        },
        Fault::TimedOut { message } => Fault::TimedOut { message: clean_text(&message, known) },
        Fault::Cancelled => Fault::Cancelled,
        Fault::Denied(mut reason) => {
            reason.message = clean_text(&reason.message, known);
            Fault::Denied(reason)
        }
        Fault::Changed { path } => Fault::Changed { path: clean_text(&path, known) },
    }
}

/// A fault, as whoever asked is told it.
fn reason_of(fault: &Fault) -> Reason {
    let message = fault.to_string();
    let code = |class: &str| ReasonCode::parse(class).unwrap_or(ReasonCode::UNKNOWN_EFFECT);
    match fault {
        Fault::Failed { class, remedy, .. } => {
            Reason { code: code(class), message, rule: None, remedy: remedy.clone() }
        }
        Fault::TimedOut { .. } | Fault::Cancelled => {
            Reason { code: code(fault.class()), message, rule: None, remedy: None }
        }
        Fault::Denied(reason) => reason.clone(),
        Fault::Changed { .. } => Reason {
            code: ReasonCode::TARGET_CHANGED,
            message,
            rule: None,
            remedy: Some("ask again, so that what is there now is what is looked at".to_owned()),
        },
    }
}

fn no_effect() -> Reason {
    Reason {
        code: ReasonCode::UNKNOWN_EFFECT,
        message: "it cannot be said what this call would do".to_owned(),
        rule: None,
        remedy: None,
    }
}

/// What a call will use up of what its session may.
fn spending(effects: &Effects) -> Spending {
    let written = effects.iter().filter_map(|effect| match effect {
        Effect::Write { change: Change::Content { bytes, .. } | Change::Edit { bytes, .. }, .. } => {
            Some(*bytes)
        }
        Effect::Write { change: Change::Foreign, .. } => Some(0),
        Effect::Read { .. }
        | Effect::Delete { .. }
        | Effect::Run(_)
        | Effect::Network(_)
        | Effect::Secret { .. }
        | Effect::Query(_)
        | Effect::Memory(_)
        | Effect::Repository(_)
        | Effect::Status
        | Effect::Nothing
        | Effect::Unknown { .. } => None,
    });
    let written: Vec<u64> = written.collect();
    Spending { files: written.len() as u64, bytes: written.iter().sum() }
}
