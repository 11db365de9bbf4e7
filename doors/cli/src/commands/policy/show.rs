//! `toolgate policy show`

use call::AbsolutePath;
use decide::{Policy, ToolPolicy};
use record::store::Store;
use serde::Serialize;

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
    violations: Vec<serde_json::Value>,
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
    let violations = match look(&home).and_then(|mut ledger| violations(&mut *ledger)) {
        Ok(violations) => violations,
        Err(exit) => return exit,
    };
    let fields = ToolPolicy::of(policy.home());
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
fn violations(ledger: &mut dyn Store) -> Result<Vec<serde_json::Value>, Exit> {
    let refused = ledger.search(0, &["\"event\":\"refused\""], usize::MAX).map_err(|error| {
        say_error(&error.to_string(), None);
        Exit::CouldNot
    })?;
    Ok(refused.iter().filter_map(|entry| violation(&entry.value()?)).collect())
}

fn violation(event: &serde_json::Value) -> Option<serde_json::Value> {
    let reasons = event.get("reasons")?.as_array()?;
    let codes: Vec<&str> = reasons.iter().filter_map(|reason| reason.get("code")?.as_str()).collect();
    let field = |name: &str| event.get(name).cloned().unwrap_or_default();
    Some(serde_json::json!({
        "at": field("at"),
        "call_id": field("call"),
        "agent": field("agent"),
        "session": field("session"),
        "tool": field("tool"),
        "reasons": codes,
        "arguments": field("args_hash"),
        "policy": field("policy"),
    }))
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
