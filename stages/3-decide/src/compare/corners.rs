//! The calls by which two policies are compared.

use std::collections::BTreeSet;

use call::{
    AbsolutePath, Access, Actor, AgentName, BUILT_IN_TOOLS, CallContext, Change, Effect, FileKind, Lane,
    Located, MemoryUse, PathPlace, Program, Query, Reach, RepositoryUse, Run, RunLimits, SecretUse,
    SessionId, Sha256, SkillChain, ToolName, WebAddress, WebRequest,
};

use super::Risk;
use crate::entry::{Covered, HostEntry, Hosts, PathEntry};
use crate::home::Provider;
use crate::policy::Policy;

/// One call to compare by.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The tool.
    pub tool: ToolName,
    /// Who calls.
    pub actor: Actor,
    /// What it would do.
    pub effect: Effect,
    /// The call as it could be typed.
    pub example: String,
}

impl Probe {
    /// How much it matters when this becomes possible.
    #[must_use]
    pub fn risk(&self) -> Risk {
        match &self.effect {
            Effect::Read { path, .. } if is_wide(&path.given) => Risk::High,
            Effect::Read { .. }
            | Effect::Status
            | Effect::Nothing
            | Effect::Memory(MemoryUse::Recall { .. }) => Risk::Medium,
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

/// Every probe, by each authority that a call can name.
pub(crate) fn probes(old: &Policy, new: &Policy) -> Vec<Probe> {
    let both = [old, new];
    let chains: BTreeSet<String> = both
        .iter()
        .flat_map(|policy| policy.skills.keys().chain(&policy.invalid))
        .map(ToString::to_string)
        .collect();
    let chains: Vec<SkillChain> = std::iter::once(SkillChain::default())
        .chain(chains.iter().filter_map(|name| name.parse().ok()))
        .collect();
    let agents = agents(both);
    let mut effects = Vec::new();
    paths(both, &mut effects);
    hosts(both, &mut effects);
    runs(&mut effects);
    names(both, &mut effects);
    let mut probes = Vec::new();
    for chain in &chains {
        for agent in &agents {
            for (tool, effect, arguments) in &effects {
                let (Ok(tool), Ok(session)) = (tool.parse::<ToolName>(), "policy-diff".parse::<SessionId>())
                else {
                    continue;
                };
                let is_secret = matches!(effect, Effect::Secret { .. });
                let context = if is_secret { CallContext::Operator } else { CallContext::Agent };
                let skill = if chain.skills().is_empty() {
                    String::new()
                } else {
                    format!(" --skill {}", join(chain))
                };
                let context_flag = if context == CallContext::Operator { " --context operator" } else { "" };
                let example = format!("toolgate call {tool} --args '{arguments}'{skill}{context_flag}");
                let actor = Actor { agent: agent.clone(), session, skills: chain.clone(), context };
                probes.push(Probe { tool, actor, effect: effect.clone(), example });
            }
        }
    }
    probes
}

fn join(chain: &SkillChain) -> String {
    chain.skills().iter().map(|skill| skill.as_str()).collect::<Vec<_>>().join("/")
}

/// An ordinary agent, and one of each role.
fn agents(both: [&Policy; 2]) -> Vec<AgentName> {
    let roles = both.iter().flat_map(|policy| policy.home.organisation.roles.values());
    let mut names: BTreeSet<&str> =
        roles.filter_map(|agents| agents.iter().next()).map(String::as_str).collect();
    names.insert("agent");
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

type Sample = (&'static str, Effect, String);

/// So many entries that add no authority are looked at.
const SHARE: usize = 100;

/// The lists of paths of a policy: their names, whether they deny, and their entries.
fn lists(policy: &Policy) -> Vec<(String, bool, &[PathEntry])> {
    let home = &policy.home;
    let mut lists: Vec<(String, bool, &[PathEntry])> = vec![
        ("allowed_roots".to_owned(), false, &home.allowed_roots),
        ("write_paths".to_owned(), false, &home.write_paths),
        ("deny".to_owned(), true, &home.deny),
    ];
    for (name, skill) in &policy.skills {
        lists.push((format!("{name} read_paths"), false, &skill.read_paths));
        lists.push((format!("{name} write_paths"), false, &skill.write_paths));
        lists.push((format!("{name} deny_paths"), true, &skill.deny_paths));
    }
    lists
}

fn paths(both: [&Policy; 2], out: &mut Vec<Sample>) {
    let mut samples: BTreeSet<AbsolutePath> = BTreeSet::new();
    let [old, new] = both;
    let lists = both.map(lists);
    let written = lists.each_ref().map(|lists| {
        let all =
            lists.iter().flat_map(|(name, _, list)| list.iter().map(move |entry| (name, &entry.written)));
        all.collect::<BTreeSet<(&String, &String)>>()
    });
    for (policy, lists) in both.into_iter().zip(&lists) {
        let roots = policy.home.roots();
        let only_new = std::ptr::eq(policy, new) && !std::ptr::eq(old, new);
        let (mut changed, mut shared) = (Vec::new(), Vec::new());
        for (name, denies, list) in lists {
            for entry in *list {
                let alike = written.iter().all(|known| known.contains(&(name, &entry.written)));
                if alike || (*denies && only_new) { &mut shared } else { &mut changed }.push(entry);
            }
        }
        // What both have alike is tried too, because other rules may treat it differently; but of very
        // many such entries, and of those that only deny more, a share is enough.
        let step = shared.len().div_ceil(SHARE).max(1);
        for entry in changed.into_iter().chain(shared.into_iter().step_by(step)) {
            samples.extend(around(entry, &roots));
        }
    }
    for path in samples {
        let located = || Located {
            given: path.to_string(),
            place: PathPlace::Below { path: path.clone(), kind: FileKind::File },
        };
        let arguments = format!("{{\"path\": \"{path}\"}}");
        let change =
            |binary| Change::Content { sha256: Sha256::of(b""), bytes: 1, binary, create_dirs: false };
        out.push(("read_file", Effect::Read { path: located(), reach: Reach::Itself }, arguments.clone()));
        out.push(("write_file", Effect::Write { path: located(), change: change(false) }, arguments.clone()));
        out.push(("write_file", Effect::Write { path: located(), change: change(true) }, arguments.clone()));
        out.push(("delete_file", Effect::Delete { path: located() }, arguments));
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

fn hosts(both: [&Policy; 2], out: &mut Vec<Sample>) {
    let mut urls: BTreeSet<String> = BTreeSet::from([
        "https://unlisted.example/".to_owned(),
        "http://127.0.0.1/".to_owned(),
        "http://169.254.169.254/".to_owned(),
        "http://localhost:8080/".to_owned(),
    ]);
    for policy in both {
        let networks =
            std::iter::once(&policy.home.network).chain(policy.skills.values().map(|skill| &skill.network));
        for network in networks {
            urls.extend(network.allow.iter().flat_map(spellings));
            urls.extend(
                network.deny.iter().map(|glob| format!("https://{}/", glob.written.replace('*', "x"))),
            );
        }
    }
    for text in urls {
        let Ok(url) = WebAddress::parse(&text) else { continue };
        for method in ["GET", "POST"] {
            let request =
                WebRequest { method: method.to_owned(), url: url.clone(), headers: Vec::new(), body: None };
            let arguments = format!("{{\"url\": \"{url}\", \"method\": \"{method}\"}}");
            out.push(("network_fetch", Effect::Network(request), arguments));
        }
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

fn runs(out: &mut Vec<Sample>) {
    let code = |language: &str| Program::Code { language: language.to_owned(), sha256: Sha256::of(b"") };
    let run = |program, lane, network| {
        let limits = RunLimits::default();
        Effect::Run(Run { program, lane, network, stdin: None, inputs: 0, limits })
    };
    let python = "{\"language\": \"python\", \"code\": \"1\"}".to_owned();
    out.push(("exec_sandbox", run(code("python"), None, false), python.clone()));
    for lane in [Lane::Jail, Lane::Microvm] {
        let arguments =
            format!("{{\"language\": \"node\", \"code\": \"1\", \"lane\": \"{}\"}}", lane.as_str());
        out.push(("exec_sandbox", run(code("node"), Some(lane), false), arguments.clone()));
        out.push(("exec_sandbox", run(code("node"), Some(lane), true), arguments));
    }
    let shell = Program::Shell { command: "ls".to_owned() };
    out.push(("exec_shell", run(shell, None, false), "{\"command\": \"ls\"}".to_owned()));
}

fn names(both: [&Policy; 2], out: &mut Vec<Sample>) {
    let digest = || Sha256::of(b"");
    let mut scopes = BTreeSet::new();
    let mut tables = BTreeSet::new();
    let mut branches = BTreeSet::new();
    for policy in both {
        let of_skills = policy.skills.values().flat_map(|skill| &skill.scopes);
        for scope in policy.home.allowed_scopes.iter().chain(policy.home.scopes.keys()).chain(of_skills) {
            match policy.home.scopes.get(scope) {
                Some(Provider::Env(names)) => scopes.extend(names.iter().map(|name| (scope, name.clone()))),
                Some(_) | None => drop(scopes.insert((scope, "NAME".to_owned()))),
            }
        }
        for (name, database) in &policy.home.databases {
            tables.insert((name, None));
            tables.extend(database.write_tables.iter().map(|table| (name, Some(table))));
        }
        for repository in &policy.home.github.repositories {
            branches.insert((repository, "agent/change".to_owned()));
            let protected = policy.home.github.protected.iter().map(|glob| glob.replace('*', "x"));
            branches.extend(protected.map(|branch| (repository, branch)));
        }
    }
    for (scope, name) in scopes {
        let effect = Effect::Secret { scope: scope.clone(), name: name.clone(), reveal: SecretUse::Header };
        out.push((
            "secrets_get",
            effect,
            format!("{{\"scope\": \"{scope}\", \"name\": \"{name}\", \"use\": \"header\"}}"),
        ));
    }
    for (database, table) in tables {
        for (tool, access) in [("query_db", Access::Read), ("execute_db", Access::Write)] {
            let query = Query {
                database: database.clone(),
                access,
                tables: table.into_iter().cloned().collect(),
                sql: String::new(),
                parameters: digest(),
            };
            let table = table.map_or("example", String::as_str);
            let sql = match access {
                Access::Read => format!("select * from {table}"),
                Access::Write => format!("delete from {table}"),
            };
            out.push((
                tool,
                Effect::Query(query),
                format!("{{\"database\": \"{database}\", \"sql\": \"{sql}\"}}"),
            ));
        }
    }
    for (repository, branch) in branches {
        for (tool, access) in [("github_list_prs", Access::Read), ("github_create_pr", Access::Write)] {
            let used = RepositoryUse {
                repository: repository.clone(),
                access,
                branch: (access == Access::Write).then(|| branch.clone()),
                base: None,
                content: digest(),
            };
            out.push((
                tool,
                Effect::Repository(used),
                format!("{{\"repo\": \"{repository}\", \"branch\": \"{branch}\"}}"),
            ));
        }
    }
    out.push((
        "memory_recall",
        Effect::Memory(MemoryUse::Recall { query: digest() }),
        "{\"query\": \"x\"}".to_owned(),
    ));
    let store = MemoryUse::Store { text: digest(), tags: Vec::new() };
    out.push(("memory_store", Effect::Memory(store), "{\"text\": \"x\"}".to_owned()));
    // What a skill may do with a tool at all, shown by the harmless effect.
    out.extend(BUILT_IN_TOOLS.iter().map(|tool| (*tool, Effect::Status, "{}".to_owned())));
}
