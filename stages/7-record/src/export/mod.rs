//! The ledger in forms that others read.
//!
//! Entries go in and bytes come out; where they go is not known here. [`jsonl`] is for readers of event
//! lines, [`otlp`] for collectors of telemetry, [`tiles`] for auditors: only the last one is the log itself,
//! byte for byte, and can be checked without trusting whoever made it.

pub mod jsonl;
pub mod otlp;
pub mod tiles;

use std::collections::BTreeMap;

use call::{Moment, Sha256};
use serde_json::Value;

use crate::Entry;

/// An entry as data, with its time understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    place: u64,
    at: Moment,
    /// All fields but the time and the name of the event.
    fields: BTreeMap<String, Value>,
    event: String,
}

/// An entry is not an event: it was not written by a gate, or was changed since.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("entry {0} is not an event")]
pub struct NotEvent(
    /// Its place.
    pub u64,
);

impl Record {
    /// Reads an entry.
    ///
    /// # Errors
    /// When it is not an event.
    pub fn of(entry: &Entry) -> Result<Self, NotEvent> {
        let not_event = NotEvent(entry.place);
        let mut fields: BTreeMap<String, Value> =
            serde_json::from_slice(&entry.leaf).map_err(|_| not_event)?;
        let mut text = |name: &str| match fields.remove(name) {
            Some(Value::String(text)) => Ok(text),
            Some(_) | None => Err(not_event),
        };
        let (at, event) = (text("at")?, text("event")?);
        Ok(Self { place: entry.place, at: at.parse().map_err(|_| not_event)?, fields, event })
    }

    /// When it was written.
    #[must_use]
    pub const fn at(&self) -> Moment {
        self.at
    }

    /// The digest of the content beside the log that some of its fields were moved to.
    #[must_use]
    pub fn moved(&self) -> Option<Sha256> {
        self.text(MOVED)?.parse().ok()
    }

    /// The same with the fields that were moved to this content. Other content changes nothing.
    #[must_use]
    pub fn restored(mut self, content: &[u8]) -> Self {
        if self.moved() == Some(Sha256::of(content))
            && let Ok(moved) = serde_json::from_slice::<BTreeMap<String, Value>>(content)
        {
            self.fields.remove(MOVED);
            self.fields.extend(moved);
        }
        self
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.fields.get(name)?.as_str()
    }

    /// Is this the end of a call?
    fn is_terminal(&self) -> bool {
        matches!(self.event.as_str(), "refused" | "outcome")
    }

    /// The fields by the names that they have outside of the ledger.
    fn named(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.fields.iter().map(|(name, value)| (outside(name), value))
    }
}

/// What a field of the ledger is called by its readers.
fn outside(name: &str) -> &str {
    match name {
        "call" => "call_id",
        "session" => "session_id",
        other => other,
    }
}

/// The field with the digest of content that others were moved to.
const MOVED: &str = "moved";

#[cfg(test)]
mod tests {
    use call::Sha256;

    use super::{NotEvent, Record};
    use crate::Entry;

    #[test]
    fn only_events_are_read() {
        let cases = [
            (r#"{"at":"2026-11-15T19:29:00.817437Z","event":"gate_started"}"#, true),
            (r#"{"at":"2026-11-15T19:29:00.817437Z"}"#, false),
            (r#"{"at":"yesterday","event":"gate_started"}"#, false),
            (r#"{"at":1,"event":"gate_started"}"#, false),
            ("[]", false),
            ("", false),
        ];
        for (leaf, want) in cases {
            let read = Record::of(&Entry { place: 7, leaf: leaf.into() });
            assert_eq!(read.map(|_| ()), if want { Ok(()) } else { Err(NotEvent(7)) }, "{leaf}");
        }
    }

    #[test]
    fn fields_that_were_moved_come_back_from_their_content_only() {
        let content = br#"{"reasons":["long"]}"#;
        let leaf =
            format!(r#"{{"at":"2026-11-15T19:29:00Z","event":"outcome","moved":"{}"}}"#, Sha256::of(content));
        let record = Record::of(&Entry { place: 0, leaf: leaf.into() }).unwrap();
        assert_eq!(record.moved(), Some(Sha256::of(content)));
        let restored = record.clone().restored(content);
        assert_eq!(restored.fields.keys().collect::<Vec<_>>(), ["reasons"]);
        assert_eq!(record.clone().restored(br#"{"reasons":["other"]}"#), record);
    }
}
