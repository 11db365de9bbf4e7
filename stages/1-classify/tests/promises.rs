//! What holds for any arguments at all.

mod kit;

use std::collections::BTreeSet;

use call::{Arguments, ToolCall};
use classify::classify;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Every text in a value, keys below the first level included.
fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            found.insert(text.clone());
        }
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(entries) => {
            for (key, value) in entries {
                found.insert(key.clone());
                texts(value, found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        Just(json!("SELECT * FROM t")),
        Just(json!("https://a.example/")),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-z.~/$]{0,6}", inner, 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

const NAMES: &[&str] = &[
    "path",
    "content",
    "content_base64",
    "glob",
    "pattern",
    "old",
    "new",
    "all",
    "database",
    "sql",
    "params",
    "query",
    "text",
    "tags",
    "language",
    "code",
    "argv",
    "inputs",
    "stdin",
    "network",
    "lane",
    "command",
    "url",
    "method",
    "headers",
    "body",
    "scope",
    "name",
    "use",
    "repo",
    "number",
    "branch",
    "base",
    "title",
    "changes",
    "ref",
    "anything",
    "files",
    "options",
];

const TOOLS: &[&str] = &[
    "list_files",
    "read_file",
    "search_files",
    "diff",
    "write_file",
    "edit_file",
    "delete_file",
    "query_db",
    "execute_db",
    "memory_recall",
    "memory_store",
    "status",
    "exec_sandbox",
    "exec_shell",
    "network_fetch",
    "secrets_get",
    "github_list_prs",
    "github_get_pr",
    "github_list_files",
    "github_create_pr",
    "github_add_comment",
    "other.read_text",
    "other.nested",
    "other.request",
    "other.run",
    "other.ask",
    "other.mystery",
    "other.edit",
    "other.none",
    "none",
];

fn with(call: &ToolCall, arguments: Map<String, Value>) -> ToolCall {
    ToolCall { arguments: Arguments::from(arguments), ..call.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_arguments_have_an_answer(
        tool in prop::sample::select(TOOLS),
        arguments in prop::collection::btree_map(prop::sample::select(NAMES), any_json(), 0..5),
    ) {
        let arguments: Map<String, Value> = arguments.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let call = with(&kit::call(tool, "{}"), arguments);
        let _ = classify(&call, &kit::catalogue());
    }

    #[test]
    fn no_text_of_the_arguments_is_missing_from_the_passages(
        value in any_json(),
        text in "\\PC{1,20}",
        words in prop::collection::vec("\\PC{1,8}", 1..4),
        headers in prop::collection::btree_map("[a-z][a-z.+]{0,6}", "[ -~]{0,8}", 0..4),
        params in prop::collection::btree_map("[a-z.]{1,6}", ".{0,8}", 0..4),
    ) {
        let argv: Vec<&str> = std::iter::once("ruby").chain(words.iter().map(String::as_str)).collect();
        let calls = [
            ("other.mystery", json!({"anything": value})),
            ("other.edit", json!({"path": "a", "edits": value, "dry_run": value})),
            ("other.post", json!({"text": value})),
            ("write_file", json!({"path": words.join("/"), "content": text})),
            ("memory_store", json!({"text": text, "tags": words})),
            ("exec_sandbox", json!({"language": "ruby", "argv": argv, "stdin": text})),
            ("network_fetch", json!({"url": "https://a.example/", "method": "PUT", "headers": headers, "body": text})),
            ("query_db", json!({"database": "lite", "sql": "SELECT 1", "params": params})),
            ("github_create_pr", json!({
                "repo": "o/n", "branch": "b", "base": "m", "title": "t", "body": text,
                "changes": [{"path": "a", "content": text}, {"path": "b", "content_base64": "aGk="}],
            })),
        ];
        for (tool, arguments) in calls {
            let Value::Object(arguments) = arguments else { continue };
            let mut want = BTreeSet::from([kit::PURPOSE.to_owned()]);
            let chosen = |name: &str| matches!(name, "language" | "method");
            arguments.iter().filter(|(name, _)| !chosen(name)).for_each(|(_, value)| texts(value, &mut want));
            let call = with(&kit::call(tool, "{}"), arguments);
            let Ok(classified) = classify(&call, &kit::catalogue()) else { continue };
            let got: BTreeSet<String> = classified.passages.into_iter().map(|passage| passage.text).collect();
            prop_assert!(want.is_subset(&got), "{tool}: {:?}", want.difference(&got).collect::<Vec<_>>());
        }
    }

    #[test]
    fn any_statement_has_an_answer(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40), noise in ".{0,20}") {
        let sql = format!("{} {noise}", pieces.join(" "));
        for dialect in [classify::sql::Dialect::Sqlite, classify::sql::Dialect::PostgreSql, classify::sql::Dialect::Unknown] {
            let _ = classify::sql::read(&sql, dialect);
        }
    }
}

const PIECES: &[&str] = &[
    "SELECT",
    "FROM",
    "WHERE",
    "(",
    ")",
    ",",
    "a",
    "b.c",
    "1",
    "'x'",
    "*",
    "AND",
    "OR",
    "NOT",
    "IN",
    "UNION",
    "WITH",
    "AS",
    "INSERT",
    "INTO",
    "VALUES",
    "UPDATE",
    "SET",
    "=",
    "DELETE",
    "EXPLAIN",
    "ANALYZE",
    "JOIN",
    "ON",
    "LATERAL",
    "lower(",
    "CASE",
    "WHEN",
    "END",
    "::",
    "[",
    "]",
    "--",
    "/*",
    "*/",
    ";",
    "\"q\"",
    "$1",
    "?",
    "RETURNING",
    "CONFLICT",
    "DO",
    "NOTHING",
    "TABLE",
    "OVER",
    "\n",
    "INTERVAL",
    "CAST(",
    "IS",
    "NULL",
    "LIMIT",
    "ORDER BY",
    "GROUP BY",
    "E'\\",
    "$$",
    "U&'",
    "`",
    "OPERATOR(",
    "ROWS FROM (",
];
