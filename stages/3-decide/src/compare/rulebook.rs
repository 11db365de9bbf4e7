//! The rules of a policy, filed for a comparison: what differs at all, and which of them matter for a few
//! calls.
//!
//! A policy of thousands of globs looks at each of them for every call. A comparison asks about thousands of
//! calls, so it asks excerpts: the rules that can speak of a batch of calls and no others. Leaving the others
//! out is sound, because a rule whose scope does not hold never speaks.

use std::collections::{BTreeSet, HashMap, HashSet};

use call::{Effect, PathPlace, SkillName};
use cedar_policy::{
    ActionConstraint, EntityId, EntityTypeName, EntityUid, Policy as CedarPolicy, PolicyId,
    PrincipalConstraint, ResourceConstraint,
};

use super::literals::Literals;
use super::typed::Typed;
use crate::cedar::{ACTIONS, Authority, Index, Question, folders_of, groups_of};
use crate::home::{Home, Network};
use crate::policy::Policy;
use crate::skill::Skill;

/// Policies with at most so many rules are asked as they are.
const SMALL: usize = 400;

/// Actions on paths, which lie in a root or are refused.
pub(super) const PATHS: [&str; 3] = ["read", "write", "delete"];

/// The rules of a policy by the authority that they name, if they do.
#[derive(Debug)]
pub struct Rulebook<'p> {
    policy: &'p Policy,
    rules: HashMap<Option<EntityUid>, Vec<&'p CedarPolicy>>,
}

impl<'p> Rulebook<'p> {
    /// Files the rules of a policy.
    #[must_use]
    pub fn of(policy: &'p Policy) -> Self {
        let mut rules: HashMap<_, Vec<_>> = HashMap::new();
        for rule in &policy.rules {
            rules.entry(authority(rule)).or_default().push(rule);
        }
        Self { policy, rules }
    }

    pub(super) const fn policy(&self) -> &'p Policy {
        self.policy
    }

    /// The rules that name an authority, and those that name none.
    pub(super) fn rules_of(&self, authority: &EntityUid) -> impl Iterator<Item = &'p CedarPolicy> {
        let own = self.rules.get(&Some(authority.clone())).into_iter().flatten();
        own.chain(self.rules.get(&None).into_iter().flatten()).copied()
    }

    /// What the gate refuses before any rule is asked, as a rule: paths outside of every root. Nothing comes
    /// back when it cannot be written down.
    pub(super) fn outside(&self) -> Option<CedarPolicy> {
        let kind: EntityTypeName = "Path".parse().ok()?;
        let within = self.policy.home.roots().into_iter().map(|root| {
            let root = EntityUid::from_type_name_and_id(kind.clone(), EntityId::new(root.as_str()));
            format!("resource in {root}")
        });
        let within: Vec<String> = within.collect();
        let unless = if within.is_empty() { "false".to_owned() } else { within.join(" || ") };
        let text = format!("forbid (principal, action, resource) unless {{ {unless} }};");
        CedarPolicy::parse(Some(PolicyId::new("toolgate#roots")), text).ok()
    }

    /// The texts of the rules, by the authority that they name and the actions that they speak of.
    fn texts(&self) -> HashMap<(Option<EntityUid>, &'static str), BTreeSet<String>> {
        let mut texts: HashMap<_, BTreeSet<String>> = HashMap::new();
        for (authority, rules) in &self.rules {
            for rule in rules {
                for action in actions(rule) {
                    texts.entry((authority.clone(), action)).or_default().insert(rule.to_string());
                }
            }
        }
        texts
    }
}

/// What two policies have different rules about.
#[derive(Debug)]
pub(super) struct Differences {
    of: HashSet<(Option<EntityUid>, &'static str)>,
    // Who is in which role, the stage and the tenant may matter to any rule.
    everywhere: bool,
    lanes: bool,
    scopes: bool,
    roots: bool,
}

impl Differences {
    pub(super) fn of(old: &Rulebook<'_>, new: &Rulebook<'_>) -> Self {
        let (one, other) = (&old.policy.home, &new.policy.home);
        let (before, after) = (old.texts(), new.texts());
        let keys: HashSet<_> = before.keys().chain(after.keys()).collect();
        let of = keys.into_iter().filter(|key| before.get(*key) != after.get(*key)).cloned().collect();
        Self {
            of,
            everywhere: one.organisation != other.organisation,
            lanes: one.lanes != other.lanes,
            scopes: one.scopes != other.scopes,
            roots: one.roots() != other.roots(),
        }
    }

    /// Whether what decides about an action differs, for an authority or for all.
    pub(super) fn concern(&self, authority: &EntityUid, action: &'static str) -> bool {
        self.roots && PATHS.contains(&action)
            || self.of.contains(&(None, action))
            || self.of.contains(&(Some(authority.clone()), action))
    }

    /// Whether anything differs that decides about the calls of a skill.
    pub(super) fn concern_skill(&self, skill: Option<&SkillName>) -> bool {
        let skill = skill.map(|skill| Authority::Skill(skill.to_string()));
        let mut authorities =
            std::iter::once(Authority::Home).chain(skill).map(|authority| authority.entity());
        let differs = |authority: EntityUid| ACTIONS.iter().any(|action| self.concern(&authority, action));
        self.everywhere || self.lanes || self.scopes || authorities.any(differs)
    }

    /// Whether anything differs that decides about a call. Where nothing does, both policies say the same.
    pub(super) fn decide(&self, skill: Option<&SkillName>, effect: &Effect) -> bool {
        let (own, beyond_rules) = match effect {
            Effect::Read { .. } => (Some("read"), false),
            Effect::Write { .. } => (Some("write"), false),
            Effect::Delete { .. } => (Some("delete"), false),
            Effect::Run(_) => (Some("run"), self.lanes),
            Effect::Network(_) => (Some("network"), false),
            Effect::Secret { .. } => (Some("secret"), self.scopes),
            Effect::Query(query) => (Some(access(query.access, "query", "execute")), false),
            Effect::Memory(call::MemoryUse::Recall { .. }) => (Some("recall"), false),
            Effect::Memory(call::MemoryUse::Store { .. }) => (Some("store"), false),
            Effect::Repository(used) => (Some(access(used.access, "look", "propose")), false),
            Effect::Status => (Some("status"), false),
            Effect::Nothing | Effect::Unknown { .. } => (None, false),
        };
        let skill = skill.map(|skill| Authority::Skill(skill.to_string()));
        let mut authorities = std::iter::once(Authority::Home).chain(skill);
        let differs = |authority: Authority| {
            let authority = authority.entity();
            ["call"].into_iter().chain(own).any(|action| self.concern(&authority, action))
        };
        self.everywhere || beyond_rules || authorities.any(differs)
    }
}

const fn access(access: call::Access, read: &'static str, write: &'static str) -> &'static str {
    match access {
        call::Access::Read => read,
        call::Access::Write => write,
    }
}

/// A policy, ready to be asked about batches of calls.
pub(super) struct Excerpts<'p> {
    policy: &'p Policy,
    // By the authority and the resource that they name, if they do.
    rules: HashMap<(Option<EntityUid>, Option<EntityUid>), Vec<&'p CedarPolicy>>,
    path_globs: Literals,
    host_globs: Literals,
    no_names: Index,
    home: Home,
}

impl<'p> Excerpts<'p> {
    /// Nothing comes back for a policy that is best asked as it is.
    pub(super) fn of(book: &Rulebook<'p>) -> Option<Self> {
        let policy = book.policy;
        if policy.rules.len() <= SMALL {
            return None;
        }
        let mut rules: HashMap<_, Vec<_>> = HashMap::new();
        let mut globs: HashMap<EntityUid, (bool, String)> = HashMap::new();
        for (authority, filed) in &book.rules {
            for rule in filed {
                let resource = resource(rule);
                if let Some(name) = &resource {
                    let id = name.id().unescaped();
                    match name.type_name().to_string().as_str() {
                        "Glob" => {
                            let glob = id.strip_suffix(" and below").unwrap_or(id);
                            globs.insert(name.clone(), (true, glob.to_owned()));
                        }
                        "HostGlob" => drop(globs.insert(name.clone(), (false, host_glob(id).to_owned()))),
                        _ => {}
                    }
                }
                rules.entry((authority.clone(), resource)).or_default().push(*rule);
            }
        }
        let of_kind = |paths: bool| -> Literals {
            let globs = globs.iter().filter(|(_, (is_path, _))| *is_path == paths);
            Literals::new(globs.map(|(name, (_, glob))| (glob.clone(), name.clone())).collect())
        };
        // Only its lists of paths and hosts are long, and those are rules by now.
        let network = Network { allow: Vec::new(), deny: Vec::new(), ..policy.home.network };
        let home = Home {
            allowed_roots: Vec::new(),
            write_paths: Vec::new(),
            deny: Vec::new(),
            network,
            ..policy.home.clone()
        };
        let (path_globs, host_globs) = (of_kind(true), of_kind(false));
        Some(Self { policy, rules, path_globs, host_globs, no_names: Index::new([])?, home })
    }

    /// The policy as far as it can speak of a few calls. Nothing comes back when there is none such.
    pub(super) fn about(&self, calls: &[(Option<&SkillName>, Typed)]) -> Option<Policy> {
        let names = self.names(calls);
        let skills: BTreeSet<&SkillName> = calls.iter().filter_map(|(skill, _)| *skill).collect();
        let of_skills = skills.iter().map(|skill| Some(Authority::Skill(skill.to_string()).entity()));
        let authorities = [None, Some(Authority::Home.entity())].into_iter().chain(of_skills);
        let mut kept = Vec::new();
        for authority in authorities {
            let of_any = self.rules.get(&(authority.clone(), None));
            let named =
                names.iter().filter_map(|name| self.rules.get(&(authority.clone(), Some(name.clone()))));
            kept.extend(of_any.into_iter().chain(named).flatten().map(|rule| (*rule).clone()));
        }
        let texts: HashSet<&str> = names.iter().map(|name| name.id().unescaped()).collect();
        let roots = self.policy.home.allowed_roots.iter();
        let roots = roots.filter(|root| root.folder().is_some_and(|folder| texts.contains(folder.as_str())));
        let home = Home { allowed_roots: roots.cloned().collect(), ..self.home.clone() };
        let known = skills.into_iter().filter_map(|name| self.policy.skills.get(name));
        let skills = known.map(|skill| (skill.name.clone(), without_lists(skill))).collect();
        Some(Policy {
            digest: self.policy.digest,
            home,
            skills,
            invalid: self.policy.invalid.clone(),
            index: Index::new(kept)?,
            rules: Vec::new(),
        })
    }

    /// Everything that the calls are about, and everything that it may be a member of.
    fn names(&self, calls: &[(Option<&SkillName>, Typed)]) -> HashSet<EntityUid> {
        let mut names = HashSet::new();
        let mut paths: BTreeSet<&str> = BTreeSet::new();
        for (_, call) in calls {
            let of_tool = call.tool.parse().map(|tool| Question::of_tool(&tool)).ok();
            let of_effects = call.effects.iter().filter(|effect| match effect {
                // One question about a path is enough, whatever is done to it.
                Effect::Read { path, .. } | Effect::Write { path, .. } | Effect::Delete { path } => {
                    paths.insert(&path.given)
                }
                Effect::Run(_)
                | Effect::Network(_)
                | Effect::Secret { .. }
                | Effect::Query(_)
                | Effect::Memory(_)
                | Effect::Repository(_)
                | Effect::Status
                | Effect::Nothing
                | Effect::Unknown { .. } => true,
            });
            for effect in of_effects {
                if let Effect::Network(request) = effect {
                    names.extend(self.host_globs.of(&request.url.host.to_string()).cloned());
                    names.extend(groups_of(&request.url));
                }
                if let Effect::Repository(used) = effect {
                    let branch = used.branch.as_deref().unwrap_or_default();
                    names.extend(self.policy.index.names.branches_like(branch));
                }
                for question in Question::of_effect(effect, None, &self.no_names.names) {
                    names.extend(question.members);
                    if let Effect::Read { path, .. } | Effect::Write { path, .. } | Effect::Delete { path } =
                        effect
                        && let PathPlace::Below { path, .. } = &path.place
                    {
                        names.extend(folders_of(path));
                    }
                    names.insert(question.resource);
                }
            }
            if let Some(question) = of_tool {
                names.extend(question.members);
                names.insert(question.resource);
            }
        }
        for path in paths {
            names.extend(self.path_globs.of(path).cloned());
        }
        names
    }
}

fn without_lists(skill: &Skill) -> Skill {
    let network = Network { allow: Vec::new(), deny: Vec::new(), ..skill.network };
    let none = Vec::new;
    Skill { read_paths: none(), write_paths: none(), deny_paths: none(), network, ..skill.clone() }
}

/// A glob over hosts, as far as it is written in the letters of hosts.
fn host_glob(id: &str) -> &str {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "*?-.".contains(c);
    if id.chars().all(plain) { id.trim_end_matches('.') } else { "*" }
}

fn authority(rule: &CedarPolicy) -> Option<EntityUid> {
    match rule.principal_constraint() {
        PrincipalConstraint::In(group) | PrincipalConstraint::IsIn(_, group) => {
            matches!(group.type_name().to_string().as_str(), "Home" | "Skill").then_some(group)
        }
        PrincipalConstraint::Any | PrincipalConstraint::Eq(_) | PrincipalConstraint::Is(_) => None,
    }
}

fn resource(rule: &CedarPolicy) -> Option<EntityUid> {
    match rule.resource_constraint() {
        ResourceConstraint::In(resource)
        | ResourceConstraint::Eq(resource)
        | ResourceConstraint::IsIn(_, resource) => Some(resource),
        ResourceConstraint::Any | ResourceConstraint::Is(_) => None,
    }
}

fn actions(rule: &CedarPolicy) -> Vec<&'static str> {
    let named = |action: &EntityUid| ACTIONS.into_iter().find(|name| *action.id().unescaped() == **name);
    match rule.action_constraint() {
        ActionConstraint::Any => ACTIONS.to_vec(),
        ActionConstraint::In(actions) => actions.iter().filter_map(named).collect(),
        ActionConstraint::Eq(action) => named(&action).into_iter().collect(),
    }
}
