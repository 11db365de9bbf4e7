//! The canonical digest of a document.
//!
//! It covers every key and value of the front matter and every character of the body, and nothing
//! that a harmless tool may change on the way: order and quoting of the front matter, comments in
//! it, line endings, a byte order mark. The two fields of the approval are left out, so that a
//! draft and the same draft approved have one digest: it names what was approved.

use std::collections::BTreeMap;

use call::Sha256;
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

use crate::front::Split;
use crate::yaml::{Map, Node, Value};

/// Filled in when a person approves, and therefore not part of what is approved.
const APPROVAL_KEYS: [&str; 2] = ["approved_by", "approved_utc"];

/// SHA-256 over the RFC 8785 form of `{"body", "front_matter"}`.
pub(crate) fn digest(split: Split<'_>, map: &Map<'_>) -> Option<Sha256> {
    #[derive(Serialize)]
    struct Canonical<'a> {
        body: String,
        front_matter: BTreeMap<&'a str, &'a Value<'a>>,
    }
    let kept = map.entries.iter().filter(|entry| !APPROVAL_KEYS.contains(&&*entry.key));
    let canonical = Canonical {
        body: split.body.text.replace("\r\n", "\n").replace('\r', "\n"),
        front_matter: kept.map(|entry| (&*entry.key, &entry.value)).collect(),
    };
    let bytes = serde_json_canonicalizer::to_vec(&canonical).ok()?;
    Some(Sha256::of(&bytes))
}

impl Serialize for Value<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.node {
            Node::Scalar { .. } if self.is_null() => serializer.serialize_unit(),
            Node::Scalar { text, .. } => serializer.serialize_str(text),
            Node::List(values) => {
                let mut list = serializer.serialize_seq(Some(values.len()))?;
                for value in values {
                    list.serialize_element(value)?;
                }
                list.end()
            }
            Node::Map(map) => {
                let mut out = serializer.serialize_map(Some(map.entries.len()))?;
                for entry in &map.entries {
                    out.serialize_entry(&entry.key, &entry.value)?;
                }
                out.end()
            }
            Node::Refused => serializer.serialize_unit(),
        }
    }
}
