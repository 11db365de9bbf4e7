//! Canonical JSON (RFC 8785).
//!
//! What is hashed and signed here is texts, lists and whole numbers, whose canonical form is their members in
//! order and nothing else. That is written here, because it is done several times for every call; any other
//! number is left to the crate for the whole standard.

use std::cmp::Ordering;
use std::io::Write as _;

use serde::Serialize;
use serde_json::{Map, Value};

/// Whole numbers up to here are written with all their digits.
const LARGEST_WHOLE: u64 = 1 << 53;

/// The canonical bytes of some data; nothing when it has none, because it has keys that are no texts. A float
/// that is no number is written as `null`, as `serde_json` has it.
///
/// ```
/// let data = serde_json::json!({ "b": [1, "x\n"], "a": null });
/// assert_eq!(call::canonical::of(&data).unwrap(), br#"{"a":null,"b":[1,"x\n"]}"#);
/// ```
#[must_use]
pub fn of(data: &impl Serialize) -> Option<Vec<u8>> {
    of_value(&serde_json::to_value(data).ok()?)
}

/// The same of data that is at hand.
#[must_use]
pub fn of_value(data: &Value) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(1024);
    match value(data, &mut bytes) {
        Some(()) => Some(bytes),
        None => serde_json_canonicalizer::to_vec(data).ok(),
    }
}

/// The canonical bytes of an object with these members, each name once.
#[must_use]
pub fn of_members(mut members: Vec<(&str, &Value)>) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(1024);
    match object(&mut members, &mut bytes) {
        Some(()) => Some(bytes),
        None => {
            let fields: Map<String, Value> =
                members.into_iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
            serde_json_canonicalizer::to_vec(&fields).ok()
        }
    }
}

fn object(members: &mut [(&str, &Value)], bytes: &mut Vec<u8>) -> Option<()> {
    // In ASCII the order is that of the bytes; members mostly come in it.
    if members.iter().all(|(name, _)| name.is_ascii()) {
        if !members.is_sorted_by_key(|(name, _)| *name) {
            members.sort_unstable_by_key(|(name, _)| *name);
        }
    } else {
        members.sort_unstable_by(|(one, _), (other, _)| utf16_order(one, other));
    }
    bytes.push(b'{');
    for (place, &mut (name, member)) in members.iter_mut().enumerate() {
        if place > 0 {
            bytes.push(b',');
        }
        text(name, bytes)?;
        bytes.push(b':');
        value(member, bytes)?;
    }
    bytes.push(b'}');
    Some(())
}

fn value(any: &Value, bytes: &mut Vec<u8>) -> Option<()> {
    match any {
        Value::Null => bytes.extend_from_slice(b"null"),
        Value::Bool(true) => bytes.extend_from_slice(b"true"),
        Value::Bool(false) => bytes.extend_from_slice(b"false"),
        Value::Number(number) => {
            let whole = number.as_u64().filter(|&whole| whole <= LARGEST_WHOLE)?;
            write!(bytes, "{whole}").ok()?;
        }
        Value::String(content) => text(content, bytes)?,
        Value::Array(items) => {
            bytes.push(b'[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    bytes.push(b',');
                }
                value(item, bytes)?;
            }
            bytes.push(b']');
        }
        Value::Object(fields) => {
            let mut members: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value)).collect();
            object(&mut members, bytes)?;
        }
    }
    Some(())
}

/// The standard's escapes are those that `serde_json` writes.
fn text(content: &str, bytes: &mut Vec<u8>) -> Option<()> {
    let is_escaped = |byte: u8| (byte < b' ') | (byte == b'"') | (byte == b'\\');
    // Nearly all texts stand as they are, which is told for many bytes at once.
    if content.as_bytes().iter().fold(false, |any, &byte| any | is_escaped(byte)) {
        return serde_json::to_writer(bytes, content).ok();
    }
    bytes.reserve(content.len() + 2);
    bytes.push(b'"');
    bytes.extend_from_slice(content.as_bytes());
    bytes.push(b'"');
    Some(())
}

/// Names are in the order of their UTF-16 units.
fn utf16_order(one: &str, other: &str) -> Ordering {
    one.encode_utf16().cmp(other.encode_utf16())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value};

    use super::{of, of_members, of_value};

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            (0..9_u64).prop_map(|more| Value::from((1_u64 << 53) - 4 + more)),
            any::<i64>().prop_map(Value::from),
            (-5..5_i64).prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            "[\\x00-\\x20\"\\\\/\u{7f}\u{2028}]{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            let names = prop_oneof![any::<String>(), "[a-zA-Z_\u{e000}\u{ffff}\u{10000}\u{10ffff}]{0,3}"];
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::vec((names, inner), 0..6)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_here_is_what_the_standard_says(
            fields in proptest::collection::vec((any::<String>(), any_value()), 0..6),
        ) {
            let fields: Map<String, Value> = fields.into_iter().collect();
            let members = fields.iter().map(|(name, value)| (name.as_str(), value)).collect();
            let standard = serde_json_canonicalizer::to_vec(&fields).ok();
            prop_assert_eq!(&of_members(members), &standard);
            prop_assert_eq!(&of(&fields), &standard);
            prop_assert_eq!(&of_value(&Value::Object(fields)), &standard);
        }
    }
}
