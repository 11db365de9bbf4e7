//! Reasons in words: what happened, which rule, what would be allowed instead.
//!
//! The agent is shown all of it. So a denied path is named as the agent wrote it and never as it
//! was resolved, and what lies on a deny list is not spelled out.

use call::{Effect, Family, Objection, Reason, ReasonCode, RiskFlag, SkillName, ToolName, UnclearPath};

use crate::cedar::{Authority, Question, Remark};
use crate::home::Home;
use crate::skill::Skill;

/// What a rule spoke about.
pub(crate) struct Matter<'m> {
    pub(crate) authority: &'m Authority,
    /// Nothing when it is about the tool itself.
    pub(crate) effect: Option<&'m Effect>,
    pub(crate) question: &'m Question,
    pub(crate) tool: &'m ToolName,
}

impl Matter<'_> {
    /// `home`, or the name of a skill.
    pub(crate) fn authority_name(&self) -> String {
        match self.authority {
            Authority::Home => "home".to_owned(),
            Authority::Skill(name) => name.clone(),
        }
    }

    /// `read a`, `network GET https://example.org/`
    pub(crate) fn about(&self) -> String {
        match self.effect {
            None => format!("call {}", self.tool),
            Some(effect) => about(effect),
        }
    }
}

/// An effect in a few words.
pub(crate) fn about(effect: &Effect) -> String {
    match effect {
        Effect::Read { path, .. } => format!("read {}", path.given),
        Effect::Write { path, .. } => format!("write {}", path.given),
        Effect::Delete { path } => format!("delete {}", path.given),
        Effect::Run(run) => match &run.program {
            call::Program::Code { language, .. } => format!("run {language} code"),
            call::Program::Argv { argv, .. } => format!("run {}", argv.join(" ")),
            call::Program::Shell { command } | call::Program::Foreign { command } => format!("run {command}"),
        },
        Effect::Network(request) => format!("network {} {}", request.method, request.url.origin()),
        Effect::Secret { scope, name, .. } => format!("secret {scope}/{name}"),
        Effect::Query(query) => match query.access {
            call::Access::Read => format!("query {}", query.database),
            call::Access::Write => format!("change {} ({})", query.database, query.tables.join(", ")),
        },
        Effect::Memory(call::MemoryUse::Recall { .. }) => "recall memory".to_owned(),
        Effect::Memory(call::MemoryUse::Store { .. }) => "store memory".to_owned(),
        Effect::Repository(used) => format!("repository {}", used.repository),
        Effect::Status => "status".to_owned(),
        Effect::Nothing => "nothing".to_owned(),
        Effect::Unknown { .. } => "unknown".to_owned(),
    }
}

pub(crate) fn reason(code: &ReasonCode, message: impl Into<String>, remedy: impl Into<String>) -> Reason {
    let remedy = Some(remedy.into()).filter(|remedy| !remedy.is_empty());
    Reason { code: code.clone(), message: message.into(), rule: None, remedy }
}

/// A reason that is named for the rule behind it.
trait By {
    fn by(self, rule: impl Into<String>) -> Self;
}

impl By for Reason {
    fn by(self, rule: impl Into<String>) -> Self {
        Self { rule: Some(rule.into()), ..self }
    }
}

pub(crate) fn outside(given: &str, home: &Home) -> Reason {
    let message = format!("path is outside allowed roots: {given}");
    let remedy =
        format!("use a path below {}; whoever owns the policy may add a root", shown(&home.allowed_roots));
    reason(&ReasonCode::PATH_OUTSIDE_ALLOWED_ROOTS, message, remedy).by("policy.toml#allowed_roots")
}

/// What a list allows, as far as it is short.
fn shown<T: std::fmt::Display>(list: &[T]) -> String {
    const MOST: usize = 8;
    let words: Vec<String> = list.iter().take(MOST).map(|entry| format!("`{entry}`")).collect();
    match list.len() {
        0 => "none".to_owned(),
        1..=MOST => words.join(", "),
        all => format!("{} and {} more", words.join(", "), all - MOST),
    }
}

pub(crate) fn gate_home(effect: &Effect, action: &str) -> Reason {
    let message = format!("the gate's own home is closed to every tool: {}", about(effect));
    reason(&ReasonCode::GATE_HOME, message, format!("`{action}` works on any other path of the workspace"))
}

pub(crate) fn special(given: &str) -> Reason {
    let message = format!("neither a file nor a folder: {given}");
    reason(&ReasonCode::SPECIAL_FILE, message, "name an ordinary file")
}

pub(crate) fn unclear(given: &str, why: UnclearPath) -> Reason {
    let message = format!("the path {why}: {given}");
    match why {
        UnclearPath::ThroughFile | UnclearPath::NameTooLong => {
            reason(&ReasonCode::NOT_FOUND, message, "use `list_files` to see which files there are")
        }
        UnclearPath::NoPath
        | UnclearPath::Tilde
        | UnclearPath::BrokenLink
        | UnclearPath::Loop
        | UnclearPath::NotFolder
        | UnclearPath::Unreadable => {
            reason(&ReasonCode::PATH_UNCLEAR, message, "name the file by its plain path")
        }
    }
}

pub(crate) fn no_manifest(skill: &SkillName) -> Reason {
    let message = format!("no permissions are defined for the skill `{skill}`");
    let remedy = format!("whoever owns the home can write `skills/{skill}/PERMISSIONS.json`");
    reason(&ReasonCode::NO_PERMISSIONS_DEFINED, message, remedy)
}

pub(crate) fn invalid_manifest(skill: &SkillName) -> Reason {
    let message = format!("the manifest of the skill `{skill}` is not valid");
    reason(&ReasonCode::INVALID_MANIFEST, message, "`toolgate policy check` says what is wrong with it")
}

/// What an argument carries that is always blocked.
pub(crate) fn objection(objection: &Objection) -> Reason {
    let what = objection.found.kind.replace('_', " ");
    let place = &objection.argument;
    let (code, message, remedy) = match objection.found.family {
        Family::Secret => (
            &ReasonCode::SECRET_EXFILTRATION,
            format!("the argument `{place}` carries a secret: {what}"),
            "take it out; `secrets_get` gives a handle in its place",
        ),
        Family::Exfiltration => (
            &ReasonCode::SECRET_EXFILTRATION,
            format!("the argument `{place}` reveals secrets: {what}"),
            "ask for a handle with `secrets_get` and pass that",
        ),
        Family::Override => (
            &ReasonCode::INSTRUCTION_OVERRIDE,
            format!("the argument `{place}` carries an instruction override: {what}"),
            "say it in other words, or quote it as what somebody else said",
        ),
        Family::Injection | Family::Payload => (
            &ReasonCode::SHELL_INJECTION,
            format!("the argument `{place}` runs what it has not shown: {what}"),
            match objection.found.kind {
                "command_in_path" => "name the file by its plain path",
                _ => "fetch the file in a call of its own, look at it, and run it from disk",
            },
        ),
        Family::Traversal => (
            &ReasonCode::PATH_TRAVERSAL,
            format!("the argument `{place}` reaches out of its folder: {what}"),
            "name the file by its plain path below the workspace",
        ),
    };
    reason(code, message, remedy).by(format!("toolgate#always_blocked.{code}"))
}

/// A rule that a person could lift.
pub(crate) fn ask(rule: &str, remark: Option<&Remark>, matter: &Matter<'_>) -> Reason {
    let code = remark.and_then(|remark| remark.reason.clone()).unwrap_or(ReasonCode::APPROVAL_REQUIRED);
    let message = format!("a person must agree: {}", matter.about());
    let remedy = remark.and_then(|remark| remark.remedy.clone());
    Reason {
        code,
        message,
        rule: Some(rule.to_owned()),
        remedy: remedy.or_else(|| Some("wait for approval".to_owned())),
    }
}

/// A rule that says no.
pub(crate) fn refusal(rule: &str, remark: Option<&Remark>, matter: &Matter<'_>) -> Reason {
    let code = remark.and_then(|remark| remark.reason.clone()).unwrap_or(ReasonCode::ORGANISATION_POLICY);
    let tool = matter.tool;
    let message = match code.as_str() {
        "write_blocked_read_only" => format!("write action blocked by read-only policy: {tool}"),
        "shell_blocked" => "shell execution is disabled by policy".to_owned(),
        "path_denied" => format!("the policy denies this path: {}", matter.about()),
        "tool_denied" => format!("the skill `{}` may not use `{tool}`", matter.authority_name()),
        "network_disabled" => "the network is disabled".to_owned(),
        "domain_denied" => format!("the host is on a deny list: {}", matter.about()),
        "private_address" => format!("the address is private or local: {}", matter.about()),
        "secret_context_denied" => "secrets are for calls whose context is `operator`".to_owned(),
        "branch_protected" => "the branch is protected".to_owned(),
        "lane_too_weak" => "policy demands a stronger lane for this code".to_owned(),
        "method_not_allowed" => format!("the method is not allowed here: {}", matter.about()),
        _ => format!("`{rule}` refuses: {}", matter.about()),
    };
    let remedy = remark.and_then(|remark| remark.remedy.clone());
    let remedy = remedy.or_else(|| Some("ask whoever owns the policy".to_owned()));
    Reason { code, message, rule: Some(rule.to_owned()), remedy }
}

/// A rule could not be evaluated, which is a no.
pub(crate) fn failed(matter: &Matter<'_>) -> Reason {
    let message = format!("a rule of the policy could not be evaluated: {}", matter.about());
    reason(&ReasonCode::POLICY_ERROR, message, "`toolgate policy check` looks for what is wrong")
}

/// No rule allows it. The lists are those of the skill that was asked, or of the home.
pub(crate) fn unmatched(matter: &Matter<'_>, home: &Home, skill: Option<&Skill>) -> Reason {
    let about = matter.about();
    let by = matter.authority_name();
    let list = |words: Vec<&str>| if words.is_empty() { "none".to_owned() } else { words.join(", ") };
    let of_skill = |section: &str, list: &str| format!("skills/{by}/PERMISSIONS.json#{section}.{list}");
    match matter.question.action {
        "call" => {
            let message = format!("the skill `{by}` may not use `{}`", matter.tool);
            let remedy = "use a tool that the skill lists, or ask whoever owns the skill";
            reason(&ReasonCode::TOOL_DENIED, message, remedy).by(of_skill("tools", "allow"))
        }
        "read" if skill.is_none() => outside(about.trim_start_matches("read "), home),
        action @ ("read" | "write" | "delete") => {
            let message = format!("no list of `{by}` allows this path: {about}");
            let (rule, entries) = match (skill, action) {
                (Some(skill), "read") => (of_skill("filesystem", "read_paths"), &skill.read_paths),
                (Some(skill), _) => (of_skill("filesystem", "write_paths"), &skill.write_paths),
                (None, _) => ("policy.toml#write_paths".to_owned(), &home.write_paths),
            };
            let remedy = format!("use a path below {}, or ask whoever owns the policy", shown(entries));
            reason(&ReasonCode::PATH_NOT_ALLOWED, message, remedy).by(rule)
        }
        "network" => {
            let message = format!("no list of `{by}` allows this host: {about}");
            let (rule, network) = match skill {
                Some(skill) => (of_skill("network", "allowlist"), &skill.network),
                None => ("policy.toml#network.allowlist".to_owned(), &home.network),
            };
            let remedy =
                format!("hosts on the list: {}; whoever owns the policy may add one", shown(&network.allow));
            reason(&ReasonCode::DOMAIN_NOT_ALLOWED, message, remedy).by(rule)
        }
        "secret" => {
            let message = format!("`{by}` may not use this scope: {about}");
            let rule = skill.map_or("policy.toml#secrets.allowed_scopes".to_owned(), |_| {
                of_skill("secrets", "allowed_scopes")
            });
            reason(&ReasonCode::SECRET_SCOPE_DENIED, message, "ask whoever owns the policy to add the scope")
                .by(rule)
        }
        "query" => {
            let known = list(home.databases.keys().map(String::as_str).collect());
            let message = format!("the policy names no such database: {about}");
            reason(
                &ReasonCode::DATABASE_NOT_ALLOWED,
                message,
                format!("databases that may be asked: {known}; whoever owns the policy may add one"),
            )
            .by("policy.toml#databases")
        }
        "execute" => {
            let message = format!("the policy does not let this table change: {about}");
            let remedy = "use a table on `write_tables`, or ask whoever owns the policy";
            reason(&ReasonCode::TABLE_NOT_ALLOWED, message, remedy).by("policy.toml#databases")
        }
        "look" | "propose" => {
            let message = format!("the repository is not authorised: {about}");
            let known = list(home.github.repositories.iter().map(String::as_str).collect());
            let remedy = format!("authorised repositories: {known}; whoever owns the policy may add one");
            reason(&ReasonCode::REPOSITORY_NOT_ALLOWED, message, remedy).by("policy.toml#github.repositories")
        }
        _ => reason(
            &ReasonCode::UNKNOWN_EFFECT,
            format!("no rule allows this: {about}"),
            "ask whoever owns the policy",
        ),
    }
}

/// Nobody can say what a call would do.
pub(crate) fn unknown(why: &str) -> Reason {
    let (message, remedy) = why.rsplit_once("; ").unwrap_or((why, "say it in a way the gate understands"));
    reason(&ReasonCode::UNKNOWN_EFFECT, message, remedy)
}

/// The flag that readers of ledgers know a refusal by.
#[must_use]
pub fn flag_of(code: &ReasonCode) -> Option<RiskFlag> {
    match code.as_str() {
        "path_outside_allowed_roots" | "path_denied" | "path_not_allowed" | "gate_home" | "path_unclear" => {
            Some(RiskFlag::PATH_DENIED)
        }
        "network_disabled" | "domain_not_allowed" | "domain_denied" | "private_address" => {
            Some(RiskFlag::NETWORK_DENIED)
        }
        "secret_scope_denied" | "secret_context_denied" => Some(RiskFlag::SECRET_ATTEMPT),
        "tool_denied" => Some(RiskFlag::TOOL_DENIED),
        _ => None,
    }
}
