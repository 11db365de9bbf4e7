//! One question to Cedar: may this agent, by this authority, do this to that?

use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::IpAddr;
use std::ops::Range;

use call::{
    AbsolutePath, Access, Actor, Change, Effect, Lane, MemoryUse, Moment, PathPlace, Program, Run, ToolName,
    WebAddress, WebHost, WebRequest, WebScheme,
};
use cedar_policy::{Context, Entities, Entity, EntityUid, Request, RestrictedExpression};

use super::index::Names;
use super::quick::{Facts, Known};
use super::rule::entity;
use crate::home::Home;

/// By which file a call is allowed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Authority {
    /// `policy.toml`
    Home,
    /// The manifest of a skill.
    Skill(String),
}

impl Authority {
    pub(crate) fn entity(&self) -> EntityUid {
        match self {
            Self::Home => entity("Home", "home"),
            Self::Skill(name) => entity("Skill", name),
        }
    }
}

/// What is the same for all questions of a call.
pub(crate) struct Circumstances<'c> {
    pub(crate) tool: &'c ToolName,
    pub(crate) actor: &'c Actor,
    pub(crate) home: &'c Home,
    pub(crate) now: Moment,
}

/// An effect, or the use of a tool, as policy sees it.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) action: &'static str,
    pub(crate) resource: EntityUid,
    /// What the resource is a member of.
    pub(crate) members: Vec<EntityUid>,
    attributes: Vec<(&'static str, Fact)>,
    context: Vec<(&'static str, Fact)>,
}

/// Something that is told with a question.
#[derive(Clone, Debug)]
enum Fact {
    Text(String),
    Flag(bool),
    Number(u64),
    Address(IpAddr),
}

impl Question {
    fn new(action: &'static str, resource: EntityUid) -> Self {
        Self { action, resource, members: Vec::new(), attributes: Vec::new(), context: Vec::new() }
    }

    /// May the tool be used at all?
    pub(crate) fn of_tool(tool: &ToolName) -> Self {
        let members = match tool.as_str() {
            "exec_shell" => vec![entity("Tool", "run_shell")],
            "run_shell" => vec![entity("Tool", "exec_shell")],
            _ => Vec::new(),
        };
        Self { members, ..Self::new("call", entity("Tool", tool.as_str())) }
    }

    /// May one look at this place?
    pub(crate) fn of_look(path: &AbsolutePath, names: &Names) -> Self {
        of_path("read", path, names)
    }

    /// May the effect come about? Nothing comes back for what is refused without asking.
    pub(crate) fn of_effect(effect: &Effect, lane: Option<Lane>, names: &Names) -> Vec<Self> {
        const fn below(place: &PathPlace) -> Option<&AbsolutePath> {
            match place {
                PathPlace::Below { path, .. } => Some(path),
                PathPlace::Outside | PathPlace::GateHome | PathPlace::Unclear(_) => None,
            }
        }
        let one = |question: Option<Self>| question.into_iter().collect();
        match effect {
            Effect::Read { path, .. } => one(below(&path.place).map(|path| of_path("read", path, names))),
            Effect::Delete { path } => one(below(&path.place).map(|path| of_path("delete", path, names))),
            Effect::Write { path, change } => one(below(&path.place).map(|path| {
                let (binary, bytes) = match change {
                    Change::Content { binary, bytes, .. } | Change::Edit { binary, bytes, .. } => {
                        (*binary, *bytes)
                    }
                    Change::Foreign => (false, 0),
                };
                let question = of_path("write", path, names);
                question.with("binary", flag(binary)).with("bytes", number(bytes))
            })),
            Effect::Run(run) => vec![of_run(run, lane)],
            Effect::Network(request) => vec![of_request(request, names)],
            Effect::Secret { scope, .. } => vec![Self::new("secret", entity("Scope", scope))],
            Effect::Query(query) => {
                let action = match query.access {
                    Access::Read => "query",
                    Access::Write => "execute",
                };
                let database = entity("Database", &query.database);
                if query.tables.is_empty() {
                    return vec![Self::new(action, database)];
                }
                let tables = query.tables.iter().map(|table| {
                    let id = format!("{}/{table}", query.database);
                    Self { members: vec![database.clone()], ..Self::new(action, entity("Table", &id)) }
                });
                tables.collect()
            }
            Effect::Memory(MemoryUse::Recall { .. }) => vec![Self::new("recall", entity("Memory", "own"))],
            Effect::Memory(MemoryUse::Store { .. }) => vec![Self::new("store", entity("Memory", "own"))],
            Effect::Repository(used) => {
                let action = match used.access {
                    Access::Read => "look",
                    Access::Write => "propose",
                };
                let repository = entity("Repository", &used.repository);
                let Some(branch) = &used.branch else { return vec![Self::new(action, repository)] };
                let id = format!("{}#{branch}", used.repository);
                let mut members = vec![repository];
                members.extend(names.branches_like(branch));
                vec![Self { members, ..Self::new(action, entity("Branch", &id)) }]
            }
            Effect::Status => vec![Self::new("status", entity("Gate", "gate"))],
            // Nothing is touched, so only the tool itself is asked about.
            Effect::Nothing => Vec::new(),
            Effect::Unknown { .. } => Vec::new(),
        }
    }

    fn with(mut self, name: &'static str, value: Fact) -> Self {
        self.context.push((name, value));
        self
    }

    /// The question in Cedar's own terms. Nothing comes back when Cedar does not take it, which is
    /// a denial.
    pub(crate) fn put(
        &self,
        authority: &Authority,
        circumstances: &Circumstances<'_>,
        approved: bool,
    ) -> Option<(Request, Entities)> {
        let Circumstances { tool, actor, home, now } = circumstances;
        let agent = entity("Agent", actor.agent.as_str());
        let roles =
            home.organisation.roles.iter().filter(|(_, agents)| agents.contains(actor.agent.as_str()));
        let mut groups: HashSet<EntityUid> = roles.map(|(role, _)| entity("Role", role)).collect();
        groups.insert(authority.entity());
        let name = HashMap::from([("name".to_owned(), text(actor.agent.as_str()).expression())]);
        let principal = Entity::new(agent.clone(), name, groups).ok()?;
        let attributes: HashMap<String, RestrictedExpression> =
            self.attributes.iter().map(|(name, value)| ((*name).to_owned(), value.expression())).collect();
        let members: HashSet<EntityUid> = self.members.iter().cloned().collect();
        let resource = Entity::new(self.resource.clone(), attributes, members).ok()?;
        let mut context = BTreeMap::from([
            ("tool", text(tool.as_str()).expression()),
            ("session", text(actor.session.as_str()).expression()),
            ("caller", text(actor.context.as_str()).expression()),
            ("with_skill", flag(!actor.skills.skills().is_empty()).expression()),
            ("approved", flag(approved).expression()),
            ("time", RestrictedExpression::new_datetime(now.milliseconds_text())),
        ]);
        let facts = [("stage", &home.organisation.stage), ("tenant", &home.organisation.tenant)];
        context.extend(
            facts.into_iter().filter_map(|(name, fact)| Some((name, text(fact.as_deref()?).expression()))),
        );
        context.extend(self.context.iter().map(|(name, fact)| (*name, fact.expression())));
        let context = context.into_iter().map(|(name, value)| (name.to_owned(), value));
        let context = Context::from_pairs(context).ok()?;
        let action = entity("Action", self.action);
        let request = Request::new(agent, action, self.resource.clone(), context, None).ok()?;
        let entities = Entities::from_entities([principal, resource], None).ok()?;
        Some((request, entities))
    }
}

impl Fact {
    fn expression(&self) -> RestrictedExpression {
        match self {
            Self::Text(text) => RestrictedExpression::new_string(text.clone()),
            Self::Flag(flag) => RestrictedExpression::new_bool(*flag),
            Self::Number(number) => {
                RestrictedExpression::new_long(i64::try_from(*number).unwrap_or(i64::MAX))
            }
            Self::Address(address) => RestrictedExpression::new_ip(spelled_out(*address)),
        }
    }

    fn known(&self) -> Known<'_> {
        match self {
            Self::Text(text) => Known::Text(text),
            Self::Flag(flag) => Known::Flag(*flag),
            Self::Number(_) | Self::Address(_) => Known::Other,
        }
    }
}

/// A question with everything that goes with it.
pub(crate) struct Put<'p> {
    pub(crate) question: &'p Question,
    pub(crate) circumstances: &'p Circumstances<'p>,
    pub(crate) approved: bool,
}

impl Facts for Put<'_> {
    fn context(&self, name: &str) -> Option<Known<'_>> {
        let Circumstances { tool, actor, home, .. } = self.circumstances;
        let organisation = &home.organisation;
        match name {
            "tool" => Some(Known::Text(tool.as_str())),
            "session" => Some(Known::Text(actor.session.as_str())),
            "caller" => Some(Known::Text(actor.context.as_str())),
            "with_skill" => Some(Known::Flag(!actor.skills.skills().is_empty())),
            "approved" => Some(Known::Flag(self.approved)),
            "time" => Some(Known::Other),
            "stage" => organisation.stage.as_deref().map(Known::Text),
            "tenant" => organisation.tenant.as_deref().map(Known::Text),
            _ => told(&self.question.context, name),
        }
    }

    fn resource(&self, name: &str) -> Option<Known<'_>> {
        told(&self.question.attributes, name)
    }

    fn is(&self, name: &EntityUid) -> bool {
        self.question.resource == *name
    }

    fn is_in(&self, name: &EntityUid) -> bool {
        self.is(name) || self.question.members.contains(name)
    }
}

fn told<'t>(facts: &'t [(&'static str, Fact)], name: &str) -> Option<Known<'t>> {
    facts.iter().find(|(known, _)| *known == name).map(|(_, fact)| fact.known())
}

fn text(value: &str) -> Fact {
    Fact::Text(value.to_owned())
}

const fn flag(value: bool) -> Fact {
    Fact::Flag(value)
}

const fn number(value: u64) -> Fact {
    Fact::Number(value)
}

pub(super) fn of_path(action: &'static str, path: &AbsolutePath, names: &Names) -> Question {
    Question { members: names.paths_like(path), ..Question::new(action, entity("Path", path.as_str())) }
}

/// Every folder that a path lies in, also those that no rule names.
pub(crate) fn folders_of(path: &AbsolutePath) -> impl Iterator<Item = EntityUid> {
    path.texts_above().skip(1).map(|above| entity("Path", above))
}

fn of_run(run: &Run, lane: Option<Lane>) -> Question {
    let (id, shell) = match &run.program {
        Program::Code { language, .. } | Program::Argv { language, .. } => (language.as_str(), false),
        Program::Shell { .. } => ("shell", true),
        Program::Foreign { .. } => ("foreign", true),
    };
    Question::new("run", entity("Program", id))
        // A lane that cannot be had is refused elsewhere; no rule allows it here.
        .with("lane", text(lane.map_or("none", Lane::as_str)))
        .with("shell", flag(shell))
        .with("network", flag(run.network))
        .with("seconds", number(run.limits.time_limit_sec.map_or(30, u64::from)))
}

fn of_request(request: &WebRequest, names: &Names) -> Question {
    let question = of_address(&request.url, names);
    question.with("method", text(&request.method)).with("path", text(&request.url.path))
}

pub(super) fn of_address(url: &WebAddress, names: &Names) -> Question {
    let spelled = Spelled::of(url);
    let mut members = names.addresses_like(url, &spelled);
    members.extend(names.hosts_like(&url.host, spelled.host()));
    let host = spelled.host().to_owned();
    let mut attributes = vec![
        ("scheme", text(url.scheme.as_str())),
        ("host", Fact::Text(host)),
        ("port", number(u64::from(url.port))),
    ];
    if let WebHost::Ip(address) = &url.host {
        attributes.push(("address", Fact::Address(*address)));
    }
    Question { members, attributes, ..Question::new("network", entity("Endpoint", spelled.origin())) }
}

/// Origin, host and domains of an address, also those that no rule names.
pub(crate) fn groups_of(url: &WebAddress) -> Vec<EntityUid> {
    let spelled = Spelled::of(url);
    spelled.names(url).map(|(kind, name)| entity(kind, name)).collect()
}

/// An address with its port, of which the names of its groups are parts.
pub(super) struct Spelled {
    origin: String,
    host: Range<usize>,
}

impl Spelled {
    /// Put together by hand: to format it takes longer than to ask about it.
    fn of(url: &WebAddress) -> Self {
        let scheme = url.scheme.as_str();
        let mut origin = String::with_capacity(64);
        origin.push_str(scheme);
        origin.push_str("://");
        let start = origin.len();
        match &url.host {
            WebHost::Name(name) => origin.push_str(name),
            host @ WebHost::Ip(_) => origin.push_str(&host.to_string()),
        }
        let host = start..origin.len();
        origin.push(':');
        match (url.scheme, url.port) {
            (WebScheme::Https, 443) => origin.push_str("443"),
            (WebScheme::Http, 80) => origin.push_str("80"),
            (_, port) => origin.push_str(&port.to_string()),
        }
        Self { origin, host }
    }

    fn origin(&self) -> &str {
        &self.origin
    }

    fn host(&self) -> &str {
        self.origin.get(self.host.clone()).unwrap_or_default()
    }

    /// The kind and name of every group that the address is in.
    pub(super) fn names<'n>(&'n self, url: &'n WebAddress) -> impl Iterator<Item = (&'static str, &'n str)> {
        // The origin ends with the host and its port.
        let with_port = self.origin.get(self.host.start..).unwrap_or_default();
        let usual = (url.port == url.scheme.default_port()).then(|| {
            let domains = url.host.domains_above().map(|domain| ("Domain", domain));
            [("Host", self.host())].into_iter().chain(domains)
        });
        [("Origin", self.origin()), ("Host", with_port)].into_iter().chain(usual.into_iter().flatten())
    }
}

/// An address as Cedar reads it: of an IPv6 one every group, because it does not know the form that
/// ends like an IPv4 address.
fn spelled_out(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let groups = address.segments().map(|group| format!("{group:x}"));
            groups.join(":")
        }
    }
}
