//! What an answer is bound to: the part of it that is compared when it is used.
//!
//! Digests and names only, nothing that anybody words. What a person is shown beside it (purpose, summary,
//! reason) is signed too, and never compared.

use call::{CallId, Effects, Expected, Sha256, ToolName};
use serde::{Deserialize, Serialize};

/// What an answer is about: this call or document, doing this, under this policy, with this tool, to things
/// that are in this state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// The call or document.
    pub subject: Subject,
    /// The tool, by its proper name.
    pub tool: ToolName,
    /// Digest of the effects.
    pub effects: Sha256,
    /// Digest of the policy that it was decided under.
    pub policy: Sha256,
    /// Digest of the tool's definition.
    pub definition: Sha256,
    /// Digest of what stands at the targets.
    pub state: Sha256,
}

/// What is asked about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// One call of a tool.
    Call(CallId),
    /// A request document.
    Request {
        /// Its id.
        id: String,
        /// Its canonical digest.
        document: Sha256,
    },
}

/// The first thing in which two bindings differ, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// Another call or request.
    #[error("the answer is for another call or request")]
    Subject,
    /// The same request id with other content.
    #[error("the request was changed after it was answered")]
    Document,
    /// Another tool.
    #[error("the answer is for another tool")]
    Tool,
    /// Other effects.
    #[error("the call does not do what was agreed to")]
    Effects,
    /// Another definition of the tool.
    #[error("the tool was changed after the answer")]
    Definition,
    /// Another policy.
    #[error("the policy was changed after the answer")]
    Policy,
    /// Another state of the targets.
    #[error("what the call changes is not what it was when the answer was given")]
    State,
}

impl Binding {
    /// The binding of a call or document.
    #[must_use]
    pub fn new(
        subject: Subject,
        tool: ToolName,
        effects: &Effects,
        policy: Sha256,
        definition: Sha256,
        expected: &Expected,
    ) -> Self {
        Self { subject, tool, effects: effects.digest(), policy, definition, state: state_digest(expected) }
    }

    /// What is different about the other one, when anything is.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<Difference> {
        let subject = match (&self.subject, &other.subject) {
            (
                Subject::Request { id, document },
                Subject::Request { id: other_id, document: other_document },
            ) if id == other_id => (document != other_document).then_some(Difference::Document),
            (one, other) => (one != other).then_some(Difference::Subject),
        };
        let rest = || {
            let parts = [
                (self.tool == other.tool, Difference::Tool),
                (self.effects == other.effects, Difference::Effects),
                (self.definition == other.definition, Difference::Definition),
                (self.policy == other.policy, Difference::Policy),
                (self.state == other.state, Difference::State),
            ];
            parts.into_iter().find(|(same, _)| !same).map(|(_, difference)| difference)
        };
        subject.or_else(rest)
    }

    /// Whether both do the same under the same terms, whichever calls they are: such questions are one
    /// question.
    #[must_use]
    pub fn same_deed(&self, other: &Self) -> bool {
        Self { subject: other.subject.clone(), ..self.clone() } == *other
    }

    /// The canonical bytes: RFC 8785 JSON.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        // Only floats and maps with keys that are not text can fail, and a binding holds neither.
        call::canonical::of(&Form::from(self)).unwrap_or_default()
    }

    /// The digest of the canonical bytes.
    #[must_use]
    pub fn digest(&self) -> Sha256 {
        Sha256::of(&self.canonical())
    }
}

/// Digest of what stands at the targets of a call.
pub(crate) fn state_digest(expected: &Expected) -> Sha256 {
    // Only floats and maps with keys that are not text can fail, and this holds neither.
    Sha256::of(&call::canonical::of(expected).unwrap_or_default())
}

/// A binding as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Form {
    definition: Sha256,
    effects: Sha256,
    policy: Sha256,
    state: Sha256,
    subject: SubjectForm,
    tool: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case", tag = "kind")]
enum SubjectForm {
    Call { id: String },
    Request { id: String, document: Sha256 },
}

impl From<&Binding> for Form {
    fn from(binding: &Binding) -> Self {
        let subject = match &binding.subject {
            Subject::Call(id) => SubjectForm::Call { id: id.to_string() },
            Subject::Request { id, document } => SubjectForm::Request { id: id.clone(), document: *document },
        };
        Self {
            subject,
            tool: binding.tool.to_string(),
            effects: binding.effects,
            policy: binding.policy,
            definition: binding.definition,
            state: binding.state,
        }
    }
}

impl Form {
    /// The binding; nothing when a name in it is none.
    pub(crate) fn binding(self) -> Option<Binding> {
        let subject = match self.subject {
            SubjectForm::Call { id } => Subject::Call(id.parse().ok()?),
            SubjectForm::Request { id, document } => Subject::Request { id, document },
        };
        Some(Binding {
            subject,
            tool: self.tool.parse().ok()?,
            effects: self.effects,
            policy: self.policy,
            definition: self.definition,
            state: self.state,
        })
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Call(id) => write!(f, "call {id}"),
            Self::Request { id, .. } => write!(f, "request {id}"),
        }
    }
}
