//! A Tool Request that keeps every rule.
//!
//! There is no other way to one of these than [`crate::check`]: whoever holds a request holds one
//! that was accepted in the strict profile.

use call::{HostPattern, Language, Moment, Sha256};

/// What a person approved and a lane may run.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// The id, `TR-YYYYMMDD-HHMMSSZ-slug`.
    pub id: String,
    /// When it was drafted.
    pub created: Moment,
    /// Who drafted it.
    pub requested_by: Requester,
    /// The person who approved it.
    pub approved_by: String,
    /// When it was approved.
    pub approved: Moment,
    /// Why it is needed.
    pub purpose: String,
    /// What the program is written in.
    pub language: Language,
    /// Hosts that it may reach; none means no network.
    pub network_allowlist: Vec<HostPattern>,
    /// What it may use.
    pub limits: Limits,
    /// What it reads.
    pub inputs: Vec<Input>,
    /// What it writes.
    pub outputs: Vec<Output>,
    /// Further promises, in words.
    pub constraints: Vec<String>,
    /// What is to be run.
    pub task: Task,
    /// The author's own judgement.
    pub risk: Risk,
}

/// Who drafted a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requester {
    /// A person.
    Human,
    /// The agent.
    CoreDraft,
}

impl Requester {
    /// The spelling in a document.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::CoreDraft => "core_draft",
        }
    }
}

/// What a program may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Cores, above 0 and at most 64.
    pub cpus: f64,
    /// Memory in megabytes, 1 to 1 048 576.
    pub memory_mb: u32,
    /// Time in seconds, 1 to 86 400.
    pub seconds: u32,
}

/// A file that the program reads, at `/in/<name>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The plain file name.
    pub name: String,
    /// The digest of its content.
    pub sha256: Sha256,
}

/// A file that the program is expected to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The normalised path, below `/out/`.
    pub path: String,
    /// What it holds.
    pub description: Option<String>,
}

/// What is to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// A command, split into its arguments.
    Command {
        /// The line as it stands in the document.
        line: String,
        /// The argument vector, never empty.
        argv: Vec<String>,
    },
    /// Python code for the Monty interpreter, and its inputs as the text of a JSON object.
    Code {
        /// The program.
        code: String,
        /// A JSON object.
        inputs_json: Option<String>,
    },
}

/// The author's own judgement of the risk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Risk {
    /// How much.
    pub level: RiskLevel,
    /// Why.
    pub justification: String,
    /// How sensitive the data is.
    pub data_sensitivity: Sensitivity,
    /// Why the network is needed.
    pub network_rationale: String,
}

/// How much risk the author sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RiskLevel {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
}

impl RiskLevel {
    /// The spelling in a document.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// How sensitive the data is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensitivity {
    /// Anyone may see it.
    Public,
    /// The organisation may see it.
    Internal,
    /// Few may see it.
    Confidential,
}

impl Sensitivity {
    /// The spelling in a document.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Internal => "internal",
            Self::Confidential => "confidential",
        }
    }
}
