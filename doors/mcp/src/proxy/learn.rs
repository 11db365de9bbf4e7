//! Drafts of mappings, for a person to review.
//!
//! A draft is made from names and schemas that somebody else wrote, so it takes nothing on trust: hints such
//! as "read only" do not count, a path is taken to be written unless the tool's own name says that it reads,
//! an address is taken to be sent to, and a tool of which nothing can be told gets a mapping that still
//! refuses every call.

use std::fmt::Write as _;

use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, value};

use super::Definition;

/// The draft of `.toolgate/tools/SERVER.toml`.
#[must_use]
pub fn learn(server: &str, definitions: &[Definition]) -> String {
    let mut tools = Table::new();
    tools.set_implicit(true);
    for definition in definitions.iter().filter(|definition| definition.server == server) {
        let (mut table, remarks) = draft(definition);
        let mut above = String::from("\n");
        for remark in remarks {
            let _ = writeln!(above, "# {remark}");
        }
        table.decor_mut().set_prefix(above);
        tools.insert(&definition.tool, Item::Table(table));
    }
    let mut document = DocumentMut::new();
    document.insert("tools", Item::Table(tools));
    format!(
        "# What the tools of `{server}` do, drafted from their schemas. Nobody has reviewed it.\n\
         # Look at each line: a path that is read, written or deleted, an address, a command.\n{document}"
    )
}

/// What an argument seems to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seems {
    Path,
    Url,
    Command,
    Sql,
    Content,
    Pattern,
    Plain,
}

#[derive(Default)]
struct Found {
    arguments: Vec<(String, Seems)>,
    unnamed: usize,
}

fn draft(definition: &Definition) -> (Table, Vec<String>) {
    let mut found = Found::default();
    let schema = definition.value.get("inputSchema").and_then(Value::as_object);
    if let Some(properties) = schema.and_then(|schema| schema.get("properties")).and_then(Value::as_object) {
        search(properties, "", &words(&definition.tool), 0, &mut found);
    }
    let of = |wanted: Seems| -> Vec<&str> {
        found
            .arguments
            .iter()
            .filter(|(_, seems)| *seems == wanted)
            .map(|(place, _)| place.as_str())
            .collect()
    };
    let mut table = Table::new();
    let mut remarks = Vec::new();
    let mut put = |key: &str, places: &[&str]| {
        if !places.is_empty() {
            table.insert(key, value(places.iter().copied().collect::<Array>()));
        }
    };
    let verbs = words(&definition.tool);
    let reads = verbs.first().is_some_and(|verb| READS.contains(&verb.as_str()));
    let paths = of(Seems::Path);
    put("read", &paths);
    if !reads {
        put("write", &paths);
        put("delete", &paths);
        if !paths.is_empty() {
            remarks.push(
                "Paths are taken to be read, written and deleted; take out what does not happen.".into(),
            );
        }
    }
    let urls = of(Seems::Url);
    put("url", &urls);
    put("command", &of(Seems::Command));
    put("content", &of(Seems::Content));
    put("pattern", &of(Seems::Pattern));
    let statements = of(Seems::Sql);
    let mut plain = of(Seems::Plain);
    if let Some((statement, others)) = statements.split_first() {
        plain.extend(others);
        let mut sql = InlineTable::new();
        sql.insert("argument", (*statement).into());
        sql.insert("database", "main".into());
        remarks.push("Name the database as policy does.".into());
        put("plain", &plain);
        table.insert("sql", value(sql));
    } else {
        put("plain", &plain);
    }
    if !urls.is_empty() {
        table.insert("method", value("POST"));
        remarks.push(
            "Addresses are taken to be sent to; write method = \"GET\" where they are only fetched.".into(),
        );
    }
    if paths.is_empty() && urls.is_empty() && of(Seems::Command).is_empty() && statements.is_empty() {
        remarks.push("Nothing was recognised, and every call is refused: say what it touches, or touches_nothing = true.".into());
    }
    if found.unnamed > 0 {
        remarks.push(format!(
            "{} arguments could not be named here; calls with them are refused.",
            found.unnamed
        ));
    }
    table.insert("definition", value(format!("sha256:{}", definition.digest())));
    (table, remarks)
}

/// Levels of objects that are looked into.
const DEEPEST: usize = 4;

fn search(properties: &Map<String, Value>, above: &str, tool: &[String], depth: usize, found: &mut Found) {
    for (name, schema) in properties {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-$".contains(&byte);
        if name.is_empty() || !name.bytes().all(plain) || name == "purpose" || name == "approval" {
            found.unnamed += 1;
            continue;
        }
        let mut place = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        let mut schema = schema;
        // Lists of texts are one argument; lists of objects are looked into.
        if let Some(items) = schema.get("items")
            && items.get("properties").is_some()
        {
            place.push_str("[]");
            schema = items;
        }
        match schema.get("properties").and_then(Value::as_object) {
            Some(inside) if depth < DEEPEST => search(inside, &place, tool, depth + 1, found),
            Some(_) | None => {
                let seems = seems(&words(name), tool, schema);
                found.arguments.push((place, seems));
            }
        }
    }
}

const READS: [&str; 9] = ["read", "get", "list", "search", "find", "view", "stat", "show", "describe"];
const PATHS: [&str; 16] = [
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filepath",
    "dir",
    "directory",
    "folder",
    "root",
    "cwd",
    "source",
    "destination",
    "src",
    "dest",
    "dst",
];
const URLS: [&str; 7] = ["url", "urls", "uri", "href", "endpoint", "link", "webhook"];
const COMMANDS: [&str; 9] =
    ["command", "commands", "cmd", "script", "code", "shell", "argv", "exec", "program"];
const CONTENTS: [&str; 9] =
    ["content", "contents", "text", "body", "message", "data", "diff", "patch", "html"];
const PATTERNS: [&str; 6] = ["pattern", "patterns", "regex", "glob", "globs", "exclude"];

fn seems(name: &[String], tool: &[String], schema: &Value) -> Seems {
    let has = |known: &[&str]| name.iter().any(|word| known.contains(&word.as_str()));
    // Numbers and switches have no effect of their own.
    let of_type = schema.get("type").and_then(Value::as_str);
    if matches!(of_type, Some("boolean" | "integer" | "number" | "null")) {
        return Seems::Plain;
    }
    let about_databases = tool.iter().any(|word| ["sql", "query", "db", "database"].contains(&word.as_str()));
    if has(&COMMANDS) {
        Seems::Command
    } else if has(&["sql", "statement"]) || (about_databases && has(&["query"])) {
        Seems::Sql
    } else if has(&URLS) || schema.get("format").and_then(Value::as_str) == Some("uri") {
        Seems::Url
    } else if has(&PATTERNS) {
        Seems::Pattern
    } else if has(&PATHS) {
        Seems::Path
    } else if has(&CONTENTS) || matches!(of_type, Some("object")) {
        Seems::Content
    } else {
        Seems::Plain
    }
}

/// `readTextFile` and `read_text-file` are three words.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for character in name.chars() {
        let splits = !character.is_alphanumeric() || (character.is_uppercase() && was_small);
        if splits {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
        was_small = character.is_lowercase() || character.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Definition, learn, words};

    fn definition(tool: &str, properties: serde_json::Value) -> Definition {
        let value = json!({"name": tool, "inputSchema": {"type": "object", "properties": properties}});
        Definition { server: "files".into(), tool: tool.into(), value }
    }

    #[test]
    fn a_draft_takes_nothing_on_trust_and_can_be_read() {
        let draft = learn(
            "files",
            &[
                definition("read_text_file", json!({"path": {"type": "string"}, "head": {"type": "number"}})),
                definition(
                    "moveFile",
                    json!({"source": {"type": "string"}, "destination": {"type": "string"}}),
                ),
                definition("fetch", json!({"target": {"type": "string", "format": "uri"}})),
                definition("run-it", json!({"cmd": {"type": "string"}, "a b": {"type": "string"}})),
                definition(
                    "edit",
                    json!({"edits": {"type": "array", "items": {"type": "object", "properties": {"newText": {"type": "string"}, "path": {"type": "string"}}}}}),
                ),
                definition("db_query", json!({"query": {"type": "string"}})),
                definition("add", json!({"a": {"type": "number"}})),
                definition("odd \"name\"\n[x]", json!({})),
            ],
        );
        let mapping = classify::Mapping::parse(&draft).unwrap();
        assert_eq!(mapping.tools().count(), 8);
        assert!(mapping.tools().all(|tool| mapping.definition(tool).is_some()));
        let shown: String = draft
            .lines()
            .filter(|line| !line.starts_with("definition"))
            .map(|line| format!("{line}\n"))
            .collect();
        insta::assert_snapshot!(shown, @r##"
        # What the tools of `files` do, drafted from their schemas. Nobody has reviewed it.
        # Look at each line: a path that is read, written or deleted, an address, a command.

        [tools.read_text_file]
        read = ["path"]
        plain = ["head"]

        # Paths are taken to be read, written and deleted; take out what does not happen.
        [tools.moveFile]
        read = ["source", "destination"]
        write = ["source", "destination"]
        delete = ["source", "destination"]

        # Addresses are taken to be sent to; write method = "GET" where they are only fetched.
        [tools.fetch]
        url = ["target"]
        method = "POST"

        # 1 arguments could not be named here; calls with them are refused.
        [tools.run-it]
        command = ["cmd"]

        # Paths are taken to be read, written and deleted; take out what does not happen.
        [tools.edit]
        read = ["edits[].path"]
        write = ["edits[].path"]
        delete = ["edits[].path"]
        content = ["edits[].newText"]

        # Name the database as policy does.
        [tools.db_query]
        sql = { argument = "query", database = "main" }

        # Nothing was recognised, and every call is refused: say what it touches, or touches_nothing = true.
        [tools.add]
        plain = ["a"]

        # Nothing was recognised, and every call is refused: say what it touches, or touches_nothing = true.
        [tools."odd \"name\"\n[x]"]
        "##);
    }

    #[test]
    fn names_are_read_word_by_word() {
        assert_eq!(words("readTextFile"), ["read", "text", "file"]);
        assert_eq!(words("read_text-file"), ["read", "text", "file"]);
        assert_eq!(words(""), [""; 0]);
    }
}
