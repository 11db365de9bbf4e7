//! A call that may run, as whoever runs it is given it, and what comes back.

use std::sync::atomic::AtomicBool;

use secrecy::SecretSlice;
use serde_json::Value;

use crate::{
    Actor, Arguments, Confinement, Effect, Effects, Expected, Lane, Moment, Reason, RiskFlag, Span, ToolName,
};

/// A call that may run.
#[derive(Clone, Copy)]
pub struct Errand<'a> {
    /// The tool, by its proper name.
    pub tool: &'a ToolName,
    /// With what.
    pub arguments: &'a Arguments,
    /// For whom.
    pub actor: &'a Actor,
    /// What was decided about. Nothing else may be touched but what the judge allows.
    pub effects: &'a Effects,
    /// How far it goes.
    pub walls: &'a Confinement,
    /// What must stand at its targets; nothing when nobody was asked.
    pub expected: Option<&'a Expected>,
    /// Whoever can say more about policy.
    pub judge: &'a dyn Judge,
    /// When it began.
    pub now: Moment,
    /// Set by whoever does not want it any more.
    pub cancelled: &'a AtomicBool,
}

/// Policy, for effects that only turn up while a call runs: a file in a folder, the next hop of a redirect.
pub trait Judge: Sync {
    /// Whether the call may do this as well, without anybody being asked again.
    ///
    /// # Errors
    /// When it may not, with the reason.
    fn allows(&self, effect: &Effect) -> Result<(), Reason>;
}

/// What a call gave.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Done {
    /// What happened, in a sentence for people.
    pub summary: String,
    /// What the agent asked for. Secrets are still in it, and it is as long as it is.
    pub content: Content,
    /// Which part of a text was asked for, when the text is not exactly that.
    pub excerpt: Option<Excerpt>,
    /// Files and resources that were touched.
    pub artifacts: Vec<String>,
    /// Whether anything of it came from outside the gate.
    pub untrusted: bool,
    /// What it is, in words such as `html_to_text`.
    pub labels: Vec<String>,
    /// What to look at twice.
    pub flags: Vec<RiskFlag>,
    /// The difference that was made, to be kept beside the ledger.
    pub diff: Option<String>,
    /// What is gone now, to be kept beside the ledger while policy keeps it.
    pub removed: Option<Vec<u8>>,
    /// Where code ran, and behind which walls.
    pub lane: Option<(Lane, Vec<String>)>,
    /// Whether what was written was read again and found to be what was to be written; nothing when there
    /// was nothing to read again.
    pub verified: Option<bool>,
    /// What went wrong, in one word, where the call did what it should and what it ran failed by itself: a
    /// program with an exit code, which is in the content.
    pub failed: Option<&'static str>,
}

/// What an agent asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Content {
    /// Nothing but that it is done.
    #[default]
    Nothing,
    /// A text.
    Text(String),
    /// A table, list or object.
    Data(Value),
}

/// The part of a text that was asked for.
///
/// What stands around it is there for whoever looks for secrets, and for nobody else: the middle of a key
/// does not look like one. What is left out would not be shown anyway, and is counted without being held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The part, on boundaries of characters.
    pub span: Span,
    /// How many more characters it has behind the end of the span.
    pub left_out: u64,
}

/// Why a call that was allowed did not do what it should. Nothing is half-done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It could not be done.
    #[error("{message}")]
    Failed {
        /// What went wrong, in one word such as `not_found`.
        class: &'static str,
        /// In a sentence, for the agent.
        message: String,
        /// What to do instead, where there is one such thing.
        remedy: Option<String>,
    },
    /// It took too long.
    #[error("{message}")]
    TimedOut {
        /// In a sentence, for the agent.
        message: String,
    },
    /// Nobody wants it any more.
    #[error("the call was cancelled")]
    Cancelled,
    /// What it turned out to do is refused by policy.
    #[error("{}", .0.message)]
    Denied(Reason),
    /// What stands at a target is not what was approved.
    #[error("`{path}` is not what it was when the call was approved")]
    Changed {
        /// The target, as the agent named it.
        path: String,
    },
}

impl Fault {
    /// A failure without a remedy.
    #[must_use]
    pub fn failed(class: &'static str, message: impl Into<String>) -> Self {
        Self::Failed { class, message: message.into(), remedy: None }
    }

    /// What went wrong, in one word.
    #[must_use]
    pub fn class(&self) -> &str {
        match self {
            Self::Failed { class, .. } => class,
            Self::TimedOut { .. } => "timeout",
            Self::Cancelled => "cancelled",
            Self::Denied(reason) => reason.code.as_str(),
            Self::Changed { .. } => "target_changed",
        }
    }
}

/// Whoever does what was decided.
pub trait Tools: Send + Sync {
    /// What stands at the targets of these effects: every file that is written, deleted or handed to a run.
    /// Nothing is changed.
    ///
    /// # Errors
    /// When it cannot be told.
    fn survey(&self, effects: &Effects) -> Result<Expected, Fault>;

    /// The difference that a call would make to a file, as a unified diff; nothing when it makes none to any.
    ///
    /// # Errors
    /// When it cannot be told.
    fn preview(
        &self,
        tool: &ToolName,
        arguments: &Arguments,
        effects: &Effects,
    ) -> Result<Option<String>, Fault>;

    /// Whether the call could be done as things are, as far as a quick look at its files tells, and at the lane
    /// that its code would run in. Nothing is changed. Whoever is told the answer must be one who may look at
    /// those files.
    ///
    /// # Errors
    /// When it would fail.
    fn prospect(
        &self,
        tool: &ToolName,
        arguments: &Arguments,
        effects: &Effects,
        lane: Option<Lane>,
    ) -> Result<(), Fault> {
        let _ = (tool, arguments, effects, lane);
        Ok(())
    }

    /// Does it. What it touches is opened once, by descriptor, and must be what was decided about, and what
    /// was expected where anything was.
    ///
    /// # Errors
    /// When it was not done. Nothing is half-done then.
    fn run(&self, errand: &Errand<'_>) -> Result<Done, Fault>;

    /// Values of secrets that were looked up so far, each with its scope, so that they are known wherever
    /// they turn up.
    fn revealed(&self) -> Vec<(String, SecretSlice<u8>)>;
}

/// What the sessions of skills have used up of what they may.
///
/// Counts outlive the gate, and several gates of one home share them.
pub trait Allowance: Send + Sync {
    /// Counts a call that is about to run, before it does anything.
    ///
    /// # Errors
    /// When a limit of the walls is reached; nothing is counted then.
    fn begin(
        &self,
        actor: &Actor,
        walls: &Confinement,
        spending: Spending,
        now: Moment,
    ) -> Result<Ticket, Reason>;

    /// The call is over. What it did not do after all is given back, but for its place in the minute.
    fn end(&self, ticket: Ticket, did: Did);
}

/// What a call is going to use up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spending {
    /// Files that it writes.
    pub files: u64,
    /// Bytes that it writes.
    pub bytes: u64,
}

/// A call that was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub i64);

/// Whether a call did what it was counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Did {
    /// It did.
    It,
    /// It did not.
    Nothing,
}
