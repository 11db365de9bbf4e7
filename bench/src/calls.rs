//! Calls to decide, as the gate gets them and as agent-os-kernel does.

use call::{Actor, CallContext, SkillChain, ToolCall};
use serde_json::{Value, json};

use crate::{prose, rows};

/// A call, and what both sides must say to it.
#[derive(Clone, Debug)]
pub struct Case {
    /// What it is, in a few words.
    pub name: &'static str,
    /// The call as the gate gets it.
    pub call: ToolCall,
    /// The same as the context that agent-os-kernel evaluates: what a rule can ask about is a field.
    pub context: Value,
    /// `allow`, `needs_approval` or `deny`.
    pub verdict: &'static str,
    /// Whether its time is measured; the others only show that both sides mean the same.
    pub measured: bool,
}

const PURPOSE: &str = "keep the notes about the series beside the code that reads it";

/// All calls.
///
/// # Errors
///
/// Never: each of them is a call.
pub fn cases() -> Result<Vec<Case>, String> {
    let text = prose(1024);
    let at = |path: &str| json!({"path": path});
    let write = |path: &str| json!({"path": path, "content": text});
    let post = |host: &str, body: &str| json!({"url": format!("https://{host}/v1/notes"), "method": "POST", "body": body});
    let send = |host: &str| post(host, &text);
    [
        ("write a file", "write_file", write("/w/src/notes/series.md"), "allow", true),
        ("send to a host", "network_fetch", send("api.example.org"), "allow", true),
        ("send rows to a host", "network_fetch", post("api.example.org", &rows(1024)), "allow", true),
        ("read a file", "read_file", at("/w/docs/series.md"), "allow", false),
        ("read what is denied", "read_file", at("/w/private/series.md"), "deny", false),
        ("read outside of the roots", "read_file", at("/etc/hosts"), "deny", false),
        ("write what may only be read", "write_file", write("/w/docs/series.md"), "deny", false),
        ("write what is denied", "write_file", write("/w/private/series.md"), "deny", false),
        ("delete a file", "delete_file", at("/w/src/notes/series.md"), "needs_approval", false),
        ("delete what is denied", "delete_file", at("/w/private/series.md"), "deny", false),
        ("send to a host that is not listed", "network_fetch", send("elsewhere.example"), "deny", false),
    ]
    .into_iter()
    .map(|(name, tool, arguments, verdict, measured)| {
        let call = tool_call(tool, &arguments).map_err(|error| format!("{name}: {error}"))?;
        Ok(Case { name, call, context: context(tool, &arguments), verdict, measured })
    })
    .collect()
}

fn tool_call(tool: &str, arguments: &Value) -> Result<ToolCall, Box<dyn std::error::Error>> {
    Ok(ToolCall {
        tool: tool.parse()?,
        purpose: PURPOSE.parse()?,
        arguments: arguments.to_string().parse()?,
        actor: Actor {
            agent: "writer".parse()?,
            session: "s1".parse()?,
            skills: SkillChain::default(),
            context: CallContext::Agent,
        },
    })
}

/// A condition there looks at one field, so what reads and what writes are fields of their own.
fn context(tool: &str, arguments: &Value) -> Value {
    let mut context = arguments.clone();
    let Some(fields) = context.as_object_mut() else { return context };
    let mut add = |name: &str, value: &str| drop(fields.insert(name.to_owned(), value.into()));
    add("tool_name", tool);
    add("purpose", PURPOSE);
    if let Some(path) = arguments.get("path").and_then(Value::as_str) {
        add(if tool == "read_file" { "read_path" } else { "write_path" }, path);
    }
    let url = arguments.get("url").and_then(Value::as_str);
    if let Some(host) = url.and_then(|url| url.split('/').nth(2)) {
        add("host", host);
    }
    context
}
