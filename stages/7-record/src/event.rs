//! What the ledger is told, and how it is written down.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use call::{Actor, CallId, Effects, Lane, Moment, Objection, Reason, RiskFlag, Sha256, ToolName};
use serde::Serialize;
use serde_json::Value;

use crate::store::{Draft, LARGEST_ENTRY, RunId, Step};

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
    Asked(Box<Asked>),
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
    pub asked: Asked,
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

    /// Whether it holds nothing but names that the gate gave, digests that it took and words of its own: no
    /// text that anybody else chose, and so no secret.
    pub(crate) fn is_of_names_alone(&self) -> bool {
        match self {
            Self::Consumed { call: _, approval: _ } => true,
            Self::Intent(intent) => {
                let Intent { call: _, effects: _, lane: _, approval: _ } = &**intent;
                true
            }
            Self::GateStarted { .. }
            | Self::GateRecovered { .. }
            | Self::PolicyApplied(_)
            | Self::PolicyLoaded { .. }
            | Self::Asked(_)
            | Self::Ruled(_)
            | Self::Approved { .. }
            | Self::RequestApproved { .. }
            | Self::Granted(_)
            | Self::GrantRevoked { .. }
            | Self::Declined(_)
            | Self::Refused(_)
            | Self::Outcome(_)
            | Self::CheckpointWitnessed { .. }
            | Self::BlobRemoved { .. } => false,
        }
    }

    /// The name under which all of its kind are found again without reading everything else.
    fn mark(&self) -> Option<&'static str> {
        MARKED.into_iter().find(|name| *name == self.name())
    }

    /// The event as the ledger keeps it. What is too large for an entry is moved into a content that is
    /// kept beside the log, which the entry names by its digest under `moved`.
    #[must_use]
    pub fn draft(&self, at: Moment, run: &RunId) -> (Draft, Option<Vec<u8>>) {
        let mut fields = self.fields();
        let own = [
            ("at", at.microseconds_text().into()),
            ("event", self.name().into()),
            ("run", run.to_string().into()),
        ];
        for (name, value) in own {
            insert(&mut fields, name, value);
        }
        fields.retain(|(_, value)| !value.is_null());
        let (mut leaf, mut moved) = (canonical(&fields), None);
        if leaf.len() > LARGEST_ENTRY {
            let content = canonical(&take_large(&mut fields));
            insert(&mut fields, "moved", data(&Sha256::of(&content)));
            (leaf, moved) = (canonical(&fields), Some(content));
        }
        (Draft::new(leaf, self.step(), self.mark()), moved)
    }

    /// What there is to say beside when and in which run, each thing once. Mostly in the order of the names, in
    /// which they are written: nothing has to be moved then.
    fn fields(&self) -> Fields {
        match self {
            Self::GateStarted { version, policy } => {
                named([("version", version.clone().into()), ("policy", data(policy))])
            }
            Self::GateRecovered { interrupted } => named([("interrupted", data(interrupted))]),
            Self::PolicyApplied(applied) => members(data(applied)),
            Self::PolicyLoaded { policy, files } => named([("policy", data(policy)), ("files", data(files))]),
            Self::Asked(asked) => asked.fields(),
            Self::Ruled(ruling) => ruling.fields(),
            Self::Approved { call, signed } => {
                let mut fields = members(data(signed));
                fields.push(("call".into(), data(call)));
                fields
            }
            Self::RequestApproved { request, document, signed } => {
                let mut fields = members(data(signed));
                fields.extend(named([("request", request.clone().into()), ("document", data(document))]));
                fields
            }
            Self::Granted(signed) => members(data(signed)),
            Self::GrantRevoked { grant, by, why } => {
                named([("grant", data(grant)), ("by", by.clone().into()), ("why", data(why))])
            }
            Self::Declined(declined) => members(data(declined)),
            Self::Consumed { call, approval } => named([("call", data(call)), ("approval", data(approval))]),
            Self::Intent(intent) => members(data(intent)),
            Self::Refused(ended) | Self::Outcome(ended) => ended.fields(),
            Self::CheckpointWitnessed { witness, size, root } => named([
                ("witness", witness.clone().into()),
                ("size", (*size).into()),
                ("root", root.clone().into()),
            ]),
            Self::BlobRemoved { blob, why } => named([("blob", data(blob)), ("why", why.clone().into())]),
        }
    }
}

/// Names and values, each name once.
pub(crate) type Fields = Vec<(Cow<'static, str>, Value)>;

fn named<const COUNT: usize>(fields: [(&'static str, Value); COUNT]) -> Fields {
    // A few more come to all of them.
    let mut all = Vec::with_capacity(COUNT + 3);
    all.extend(fields.map(|(name, value)| (Cow::Borrowed(name), value)));
    all
}

/// Puts a field where it belongs among those that are in order.
fn insert(fields: &mut Fields, name: &'static str, value: Value) {
    let place = fields.partition_point(|(other, _)| other.as_ref() < name);
    fields.insert(place, (name.into(), value));
}

fn members(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name.into(), value)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Vec::new(),
    }
}

impl Asked {
    fn fields(&self) -> Fields {
        let actor = self.actor.as_ref();
        named([
            ("agent", data(&actor.map(|actor| &actor.agent))),
            ("args_hash", data(&self.arguments)),
            ("call", data(&self.call)),
            ("context", data(&actor.map(|actor| actor.context))),
            ("purpose", data(&self.purpose)),
            ("session", data(&actor.map(|actor| &actor.session))),
            ("skills", data(&actor.map(|actor| &actor.skills))),
            ("tool", self.tool.clone().into()),
        ])
    }
}

impl Ruling {
    fn fields(&self) -> Fields {
        let actor = self.actor.as_ref();
        let objections: Vec<Value> = self.objections.iter().map(objection).collect();
        named([
            ("agent", data(&actor.map(|actor| &actor.agent))),
            ("call", data(&self.call)),
            ("context", data(&actor.map(|actor| actor.context))),
            ("effects", self.effects.as_ref().map(Effects::recorded).unwrap_or_default()),
            ("effects_digest", data(&self.effects.as_ref().map(Effects::digest))),
            ("held", data(&self.held)),
            ("objections", if objections.is_empty() { Value::Null } else { objections.into() }),
            ("policy", data(&self.policy)),
            ("reasons", data(&self.reasons)),
            ("risk_flags", data(&self.flags)),
            ("rules", data(&self.rules)),
            ("session", data(&actor.map(|actor| &actor.session))),
            ("skills", data(&actor.map(|actor| &actor.skills))),
            ("tool", data(&self.tool)),
            ("verdict", self.verdict.into()),
        ])
    }
}

/// What was found and where; never the text itself.
fn objection(objection: &Objection) -> Value {
    let weight = match objection.weight {
        call::Weight::Flag => "flag",
        call::Weight::Refuse => "refuse",
    };
    serde_json::json!({
        "argument": objection.argument,
        "family": family_name(objection.found.family),
        "kind": objection.found.kind,
        "weight": weight,
    })
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
    fn fields(&self) -> Fields {
        let Asked { call, actor, tool, purpose, arguments } = &self.asked;
        let actor = actor.as_ref();
        named([
            ("agent", data(&actor.map(|actor| &actor.agent))),
            ("approval", data(&self.approval.as_ref().map(|(approval, _)| approval))),
            ("approver", data(&self.approval.as_ref().map(|(_, approver)| approver))),
            ("args_hash", data(arguments)),
            ("artifacts", data(&self.artifacts)),
            ("call", data(call)),
            ("context", data(&actor.map(|actor| actor.context))),
            ("decision", data(&self.decision)),
            ("diff", data(&self.diff)),
            ("effects_digest", data(&self.effects)),
            ("elapsed_ms", self.elapsed_ms.into()),
            ("error_class", data(&self.error_class)),
            ("lane", data(&self.lane.as_ref().map(|(lane, _)| lane))),
            ("layers", data(&self.lane.as_ref().map(|(_, layers)| layers))),
            ("policy", data(&self.policy)),
            ("purpose", data(purpose)),
            ("reasons", data(&self.reasons)),
            ("result_status", data(&self.status)),
            ("risk_flags", data(&self.flags)),
            ("session", data(&actor.map(|actor| &actor.session))),
            ("skills", data(&actor.map(|actor| &actor.skills))),
            ("tool", tool.clone().into()),
            ("verified", data(&self.verified)),
        ])
    }
}

/// Takes out fields that are larger than any field of an everyday event.
fn take_large(fields: &mut Fields) -> Fields {
    const LARGE: usize = 4_096;
    fields.extract_if(.., |(_, value)| value.to_string().len() > LARGE).collect()
}

/// Nothing that is recorded is without a canonical form: there are no floats in it.
fn canonical(fields: &Fields) -> Vec<u8> {
    call::canonical::of_members(fields).unwrap_or_default()
}

fn data(value: &impl Serialize) -> Value {
    // Nothing that is recorded is a float or has keys that are no texts.
    serde_json::to_value(value).unwrap_or_default()
}
