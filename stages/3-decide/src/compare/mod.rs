//! What does one policy allow that another does not?
//!
//! Both are asked about the same calls, made from the corner points of both: every entry of every
//! list, and what lies just inside and just outside of it. That finds whatever a list says; it is
//! not a proof, and whoever shows it says so.
//!
//! Calls about which no rule differs are not asked: both policies say the same. Of the others so many
//! are asked that an answer comes in time; what is left out is counted, and counts as more authority.

mod corners;
mod literals;
mod rulebook;
mod sketch;
mod solvable;
mod terms;
mod typed;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use call::{Effect, Effects, Moment, PathPlace, Sha256, SkillName, is_gate_home};

pub use corners::Probe;
#[cfg(test)]
pub(crate) use corners::probes;
pub use rulebook::Rulebook;
pub use sketch::{Sketch, Subject};
pub use solvable::schema;
pub use terms::TermChange;

use corners::Corners;
use rulebook::{Differences, Excerpts};
use typed::Typed;

use crate::decide::{Deciding, decide};
use crate::entry::PathEntry;
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
    /// How many more there are, at most, for which there was no time.
    pub left_out: usize,
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
    /// With the mappings of other servers' tools, which decide what their calls are, and the list of
    /// approvers: a changed one is new authority until somebody has looked at it, a removed one is less.
    #[must_use]
    pub fn with_files(mut self, old: Option<&PolicyFiles>, new: &PolicyFiles) -> Self {
        let of = |files: Option<&PolicyFiles>| -> BTreeMap<String, Sha256> {
            let files = files.into_iter().flat_map(|files| &files.0);
            let opaque = files.filter(|(name, _)| name.starts_with("tools/") || *name == "approvers");
            opaque.map(|(name, bytes)| (name.clone(), Sha256::of(bytes))).collect()
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
        sort(&mut self.changes);
        if whole {
            self.left_out = 0;
        }
        for term in self.terms.iter_mut().filter(|term| whole && term.term == terms::ORGANISATION) {
            term.risk = Risk::Low;
        }
        self
    }

    /// The risk of the whole change; nothing when authority stays as it is.
    #[must_use]
    pub fn risk(&self) -> Option<Risk> {
        let of_calls = self.changes.iter().map(|change| change.risk);
        let unknown = (self.left_out > 0).then_some(Risk::High);
        of_calls.chain(self.terms.iter().map(|term| term.risk)).chain(unknown).max()
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

/// Calls that both policies are asked about, at most.
const MOST: usize = 200_000;

/// Calls that are asked about together.
const BATCH: usize = 1_000;

/// Asks both policies about the corner points of both.
#[must_use]
pub fn compare(old: &Policy, new: &Policy, now: Moment) -> Comparison {
    compare_some(old, new, now, MOST)
}

fn compare_some(old: &Policy, new: &Policy, now: Moment, most: usize) -> Comparison {
    let books = [Rulebook::of(old), Rulebook::of(new)];
    let differences = Differences::of(&books[0], &books[1]);
    let excerpts = books.each_ref().map(Excerpts::of);
    let corners = Corners::of(old, new);
    let (mut changes, mut asked, mut left_out) = (Vec::new(), 0, 0);
    let mut ask = |batch: &[(Option<&SkillName>, Typed)]| {
        let about = excerpts.each_ref().map(|excerpts| excerpts.as_ref()?.about(batch));
        let [one, other] = &about;
        let (one, other) = (one.as_ref().unwrap_or(old), other.as_ref().unwrap_or(new));
        let probes = batch.iter().flat_map(|(skill, call)| corners.by_all(*skill, call));
        changes.extend(probes.filter_map(|probe| change(one, other, probe, now)));
    };
    let skills = corners.skills();
    let mut waiting: Vec<(Option<&SkillName>, Typed)> = Vec::new();
    for skill in skills.iter().map(Option::as_ref).filter(|skill| differences.concern_skill(*skill)) {
        if asked >= most {
            left_out += corners.count(skill);
            continue;
        }
        let mut calls = corners.calls_of(skill);
        calls.retain(|call| call.effects.iter().any(|effect| differences.decide(skill, effect)));
        let room = (most - asked) / corners.agents().max(1);
        left_out += calls.len().saturating_sub(room) * corners.agents();
        calls.truncate(room);
        asked += calls.len() * corners.agents();
        waiting.extend(calls.into_iter().map(|call| (skill, call)));
        while waiting.len() >= BATCH {
            let rest = waiting.split_off(BATCH);
            ask(&std::mem::replace(&mut waiting, rest));
        }
    }
    ask(&waiting);
    sort(&mut changes);
    Comparison { changes, terms: terms::changes(old, new), asked, left_out }
}

/// What a policy says to a probe.
#[must_use]
pub fn verdict(policy: &Policy, probe: &Probe, now: Moment) -> &'static str {
    let effects = Effects::new(probe.effects.iter().map(|effect| placed(policy, effect)).collect());
    let Probe { tool, actor, .. } = probe;
    let call = Deciding { tool, actor, effects: &effects, objections: &[], now };
    decide(policy, &call).ruling.verdict()
}

/// An effect as the gate would meet it: what lies outside of every root of a policy, or in a home of
/// the gate, is not looked at, whatever the rules say.
fn placed(policy: &Policy, effect: &Effect) -> Effect {
    let mut effect = effect.clone();
    if let Effect::Read { path, .. } | Effect::Write { path, .. } | Effect::Delete { path } = &mut effect
        && let PathPlace::Below { path: named, .. } = &path.place
    {
        let mut roots = policy.home.allowed_roots.iter().filter_map(PathEntry::folder);
        if named.as_str().split('/').any(is_gate_home) {
            path.place = PathPlace::GateHome;
        } else if !roots.any(|root| named.is_within(root)) {
            path.place = PathPlace::Outside;
        }
    }
    effect
}

/// What matters most comes first: by risk, then by how far a call may go now.
fn sort(changes: &mut [AuthorityChange]) {
    let allowed = |change: &AuthorityChange| change.old == "allow" || change.new == "allow";
    changes.sort_by_key(|change| (Reverse(change.risk), !allowed(change)));
}

#[cfg(test)]
mod tests {
    use call::{AbsolutePath, Moment};

    use super::{Risk, Rulebook, compare_some, corners, rulebook, verdict};
    use crate::files::{Ground, PolicyFiles};
    use crate::policy::Policy;

    struct Nowhere(AbsolutePath);

    impl Ground for Nowhere {
        fn workspace(&self) -> &AbsolutePath {
            &self.0
        }

        fn user_home(&self) -> Option<&AbsolutePath> {
            Some(&self.0)
        }

        fn real(&self, path: &AbsolutePath) -> AbsolutePath {
            path.clone()
        }
    }

    fn policy(text: &str) -> Policy {
        let files = PolicyFiles([("policy.toml".to_owned(), text.as_bytes().to_vec())].into());
        let loaded = Policy::load(&files, &Nowhere(AbsolutePath::parse("/w").unwrap()));
        loaded.policy.unwrap_or_else(|| panic!("{:?}", loaded.findings))
    }

    /// So many entries that excerpts are made.
    fn many(first: &str) -> Policy {
        let list = |form: fn(&str, usize) -> String| -> String {
            let entries: Vec<String> =
                (0..250).map(|number| format!("\"{}\"", form(first, number))).collect();
            entries.join(", ")
        };
        let writes = list(|first, number| match number % 3 {
            0 => format!("/w/{first}{number}/**"),
            1 => format!("/w/*/{first}{number}.md"),
            _ => format!("/w/{first}{number}"),
        });
        let denies = list(|first, number| format!("**/{first}{number}*key"));
        let hosts = list(|first, number| format!("*.{first}{number}.example"));
        policy(&format!(
            "read_only = false\nallowed_roots = [\"/w\"]\nwrite_paths = [{writes}]\ndeny = [{denies}]\n\
             [network]\nenabled = true\nallowlist = [\"a.example\"]\ndenylist = [{hosts}]"
        ))
    }

    fn now() -> Moment {
        Moment::from_civil((2026, 3, 1), (12, 0, 0)).unwrap()
    }

    #[test]
    fn an_excerpt_says_what_the_whole_policy_says() {
        let (old, new) = (many("a"), many("b"));
        let corners = corners::Corners::of(&old, &new);
        let calls: Vec<_> = corners.calls_of(None).into_iter().map(|call| (None, call)).collect();
        for whole in [&old, &new] {
            let excerpts = rulebook::Excerpts::of(&Rulebook::of(whole)).unwrap();
            for batch in calls.chunks(500) {
                let excerpt = excerpts.about(batch).unwrap();
                for probe in batch.iter().flat_map(|(skill, call)| corners.by_all(*skill, call)) {
                    let said = verdict(&excerpt, &probe, now());
                    assert_eq!(said, verdict(whole, &probe, now()), "{}", probe.example);
                }
            }
        }
    }

    #[test]
    fn what_is_left_out_is_counted_and_is_a_high_risk() {
        let (old, new) = (policy("allowed_roots = [\"/a\", \"/b\"]"), policy("allowed_roots = [\"/a\"]"));
        let all = compare_some(&old, &new, now(), usize::MAX);
        assert_eq!((all.left_out, all.risk()), (0, Some(Risk::Low)));
        let some = compare_some(&old, &new, now(), 3);
        assert_eq!((some.asked, some.left_out), (3, all.asked - 3));
        assert_eq!(some.risk(), Some(Risk::High));
    }
}
