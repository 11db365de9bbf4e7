//! `toolgate policy show`

use call::AbsolutePath;
use decide::{Policy, ToolPolicy};
use record::store::Store;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{home, look, no_home};
use crate::arguments::{Format, HomeArguments};
use crate::commands::print;
use crate::exit::Exit;
use crate::home::Disk;
use crate::terminal::say_error;
use crate::visible::visible;

/// The six fields, in the order that readers of traces expect, with what is on record.
#[derive(Serialize)]
struct Shown {
    allowed_roots: Vec<AbsolutePath>,
    read_only: bool,
    allow_shell: bool,
    max_file_chars: usize,
    approval_required: Vec<String>,
    violations: Vec<Value>,
}

pub(super) fn run(cedar: bool, schema: bool, arguments: &HomeArguments) -> Exit {
    if schema {
        return print::text(Policy::cedar_schema(), Exit::Done);
    }
    let home = match home(arguments.home.as_deref()) {
        Ok(home) => home,
        Err(exit) => return exit,
    };
    let files = match home.policy_files() {
        Ok(files) => files,
        Err(error) => return no_home(&error),
    };
    let Some(policy) = Policy::load(&files, &Disk::new(home.workspace())).policy else {
        say_error("the policy has errors", Some("`toolgate policy check` says which"));
        return Exit::Refused;
    };
    if cedar {
        return print::text(&policy.cedar(), Exit::Done);
    }
    let fields = ToolPolicy::of(policy.home());
    let violations = look(&home).and_then(|mut ledger| violations(&mut *ledger, &fields.allowed_roots));
    let violations = match violations {
        Ok(violations) => violations,
        Err(exit) => return exit,
    };
    let shown = Shown {
        allowed_roots: fields.allowed_roots,
        read_only: fields.read_only,
        allow_shell: fields.allow_shell,
        max_file_chars: fields.max_file_chars,
        approval_required: fields.approval_required,
        violations,
    };
    match arguments.format {
        Format::Json => print::json(&shown, Exit::Done),
        Format::Text => print::text(&text(&shown, &policy), Exit::Done),
    }
}

/// Calls that were refused, the oldest first.
fn violations(ledger: &mut dyn Store, roots: &[AbsolutePath]) -> Result<Vec<Value>, Exit> {
    let refused = ledger.search(0, &["\"event\":\"refused\""], usize::MAX).map_err(|error| {
        say_error(&error.to_string(), None);
        Exit::CouldNot
    })?;
    let mut violations = Vec::new();
    for event in refused.iter().filter_map(record::Entry::value) {
        violations.extend(violation(ledger, &event, roots));
    }
    Ok(violations)
}

/// A refusal as readers of traces know it: its reason and what that is about first, then what is ours.
fn violation(ledger: &mut dyn Store, event: &Value, roots: &[AbsolutePath]) -> Option<Value> {
    let reasons = event.get("reasons")?.as_array()?;
    let code = |reason: &Value| Some(reason.get("code")?.as_str()?.to_owned());
    let codes: Vec<String> = reasons.iter().filter_map(code).collect();
    let known = codes.iter().position(|code| TRACED.contains(&code.as_str())).unwrap_or(0);
    let (reason, told) = (codes.get(known)?, reasons.get(known)?);
    let field = |name: &str| event.get(name).cloned().unwrap_or_default();
    let mut violation = Map::new();
    violation.insert("reason".to_owned(), reason.as_str().into());
    match reason.as_str() {
        "path_outside_allowed_roots" => {
            let message = told.get("message").and_then(Value::as_str).unwrap_or_default();
            let path = message.strip_prefix(OUTSIDE).unwrap_or(message);
            violation.insert("path".to_owned(), path.into());
            let roots = roots.iter().map(|root| root.as_str().into()).collect();
            violation.insert("allowed_roots".to_owned(), Value::Array(roots));
        }
        "shell_blocked" => {
            violation.insert("action".to_owned(), "run_shell".into());
            violation.insert("command".to_owned(), shell_command(ledger, event).unwrap_or_default());
        }
        _ => drop(violation.insert("action".to_owned(), field("tool"))),
    }
    let ours = [
        ("at", field("at")),
        ("call_id", field("call")),
        ("agent", field("agent")),
        ("session", field("session")),
        ("tool", field("tool")),
        ("reasons", codes.into()),
        ("arguments", field("args_hash")),
        ("policy", field("policy")),
    ];
    violation.extend(ours.map(|(name, value)| (name.to_owned(), value)));
    Some(Value::Object(violation))
}

/// The reasons that a tool policy of six fields has.
const TRACED: [&str; 3] = ["path_outside_allowed_roots", "write_blocked_read_only", "shell_blocked"];

/// What the message about a path begins with.
const OUTSIDE: &str = "path is outside allowed roots: ";

/// The line that a shell was to run, where the record has it.
fn shell_command(ledger: &mut dyn Store, event: &Value) -> Option<Value> {
    let call = event.get("call")?.as_str()?.parse().ok()?;
    let entries = ledger.of_call(call).ok()?;
    let effects = entries.iter().find_map(|entry| entry.value()?.get("effects").cloned())?;
    let program = effects.as_array()?.iter().find_map(|effect| effect.get("run")?.get("program").cloned())?;
    program.get("command").or_else(|| program.get("argv")).cloned()
}

fn text(shown: &Shown, policy: &Policy) -> String {
    let roots: Vec<_> = shown.allowed_roots.iter().map(|root| visible(root.as_str())).collect();
    let mut text = format!(
        "allowed_roots      {}\nread_only          {}\nallow_shell        {}\nmax_file_chars     {}\n\
         approval_required  {}\nviolations         {} on record\n",
        roots.join(", "),
        shown.read_only,
        shown.allow_shell,
        shown.max_file_chars,
        shown.approval_required.join(", "),
        shown.violations.len(),
    );
    for skill in policy.skills() {
        text.push_str(&format!(
            "skill              {} {} ({})\n",
            skill.name,
            skill.version,
            skill.tier.as_str()
        ));
    }
    text.push_str(&format!("digest             {}\n", policy.digest()));
    text
}
