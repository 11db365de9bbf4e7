//! The rules of a skill's manifest.

use call::ReasonCode;
use cedar_policy::EntityUid;

use super::rule::{RuleText, entity};
use super::shared::{CHANGES, NETWORK, READS, allow_paths, deny_paths, network_rules};
use crate::skill::Skill;

const CALL: &[&str] = &["call"];
/// What a manifest has no section for: its list of tools says all of it, within the home's ceiling.
const BY_TOOL: &[&str] = &["run", "query", "execute", "recall", "store", "status", "look", "propose"];

/// Everything that a skill says.
pub(crate) fn skill_rules(skill: &Skill, authority: &EntityUid) -> Vec<RuleText> {
    let file = format!("skills/{}/PERMISSIONS.json", skill.name);
    let mut rules = tools(skill, &file, authority);
    rules.push(RuleText::permit(format!("{file}#tools"), authority, BY_TOOL));
    let files = format!("{file}#filesystem");
    rules.extend(allow_paths(&skill.read_paths, &format!("{files}.read_paths"), authority, READS));
    rules.extend(allow_paths(&skill.write_paths, &format!("{files}.write_paths"), authority, CHANGES));
    rules.extend(deny_paths(&skill.deny_paths, &format!("{files}.deny_paths"), authority));
    rules.extend(network_rules(&skill.network, &format!("{file}#network"), authority));
    for scope in &skill.scopes {
        let id = format!("{file}#secrets.allowed_scopes.{scope}");
        rules.push(RuleText::permit(id, authority, &["secret"]).only(&entity("Scope", scope)));
    }
    rules.extend(rules_by_name(skill, authority));
    rules
}

fn tools(skill: &Skill, file: &str, authority: &EntityUid) -> Vec<RuleText> {
    let mut rules = Vec::new();
    match &skill.tools_allow {
        None => rules.push(RuleText::permit(format!("{file}#tools.allow.*"), authority, CALL)),
        Some(allowed) => rules.extend(allowed.iter().map(|tool| {
            RuleText::permit(format!("{file}#tools.allow.{tool}"), authority, CALL)
                .within(&entity("Tool", tool))
        })),
    }
    for tool in &skill.tools_deny {
        let id = format!("{file}#tools.deny.{tool}");
        let rule = RuleText::forbid(id, authority, CALL, &ReasonCode::TOOL_DENIED);
        let rule = if tool == "*" { rule } else { rule.within(&entity("Tool", tool)) };
        rules.push(rule.remedy("use another tool, or ask whoever owns the skill"));
    }
    rules
}

/// Two skills that ship with the gate have rules that a manifest cannot say.
fn rules_by_name(skill: &Skill, authority: &EntityUid) -> Vec<RuleText> {
    match skill.name.as_str() {
        "web_research" => {
            let id = "toolgate#web_research.get_only";
            let rule = RuleText::forbid(id, authority, NETWORK, &ReasonCode::METHOD_NOT_ALLOWED);
            vec![rule.unless("context.method == \"GET\"").remedy("use GET")]
        }
        "sandbox_exec" => {
            let id = "toolgate#sandbox_exec.no_network";
            let rule = RuleText::forbid(id, authority, &["run"], &ReasonCode::NETWORK_DISABLED);
            let id = "toolgate#sandbox_exec.seconds";
            let long = RuleText::forbid(id, authority, &["run"], &ReasonCode::LIMIT_EXCEEDED);
            vec![
                rule.when("context.network").remedy("run without network"),
                long.when("context.seconds > 60").remedy("ask for 60 seconds at most"),
            ]
        }
        _ => Vec::new(),
    }
}
