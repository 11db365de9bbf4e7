//! Calls in, sentences out.
#![allow(dead_code, reason = "each test file uses a part of this")]
#![allow(clippy::unwrap_used, reason = "a test that cannot make its call has failed")]

use call::{
    Access, Actor, CallContext, Change, Effect, MemoryUse, Program, Reach, Role, SkillChain, ToolCall,
    WebAddress,
};
use classify::sql::Dialect;
use classify::{Catalogue, Classified, Mapping, Unclassified, classify};

pub(crate) const PURPOSE: &str = "do the work";

pub(crate) fn call(tool: &str, arguments: &str) -> ToolCall {
    ToolCall {
        tool: tool.parse().unwrap(),
        purpose: PURPOSE.parse().unwrap(),
        arguments: arguments.parse().unwrap(),
        actor: Actor {
            agent: "tester".parse().unwrap(),
            session: "s1".parse().unwrap(),
            skills: SkillChain::default(),
            context: CallContext::Agent,
        },
    }
}

pub(crate) fn catalogue() -> Catalogue {
    Catalogue::default()
        .with_database("lite", Dialect::Sqlite)
        .with_database("pg", Dialect::PostgreSql)
        .with_mapping("other", Mapping::parse(MAPPING).unwrap())
}

pub(crate) fn forge(api: &str) -> Catalogue {
    Catalogue::default().with_api(WebAddress::parse(api).unwrap())
}

pub(crate) fn outcome(tool: &str, arguments: &str) -> Result<Classified, Unclassified> {
    classify(&call(tool, arguments), &catalogue())
}

/// The effects as one line, or the refusal.
pub(crate) fn say(tool: &str, arguments: &str) -> String {
    say_of(outcome(tool, arguments))
}

pub(crate) fn say_of(outcome: Result<Classified, Unclassified>) -> String {
    match outcome {
        Ok(classified) => classified.effects.iter().map(sentence).collect::<Vec<_>>().join(", "),
        Err(Unclassified::BadArguments { faults, .. }) => {
            faults.iter().map(|fault| format!("bad {fault}")).collect::<Vec<_>>().join("; ")
        }
        Err(other) => other.to_string(),
    }
}

#[track_caller]
pub(crate) fn check(cases: &[(&str, &str, &str)]) {
    for (tool, arguments, want) in cases {
        let got = say(tool, arguments);
        // A row that ends with `…` gives the beginning alone.
        match want.strip_suffix('…') {
            Some(beginning) => {
                assert!(got.starts_with(beginning), "{tool} {arguments}\n got {got}\nwant {want}")
            }
            None => assert_eq!(&got, want, "{tool} {arguments}"),
        }
    }
}

/// Role, place and text of each passage, without the purpose.
pub(crate) fn passages(tool: &str, arguments: &str) -> Vec<(Role, String, String)> {
    let passages = outcome(tool, arguments).unwrap().passages.into_iter();
    passages.skip(1).map(|passage| (passage.role, passage.argument, passage.text)).collect()
}

pub(crate) fn sentence(effect: &Effect<String>) -> String {
    match effect {
        Effect::Read { path, reach: Reach::Itself } => format!("read {path}"),
        Effect::Read { path, reach: Reach::Below } => format!("read {path} and below"),
        Effect::Write { path, change } => format!("write {path} {}", change_word(change)),
        Effect::Delete { path } => format!("delete {path}"),
        Effect::Run(run) => {
            let program = match &run.program {
                Program::Code { language, .. } => format!("{language} code"),
                Program::Argv { language, argv } => format!("{language} {argv:?}"),
                Program::Shell { command } => format!("shell `{command}`"),
                Program::Foreign { command } => format!("foreign `{command}`"),
            };
            let lane = run.lane.map(|lane| format!(" in {}", lane.as_str())).unwrap_or_default();
            let network = if run.network { " with network" } else { "" };
            let inputs = if run.inputs > 0 { format!(" and {} inputs", run.inputs) } else { String::new() };
            let limits: Vec<String> =
                [run.limits.time_limit_sec, run.limits.memory_limit_mb, run.limits.cpu_limit]
                    .into_iter()
                    .flatten()
                    .map(|limit| format!(" {limit}"))
                    .collect();
            format!("run {program}{lane}{network}{inputs}{}", limits.concat())
        }
        Effect::Network(request) => {
            let headers: Vec<String> = request.headers.iter().map(|(name, _)| format!(" {name}")).collect();
            let body = if request.body.is_some() { " with body" } else { "" };
            format!("{} {}{}{body}", request.method, request.url, headers.concat())
        }
        Effect::Secret { scope, name, reveal } => format!("secret {scope}/{name} {reveal:?}"),
        Effect::Query(query) => format!("{} {} {:?}", access(query.access), query.database, query.tables),
        Effect::Memory(MemoryUse::Recall { .. }) => "recall".to_owned(),
        Effect::Memory(MemoryUse::Store { tags, .. }) => format!("store {tags:?}"),
        Effect::Repository(used) => {
            let branches: Vec<String> =
                [&used.branch, &used.base].into_iter().flatten().map(|name| format!(" {name}")).collect();
            format!("{} {}{}", access(used.access), used.repository, branches.concat())
        }
        Effect::Status => "status".to_owned(),
        Effect::Nothing => "nothing".to_owned(),
        Effect::Unknown { why } => format!("unknown: {why}"),
    }
}

fn change_word(change: &Change) -> String {
    match change {
        Change::Content { bytes, binary, create_dirs, .. } => {
            let binary = if *binary { " binary" } else { "" };
            let dirs = if *create_dirs { " with folders" } else { "" };
            format!("{bytes}{binary}{dirs}")
        }
        Change::Edit { bytes, binary, all, .. } => {
            let kind = if *binary { " binary" } else { "" };
            format!("edit {bytes}{kind}{}", if *all { " everywhere" } else { "" })
        }
        Change::Foreign => "somehow".to_owned(),
    }
}

const fn access(access: Access) -> &'static str {
    match access {
        Access::Read => "look at",
        Access::Write => "change",
    }
}

/// A mapping with one tool of each kind.
pub(crate) const MAPPING: &str = r#"
[tools.read_text]
read = "path"
plain = ["head", "tail"]

[tools.read_many]
read = ["paths"]

[tools.move]
delete = "source"
write = "destination"

[tools.edit]
read = "path"
write = "path"
content = ["edits"]
plain = "dry_run"

[tools.nested]
write = ["files[].path"]
content = ["files[].text"]
read = ["options.template"]
optional = ["options.template"]
plain = ["options.verbose"]

[tools.fetch]
url = "url"
method = "GET"

[tools.request]
url = "target.url"
method = "target.method"
content = "body"

[tools.run]
command = "command"

[tools.ask]
sql = { argument = "query", database = "lite" }

[tools.ask_any]
sql = { argument = "query", database_argument = "db" }

[tools.token]
secret = { scope = "scope", name = "name" }

[tools.scope]
secret = "scope"

[tools.add]
touches_nothing = true
plain = ["a", "b"]
schema = '{"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "number"}, "b": {"type": "number"}}}'

[tools.weather]
network = ["https://api.weather.example/v1"]
method = "GET"
plain = "city"

[tools.post]
network = ["https://hook.example"]
content = "text"

[tools.mystery]
plain = "anything"

[tools.find]
read = "root"
pattern = "regex"
"#;
