//! `skills/<name>/PERMISSIONS.json`.

use std::collections::BTreeSet;

use call::json::Json;
use call::{SkillName, Span};

use super::fields::Fields;
use super::lists::{List, denied_hosts, hosts, path_entries, paths};
use crate::entry::PathEntry;
use crate::files::Ground;
use crate::finding::Notes;
use crate::home::Network;
use crate::rules;
use crate::skill::{Limits, RiskTier, Skill};

/// Folders that a careful manifest denies.
const CAREFUL: [&str; 6] = ["~/.ssh", "~/.aws", "~/.config", "/etc", "/var", "/proc"];

/// The folder's name when `file` is a manifest.
pub(crate) fn is_manifest_of(file: &str) -> Option<&str> {
    file.strip_prefix("skills/")?.strip_suffix("/PERMISSIONS.json")
}

/// Reads the tree of a manifest. Nothing comes back when it has an error: an invalid manifest
/// denies its skill.
pub(crate) fn manifest(
    tree: &Json,
    folder: &str,
    ground: &impl Ground,
    notes: &mut Notes<'_>,
) -> Option<Skill> {
    let mut fields = Fields::of(tree, "", notes);
    let name = name(&mut fields, folder);
    let version = version(&mut fields);
    fields.required("risk_tier");
    let tier = fields.choice("risk_tier", &RiskTier::ALL);
    let tools = section(&mut fields, "tools", tools);
    let files = section(&mut fields, "filesystem", |fields| filesystem(fields, ground));
    let network = section(&mut fields, "network", |fields| network(fields, tier));
    let scopes = section(&mut fields, "secrets", |fields| {
        fields.required("allowed_scopes");
        let scopes = fields.texts("allowed_scopes").unwrap_or_default();
        fields.finish(&rules::UNKNOWN_NESTED_KEY);
        scopes.into_iter().map(|(scope, _)| scope.to_owned()).collect::<BTreeSet<_>>()
    });
    let limits = section(&mut fields, "limits", |fields| limits(fields, tier)).flatten();
    // Read by people only.
    for key in ["description", "dependencies", "reviewers"] {
        let _ = fields.get(key);
    }
    fields.finish(&rules::UNKNOWN_KEY);
    if notes.any_error() {
        return None;
    }
    let (tools_allow, tools_deny) = tools?;
    let (read_paths, write_paths, deny_paths) = files?;
    Some(Skill {
        name: name?,
        version: version?,
        tier: tier?,
        tools_allow,
        tools_deny,
        read_paths,
        write_paths,
        deny_paths,
        network: network?,
        scopes: scopes?,
        limits: limits?,
    })
}

/// A section that must be there.
fn section<'t, 'f, R>(
    fields: &mut Fields<'t, '_, 'f>,
    key: &'static str,
    read: impl FnOnce(&mut Fields<'t, '_, 'f>) -> R,
) -> Option<R> {
    fields.required(key)?;
    fields.table(key, read)
}

fn name(fields: &mut Fields<'_, '_, '_>, folder: &str) -> Option<SkillName> {
    let entry = fields.required("name")?;
    let text = fields.text_of(entry)?;
    let span = entry.value.span;
    let name = match text.parse::<SkillName>() {
        Ok(name) => name,
        Err(why) => {
            fields.notes.add(&rules::OUT_OF_RANGE, span, format!("`name` is `{text}`: {why}"), "");
            return None;
        }
    };
    if text != folder {
        let message = format!("the manifest is named `{text}`, and its folder `{folder}`");
        fields.notes.add(&rules::NAME_NOT_FOLDER, span, message, "rename one of them");
    }
    Some(name)
}

fn version(fields: &mut Fields<'_, '_, '_>) -> Option<String> {
    let entry = fields.required("version")?;
    let text = fields.text_of(entry)?;
    if !is_semver(text) {
        let message = format!("`version` is `{text}`, which is no semantic version");
        fields.notes.add(&rules::BAD_VERSION, entry.value.span, message, "write `1.0.0`");
        return None;
    }
    Some(text.to_owned())
}

/// `1.2.3`, `1.2.3-rc.1+build.5`
fn is_semver(text: &str) -> bool {
    let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
    let (numbers, pre) = rest.split_once('-').map_or((rest, None), |(numbers, pre)| (numbers, Some(pre)));
    let is_number =
        |part: &str| part == "0" || !part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = numbers.split('.').collect();
    parts.len() == 3
        && parts.iter().all(|part| !part.is_empty() && is_number(part))
        && pre.is_none_or(|pre| {
            pre.split('.').all(|part| is_word(part) && (!all_digits(part) || is_number(part)))
        })
        && build.is_none_or(|build| build.split('.').all(is_word))
}

/// What may be used, nothing meaning everything, and what may not.
type Tools = (Option<BTreeSet<String>>, BTreeSet<String>);

fn tools(fields: &mut Fields<'_, '_, '_>) -> Tools {
    fields.required("allow");
    fields.required("deny");
    let allow = fields.texts("allow").unwrap_or_default();
    let deny = fields.texts("deny").unwrap_or_default();
    for (tool, span) in &allow {
        if deny.iter().any(|(other, _)| other == tool) {
            let message = format!("`{tool}` is on both lists, and denied");
            fields.notes.add(&rules::TOOL_ON_BOTH_LISTS, *span, message, "remove it from one of them");
        }
    }
    fields.finish(&rules::UNKNOWN_NESTED_KEY);
    let set = |list: Vec<(&str, Span)>| list.into_iter().map(|(tool, _)| tool.to_owned()).collect();
    let every = allow.iter().any(|(tool, _)| *tool == "*");
    (if every { None } else { Some(set(allow)) }, set(deny))
}

/// What may be read, what may be written, what is denied.
type Files = (Vec<PathEntry>, Vec<PathEntry>, Vec<PathEntry>);

fn filesystem(fields: &mut Fields<'_, '_, '_>, ground: &impl Ground) -> Files {
    for key in ["read_paths", "write_paths", "deny_paths"] {
        fields.required(key);
    }
    let mut read = |key, list| paths(fields, key, list, ground).unwrap_or_default();
    let read_paths = read("read_paths", List::Allows);
    let write_paths = read("write_paths", List::Allows);
    let mut deny_paths = read("deny_paths", List::Denies);
    // Files in the field carry this spelling too, and it counts.
    if let Some(more) = fields.texts("deny") {
        deny_paths.extend(path_entries(more, "deny", List::Denies, ground, fields));
    }
    let list_at = fields.get("deny_paths").map_or(Span::at(0), |entry| entry.value.span);
    for folder in CAREFUL {
        let denied = PathEntry::parse(folder, ground, true).ok().and_then(|entry| entry.folder().cloned());
        if !denied.is_some_and(|folder| deny_paths.iter().any(|(entry, _)| entry.denies(&folder))) {
            let message = format!("`filesystem.deny_paths` does not name `{folder}`");
            fields.notes.add(&rules::DENY_PATH_MISSING, list_at, message, "add it");
        }
    }
    fields.finish(&rules::UNKNOWN_NESTED_KEY);
    let entries = |list: Vec<(PathEntry, Span)>| list.into_iter().map(|(entry, _)| entry).collect();
    (entries(read_paths), entries(write_paths), entries(deny_paths))
}

fn network(fields: &mut Fields<'_, '_, '_>, tier: Option<RiskTier>) -> Network {
    for key in ["enabled", "allowlist", "denylist"] {
        fields.required(key);
    }
    let enabled_at = fields.get("enabled").map_or(Span::at(0), |entry| entry.value.span);
    let enabled = fields.flag("enabled").unwrap_or(false);
    let allow = hosts(fields, "allowlist", false).unwrap_or_default();
    let deny = denied_hosts(fields, "denylist").unwrap_or_default();
    if enabled && allow.is_empty() {
        let message = "the network is enabled, and `network.allowlist` is empty";
        fields.notes.add(&rules::SKILL_NETWORK_WITHOUT_LIST, enabled_at, message, "name the hosts");
    }
    if enabled && tier == Some(RiskTier::Low) {
        let message = "the skill is of low risk, and has network";
        fields.notes.add(
            &rules::LOW_TIER_NETWORK,
            enabled_at,
            message,
            "raise `risk_tier` or disable the network",
        );
    }
    fields.finish(&rules::UNKNOWN_NESTED_KEY);
    Network { enabled, allow, deny }
}

fn limits(fields: &mut Fields<'_, '_, '_>, tier: Option<RiskTier>) -> Option<Limits> {
    for key in ["max_runtime_seconds", "max_files_written", "max_bytes_written", "sandbox_required"] {
        fields.required(key);
    }
    let runtime_at = fields.get("max_runtime_seconds").map_or(Span::at(0), |entry| entry.value.span);
    let runtime = fields.number("max_runtime_seconds", 1..=3_600);
    let files = fields.number("max_files_written", 0..=1_000);
    let bytes = fields.number("max_bytes_written", 0..=u64::MAX);
    let sandbox_at = fields.get("sandbox_required").map_or(Span::at(0), |entry| entry.value.span);
    let sandbox = fields.flag("sandbox_required");
    let mut count = |key| fields.number(key, 1..=1_000_000).and_then(|number| u32::try_from(number).ok());
    let max_calls_per_minute = count("max_calls_per_minute");
    let max_concurrent = count("max_concurrent");
    fields.finish(&rules::UNKNOWN_NESTED_KEY);
    if let (Some(tier), Some(runtime)) = (tier, runtime) {
        let most = tier.longest_runtime();
        if runtime > most {
            let name = tier.as_str();
            let message =
                format!("`limits.max_runtime_seconds` is {runtime}, and the tier `{name}` allows {most}");
            fields.notes.add(
                &rules::RUNTIME_ABOVE_TIER,
                runtime_at,
                message,
                "lower it or raise `risk_tier`",
            );
        }
    }
    if let (Some(RiskTier::High | RiskTier::Critical), Some(false)) = (tier, sandbox) {
        let message = "a skill of this risk must run in a sandbox";
        fields.notes.add(&rules::SANDBOX_NEEDED, sandbox_at, message, "set `sandbox_required` to `true`");
    }
    Some(Limits {
        max_runtime_seconds: u32::try_from(runtime?).ok()?,
        max_files_written: files?,
        max_bytes_written: bytes?,
        sandbox_required: sandbox?,
        max_calls_per_minute,
        max_concurrent,
    })
}
