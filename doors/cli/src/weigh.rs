//! One call from its words to its ruling: classify, screen, locate, decide.
//!
//! Every way in (a call, an explanation, a test case) comes through here, so that what is explained
//! and tested is what is decided.

use std::str::FromStr as _;

use call::{
    Actor, AgentName, Arguments, CallContext, Class, Effects, Moment, Objection, Purpose, Reason, ReasonCode,
    Refusal, RiskFlag, Ruled, Ruling, SessionId, SkillChain, ToolCall, ToolName,
};
use classify::{Catalogue, Mapping, Unclassified, classify, sql::Dialect};
use decide::{DatabaseLocation, Deciding, Policy, PolicyFiles, Voice, explain};
use execute::place::Locator;
use screen::KnownSecrets;

use crate::home::{Disk, Home};
use crate::secrets::known_secrets;

/// A call as somebody typed it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Typed {
    pub(crate) tool: String,
    pub(crate) purpose: Option<String>,
    pub(crate) arguments: String,
    /// The first byte of the arguments that is no text, when there is one.
    pub(crate) not_text: Option<usize>,
    pub(crate) agent: String,
    pub(crate) session: String,
    pub(crate) skill: Option<String>,
    pub(crate) context: CallContext,
}

/// What came of a call.
#[derive(Debug)]
pub(crate) struct Weighed {
    pub(crate) ruled: Ruled,
    /// The tool by its proper name, where the call is one.
    pub(crate) tool: Option<ToolName>,
    pub(crate) voices: Vec<Voice>,
    pub(crate) classes: Vec<Class>,
    pub(crate) effects: Option<Effects>,
    pub(crate) objections: Vec<Objection>,
}

/// A policy with all that is needed to weigh calls against it.
#[derive(Debug)]
pub(crate) struct Scale {
    pub(crate) policy: Policy,
    catalogue: Catalogue,
    locator: Locator,
    known: KnownSecrets,
}

/// Why calls cannot be weighed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoScale {
    #[error("the policy has errors")]
    Policy,
    #[error("`tools/{server}.toml`: {message}")]
    Mapping { server: String, message: String },
    #[error("{0}")]
    Root(String),
}

/// Tells where paths lead, below the roots of a policy.
pub(crate) fn locator(home: &Home, policy: &Policy) -> Result<Locator, NoScale> {
    let folder = home.folder().to_str().and_then(call::AbsolutePath::parse);
    let folder = folder.ok_or_else(|| NoScale::Root("the home's path is not UTF-8".to_owned()))?;
    let locator = Locator::new(home.workspace(), &policy.home().roots(), &folder);
    locator.map_err(|error| NoScale::Root(error.to_string()))
}

impl Scale {
    /// Loads a policy for this machine.
    pub(crate) fn load(home: &Home, files: &PolicyFiles) -> Result<Self, NoScale> {
        let disk = Disk::new(home.workspace());
        let policy = Policy::load(files, &disk).policy.ok_or(NoScale::Policy)?;
        let catalogue = catalogue(&policy, files)?;
        let locator = locator(home, &policy)?;
        let known = known_secrets(&policy);
        Ok(Self { policy, catalogue, locator, known })
    }

    pub(crate) const fn known_secrets(&self) -> &KnownSecrets {
        &self.known
    }

    /// Weighs one call. Whatever is wrong with it is a denial, never an error.
    pub(crate) fn weigh(&self, typed: &Typed, now: Moment) -> Weighed {
        match tool_call(typed) {
            Ok(call) => self.weigh_call(&call, now),
            Err(reason) => self.refused(reason),
        }
    }

    fn weigh_call(&self, call: &ToolCall, now: Moment) -> Weighed {
        let classified = match classify(call, &self.catalogue) {
            Ok(classified) => classified,
            Err(error) => return self.refused(no_call(&error)),
        };
        let objections = screen::call(&classified.passages, &self.known);
        let effects = classified.effects.located(&self.locator);
        let deciding = Deciding {
            tool: &classified.tool,
            actor: &call.actor,
            effects: &effects,
            objections: &objections,
            now,
        };
        let (ruled, voices) = explain(&self.policy, &deciding);
        let (tool, classes) = (Some(classified.tool), classified.classes);
        Weighed { ruled, tool, voices, classes, effects: Some(effects), objections }
    }

    fn refused(&self, reason: Reason) -> Weighed {
        let flags = [RiskFlag::denial(&reason.code)].into();
        let ruling = Ruling::Deny(Refusal { reasons: vec![reason] });
        let ruled = Ruled { ruling, flags, rules: Vec::new(), policy: self.policy.digest() };
        let (voices, classes, objections) = (Vec::new(), Vec::new(), Vec::new());
        Weighed { ruled, tool: None, voices, classes, effects: None, objections }
    }
}

fn catalogue(policy: &Policy, files: &PolicyFiles) -> Result<Catalogue, NoScale> {
    let mut catalogue = Catalogue::default();
    if let Ok(api) = call::WebAddress::parse(&policy.home().github.api) {
        catalogue = catalogue.with_api(api);
    }
    for (name, database) in &policy.home().databases {
        let dialect = match database.location {
            DatabaseLocation::File(_) => Dialect::Sqlite,
            DatabaseLocation::Url(_) => Dialect::PostgreSql,
        };
        catalogue = catalogue.with_database(name, dialect);
    }
    for (file, bytes) in &files.0 {
        let server = file.strip_prefix("tools/").and_then(|file| file.strip_suffix(".toml"));
        let Some(server) = server else { continue };
        let bad = |message: String| NoScale::Mapping { server: server.to_owned(), message };
        let text = decide::text_of_file(file, bytes).map_err(|found| bad(found.finding.message))?;
        let mapping = Mapping::parse(text).map_err(|errors| bad(first_message(&errors)))?;
        catalogue = catalogue.with_mapping(server, mapping);
    }
    Ok(catalogue)
}

fn first_message(errors: &[classify::MappingError]) -> String {
    errors.first().map(ToString::to_string).unwrap_or_default()
}

/// A call of its parts, or why it is none.
fn tool_call(typed: &Typed) -> Result<ToolCall, Reason> {
    let bad = |message: String, remedy: &str| Reason {
        code: ReasonCode::BAD_REQUEST,
        message,
        rule: None,
        remedy: Some(remedy.to_owned()),
    };
    let tool = ToolName::from_str(&typed.tool).map_err(|error| Reason {
        code: ReasonCode::UNKNOWN_TOOL,
        message: format!("there is no tool of this name: {error}"),
        rule: None,
        remedy: None,
    })?;
    let purpose = Purpose::from_str(typed.purpose.as_deref().unwrap_or_default())
        .map_err(|error| bad(error.to_string(), "say with `--purpose` why the call is made"))?;
    if let Some(byte) = typed.not_text {
        let message =
            format!("the arguments are not UTF-8 text: byte {byte} does not belong to any character");
        return Err(bad(message, "save the file as UTF-8"));
    }
    let arguments = Arguments::from_str(&typed.arguments)
        .map_err(|error| bad(error.to_string(), "give one JSON object with every key once"))?;
    let agent = AgentName::from_str(&typed.agent)
        .map_err(|error| bad(error.to_string(), "name the agent plainly"))?;
    let session = SessionId::from_str(&typed.session)
        .map_err(|error| bad(error.to_string(), "name the session plainly"))?;
    let skills = match &typed.skill {
        None => SkillChain::default(),
        Some(chain) => SkillChain::from_str(chain)
            .map_err(|error| bad(error.to_string(), "write `skill`, or `outer/inner` for a chain"))?,
    };
    Ok(ToolCall { tool, purpose, arguments, actor: Actor { agent, session, skills, context: typed.context } })
}

fn no_call(error: &Unclassified) -> Reason {
    let code = error.code();
    Reason { code, message: error.to_string(), rule: None, remedy: error.hint() }
}
