//! The rules of `policy.toml`.

use call::{Lane, ReasonCode};
use cedar_policy::EntityUid;

use super::rule::{RuleText, entity, quoted};
use super::shared::{CHANGES, NETWORK, READS, allow_paths, allowing, deny_paths, network_rules, path};
use crate::home::Home;

const FILE: &str = "policy.toml";
const RUN: &[&str] = &["run"];
const SECRET: &[&str] = &["secret"];
const EXECUTE: &[&str] = &["execute"];
const ALL_CHANGES: &[&str] = &["write", "delete", "execute", "store", "propose"];
const HARMLESS: &[&str] = &["call", "recall", "store", "status", "run"];

/// Everything that the home says.
pub(crate) fn home_rules(home: &Home, authority: &EntityUid) -> Vec<RuleText> {
    let mut rules = vec![RuleText::permit(format!("{FILE}#tools"), authority, HARMLESS)];
    rules.extend(allow_paths(&home.allowed_roots, &format!("{FILE}#allowed_roots"), authority, READS));
    rules.extend(changes(home, authority));
    rules.extend(deny_paths(&home.deny, &format!("{FILE}#deny"), authority));
    rules.extend(runs(home, authority));
    rules.extend(approvals(home, authority));
    rules.extend(network_rules(&home.network, &format!("{FILE}#network"), authority));
    rules.extend(secrets(home, authority));
    rules.extend(databases(home, authority));
    rules.extend(repositories(home, authority));
    rules
}

fn changes(home: &Home, authority: &EntityUid) -> Vec<RuleText> {
    let id = format!("{FILE}#write_paths");
    let roots: Vec<String> =
        home.allowed_roots.iter().map(|root| format!("resource in {}", allowing(root))).collect();
    let within_roots = if roots.is_empty() { "false".to_owned() } else { roots.join(" || ") };
    let allowed = allow_paths(&home.write_paths, &id, authority, CHANGES);
    let mut rules: Vec<RuleText> = allowed.into_iter().map(|rule| rule.when(within_roots.as_str())).collect();
    if home.read_only {
        let reason = &ReasonCode::WRITE_BLOCKED_READ_ONLY;
        let remedy = "whoever owns the policy can set `read_only = false`";
        let id = format!("{FILE}#read_only");
        rules.push(RuleText::forbid(id.as_str(), authority, ALL_CHANGES, reason).remedy(remedy));
        let methods = "[\"GET\", \"HEAD\", \"OPTIONS\", \"CONNECT\"].contains(context.method)";
        let rule = RuleText::forbid(format!("{id}.methods"), authority, NETWORK, reason);
        rules.push(rule.unless(methods).remedy("use GET, or ask whoever owns the policy"));
    }
    rules
}

fn runs(home: &Home, authority: &EntityUid) -> Vec<RuleText> {
    let mut rules = Vec::new();
    if !home.allow_shell {
        let rule =
            RuleText::forbid(format!("{FILE}#allow_shell"), authority, RUN, &ReasonCode::SHELL_BLOCKED);
        rules.push(rule.when("context.shell").remedy("use `exec_sandbox` with an argument vector"));
    }
    if home.lanes.minimum == Lane::Microvm {
        let id = format!("{FILE}#lanes.minimum");
        let rule = RuleText::forbid(id, authority, RUN, &ReasonCode::LANE_TOO_WEAK);
        rules.push(rule.when("context.lane == \"jail\"").remedy("ask for the lane `microvm`"));
    }
    let free: Vec<String> = home.lanes.without_approval.iter().map(|lane| quoted(lane.as_str())).collect();
    let rule = RuleText::ask(format!("{FILE}#lanes.without_approval"), authority, RUN);
    rules.push(if free.is_empty() {
        rule
    } else {
        rule.unless(format!("[{}].contains(context.lane)", free.join(", ")))
    });
    rules
}

/// What a person must agree to. An action counts by its effect, whatever tool brings it about.
fn approvals(home: &Home, authority: &EntityUid) -> Vec<RuleText> {
    let id = |place: usize| format!("{FILE}#approval_required[{place}]");
    let mut rules: Vec<RuleText> = Vec::new();
    for (place, name) in home.approval_required.iter().enumerate() {
        rules.push(match name.as_str() {
            "write_file" | "edit_file" => RuleText::ask(id(place), authority, &["write"]),
            "delete_file" => RuleText::ask(id(place), authority, &["delete"]),
            "run_shell" | "exec_shell" => RuleText::ask(id(place), authority, RUN).when("context.shell"),
            "network_fetch" => RuleText::ask(id(place), authority, NETWORK),
            tool => RuleText::ask(id(place), authority, &["call"]).within(&entity("Tool", tool)),
        });
    }
    // A line for a shell is never run without a person, whatever the list and the lanes say.
    if !home.approval_required.iter().any(|name| matches!(name.as_str(), "run_shell" | "exec_shell")) {
        rules.push(RuleText::ask("toolgate#exec_shell", authority, RUN).when("context.shell"));
    }
    let binary = RuleText::ask("toolgate#binary_content", authority, &["write"]);
    rules.push(binary.when("context.binary"));
    rules.push(RuleText::ask("toolgate#execute_db", authority, EXECUTE));
    rules
}

fn secrets(home: &Home, authority: &EntityUid) -> Vec<RuleText> {
    let id = format!("{FILE}#secrets.allowed_scopes");
    let mut rules: Vec<RuleText> = home
        .allowed_scopes
        .iter()
        .map(|scope| {
            RuleText::permit(format!("{id}.{scope}"), authority, SECRET).only(&entity("Scope", scope))
        })
        .collect();
    // With a skill, its own list of scopes counts.
    rules.push(RuleText::permit(format!("{id}.of_skills"), authority, SECRET).when("context.with_skill"));
    let rule =
        RuleText::forbid("toolgate#secrets.context", authority, SECRET, &ReasonCode::SECRET_CONTEXT_DENIED);
    let remedy = "secrets are for calls whose context is `operator`";
    rules.push(rule.unless("context.caller == \"operator\"").remedy(remedy));
    rules
}

fn databases(home: &Home, authority: &EntityUid) -> Vec<RuleText> {
    let mut rules = Vec::new();
    for (name, database) in &home.databases {
        let id = format!("{FILE}#databases.{name}");
        let whole = entity("Database", name);
        rules.push(RuleText::permit(id.as_str(), authority, &["query"]).within(&whole));
        for (place, file) in database.files().iter().enumerate() {
            let id = if place == 0 { format!("{id}.path") } else { format!("{id}.path.beside[{place}]") };
            let rule = RuleText::forbid(id, authority, CHANGES, &ReasonCode::PATH_DENIED);
            rules.push(rule.within(&path(file)).remedy("a database is changed with `execute_db`"));
        }
        for table in database.write_tables.iter().filter(|_| !database.read_only) {
            let table_id = format!("{id}.write_tables.{table}");
            let table = entity("Table", &format!("{name}/{}", database.table_name(table)));
            rules.push(RuleText::permit(table_id, authority, EXECUTE).only(&table));
        }
        if database.read_only {
            let rule = RuleText::forbid(
                format!("{id}.read_only"),
                authority,
                EXECUTE,
                &ReasonCode::WRITE_BLOCKED_READ_ONLY,
            );
            rules.push(rule.within(&whole).remedy("whoever owns the policy can set `read_only = false`"));
        }
    }
    rules
}

fn repositories(home: &Home, authority: &EntityUid) -> Vec<RuleText> {
    let mut rules = Vec::new();
    for repository in &home.github.repositories {
        let id = format!("{FILE}#github.repositories.{repository}");
        let rule = RuleText::permit(id, authority, &["look", "propose"]);
        rules.push(rule.within(&entity("Repository", repository)));
    }
    for (place, branch) in home.github.protected.iter().enumerate() {
        let id = format!("{FILE}#github.protected[{place}]");
        let rule = RuleText::forbid(id, authority, &["propose"], &ReasonCode::BRANCH_PROTECTED);
        let remedy = "push to a branch of its own and name the protected one as `base`";
        rules.push(rule.within(&entity("BranchGlob", branch)).remedy(remedy));
    }
    rules
}
