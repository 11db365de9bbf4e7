//! The words that doors, gate and stages share.
//!
//! What passes from one stage to the next is defined here and nowhere else, so that stages never
//! have to name each other. Nothing in this crate reads a clock, a file or the environment: time
//! arrives as a [`Moment`] that a door took from a [`Clock`], and what lies on disk is told by
//! whoever implements [`Paths`].

mod actor;
mod address;
mod arguments;
mod call_id;
pub mod canonical;
mod cap;
mod class;
mod confinement;
mod contraband;
mod digest;
mod effect;
mod errand;
mod exit_reason;
mod expected;
mod finding;
mod flag;
mod gate_home;
mod handle;
mod host_pattern;
pub mod json;
mod language;
mod located;
mod moment;
mod name;
mod passage;
mod path;
mod place;
pub mod programs;
mod reason;
mod rule;
mod ruling;
mod span;
mod table;
mod tool_call;
mod web;

pub use actor::{Actor, CallContext, SkillChain};
pub use address::is_global;
pub use arguments::{Arguments, BadArguments};
pub use call_id::{BadCallId, CallId};
pub use cap::cap_text;
pub use class::Class;
pub use confinement::{Confinement, RunCaps};
pub use contraband::{Contraband, Family};
pub use digest::{BadSha256, Sha256};
pub use effect::{
    Access, Change, Effect, Effects, Lane, MemoryUse, Program, Query, Reach, RepositoryUse, Run, RunLimits,
    SecretUse, WebRequest,
};
pub use errand::{Allowance, Content, Did, Done, Errand, Excerpt, Fault, Judge, Spending, Ticket, Tools};
pub use exit_reason::ExitReason;
pub use expected::{Expected, Target, TargetState};
pub use finding::Finding;
pub use flag::RiskFlag;
pub use gate_home::{GATE_HOME, is_gate_home};
pub use handle::{HANDLE_FORM, handle_in};
pub use host_pattern::{Host, HostPattern};
pub use language::Language;
pub use located::{FileKind, Located, Passed, Passing, PathPlace, Paths, UnclearPath};
pub use moment::{BadMoment, Clock, Moment};
pub use name::{AgentName, BadName, SessionId, SkillName, ToolName};
pub use passage::{Objection, Passage, Role, Weight};
pub use path::AbsolutePath;
pub use place::{Place, Places};
pub use reason::{Reason, ReasonCode};
pub use rule::{Rule, Severity};
pub use ruling::{Question, Refusal, Ruled, Ruling};
pub use span::Span;
pub use table::{table_name, table_parts};
pub use tool_call::{BUILT_IN_TOOLS, BadPurpose, Purpose, ToolCall};
pub use web::{BadWebAddress, WebAddress, WebHost, WebScheme};
