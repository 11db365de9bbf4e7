//! A request document as a call: what it would do, and what policy says about that.
//!
//! Computed the same way when a person approves and when it runs, from the document and the policy alone, so
//! that the binding of the approval compares equal exactly when neither has changed.

use std::collections::BTreeSet;

use approve::{Binding, Risk, Subject};
use call::{
    Actor, CallContext, Confinement, Effect, Effects, Expected, Host, HostPattern, Lane, Moment, Program,
    Reason, RiskFlag, Ruled, Ruling, Run, RunLimits, Sha256, SkillChain, ToolName, WebAddress, WebHost,
    WebRequest, WebScheme,
};
use decide::{Deciding, Policy, decide};
use document::{Request, RiskLevel, Task};

use super::TOOL;

/// What running a document means. Another meaning would be another tool, and need another approval.
const DEFINITION: &[u8] = b"run_request: runs a Tool Request document in its lane, version 1";

/// A request with the ruling about it.
pub(crate) struct Weighed {
    pub(crate) request: Request,
    /// The canonical digest of the document.
    pub(crate) document: Sha256,
    pub(crate) tool: ToolName,
    pub(crate) actor: Actor,
    pub(crate) effects: Effects,
    pub(crate) ruled: Ruled,
    pub(crate) binding: Binding,
    pub(crate) risk: Risk,
}

/// A name that is one: each is a constant.
struct NoName;

impl Weighed {
    /// Weighs a request; nothing when a name of the gate's own is none, which a test rules out.
    pub(crate) fn new(request: Request, document: Sha256, policy: &Policy, now: Moment) -> Option<Self> {
        let (tool, actor) = names(&request).ok()?;
        let effects = effects(&request);
        let deciding = Deciding { tool: &tool, actor: &actor, effects: &effects, objections: &[], now };
        let ruled = decide(policy, &deciding);
        let subject = Subject::Request { id: request.id.clone(), document };
        let binding = Binding::new(
            subject,
            tool.clone(),
            &effects,
            policy.digest(),
            Sha256::of(DEFINITION),
            &Expected::default(),
        );
        let risk = risk(&request);
        Some(Self { request, document, tool, actor, effects, ruled, binding, risk })
    }

    /// The walls within which it may run once it is approved, or why it may not.
    pub(crate) fn walls(&self) -> Result<&Confinement, &[Reason]> {
        match &self.ruled.ruling {
            Ruling::Allow(walls) => Ok(walls),
            Ruling::Ask(question) => Ok(&question.walls),
            Ruling::Deny(refusal) => Err(&refusal.reasons),
        }
    }

    pub(crate) const fn flags(&self) -> &BTreeSet<RiskFlag> {
        &self.ruled.flags
    }
}

fn names(request: &Request) -> Result<(ToolName, Actor), NoName> {
    let tool = TOOL.parse().map_err(|_| NoName)?;
    let agent = request.requested_by.as_str().parse().map_err(|_| NoName)?;
    let session = "requests".parse().map_err(|_| NoName)?;
    let (skills, context) = (SkillChain::default(), CallContext::Operator);
    Ok((tool, Actor { agent, session, skills, context }))
}

/// What a request would do. Its inputs are part of the document, by their digests.
fn effects(request: &Request) -> Effects {
    let mut effects: Vec<Effect> = request.network_allowlist.iter().map(connection).map(connect).collect();
    let language = request.language.as_str().to_owned();
    let (program, lane) = match &request.task {
        Task::Code { code, .. } => {
            (Program::Code { language, sha256: Sha256::of(code.as_bytes()) }, Some(Lane::Monty))
        }
        Task::Command { argv, .. } => (Program::Argv { language, argv: argv.clone() }, None),
    };
    let stdin = match &request.task {
        Task::Code { inputs_json: Some(json), .. } => Some(Sha256::of(json.as_bytes())),
        Task::Code { inputs_json: None, .. } | Task::Command { .. } => None,
    };
    effects.push(Effect::Run(Run {
        program,
        lane,
        network: !request.network_allowlist.is_empty(),
        stdin,
        inputs: request.inputs.len(),
        environment: Vec::new(),
        limits: RunLimits {
            time_limit_sec: Some(request.limits.seconds),
            memory_limit_mb: Some(request.limits.memory_mb),
            // Whole cores, since that is what policy counts; the lane is given the exact number.
            cpu_limit: Some(whole(request.limits.cpus)),
        },
    }));
    Effects::new(effects)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a checked request asks for more than 0 and at most 64 cores"
)]
fn whole(cpus: f64) -> u32 {
    cpus.ceil() as u32
}

/// The address that an entry of the allow-list means; one without a port means that of HTTPS, and that of
/// plain HTTP where policy allows it too. The name of a wildcard stays one: policy must cover all of it.
fn connection(pattern: &HostPattern) -> WebAddress {
    let host = match &pattern.host {
        Host::Name(name) => WebHost::Name(name.as_str().into()),
        Host::Subdomains(name) => WebHost::Name(format!("*.{name}").into()),
        Host::Address(address) => WebHost::Ip(*address),
    };
    address(host, pattern.port.unwrap_or(WebScheme::Https.default_port()))
}

pub(crate) fn address(host: WebHost, port: u16) -> WebAddress {
    let plain = port == WebScheme::Http.default_port();
    let scheme = if plain { WebScheme::Http } else { WebScheme::Https };
    WebAddress { scheme, host, port, path: "/".to_owned() }
}

pub(crate) fn connect(url: WebAddress) -> Effect {
    Effect::Network(WebRequest { method: "CONNECT".to_owned(), url, headers: Vec::new(), body: None })
}

/// Whether policy lets this request connect there, nobody being asked about it.
pub(crate) fn may_connect(
    policy: &Policy,
    tool: &ToolName,
    actor: &Actor,
    url: WebAddress,
    now: Moment,
) -> bool {
    let effects = Effects::new(vec![connect(url)]);
    let ruled = decide(policy, &Deciding { tool, actor, effects: &effects, objections: &[], now });
    matches!(ruled.ruling, Ruling::Allow(_))
}

/// What its author says, and never less than what it does.
fn risk(request: &Request) -> Risk {
    let said = match request.risk.level {
        RiskLevel::Low => Risk::Low,
        RiskLevel::Medium => Risk::Medium,
        RiskLevel::High => Risk::High,
    };
    let does = match (&request.task, request.network_allowlist.is_empty()) {
        (_, false) => Risk::High,
        (Task::Command { .. }, true) => Risk::Medium,
        (Task::Code { .. }, true) => Risk::Low,
    };
    said.max(does)
}
