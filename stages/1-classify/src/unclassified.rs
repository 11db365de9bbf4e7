//! Why a call is no call.
//!
//! Written for the agent that made it: each says what was expected and where. Values of arguments
//! are never repeated here, because they may be secrets and may be long.

use std::fmt;

use call::{ReasonCode, ToolName};

/// Why a call is no call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unclassified {
    /// There is no such tool.
    #[error("there is no tool `{tool}`")]
    UnknownTool {
        /// The name that was given.
        tool: ToolName,
        /// Names that look like it, nearest first.
        near: Vec<String>,
    },
    /// Another server's tool, and nothing says what its arguments mean.
    #[error(
        "nothing says what `{tool}` does: `[tools.{name}]` is missing in `.toolgate/tools/{server}.toml`"
    )]
    UnmappedTool {
        /// The name that was given.
        tool: ToolName,
        /// The part in front of the dot.
        server: String,
        /// The key that is missing below `tools`, quoted where TOML asks for it.
        name: String,
        /// Tools of that server that have a mapping and look like it.
        near: Vec<String>,
    },
    /// The arguments do not fit the tool.
    #[error("the arguments of `{tool}` do not fit: {}", listed(.faults))]
    BadArguments {
        /// The tool.
        tool: ToolName,
        /// What is wrong with them; never empty.
        faults: Vec<Fault>,
    },
}

/// One thing that is wrong with the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, as a JSON pointer: `/changes/2/path`; empty for the arguments as a whole.
    pub place: String,
    /// What was expected there, as the rest of a sentence: `must be text`.
    pub expected: String,
    /// What to do about it, where that is not plain from what was expected.
    pub remedy: Option<String>,
}

impl Fault {
    pub(crate) fn new(place: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { place: one_line(place.into()), expected: one_line(expected.into()), remedy: None }
    }

    pub(crate) fn with_remedy(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }

    /// `approval` is no argument of any tool: whoever carries calls takes it away where it is what it should be.
    pub(crate) fn about_approval(self) -> Self {
        self.with_remedy("`approval` is the `call_id` of a call that waits: leave it out where there is none")
    }
}

/// Names of arguments come from agents; a control character in one is spelled out.
fn one_line(text: String) -> String {
    if !text.contains(char::is_control) {
        return text;
    }
    let mut line = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if character.is_control() { line.extend(character.escape_unicode()) } else { line.push(character) }
    }
    line
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.expected)
        } else {
            write!(f, "`{}` {}", self.place, self.expected)
        }
    }
}

fn listed(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

impl Unclassified {
    /// The reason in one word, for the ledger and for programs.
    #[must_use]
    pub const fn code(&self) -> ReasonCode {
        match self {
            Self::UnknownTool { .. } => ReasonCode::UNKNOWN_TOOL,
            Self::UnmappedTool { .. } => ReasonCode::UNMAPPED_TOOL,
            Self::BadArguments { .. } => ReasonCode::BAD_REQUEST,
        }
    }

    /// What to do next, when there is one such thing.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownTool { near, .. } => did_you_mean(near),
            Self::UnmappedTool { near, tool, .. } => Some(did_you_mean(near).unwrap_or_else(|| {
                format!("`toolgate policy learn {tool}` drafts the mapping from the tool's schema, for a person to review")
            })),
            Self::BadArguments { faults, .. } => faults.iter().find_map(|fault| fault.remedy.clone()),
        }
    }
}

fn did_you_mean(near: &[String]) -> Option<String> {
    let names: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}
