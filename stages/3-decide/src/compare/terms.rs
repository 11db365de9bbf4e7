//! Limits that differ between two policies.

use std::collections::BTreeSet;

use super::Risk;
use crate::policy::Policy;

/// A limit that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermChange {
    /// Its name.
    pub term: String,
    /// The old value.
    pub old: String,
    /// The new value.
    pub new: String,
    /// How much it matters.
    pub risk: Risk,
}

/// The term for rules that the organisation wrote.
pub(super) const ORGANISATION: &str = "organisation policies";

/// Every limit that differs.
pub(super) fn changes(old: &Policy, new: &Policy) -> Vec<TermChange> {
    let mut found = Terms(Vec::new());
    let (one, other) = (&old.home, &new.home);
    found.number("max_file_chars", one.max_file_chars as u64, other.max_file_chars as u64, Risk::Medium);
    let caps = [
        ("lanes.disk_mb", one.lanes.caps.disk_mb, other.lanes.caps.disk_mb),
        ("lanes.files", one.lanes.caps.files, other.lanes.caps.files),
        ("lanes.processes", one.lanes.caps.processes, other.lanes.caps.processes),
        ("lanes.output_kb", one.lanes.caps.output_kb, other.lanes.caps.output_kb),
    ];
    for (term, before, after) in caps {
        found.number(term, u64::from(before), u64::from(after), Risk::Medium);
    }
    // A weaker lane is more authority.
    let weakness = |policy: &Policy| match policy.home.lanes.minimum {
        call::Lane::Monty => 2,
        call::Lane::Jail => 1,
        call::Lane::Microvm => 0,
    };
    if weakness(old) != weakness(new) {
        let risk = if weakness(new) > weakness(old) { Risk::High } else { Risk::Low };
        found.add("lanes.minimum", one.lanes.minimum.as_str(), other.lanes.minimum.as_str(), risk);
    }
    let (before, after) = (&one.approvals, &other.approvals);
    if before.quorum != after.quorum {
        let risk = if after.quorum < before.quorum { Risk::High } else { Risk::Low };
        found.add("approvals.quorum", &before.quorum.to_string(), &after.quorum.to_string(), risk);
    }
    if before.self_approval != after.self_approval {
        let risk = if after.self_approval { Risk::High } else { Risk::Low };
        let words = [before, after].map(|approvals| approvals.self_approval.to_string());
        found.add("approvals.self_approval", &words[0], &words[1], risk);
    }
    if before.unsigned != after.unsigned {
        let risk = if after.unsigned { Risk::High } else { Risk::Low };
        let words = [before, after].map(|approvals| approvals.unsigned.to_string());
        found.add("approvals.unsigned", &words[0], &words[1], risk);
    }
    if before.may != after.may {
        // Nobody listed means everybody. Fewer rules among the same ones let fewer people agree.
        let narrower = !after.may.is_empty()
            && (before.may.is_empty() || after.may.iter().all(|may| before.may.contains(may)));
        let risk = if narrower { Risk::Low } else { Risk::High };
        let words = [before, after].map(|approvals| match approvals.may.len() {
            0 => "everybody".to_owned(),
            rules => format!("{rules} rules"),
        });
        found.add("approvals.may", &words[0], &words[1], risk);
    }
    let seconds = [before, after].map(|approvals| u64::from(approvals.expires_seconds));
    found.number("approvals.expires (seconds)", seconds[0], seconds[1], Risk::Medium);
    for (name, skill) in &new.skills {
        let Some(before) = old.skills.get(name) else { continue };
        let term = |key: &str| format!("{name}: limits.{key}");
        let (one, other) = (&before.limits, &skill.limits);
        let seconds = (u64::from(one.max_runtime_seconds), u64::from(other.max_runtime_seconds));
        found.number(&term("max_runtime_seconds"), seconds.0, seconds.1, Risk::Medium);
        found.number(&term("max_files_written"), one.max_files_written, other.max_files_written, Risk::High);
        found.number(&term("max_bytes_written"), one.max_bytes_written, other.max_bytes_written, Risk::High);
        if one.sandbox_required != other.sandbox_required {
            let risk = if other.sandbox_required { Risk::Low } else { Risk::High };
            let words = [one, other].map(|limits| limits.sandbox_required.to_string());
            found.add(&term("sandbox_required"), &words[0], &words[1], risk);
        }
        let no_limit = |limit: Option<u32>| limit.map_or(u64::MAX, u64::from);
        for (key, before, after) in [
            ("max_calls_per_minute", one.max_calls_per_minute, other.max_calls_per_minute),
            ("max_concurrent", one.max_concurrent, other.max_concurrent),
        ] {
            found.number(&term(key), no_limit(before), no_limit(after), Risk::Medium);
        }
    }
    // Where a secret or a database is found is authority too: a new place is new content.
    for (scope, provider) in &other.scopes {
        if one.scopes.get(scope).is_some_and(|before| before != provider) {
            found.add(&format!("secrets.{scope}"), "another provider", "this provider", Risk::High);
        }
    }
    for (name, database) in &other.databases {
        if one.databases.get(name).is_some_and(|before| before.location != database.location) {
            found.add(&format!("databases.{name}"), "another place", "this place", Risk::High);
        }
    }
    if one.github.api != other.github.api {
        found.add("github.api", &one.github.api, &other.github.api, Risk::High);
    }
    organisation(old, new, &mut found);
    found.0
}

/// Rules that the organisation wrote. What they are about cannot be read off their corner points,
/// so any change counts as more authority, except one that only refuses more.
fn organisation(old: &Policy, new: &Policy, found: &mut Terms) {
    let (before, after) = (old.organisation_rules(), new.organisation_rules());
    if before == after {
        return;
    }
    let texts = |rules: &[(bool, String)], permits: bool| -> BTreeSet<String> {
        rules.iter().filter(|(permit, _)| *permit == permits).map(|(_, text)| text.clone()).collect()
    };
    let narrower = texts(&after, true).is_subset(&texts(&before, true))
        && texts(&before, false).is_subset(&texts(&after, false));
    let risk = if narrower { Risk::Low } else { Risk::High };
    let count = |rules: &[(bool, String)]| format!("{} rules", rules.len());
    found.add(ORGANISATION, &count(&before), &count(&after), risk);
}

struct Terms(Vec<TermChange>);

impl Terms {
    fn add(&mut self, term: &str, old: &str, new: &str, risk: Risk) {
        self.0.push(TermChange { term: term.to_owned(), old: old.to_owned(), new: new.to_owned(), risk });
    }

    /// More is more authority.
    fn number(&mut self, term: &str, old: u64, new: u64, more: Risk) {
        let word = |number: u64| if number == u64::MAX { "no limit".to_owned() } else { number.to_string() };
        if old != new {
            self.add(term, &word(old), &word(new), if new > old { more } else { Risk::Low });
        }
    }
}
