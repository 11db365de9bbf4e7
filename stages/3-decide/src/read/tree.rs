//! TOML and JSON as one kind of tree, so that both are read by the same code.

use call::Span;
use call::json::{self, Json, JsonEntry, JsonNode, Reading};
use toml_edit::{Document, Item, TableLike, Value};

use crate::finding::Notes;
use crate::rules;

/// Bytes of one file that are read.
const LARGEST: usize = 8 * 1024 * 1024;

/// The text of a file.
pub(crate) fn text_of<'b>(bytes: &'b [u8], notes: &mut Notes<'_>) -> Option<&'b str> {
    if bytes.len() > LARGEST {
        notes.add(&rules::POLICY_TOO_LARGE, Span::at(0), "the file is larger than 8 MiB", "");
        return None;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) => {
            let at = Span::at(error.valid_up_to());
            notes.add(&rules::POLICY_TOO_LARGE, at, "the file is not UTF-8 text", "save it as UTF-8");
            None
        }
    }
}

/// Reads JSON.
pub(crate) fn json_tree(text: &str, notes: &mut Notes<'_>) -> Option<Json> {
    match json::read(text, 0, Reading::Strict) {
        Ok(tree) => Some(tree),
        Err(error) => {
            notes.add(&rules::POLICY_SYNTAX, Span::at(error.at), format!("not JSON: {}", error.why), "");
            None
        }
    }
}

/// Reads TOML.
pub(crate) fn toml_tree(text: &str, notes: &mut Notes<'_>) -> Option<Json> {
    match Document::parse(text) {
        Ok(document) => {
            let entries = entries(document.as_table(), notes);
            Some(Json { node: JsonNode::Object(entries), span: Span::new(0, text.len()) })
        }
        Err(error) => {
            let span = error.span().map_or(Span::at(0), |span| Span::new(span.start, span.end));
            let why = error.message().lines().next().unwrap_or("it cannot be parsed").to_owned();
            notes.add(&rules::POLICY_SYNTAX, span, format!("not TOML: {why}"), "");
            None
        }
    }
}

fn entries(table: &dyn TableLike, notes: &mut Notes<'_>) -> Vec<JsonEntry> {
    let keys = table.iter().filter_map(|(key, _)| table.get_key_value(key));
    keys.map(|(key, item)| {
        let key_span = key.span().map_or(Span::at(0), |span| Span::new(span.start, span.end));
        let mut value = tree_of(item, notes);
        if value.span == Span::at(0) {
            value.span = key_span;
        }
        JsonEntry { key: key.get().to_owned(), key_span, value }
    })
    .collect()
}

fn tree_of(item: &Item, notes: &mut Notes<'_>) -> Json {
    let span = item.span().map_or(Span::at(0), |span| Span::new(span.start, span.end));
    let node = match item {
        Item::None => JsonNode::Null,
        Item::Value(value) => return value_of(value, notes),
        Item::Table(table) => JsonNode::Object(entries(table, notes)),
        Item::ArrayOfTables(tables) => JsonNode::List(
            tables.iter().map(|table| Json { node: JsonNode::Object(entries(table, notes)), span }).collect(),
        ),
    };
    Json { node, span }
}

fn value_of(value: &Value, notes: &mut Notes<'_>) -> Json {
    let span = value.span().map_or(Span::at(0), |span| Span::new(span.start, span.end));
    let node = match value {
        Value::String(text) => JsonNode::Text(text.value().clone()),
        Value::Integer(number) => JsonNode::Number((*number.value()).into()),
        Value::Float(number) => match serde_json::Number::from_f64(*number.value()) {
            Some(number) => JsonNode::Number(number),
            None => JsonNode::Null,
        },
        Value::Boolean(flag) => JsonNode::Bool(*flag.value()),
        Value::Datetime(_) => {
            notes.add(&rules::WRONG_TYPE, span, "a date or time is not expected anywhere", "");
            JsonNode::Null
        }
        Value::Array(items) => JsonNode::List(items.iter().map(|item| value_of(item, notes)).collect()),
        Value::InlineTable(table) => JsonNode::Object(entries(table, notes)),
    };
    Json { node, span }
}
