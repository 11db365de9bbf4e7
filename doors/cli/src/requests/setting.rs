//! The home that a request lives in, with its policy in force.

use std::path::Path;
use std::sync::Arc;

use approve::{Approvers, Rules};
use call::{Moment, Reason, WebAddress};
use decide::Policy;
use gate::{Knowledge, NoRules, Rulebook, Standing};
use record::Ledger;
use screen::KnownSecrets;

use super::weighing::{Weighed, may_connect};
use crate::gatehouse::{Gatehouse, NoGatehouse};
use crate::home::{Home, NoBooks};

/// A home, and what requests are decided by in it.
pub(crate) struct Setting {
    gatehouse: Gatehouse,
}

/// A policy in force, and who may approve under it.
#[derive(Clone, Copy)]
pub(crate) struct InForce<'s> {
    rulebook: &'s Rulebook,
    pub(crate) policy: &'s Policy,
    pub(crate) approvers: &'s Approvers,
}

/// Says whether a program may connect to an address.
pub(crate) type Judge = Box<dyn Fn(WebAddress) -> bool + Send + Sync>;

impl Setting {
    pub(crate) fn open(named: Option<&Path>) -> Result<Self, NoGatehouse> {
        Ok(Self { gatehouse: Gatehouse::open(named)? })
    }

    pub(crate) const fn home(&self) -> &Home {
        self.gatehouse.home()
    }

    /// The ledger, to write to it, where secrets of the home are never written down.
    pub(crate) fn ledger(&self, now: Moment) -> Result<Ledger, NoBooks> {
        let knowledge = Arc::new(Knowledge::default());
        knowledge.learn(self.gatehouse.known_secrets());
        self.gatehouse.books().start_knowing(knowledge, now)
    }

    pub(crate) const fn known_secrets(&self) -> &KnownSecrets {
        self.gatehouse.known_secrets()
    }

    /// What is in force, or why nothing is.
    pub(crate) fn in_force(&self) -> Result<InForce<'_>, Reason> {
        match &**self.gatehouse.standing() {
            Standing::Ready(rulebook) => {
                Ok(InForce { rulebook, policy: &rulebook.policy, approvers: &rulebook.approvers })
            }
            Standing::Closed { reason, .. } => Err(reason.clone()),
        }
    }

    /// Whoever can say, while a program runs, whether it may connect somewhere.
    pub(crate) fn judge(&self, weighed: &Weighed, now: Moment) -> Judge {
        let standing = Arc::clone(self.gatehouse.standing());
        let (tool, actor) = (weighed.tool.clone(), weighed.actor.clone());
        Box::new(move |url| match &*standing {
            Standing::Ready(rulebook) => may_connect(&rulebook.policy, &tool, &actor, url, now),
            Standing::Closed { .. } => false,
        })
    }
}

impl InForce<'_> {
    /// When people's answers are enough.
    pub(crate) fn rules(&self) -> Result<Rules, NoRules> {
        self.rulebook.approval_rules()
    }
}
