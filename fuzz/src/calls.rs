//! Calls for the targets that need some, and what holds for every call.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use call::{
    AbsolutePath, Actor, Arguments, CallContext, Effect, FileKind, Located, PathPlace, Paths, SkillChain,
    ToolCall, UnclearPath,
};
use classify::sql::Dialect;
use classify::{Catalogue, Mapping, Unclassified, classify};
use serde_json::Value;

/// A mapping with one tool of each kind.
const MAPPING: &str = r#"
[tools.read]
read = ["path", "paths[]"]
optional = ["path", "paths[]"]
plain = ["all", "limit"]
[tools.move]
delete = "path"
write = "new"
[tools.request]
url = "url"
method = "method"
content = ["body", "content"]
[tools.run]
command = "command"
[tools.ask]
sql = { argument = "sql", database_argument = "database" }
[tools.token]
secret = { scope = "scope", name = "name" }
[tools.add]
touches_nothing = true
plain = ["a", "b"]
"#;

/// Every tool of the gate, a database of each kind, and another server.
///
/// # Panics
///
/// Never: the mapping is one.
pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::default()
        .with_database("lite", Dialect::Sqlite)
        .with_database("pg", Dialect::PostgreSql)
        .with_mapping("other", Mapping::parse(MAPPING).expect("a mapping"))
});

/// A disk without links, on which everything below `/w` is a file.
#[derive(Debug)]
pub struct Everywhere;

impl Paths for Everywhere {
    fn locate(&self, given: &str) -> Located {
        let absolute = if given.starts_with('/') { given.to_owned() } else { format!("/w/{given}") };
        let place = match AbsolutePath::parse(&absolute) {
            Some(path) => PathPlace::Below { path, kind: FileKind::File },
            None => PathPlace::Unclear(UnclearPath::NoPath),
        };
        Located::new(given.to_owned(), place)
    }
}

/// A call of `tool`.
///
/// # Panics
///
/// When `tool` is no name; the targets only use names.
#[must_use]
pub fn called(tool: &str, arguments: Arguments) -> ToolCall {
    ToolCall {
        tool: tool.parse().expect("a name"),
        purpose: "look for defects".parse().expect("a purpose"),
        arguments,
        actor: Actor {
            agent: "fuzzer".parse().expect("a name"),
            session: "s1".parse().expect("a name"),
            skills: SkillChain::default(),
            context: CallContext::Agent,
        },
    }
}

/// Puts the same arguments to every tool, and asserts what holds whatever they are.
///
/// # Panics
///
/// When a promise is broken; that is the point.
pub fn classify_all(arguments: &Arguments) {
    let foreign =
        ["other.read", "other.move", "other.request", "other.run", "other.ask", "other.token", "other.add"];
    for tool in CATALOGUE.tools().chain(foreign) {
        let call = called(tool, arguments.clone());
        let classified = match classify(&call, &CATALOGUE) {
            Ok(classified) => classified,
            Err(refused) => {
                refusal_is_sound(&refused);
                continue;
            }
        };
        assert_eq!(
            classify(&call, &CATALOGUE).as_ref(),
            Ok(&classified),
            "the same call has the same effects"
        );
        let purpose = classified.passages.first().map(|passage| passage.argument.as_str());
        assert_eq!(purpose, Some("purpose"), "the purpose comes first");
        let carried: BTreeSet<&str> =
            classified.passages.iter().map(|passage| passage.text.as_str()).collect();
        let mut texts = BTreeSet::new();
        // A word that the schema lists is nobody's text.
        let schema = CATALOGUE.schema(tool);
        let listed =
            |name: &str| schema.and_then(|all| all.get("properties")?.get(name)?.get("enum")?.as_array());
        let is_own = |name: &str, value: &Value| listed(name).is_none_or(|words| !words.contains(value));
        let own = arguments.values().iter().filter(|(name, value)| is_own(name, value));
        own.for_each(|(_, value)| collect(value, &mut texts));
        assert!(texts.is_subset(&carried), "{tool}: every text is in a passage");
        assert!(!classified.classes.is_empty(), "{tool}: a tool has a class");
        let n_effects = classified.effects.iter().count();
        assert!(n_effects > 0, "{tool}: a call has an effect, if only an unknown one");
        if tool != "status" && !tool.starts_with("other.") {
            let nothing = classified.effects.iter().any(|effect| matches!(effect, Effect::Nothing));
            assert!(!nothing, "{tool}: no tool of the gate touches nothing");
        }
        let again = classified.effects.clone().located(&Everywhere).digest();
        assert_eq!(classified.effects.located(&Everywhere).digest(), again, "one digest for one effect");
    }
}

fn refusal_is_sound(refused: &Unclassified) {
    let text = refused.to_string();
    assert!(!text.chars().any(char::is_control), "a refusal is one line: {text:?}");
    assert!(text.len() < 8_192, "a refusal does not repeat what it refuses: {} bytes", text.len());
}

/// Every text in a value, keys below the first level included.
fn collect<'v>(value: &'v Value, found: &mut BTreeSet<&'v str>) {
    match value {
        Value::String(text) => drop(found.insert(text)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
        Value::Object(entries) => {
            for (key, value) in entries {
                found.insert(key);
                collect(value, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
