//! Who asks, and on whose behalf.

use std::str::FromStr;

use serde::Serialize;

use crate::name::{AgentName, BadName, SessionId, SkillName};

/// Who makes a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Actor {
    /// The agent.
    pub agent: AgentName,
    /// Its session.
    pub session: SessionId,
    /// The skills it acts with.
    pub skills: SkillChain,
    /// Where the wish for this call came from.
    pub context: CallContext,
}

/// The skills of a call, outermost first: each must allow it. Without any, the home alone decides.
///
/// ```
/// use call::SkillChain;
///
/// let chain: SkillChain = "github_pr/file_editor".parse()?;
/// assert_eq!(chain.skills().len(), 2);
///
/// assert!("github_pr//file_editor".parse::<SkillChain>().is_err());
/// # Ok::<(), call::BadName>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct SkillChain(Vec<SkillName>);

impl SkillChain {
    /// The skills, outermost first.
    #[must_use]
    pub fn skills(&self) -> &[SkillName] {
        &self.0
    }
}

impl FromStr for SkillChain {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        text.split('/').map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

/// Where the wish for a call came from. Secrets are for operators only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CallContext {
    /// A person at the controls.
    Operator,
    /// An agent on its own.
    #[default]
    Agent,
    /// An event from another system.
    Webhook,
    /// Anything else from outside.
    External,
}

impl CallContext {
    /// All of them, with their spellings.
    pub const ALL: [(&'static str, Self); 4] = [
        ("operator", Self::Operator),
        ("agent", Self::Agent),
        ("webhook", Self::Webhook),
        ("external", Self::External),
    ];

    /// Its spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Agent => "agent",
            Self::Webhook => "webhook",
            Self::External => "external",
        }
    }
}
