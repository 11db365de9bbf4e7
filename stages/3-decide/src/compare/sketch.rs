//! Calls made to order: what a proof found, as a call that can be tried.

use call::{
    AbsolutePath, Access, Actor, CallContext, Change, Effect, FileKind, Lane, Located, MemoryUse, PathPlace,
    Program, Query, Reach, RepositoryUse, Run, RunLimits, SecretUse, Sha256, SkillChain, SkillName, ToolName,
    WebAddress, WebRequest,
};
use cedar_policy::{EntityUid, Policy as CedarPolicy};

use super::{Probe, solvable};
use crate::cedar::{ACTIONS, Authority, Question, concerns};
use crate::policy::Policy;

/// What one authority is asked about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject {
    /// The skill that is asked; nothing for the home.
    pub skill: Option<SkillName>,
    /// The action, as the schema names it.
    pub action: &'static str,
}

impl Subject {
    /// Every subject that two policies have rules about.
    #[must_use]
    pub fn of(old: &Policy, new: &Policy) -> Vec<Self> {
        let skills = old.skills.keys().chain(new.skills.keys()).cloned().map(Some);
        let authorities: std::collections::BTreeSet<Option<SkillName>> = skills.chain([None]).collect();
        let all = authorities
            .iter()
            .flat_map(|skill| ACTIONS.into_iter().map(move |action| Self { skill: skill.clone(), action }));
        all.collect()
    }

    /// The authority, as the rules name it.
    #[must_use]
    pub fn authority(&self) -> EntityUid {
        let skill = self.skill.as_ref();
        skill.map_or(Authority::Home, |skill| Authority::Skill(skill.to_string())).entity()
    }

    /// The rules of a policy that can speak of it, as a solver takes them. Nothing comes back when
    /// one of them cannot be taken.
    #[must_use]
    pub fn rules(&self, policy: &Policy) -> Option<Vec<CedarPolicy>> {
        let authority = self.authority();
        let own = policy.rules.iter().filter(|rule| concerns(rule, &authority, self.action));
        own.map(solvable::rule).collect()
    }

    /// Whether a call puts this subject to this authority; then the name of what it is about.
    #[must_use]
    pub fn resource_of(&self, probe: &Probe, policy: &Policy) -> Option<String> {
        if probe.actor.skills.skills().first() != self.skill.as_ref() {
            return None;
        }
        let mut questions = Question::of_effect(&probe.effect, None, &policy.index.names);
        questions.push(Question::of_tool(&probe.tool));
        let asked = questions.into_iter().find(|question| question.action == self.action)?;
        Some(asked.resource.id().unescaped().to_owned())
    }
}

/// A call, told by what policy sees of it.
#[derive(Clone, Debug)]
pub struct Sketch {
    /// What it is about.
    pub subject: Subject,
    /// The type and the name of the resource.
    pub resource: EntityUid,
    /// Where the wish comes from.
    pub caller: CallContext,
    /// Of a write.
    pub binary: bool,
    /// Of a write.
    pub bytes: u64,
    /// Of a run.
    pub lane: Option<Lane>,
    /// Of a run.
    pub network: bool,
    /// Of a run.
    pub seconds: Option<u32>,
    /// Of a request.
    pub method: String,
    /// Of a request.
    pub path: String,
}

impl Sketch {
    /// The call. Nothing comes back for a resource that no call can name.
    #[must_use]
    pub fn probe(&self, agent: &str) -> Option<Probe> {
        let name = self.resource.id().unescaped();
        let (tool, effect, arguments) = self.effect(name)?;
        let skills = match &self.subject.skill {
            Some(skill) => skill.as_str().parse::<SkillChain>().ok()?,
            None => SkillChain::default(),
        };
        let is_secret = matches!(effect, Effect::Secret { .. });
        let context = if is_secret { CallContext::Operator } else { self.caller };
        let mut example = format!("toolgate call {tool} --args '{arguments}'");
        if let Some(skill) = &self.subject.skill {
            example.push_str(&format!(" --skill {skill}"));
        }
        if context != CallContext::Agent {
            example.push_str(&format!(" --context {}", context.as_str()));
        }
        let actor =
            Actor { agent: agent.parse().ok()?, session: "policy-diff".parse().ok()?, skills, context };
        Some(Probe { tool: tool.parse::<ToolName>().ok()?, actor, effect, example })
    }

    fn effect(&self, name: &str) -> Option<(String, Effect, String)> {
        let digest = || Sha256::of(b"");
        let located = || -> Option<Located> {
            let path = AbsolutePath::parse(name)?;
            Some(Located { given: path.to_string(), place: PathPlace::Below { path, kind: FileKind::File } })
        };
        let path = serde_json::json!({ "path": name }).to_string();
        let (tool, effect, arguments) = match self.subject.action {
            "read" => ("read_file", Effect::Read { path: located()?, reach: Reach::Itself }, path),
            "delete" => ("delete_file", Effect::Delete { path: located()? }, path),
            "write" => {
                let change = Change::Content {
                    sha256: digest(),
                    bytes: self.bytes,
                    binary: self.binary,
                    create_dirs: false,
                };
                let arguments = serde_json::json!({ "path": name, "content": "" }).to_string();
                ("write_file", Effect::Write { path: located()?, change }, arguments)
            }
            "run" => self.run(name),
            "network" => {
                let url = WebAddress::parse(&format!("{name}{}", self.path)).ok()?;
                let arguments = serde_json::json!({ "url": url.to_string(), "method": self.method });
                let request =
                    WebRequest { method: self.method.clone(), url, headers: Vec::new(), body: None };
                ("network_fetch", Effect::Network(request), arguments.to_string())
            }
            "secret" => {
                let effect = Effect::Secret {
                    scope: name.to_owned(),
                    name: "NAME".to_owned(),
                    reveal: SecretUse::Header,
                };
                let arguments = serde_json::json!({ "scope": name, "name": "NAME", "use": "header" });
                ("secrets_get", effect, arguments.to_string())
            }
            "query" => self.query(name, "query_db", Access::Read),
            "execute" => self.query(name, "execute_db", Access::Write),
            "recall" => {
                let recall = MemoryUse::Recall { query: digest() };
                ("memory_recall", Effect::Memory(recall), "{\"query\": \"x\"}".to_owned())
            }
            "store" => {
                let store = MemoryUse::Store { text: digest(), tags: Vec::new() };
                ("memory_store", Effect::Memory(store), "{\"text\": \"x\"}".to_owned())
            }
            "look" => repository(name, "github_list_prs", Access::Read),
            "propose" => repository(name, "github_create_pr", Access::Write),
            "status" => ("ledger_status", Effect::Status, "{}".to_owned()),
            "call" => return Some((name.to_owned(), Effect::Nothing, "{}".to_owned())),
            _ => return None,
        };
        Some((tool.to_owned(), effect, arguments))
    }

    fn run(&self, name: &str) -> (&'static str, Effect, String) {
        let limits = RunLimits { time_limit_sec: self.seconds, ..RunLimits::default() };
        let (tool, program, arguments) = if matches!(name, "shell" | "foreign") {
            let arguments = serde_json::json!({ "command": "ls" });
            ("exec_shell", Program::Shell { command: "ls".to_owned() }, arguments)
        } else {
            let arguments = serde_json::json!({
                "language": name, "code": "1", "lane": self.lane.map(Lane::as_str),
            });
            let program = Program::Code { language: name.to_owned(), sha256: Sha256::of(b"") };
            ("exec_sandbox", program, arguments)
        };
        let run = Run { program, lane: self.lane, network: self.network, stdin: None, inputs: 0, limits };
        (tool, Effect::Run(run), arguments.to_string())
    }

    fn query(&self, name: &str, tool: &'static str, access: Access) -> (&'static str, Effect, String) {
        let (database, table) = match name.split_once('/') {
            Some((database, table)) => (database, Some(table)),
            None => (name, None),
        };
        let shown = table.unwrap_or("example");
        let sql = match access {
            Access::Read => format!("select * from {shown}"),
            Access::Write => format!("delete from {shown}"),
        };
        let query = Query {
            database: database.to_owned(),
            access,
            tables: table.into_iter().map(str::to_owned).collect(),
            sql: String::new(),
            parameters: Sha256::of(b""),
        };
        (tool, Effect::Query(query), serde_json::json!({ "database": database, "sql": sql }).to_string())
    }
}

fn repository(name: &str, tool: &'static str, access: Access) -> (&'static str, Effect, String) {
    let (repository, branch) = match name.split_once('#') {
        Some((repository, branch)) => (repository, Some(branch)),
        None => (name, None),
    };
    let used = RepositoryUse {
        repository: repository.to_owned(),
        access,
        branch: branch.map(str::to_owned),
        base: None,
        content: Sha256::of(b""),
    };
    let arguments = serde_json::json!({ "repo": repository, "branch": branch });
    (tool, Effect::Repository(used), arguments.to_string())
}
