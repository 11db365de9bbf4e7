//! What the gate decides by: a policy with all that is needed to weigh calls against it.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use approve::{Approvers, BadPrincipal, May, NoQuorum, Risk, Rules};
use call::{Paths, Reason, Sha256};
use classify::Catalogue;
use decide::{Policy, RiskTier};

/// A policy, and what it has to know about the world.
pub struct Rulebook {
    /// The policy.
    pub policy: Policy,
    /// The tools there are.
    pub catalogue: Catalogue,
    /// Where paths lead.
    pub paths: Box<dyn Paths + Send + Sync>,
    /// Who may agree to calls.
    pub approvers: Approvers,
}

/// Whether calls can be weighed at all.
pub enum Standing {
    /// By this.
    Ready(Box<Rulebook>),
    /// Every call is refused, for this reason.
    Closed {
        /// The reason.
        reason: Reason,
        /// The digest of the files that are there.
        policy: Sha256,
    },
}

/// Whoever knows by what calls are decided now.
pub trait House: Send + Sync {
    /// What is in force at this moment. A call is decided by one answer from its first moment to its last.
    fn standing(&self) -> Arc<Standing>;
}

impl Standing {
    pub(crate) const fn rulebook(&self) -> Option<&Rulebook> {
        match self {
            Self::Ready(rulebook) => Some(rulebook),
            Self::Closed { .. } => None,
        }
    }
}

impl Rulebook {
    /// When people's answers are enough.
    ///
    /// # Errors
    /// When policy asks for nobody's, or names somebody who cannot be.
    pub fn approval_rules(&self) -> Result<Rules, NoRules> {
        let approvals = &self.policy.home().approvals;
        let mut rules = Rules::new(approvals.quorum, approvals.self_approval, approvals.expires_seconds)?;
        rules.may = approvals.may.iter().map(may).collect::<Result<_, _>>()?;
        Ok(rules)
    }

    /// The digest of what a tool is: of its name and its schema, or of its definition at another server as
    /// it was reviewed. An approval of a call is bound to it.
    #[must_use]
    pub fn definition(&self, tool: &str) -> Sha256 {
        let pinned = || {
            let (server, name) = tool.split_once('.')?;
            self.catalogue.mapping(server)?.definition(name)
        };
        own_definition(&self.catalogue, tool).or_else(pinned).unwrap_or_else(|| Sha256::of(tool.as_bytes()))
    }
}

/// Why nobody's answer can be enough.
#[derive(Debug, thiserror::Error)]
pub enum NoRules {
    /// Policy asks for nobody's.
    #[error(transparent)]
    Quorum(#[from] NoQuorum),
    /// Policy names somebody who cannot be.
    #[error("`approvals.may` in policy.toml names nobody: {0}")]
    Name(#[from] BadPrincipal),
}

fn may(listed: &decide::May) -> Result<May, BadPrincipal> {
    Ok(May {
        approver: listed.approver.as_deref().map(str::parse).transpose()?,
        tools: listed.tools.as_ref().map(|tools| tools.iter().cloned().collect()),
        up_to: match listed.up_to {
            RiskTier::Low => Risk::Low,
            RiskTier::Medium => Risk::Medium,
            RiskTier::High => Risk::High,
            RiskTier::Critical => Risk::Critical,
        },
    })
}

/// The digest of the name and the schema of a tool of the gate's own. Neither changes while the gate lives, so
/// each is taken once.
fn own_definition(catalogue: &Catalogue, tool: &str) -> Option<Sha256> {
    static TAKEN: RwLock<BTreeMap<String, Sha256>> = RwLock::new(BTreeMap::new());
    let schema: &'static serde_json::Value = catalogue.schema(tool)?;
    if let Some(digest) = TAKEN.read().unwrap_or_else(PoisonError::into_inner).get(tool) {
        return Some(*digest);
    }
    let schema = call::canonical::of_value(schema)?;
    let digest = Sha256::of(&[tool.as_bytes(), b"\n", &schema].concat());
    TAKEN.write().unwrap_or_else(PoisonError::into_inner).insert(tool.to_owned(), digest);
    Some(digest)
}
