//! What is true of every call, told to the solver.
//!
//! The solver looks for a call that one set of rules allows and another does not, and knows nothing but
//! the schema. Each fact is a rule that refuses what cannot be, so that the solver finds nothing there.

use std::collections::BTreeSet;

use call::{Arguments, BUILT_IN_TOOLS};
use cedar_policy::{EntityUid, Policy};
use decide::compare::{Subject, pattern};

use crate::language::{Languages, Meeting};

/// Names that the rules about one subject may speak of.
const MOST_NAMES: usize = 250;

/// Bytes of text that an example can carry, and of anything else, which it writes in base64.
const MOST_BYTES: u64 = 16_000_000;
const MOST_BINARY_BYTES: u64 = 12_000_000;

/// Methods that can be asked for.
const METHODS: &str = "\"GET\", \"HEAD\", \"OPTIONS\", \"POST\", \"PUT\", \"PATCH\", \"DELETE\"";

/// Languages of code that can be run.
pub(crate) const LANGUAGES: [&str; 5] = ["python", "node", "ts", "go", "ruby"];

/// The names that the rules about one subject speak of, and which of them go together.
#[derive(Debug)]
pub(crate) struct Facts {
    /// Names that cover resources.
    pub(crate) names: Vec<EntityUid>,
    /// Their languages, and behind them that of all resources, then that of ordinary ones.
    pub(crate) languages: Languages,
    conditions: Vec<String>,
    /// What no call of a tool of the gate can be, though another server's tool might.
    unusual: Vec<String>,
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
        let mut facts = Self { names, languages, conditions: Vec::new(), unusual: Vec::new() };
        facts.tell_circumstances(subject, &literals);
        facts.tell_unusual(subject);
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

    /// Whether there are calls that the gate's own tools cannot make.
    pub(crate) const fn have_unusual(&self) -> bool {
        !self.unusual.is_empty()
    }

    /// All of them as rules; only calls of the gate's own tools are left, where that is `usual`.
    pub(crate) fn rules(&self, usual: bool) -> Option<Vec<Policy>> {
        let unusual = self.unusual.iter().filter(|_| usual);
        let rules = self.conditions.iter().chain(unusual).enumerate().map(|(number, condition)| {
            let id = cedar_policy::PolicyId::new(format!("fact {number}"));
            let text = format!("forbid (principal, action, resource) when {{ {condition} }};");
            Policy::parse(Some(id), text).ok()
        });
        rules.collect()
    }

    /// Whoever asks by an authority is a member of it and of no other, and there are four kinds of
    /// callers and three lanes. What no call can be is ruled out here too.
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
                self.rule_out("![\"monty\", \"jail\", \"microvm\"].contains(context.lane)".to_owned());
                self.rule_out("context.seconds < 1".to_owned());
                // Only a shell, or another server's tool, reads a line.
                let shells = "[Program::\"shell\", Program::\"foreign\"].contains(resource)";
                self.rule_out(format!("context.shell && !({shells})"));
                self.rule_out(format!("!context.shell && {shells}"));
                self.rule_out(
                    "context.lane == \"monty\" && (context.network || !(resource == Program::\"python\"))"
                        .to_owned(),
                );
            }
            "write" => {
                self.rule_out("context.bytes < 0".to_owned());
                // What is written stands in the arguments, where no character is shorter than its bytes.
                self.rule_out(format!("context.bytes > {}", Arguments::LARGEST));
                self.rule_out("context.binary && context.bytes < 1".to_owned());
            }
            "network" => {
                self.rule_out("!(context.path like \"/*\")".to_owned());
                self.rule_out("![\"http\", \"https\"].contains(resource.scheme)".to_owned());
                self.rule_out(format!("![{METHODS}, \"CONNECT\"].contains(context.method)"));
                self.rule_out("context.method == \"CONNECT\" && !(context.path == \"/\")".to_owned());
            }
            _ => {}
        }
    }

    /// What another server's tools can do, and the gate's own cannot. It is asked about last, because no
    /// call that could be typed shows it.
    fn tell_unusual(&mut self, subject: &Subject) {
        let tools = |names: &[&str]| -> String {
            let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            format!("![{}].contains(context.tool)", names.join(", "))
        };
        match subject.action {
            "call" => {
                let names = BUILT_IN_TOOLS.map(|name| format!("Tool::\"{name}\"")).join(", ");
                self.unusual.push(format!("![{names}].contains(resource)"));
            }
            "read" => self.unusual.push(tools(&["read_file", "list_files", "search_files", "diff"])),
            "write" => {
                self.unusual.push(tools(&["write_file", "edit_file"]));
                self.unusual.push(format!("context.bytes > {MOST_BYTES}"));
                self.unusual.push(format!("context.binary && context.bytes > {MOST_BINARY_BYTES}"));
            }
            "delete" => self.unusual.push(tools(&["delete_file"])),
            "network" => {
                self.unusual.push("context.method == \"CONNECT\"".to_owned());
                self.unusual.push(tools(&["network_fetch"]));
            }
            "run" => {
                let languages = LANGUAGES.map(|name| format!("Program::\"{name}\"")).join(", ");
                self.unusual.push(format!("![{languages}, Program::\"shell\"].contains(resource)"));
                self.unusual.push("context.seconds > 60".to_owned());
                // Whether code may speak to a host is another question, so it is asked first without.
                self.unusual.push("context.network".to_owned());
                self.unusual.push(
                    "context.shell && (context.network || !(context.seconds == 30) || context.lane == \"monty\")"
                        .to_owned(),
                );
                self.unusual.push(tools(&["exec_sandbox", "exec_shell", "run_shell"]));
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
        "Branch" => r"[^#]+#[^/]+(?:/[^/]+)*",
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
        "Branch" => r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+#[A-Za-z0-9_]+(?:[/-][A-Za-z0-9_]+)*",
        "Repository" => r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+",
        _ => r"[A-Za-z0-9_.-]+",
    }
}
