//! `policy.toml` as a type: what the home allows at most.

use std::collections::{BTreeMap, BTreeSet};

use call::{AbsolutePath, Lane, RunCaps, ToolName};

use crate::entry::{HostEntry, HostGlob, PathEntry};
use crate::skill::RiskTier;
use crate::table;

/// The authority of the home, which is the ceiling of every skill.
#[derive(Clone, Debug)]
pub struct Home {
    /// Folders that may be looked at.
    pub allowed_roots: Vec<PathEntry>,
    /// Whether every change is refused.
    pub read_only: bool,
    /// Where changes may go when it is not.
    pub write_paths: Vec<PathEntry>,
    /// Whether a shell may run.
    pub allow_shell: bool,
    /// Characters of text that a call gives back.
    pub max_file_chars: usize,
    /// Actions that a person must agree to.
    pub approval_required: Vec<String>,
    /// What no call touches.
    pub deny: Vec<PathEntry>,
    /// Where code runs.
    pub lanes: Lanes,
    /// How people agree.
    pub approvals: Approvals,
    /// What may be spoken to.
    pub network: Network,
    /// The databases by name.
    pub databases: BTreeMap<String, Database>,
    /// Scopes of secrets that need no skill.
    pub allowed_scopes: BTreeSet<String>,
    /// Where secrets come from, by scope.
    pub scopes: BTreeMap<String, Provider>,
    /// Repositories on a forge.
    pub github: Github,
    /// What the organisation's own policies may ask about.
    pub organisation: Organisation,
}

/// Where code runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// The weakest lane for code outside Monty.
    pub minimum: Lane,
    /// Caps of a run.
    pub caps: RunCaps,
    /// Lanes that need no approval.
    pub without_approval: BTreeSet<Lane>,
}

/// How people agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approvals {
    /// How many must.
    pub quorum: u32,
    /// Whether the one who asked may.
    pub self_approval: bool,
    /// How long a yes holds, in seconds.
    pub expires_seconds: u32,
    /// Whether a request document that only says that it was approved may run.
    pub unsigned: bool,
    /// Who may agree to what. Empty: every listed approver to everything.
    pub may: Vec<May>,
}

/// That somebody may agree to something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct May {
    /// Who; nothing means every listed approver.
    pub approver: Option<String>,
    /// To calls of which tools; nothing means all.
    pub tools: Option<BTreeSet<ToolName>>,
    /// Up to which risk.
    pub up_to: RiskTier,
}

/// What may be spoken to.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// Whether anything may.
    pub enabled: bool,
    /// These hosts.
    pub allow: Vec<HostEntry>,
    /// But not these.
    pub(crate) deny: Vec<HostGlob>,
}

/// A database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Database {
    /// Where it is.
    pub location: DatabaseLocation,
    /// Whether nothing in it may change.
    pub read_only: bool,
    /// Tables that may change when it is not, as they are written in the policy.
    pub write_tables: BTreeSet<String>,
}

impl Database {
    /// The files that SQLite keeps it in: its own, and those beside it from which SQLite brings changes into
    /// it. Whoever writes to one of them changes tables that nobody was asked about.
    pub(crate) fn files(&self) -> Vec<AbsolutePath> {
        match &self.location {
            DatabaseLocation::File(path) => ["", "-wal", "-journal", "-shm"]
                .iter()
                .filter_map(|ending| AbsolutePath::parse(&format!("{path}{ending}")))
                .collect(),
            DatabaseLocation::Url(_) => Vec::new(),
        }
    }

    /// The tables that may change, in the spelling of effects.
    #[must_use]
    pub fn changeable(&self) -> BTreeSet<String> {
        self.write_tables.iter().map(|written| self.table_name(written)).collect()
    }

    /// A table of its own in the spelling that effects have.
    pub(crate) fn table_name(&self, written: &str) -> String {
        match self.location {
            DatabaseLocation::File(_) => table::in_file(written),
            DatabaseLocation::Url(_) => table::on_server(written),
        }
    }
}

/// Where a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseLocation {
    /// An SQLite file.
    File(AbsolutePath),
    /// A PostgreSQL server; the URL names the scope and name of the secret that holds the password.
    Url(String),
}

/// Where the secrets of a scope come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Provider {
    /// Variables of the gate's own environment.
    Env(BTreeSet<String>),
    /// A file.
    File(String),
    /// The output of a program.
    Command(Vec<String>),
    /// The keyring of the desktop.
    Keyring(String),
}

/// Repositories on a forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Github {
    /// The address of its API.
    pub api: String,
    /// Repositories that may be touched, `owner/name`.
    pub repositories: BTreeSet<String>,
    /// Branches that are not written to.
    pub protected: Vec<String>,
}

/// Facts that the organisation's own policies may ask about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Organisation {
    /// `local`, `ci`, `production` and so on.
    pub stage: Option<String>,
    /// The tenant.
    pub tenant: Option<String>,
    /// Agents by role.
    pub roles: BTreeMap<String, BTreeSet<String>>,
}
