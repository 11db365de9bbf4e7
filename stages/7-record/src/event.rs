//! What the ledger is told, and how it is written down.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use call::{
    Actor, CallContext, CallId, Effects, Lane, Moment, Objection, Reason, RiskFlag, Sha256, ToolName,
};
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

    /// The name under which all of its kind are found again without reading everything else.
    fn mark(&self) -> Option<&'static str> {
        MARKED.into_iter().find(|name| *name == self.name())
    }

    /// The event as the ledger keeps it, and what was too large for it. That is a content to be kept beside the
    /// log, which the entry names by its digest under `moved`.
    #[must_use]
    pub fn draft(&self, at: Moment, run: &RunId) -> (Draft, Option<Vec<u8>>) {
        let Written { draft, moved, .. } = self.written(at, run);
        (draft, moved)
    }

    /// The same, with those of its fields that others chose the words of.
    pub(crate) fn written(&self, at: Moment, run: &RunId) -> Written {
        let mut fields = self.fields();
        let at = Said { value: at.microseconds_text().into(), by: By::Gate };
        for (name, said) in [("at", at), ("event", own(&self.name())), ("run", own(&run.0))] {
            insert(&mut fields, name, said);
        }
        fields.retain(|field| !field.value.is_null());
        let (mut leaf, mut moved) = (canonical(&fields), None);
        if leaf.len() > LARGEST_ENTRY {
            let content = canonical(&take_large(&mut fields));
            insert(&mut fields, "moved", own(&Sha256::of(&content)));
            (leaf, moved) = (canonical(&fields), Some(content));
        }
        fields.retain(|field| field.by == By::Others);
        let told = Told { event: self.name(), fields };
        Written { draft: Draft::new(leaf, self.step(), self.mark()), moved, told }
    }

    /// What there is to say beside when and in which run, each thing once. Mostly in the order of the names, in
    /// which they are written: nothing has to be moved then.
    fn fields(&self) -> Fields {
        match self {
            Self::GateStarted { version, policy } => {
                named([("version", told(version)), ("policy", own(policy))])
            }
            Self::GateRecovered { interrupted } => named([("interrupted", told(interrupted))]),
            Self::PolicyApplied(applied) => members(data(applied)),
            Self::PolicyLoaded { policy, files } => named([("policy", own(policy)), ("files", told(files))]),
            Self::Asked(asked) => asked.fields(),
            Self::Ruled(ruling) => ruling.fields(),
            Self::Approved { call, signed } => {
                let mut fields = members(data(signed));
                fields.extend(named([("call", own(call))]));
                fields
            }
            Self::RequestApproved { request, document, signed } => {
                let mut fields = members(data(signed));
                fields.extend(named([("request", told(request)), ("document", own(document))]));
                fields
            }
            Self::Granted(signed) => members(data(signed)),
            Self::GrantRevoked { grant, by, why } => {
                named([("grant", own(grant)), ("by", told(by)), ("why", told(why))])
            }
            Self::Declined(declined) => members(data(declined)),
            Self::Consumed { call, approval } => named([("call", own(call)), ("approval", own(approval))]),
            Self::Intent(intent) => intent.fields(),
            Self::Refused(ended) | Self::Outcome(ended) => ended.fields(),
            Self::CheckpointWitnessed { witness, size, root } => {
                named([("witness", told(witness)), ("size", own(size)), ("root", told(root))])
            }
            Self::BlobRemoved { blob, why } => named([("blob", own(blob)), ("why", told(why))]),
        }
    }
}

/// An event as it is written down.
pub(crate) struct Written {
    pub(crate) draft: Draft,
    /// What was too large for the entry.
    pub(crate) moved: Option<Vec<u8>>,
    pub(crate) told: Told,
}

/// What an event repeats of what others said: all of it that may hold a secret.
pub(crate) struct Told {
    pub(crate) event: &'static str,
    fields: Vec<Field>,
}

impl Told {
    /// All of it, as the entry has it; nothing when it repeats nothing.
    pub(crate) fn text(&self) -> Option<Vec<u8>> {
        (!self.fields.is_empty()).then(|| canonical(&self.fields))
    }

    /// What several events repeat, one behind the other, and what they say in the same words but once.
    pub(crate) fn text_of_all(all: &[Self]) -> Vec<u8> {
        let mut text = Vec::new();
        for (place, one) in all.iter().enumerate() {
            let before = || all.iter().take(place).flat_map(|before| &before.fields);
            let is_new = |field: &&Field| {
                before().all(|before| (&before.name, &before.value) != (&field.name, &field.value))
            };
            let new: Vec<&Field> = one.fields.iter().filter(is_new).collect();
            if !new.is_empty() {
                text.extend(canonical(new));
            }
        }
        text
    }
}

/// A field of an event.
#[derive(Debug)]
pub(crate) struct Field {
    name: Cow<'static, str>,
    value: Value,
    by: By,
}

/// Who chose the words of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// The gate, so that there is nobody's secret in it.
    Gate,
    /// Somebody else.
    Others,
}

/// A value, and who chose its words.
struct Said {
    value: Value,
    by: By,
}

/// What the gate makes itself: digests, names that it gives, words of lists that never change, counts. No value of
/// such a kind repeats a text that anybody chose.
trait Own: Serialize {}

impl Own for Sha256 {}
impl Own for CallId {}
impl Own for CallContext {}
impl Own for Lane {}
impl Own for Status {}
impl Own for &'static str {}
impl Own for u64 {}
impl Own for bool {}
impl<O: Own> Own for Option<O> {}

fn own(value: &impl Own) -> Said {
    Said { value: data(value), by: By::Gate }
}

fn told(value: &impl Serialize) -> Said {
    Said { value: data(value), by: By::Others }
}

/// A hash that the gate took, if it is one; who knows what it is otherwise.
fn hash(text: Option<&String>) -> Said {
    let digits = |text: &str| {
        let digits = text.strip_prefix("hmac-").unwrap_or(text).strip_prefix("sha256:")?;
        digits.parse::<Sha256>().ok()
    };
    let is_hash = text.is_some_and(|text| digits(text).is_some());
    Said { value: data(&text), by: if is_hash { By::Gate } else { By::Others } }
}

/// Each name once.
type Fields = Vec<Field>;

fn named<const COUNT: usize>(fields: [(&'static str, Said); COUNT]) -> Fields {
    // A few more come to all of them.
    let mut all = Vec::with_capacity(COUNT + 3);
    all.extend(fields.map(|(name, Said { value, by })| Field { name: Cow::Borrowed(name), value, by }));
    all
}

/// Puts a field where it belongs among those that are in order.
fn insert(fields: &mut Fields, name: &'static str, said: Said) {
    let place = fields.partition_point(|other| other.name.as_ref() < name);
    fields.insert(place, Field { name: name.into(), value: said.value, by: said.by });
}

/// The members of an object, which others may have chosen the words of.
fn members(value: Value) -> Fields {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| Field { name: name.into(), value, by: By::Others })
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Vec::new(),
    }
}

impl Intent {
    fn fields(&self) -> Fields {
        let Self { call, effects, lane, approval } = self;
        named([
            ("approval", own(approval)),
            ("call", own(call)),
            ("effects", own(effects)),
            ("lane", own(lane)),
        ])
    }
}

impl Asked {
    fn fields(&self) -> Fields {
        let actor = self.actor.as_ref();
        named([
            ("agent", told(&actor.map(|actor| &actor.agent))),
            ("args_hash", hash(self.arguments.as_ref())),
            ("call", own(&self.call)),
            ("context", own(&actor.map(|actor| actor.context))),
            ("purpose", told(&self.purpose)),
            ("session", told(&actor.map(|actor| &actor.session))),
            ("skills", told(&actor.map(|actor| &actor.skills))),
            ("tool", told(&self.tool)),
        ])
    }
}

impl Ruling {
    fn fields(&self) -> Fields {
        let actor = self.actor.as_ref();
        let effects = self.effects.as_ref().map(Effects::recorded).unwrap_or_default();
        let objections = match self.objections.as_slice() {
            [] => Value::Null,
            some => some.iter().map(objection).collect(),
        };
        named([
            ("agent", told(&actor.map(|actor| &actor.agent))),
            ("call", own(&self.call)),
            ("context", own(&actor.map(|actor| actor.context))),
            ("effects", Said { value: effects, by: By::Others }),
            ("effects_digest", own(&self.effects.as_ref().map(Effects::digest))),
            ("held", own(&self.held)),
            ("objections", Said { value: objections, by: By::Others }),
            ("policy", own(&self.policy)),
            ("reasons", told(&self.reasons)),
            ("risk_flags", told(&self.flags)),
            ("rules", told(&self.rules)),
            ("session", told(&actor.map(|actor| &actor.session))),
            ("skills", told(&actor.map(|actor| &actor.skills))),
            ("tool", told(&self.tool)),
            ("verdict", own(&self.verdict)),
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
            ("agent", told(&actor.map(|actor| &actor.agent))),
            ("approval", own(&self.approval.as_ref().map(|(approval, _)| *approval))),
            ("approver", told(&self.approval.as_ref().map(|(_, approver)| approver))),
            ("args_hash", hash(arguments.as_ref())),
            ("artifacts", told(&self.artifacts)),
            ("call", own(call)),
            ("context", own(&actor.map(|actor| actor.context))),
            ("decision", told(&self.decision)),
            ("diff", own(&self.diff)),
            ("effects_digest", own(&self.effects)),
            ("elapsed_ms", own(&self.elapsed_ms)),
            ("error_class", told(&self.error_class)),
            ("lane", own(&self.lane.as_ref().map(|(lane, _)| *lane))),
            ("layers", told(&self.lane.as_ref().map(|(_, layers)| layers))),
            ("policy", own(&self.policy)),
            ("purpose", told(purpose)),
            ("reasons", told(&self.reasons)),
            ("result_status", own(&self.status)),
            ("risk_flags", told(&self.flags)),
            ("session", told(&actor.map(|actor| &actor.session))),
            ("skills", told(&actor.map(|actor| &actor.skills))),
            ("tool", told(tool)),
            ("verified", own(&self.verified)),
        ])
    }
}

/// Takes out fields that are larger than any field of an everyday event.
fn take_large(fields: &mut Fields) -> Fields {
    const LARGE: usize = 4_096;
    fields.extract_if(.., |field| field.value.to_string().len() > LARGE).collect()
}

/// Nothing that is recorded is without a canonical form: there are no floats in it.
fn canonical<'f>(fields: impl IntoIterator<Item = &'f Field>) -> Vec<u8> {
    let members = fields.into_iter().map(|field| (&*field.name, &field.value));
    call::canonical::of_members(members.collect()).unwrap_or_default()
}

fn data(value: &impl Serialize) -> Value {
    // Nothing that is recorded is a float or has keys that are no texts.
    serde_json::to_value(value).unwrap_or_default()
}
