//! A policy in memory, and calls against it.
#![allow(
    dead_code,
    clippy::panic,
    clippy::unwrap_used,
    reason = "each test file uses a part of it, and a test may panic"
)]

use call::{
    AbsolutePath, Access, Actor, CallContext, Change, Effect, Effects, FileKind, Located, Moment, PathPlace,
    Program, Query, Reach, Run, RunLimits, SecretUse, Sha256, ToolName, WebAddress, WebRequest,
};
use decide::{Deciding, Ground, Loaded, Policy, PolicyFiles, decide};

pub(crate) struct Flat;

impl Ground for Flat {
    fn workspace(&self) -> &AbsolutePath {
        static AT: std::sync::LazyLock<AbsolutePath> = std::sync::LazyLock::new(|| at("/w"));
        &AT
    }

    fn user_home(&self) -> Option<&AbsolutePath> {
        static AT: std::sync::LazyLock<AbsolutePath> = std::sync::LazyLock::new(|| at("/home/ada"));
        Some(&AT)
    }

    fn real(&self, path: &AbsolutePath) -> AbsolutePath {
        path.clone()
    }
}

pub(crate) fn at(path: &str) -> AbsolutePath {
    AbsolutePath::parse(path).unwrap()
}

pub(crate) fn files(list: &[(&str, &str)]) -> PolicyFiles {
    PolicyFiles(list.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect())
}

pub(crate) fn load(list: &[(&str, &str)]) -> Loaded {
    Policy::load(&files(list), &Flat)
}

#[track_caller]
pub(crate) fn policy(list: &[(&str, &str)]) -> Policy {
    let loaded = load(list);
    loaded.policy.unwrap_or_else(|| panic!("{:#?}", loaded.findings))
}

/// A manifest that allows everything within the workspace, with parts replaced.
pub(crate) fn manifest(name: &str, tools: &str, files: &str, network: &str) -> String {
    format!(
        r#"{{"name": "{name}", "version": "1.0.0", "risk_tier": "medium", "tools": {tools}, "filesystem": {files},
        "network": {network}, "secrets": {{"allowed_scopes": ["ci"]}},
        "limits": {{"max_runtime_seconds": 60, "max_files_written": 10, "max_bytes_written": 1000,
        "sandbox_required": true}}}}"#
    )
}

pub(crate) const ALL_TOOLS: &str = r#"{"allow": ["*"], "deny": []}"#;
pub(crate) const ALL_FILES: &str = r#"{"read_paths": ["."], "write_paths": ["."], "deny_paths": []}"#;
pub(crate) const NO_NETWORK: &str = r#"{"enabled": false, "allowlist": [], "denylist": []}"#;

pub(crate) fn actor(skills: &str, context: CallContext) -> Actor {
    let skills = if skills.is_empty() { Default::default() } else { skills.parse().unwrap() };
    Actor { agent: "tester".parse().unwrap(), session: "s1".parse().unwrap(), skills, context }
}

pub(crate) fn located(path: &str) -> Located {
    let place = PathPlace::Below { path: at(path), kind: FileKind::File };
    Located::new(path.to_owned(), place)
}

pub(crate) fn read(path: &str) -> Effect {
    Effect::Read { path: located(path), reach: Reach::Itself }
}

pub(crate) fn write(path: &str) -> Effect {
    let change = Change::Content { sha256: Sha256::of(b""), bytes: 0, binary: false, create_dirs: false };
    Effect::Write { path: located(path), change }
}

pub(crate) fn delete(path: &str) -> Effect {
    Effect::Delete { path: located(path) }
}

pub(crate) fn fetch(method: &str, url: &str) -> Effect {
    let url = WebAddress::parse(url).unwrap();
    Effect::Network(WebRequest { method: method.to_owned(), url, headers: Vec::new(), body: None })
}

pub(crate) fn secret(scope: &str) -> Effect {
    Effect::Secret { scope: scope.to_owned(), name: "TOKEN".to_owned(), reveal: SecretUse::Header }
}

pub(crate) fn shell(command: &str) -> Effect {
    run(Program::Shell { command: command.to_owned() })
}

pub(crate) fn python() -> Effect {
    run(Program::Code { language: "python".to_owned(), sha256: Sha256::of(b"1") })
}

pub(crate) fn node() -> Effect {
    run(Program::Code { language: "node".to_owned(), sha256: Sha256::of(b"1") })
}

fn run(program: Program) -> Effect {
    let limits = RunLimits::default();
    let environment = Vec::new();
    Effect::Run(Run { program, lane: None, network: false, stdin: None, inputs: 0, environment, limits })
}

pub(crate) fn query(access: Access, database: &str, tables: &[&str]) -> Effect {
    Effect::Query(Query {
        database: database.to_owned(),
        access,
        tables: tables.iter().map(|table| (*table).to_owned()).collect(),
        sql: String::new(),
        parameters: Sha256::of(b""),
    })
}

/// The verdict and the codes of its reasons: `deny path_denied`.
pub(crate) fn say(policy: &Policy, tool: &str, skills: &str, effects: Vec<Effect>) -> String {
    say_in(policy, tool, skills, CallContext::Agent, effects)
}

pub(crate) fn say_in(
    policy: &Policy,
    tool: &str,
    skills: &str,
    context: CallContext,
    effects: Vec<Effect>,
) -> String {
    let tool: ToolName = tool.parse().unwrap();
    let actor = actor(skills, context);
    let effects = Effects::new(effects);
    let now: Moment = "2026-11-16T10:00:00Z".parse().unwrap();
    let call = Deciding { tool: &tool, actor: &actor, effects: &effects, objections: &[], now };
    let ruled = decide(policy, &call);
    let codes: Vec<&str> = ruled.ruling.reasons().iter().map(|reason| reason.code.as_str()).collect();
    [&[ruled.ruling.verdict()], codes.as_slice()].concat().join(" ")
}
