//! What does one policy allow that another does not?
//!
//! Both are asked about the same calls, made from the corner points of both: every entry of every
//! list, and what lies just inside and just outside of it. That finds whatever a list says; it is
//! not a proof, and whoever shows it says so.

mod corners;
mod sketch;
mod solvable;
mod terms;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use call::{Effects, Moment, Sha256};

pub use corners::Probe;
#[cfg(test)]
pub(crate) use corners::probes;
pub use sketch::{Sketch, Subject};
pub use solvable::schema;
pub use terms::TermChange;

use crate::decide::{Deciding, decide};
use crate::files::PolicyFiles;
use crate::policy::Policy;

/// Everything that differs between two policies.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Calls that are decided differently.
    pub changes: Vec<AuthorityChange>,
    /// Limits that differ.
    pub terms: Vec<TermChange>,
    /// How many calls both were asked about.
    pub asked: usize,
}

/// A call that two policies decide differently.
#[derive(Clone, Debug)]
pub struct AuthorityChange {
    /// The call.
    pub probe: Probe,
    /// What the old policy says: `allow`, `needs_approval` or `deny`.
    pub old: &'static str,
    /// What the new one says.
    pub new: &'static str,
    /// How much it matters.
    pub risk: Risk,
}

/// How much a change of a policy matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// Less authority.
    Low,
    /// More to look at.
    Medium,
    /// More to change, run, send or reveal.
    High,
}

impl Risk {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

impl AuthorityChange {
    /// Whether the new policy allows more.
    #[must_use]
    pub fn is_added(&self) -> bool {
        rank(self.new) > rank(self.old)
    }
}

impl Comparison {
    /// With the mappings of other servers' tools, which decide what their calls are: a changed one
    /// is new authority until somebody has looked at it, a removed one is less.
    #[must_use]
    pub fn with_files(mut self, old: Option<&PolicyFiles>, new: &PolicyFiles) -> Self {
        let of = |files: Option<&PolicyFiles>| -> BTreeMap<String, Sha256> {
            let files = files.into_iter().flat_map(|files| &files.0);
            let mappings = files.filter(|(name, _)| name.starts_with("tools/"));
            mappings.map(|(name, bytes)| (name.clone(), Sha256::of(bytes))).collect()
        };
        let (old, new) = (of(old), of(Some(new)));
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names.into_iter().filter(|name| old.get(*name) != new.get(*name)) {
            let word = |side: &BTreeMap<String, Sha256>| {
                side.get(name).map_or_else(|| "absent".to_owned(), ToString::to_string)
            };
            let risk = if new.contains_key(name) { Risk::High } else { Risk::Low };
            self.terms.push(TermChange { term: name.clone(), old: word(&old), new: word(&new), risk });
        }
        self
    }

    /// With what a proof says, which has asked about every call: then the organisation's own rules
    /// matter only by the calls that they decide differently.
    #[must_use]
    pub fn with_proof(mut self, changes: impl IntoIterator<Item = AuthorityChange>, whole: bool) -> Self {
        for change in changes {
            if self.changes.iter().all(|known| known.probe.example != change.probe.example) {
                self.changes.push(change);
            }
        }
        self.changes.sort_by_key(|change| Reverse(change.risk));
        for term in self.terms.iter_mut().filter(|term| whole && term.term == terms::ORGANISATION) {
            term.risk = Risk::Low;
        }
        self
    }

    /// The risk of the whole change; nothing when authority stays as it is.
    #[must_use]
    pub fn risk(&self) -> Option<Risk> {
        let of_calls = self.changes.iter().map(|change| change.risk);
        of_calls.chain(self.terms.iter().map(|term| term.risk)).max()
    }

    /// Whether the new policy allows anything that the old one does not.
    #[must_use]
    pub fn is_expansion(&self) -> bool {
        self.risk().is_some_and(|risk| risk > Risk::Low)
    }
}

/// An expression over the names of resources that says what a name in a rule covers. Nothing comes
/// back for a name that covers no resource, or when that cannot be told.
#[must_use]
pub fn pattern(name: &cedar_policy::EntityUid) -> Option<String> {
    crate::cedar::pattern(name)
}

/// A change that a call shows, when two policies decide it differently.
#[must_use]
pub fn change(old: &Policy, new: &Policy, probe: Probe, now: Moment) -> Option<AuthorityChange> {
    let (before, after) = (verdict(old, &probe, now), verdict(new, &probe, now));
    let risk = if rank(after) < rank(before) { Risk::Low } else { probe.risk() };
    (before != after).then_some(AuthorityChange { probe, old: before, new: after, risk })
}

/// More authority is a higher rank.
pub(crate) fn rank(verdict: &str) -> u8 {
    match verdict {
        "allow" => 2,
        "needs_approval" => 1,
        _ => 0,
    }
}

/// Asks both policies about the corner points of both.
#[must_use]
pub fn compare(old: &Policy, new: &Policy, now: Moment) -> Comparison {
    let probes = corners::probes(old, new);
    let asked = probes.len();
    let changes = probes.into_iter().filter_map(|probe| change(old, new, probe, now));
    let mut changes: Vec<AuthorityChange> = changes.collect();
    changes.sort_by_key(|change| Reverse(change.risk));
    Comparison { changes, terms: terms::changes(old, new), asked }
}

/// What a policy says to a probe.
#[must_use]
pub fn verdict(policy: &Policy, probe: &Probe, now: Moment) -> &'static str {
    let effects = Effects::new(vec![probe.effect.clone()]);
    let Probe { tool, actor, .. } = probe;
    let call = Deciding { tool, actor, effects: &effects, objections: &[], now };
    decide(policy, &call).ruling.verdict()
}
