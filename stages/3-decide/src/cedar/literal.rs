//! Names and words in an organisation's policies that nothing is ever called by.
//!
//! A rule about `Path::"src"` or `Host::"Crates.io"` fits the schema and applies to nothing, because
//! what it is compared with is always written in one form. Whoever wrote it thinks that something is
//! forbidden, so it is an error.

use call::{AbsolutePath, BUILT_IN_TOOLS, CallContext, Lane, WebAddress, WebHost};
use cedar_policy::{EntityUid, Policy};
use serde_json::Value;

use crate::entry::{HostEntry, Hosts};

/// What is wrong with a policy's names: the text as it stands there, what is wrong, and a remedy.
pub(super) struct Odd {
    pub(super) written: String,
    pub(super) message: String,
    pub(super) hint: String,
}

/// Everything in a policy that nothing can ever be equal to.
pub(super) fn odd_names(policy: &Policy) -> Vec<Odd> {
    let mut odd: Vec<Odd> = policy.entity_literals().iter().filter_map(odd_name).collect();
    if let Ok(json) = policy.to_json() {
        odd_words(&json, &mut odd);
    }
    odd
}

fn odd_name(name: &EntityUid) -> Option<Odd> {
    let (id, kind) = (name.id().unescaped(), name.type_name().to_string());
    let proper = match kind.as_str() {
        "Path" => {
            let path = AbsolutePath::parse(id).map(|path| path.as_str().to_owned());
            path.map_or(Proper::Unknown("paths are absolute, without `..`"), Proper::Is)
        }
        "Host" => match HostEntry::parse(id).map(|entry| entry.what) {
            Ok(Hosts::Host(host)) => Proper::Is(host.to_string()),
            Ok(Hosts::Port(host, port)) => Proper::Is(format!("{host}:{port}")),
            Ok(Hosts::All | Hosts::Origin { .. } | Hosts::Below(_)) | Err(_) => {
                Proper::Unknown("a host is `host` or `host:port`; use `Domain` for what lies below one")
            }
        },
        "Domain" => match WebHost::parse(id).filter(|_| !id.contains('*')) {
            Some(WebHost::Name(domain)) => Proper::Is(domain.into()),
            Some(WebHost::Ip(_)) | None => Proper::Unknown("a domain is a name without `*.`"),
        },
        "Origin" => match WebAddress::parse(id) {
            Ok(WebAddress { scheme, host, port, .. }) => {
                Proper::Is(format!("{}://{host}:{port}", scheme.as_str()))
            }
            Err(_) => Proper::Unknown("an origin is `https://host:443`"),
        },
        "Tool" if BUILT_IN_TOOLS.contains(&id) || id.contains(['.', '/']) => return None,
        "Tool" => Proper::Unknown("there is no such tool; one of another server is `server.tool`"),
        _ => return None,
    };
    let written = format!("\"{id}\"");
    let nothing = |hint: String| Odd {
        written,
        message: format!("nothing is ever called `{kind}::\"{id}\"`, so the rule does not apply to it"),
        hint,
    };
    match proper {
        Proper::Is(proper) if proper == id => None,
        Proper::Is(proper) => Some(nothing(format!("write `{kind}::\"{proper}\"`"))),
        Proper::Unknown(hint) => Some(nothing(hint.to_owned())),
    }
}

enum Proper {
    /// The one form in which it is compared.
    Is(String),
    /// Nothing has such a name.
    Unknown(&'static str),
}

/// Words that an attribute of the context is compared with and never is; and a second spelling of a tool
/// that only `in` knows.
fn odd_words(json: &Value, odd: &mut Vec<Odd>) {
    match json {
        Value::Object(fields) => {
            for (name, inside) in fields {
                if matches!(name.as_str(), "==" | "!=" | "contains") {
                    compared(inside, odd);
                }
                odd_words(inside, odd);
            }
            // The scope of a rule.
            if fields.get("op").is_some_and(|op| op == "==") {
                second_spelling(fields.get("entity"), odd);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| odd_words(item, odd)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn compared(operands: &Value, odd: &mut Vec<Odd>) {
    let sides = [operands.get("left"), operands.get("right")];
    for (one, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
        second_spelling(other.and_then(|other| other.get("Value")?.get("__entity")), odd);
        let Some(known) = one.and_then(attribute).and_then(known_words) else { continue };
        for word in other.into_iter().flat_map(words) {
            if !known.contains(&word) {
                odd.push(Odd {
                    written: format!("\"{word}\""),
                    message: format!("the context never says `{word}` here, so the rule does not apply"),
                    hint: format!("it says one of {}", known.join(", ")),
                });
            }
        }
    }
}

/// The attribute of the context that an expression is.
fn attribute(expression: &Value) -> Option<&str> {
    let access = expression.get(".")?;
    (access.get("left")?.get("Var")?.as_str()? == "context").then_some(())?;
    access.get("attr")?.as_str()
}

fn known_words(attribute: &str) -> Option<Vec<&'static str>> {
    match attribute {
        "caller" => Some(CallContext::ALL.map(|(name, _)| name).to_vec()),
        "lane" => Some(Lane::ALL.iter().map(|(name, _)| *name).chain(["none"]).collect()),
        _ => None,
    }
}

/// The texts that an expression holds, as itself or in a set.
fn words(expression: &Value) -> Vec<&str> {
    let own = expression.get("Value").and_then(Value::as_str);
    let set = expression.get("Set").and_then(Value::as_array);
    let members = set.into_iter().flatten().filter_map(|member| member.get("Value")?.as_str());
    own.into_iter().chain(members).collect()
}

fn second_spelling(entity: Option<&Value>, odd: &mut Vec<Odd>) {
    let is = |name: &str, want: &str| entity.and_then(|entity| entity.get(name)) == Some(&want.into());
    if is("type", "Tool") && is("id", "run_shell") {
        odd.push(Odd {
            written: "\"run_shell\"".to_owned(),
            message: "`run_shell` is called `exec_shell` by the gate, so nothing is equal to it".to_owned(),
            hint: "write `exec_shell`, or `resource in Tool::\"run_shell\"`".to_owned(),
        });
    }
}
