//! The calls by which two policies are compared.

use std::collections::{BTreeSet, HashSet};

use call::{
    AbsolutePath, Access, Actor, AgentName, CallContext, Effect, Lane, MemoryUse, SkillChain, SkillName,
    ToolName, WebAddress,
};

use super::Risk;
use super::typed::{CALLER, Typed};
use crate::entry::{Covered, HostEntry, Hosts, PathEntry};
use crate::home::{Network, Provider};
use crate::policy::Policy;

/// One call to compare by.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The tool.
    pub tool: ToolName,
    /// Who calls.
    pub actor: Actor,
    /// What it would do.
    pub effects: Vec<Effect>,
    /// The call as it can be typed.
    pub example: String,
}

impl Probe {
    /// How much it matters when this becomes possible.
    #[must_use]
    pub fn risk(&self) -> Risk {
        self.effects.iter().map(risk).max().unwrap_or(Risk::High)
    }
}

fn risk(effect: &Effect) -> Risk {
    match effect {
        Effect::Read { path, .. } if is_wide(&path.given) => Risk::High,
        Effect::Read { .. } | Effect::Status | Effect::Nothing | Effect::Memory(MemoryUse::Recall { .. }) => {
            Risk::Medium
        }
        Effect::Query(query) if query.access == Access::Read => Risk::Medium,
        Effect::Repository(used) if used.access == Access::Read => Risk::Medium,
        Effect::Write { .. }
        | Effect::Delete { .. }
        | Effect::Run(_)
        | Effect::Network(_)
        | Effect::Secret { .. }
        | Effect::Query(_)
        | Effect::Memory(MemoryUse::Store { .. })
        | Effect::Repository(_)
        | Effect::Unknown { .. } => Risk::High,
    }
}

/// A folder that holds somebody's home, or is the root of everything.
fn is_wide(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [] | ["root" | "home" | "Users"] => true,
        ["home" | "Users", _] => true,
        ["root", inside, ..] | ["home" | "Users", _, inside, ..] => inside.starts_with('.'),
        _ => false,
    }
}

/// The calls by which two policies are compared, authority by authority.
pub(super) struct Corners<'p> {
    both: [&'p Policy; 2],
    home: Points,
    fixed: Vec<Typed>,
    agents: Vec<AgentName>,
}

impl<'p> Corners<'p> {
    pub(super) fn of(old: &'p Policy, new: &'p Policy) -> Self {
        let both = [old, new];
        let mut fixed = Vec::new();
        runs(both, &mut fixed);
        names(both, &mut fixed);
        Self { both, home: Points::of_home(both), fixed, agents: agents(both) }
    }

    /// No skill, and every skill that one of them knows.
    pub(super) fn skills(&self) -> Vec<Option<SkillName>> {
        let known = self.both.iter().flat_map(|policy| policy.skills.keys().chain(&policy.invalid));
        let known: BTreeSet<&SkillName> = known.collect();
        std::iter::once(None).chain(known.into_iter().cloned().map(Some)).collect()
    }

    /// What a skill is asked about: the corner points of the home and its own. Those of other skills
    /// say nothing about it.
    pub(super) fn calls_of(&self, skill: Option<&SkillName>) -> Vec<Typed> {
        let own = skill.map(|skill| Points::of_skill(self.both, skill)).unwrap_or_default();
        let mut calls = Vec::new();
        paths(self.home.paths.union(&own.paths), &mut calls);
        other_tools(self.home.inside.union(&own.inside), &mut calls);
        hosts(self.home.urls.union(&own.urls), &mut calls);
        secrets(self.both, self.home.scopes.union(&own.scopes), &mut calls);
        calls.extend(self.fixed.iter().cloned());
        calls
    }

    /// A call by an ordinary agent, and by one of each role.
    pub(super) fn by_all(&self, skill: Option<&SkillName>, call: &Typed) -> Vec<Probe> {
        let chain = skill.map_or_else(|| Ok(SkillChain::default()), |skill| skill.as_str().parse());
        let Ok(skills) = chain else { return Vec::new() };
        let is_secret = call.effects.iter().any(|effect| matches!(effect, Effect::Secret { .. }));
        let context = if is_secret { CallContext::Operator } else { CallContext::Agent };
        self.agents.iter().filter_map(|agent| call.by(agent, &skills, context)).collect()
    }

    /// How many calls a skill could be asked about, at most.
    pub(super) fn count(&self, skill: Option<&SkillName>) -> usize {
        let own = skill.map(|skill| Points::of_skill(self.both, skill)).unwrap_or_default();
        let count = |points: &Points| {
            4 * (points.paths.len() + points.inside.len()) + 2 * points.urls.len() + points.scopes.len()
        };
        (count(&self.home) + count(&own) + self.fixed.len()) * self.agents.len()
    }

    /// How many agents make each call.
    pub(super) const fn agents(&self) -> usize {
        self.agents.len()
    }
}

/// Every probe, by each authority that a call can name.
#[cfg(test)]
pub(crate) fn probes(old: &Policy, new: &Policy) -> Vec<Probe> {
    let corners = Corners::of(old, new);
    let mut probes = Vec::new();
    for skill in corners.skills() {
        for call in corners.calls_of(skill.as_ref()) {
            probes.extend(corners.by_all(skill.as_ref(), &call));
        }
    }
    probes
}

/// An ordinary agent, and one of each role. Only the organisation's own rules tell them apart.
fn agents(both: [&Policy; 2]) -> Vec<AgentName> {
    let mut names: BTreeSet<&str> = BTreeSet::from([CALLER]);
    if both.iter().any(|policy| !policy.organisation_rules().is_empty()) {
        let roles = both.iter().flat_map(|policy| policy.home.organisation.roles.values());
        names.extend(roles.filter_map(|agents| agents.iter().next()).map(String::as_str));
    }
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

/// So many entries that add no authority are looked at.
const SHARE: usize = 100;

/// So many entries of each list are tried with tools that do what another tool does.
const FEW: usize = 3;

/// What the lists of one authority are about.
#[derive(Default)]
struct Points {
    paths: BTreeSet<AbsolutePath>,
    // A few of them, in lists that allow.
    inside: BTreeSet<AbsolutePath>,
    urls: BTreeSet<String>,
    scopes: BTreeSet<String>,
}

/// The lists of paths of one authority: their names, whether they deny, and their entries.
type Lists<'p> = [(&'static str, bool, &'p [PathEntry]); 3];

impl Points {
    fn of_home(both: [&Policy; 2]) -> Self {
        let mut points = Self::default();
        let lists = both.map(|policy| -> Lists<'_> {
            let home = &policy.home;
            [
                ("allowed_roots", false, &home.allowed_roots),
                ("write_paths", false, &home.write_paths),
                ("deny", true, &home.deny),
            ]
        });
        points.add_paths(both, lists.map(Some));
        points.urls.extend(PLAIN_URLS.map(str::to_owned));
        for policy in both {
            points.add_network(&policy.home.network);
            points.scopes.extend(policy.home.allowed_scopes.iter().chain(policy.home.scopes.keys()).cloned());
        }
        points
    }

    fn of_skill(both: [&Policy; 2], name: &SkillName) -> Self {
        let mut points = Self::default();
        let lists = both.map(|policy| -> Option<Lists<'_>> {
            let skill = policy.skills.get(name)?;
            Some([
                ("read_paths", false, &skill.read_paths),
                ("write_paths", false, &skill.write_paths),
                ("deny_paths", true, &skill.deny_paths),
            ])
        });
        points.add_paths(both, lists);
        for skill in both.iter().filter_map(|policy| policy.skills.get(name)) {
            points.add_network(&skill.network);
            points.scopes.extend(skill.scopes.iter().cloned());
        }
        points
    }

    fn add_paths(&mut self, both: [&Policy; 2], lists: [Option<Lists<'_>>; 2]) {
        let written = lists.each_ref().map(|lists| {
            let all = lists.iter().flatten();
            let all = all.flat_map(|(name, _, list)| list.iter().map(move |entry| (*name, &*entry.written)));
            all.collect::<HashSet<(&str, &str)>>()
        });
        for (place, (policy, lists)) in both.into_iter().zip(&lists).enumerate() {
            let roots = policy.home.roots();
            let (mut changed, mut shared) = (Vec::new(), Vec::new());
            for (name, denies, list) in lists.iter().flatten() {
                for entry in *list {
                    let alike = written.iter().all(|known| known.contains(&(name, &*entry.written)));
                    if alike || (*denies && place == 1) { &mut shared } else { &mut changed }.push(entry);
                }
            }
            // What both have alike is tried too, because other rules may treat it differently; but of very
            // many such entries, and of those that only deny more, a share is enough.
            let step = shared.len().div_ceil(SHARE).max(1);
            for entry in changed.into_iter().chain(shared.into_iter().step_by(step)) {
                self.paths.extend(around(entry, &roots));
            }
            for (_, _, list) in lists.iter().flatten().filter(|(_, denies, _)| !denies) {
                let inside =
                    list.iter().take(FEW).filter_map(|entry| around(entry, &roots).into_iter().nth(1));
                self.inside.extend(inside);
            }
        }
    }

    fn add_network(&mut self, network: &Network) {
        self.urls.extend(network.allow.iter().flat_map(spellings));
        let denied = network.deny.iter();
        self.urls.extend(denied.map(|glob| format!("https://{}/", glob.written.replace('*', "x"))));
    }
}

fn paths<'p>(points: impl Iterator<Item = &'p AbsolutePath>, out: &mut Vec<Typed>) {
    for path in points {
        out.push(Typed::read("read_file", path));
        out.push(Typed::write(path, 1, false));
        out.push(Typed::write(path, 1, true));
        out.push(Typed::delete(path));
    }
}

/// A skill may name each tool, so each is tried.
fn other_tools<'p>(points: impl Iterator<Item = &'p AbsolutePath>, out: &mut Vec<Typed>) {
    for path in points {
        out.extend(["list_files", "search_files", "diff"].map(|tool| Typed::read(tool, path)));
        out.push(Typed::edit(path));
    }
}

/// Paths that an entry covers, and paths just beside it.
fn around(entry: &PathEntry, roots: &[AbsolutePath]) -> Vec<AbsolutePath> {
    match &entry.what {
        Covered::Folder { real, .. } => {
            let inside = real.join("example");
            let deep = inside.as_ref().and_then(|inside| inside.join("file.txt"));
            let beside = AbsolutePath::parse(&format!("{real}-beside"));
            [Some(real.clone()), inside, deep, beside].into_iter().flatten().collect()
        }
        Covered::Glob(glob) => {
            // Stars become words; a glob that matches anywhere is tried below each root.
            let plain = |text: &str| {
                let text =
                    text.replace("/**/", "/deep/er/").replace("/**", "/deep/file").replace("**", "deep");
                let text = text.replace(['*', '?'], "x").replace(['[', ']', '{', '}', '\\'], "");
                AbsolutePath::parse(&text)
            };
            let anywhere = glob.pattern.strip_prefix("/**/").into_iter();
            let below = anywhere.flat_map(|tail| roots.iter().map(move |root| format!("{root}/{tail}")));
            below.chain([glob.pattern.clone()]).filter_map(|text| plain(&text)).collect()
        }
    }
}

/// Addresses that every policy is asked about.
const PLAIN_URLS: [&str; 4] =
    ["https://unlisted.example/", "http://127.0.0.1/", "http://169.254.169.254/", "http://localhost:8080/"];

fn hosts<'p>(urls: impl Iterator<Item = &'p String>, out: &mut Vec<Typed>) {
    for url in urls.filter_map(|text| WebAddress::parse(text).ok()) {
        out.extend(["GET", "POST"].map(|method| Typed::fetch(&url, method)));
    }
}

fn spellings(entry: &HostEntry) -> Vec<String> {
    match &entry.what {
        Hosts::All => Vec::new(),
        Hosts::Origin { host, port, .. } | Hosts::Port(host, port) => {
            vec![
                format!("https://{host}:{port}/"),
                format!("http://{host}:{port}/"),
                format!("https://{host}/"),
            ]
        }
        Hosts::Host(host) => {
            vec![
                format!("https://{host}/"),
                format!("http://{host}/"),
                format!("https://{host}:8443/"),
                format!("https://sub.{host}/"),
            ]
        }
        Hosts::Below(domain) => vec![format!("https://sub.{domain}/"), format!("https://{domain}/")],
    }
}

fn runs(both: [&Policy; 2], out: &mut Vec<Typed>) {
    out.push(Typed::sandbox("python", None, None, &[]));
    let hosts = reachable(both);
    for lane in [Lane::Jail, Lane::Microvm] {
        out.push(Typed::sandbox("node", Some(lane), None, &[]));
        out.extend(
            hosts.iter().map(|host| Typed::sandbox("node", Some(lane), None, std::slice::from_ref(host))),
        );
    }
    out.extend(["exec_shell", "run_shell"].map(Typed::shell));
}

/// A few hosts that the home of one of them may let code speak to, each with its port.
pub(super) fn reachable(both: [&Policy; 2]) -> Vec<String> {
    let mut hosts = BTreeSet::from(["unlisted.example:443".to_owned()]);
    for policy in both {
        let skills = policy.skills.values().take(FEW).map(|skill| &skill.network);
        for network in skills.chain([&policy.home.network]) {
            let some = network.allow.iter().flat_map(spellings).take(FEW);
            let addresses = some.filter_map(|url| WebAddress::parse(&url).ok());
            hosts.extend(addresses.map(|url| format!("{}:{}", url.host, url.port)));
        }
    }
    hosts.into_iter().collect()
}

fn secrets<'p>(both: [&Policy; 2], scopes: impl Iterator<Item = &'p String>, out: &mut Vec<Typed>) {
    for scope in scopes {
        out.extend(secrets_of(both, scope).iter().map(|name| Typed::secret(scope, name)));
    }
}

/// Names that can be asked for in a scope.
pub(super) fn secrets_of(both: [&Policy; 2], scope: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for policy in both {
        match policy.home.scopes.get(scope) {
            Some(Provider::Env(known)) => names.extend(known.iter().cloned()),
            Some(Provider::File(_) | Provider::Command(_) | Provider::Keyring(_)) | None => {
                names.insert("NAME".to_owned());
            }
        }
    }
    names
}

fn names(both: [&Policy; 2], out: &mut Vec<Typed>) {
    let mut tables = BTreeSet::new();
    let mut branches = BTreeSet::new();
    for policy in both {
        for (name, database) in &policy.home.databases {
            tables.insert((name, None));
            tables.extend(database.changeable().into_iter().map(|table| (name, Some(table))));
        }
        for repository in &policy.home.github.repositories {
            branches.insert((repository, "agent/change".to_owned()));
            let protected = policy.home.github.protected.iter().map(|glob| glob.replace('*', "x"));
            branches.extend(protected.map(|branch| (repository, branch)));
        }
    }
    for (database, table) in &tables {
        for access in [Access::Read, Access::Write] {
            out.extend(Typed::query(database, access, table.as_deref()));
        }
    }
    if let Some(api) = api(both) {
        let repositories: BTreeSet<&String> = branches.iter().map(|(repository, _)| *repository).collect();
        for repository in repositories {
            let looks = ["github_list_prs", "github_get_pr", "github_list_files"];
            out.extend(looks.map(|tool| Typed::look(tool, repository, &api)));
            out.push(Typed::propose(repository, None, &api));
        }
        let branches = branches.iter();
        out.extend(branches.map(|(repository, branch)| Typed::propose(repository, Some(branch), &api)));
    }
    out.extend([Typed::recall(), Typed::store(), Typed::status()]);
}

/// The API that repositories are spoken to by.
pub(super) fn api([_, new]: [&Policy; 2]) -> Option<WebAddress> {
    WebAddress::parse(&new.home.github.api).ok()
}
