//! `policy.toml`.

use std::collections::{BTreeMap, BTreeSet};

use call::json::{Json, JsonNode};
use call::{AbsolutePath, BUILT_IN_TOOLS, Lane, RunCaps, Span, WebAddress, is_gate_home};

use super::fields::{Fields, nearest};
use super::lists::{List, denied_hosts, hosts, paths};
use crate::entry::{HostEntry, PathEntry};
use crate::files::Ground;
use crate::finding::Notes;
use crate::home::{
    Approvals, Database, DatabaseLocation, Github, Home, Lanes, May, Network, Organisation, Provider,
};
use crate::rules;
use crate::skill::RiskTier;

/// What `max_file_chars` may be at most.
const MOST_CHARS: u64 = 100_000_000;

/// Reads the tree of a `policy.toml`. Nothing comes back when it has an error: a policy is loaded
/// whole or not at all.
pub(crate) fn home(tree: &Json, ground: &impl Ground, notes: &mut Notes<'_>) -> Option<Home> {
    let mut fields = Fields::of(tree, "", notes);
    if fields.entries().is_empty() {
        let hint = "`toolgate init` writes one with comments";
        fields.notes.add(&rules::EMPTY_POLICY, Span::at(0), "`policy.toml` is empty", hint);
    }
    let roots = paths(&mut fields, "allowed_roots", List::Allows, ground);
    let roots = roots.unwrap_or_else(|| default_paths(&["."], ground));
    let read_only = fields.flag("read_only").unwrap_or(true);
    let write_paths = paths(&mut fields, "write_paths", List::Allows, ground);
    let write_paths = write_paths.unwrap_or_else(|| default_paths(&["."], ground));
    let allow_shell = fields.flag("allow_shell").unwrap_or(false);
    let max_file_chars = fields.number("max_file_chars", 1..=MOST_CHARS).unwrap_or(8_000);
    let approval_required = approval_required(&mut fields);
    let deny = paths(&mut fields, "deny", List::Denies, ground);
    let deny = deny.unwrap_or_else(|| default_deny(&roots, ground));
    note_odd_roots(&roots, &deny, ground, &mut fields);
    let lanes = fields.table("lanes", lanes).unwrap_or_else(default_lanes);
    let approvals = fields.table("approvals", approvals).unwrap_or(DEFAULT_APPROVALS);
    let network = fields.table("network", network).unwrap_or_default();
    let databases = fields.table("databases", |fields| databases(fields, &deny, ground)).unwrap_or_default();
    let (allowed_scopes, scopes) = fields.table("secrets", secrets).unwrap_or_default();
    let github = fields.table("github", github).unwrap_or_else(default_github);
    let organisation = fields.table("organisation", organisation).unwrap_or_default();
    fields.finish(&rules::UNKNOWN_KEY);
    let entries = |list: Vec<(PathEntry, Span)>| list.into_iter().map(|(entry, _)| entry).collect();
    let home = Home {
        allowed_roots: entries(roots),
        read_only,
        write_paths: entries(write_paths),
        allow_shell,
        max_file_chars: usize::try_from(max_file_chars).unwrap_or(usize::MAX),
        approval_required,
        deny: entries(deny),
        lanes,
        approvals,
        network,
        databases,
        allowed_scopes,
        scopes,
        github,
        organisation,
    };
    (!notes.any_error()).then_some(home)
}

fn default_paths(written: &[&str], ground: &impl Ground) -> Vec<(PathEntry, Span)> {
    let entries = written.iter().filter_map(|text| PathEntry::parse(text, ground, false).ok());
    entries.map(|entry| (entry, Span::at(0))).collect()
}

/// What is denied where `deny` does not say it, but for what would close a root as a whole.
const DENIED: [&str; 8] =
    ["**/.env*", "**/.git/**", "~/.ssh", "~/.aws", "~/.config", "/etc", "/var", "/proc"];

fn default_deny(roots: &[(PathEntry, Span)], ground: &impl Ground) -> Vec<(PathEntry, Span)> {
    let closes = |entry: &PathEntry| {
        let mut folders = roots.iter().filter_map(|(root, _)| root.folder());
        folders.any(|folder| entry.denies(folder)) || entry.denies(ground.workspace())
    };
    let entries = DENIED.iter().filter_map(|text| PathEntry::parse_denying(text, ground));
    entries.filter(|entry| !closes(entry)).map(|entry| (entry, Span::at(0))).collect()
}

/// Names of actions; those that the gate does not know may be those of other servers' tools.
fn approval_required(fields: &mut Fields<'_, '_, '_>) -> Vec<String> {
    let Some(texts) = fields.texts("approval_required") else {
        return ["write_file", "run_shell", "delete_file"].map(str::to_owned).to_vec();
    };
    note_unknown_tools(&texts, fields.notes);
    texts.into_iter().map(|(text, _)| text.to_owned()).collect()
}

fn note_unknown_tools(texts: &[(&str, Span)], notes: &mut Notes<'_>) {
    for (text, span) in texts {
        let known = BUILT_IN_TOOLS.contains(text) || text.contains(['.', '/']);
        if !known {
            let message = format!("there is no tool `{text}`");
            let hint = nearest(text, &BUILT_IN_TOOLS).map(|near| format!("did you mean `{near}`?"));
            notes.add(&rules::UNKNOWN_TOOL_NAME, *span, message, hint.as_deref().unwrap_or_default());
        }
    }
}

fn note_odd_roots(
    roots: &[(PathEntry, Span)],
    deny: &[(PathEntry, Span)],
    ground: &impl Ground,
    fields: &mut Fields<'_, '_, '_>,
) {
    if roots.is_empty() {
        let message = "`allowed_roots` is empty, so no file can be read or written";
        let place = fields.get("allowed_roots").map_or(Span::at(0), |entry| entry.value.span);
        fields.notes.add(&rules::NO_ROOTS, place, message, "");
    }
    for (root, span) in roots {
        let Some(folder) = root.folder() else {
            let message = format!("`{root}` in `allowed_roots` is a glob");
            fields.notes.add(&rules::BAD_PATH_ENTRY, *span, message, "write a folder");
            continue;
        };
        if let Some((entry, denied)) = deny.iter().find(|(entry, _)| entry.denies(folder)) {
            let message = format!("the root `{root}` is denied as a whole by `{entry}`");
            // A root that is only the default stands nowhere.
            let place = if *span == Span::at(0) { *denied } else { *span };
            fields.notes.add(&rules::ROOT_DENIED, place, message, "remove the root or the entry of `deny`");
        }
        if folder.as_str() == "/" || ground.user_home() == Some(folder) {
            let message = format!("the root `{root}` is wider than a project");
            fields.notes.add(&rules::WIDE_ROOT, *span, message, "name the folder of the project");
        }
    }
}

fn lanes(fields: &mut Fields<'_, '_, '_>) -> Lanes {
    const MANY: u64 = u32::MAX as u64;
    let default = default_lanes();
    let choices = [("jail", Lane::Jail), ("microvm", Lane::Microvm)];
    let minimum = fields.choice("minimum", &choices).unwrap_or(default.minimum);
    let mut cap = |key, default| {
        let number = fields.number(key, 1..=MANY).and_then(|number| u32::try_from(number).ok());
        number.unwrap_or(default)
    };
    let caps = RunCaps {
        disk_mb: cap("disk_mb", default.caps.disk_mb),
        files: cap("files", default.caps.files),
        processes: cap("processes", default.caps.processes),
        output_kb: cap("output_kb", default.caps.output_kb),
    };
    let without_approval = match fields.texts("without_approval") {
        None => default.without_approval,
        Some(texts) => {
            let mut lanes = BTreeSet::new();
            for (text, span) in texts {
                match Lane::ALL.iter().find(|(word, _)| *word == text) {
                    Some((_, lane)) => drop(lanes.insert(*lane)),
                    None => {
                        let message = format!("there is no lane `{text}`");
                        let hint = "the lanes are `monty`, `jail` and `microvm`";
                        fields.notes.add(&rules::OUT_OF_RANGE, span, message, hint);
                    }
                }
            }
            lanes
        }
    };
    fields.finish(&rules::UNKNOWN_KEY);
    Lanes { minimum, caps, without_approval }
}

fn default_lanes() -> Lanes {
    let caps = RunCaps { disk_mb: 1_024, files: 10_000, processes: 256, output_kb: 1_024 };
    Lanes { minimum: Lane::Jail, caps, without_approval: BTreeSet::from([Lane::Monty]) }
}

const DEFAULT_APPROVALS: Approvals =
    Approvals { quorum: 1, self_approval: false, expires_seconds: 1_800, unsigned: false, may: Vec::new() };

fn approvals(fields: &mut Fields<'_, '_, '_>) -> Approvals {
    let quorum = fields.number("quorum", 1..=100).and_then(|number| u32::try_from(number).ok());
    let self_approval = fields.flag("self_approval");
    let unsigned = fields.flag("unsigned");
    let may = may(fields);
    let expires = fields.get("expires").and_then(|entry| {
        let text = fields.text_of(entry)?;
        let seconds = duration(text);
        if seconds.is_none() {
            let message =
                format!("`approvals.expires` is `{text}`, which is no length of time up to 365 days");
            fields.notes.add(&rules::OUT_OF_RANGE, entry.value.span, message, "write `30m`, `8h` or `2d`");
        }
        seconds
    });
    fields.finish(&rules::UNKNOWN_KEY);
    Approvals {
        quorum: quorum.unwrap_or(DEFAULT_APPROVALS.quorum),
        self_approval: self_approval.unwrap_or(DEFAULT_APPROVALS.self_approval),
        expires_seconds: expires.unwrap_or(DEFAULT_APPROVALS.expires_seconds),
        unsigned: unsigned.unwrap_or(DEFAULT_APPROVALS.unsigned),
        may,
    }
}

/// `[[approvals.may]]`: who may agree to what.
fn may(fields: &mut Fields<'_, '_, '_>) -> Vec<May> {
    let Some(entry) = fields.get("may") else { return Vec::new() };
    let JsonNode::List(tables) = &entry.value.node else {
        let message = format!("`approvals.may` is {}, expected a list of tables", entry.value.kind());
        fields.notes.add(&rules::WRONG_TYPE, entry.value.span, message, "write `[[approvals.may]]`");
        return Vec::new();
    };
    let read = |table: &Json| {
        let mut inside = Fields::of(table, "approvals.may.", fields.notes);
        let approver = inside.get("approver").and_then(|entry| {
            let name = inside.text_of(entry)?;
            if name.trim() != name || name.is_empty() || name.contains(['*', '?', '!', ',']) {
                let message = format!("`{}` is no name of an approver", name.escape_debug());
                let hint = "write it as the file `approvers` has it; leave the key out for everybody there";
                inside.notes.add(&rules::OUT_OF_RANGE, entry.value.span, message, hint);
            }
            Some(name.to_owned())
        });
        let tools = inside.texts("tools").map(|texts| {
            note_unknown_tools(&texts, inside.notes);
            // An action has one name here, as in `approval_required`.
            let one_name =
                |text: &str| if text == "run_shell" { "exec_shell".to_owned() } else { text.to_owned() };
            texts.into_iter().filter_map(|(text, _)| one_name(text).parse().ok()).collect()
        });
        let up_to = inside.choice("up_to", &RiskTier::ALL).unwrap_or(RiskTier::Critical);
        inside.finish(&rules::UNKNOWN_KEY);
        May { approver, tools, up_to }
    };
    tables.iter().map(read).collect()
}

/// `90s`, `30m`, `8h`, `2d`; at most a year.
fn duration(text: &str) -> Option<u32> {
    let unit = match text.chars().last()? {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return None,
    };
    let digits =
        text.get(..text.len() - 1).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let seconds = digits.parse::<u32>().ok()?.checked_mul(unit)?;
    (1..=365 * 86_400).contains(&seconds).then_some(seconds)
}

fn network(fields: &mut Fields<'_, '_, '_>) -> Network {
    let enabled_at = fields.get("enabled").map_or(Span::at(0), |entry| entry.value.span);
    let enabled = fields.flag("enabled").unwrap_or(false);
    let allow: Vec<HostEntry> = hosts(fields, "allowlist", true).unwrap_or_default();
    let deny = denied_hosts(fields, "denylist").unwrap_or_default();
    if enabled && allow.is_empty() {
        let message = "the network is enabled, and `network.allowlist` is empty";
        let hint = "name hosts, or `\"*\"` for whatever the skills list";
        fields.notes.add(&rules::NETWORK_WITHOUT_LIST, enabled_at, message, hint);
    }
    fields.finish(&rules::UNKNOWN_KEY);
    Network { enabled, allow, deny }
}

fn databases(
    fields: &mut Fields<'_, '_, '_>,
    deny: &[(PathEntry, Span)],
    ground: &impl Ground,
) -> BTreeMap<String, Database> {
    let mut databases = BTreeMap::new();
    for entry in fields.entries() {
        let mut inside = Fields::of(&entry.value, &format!("databases.{}.", entry.key), fields.notes);
        let place = inside.get("path").map_or(entry.key_span, |path| path.value.span);
        let path = inside.text("path").map(|text| database_file(text, deny, ground));
        let url = inside.text("url").map(str::to_owned);
        let location = match (path, url) {
            (Some(Ok(path)), None) => Some(DatabaseLocation::File(path)),
            (Some(Err(why)), None) => {
                let message = format!("the path of `databases.{}` {why}", entry.key);
                inside.notes.add(&rules::DATABASE_DENIED, place, message, "put the file elsewhere");
                None
            }
            (None, Some(url)) => Some(DatabaseLocation::Url(url)),
            (Some(_), Some(_)) | (None, None) => {
                let message = format!("`databases.{}` needs either a `path` or a `url`", entry.key);
                inside.notes.add(&rules::MISSING_KEY, entry.key_span, message, "");
                None
            }
        };
        let read_only = inside.flag("read_only").unwrap_or(true);
        let tables = inside.texts("write_tables").unwrap_or_default();
        if read_only && let Some((_, span)) = tables.first() {
            let message =
                format!("`write_tables` has no effect while `databases.{}` is read-only", entry.key);
            inside.notes.add(&rules::UNUSED_WITH_READ_ONLY, *span, message, "set `read_only = false`");
        }
        inside.finish(&rules::UNKNOWN_KEY);
        let write_tables = tables.into_iter().map(|(table, _)| table.to_owned()).collect();
        if let Some(location) = location {
            databases.insert(entry.key.clone(), Database { location, read_only, write_tables });
        }
    }
    databases
}

/// The file of a database, or why it cannot be one. No tool reads by way of a database what none may read.
fn database_file(
    text: &str,
    deny: &[(PathEntry, Span)],
    ground: &impl Ground,
) -> Result<AbsolutePath, String> {
    let entry = PathEntry::parse(text, ground, false).map_err(|error| error.to_string())?;
    let Some(path) = entry.folder().cloned() else { return Err("is a glob".to_owned()) };
    let written = AbsolutePath::parse(text);
    let ways = || [Some(&path), written.as_ref()].into_iter().flatten();
    if ways().any(|way| way.as_str().split('/').any(is_gate_home)) {
        return Err("lies in the home of the gate".to_owned());
    }
    match deny.iter().find(|(entry, _)| ways().any(|way| entry.denies(way))) {
        Some((entry, _)) => Err(format!("is denied by `{entry}`")),
        None => Ok(path),
    }
}

/// Scopes are tables; what is no table is a key of the section itself.
fn secrets(fields: &mut Fields<'_, '_, '_>) -> (BTreeSet<String>, BTreeMap<String, Provider>) {
    let allowed = fields.texts("allowed_scopes").unwrap_or_default();
    let mut scopes = BTreeMap::new();
    for entry in fields.entries().iter().filter(|entry| entry.key != "allowed_scopes") {
        let mut inside = Fields::of(&entry.value, &format!("secrets.{}.", entry.key), fields.notes);
        if let Some(provider) = provider(&mut inside, &entry.key, entry.key_span) {
            scopes.insert(entry.key.clone(), provider);
        }
        inside.finish(&rules::UNKNOWN_KEY);
    }
    for (scope, span) in &allowed {
        if !scopes.contains_key(*scope) {
            let message = format!("the scope `{scope}` has no provider");
            let hint = format!("add `[secrets.{scope}]` with a `provider`");
            fields.notes.add(&rules::UNUSED_WITH_READ_ONLY, *span, message, &hint);
        }
    }
    (allowed.into_iter().map(|(scope, _)| scope.to_owned()).collect(), scopes)
}

fn provider(fields: &mut Fields<'_, '_, '_>, scope: &str, span: Span) -> Option<Provider> {
    #[derive(Clone, Copy)]
    enum Kind {
        Env,
        File,
        Command,
        Keyring,
    }
    let choices =
        [("env", Kind::Env), ("file", Kind::File), ("command", Kind::Command), ("keyring", Kind::Keyring)];
    let kind = fields.choice("provider", &choices);
    let owned =
        |list: Vec<(&str, Span)>| list.into_iter().map(|(text, _)| text.to_owned()).collect::<Vec<_>>();
    let provider = match kind {
        Some(Kind::Env) => {
            fields.texts("names").map(|names| Provider::Env(owned(names).into_iter().collect()))
        }
        Some(Kind::File) => fields.text("path").map(|path| Provider::File(path.to_owned())),
        Some(Kind::Command) => {
            fields.texts("argv").map(owned).filter(|argv| !argv.is_empty()).map(Provider::Command)
        }
        Some(Kind::Keyring) => fields.text("service").map(|service| Provider::Keyring(service.to_owned())),
        None => None,
    };
    if provider.is_none() {
        let message = format!("`secrets.{scope}` does not say where its secrets come from");
        let hint = "`provider = \"env\"` with `names`, `\"file\"` with `path`, `\"command\"` with `argv` or \
                    `\"keyring\"` with `service`";
        fields.notes.add(&rules::MISSING_KEY, span, message, hint);
    }
    provider
}

fn default_github() -> Github {
    let protected = ["main", "master", "release/*"].map(str::to_owned).to_vec();
    Github { api: "https://api.github.com".to_owned(), repositories: BTreeSet::new(), protected }
}

fn github(fields: &mut Fields<'_, '_, '_>) -> Github {
    let default = default_github();
    let api = fields.get("api").and_then(|entry| {
        let text = fields.text_of(entry)?;
        if let Err(why) = WebAddress::parse(text) {
            fields.notes.add(&rules::OUT_OF_RANGE, entry.value.span, format!("`github.api` {why}"), "");
        }
        Some(text.to_owned())
    });
    let mut repositories = BTreeSet::new();
    for (text, span) in fields.texts("repositories").unwrap_or_default() {
        let fits = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        };
        if text.split_once('/').is_some_and(|(owner, name)| fits(owner) && fits(name)) {
            repositories.insert(text.to_owned());
        } else {
            let message = format!("`{text}` in `github.repositories` is not `owner/name`");
            fields.notes.add(&rules::OUT_OF_RANGE, span, message, "");
        }
    }
    let protected = fields.texts("protected");
    let protected = protected.map(|list| list.into_iter().map(|(text, _)| text.to_owned()).collect());
    fields.finish(&rules::UNKNOWN_KEY);
    Github {
        api: api.unwrap_or(default.api),
        repositories,
        protected: protected.unwrap_or(default.protected),
    }
}

fn organisation(fields: &mut Fields<'_, '_, '_>) -> Organisation {
    let stage = fields.text("stage").map(str::to_owned);
    let tenant = fields.text("tenant").map(str::to_owned);
    let roles = fields.table("roles", |fields| {
        let mut roles = BTreeMap::new();
        for entry in fields.entries() {
            let agents = fields.texts_of(entry).unwrap_or_default();
            roles.insert(entry.key.clone(), agents.into_iter().map(|(agent, _)| agent.to_owned()).collect());
        }
        roles
    });
    fields.finish(&rules::UNKNOWN_KEY);
    Organisation { stage, tenant, roles: roles.unwrap_or_default() }
}

/// The folders of roots, for whoever opens them.
impl Home {
    /// Where the roots lead.
    #[must_use]
    pub fn roots(&self) -> Vec<AbsolutePath> {
        self.allowed_roots.iter().filter_map(PathEntry::folder).cloned().collect()
    }
}
