//! Tools, as clients are told about them.

use std::sync::Arc;

use call::Class;
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

use crate::{ToolDescription, output_schema};

/// A tool with what this door adds: `purpose`, without which there is no call, and `approval`.
pub(crate) fn tool(described: ToolDescription) -> Tool {
    let ToolDescription { name, description, schema, classes } = described;
    let output = match output_schema() {
        Value::Object(schema) => schema,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    };
    Tool::new(name, description, Arc::new(with_purpose(schema)))
        .with_raw_output_schema(Arc::new(output))
        .with_annotations(annotations(&classes))
}

fn with_purpose(schema: Value) -> Map<String, Value> {
    let mut schema = match schema {
        Value::Object(schema) => schema,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    };
    schema.insert("type".to_owned(), "object".into());
    if !schema.get("properties").is_some_and(Value::is_object) {
        schema.insert("properties".to_owned(), json!({}));
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(
            "purpose".to_owned(),
            json!({
                "type": "string",
                "minLength": 1,
                "description": "Why you make this call, in a sentence. It is put on record, and shown to whoever approves."
            }),
        );
        properties.insert(
            "approval".to_owned(),
            json!({
                "type": "string",
                "description": "Only for a call that waited for a person and was approved: its `call_id`, with the same arguments."
            }),
        );
    }
    if !schema.get("required").is_some_and(Value::is_array) {
        schema.insert("required".to_owned(), json!([]));
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| name != "purpose" && name != "approval");
        required.push("purpose".into());
    }
    schema
}

/// The truth by class. Where nobody knows, the worst is said.
fn annotations(classes: &[Class]) -> ToolAnnotations {
    let has = |class| classes.contains(&class);
    let unknown = classes.is_empty();
    let changes = unknown || has(Class::Write) || has(Class::Exec);
    let outside = unknown || has(Class::Network) || has(Class::Exec);
    // A request to another machine may change something there, and nobody can tell from here.
    let reads_only = !changes && (has(Class::Read) || !has(Class::Network));
    ToolAnnotations::new()
        .read_only(reads_only)
        .destructive(!reads_only)
        .idempotent(reads_only)
        .open_world(outside)
}

#[cfg(test)]
mod tests {
    use call::Class;

    use super::annotations;

    #[test]
    fn annotations_never_play_a_tool_down() {
        let cases: [(&[Class], bool, bool, bool); 7] = [
            // classes -> read only, destructive, open world
            (&[Class::Read], true, false, false),
            (&[Class::Write], false, true, false),
            (&[Class::Exec], false, true, true),
            (&[Class::Network], false, true, true),
            (&[Class::Read, Class::Network], true, false, true),
            (&[Class::Write, Class::Network], false, true, true),
            (&[], false, true, true),
        ];
        for (classes, read_only, destructive, open_world) in cases {
            let told = annotations(classes);
            let got = (told.read_only_hint, told.destructive_hint, told.open_world_hint);
            assert_eq!(got, (Some(read_only), Some(destructive), Some(open_world)), "{classes:?}");
        }
    }
}
