//! The rules of a policy, filed by what they can speak of.
//!
//! A question is put only to rules that name its action, its authority, and the resource or one of
//! the groups it is in; what does not concern a call costs it nothing. Leaving the others out is
//! sound, because a rule whose scope does not hold never speaks.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use call::{AbsolutePath, ReasonCode, WebAddress, WebHost};
use cedar_policy::{
    ActionConstraint, Authorizer, Decision, Effect, EntityUid, Policy, PolicySet, PrincipalConstraint,
    ResourceConstraint,
};
use globset::Candidate;

use super::filing::Filing;
use super::globs::PathGlobs;
use super::question::{Authority, Circumstances, Put, Question, Spelled};
use super::quick::Quick;
use super::rule::{Remark, entity};
use crate::entry::HostGlob;

/// All rules, ready to be asked.
#[derive(Debug)]
pub(crate) struct Index {
    // By the authority that rules name, if they do.
    of_home: Shelf,
    of_skills: Filing<String, Shelf>,
    of_anybody: Shelf,
    remarks: HashMap<String, Remark>,
    pub(crate) names: Names,
    authorizer: Authorizer,
}

/// Rules of one authority: a cabinet for each of [`ACTIONS`], in that order.
#[derive(Debug, Default)]
struct Shelf([Cabinet; ACTIONS.len()]);

/// Rules about one action by one authority.
#[derive(Debug, Default)]
struct Cabinet {
    of_any: Drawer,
    of: Filing<EntityUid, Drawer>,
}

/// Rules about one resource, or about none in particular.
#[derive(Debug, Default)]
struct Drawer {
    quick: Vec<Arc<Filed>>,
    // Those that only Cedar can answer.
    others: PolicySet,
}

#[derive(Debug)]
struct Filed {
    id: String,
    permits: bool,
    quick: Quick,
    policy: Policy,
}

/// Which drawer a rule lies in. What a rule leaves open is nothing here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    // Its place among [`ACTIONS`].
    action: usize,
    authority: Option<EntityUid>,
    resource: Option<EntityUid>,
}

/// Names that rules speak of and that a resource may be like.
#[derive(Debug, Default)]
pub(crate) struct Names {
    paths: Filing<Box<str>, EntityUid>,
    path_globs: PathGlobs,
    // What lies in a folder is in these. It follows from the folder and the names above alone; agents ask about many
    // things in few folders, and to match globs takes longer than the rest of a question.
    folders: RwLock<HashMap<Box<str>, Arc<[EntityUid]>>>,
    // Origins, hosts and domains: what an address is in, by its kind and name.
    addresses: [(&'static str, Filing<Box<str>, EntityUid>); 3],
    // Most entries are hosts and no patterns; they cost nothing unless they are the one asked about.
    hosts: HashMap<WebHost, Vec<EntityUid>>,
    host_globs: Vec<(HostGlob, EntityUid)>,
    branch_globs: Vec<(globset::GlobMatcher, EntityUid)>,
}

/// What the rules said to one question.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spoken<'i> {
    /// Rules that allow.
    pub(crate) permits: BTreeSet<&'i str>,
    /// Rules that refuse.
    pub(crate) forbids: BTreeSet<&'i str>,
    /// A rule could not be evaluated.
    pub(crate) failed: bool,
}

impl Spoken<'_> {
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

/// The place of an action in [`ACTIONS`].
fn place_of(action: &str) -> Option<usize> {
    ACTIONS.iter().position(|name| *name == action)
}

/// The authority that an entity of Cedar stands for.
fn named(entity: &EntityUid) -> Option<Authority> {
    let id = entity.id().unescaped();
    let authority = match entity.type_name().to_string().as_str() {
        "Home" => Authority::Home,
        "Skill" => Authority::Skill(id.to_owned()),
        _ => return None,
    };
    (authority.entity() == *entity).then_some(authority)
}

impl Index {
    /// Files all rules. Nothing comes back when two have one id or a glob is none, which reading the
    /// policy has ruled out before.
    pub(crate) fn new(policies: impl IntoIterator<Item = Policy>) -> Option<Self> {
        let (mut of_home, mut of_skills, mut of_anybody) = <(Shelf, Filing<String, Shelf>, Shelf)>::default();
        let mut remarks = HashMap::new();
        let mut literals = BTreeSet::new();
        for policy in policies {
            // Asked for by name, Cedar would parse the name each time.
            let said = |wanted| policy.annotations().find(|(name, _)| *name == wanted).map(|(_, said)| said);
            let reason = said("reason").and_then(ReasonCode::parse);
            let remedy = said("remedy").map(str::to_owned);
            if remarks.insert(policy.id().to_string(), Remark { reason, remedy }).is_some() {
                return None;
            }
            literals.extend(policy.entity_literals());
            let filed = Quick::of(&policy).map(|quick| Arc::new(Filed::new(&policy, quick)));
            for Key { action, authority, resource } in keys(&policy) {
                let shelf = match authority.as_ref().map(named) {
                    None => &mut of_anybody,
                    Some(Some(Authority::Home)) => &mut of_home,
                    Some(Some(Authority::Skill(name))) => of_skills.entry(name).or_default(),
                    // Nobody acts by it.
                    Some(None) => continue,
                };
                let cabinet = shelf.0.get_mut(action)?;
                let drawer = match resource {
                    Some(resource) => cabinet.of.entry(resource).or_default(),
                    None => &mut cabinet.of_any,
                };
                drawer.add(&policy, filed.as_ref())?;
            }
        }
        let names = Names::of(&literals)?;
        Some(Self { of_home, of_skills, of_anybody, remarks, names, authorizer: Authorizer::new() })
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
    ) -> Spoken<'_> {
        let put = Put { question, circumstances, approved };
        let mut spoken = Spoken::default();
        let mut beyond = Beyond::default();
        let shelf = match authority {
            Authority::Home => Some(&self.of_home),
            Authority::Skill(name) => self.of_skills.get(name),
        };
        for shelf in shelf.into_iter().chain([&self.of_anybody]) {
            let Some(cabinet) = place_of(question.action).and_then(|place| shelf.0.get(place)) else {
                continue;
            };
            let groups = question.members.iter().chain([&question.resource]);
            let drawers = groups.filter_map(|group| cabinet.of.get(group)).chain([&cabinet.of_any]);
            drawers.for_each(|drawer| drawer.ask(&put, &mut spoken, &mut beyond));
        }
        self.ask_cedar(&beyond, &put, authority, &mut spoken);
        spoken
    }

    /// Puts a question to the rules that only Cedar can answer, if there are any.
    fn ask_cedar<'i>(
        &'i self,
        beyond: &Beyond<'_>,
        put: &Put<'_>,
        authority: &Authority,
        spoken: &mut Spoken<'i>,
    ) {
        if beyond.sets.is_empty() && beyond.rules.is_empty() {
            return;
        }
        let asked = put.question.put(authority, put.circumstances, put.approved);
        let rules = PolicySet::from_policies(beyond.rules.values().map(|policy| (*policy).clone()));
        let (Some((request, entities)), Ok(rules)) = (asked, rules) else {
            spoken.failed = true;
            return;
        };
        for set in beyond.sets.iter().copied().chain([&rules]) {
            let response = self.authorizer.is_authorized(&request, set, &entities);
            for rule in response.diagnostics().reason() {
                // Every rule has a remark.
                match (self.remarks.get_key_value(AsRef::<str>::as_ref(rule)), response.decision()) {
                    (Some((rule, _)), Decision::Allow) => drop(spoken.permits.insert(rule)),
                    (Some((rule, _)), Decision::Deny) => drop(spoken.forbids.insert(rule)),
                    (None, Decision::Allow | Decision::Deny) => spoken.failed = true,
                }
            }
            spoken.failed |= response.diagnostics().errors().next().is_some();
        }
    }
}

/// Rules that only Cedar can answer.
#[derive(Default)]
struct Beyond<'i> {
    sets: Vec<&'i PolicySet>,
    // By their ids: a rule about several things is met more than once.
    rules: BTreeMap<&'i str, &'i Policy>,
}

impl Filed {
    fn new(policy: &Policy, quick: Quick) -> Self {
        let permits = policy.effect() == Effect::Permit;
        Self { id: policy.id().to_string(), permits, quick, policy: policy.clone() }
    }
}

impl Drawer {
    /// Nothing comes back when there is a rule of this id already.
    fn add(&mut self, policy: &Policy, filed: Option<&Arc<Filed>>) -> Option<()> {
        match filed {
            Some(filed) => self.quick.push(Arc::clone(filed)),
            None => self.others.add(policy.clone()).ok()?,
        }
        Some(())
    }

    fn ask<'i>(&'i self, put: &Put<'_>, spoken: &mut Spoken<'i>, beyond: &mut Beyond<'i>) {
        for filed in &self.quick {
            let Filed { id, permits, quick, policy } = &**filed;
            match quick.speaks(policy, put) {
                Some(false) => {}
                Some(true) if *permits => drop(spoken.permits.insert(id)),
                Some(true) => drop(spoken.forbids.insert(id)),
                None => drop(beyond.rules.insert(id, policy)),
            }
        }
        if !self.others.is_empty() {
            beyond.sets.push(&self.others);
        }
    }
}

/// Whether a rule can speak of an action that is asked for by an authority.
pub(crate) fn concerns(policy: &Policy, authority: &EntityUid, action: &str) -> bool {
    let action = place_of(action);
    let of_this = |key: &Key| {
        Some(key.action) == action && key.authority.as_ref().is_none_or(|named| named == authority)
    };
    keys(policy).iter().any(of_this)
}

/// The drawers that a rule belongs into.
fn keys(policy: &Policy) -> Vec<Key> {
    let place = |action: &EntityUid| place_of(action.id().unescaped());
    let actions: Vec<usize> = match policy.action_constraint() {
        ActionConstraint::Any => (0..ACTIONS.len()).collect(),
        ActionConstraint::In(actions) => actions.iter().filter_map(place).collect(),
        ActionConstraint::Eq(action) => place(&action).into_iter().collect(),
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
        let (mut hosts, mut host_globs): (HashMap<WebHost, Vec<EntityUid>>, _) = Default::default();
        for id in of_kind("HostGlob") {
            let glob = HostGlob::parse(&id).ok()?;
            let name = entity("HostGlob", &id);
            match &glob.exact {
                Some(host) => hosts.entry(host.clone()).or_default().push(name),
                None => Vec::push(&mut host_globs, (glob, name)),
            }
        }
        let branch_globs = of_kind("BranchGlob").map(|id| {
            // `*` crosses slashes: who protects `release/*` means `release/1/hotfix` as well.
            // And `Main` is `main` on forges and disks that fold case.
            let glob = globset::GlobBuilder::new(&id).case_insensitive(true).build().ok()?;
            Some((glob.compile_matcher(), entity("BranchGlob", &id)))
        });
        let filed = |kind: &'static str| -> Filing<Box<str>, EntityUid> {
            of_kind(kind).map(|id| (Box::from(id.as_str()), entity(kind, &id))).collect()
        };
        Some(Self {
            paths: filed("Path"),
            path_globs: PathGlobs::new(patterns)?,
            folders: RwLock::default(),
            addresses: ["Origin", "Host", "Domain"].map(|kind| (kind, filed(kind))),
            hosts,
            host_globs,
            branch_globs: branch_globs.collect::<Option<_>>()?,
        })
    }

    /// Folders that a path lies in and globs that match it, as far as any rule names them. What no rule names,
    /// no rule asks about.
    pub(crate) fn paths_like(&self, path: &AbsolutePath) -> Vec<EntityUid> {
        let mut like = Vec::with_capacity(8);
        self.path_globs
            .matching(path.as_str(), |glob| like.extend([glob.allows.clone(), glob.denies.clone()]));
        if let Some(folder) = path.texts_above().nth(1) {
            like.extend_from_slice(&self.folder(folder));
        }
        like
    }

    /// What everything in a folder is a member of.
    fn folder(&self, folder: &str) -> Arc<[EntityUid]> {
        /// Folders that are remembered.
        const MOST: usize = 256;
        if let Some(known) = self.folders.read().unwrap_or_else(PoisonError::into_inner).get(folder) {
            return Arc::clone(known);
        }
        let mut all = Vec::new();
        for above in std::iter::successors(Some(folder), |path| AbsolutePath::text_above(path)) {
            all.extend(self.paths.get(above).cloned());
            self.path_globs.matching(above, |glob| all.push(glob.denies.clone()));
        }
        let all: Arc<[EntityUid]> = all.into();
        let mut folders = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        if folders.len() >= MOST {
            folders.clear();
        }
        folders.insert(folder.into(), Arc::clone(&all));
        all
    }

    /// Origin, host and domains of an address, as far as any rule names them.
    pub(super) fn addresses_like(&self, url: &WebAddress, spelled: &Spelled) -> Vec<EntityUid> {
        let named = |(kind, name): (&str, &str)| {
            let (_, filed) = self.addresses.iter().find(|(known, _)| *known == kind)?;
            filed.get(name).cloned()
        };
        spelled.names(url).filter_map(named).collect()
    }

    /// Entries that cover a host, which is also given as it is shown.
    pub(crate) fn hosts_like(&self, host: &WebHost, shown: &str) -> impl Iterator<Item = EntityUid> {
        let candidate = (!self.host_globs.is_empty()).then(|| Candidate::new(shown));
        let covers = |glob: &HostGlob| candidate.as_ref().is_some_and(|shown| glob.matches(shown));
        let like: Vec<&EntityUid> =
            self.host_globs.iter().filter(|(glob, _)| covers(glob)).map(|(_, name)| name).collect();
        self.hosts.get(host).into_iter().flatten().chain(like).cloned()
    }

    pub(crate) fn branches_like(&self, branch: &str) -> impl Iterator<Item = EntityUid> {
        self.branch_globs.iter().filter(move |(glob, _)| glob.is_match(branch)).map(|(_, name)| name.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use call::{AbsolutePath, Lane, Moment};
    use cedar_policy::{Authorizer, Effect, PolicySet};

    use super::Names;
    use crate::cedar::rule::entity;
    use crate::cedar::{Authority, Circumstances, Question, folders_of};
    use crate::compare::probes;
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

    const HOME: &str = r#"
        read_only = true
        allowed_roots = ["/w", "/data"]
        write_paths = ["/w/out", "/w/**/*.md"]
        deny = ["/w/secret", "**/*.key"]
        approval_required = ["write_file", "run_shell", "memory_store", "network_fetch"]
        [network]
        enabled = true
        allowlist = ["*", "a.example", "https://b.example", "c.example:8443", "*.d.example", "127.0.0.1:80"]
        denylist = ["*.evil.example", "a.b*"]
        [lanes]
        minimum = "microvm"
        without_approval = ["monty"]
        [secrets]
        allowed_scopes = ["one"]
        [organisation]
        stage = "ci"
        [organisation.roles]
        reader = ["ada"]
    "#;

    const SKILL: &str = r#"{"name": "web_research", "version": "1.0.0", "risk_tier": "high",
        "tools": {"allow": ["network_fetch", "read_file"], "deny": ["exec_shell"]},
        "filesystem": {"read_paths": ["/w"], "write_paths": [], "deny_paths": ["/w/secret"]},
        "network": {"enabled": true, "allowlist": ["a.example"], "denylist": []},
        "secrets": {"allowed_scopes": ["one"]},
        "limits": {"max_runtime_seconds": 60, "max_files_written": 1, "max_bytes_written": 1, "sandbox_required": true}}"#;

    const ORGANISATION: &str = r#"
        @id("a") forbid (principal in Role::"reader", action == Action::"read", resource) when { context has stage && context.stage == "ci" };
        @id("b") forbid (principal, action, resource) when { (context has stage && context.stage == "production") || context.tool like "x*" };
        @id("c") forbid (principal, action == Action::"network", resource) when { resource.host like "*c.ex*" };
        @id("d") forbid (principal, action == Action::"write", resource) when { context.bytes > 10 && context.binary };
        @id("e") forbid (principal, action == Action::"call", resource == Tool::"memory_store") unless { context.approved };
        @id("f") forbid (principal, action == Action::"read", resource) when { context has tenant && context.tenant == "t" };
        @id("g") forbid (principal, action == Action::"read", resource) when { context.time < datetime("2020-01-01") };
    "#;

    #[test]
    fn what_is_remembered_of_a_folder_is_what_is_found_in_it() {
        let globs = ["/w/3?", "/w/**/*.rs", "/w/29[0-9]/**", "/w/{1,2}"];
        let mut literals: BTreeSet<_> = globs.iter().map(|glob| entity("Glob", glob)).collect();
        literals.extend(globs.iter().map(|glob| entity("Glob", &format!("{glob} and below"))));
        literals.extend(["/", "/w", "/w/7", "/w/7/a.rs", "/w/300"].map(|path| entity("Path", path)));
        let known = Names::of(&literals).unwrap();
        for number in (0..310).chain(0..40) {
            let path = AbsolutePath::parse(&format!("/w/{number}/a.rs")).unwrap();
            let found: BTreeSet<_> = known.paths_like(&path).into_iter().collect();
            let mut want: BTreeSet<_> =
                folders_of(&path).filter(|folder| literals.contains(folder)).collect();
            for (above, place) in path.and_above().enumerate() {
                known.path_globs.matching(place.as_str(), |glob| {
                    want.extend((above == 0).then(|| glob.allows.clone()));
                    want.insert(glob.denies.clone());
                });
            }
            assert_eq!(found, want, "{path}");
            assert!(known.folders.read().unwrap().len() <= 256);
        }
    }

    #[test]
    fn quick_answers_are_what_cedar_answers() {
        let files = [
            ("policy.toml", HOME),
            ("skills/web_research/PERMISSIONS.json", SKILL),
            ("policies/own.cedar", ORGANISATION),
        ];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let loaded = Policy::load(&PolicyFiles(files.into()), &Nowhere(AbsolutePath::parse("/w").unwrap()));
        let policy = loaded.policy.unwrap_or_else(|| panic!("{:?}", loaded.findings));
        assert!(!policy.skills.is_empty(), "{:?}", loaded.findings);
        let now = Moment::from_civil((2026, 3, 1), (12, 0, 0)).unwrap();
        let authorizer = Authorizer::new();
        let mut spoke = BTreeSet::new();
        let mut asked = 0;
        for probe in probes(&policy, &policy) {
            let circumstances =
                Circumstances { tool: &probe.tool, actor: &probe.actor, home: &policy.home, now };
            let names = &policy.index.names;
            let of = |effect| Question::of_effect(effect, Some(Lane::Jail), names);
            let mut questions: Vec<Question> = probe.effects.iter().flat_map(of).collect();
            questions.push(Question::of_tool(&probe.tool));
            let authority = match probe.actor.skills.skills().first() {
                Some(skill) => Authority::Skill(skill.to_string()),
                None => Authority::Home,
            };
            for (question, approved) in
                questions.iter().flat_map(|question| [(question, false), (question, true)])
            {
                let quick = policy.index.ask(question, &authority, &circumstances, approved);
                // Cedar is told of every folder, whether a rule names it or not.
                let mut whole = question.clone();
                if let Some(path) = AbsolutePath::parse(whole.resource.id().unescaped())
                    && whole.resource.type_name().to_string() == "Path"
                {
                    whole.members.extend(folders_of(&path));
                }
                let (request, entities) = whole.put(&authority, &circumstances, approved).unwrap();
                let speaks = |effect: Effect| -> BTreeSet<&str> {
                    let own = policy.rules.iter().filter(|rule| rule.effect() == effect);
                    let said = own.filter(|rule| {
                        let set = PolicySet::from_policies([(*rule).clone()]).unwrap();
                        let answer = authorizer.is_authorized(&request, &set, &entities);
                        answer.diagnostics().reason().next().is_some()
                    });
                    said.map(|rule| AsRef::<str>::as_ref(rule.id())).collect()
                };
                assert_eq!(quick.permits, speaks(Effect::Permit), "{}", probe.example);
                assert_eq!(quick.forbids, speaks(Effect::Forbid), "{}", probe.example);
                spoke.extend(quick.permits.into_iter().chain(quick.forbids).map(str::to_owned));
                asked += 1;
            }
        }
        // Most of the rules were heard, and so were several of the organisation's.
        assert!(asked > 500 && spoke.len() > 30, "{asked} {spoke:?}");
        assert!(spoke.iter().filter(|rule| rule.starts_with("policies/")).count() >= 3, "{spoke:?}");
    }
}
