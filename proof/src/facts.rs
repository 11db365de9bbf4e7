//! What is true of every call, told to the solver.
//!
//! The solver looks for a call that one set of rules allows and another does not, and knows nothing but
//! the schema. Each fact is a rule that refuses what cannot be, so that the solver finds nothing there.

use std::collections::BTreeSet;

use cedar_policy::{EntityUid, Policy};
use decide::compare::{Subject, pattern};

use crate::language::{Languages, Meeting};

/// Names that the rules about one subject may speak of.
const MOST_NAMES: usize = 250;

/// The names that the rules about one subject speak of, and which of them go together.
#[derive(Debug)]
pub(crate) struct Facts {
    /// Names that cover resources.
    pub(crate) names: Vec<EntityUid>,
    /// Their languages, and behind them that of all resources, then that of ordinary ones.
    pub(crate) languages: Languages,
    conditions: Vec<String>,
}

impl Facts {
    /// Nothing comes back when a name cannot be understood, or there are too many.
    pub(crate) fn of(subject: &Subject, kind: &str, rules: &[Policy]) -> Option<Self> {
        let literals: BTreeSet<EntityUid> = rules.iter().flat_map(Policy::entity_literals).collect();
        let (mut names, mut expressions) = (Vec::new(), Vec::new());
        for literal in &literals {
            if covers(kind, &literal.type_name().to_string()) {
                expressions.push(pattern(literal)?);
                names.push(literal.clone());
            }
        }
        // Each is compared with each.
        if names.len() > MOST_NAMES {
            return None;
        }
        expressions.extend([everything(kind).to_owned(), ordinary(kind).to_owned()]);
        let languages = Languages::new(&expressions)?;
        let mut facts = Self { names, languages, conditions: Vec::new() };
        facts.tell_circumstances(subject, &literals);
        facts.tell_names();
        Some(facts)
    }

    /// The place of the language of all resources.
    pub(crate) const fn all(&self) -> usize {
        self.names.len()
    }

    /// The place of the language of resources with ordinary names.
    pub(crate) const fn ordinary(&self) -> usize {
        self.names.len() + 1
    }

    /// How many facts there are.
    pub(crate) const fn count(&self) -> usize {
        self.conditions.len()
    }

    /// One more thing that cannot be, or that is not asked about any more.
    pub(crate) fn rule_out(&mut self, condition: String) {
        self.conditions.push(condition);
    }

    /// All of them as rules.
    pub(crate) fn rules(&self) -> Option<Vec<Policy>> {
        let rules = self.conditions.iter().enumerate().map(|(number, condition)| {
            let id = cedar_policy::PolicyId::new(format!("fact {number}"));
            let text = format!("forbid (principal, action, resource) when {{ {condition} }};");
            Policy::parse(Some(id), text).ok()
        });
        rules.collect()
    }

    /// Whoever asks by an authority is a member of it and of no other, and there are four kinds of
    /// callers and of lanes.
    fn tell_circumstances(&mut self, subject: &Subject, literals: &BTreeSet<EntityUid>) {
        let own = subject.authority();
        self.rule_out(format!("!(principal in {own})"));
        for other in literals {
            if matches!(other.type_name().to_string().as_str(), "Home" | "Skill") && *other != own {
                self.rule_out(format!("principal in {other}"));
            }
        }
        self.rule_out(
            "![\"operator\", \"agent\", \"webhook\", \"external\"].contains(context.caller)".to_owned(),
        );
        if subject.skill.is_some() {
            self.rule_out("!context.with_skill".to_owned());
        }
        match subject.action {
            "run" => {
                let lanes = "![\"monty\", \"jail\", \"microvm\", \"none\"].contains(context.lane)";
                self.rule_out(lanes.to_owned());
                self.rule_out("context.seconds < 0".to_owned());
                // Only a shell, or another server's tool, reads a line.
                let shells = "[Program::\"shell\", Program::\"foreign\"].contains(resource)";
                self.rule_out(format!("context.shell && !({shells})"));
                self.rule_out(format!("!context.shell && {shells}"));
            }
            "write" => self.rule_out("context.bytes < 0".to_owned()),
            "network" => {
                self.rule_out("!(context.path like \"/*\")".to_owned());
                self.rule_out("![\"http\", \"https\"].contains(resource.scheme)".to_owned());
            }
            _ => {}
        }
    }

    /// Which names never cover a resource together, and which only together.
    fn tell_names(&mut self) {
        let all = self.all();
        for first in 0..self.names.len() {
            for second in first + 1..self.names.len() {
                let never = |inside: &[usize], outside: &[usize]| {
                    self.languages.meeting(inside, outside) == Meeting::Never
                };
                let (Some(one), Some(other)) = (self.names.get(first), self.names.get(second)) else {
                    continue;
                };
                let mut found = Vec::new();
                if never(&[all, first, second], &[]) {
                    found.push(format!("resource in {one} && resource in {other}"));
                } else {
                    if never(&[all, first], &[second]) {
                        found.push(format!("resource in {one} && !(resource in {other})"));
                    }
                    if never(&[all, second], &[first]) {
                        found.push(format!("resource in {other} && !(resource in {one})"));
                    }
                }
                self.conditions.extend(found);
            }
        }
    }
}

/// Whether a resource of one type can be a member of something of another.
fn covers(resource: &str, name: &str) -> bool {
    let names: &[&str] = match resource {
        "Path" => &["Path", "Glob"],
        "Endpoint" => &["Endpoint", "Origin", "Host", "Domain", "HostGlob"],
        "Table" => &["Table", "Database"],
        "Branch" => &["Branch", "Repository", "BranchGlob"],
        other => return other == name,
    };
    names.contains(&name)
}

/// The names of all resources of a type, and perhaps a few more.
fn everything(kind: &str) -> &'static str {
    match kind {
        "Path" => r"/|(?:/[^/\x00]+)+",
        "Endpoint" => r"https?://[^/]+:[0-9]{1,5}",
        "Table" => r"[^/]+/.+",
        "Branch" => r"[^#]+#.+",
        "Database" => r"[^/]+",
        "Repository" => r"[^#]+",
        _ => r".+",
    }
}

/// Names that are good to look at.
fn ordinary(kind: &str) -> &'static str {
    match kind {
        "Path" => r"(?:/[A-Za-z0-9_][A-Za-z0-9._-]*|/\.[A-Za-z0-9_-]+)+",
        "Endpoint" => r"https?://[a-z0-9][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+:(?:80|443|[1-9][0-9]{3})",
        "Table" => r"[a-z_][a-z0-9_]*/[a-z_][a-z0-9_]*",
        "Branch" => r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+#[A-Za-z0-9_./-]+",
        "Repository" => r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+",
        _ => r"[A-Za-z0-9_.-]+",
    }
}
