//! Calls made to order: what a proof found, as a call that can be tried.

use call::{AbsolutePath, Access, CallContext, Lane, SkillChain, SkillName, WebAddress};
use cedar_policy::{EntityUid, Policy as CedarPolicy};

use super::corners::{Corners, api, reachable, secrets_of};
use super::rulebook::{Differences, PATHS, Rulebook};
use super::typed::Typed;
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
    /// Every subject that two policies have different rules about.
    #[must_use]
    pub fn of(old: &Rulebook<'_>, new: &Rulebook<'_>) -> Vec<Self> {
        let differences = Differences::of(old, new);
        let skills = old.policy().skills.keys().chain(new.policy().skills.keys()).cloned().map(Some);
        let authorities: std::collections::BTreeSet<Option<SkillName>> = skills.chain([None]).collect();
        let all = authorities
            .iter()
            .flat_map(|skill| ACTIONS.into_iter().map(move |action| Self { skill: skill.clone(), action }));
        all.filter(|subject| differences.concern(&subject.authority(), subject.action)).collect()
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
    pub fn rules(&self, book: &Rulebook<'_>) -> Option<Vec<CedarPolicy>> {
        let authority = self.authority();
        let own = book.rules_of(&authority).filter(|rule| concerns(rule, &authority, self.action));
        let mut rules = own.map(solvable::rule).collect::<Option<Vec<CedarPolicy>>>()?;
        if PATHS.contains(&self.action) {
            rules.push(book.outside()?);
        }
        Some(rules)
    }

    /// Whether a call puts this subject to this authority; then the name of what it is about.
    #[must_use]
    pub fn resource_of(&self, probe: &Probe, policy: &Policy) -> Option<String> {
        if probe.actor.skills.skills().first() != self.skill.as_ref() {
            return None;
        }
        let effects = probe.effects.iter();
        let mut questions: Vec<Question> =
            effects.flat_map(|effect| Question::of_effect(effect, None, &policy.index.names)).collect();
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
    /// Calls that fit: the first that two policies decide differently shows what was sketched. None comes
    /// back for a resource that no call can name.
    #[must_use]
    pub fn probes(&self, old: &Policy, new: &Policy, agent: &str) -> Vec<Probe> {
        let skills = match &self.subject.skill {
            Some(skill) => skill.as_str().parse::<SkillChain>().ok(),
            None => Some(SkillChain::default()),
        };
        let (Some(skills), Ok(agent)) = (skills, agent.parse()) else { return Vec::new() };
        let context = if self.subject.action == "secret" { CallContext::Operator } else { self.caller };
        let name = self.resource.id().unescaped();
        let calls = self.calls([old, new], name);
        calls.iter().filter_map(|call| call.by(&agent, &skills, context)).collect()
    }

    fn calls(&self, both: [&Policy; 2], name: &str) -> Vec<Typed> {
        let path = AbsolutePath::parse(name).into_iter();
        let table = name.split_once('/').map_or((name, None), |(database, table)| (database, Some(table)));
        let branch =
            name.split_once('#').map_or((name, None), |(repository, branch)| (repository, Some(branch)));
        match self.subject.action {
            "read" => {
                let tools = ["read_file", "list_files", "search_files", "diff"];
                path.flat_map(|path| tools.map(|tool| Typed::read(tool, &path))).collect()
            }
            "delete" => path.map(|path| Typed::delete(&path)).collect(),
            "write" => {
                let write = |path: &AbsolutePath| Typed::write(path, self.bytes, self.binary);
                path.flat_map(|path| [write(&path), Typed::edit(&path)]).collect()
            }
            "run" if matches!(name, "shell" | "foreign") => {
                ["exec_shell", "run_shell"].map(Typed::shell).into()
            }
            "run" if self.network => {
                let hosts = reachable(both);
                let to =
                    |host: &String| Typed::sandbox(name, self.lane, self.seconds, std::slice::from_ref(host));
                hosts.iter().map(to).collect()
            }
            "run" => vec![Typed::sandbox(name, self.lane, self.seconds, &[])],
            "network" if self.method == "CONNECT" => {
                let host = name.split_once("://").map_or(name, |(_, host)| host).to_owned();
                vec![Typed::sandbox("python", None, None, &[host])]
            }
            "network" => {
                let url = WebAddress::parse(&format!("{name}{}", self.path)).ok();
                url.into_iter().map(|url| Typed::fetch(&url, &self.method)).collect()
            }
            "secret" => secrets_of(both, name).iter().map(|secret| Typed::secret(name, secret)).collect(),
            "query" => Typed::query(table.0, Access::Read, table.1).into_iter().collect(),
            "execute" => Typed::query(table.0, Access::Write, table.1).into_iter().collect(),
            "recall" => vec![Typed::recall()],
            "store" => vec![Typed::store()],
            "look" => api(both).iter().map(|api| Typed::look("github_list_prs", branch.0, api)).collect(),
            "propose" => api(both).iter().map(|api| Typed::propose(branch.0, branch.1, api)).collect(),
            "status" => vec![Typed::status()],
            // What else a tool does decides too, so it is asked about by the corner points.
            "call" => {
                let calls = Corners::of(both[0], both[1]).calls_of(self.subject.skill.as_ref());
                calls.into_iter().filter(|call| call.tool == name).collect()
            }
            _ => Vec::new(),
        }
    }
}
