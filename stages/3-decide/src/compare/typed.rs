//! Calls as they can be typed: the arguments that a tool takes, and what the gate makes of them.
//!
//! **Invariant:** the effects of a call here are those that stage 1 reads off its arguments, as far as
//! policy looks at them. A test of the command line types what a comparison shows and gets its verdicts.

use call::{
    AbsolutePath, Access, Actor, AgentName, CallContext, Change, Effect, FileKind, Lane, Located, MemoryUse,
    PathPlace, Program, Query, Reach, RepositoryUse, Run, RunLimits, SecretUse, Sha256, SkillChain,
    WebAddress, WebRequest, WebScheme,
};
use serde_json::{Value, json};

use super::Probe;

/// What is called, without who calls it.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) tool: &'static str,
    pub(super) effects: Vec<Effect>,
    arguments: Arguments,
}

#[derive(Clone, Debug)]
enum Arguments {
    Plain(Value),
    /// A text for `printf`, and what is put in it: arguments that are too long to be shown.
    Printed(String, &'static str),
}

/// Bytes of content that are written out in an example.
const SHOWN: u64 = 60;

/// Who calls by default, and the session, as the command line names them.
pub(super) const CALLER: &str = "cli";

impl Typed {
    fn new(tool: &'static str, arguments: Value, effects: Vec<Effect>) -> Self {
        Self { tool, effects, arguments: Arguments::Plain(arguments) }
    }

    /// A tool that looks at a file or folder.
    pub(super) fn read(tool: &'static str, path: &AbsolutePath) -> Self {
        let mut arguments = json!({ "path": path.as_str() });
        let more = match tool {
            "search_files" => Some(("pattern", "x")),
            "diff" => Some(("content", "x")),
            _ => None,
        };
        if let (Some((key, value)), Some(arguments)) = (more, arguments.as_object_mut()) {
            arguments.insert(key.to_owned(), value.into());
        }
        let reach = if matches!(tool, "list_files" | "search_files") { Reach::Below } else { Reach::Itself };
        Self::new(tool, arguments, vec![Effect::Read { path: located(path), reach }])
    }

    pub(super) fn write(path: &AbsolutePath, bytes: u64, binary: bool) -> Self {
        let change = Change::Content { sha256: Sha256::of(b""), bytes, binary, create_dirs: false };
        let effects = vec![Effect::Write { path: located(path), change }];
        // In base64, zeros stand for bytes that are no text.
        let (key, zeros, rest) = match (binary, bytes % 3) {
            (false, _) => ("content", bytes, ""),
            (true, 0) => ("content_base64", bytes / 3 * 4, ""),
            (true, 1) => ("content_base64", bytes / 3 * 4, "AA=="),
            (true, _) => ("content_base64", bytes / 3 * 4, "AAA="),
        };
        if zeros <= SHOWN {
            let letter = if binary { "0" } else { "x" };
            let content = letter.repeat(usize::try_from(zeros).unwrap_or_default()) + rest;
            return Self::new("write_file", json!({ "path": path.as_str(), key: content }), effects);
        }
        let printed = |text: &str| text.replace('\\', "\\\\").replace('%', "%%");
        let path = printed(&json!(path.as_str()).to_string());
        let text = if binary {
            (format!("{{\"path\":{path},\"{key}\":\"%0{zeros}d{rest}\"}}"), "0")
        } else {
            (format!("{{\"path\":{path},\"{key}\":\"%{zeros}s\"}}"), "x")
        };
        Self { tool: "write_file", effects, arguments: Arguments::Printed(text.0, text.1) }
    }

    pub(super) fn edit(path: &AbsolutePath) -> Self {
        let (old, new) = (Sha256::of(b"old"), Sha256::of(b"new"));
        let change = Change::Edit { old, new, bytes: 3, binary: false, all: false };
        let arguments = json!({ "path": path.as_str(), "old": "old", "new": "new" });
        Self::new("edit_file", arguments, vec![Effect::Write { path: located(path), change }])
    }

    pub(super) fn delete(path: &AbsolutePath) -> Self {
        let effects = vec![Effect::Delete { path: located(path) }];
        Self::new("delete_file", json!({ "path": path.as_str() }), effects)
    }

    pub(super) fn fetch(url: &WebAddress, method: &str) -> Self {
        let arguments = json!({ "url": url.to_string(), "method": method });
        Self::new("network_fetch", arguments, vec![request(url.clone(), method)])
    }

    /// Code in a sandbox that may speak to these hosts, each with its port.
    pub(super) fn sandbox(
        language: &str,
        lane: Option<Lane>,
        seconds: Option<u32>,
        hosts: &[String],
    ) -> Self {
        let mut arguments = serde_json::Map::new();
        arguments.insert("language".to_owned(), language.into());
        arguments.insert("code".to_owned(), "1".into());
        let mut effects = Vec::new();
        for host in hosts {
            if let Ok(mut url) = WebAddress::parse(&format!("https://{host}/")) {
                if url.port == WebScheme::Http.default_port() {
                    url.scheme = WebScheme::Http;
                }
                effects.push(request(url, "CONNECT"));
            }
        }
        if !hosts.is_empty() {
            arguments.insert("network".to_owned(), hosts.into());
        }
        if let Some(lane) = lane {
            arguments.insert("lane".to_owned(), lane.as_str().into());
        }
        if let Some(seconds) = seconds {
            arguments.insert("time_limit_sec".to_owned(), seconds.into());
        }
        let program = Program::Code { language: language.to_owned(), sha256: Sha256::of(b"1") };
        let limits = RunLimits { time_limit_sec: seconds, ..RunLimits::default() };
        let network = !hosts.is_empty();
        effects.push(Effect::Run(Run {
            program,
            lane,
            network,
            stdin: None,
            inputs: 0,
            environment: Vec::new(),
            limits,
        }));
        Self::new("exec_sandbox", Value::Object(arguments), effects)
    }

    pub(super) fn shell(tool: &'static str) -> Self {
        let program = Program::Shell { command: "ls".to_owned() };
        let limits = RunLimits::default();
        let run = Run {
            program,
            lane: None,
            network: false,
            stdin: None,
            inputs: 0,
            environment: Vec::new(),
            limits,
        };
        Self::new(tool, json!({ "command": "ls" }), vec![Effect::Run(run)])
    }

    pub(super) fn secret(scope: &str, name: &str) -> Self {
        let (reveal, arguments) =
            (SecretUse::Header, json!({ "scope": scope, "name": name, "use": "header" }));
        let effect = Effect::Secret { scope: scope.to_owned(), name: name.to_owned(), reveal };
        Self::new("secrets_get", arguments, vec![effect])
    }

    /// A statement about a table, or about none.
    pub(super) fn query(database: &str, access: Access, table: Option<&str>) -> Option<Self> {
        let quoted = table.map(|table| {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            let word = |part: &String| {
                let plain = part.chars().all(plain) && part.starts_with(|c: char| !c.is_ascii_digit());
                if plain { part.clone() } else { format!("\"{}\"", part.replace('"', "\"\"")) }
            };
            let parts = call::table_parts(table).unwrap_or_else(|| vec![table.to_owned()]);
            parts.iter().map(word).collect::<Vec<_>>().join(".")
        });
        let (tool, sql) = match (access, quoted) {
            (Access::Read, None) => ("query_db", "select 1".to_owned()),
            (Access::Read, Some(table)) => ("query_db", format!("select * from {table}")),
            (Access::Write, Some(table)) => ("execute_db", format!("insert into {table} values (1)")),
            // Whatever changes something changes a table.
            (Access::Write, None) => return None,
        };
        let query = Query {
            database: database.to_owned(),
            access,
            tables: table.into_iter().map(str::to_owned).collect(),
            sql: String::new(),
            parameters: Sha256::of(b""),
        };
        Some(Self::new(tool, json!({ "database": database, "sql": sql }), vec![Effect::Query(query)]))
    }

    pub(super) fn recall() -> Self {
        let recall = MemoryUse::Recall { query: Sha256::of(b"x") };
        Self::new("memory_recall", json!({ "query": "x" }), vec![Effect::Memory(recall)])
    }

    pub(super) fn store() -> Self {
        let store = MemoryUse::Store { text: Sha256::of(b"x"), tags: Vec::new() };
        Self::new("memory_store", json!({ "text": "x" }), vec![Effect::Memory(store)])
    }

    pub(super) fn status() -> Self {
        Self::new("status", json!({}), vec![Effect::Status])
    }

    /// A look at a repository, by the API of a forge.
    pub(super) fn look(tool: &'static str, repository: &str, api: &WebAddress) -> Self {
        let (mut arguments, rest) = match tool {
            "github_get_pr" => (json!({ "number": 1 }), "/pulls/1"),
            "github_list_files" => (json!({ "number": 1 }), "/pulls/1/files"),
            _ => (json!({}), "/pulls?state=open"),
        };
        if let Some(arguments) = arguments.as_object_mut() {
            arguments.insert("repo".to_owned(), repository.into());
        }
        let effects = vec![used(repository, Access::Read, None), at_forge(api, repository, rest, "GET")];
        Self::new(tool, arguments, effects)
    }

    /// A change to a repository: to a branch, or a comment.
    pub(super) fn propose(repository: &str, branch: Option<&str>, api: &WebAddress) -> Self {
        let Some(branch) = branch else {
            let arguments = json!({ "repo": repository, "number": 1, "body": "x" });
            let request = at_forge(api, repository, "/issues/1/comments", "POST");
            let effects = vec![used(repository, Access::Write, None), request];
            return Self::new("github_add_comment", arguments, effects);
        };
        let base = if branch == "main" { "trunk" } else { "main" };
        let arguments = json!({
            "repo": repository, "branch": branch, "base": base, "title": "x", "body": "x",
            "changes": [{ "path": "x", "content": "x" }],
        });
        let request = at_forge(api, repository, "/pulls", "POST");
        let effects = vec![used(repository, Access::Write, Some(branch)), request];
        Self::new("github_create_pr", arguments, effects)
    }

    /// The call, by somebody.
    pub(super) fn by(&self, agent: &AgentName, skills: &SkillChain, context: CallContext) -> Option<Probe> {
        let Self { tool, effects, arguments } = self;
        let args = match arguments {
            Arguments::Plain(arguments) => quoted(&arguments.to_string()),
            Arguments::Printed(..) => "@-".to_owned(),
        };
        let mut example = match arguments {
            Arguments::Plain(_) => String::new(),
            Arguments::Printed(text, filling) => format!("printf {} {filling} | ", quoted(text)),
        };
        example.push_str(&format!("toolgate call {tool} --purpose example --args {args}"));
        if agent.as_str() != CALLER {
            example.push_str(&format!(" --agent {}", quoted(agent.as_str())));
        }
        if !skills.skills().is_empty() {
            let names: Vec<&str> = skills.skills().iter().map(|skill| skill.as_str()).collect();
            example.push_str(&format!(" --skill {}", names.join("/")));
        }
        if context != CallContext::Agent {
            example.push_str(&format!(" --context {}", context.as_str()));
        }
        example.push_str(" --dry-run");
        let session = CALLER.parse().ok()?;
        let actor = Actor { agent: agent.clone(), session, skills: skills.clone(), context };
        Some(Probe { tool: tool.parse().ok()?, actor, effects: effects.clone(), example })
    }
}

/// A word of a shell, where it needs quotes.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@');
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn located(path: &AbsolutePath) -> Located {
    Located::new(path.to_string(), PathPlace::Below { path: path.clone(), kind: FileKind::File })
}

fn request(url: WebAddress, method: &str) -> Effect {
    Effect::Network(WebRequest { method: method.to_owned(), url, headers: Vec::new(), body: None })
}

fn at_forge(api: &WebAddress, repository: &str, rest: &str, method: &str) -> Effect {
    let path = format!("{}/repos/{repository}{rest}", api.path.trim_end_matches('/'));
    request(WebAddress { path, ..api.clone() }, method)
}

fn used(repository: &str, access: Access, branch: Option<&str>) -> Effect {
    Effect::Repository(RepositoryUse {
        repository: repository.to_owned(),
        access,
        branch: branch.map(str::to_owned),
        base: None,
        content: Sha256::of(b""),
    })
}
