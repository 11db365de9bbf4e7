//! The tools that come with the gate.
//!
//! Each has a JSON Schema (`schemas/`), which doors publish and arguments are held against first,
//! and a function that takes the arguments apart into what the call would do. What a schema cannot
//! say well (exactly one of two, a path without NUL) is checked there and written in the schema's
//! descriptions.

mod alike;
mod check;
mod database;
mod exec;
mod files;
mod forge;
mod memory;
mod web;

pub(crate) use check::path;
pub(crate) use database::of as statement;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use call::{Class, Effect, Effects, Role, ToolCall};
use jsonschema::Validator;
use serde_json::Value;

use crate::passages::{self, Step};
use crate::{Catalogue, Classified, Fault, Unclassified, schema};

/// What a tool would do with its arguments, or what is wrong with them.
type ToolEffects = Result<Vec<Effect<String>>, Fault>;

/// One built-in tool.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) classes: &'static [Class],
    source: &'static str,
    /// What its texts are for, by argument. What is not here is plain.
    roles: &'static [(&'static str, Role)],
    effects: fn(&Value, &Catalogue) -> ToolEffects,
}

macro_rules! tools {
    ($($name:literal $classes:expr, $roles:expr, $effects:path;)*) => {
        &[$(Tool {
            name: $name,
            classes: &$classes,
            source: include_str!(concat!("../schemas/", $name, ".json")),
            roles: &$roles,
            effects: $effects,
        },)*]
    };
}

use Class::{Exec, Network, Read, Secrets, Write};
use Role::{Code, Command, Content, Draft, Outbound, Path, Pattern, Statement};

#[rustfmt::skip]
static TOOLS: &[Tool] = tools! {
    "list_files"         [Read], [("path", Path), ("glob", Pattern)], files::list_files;
    "read_file"          [Read], [("path", Path)], files::read_file;
    "search_files"       [Read], [("path", Path), ("glob", Pattern), ("pattern", Pattern)], files::search_files;
    "diff"               [Read], [("path", Path), ("content", Draft)], files::diff;
    "write_file"         [Write], [("path", Path), ("content", Content), ("content_base64", Content)], files::write_file;
    "edit_file"          [Write], [("path", Path), ("old", Content), ("new", Content)], files::edit_file;
    "delete_file"        [Write], [("path", Path)], files::delete_file;
    "query_db"           [Read], [("sql", Statement), ("params", Statement)], database::query_db;
    "execute_db"         [Write], [("sql", Statement), ("params", Statement)], database::execute_db;
    "memory_recall"      [Read], [("query", Pattern)], memory::recall;
    "memory_store"       [Write], [("text", Content)], memory::store;
    "status"             [Read], [], memory::status;
    "exec_sandbox"       [Exec], [("code", Code), ("argv", Command), ("inputs", Path), ("env", Outbound), ("network", Outbound)], exec::sandbox;
    "exec_shell"         [Exec], [("command", Command)], exec::shell;
    "network_fetch"      [Network], [("url", Outbound), ("headers", Outbound), ("body", Outbound)], web::network_fetch;
    "secrets_get"        [Secrets], [], web::secrets_get;
    "github_list_prs"    [Read, Network], [], forge::list_prs;
    "github_get_pr"      [Read, Network], [], forge::get_pr;
    "github_list_files"  [Read, Network], [], forge::list_files;
    "github_create_pr"   [Write, Network], [("title", Content), ("body", Content), ("changes", Content)], forge::create_pr;
    "github_add_comment" [Write, Network], [("body", Content)], forge::add_comment;
};

/// Other spellings of a tool.
const ALIASES: &[(&str, &str)] = &[("run_shell", "exec_shell")];

/// The names of the built-in tools.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.name)
}

struct Compiled {
    schema: Value,
    validator: Validator,
    /// Arguments that may only have one of a few words, and these words.
    listed: Vec<(String, Vec<String>)>,
}

impl Compiled {
    fn new(schema: Value) -> Option<Self> {
        let validator = schema::compile(&schema).ok()?;
        let words = |property: &Value| {
            let words = property.get("enum")?.as_array()?.iter();
            Some(words.filter_map(Value::as_str).map(str::to_owned).collect())
        };
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let listed = properties.filter_map(|(name, property)| Some((name.clone(), words(property)?)));
        Some(Self { listed: listed.collect(), validator, schema })
    }

    /// Is this one of the words that the argument may have?
    fn lists(&self, argument: &str, text: &str) -> bool {
        let mut listed = self.listed.iter().filter(|(name, _)| name == argument);
        listed.any(|(_, words)| words.iter().any(|word| word == text))
    }
}

/// Every schema, compiled. One that is no schema is missing here, and a test looks for that.
static SCHEMAS: LazyLock<BTreeMap<&'static str, Compiled>> = LazyLock::new(|| {
    let compiled = |tool: &Tool| Some((tool.name, Compiled::new(serde_json::from_str(tool.source).ok()?)?));
    TOOLS.iter().filter_map(compiled).collect()
});

impl Tool {
    /// The tool of this name, or of this spelling of its name.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |&(_, name)| name);
        TOOLS.iter().find(|tool| tool.name == name)
    }

    /// Its schema.
    pub(crate) fn schema(&self) -> Option<&'static Value> {
        SCHEMAS.get(self.name).map(|compiled| &compiled.schema)
    }

    /// What a call of it would touch.
    pub(crate) fn classify(
        &self,
        call: &ToolCall,
        catalogue: &Catalogue,
    ) -> Result<Classified, Unclassified> {
        let tool = self.name.parse().unwrap_or_else(|_| call.tool.clone());
        let bad = |faults: Vec<Fault>| Unclassified::BadArguments { tool: call.tool.clone(), faults };
        let Some(compiled) = SCHEMAS.get(self.name) else {
            return Err(bad(vec![Fault::new("", "cannot be checked, because the tool has no schema")]));
        };
        let arguments = call.arguments.as_value();
        let faults = schema::faults(&compiled.validator, arguments);
        if !faults.is_empty() {
            return Err(bad(faults));
        }
        let effects = (self.effects)(arguments, catalogue).map_err(|fault| bad(vec![fault]))?;
        let is_listed = |argument: &str, text: &str| compiled.lists(argument, text);
        let mut passages = passages::of(call, |steps| self.role_at(steps), is_listed);
        check::add_decoded(&mut passages);
        Ok(Classified { tool, classes: self.classes.to_vec(), effects: Effects::new(effects), passages })
    }

    fn role_at(&self, steps: &[Step<'_>]) -> Role {
        let Some(Step::Key(argument)) = steps.first() else { return Role::Plain };
        self.roles.iter().find(|(name, _)| name == argument).map_or(Role::Plain, |&(_, role)| role)
    }
}

#[cfg(test)]
mod tests {
    use super::{SCHEMAS, TOOLS};

    #[test]
    fn every_tool_has_a_schema_that_compiles_and_names_its_arguments() {
        for tool in TOOLS {
            let compiled = SCHEMAS.get(tool.name).unwrap_or_else(|| panic!("{}", tool.name));
            assert_eq!(compiled.schema["title"], tool.name);
            assert_eq!(compiled.schema["additionalProperties"], false, "{}", tool.name);
            assert_eq!(compiled.schema["type"], "object", "{}", tool.name);
            let properties = compiled.schema["properties"].as_object().unwrap();
            for (name, property) in properties {
                assert!(
                    property["description"].as_str().is_some_and(|text| text.len() > 10),
                    "{}.{name}",
                    tool.name
                );
            }
            for (argument, _) in tool.roles {
                assert!(properties.contains_key(*argument), "{}: {argument}", tool.name);
            }
            // Clients of MCP refuse schemas that combine others at the top.
            for key in ["oneOf", "anyOf", "allOf", "not", "if"] {
                assert!(compiled.schema.get(key).is_none(), "{}: {key}", tool.name);
            }
        }
    }
}
