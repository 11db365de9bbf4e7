//! The rules of a policy, filed by what they can speak of.
//!
//! A question is put only to rules that name its action, its authority, and the resource or one of
//! the groups it is in; what does not concern a call costs it nothing. Leaving the others out is
//! sound, because a rule whose scope does not hold never speaks.

use std::collections::{BTreeSet, HashMap};

use call::{ReasonCode, WebHost};
use cedar_policy::{
    ActionConstraint, Authorizer, Decision, EntityUid, Policy, PolicySet, PrincipalConstraint,
    ResourceConstraint,
};

use super::globs::PathGlobs;
use super::question::{Authority, Circumstances, Question};
use super::rule::{Remark, entity};
use crate::entry::HostGlob;

/// All rules, ready to be asked.
#[derive(Debug)]
pub(crate) struct Index {
    drawers: HashMap<Key, PolicySet>,
    remarks: HashMap<String, Remark>,
    pub(crate) names: Names,
    authorizer: Authorizer,
}

/// Which drawer a rule lies in. What a rule leaves open is nothing here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    action: &'static str,
    authority: Option<EntityUid>,
    resource: Option<EntityUid>,
}

/// Names that rules speak of and that a resource may be like.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) path_globs: PathGlobs,
    host_globs: Vec<(HostGlob, EntityUid)>,
    branch_globs: Vec<(globset::GlobMatcher, EntityUid)>,
}

/// What the rules said to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spoken {
    /// Rules that allow.
    pub(crate) permits: BTreeSet<String>,
    /// Rules that refuse.
    pub(crate) forbids: BTreeSet<String>,
    /// A rule could not be evaluated.
    pub(crate) failed: bool,
}

impl Spoken {
    /// Whether the question is answered with yes.
    pub(crate) fn allows(&self) -> bool {
        !self.failed && self.forbids.is_empty() && !self.permits.is_empty()
    }
}

/// Every action of the schema.
pub(crate) const ACTIONS: [&str; 14] = [
    "call", "read", "write", "delete", "run", "network", "secret", "query", "execute", "recall", "store",
    "status", "look", "propose",
];

impl Index {
    /// Files all rules. Nothing comes back when two have one id or a glob is none, which reading the
    /// policy has ruled out before.
    pub(crate) fn new(policies: impl IntoIterator<Item = Policy>) -> Option<Self> {
        let mut drawers: HashMap<Key, PolicySet> = HashMap::new();
        let mut remarks = HashMap::new();
        let mut literals = BTreeSet::new();
        for policy in policies {
            let reason = policy.annotation("reason").and_then(ReasonCode::parse);
            let remedy = policy.annotation("remedy").map(str::to_owned);
            if remarks.insert(policy.id().to_string(), Remark { reason, remedy }).is_some() {
                return None;
            }
            literals.extend(policy.entity_literals());
            for key in keys(&policy) {
                drawers.entry(key).or_default().add(policy.clone()).ok()?;
            }
        }
        let names = Names::of(&literals)?;
        Some(Self { drawers, remarks, names, authorizer: Authorizer::new() })
    }

    /// What a rule adds to its answer.
    pub(crate) fn remark(&self, rule: &str) -> Option<&Remark> {
        self.remarks.get(rule)
    }

    /// Puts a question to every rule that can speak of it.
    pub(crate) fn ask(
        &self,
        question: &Question,
        authority: &Authority,
        circumstances: &Circumstances<'_>,
        approved: bool,
    ) -> Spoken {
        let mut spoken = Spoken::default();
        let Some((request, entities)) = question.put(authority, circumstances, approved) else {
            return Spoken { failed: true, ..spoken };
        };
        let authorities = [Some(authority.entity()), None];
        let groups = question.members.iter().chain([&question.resource]);
        let resources: BTreeSet<Option<&EntityUid>> = groups.map(Some).chain([None]).collect();
        for authority in &authorities {
            for resource in &resources {
                let key = Key {
                    action: question.action,
                    authority: authority.clone(),
                    resource: resource.cloned(),
                };
                let Some(drawer) = self.drawers.get(&key) else { continue };
                let response = self.authorizer.is_authorized(&request, drawer, &entities);
                let said = response.diagnostics().reason().map(ToString::to_string);
                match response.decision() {
                    Decision::Allow => spoken.permits.extend(said),
                    Decision::Deny => spoken.forbids.extend(said),
                }
                spoken.failed |= response.diagnostics().errors().next().is_some();
            }
        }
        spoken
    }
}

/// Whether a rule can speak of an action that is asked for by an authority.
pub(crate) fn concerns(policy: &Policy, authority: &EntityUid, action: &str) -> bool {
    keys(policy)
        .iter()
        .any(|key| key.action == action && key.authority.as_ref().is_none_or(|named| named == authority))
}

/// The drawers that a rule belongs into.
fn keys(policy: &Policy) -> Vec<Key> {
    let named = |action: &EntityUid| ACTIONS.into_iter().find(|name| *action.id().unescaped() == **name);
    let actions: Vec<&'static str> = match policy.action_constraint() {
        ActionConstraint::Any => ACTIONS.to_vec(),
        ActionConstraint::In(actions) => actions.iter().filter_map(named).collect(),
        ActionConstraint::Eq(action) => named(&action).into_iter().collect(),
    };
    let authority = match policy.principal_constraint() {
        PrincipalConstraint::In(group) | PrincipalConstraint::IsIn(_, group) => {
            let kind = group.type_name().to_string();
            matches!(kind.as_str(), "Home" | "Skill").then_some(group)
        }
        PrincipalConstraint::Any | PrincipalConstraint::Eq(_) | PrincipalConstraint::Is(_) => None,
    };
    let resource = match policy.resource_constraint() {
        ResourceConstraint::In(resource)
        | ResourceConstraint::Eq(resource)
        | ResourceConstraint::IsIn(_, resource) => Some(resource),
        ResourceConstraint::Any | ResourceConstraint::Is(_) => None,
    };
    let key = |action| Key { action, authority: authority.clone(), resource: resource.clone() };
    actions.into_iter().map(key).collect()
}

impl Names {
    pub(super) fn of(literals: &BTreeSet<EntityUid>) -> Option<Self> {
        let of_kind = |kind: &'static str| {
            let ids = literals.iter().filter(move |literal| literal.type_name().to_string() == kind);
            ids.map(|literal| literal.id().unescaped().to_owned())
        };
        // A list that denies names a glob with what lies below it; the glob itself is in front.
        let patterns: BTreeSet<String> = of_kind("Glob")
            .map(|id| id.strip_suffix(" and below").map_or(id.clone(), str::to_owned))
            .collect();
        let host_globs = of_kind("HostGlob").map(|id| {
            let glob = HostGlob::parse(&id).ok()?;
            Some((glob, entity("HostGlob", &id)))
        });
        let branch_globs = of_kind("BranchGlob").map(|id| {
            // `*` crosses slashes: who protects `release/*` means `release/1/hotfix` as well.
            let glob = globset::GlobBuilder::new(&id).build().ok()?;
            Some((glob.compile_matcher(), entity("BranchGlob", &id)))
        });
        Some(Self {
            path_globs: PathGlobs::new(patterns)?,
            host_globs: host_globs.collect::<Option<_>>()?,
            branch_globs: branch_globs.collect::<Option<_>>()?,
        })
    }

    pub(crate) fn hosts_like(&self, host: &WebHost) -> impl Iterator<Item = EntityUid> {
        self.host_globs.iter().filter(|(glob, _)| glob.matches(host)).map(|(_, name)| name.clone())
    }

    pub(crate) fn branches_like(&self, branch: &str) -> impl Iterator<Item = EntityUid> {
        self.branch_globs.iter().filter(move |(glob, _)| glob.is_match(branch)).map(|(_, name)| name.clone())
    }
}
