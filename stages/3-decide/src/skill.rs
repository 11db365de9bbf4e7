//! A skill's `PERMISSIONS.json` as a type.

use std::collections::BTreeSet;

use call::SkillName;

use crate::entry::PathEntry;
use crate::home::Network;

/// The authority of a skill, within that of the home.
#[derive(Clone, Debug)]
pub struct Skill {
    /// Its name.
    pub name: SkillName,
    /// Its version.
    pub version: String,
    /// How much harm it can do.
    pub tier: RiskTier,
    /// Tools that it may use; nothing means every tool.
    pub tools_allow: Option<BTreeSet<String>>,
    /// Tools that it may not use.
    pub tools_deny: BTreeSet<String>,
    /// What it may look at.
    pub read_paths: Vec<PathEntry>,
    /// What it may change.
    pub write_paths: Vec<PathEntry>,
    /// What it does not touch.
    pub deny_paths: Vec<PathEntry>,
    /// What it may speak to.
    pub network: Network,
    /// Scopes of secrets that it may use.
    pub scopes: BTreeSet<String>,
    /// How much it may do.
    pub limits: Limits,
}

/// How much harm a skill can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RiskTier {
    /// Little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
    /// As much as there is.
    Critical,
}

impl RiskTier {
    /// All of them, with their spellings.
    pub const ALL: [(&'static str, Self); 4] =
        [("low", Self::Low), ("medium", Self::Medium), ("high", Self::High), ("critical", Self::Critical)];

    /// Seconds that a skill of this tier may run at most.
    #[must_use]
    pub const fn longest_runtime(self) -> u64 {
        match self {
            Self::Low => 60,
            Self::Medium => 120,
            Self::High => 300,
            Self::Critical => 600,
        }
    }

    /// Its spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// How much a skill may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Seconds of one call.
    pub max_runtime_seconds: u32,
    /// Files written in a session.
    pub max_files_written: u64,
    /// Bytes written in a session.
    pub max_bytes_written: u64,
    /// Whether whatever it runs must run in a sandbox.
    pub sandbox_required: bool,
    /// Calls in a minute.
    pub max_calls_per_minute: Option<u32>,
    /// Calls under way at once.
    pub max_concurrent: Option<u32>,
}
