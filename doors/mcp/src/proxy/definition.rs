//! What a server says about one of its tools, whole, and the digest by which a person's review is bound to
//! it.

use call::Sha256;
use rmcp::model::Tool;
use serde_json::Value;

/// What a server says about one of its tools.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The server.
    pub server: String,
    /// The tool, as the server names it.
    pub tool: String,
    /// All that it says: description, schemas, annotations, titles, icons, metadata.
    pub value: Value,
}

/// Bytes that a definition may have.
const LONGEST: usize = 64 << 10;

impl Definition {
    pub(crate) fn new(server: &str, tool: &Tool) -> Self {
        let value = serde_json::to_value(tool).unwrap_or_default();
        Self { server: server.to_owned(), tool: tool.name.to_string(), value }
    }

    /// The name that agents know it by.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.server, self.tool)
    }

    /// The digest of it: canonical JSON, SHA-256. Any other word is another digest.
    #[must_use]
    pub fn digest(&self) -> Sha256 {
        let canonical = serde_json_canonicalizer::to_vec(&self.value).unwrap_or_default();
        Sha256::of(&canonical)
    }

    pub(crate) fn text(&self, key: &str) -> &str {
        self.value.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether there is more of it than anybody would read.
    pub(crate) fn is_too_long(&self) -> bool {
        self.value.to_string().len() > LONGEST
    }

    /// Every word of it, names of arguments, choices and defaults included.
    pub(crate) fn words(&self) -> Vec<&str> {
        let mut words = Vec::new();
        let mut left = vec![&self.value];
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) => words.push(text.as_str()),
                Value::Array(items) => left.extend(items),
                Value::Object(entries) => {
                    words.extend(entries.keys().map(String::as_str));
                    left.extend(entries.values());
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Definition;

    fn definition(value: serde_json::Value) -> Definition {
        Definition { server: "files".into(), tool: "read".into(), value }
    }

    #[test]
    fn any_other_word_is_another_digest_and_order_is_none() {
        let one = definition(json!({"name": "read", "inputSchema": {"type": "object", "default": 1}}));
        let same = definition(
            serde_json::from_str(r#"{"inputSchema":{"default":1,"type":"object"},"name":"read"}"#).unwrap(),
        );
        assert_eq!(one.digest(), same.digest());
        for other in [
            json!({"name": "read", "inputSchema": {"type": "object", "default": 2}}),
            json!({"name": "read", "inputSchema": {"type": "object", "default": 1}, "annotations": {"readOnlyHint": true}}),
            json!({"name": "read", "inputSchema": {"type": "object", "default": 1}, "_meta": {"x": 1}}),
        ] {
            assert_ne!(one.digest(), definition(other).digest());
        }
    }

    #[test]
    fn no_word_of_a_definition_is_left_out() {
        let all = definition(json!({"a": ["b", {"c": "d"}], "e": {"f": {"enum": ["g"]}}}));
        let mut words = all.words();
        words.sort_unstable();
        assert_eq!(words, ["a", "b", "c", "d", "e", "enum", "f", "g"]);
    }
}
