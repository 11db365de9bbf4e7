//! A request that is still to be written down.

use call::{Moment, Sha256};

use crate::request::types::{Input, Output, Request, Task};

/// Everything that a new request says, before a person approves it.
///
/// The values are plain text: a draft may hold nonsense, and [`crate::check`] says so once it is
/// written down. That way there is one set of rules and not two.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The request id, `TR-YYYYMMDD-HHMMSSZ-slug`.
    pub request_id: String,
    /// When the draft was made.
    pub created: Moment,
    /// `human` or `core_draft`.
    pub requested_by: String,
    /// One sentence.
    pub purpose: String,
    /// The language of the program.
    pub language: String,
    /// Hosts that the program may reach; none means no network.
    pub network_allowlist: Vec<String>,
    /// Cores.
    pub cpu_limit: String,
    /// Megabytes.
    pub memory_limit_mb: String,
    /// Seconds.
    pub time_limit_sec: String,
    /// Files that the program reads.
    pub inputs: Vec<DraftInput>,
    /// Files that the program writes.
    pub outputs: Vec<DraftOutput>,
    /// Further promises, in words.
    pub constraints: Vec<String>,
    /// What is to be run.
    pub task: DraftTask,
    /// The author's own judgement.
    pub risk: DraftRisk,
}

/// A file that the program reads.
#[derive(Clone, Debug)]
pub struct DraftInput {
    /// The plain file name below `/in`.
    pub name: String,
    /// The digest of its content.
    pub sha256: Sha256,
}

/// A file that the program writes.
#[derive(Clone, Debug)]
pub struct DraftOutput {
    /// The path, below `/out`.
    pub path: String,
    /// What it holds.
    pub description: String,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub enum DraftTask {
    /// One command line, for the `ERA` backend.
    Command(String),
    /// Python code, for the `monty` backend.
    Code {
        /// The program.
        code: String,
        /// A JSON object with its inputs.
        inputs_json: Option<String>,
        /// What the value it returns means.
        result: String,
    },
}

/// The author's own judgement of the risk.
#[derive(Clone, Debug)]
pub struct DraftRisk {
    /// `low`, `medium` or `high`.
    pub level: String,
    /// Why.
    pub justification: String,
    /// `public`, `internal` or `confidential`.
    pub data_sensitivity: String,
    /// Why the network is needed; `none` without network.
    pub network_rationale: String,
}

impl Draft {
    /// The same request once more, under another id and not yet approved.
    #[must_use]
    pub fn again(request: &Request, request_id: String, created: Moment) -> Self {
        let Request { requested_by, purpose, language, limits, constraints, risk, .. } = request;
        let input = |input: &Input| DraftInput { name: input.name.clone(), sha256: input.sha256 };
        let output = |output: &Output| DraftOutput {
            path: output.path.clone(),
            description: output.description.clone().unwrap_or_default(),
        };
        let task = match &request.task {
            Task::Command { line, .. } => DraftTask::Command(line.clone()),
            Task::Code { code, inputs_json } => DraftTask::Code {
                code: code.clone(),
                inputs_json: inputs_json.clone(),
                result: "The value of the last expression.".to_owned(),
            },
        };
        Self {
            request_id,
            created,
            requested_by: requested_by.as_str().to_owned(),
            purpose: purpose.clone(),
            language: language.as_str().to_owned(),
            network_allowlist: request.network_allowlist.iter().map(ToString::to_string).collect(),
            cpu_limit: limits.cpus.to_string(),
            memory_limit_mb: limits.memory_mb.to_string(),
            time_limit_sec: limits.seconds.to_string(),
            inputs: request.inputs.iter().map(input).collect(),
            outputs: request.outputs.iter().map(output).collect(),
            constraints: constraints.clone(),
            task,
            risk: DraftRisk {
                level: risk.level.as_str().to_owned(),
                justification: risk.justification.clone(),
                data_sensitivity: risk.data_sensitivity.as_str().to_owned(),
                network_rationale: risk.network_rationale.clone(),
            },
        }
    }

    /// The request document: complete but for the approval, whose two fields are left empty.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut out = String::from("---\n");
        self.write_front_matter(&mut out);
        out.push_str("---\n");
        match &self.task {
            DraftTask::Command(command) => {
                section(&mut out, "Command", command.trim());
                let files = self.inputs.iter().map(|input| format!("- /in/{}", input.name));
                section(&mut out, "Input Files", &lines_or_none(files));
                let files = self.outputs.iter().map(|output| format!("- {}", output.listed()));
                section(&mut out, "Output Expectations", &lines_or_none(files));
            }
            DraftTask::Code { code, inputs_json, result } => {
                section(&mut out, "Code", code.trim_matches(['\n', '\r']));
                if let Some(inputs) = inputs_json {
                    section(&mut out, "Inputs (JSON)", inputs.trim());
                }
                section(&mut out, "Output Expectations", result.trim());
            }
        }
        let risk = &self.risk;
        let labels = format!(
            "- Risk level: {}\n- Justification: {}\n- Data sensitivity: {}\n- Network rationale: {}",
            risk.level, risk.justification, risk.data_sensitivity, risk.network_rationale
        );
        section(&mut out, "Risk Assessment", &labels);
        out
    }

    fn write_front_matter(&self, out: &mut String) {
        let created = self.created.to_string();
        let backend = match self.task {
            DraftTask::Command(_) => "ERA",
            DraftTask::Code { .. } => "monty",
        };
        let network = if self.network_allowlist.is_empty() { "none" } else { "allowlist" };
        let keys = [
            ("request_type", "tool_request"),
            ("schema_version", "1"),
            ("request_id", &self.request_id),
            ("created_utc", &created),
            ("requested_by", &self.requested_by),
            ("approved_by", ""),
            ("approved_utc", ""),
            ("purpose", &self.purpose),
            ("backend", backend),
            ("language", &self.language),
            ("network", network),
        ];
        for (key, value) in keys {
            entry(out, key, value);
        }
        list(out, "network_allowlist", &self.network_allowlist);
        entry(out, "cpu_limit", &self.cpu_limit);
        entry(out, "memory_limit_mb", &self.memory_limit_mb);
        entry(out, "time_limit_sec", &self.time_limit_sec);
        if !self.inputs.is_empty() {
            out.push_str("inputs:\n");
            for input in &self.inputs {
                entry(out, "  - name", &input.name);
                entry(out, "    sha256", &input.sha256.to_string());
            }
        }
        if !self.outputs.is_empty() {
            out.push_str("outputs_expected:\n");
            for output in &self.outputs {
                entry(out, "  - path", &output.path);
                entry(out, "    description", &output.description);
            }
        }
        list(out, "constraints", &self.constraints);
    }
}

impl DraftOutput {
    /// The path as the section lists it: always below `/out`, so that both places agree.
    fn listed(&self) -> String {
        let path = if self.path.starts_with('/') { self.path.clone() } else { format!("/out/{}", self.path) };
        if self.description.is_empty() { path } else { format!("{path}: {}", self.description) }
    }
}

pub(crate) fn section(out: &mut String, title: &str, content: &str) {
    out.push_str(&format!("\n## {title}\n\n{content}\n"));
}

fn lines_or_none(lines: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { "None".to_owned() } else { lines.join("\n") }
}

pub(crate) fn list(out: &mut String, key: &str, values: &[String]) {
    if !values.is_empty() {
        out.push_str(&format!("{key}:\n"));
        for value in values {
            out.push_str(&format!("  - {}\n", quoted(value)));
        }
    }
}

/// One key. Plain words and numbers stay plain; everything else is quoted, so that no value can end
/// the line, and none is taken for nothing or for a truth value.
pub(crate) fn entry(out: &mut String, key: &str, value: &str) {
    const NOT_TEXT: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    let word = value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let number = value.bytes().all(|byte| byte.is_ascii_digit());
    let plain = !value.is_empty() && (word || number) && !NOT_TEXT.contains(&value);
    let value = if plain { value.to_owned() } else { quoted(value) };
    out.push_str(&format!("{key}: {value}\n"));
}

/// A YAML double-quoted scalar.
pub(crate) fn quoted(value: &str) -> String {
    let mut out = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
