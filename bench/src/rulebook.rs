//! One list of rules, written once as our policy and once as a policy of agent-os-kernel.
//!
//! Both are made from the same list, so neither side can have a rule that the other has not. Five
//! rules concern the calls that are measured. The others are of the same kinds, in the proportions of
//! a policy that has grown, and concern none of them.

use serde_json::{Value, json};

/// One rule, whoever enforces it.
#[derive(Clone, Debug)]
enum Rule {
    AllowReading {
        folder: String,
    },
    AllowWriting {
        folder: String,
    },
    AllowHost {
        host: String,
    },
    AskForTool {
        tool: String,
    },
    DenyFolder {
        folder: String,
    },
    /// Files of a folder of this name, wherever it is: `**/NAME/*.pem`.
    DenyKeysIn {
        name: String,
    },
    DenyHost {
        host: String,
    },
}

/// How agent-os-kernel is told about folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folders {
    /// The path contains the folder: its quickest operator for this, which also takes a folder of
    /// that name elsewhere.
    Contained,
    /// The path matches a pattern that is tied to the start: exactly what is meant, and slower.
    Matched,
}

/// A policy for either side.
#[derive(Clone, Debug)]
pub struct Rulebook(Vec<Rule>);

impl Rulebook {
    /// The rules that concern the calls, and so many that concern none.
    #[must_use]
    pub fn with_others(count: usize) -> Self {
        let mut rules = vec![
            Rule::AllowReading { folder: "/w".to_owned() },
            Rule::AllowWriting { folder: "/w/src".to_owned() },
            Rule::AllowHost { host: "api.example.org".to_owned() },
            Rule::AskForTool { tool: "delete_file".to_owned() },
            Rule::DenyFolder { folder: "/w/private".to_owned() },
        ];
        rules.extend((0..count).map(|number| match number % 10 {
            0..3 => Rule::DenyFolder { folder: format!("/w/archive/box-{number}") },
            3 => Rule::DenyKeysIn { name: format!("keys-{number}") },
            4 | 5 => Rule::DenyHost { host: format!("tracker-{number}.example.net") },
            6 | 7 => Rule::AllowHost { host: format!("mirror-{number}.example.com") },
            _ => Rule::AskForTool { tool: format!("crm.change_{number}") },
        }));
        Self(rules)
    }

    /// The same as it may look after a review: a folder can be written to and a host reached that could
    /// not, and a folder is no longer denied.
    #[must_use]
    pub fn after_review(mut self) -> Self {
        let denied = self.0.iter().rposition(|rule| matches!(rule, Rule::DenyFolder { .. }));
        if let Some(place) = denied {
            self.0.remove(place);
        }
        self.0.push(Rule::AllowWriting { folder: "/w/docs/drafts".to_owned() });
        self.0.push(Rule::AllowHost { host: "status.example.org".to_owned() });
        self
    }

    /// The text of a `policy.toml`.
    #[must_use]
    pub fn policy_toml(&self) -> String {
        let list = |entry: fn(&Rule) -> Option<String>| {
            let entries: Vec<String> =
                self.0.iter().filter_map(entry).map(|entry| format!("\"{entry}\"")).collect();
            format!("[{}]", entries.join(", "))
        };
        format!(
            "read_only = false\nallowed_roots = {}\nwrite_paths = {}\napproval_required = {}\ndeny = {}\n\
             [network]\nenabled = true\nallowlist = {}\ndenylist = {}\n",
            list(|rule| if let Rule::AllowReading { folder } = rule { Some(folder.clone()) } else { None }),
            list(|rule| if let Rule::AllowWriting { folder } = rule { Some(folder.clone()) } else { None }),
            list(|rule| if let Rule::AskForTool { tool } = rule { Some(tool.clone()) } else { None }),
            list(Rule::denied_path),
            list(|rule| if let Rule::AllowHost { host } = rule { Some(host.clone()) } else { None }),
            list(|rule| if let Rule::DenyHost { host } = rule { Some(host.clone()) } else { None }),
        )
    }

    /// A `PolicyDocument` of agent-os-kernel, as JSON.
    ///
    /// There the first rule that matches decides, by priority; deny before ask before allow is
    /// therefore said with priorities. It has no action that asks a person: its own translation of
    /// `escalate` is `block`, and so is this.
    #[must_use]
    pub fn agent_os_document(&self, folders: Folders) -> String {
        let rules: Vec<Value> = self
            .0
            .iter()
            .enumerate()
            .map(|(number, rule)| {
                let (field, operator, value) = rule.condition(folders);
                let (action, priority) = rule.action();
                json!({
                    "name": format!("rule-{number}"),
                    "condition": {"field": field, "operator": operator, "value": value},
                    "action": action,
                    "priority": priority,
                })
            })
            .collect();
        json!({"name": "bench", "rules": rules, "defaults": {"action": "deny"}}).to_string()
    }
}

impl Rule {
    fn denied_path(&self) -> Option<String> {
        match self {
            Self::DenyFolder { folder } => Some(folder.clone()),
            Self::DenyKeysIn { name } => Some(format!("**/{name}/*.pem")),
            Self::AllowReading { .. }
            | Self::AllowWriting { .. }
            | Self::AllowHost { .. }
            | Self::AskForTool { .. }
            | Self::DenyHost { .. } => None,
        }
    }

    /// Field, operator and value of the condition.
    fn condition(&self, folders: Folders) -> (&'static str, &'static str, String) {
        let within = |field, folder: &str| match folders {
            Folders::Contained => (field, "contains", format!("{folder}/")),
            Folders::Matched => (field, "matches", format!("^{folder}(/|$)")),
        };
        match self {
            Self::AllowReading { folder } => within("read_path", folder),
            Self::AllowWriting { folder } => within("write_path", folder),
            Self::DenyFolder { folder } => within("path", folder),
            Self::DenyKeysIn { name } => ("path", "matches", format!("/{name}/[^/]*\\.pem(/|$)")),
            Self::AllowHost { host } | Self::DenyHost { host } => ("host", "eq", host.clone()),
            Self::AskForTool { tool } => ("tool_name", "eq", tool.clone()),
        }
    }

    fn action(&self) -> (&'static str, u32) {
        match self {
            Self::DenyFolder { .. } | Self::DenyKeysIn { .. } | Self::DenyHost { .. } => ("deny", 30),
            Self::AskForTool { .. } => ("block", 20),
            Self::AllowReading { .. } | Self::AllowWriting { .. } | Self::AllowHost { .. } => ("allow", 10),
        }
    }
}
