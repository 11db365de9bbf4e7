//! The rows that come back, up to a number and a size.
//!
//! A row is kept whole or not at all: half a value could be half a secret.

use call::Fault;
use data_encoding::BASE64;
use serde_json::{Value, json};

/// Rows that come back at most.
pub(super) const MOST_ROWS: usize = 1_000;

/// Bytes of JSON that come back at most.
pub(super) const MOST_BYTES: usize = 1024 * 1024;

pub(super) struct Table {
    columns: Vec<String>,
    rows: Vec<Value>,
    bytes: usize,
    truncated: bool,
}

/// Whether there is room for more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    Left,
    None,
}

impl Table {
    pub(super) fn new(columns: Vec<String>) -> Self {
        Self { columns, rows: Vec::new(), bytes: 0, truncated: false }
    }

    /// Takes a row, or notes that one was left out.
    ///
    /// # Errors
    /// When the first row alone is too large, which leaves nothing to show.
    pub(super) fn take(&mut self, row: Vec<Value>) -> Result<Room, Fault> {
        let size: usize = row.iter().map(weight).sum::<usize>() + 2;
        if self.rows.is_empty() && size > MOST_BYTES {
            return Err(too_large());
        }
        if self.truncated || self.rows.len() == MOST_ROWS || self.bytes + size > MOST_BYTES {
            self.truncated = true;
            return Ok(Room::None);
        }
        self.bytes += size;
        self.rows.push(Value::Array(row));
        Ok(Room::Left)
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) const fn is_truncated(&self) -> bool {
        self.truncated
    }

    pub(super) fn into_value(self) -> Value {
        json!({ "columns": self.columns, "rows": self.rows, "truncated": self.truncated })
    }
}

pub(super) fn too_large() -> Fault {
    Fault::Failed {
        class: "result_too_large",
        message: format!("a row is larger than the {MOST_BYTES} bytes that come back at most"),
        remedy: Some("ask for fewer columns, or for a part of the long one with `substr`".to_owned()),
    }
}

/// Bytes that are no text, marked as such.
pub(super) fn blob(bytes: &[u8]) -> Value {
    json!({ "base64": BASE64.encode(bytes) })
}

/// A number that JSON has; the others are texts.
pub(super) fn float(number: f64) -> Value {
    if number.is_nan() {
        return "NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    number.into()
}

/// About what a value takes as JSON.
fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 6,
        Value::Number(_) => 12,
        Value::String(text) => text.len() + 3,
        Value::Array(items) => items.iter().map(weight).sum::<usize>() + 3,
        Value::Object(entries) => {
            entries.iter().map(|(key, value)| key.len() + 4 + weight(value)).sum::<usize>() + 3
        }
    }
}
