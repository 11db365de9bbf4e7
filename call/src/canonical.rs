//! Canonical JSON (RFC 8785).
//!
//! What is hashed and signed here is texts, lists and whole numbers, whose canonical form is their members in
//! order and nothing else. That is written here, because it is done several times for every call; any other
//! number is left to the crate for the whole standard.

mod direct;
mod key;

use std::cmp::Ordering;
use std::io::Write as _;

use serde::Serialize;
use serde_json::Value;

use direct::Writer;

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
    let mut bytes = Vec::with_capacity(1024);
    write(data, &mut bytes).map(|()| bytes)
}

/// Writes the canonical bytes of some data behind what is there. Nothing more is there when it has none.
pub fn write(data: &impl Serialize, bytes: &mut Vec<u8>) -> Option<()> {
    let before = bytes.len();
    if data.serialize(&mut Writer::new(bytes)).is_ok() {
        return Some(());
    }
    bytes.truncate(before);
    bytes.extend(of_value(&serde_json::to_value(data).ok()?)?);
    Some(())
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
    if is_escaped(content.as_bytes()) {
        return serde_json::to_writer(bytes, content).ok();
    }
    bytes.reserve(content.len() + 2);
    bytes.push(b'"');
    bytes.extend_from_slice(content.as_bytes());
    bytes.push(b'"');
    Some(())
}

/// Nearly all texts stand as they are, which is told for many bytes at once.
fn is_escaped(content: &[u8]) -> bool {
    let is_escaped = |byte: u8| (byte < b' ') | (byte == b'"') | (byte == b'\\');
    content.iter().fold(false, |any, &byte| any | is_escaped(byte))
}

/// Names are in the order of their UTF-16 units.
fn utf16_order(one: &str, other: &str) -> Ordering {
    one.encode_utf16().cmp(other.encode_utf16())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Serialize;
    use serde_json::{Map, Value};

    use super::{of, of_value};

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

    /// Every kind of data that `serde` knows.
    #[derive(Serialize)]
    enum Kind {
        Unit,
        New(String),
        Pair(bool, u8),
        Named { z: Option<u32>, a: char, ab: () },
    }

    #[derive(Serialize)]
    struct Whole(u64);

    #[derive(Serialize)]
    struct Empty;

    #[derive(Serialize)]
    #[serde(tag = "zebra", rename_all = "snake_case")]
    enum Tagged {
        Inner { b: i64, a: Box<Self> },
        Leaf,
    }

    #[derive(Serialize)]
    struct Everything<'e> {
        kinds: &'e [Kind],
        whole: Whole,
        tagged: Tagged,
        empty: (Empty, [u8; 0]),
        by_number: std::collections::BTreeMap<i32, bool>,
        by_text: std::collections::HashMap<String, f64>,
        #[serde(flatten)]
        flat: std::collections::BTreeMap<String, u64>,
    }

    proptest! {
        #[test]
        fn data_is_written_as_the_values_that_it_is(
            text: String,
            whole: u64,
            sign in -2..3_i64,
            keys in proptest::collection::vec("[a-c_\"\u{e000}\u{10000}]{0,2}", 0..4),
            float in prop_oneof![Just(1.0), any::<f64>()],
            numbers: Vec<i32>,
        ) {
            let named = Kind::Named { z: Some(whole as u32), a: 'é', ab: () };
            let kinds = [Kind::Unit, Kind::New(text), Kind::Pair(true, 7), named];
            let all = Everything {
                kinds: &kinds,
                whole: Whole(whole >> 11),
                tagged: Tagged::Inner { b: sign, a: Box::new(Tagged::Leaf) },
                empty: (Empty, []),
                by_number: numbers.into_iter().map(|number| (number, number > 0)).collect(),
                by_text: keys.iter().map(|key| (key.clone(), float)).collect(),
                flat: keys.into_iter().map(|key| (key, whole)).collect(),
            };
            let standard = |data: &Value| serde_json_canonicalizer::to_vec(data).ok();
            prop_assert_eq!(of(&all), standard(&serde_json::to_value(&all).unwrap()));
            let (mut behind, kinds) = (b"[".to_vec(), standard(&serde_json::to_value(all.kinds).unwrap()));
            super::write(&all.kinds, &mut behind).unwrap();
            prop_assert_eq!(behind.get(1..), kinds.as_deref());
            prop_assert_eq!(of(&all.flat), standard(&serde_json::to_value(&all.flat).unwrap()));
            prop_assert_eq!(of(&all.tagged), standard(&serde_json::to_value(&all.tagged).unwrap()));
        }

        #[test]
        fn what_is_written_here_is_what_the_standard_says(
            fields in proptest::collection::vec((any::<String>(), any_value()), 0..6),
        ) {
            let fields: Map<String, Value> = fields.into_iter().collect();
            let standard = serde_json_canonicalizer::to_vec(&fields).ok();
            prop_assert_eq!(&of(&fields), &standard);
            prop_assert_eq!(&of_value(&Value::Object(fields)), &standard);
        }
    }
}
