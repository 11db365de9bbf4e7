//! From the words of a call to its ruling: classify, screen, locate, decide.
//!
//! Every way in (a call, an explanation, a test case) comes through here, so that what is explained
//! and tested is what is decided. Whatever is wrong with a call is a denial, never an error.

use std::str::FromStr as _;

use call::{
    Actor, AgentName, Arguments, Class, Effects, Moment, Objection, Purpose, Reason, ReasonCode, Refusal,
    RiskFlag, Ruled, Ruling, SessionId, Sha256, SkillChain, ToolCall, ToolName,
};
use classify::{Classified, Unclassified, classify};
use decide::{Deciding, Voice, decide, explain};
use screen::KnownSecrets;

use crate::Incoming;
use crate::clean::clean_text;
use crate::standing::{Rulebook, Standing};

/// What is known about a call once policy has spoken.
#[derive(Clone, Debug)]
pub struct Weighed {
    /// What policy says.
    pub ruled: Ruled,
    /// The call, where it is one.
    pub call: Option<ToolCall>,
    /// The tool by its proper name, where the call is one.
    pub tool: Option<ToolName>,
    /// What kind of tool it is.
    pub classes: Vec<Class>,
    /// What it would do.
    pub effects: Option<Effects>,
    /// What its texts carry.
    pub objections: Vec<Objection>,
}

impl Standing {
    /// Weighs one call.
    #[must_use]
    pub fn weigh(&self, incoming: &Incoming, known: &KnownSecrets, now: Moment) -> Weighed {
        self.weigh_again(incoming, known, now, None)
    }

    /// The same, with everybody who had a say.
    #[must_use]
    pub fn explain(&self, incoming: &Incoming, known: &KnownSecrets, now: Moment) -> (Weighed, Vec<Voice>) {
        let weighed = self.weigh(incoming, known, now);
        let voices = match (self, &weighed.call, &weighed.tool, &weighed.effects) {
            (Self::Ready(rulebook), Some(call), Some(tool), Some(effects)) => {
                let objections = &weighed.objections;
                let deciding = Deciding { tool, actor: &call.actor, effects, objections, now };
                explain(&rulebook.policy, &deciding).1
            }
            _ => Vec::new(),
        };
        (weighed, voices)
    }

    /// The same, where it may be known already what these words carry.
    pub(crate) fn weigh_again(
        &self,
        incoming: &Incoming,
        known: &KnownSecrets,
        now: Moment,
        objections: Option<Vec<Objection>>,
    ) -> Weighed {
        match self {
            Self::Ready(rulebook) => rulebook.weigh_with(incoming, known, now, objections),
            Self::Closed { reason, policy } => refused(None, reason.clone(), *policy),
        }
    }

    /// A call that nobody weighs, because a door did not take it.
    pub(crate) fn turned_away(&self, reason: Reason, known: &KnownSecrets) -> Weighed {
        let policy = match self {
            Self::Ready(rulebook) => rulebook.policy.digest(),
            Self::Closed { policy, .. } => *policy,
        };
        without_secrets(refused(None, reason, policy), known)
    }
}

impl Rulebook {
    /// Weighs one call.
    #[must_use]
    pub fn weigh(&self, incoming: &Incoming, known: &KnownSecrets, now: Moment) -> Weighed {
        self.weigh_with(incoming, known, now, None)
    }

    fn weigh_with(
        &self,
        incoming: &Incoming,
        known: &KnownSecrets,
        now: Moment,
        objections: Option<Vec<Objection>>,
    ) -> Weighed {
        let weighed = match tool_call(incoming) {
            Ok(call) => self.weigh_call(call, known, now, objections),
            Err(reason) => refused(None, reason, self.policy.digest()),
        };
        without_secrets(weighed, known)
    }

    fn weigh_call(
        &self,
        call: ToolCall,
        known: &KnownSecrets,
        now: Moment,
        objections: Option<Vec<Objection>>,
    ) -> Weighed {
        let Classified { tool, classes, effects, passages } = match classify(&call, &self.catalogue) {
            Ok(classified) => classified,
            Err(error) => return refused(Some(call), no_call(&error), self.policy.digest()),
        };
        let objections = objections.unwrap_or_else(|| screen::call(&passages, known));
        let effects = effects.with_paths(|path| self.paths.locate(&path));
        let deciding =
            Deciding { tool: &tool, actor: &call.actor, effects: &effects, objections: &objections, now };
        let ruled = decide(&self.policy, &deciding);
        Weighed { ruled, call: Some(call), tool: Some(tool), classes, effects: Some(effects), objections }
    }
}

/// A reason repeats what the call says: a name, an argument. What is a secret is not said again.
fn without_secrets(mut weighed: Weighed, known: &KnownSecrets) -> Weighed {
    for reason in weighed.ruled.ruling.reasons_mut() {
        for text in std::iter::once(&mut reason.message).chain(&mut reason.remedy) {
            if !known.find(text).is_empty() {
                *text = clean_text(text, known);
            }
        }
    }
    weighed
}

fn refused(call: Option<ToolCall>, reason: Reason, policy: Sha256) -> Weighed {
    let flags = [RiskFlag::denial(&reason.code)].into();
    let ruling = Ruling::Deny(Refusal { reasons: vec![reason] });
    let ruled = Ruled { ruling, flags, rules: Vec::new(), policy };
    Weighed { ruled, call, tool: None, classes: Vec::new(), effects: None, objections: Vec::new() }
}

/// Where a purpose belongs.
const PURPOSE: &str =
    "say why the call is made: with `--purpose` on the command line, as the argument `purpose` over MCP";

/// A call of its parts, or why it is none.
fn tool_call(incoming: &Incoming) -> Result<ToolCall, Reason> {
    let bad = |message: String, remedy: &str| Reason {
        code: ReasonCode::BAD_REQUEST,
        message,
        rule: None,
        remedy: Some(remedy.to_owned()),
    };
    let tool = ToolName::from_str(&incoming.tool).map_err(|error| Reason {
        code: ReasonCode::UNKNOWN_TOOL,
        message: format!("there is no tool of this name: {error}"),
        rule: None,
        remedy: None,
    })?;
    if let Some(byte) = incoming.not_text {
        let message =
            format!("the arguments are not UTF-8 text: byte {byte} does not belong to any character");
        return Err(bad(message, "save the file as UTF-8"));
    }
    let arguments = Arguments::from_str(&incoming.arguments)
        .map_err(|error| bad(error.to_string(), "give one JSON object with every key once"))?;
    // Behind the arguments: over MCP it is one of them, and is missing where they cannot be read.
    let purpose = Purpose::from_str(incoming.purpose.as_deref().unwrap_or_default())
        .map_err(|error| bad(error.to_string(), PURPOSE))?;
    let agent = AgentName::from_str(&incoming.agent)
        .map_err(|error| bad(error.to_string(), "name the agent plainly"))?;
    let session = SessionId::from_str(&incoming.session)
        .map_err(|error| bad(error.to_string(), "name the session plainly"))?;
    let skills = match &incoming.skill {
        None => SkillChain::default(),
        Some(chain) => SkillChain::from_str(chain)
            .map_err(|error| bad(error.to_string(), "write `skill`, or `outer/inner` for a chain"))?,
    };
    let actor = Actor { agent, session, skills, context: incoming.context };
    Ok(ToolCall { tool, purpose, arguments, actor })
}

fn no_call(error: &Unclassified) -> Reason {
    Reason { code: error.code(), message: error.to_string(), rule: None, remedy: error.hint() }
}
