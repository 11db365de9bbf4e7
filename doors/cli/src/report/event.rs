//! What an entry says, cut to what a report can hold.

use call::Moment;
use record::Entry;
use serde_json::{Map, Value};

use super::escape::cut;

/// Characters of a name, and of a text, that a report shows.
const LONGEST_NAME: usize = 128;
const LONGEST_TEXT: usize = 200;

/// Reasons or flags of one call that a report shows.
const MOST_WORDS: usize = 64;

/// Finds content that was moved out of an entry, by its digest.
pub(crate) type Kept<'k> = dyn FnMut(&str) -> Option<Map<String, Value>> + 'k;

/// The fields of one event.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    /// Those of an entry, with what was moved out of it put back as far as it is still kept.
    pub(super) fn of(entry: &Entry, kept: &mut Kept<'_>) -> Self {
        let mut fields = match entry.value() {
            Some(Value::Object(fields)) => fields,
            Some(_) | None => Map::new(),
        };
        if let Some(moved) = fields.get("moved").and_then(Value::as_str).and_then(kept) {
            for (name, value) in moved {
                // What the entry itself says stands.
                fields.entry(name).or_insert(value);
            }
        }
        Self(fields)
    }

    pub(super) fn text(&self, name: &str) -> &str {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// A name, when there is one.
    pub(super) fn name(&self, name: &str) -> Option<String> {
        Some(self.text(name)).filter(|text| !text.is_empty()).map(|text| cut(text, LONGEST_NAME).into_owned())
    }

    /// A text that may be long.
    pub(super) fn said(&self, name: &str) -> String {
        cut(self.text(name), LONGEST_TEXT).into_owned()
    }

    pub(super) fn number(&self, name: &str) -> u64 {
        self.0.get(name).and_then(Value::as_u64).unwrap_or_default()
    }

    pub(super) fn list(&self, name: &str) -> impl Iterator<Item = &Value> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten()
    }

    /// The risk flags.
    pub(super) fn flags(&self) -> Vec<String> {
        words(self.list("risk_flags").filter_map(Value::as_str))
    }

    /// The reasons, each in one word. A call that failed for none of policy's has a class of errors.
    pub(super) fn reasons(&self) -> Vec<String> {
        let codes = self.list("reasons").filter_map(|reason| reason.get("code")?.as_str());
        let reasons = words(codes);
        if reasons.is_empty() { self.name("error_class").into_iter().collect() } else { reasons }
    }
}

fn words<'w>(words: impl Iterator<Item = &'w str>) -> Vec<String> {
    words.take(MOST_WORDS).map(|word| cut(word, LONGEST_NAME).into_owned()).collect()
}

/// A call, in one line of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallLine {
    pub(super) at: String,
    pub(super) call: String,
    pub(super) agent: String,
    pub(super) tool: String,
    pub(super) purpose: String,
    pub(super) status: String,
    pub(super) error_class: String,
    pub(super) decision: String,
    pub(super) reasons: Vec<String>,
    pub(super) flags: Vec<String>,
    pub(super) elapsed_ms: u64,
}

impl CallLine {
    /// The end of a call.
    pub(super) fn ended(fields: &Fields, at: Moment) -> Self {
        Self {
            at: clock(at),
            call: fields.name("call").unwrap_or_default(),
            agent: fields.name("agent").unwrap_or_default(),
            tool: fields.name("tool").unwrap_or_default(),
            purpose: fields.said("purpose"),
            status: fields.name("result_status").unwrap_or_default(),
            error_class: fields.name("error_class").unwrap_or_default(),
            decision: fields.name("decision").unwrap_or_default(),
            reasons: fields.reasons(),
            flags: fields.flags(),
            elapsed_ms: fields.number("elapsed_ms"),
        }
    }

    /// A call that is still open, of all entries about it; nothing when it is not.
    pub(crate) fn open(entries: &[Entry]) -> Option<Self> {
        let mut line = None;
        for entry in entries {
            let header = entry.header()?;
            let fields = Fields::of(entry, &mut |_| None);
            match (&*header.event, &mut line) {
                ("refused" | "outcome", _) => return None,
                ("asked", None) => line = Some(Self::ended(&fields, header.at.parse().ok()?)),
                ("ruled", Some(line)) => {
                    line.decision = fields.name("verdict").unwrap_or_default();
                    line.reasons = fields.reasons();
                    line.flags = fields.flags();
                }
                _ => {}
            }
        }
        line
    }
}

/// A moment as reports show it, in whole seconds.
pub(super) fn clock(at: Moment) -> String {
    let text = at.microseconds_text();
    text.get(..19).unwrap_or_default().replace('T', " ")
}
