//! JSON from outside, read strictly, with the place of everything.
//!
//! Two readers of one text must not see two different things, so whatever JSON leaves open is
//! refused: a key given twice, half of a surrogate pair, a number that no 64-bit reader keeps,
//! anything behind the value. Reads without recursion, so that nesting cannot exhaust the stack.

mod read;

pub use read::{NotJson, Reading, read};

use std::fmt;

use crate::Span;

/// A JSON value and where it stands in its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Json {
    /// What it is.
    pub node: JsonNode,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of JSON values.
#[derive(Clone, Debug, PartialEq)]
pub enum JsonNode {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(serde_json::Number),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// Keys and values, in the order of the text.
    Object(Vec<JsonEntry>),
}

/// One key of an object and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonEntry {
    /// The key.
    pub key: String,
    /// Where the key stands, with its quotes.
    pub key_span: Span,
    /// The value.
    pub value: Json,
}

impl Json {
    /// The entries, when this is an object.
    #[must_use]
    pub fn entries(&self) -> Option<&[JsonEntry]> {
        match &self.node {
            JsonNode::Object(entries) => Some(entries),
            JsonNode::Null
            | JsonNode::Bool(_)
            | JsonNode::Number(_)
            | JsonNode::Text(_)
            | JsonNode::List(_) => None,
        }
    }

    /// The same value without places, keys in order: nothing may depend on how they were written.
    #[must_use]
    pub fn into_value(self) -> serde_json::Value {
        match self.node {
            JsonNode::Null => serde_json::Value::Null,
            JsonNode::Bool(value) => value.into(),
            JsonNode::Number(number) => serde_json::Value::Number(number),
            JsonNode::Text(text) => text.into(),
            JsonNode::List(items) => items.into_iter().map(Self::into_value).collect(),
            JsonNode::Object(mut entries) => {
                // Stable, so that of a key given twice the last one still counts.
                entries.sort_by(|one, other| one.key.cmp(&other.key));
                entries.into_iter().map(|entry| (entry.key, entry.value.into_value())).collect()
            }
        }
    }

    /// What kind of value it is, for messages.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match &self.node {
            JsonNode::Null => "null",
            JsonNode::Bool(_) => "true or false",
            JsonNode::Number(_) => "a number",
            JsonNode::Text(_) => "text",
            JsonNode::List(_) => "a list",
            JsonNode::Object(_) => "an object",
        }
    }
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not JSON: {} at byte {}", self.why, self.at)
    }
}

impl std::error::Error for NotJson {}
