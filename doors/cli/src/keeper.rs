//! The gate as the MCP door sees it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use call::{
    Actor, AgentName, CallContext, CallId, Clock as _, Effect, Effects, Reason, Ruling, SessionId,
    SkillChain, ToolName,
};
use decide::{Deciding, Home, ToolPolicy, decide};
use gate::{Gate, Incoming, Reply, Rulebook, Status};
use mcp_door::{Begun, Gatekeeper, Halt, Looked, ToolDescription};
use serde_json::{Value, json};

use crate::behind::Behind;
use crate::clock::SystemClock;
use crate::live::Live;

/// How often somebody who waits looks for an answer.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A gate that lives long, for whoever comes by the MCP door.
pub(crate) struct Keeper {
    live: Live,
    behind: Option<Arc<Behind>>,
    /// Where the wishes of whoever comes are from, where that is known beforehand.
    context: CallContext,
    /// How long a call that needs a person is held back.
    wait: Duration,
    sessions: Sessions,
}

/// Where the names of sessions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sessions {
    /// Whoever started the gate gave it.
    Given,
    /// Each connection draws one, and another when it comes back.
    Drawn,
}

impl Keeper {
    pub(crate) const fn new(
        live: Live,
        behind: Option<Arc<Behind>>,
        context: CallContext,
        wait: Duration,
        sessions: Sessions,
    ) -> Self {
        Self { live, behind, context, wait, sessions }
    }

    /// A client that comes back has lost the name of its session, and must not lose what it waits for. The
    /// call goes on as what it is, a call of the session that made it, for the same agent with the same
    /// skill and context, and for nobody else.
    fn come_back(&self, gate: &Gate, call: CallId, mut incoming: Incoming) -> Result<Incoming, Halt> {
        if self.sessions == Sessions::Drawn
            && let Some(waiting) = gate.waiting(call).map_err(halt)?
        {
            let one = waiting.incoming;
            if (&one.agent, &one.skill, one.context) == (&incoming.agent, &incoming.skill, incoming.context) {
                incoming.session = one.session;
            }
        }
        Ok(incoming)
    }

    /// Holds a call back until a person has answered, or the time is over. Each look is by the policy of that
    /// moment.
    fn held_back(
        &self,
        reply: Reply,
        call: CallId,
        incoming: &Incoming,
        cancelled: &AtomicBool,
    ) -> Result<Reply, Halt> {
        let asked = Instant::now();
        while asked.elapsed() < self.wait && !cancelled.load(Ordering::Relaxed) {
            std::thread::sleep(LOOK_EVERY);
            let generation = self.live.now();
            let Some(waiting) = generation.gate.waiting(call).map_err(halt)? else { break };
            if waiting.approved.is_empty() {
                continue;
            }
            let answer = generation.gate.resume(call, incoming, cancelled).map_err(halt)?;
            if answer.status != Status::Waiting {
                return Ok(answer);
            }
        }
        Ok(reply)
    }
}

impl Gatekeeper for Keeper {
    fn handle(&self, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        let reply = self.live.now().gate.handle(incoming, cancelled).map_err(halt)?;
        match (reply.status, reply.call) {
            (Status::Waiting, Some(call)) => self.held_back(reply, call, incoming, cancelled),
            (Status::Waiting | Status::Success | Status::Error | Status::Denied, _) => Ok(reply),
        }
    }

    fn looked(&self) -> Looked {
        Looked(self.live.looks())
    }

    fn begin(&self, incoming: &Incoming, came: Looked, cancelled: &AtomicBool) -> Result<Begun, Halt> {
        // What is brief is not held back for anybody.
        match self.live.since(came.0).gate.begin(incoming, cancelled).map_err(halt)? {
            gate::Begun::Answered(reply) => Ok(Begun::Answered(Box::new(reply))),
            gate::Begun::Recording(recording) => {
                Ok(Begun::Recording(Box::pin(async { recording.await.map_err(halt) })))
            }
        }
    }

    fn resume(&self, call: CallId, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        let generation = self.live.now();
        let incoming = self.come_back(&generation.gate, call, incoming.clone())?;
        generation.gate.resume(call, &incoming, cancelled).map_err(halt)
    }

    fn handle_at_once(&self, incoming: &Incoming, cancelled: &AtomicBool) -> Result<Reply, Halt> {
        self.live.now().gate.handle(incoming, cancelled).map_err(halt)
    }

    fn turn_away(&self, incoming: &Incoming, reason: Reason) -> Result<(), Halt> {
        self.live.now().gate.turn_away(incoming, reason).map(drop).map_err(halt)
    }

    fn is_brief(&self, tool: &str) -> bool {
        // One file, or the names in one folder. What searches, asks a database or starts a lane is not known
        // to end soon, and what changes something is worth an answer that can be asked for again.
        self.wait.is_zero() && matches!(tool, "read_file" | "list_files")
    }

    fn tools(&self, skill: Option<&str>) -> Vec<ToolDescription> {
        let generation = self.live.now();
        let Ok(rulebook) = generation.rulebook() else { return Vec::new() };
        let Some(actor) = actor(skill, self.context) else { return Vec::new() };
        let catalogue = &rulebook.catalogue;
        let own = catalogue.tools().filter(|tool| is_possible(tool, rulebook.policy.home()));
        let own = own.filter_map(|tool| {
            let schema = catalogue.schema(tool)?.clone();
            let description = schema.get("description").and_then(Value::as_str).unwrap_or(tool).to_owned();
            let classes = catalogue.classes(tool)?.to_vec();
            Some(ToolDescription { name: tool.to_owned(), description, schema, classes })
        });
        let mut all: Vec<ToolDescription> = own.collect();
        if let Some(behind) = &self.behind {
            all.extend(generation.foreign(behind));
        }
        all.retain(|tool| is_for(&tool.name, &actor, rulebook));
        all
    }

    fn policy_summary(&self) -> Value {
        let generation = self.live.now();
        let rulebook = match generation.rulebook() {
            Ok(rulebook) => rulebook,
            Err(reason) => return json!({ "in_force": false, "reason": reason }),
        };
        let home = rulebook.policy.home();
        let fields = ToolPolicy::of(home);
        json!({
            "in_force": true,
            "policy": rulebook.policy.digest().to_string(),
            "allowed_roots": fields.allowed_roots,
            "read_only": fields.read_only,
            "allow_shell": fields.allow_shell,
            "max_file_chars": fields.max_file_chars,
            "approval_required": fields.approval_required,
            "network": home.network.enabled,
            "databases": home.databases.keys().collect::<Vec<_>>(),
            "repositories": home.github.repositories,
            "skills": rulebook.policy.skills().map(|skill| skill.name.to_string()).collect::<Vec<_>>(),
        })
    }

    fn own_entries(&self, session: &str, most: usize) -> Vec<Value> {
        self.live.entries(session, most)
    }
}

/// Whether the home has anything for a tool to do. One that is listed may still be refused.
fn is_possible(tool: &str, home: &Home) -> bool {
    let changes = !home.read_only;
    match tool {
        "write_file" | "edit_file" | "delete_file" | "memory_store" => changes,
        "exec_shell" | "run_shell" => home.allow_shell,
        "network_fetch" => home.network.enabled,
        "query_db" => !home.databases.is_empty(),
        "execute_db" => changes && home.databases.values().any(|database| !database.read_only),
        "secrets_get" => !home.scopes.is_empty(),
        "github_create_pr" | "github_add_comment" => changes && !home.github.repositories.is_empty(),
        forge if forge.starts_with("github_") => !home.github.repositories.is_empty(),
        _ => true,
    }
}

/// Whether policy lets this one use the tool at all, for something that touches nothing.
fn is_for(tool: &str, actor: &Actor, rulebook: &Rulebook) -> bool {
    let Ok(tool) = tool.parse::<ToolName>() else { return false };
    let effects = Effects::new(vec![Effect::Nothing]);
    let deciding =
        Deciding { tool: &tool, actor, effects: &effects, objections: &[], now: SystemClock.now() };
    match decide(&rulebook.policy, &deciding).ruling {
        Ruling::Allow(_) | Ruling::Ask(_) => true,
        Ruling::Deny(_) => false,
    }
}

fn actor(skill: Option<&str>, context: CallContext) -> Option<Actor> {
    let skills = match skill {
        None => SkillChain::default(),
        Some(chain) => chain.parse().ok()?,
    };
    let agent: AgentName = "mcp".parse().ok()?;
    let session: SessionId = "mcp".parse().ok()?;
    Some(Actor { agent, session, skills, context })
}

fn halt(halt: gate::Halt) -> Halt {
    Halt(halt.to_string())
}
