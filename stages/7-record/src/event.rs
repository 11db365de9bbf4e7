//! What the ledger is told, and in which fields it is written down.

mod pen;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use call::{Actor, CallId, Effects, Lane, Moment, Objection, Reason, RiskFlag, Sha256, ToolName};
use serde::Serialize;
use serde_json::Value;

use crate::store::{Draft, RunId, Step};
use pen::Pen;
pub(crate) use pen::{Stamp, Told};

/// Events that somebody wants to find again. Each is marked with its name, and an audit holds the marks
/// against the entries.
pub(crate) const MARKED: [&str; 4] = ["policy_applied", "granted", "grant_revoked", "declined"];

/// Something that happened at the gate.
#[derive(Clone, Debug)]
pub enum Event {
    /// A gate began to work.
    GateStarted {
        /// Its version.
        version: String,
        /// The policy in force.
        policy: Option<Sha256>,
    },
    /// A gate found calls that one before it left open when it died, and closed them.
    GateRecovered {
        /// The calls.
        interrupted: Vec<CallId>,
    },
    /// A policy was put in force.
    PolicyApplied(Applied),
    /// A policy was read, and calls are decided by it from now on.
    PolicyLoaded {
        /// Its digest.
        policy: Sha256,
        /// The digests of its files.
        files: BTreeMap<String, Sha256>,
    },
    /// A call arrived.
    Asked(Arc<Asked>),
    /// Policy has spoken.
    Ruled(Box<Ruling>),
    /// A person agreed.
    Approved {
        /// The call.
        call: CallId,
        /// What they signed.
        signed: Box<Signed>,
    },
    /// A person agreed to a request document, which may run once from now on.
    RequestApproved {
        /// Its id.
        request: String,
        /// Its canonical digest.
        document: Sha256,
        /// What they signed.
        signed: Box<Signed>,
    },
    /// A person agreed to calls of a kind, for a while.
    Granted(Box<Signed>),
    /// What was granted holds no longer.
    GrantRevoked {
        /// The digest of what was signed.
        grant: Sha256,
        /// Who says so.
        by: String,
        /// Why.
        why: Option<String>,
    },
    /// A person does not want to be asked about this again in this session.
    Declined(Box<Declined>),
    /// A gate took up a call that had waited, and with it what people said about it; no other gate does so
    /// as well.
    Consumed {
        /// The call.
        call: CallId,
        /// The digest of what was signed, where anybody had to.
        approval: Option<Sha256>,
    },
    /// An effect is about to happen.
    Intent(Box<Intent>),
    /// The call is over, and it was never run.
    Refused(Box<Ended>),
    /// The call is over.
    Outcome(Box<Ended>),
    /// A checkpoint was given to somebody who keeps it.
    CheckpointWitnessed {
        /// Who.
        witness: String,
        /// How many entries it covers.
        size: u64,
        /// Their root, as hexadecimal digits.
        root: String,
    },
    /// Content that was kept beside the log is gone; its digest stays.
    BlobRemoved {
        /// The digest.
        blob: Sha256,
        /// Why.
        why: String,
    },
}

/// A policy that was put in force.
#[derive(Clone, Debug, Serialize)]
pub struct Applied {
    /// Its digest.
    pub policy: Sha256,
    /// The digest of the one before it.
    pub before: Option<Sha256>,
    /// What it adds, in one word; nothing when it adds nothing.
    pub risk: Option<String>,
    /// The digest of the review of what it adds.
    pub review: Option<Sha256>,
    /// Who put it in force.
    pub by: Option<String>,
}

/// What a person signed.
#[derive(Clone, Debug, Serialize)]
pub struct Signed {
    /// Who, as the list of approvers names them.
    pub approver: String,
    /// The digest of what was signed.
    pub approval: Sha256,
    /// What was signed, as data.
    pub record: Value,
    /// The signature, in OpenSSH's armour; nothing where a home lets people agree without one.
    pub signature: Option<String>,
}

/// What a person does not want to be asked about again.
#[derive(Clone, Debug, Serialize)]
pub struct Declined {
    /// The session.
    pub session: String,
    /// The digest of what it would have done.
    pub effects: Sha256,
    /// Who said no.
    pub by: String,
    /// Why.
    pub why: Option<String>,
    /// For how long.
    pub until: String,
}

/// A call that arrived.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The call.
    pub call: CallId,
    /// Who asks; nothing when that could not be read.
    pub actor: Option<Actor>,
    /// The tool, as it was named.
    pub tool: String,
    /// Why, in the agent's words.
    pub purpose: Option<String>,
    /// The hash of the arguments; nothing when they could not be read.
    pub arguments: Option<String>,
}

/// What policy said about a call, with all that is needed to ask another policy the same.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The call.
    pub call: CallId,
    /// Who asks.
    pub actor: Option<Actor>,
    /// The tool, by its proper name.
    pub tool: Option<ToolName>,
    /// What it would do; nothing when it is no call.
    pub effects: Option<Effects>,
    /// What its texts carry.
    pub objections: Vec<Objection>,
    /// The verdict in one word.
    pub verdict: &'static str,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The rules that decided.
    pub rules: Vec<String>,
    /// What to look at twice.
    pub flags: BTreeSet<RiskFlag>,
    /// The policy.
    pub policy: Sha256,
    /// The digest of the call as it is kept beside the log while it waits for a person.
    pub held: Option<Sha256>,
}

/// An effect that is about to happen.
#[derive(Clone, Debug, Serialize)]
pub struct Intent {
    /// The call.
    pub call: CallId,
    /// The digest of what it will do.
    pub effects: Sha256,
    /// Where code runs.
    pub lane: Option<Lane>,
    /// The approval it rests on.
    pub approval: Option<Sha256>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It did what it should.
    Success,
    /// It did not.
    Error,
    /// It was not run.
    Denied,
    /// It took too long.
    Timeout,
}

impl Status {
    /// All of them with their spellings.
    pub const ALL: [(&'static str, Self); 4] = [
        ("success", Self::Success),
        ("error", Self::Error),
        ("denied", Self::Denied),
        ("timeout", Self::Timeout),
    ];
}

/// The end of a call: everything that a reader of one line wants to know.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How it was asked for.
    pub asked: Arc<Asked>,
    /// How it ended.
    pub status: Status,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
    /// What went wrong, in one word.
    pub error_class: Option<String>,
    /// What to look at twice.
    pub flags: BTreeSet<RiskFlag>,
    /// Files and resources that it touched.
    pub artifacts: Vec<String>,
    /// The verdict of policy.
    pub decision: Option<String>,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The policy.
    pub policy: Option<Sha256>,
    /// The digest of what was signed, and who signed it.
    pub approval: Option<(Sha256, String)>,
    /// The digest of what it did.
    pub effects: Option<Sha256>,
    /// The digest of the difference that it made.
    pub diff: Option<Sha256>,
    /// Where its code ran, and behind which walls.
    pub lane: Option<(Lane, Vec<String>)>,
    /// Whether what it wrote was read again and found to be as it should.
    pub verified: Option<bool>,
}

impl Event {
    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::GateStarted { .. } => "gate_started",
            Self::GateRecovered { .. } => "gate_recovered",
            Self::PolicyApplied(_) => "policy_applied",
            Self::PolicyLoaded { .. } => "policy_loaded",
            Self::Asked(_) => "asked",
            Self::Ruled(_) => "ruled",
            Self::Approved { .. } => "approved",
            Self::RequestApproved { .. } => "request_approved",
            Self::Granted(_) => "granted",
            Self::GrantRevoked { .. } => "grant_revoked",
            Self::Declined(_) => "declined",
            Self::Consumed { .. } => "consumed",
            Self::Intent(_) => "intent",
            Self::Refused(_) => "refused",
            Self::Outcome(_) => "outcome",
            Self::CheckpointWitnessed { .. } => "checkpoint_witnessed",
            Self::BlobRemoved { .. } => "blob_removed",
        }
    }

    /// What it does to the call that it is about.
    fn step(&self) -> Step {
        match self {
            Self::Asked(asked) => Step::Opens(asked.call),
            Self::Ruled(ruling) if ruling.verdict == "needs_approval" => Step::Waits(ruling.call),
            Self::Ruled(ruling) => Step::Continues(ruling.call),
            // Whoever agreed is not the gate that runs it; until that begins, the call waits. Once it runs,
            // nobody's yes makes it wait again.
            Self::Approved { call, .. } => Step::Answers(*call),
            Self::Consumed { call, .. } => Step::Takes(*call),
            Self::Intent(intent) => Step::Continues(intent.call),
            Self::Refused(ended) | Self::Outcome(ended) => Step::Ends(ended.asked.call),
            Self::GateStarted { .. }
            | Self::GateRecovered { .. }
            | Self::PolicyApplied(_)
            | Self::PolicyLoaded { .. }
            | Self::RequestApproved { .. }
            | Self::Granted(_)
            | Self::GrantRevoked { .. }
            | Self::Declined(_)
            | Self::CheckpointWitnessed { .. }
            | Self::BlobRemoved { .. } => Step::Apart,
        }
    }

    /// The name under which all of its kind are found again without reading everything else.
    fn mark(&self) -> Option<&'static str> {
        MARKED.into_iter().find(|name| *name == self.name())
    }

    /// The event as the ledger keeps it, and what was too large for it. That is a content to be kept beside the
    /// log, which the entry names by its digest under `moved`.
    #[must_use]
    pub fn draft(&self, at: Moment, run: &RunId) -> (Draft, Option<Vec<u8>>) {
        let Written { draft, moved, .. } = self.written(&Stamp::new(at, run));
        (draft, moved)
    }

    /// The same, with those of its fields that others chose the words of.
    pub(crate) fn written(&self, stamp: &Stamp) -> Written {
        let mut pen = Pen::new(self.name(), stamp);
        self.fields(&mut pen);
        let (leaf, moved, told) = pen.finish();
        Written { draft: Draft::new(leaf, self.step(), self.mark()), moved, told }
    }

    /// What there is to say beside when and in which run, each thing once, in the order of the names: in that they
    /// are written.
    fn fields(&self, pen: &mut Pen<'_>) {
        match self {
            Self::GateStarted { version, policy } => pen.own("policy", policy).told("version", version),
            Self::GateRecovered { interrupted } => pen.told("interrupted", interrupted),
            Self::PolicyApplied(Applied { policy, before, risk, review, by }) => pen
                .told("before", before)
                .told("by", by)
                .told("policy", policy)
                .told("review", review)
                .told("risk", risk),
            Self::PolicyLoaded { policy, files } => pen.told("files", files).own("policy", policy),
            Self::Asked(asked) => asked.fields(pen),
            Self::Ruled(ruling) => ruling.fields(pen),
            Self::Approved { call, signed } => {
                let Signed { approver, approval, record, signature } = &**signed;
                pen.told("approval", approval)
                    .told("approver", approver)
                    .own("call", call)
                    .told("record", record)
                    .told("signature", signature)
            }
            Self::RequestApproved { request, document, signed } => {
                let Signed { approver, approval, record, signature } = &**signed;
                pen.told("approval", approval)
                    .told("approver", approver)
                    .own("document", document)
                    .told("record", record)
                    .told("request", request)
                    .told("signature", signature)
            }
            Self::Granted(signed) => {
                let Signed { approver, approval, record, signature } = &**signed;
                pen.told("approval", approval)
                    .told("approver", approver)
                    .told("record", record)
                    .told("signature", signature)
            }
            Self::GrantRevoked { grant, by, why } => pen.told("by", by).own("grant", grant).told("why", why),
            Self::Declined(declined) => {
                let Declined { session, effects, by, why, until } = &**declined;
                pen.told("by", by)
                    .told("effects", effects)
                    .told("session", session)
                    .told("until", until)
                    .told("why", why)
            }
            Self::Consumed { call, approval } => pen.own("approval", approval).own("call", call),
            Self::Intent(intent) => {
                let Intent { call, effects, lane, approval } = &**intent;
                pen.own("approval", approval).own("call", call).own("effects", effects).own("lane", lane)
            }
            Self::Refused(ended) | Self::Outcome(ended) => ended.fields(pen),
            Self::CheckpointWitnessed { witness, size, root } => {
                pen.told("root", root).own("size", size).told("witness", witness)
            }
            Self::BlobRemoved { blob, why } => pen.own("blob", blob).told("why", why),
        };
    }
}

/// An event as it is written down.
pub(crate) struct Written {
    pub(crate) draft: Draft,
    /// What was too large for the entry.
    pub(crate) moved: Option<Vec<u8>>,
    pub(crate) told: Told,
}

impl Asked {
    fn fields<'p, 's>(&self, pen: &'p mut Pen<'s>) -> &'p mut Pen<'s> {
        let actor = self.actor.as_ref();
        pen.told("agent", &actor.map(|actor| &actor.agent))
            .hash("args_hash", self.arguments.as_deref())
            .own("call", &self.call)
            .own("context", &actor.map(|actor| actor.context))
            .told("purpose", &self.purpose)
            .told("session", &actor.map(|actor| &actor.session))
            .told("skills", &actor.map(|actor| &actor.skills))
            .told("tool", &self.tool)
    }
}

impl Ruling {
    fn fields<'p, 's>(&self, pen: &'p mut Pen<'s>) -> &'p mut Pen<'s> {
        let actor = self.actor.as_ref();
        let objections = (!self.objections.is_empty())
            .then(|| self.objections.iter().map(Found::of).collect::<Vec<Found<'_>>>());
        pen.told("agent", &actor.map(|actor| &actor.agent))
            .own("call", &self.call)
            .own("context", &actor.map(|actor| actor.context))
            .told("effects", &self.effects.as_ref().map(Effects::as_recorded))
            .own("effects_digest", &self.effects.as_ref().map(Effects::digest))
            .own("held", &self.held)
            .told("objections", &objections)
            .own("policy", &self.policy)
            .told("reasons", &self.reasons)
            .told("risk_flags", &self.flags)
            .told("rules", &self.rules)
            .told("session", &actor.map(|actor| &actor.session))
            .told("skills", &actor.map(|actor| &actor.skills))
            .told("tool", &self.tool)
            .own("verdict", &self.verdict)
    }
}

/// What was found and where; never the text itself.
#[derive(Serialize)]
struct Found<'f> {
    argument: &'f str,
    family: &'static str,
    kind: &'static str,
    weight: &'static str,
}

impl<'f> Found<'f> {
    fn of(objection: &'f Objection) -> Self {
        let weight = match objection.weight {
            call::Weight::Flag => "flag",
            call::Weight::Refuse => "refuse",
        };
        let (family, kind) = (family_name(objection.found.family), objection.found.kind);
        Self { argument: &objection.argument, family, kind, weight }
    }
}

pub(crate) const fn family_name(family: call::Family) -> &'static str {
    match family {
        call::Family::Secret => "secret",
        call::Family::Override => "override",
        call::Family::Payload => "payload",
        call::Family::Injection => "injection",
        call::Family::Traversal => "traversal",
        call::Family::Exfiltration => "exfiltration",
    }
}

impl Ended {
    fn fields<'p, 's>(&self, pen: &'p mut Pen<'s>) -> &'p mut Pen<'s> {
        let Asked { call, actor, tool, purpose, arguments } = &*self.asked;
        let actor = actor.as_ref();
        pen.told("agent", &actor.map(|actor| &actor.agent))
            .own("approval", &self.approval.as_ref().map(|(approval, _)| *approval))
            .told("approver", &self.approval.as_ref().map(|(_, approver)| approver))
            .hash("args_hash", arguments.as_deref())
            .told("artifacts", &self.artifacts)
            .own("call", call)
            .own("context", &actor.map(|actor| actor.context))
            .told("decision", &self.decision)
            .own("diff", &self.diff)
            .own("effects_digest", &self.effects)
            .own("elapsed_ms", &self.elapsed_ms)
            .told("error_class", &self.error_class)
            .own("lane", &self.lane.as_ref().map(|(lane, _)| *lane))
            .told("layers", &self.lane.as_ref().map(|(_, layers)| layers))
            .own("policy", &self.policy)
            .told("purpose", purpose)
            .told("reasons", &self.reasons)
            .own("result_status", &self.status)
            .told("risk_flags", &self.flags)
            .told("session", &actor.map(|actor| &actor.session))
            .told("skills", &actor.map(|actor| &actor.skills))
            .told("tool", tool)
            .own("verified", &self.verified)
    }
}
