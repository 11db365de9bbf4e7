//! Values between JSON and the interpreter.
//!
//! Both ways are bounded in depth, and the way out in length: a value can share its parts, and written
//! out be as large as no memory.

use std::fmt::Write as _;

use monty_types::{MontyDate, MontyDateTime, MontyObject};
use num_bigint::BigInt;

use crate::outcome::{Failure, FailureKind};

/// Lists and objects inside each other. Readers of JSON seldom take more.
const MAX_DEPTH: usize = 100;

/// An input as a Python value.
pub(crate) fn from_json(value: serde_json::Value) -> MontyObject {
    match value {
        serde_json::Value::Null => MontyObject::None,
        serde_json::Value::Bool(value) => MontyObject::Bool(value),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => MontyObject::Int(value),
            (None, Some(value)) => MontyObject::BigInt(BigInt::from(value)),
            (None, None) => MontyObject::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        serde_json::Value::String(text) => MontyObject::String(text),
        serde_json::Value::Array(items) => MontyObject::List(items.into_iter().map(from_json).collect()),
        serde_json::Value::Object(entries) => MontyObject::dict(
            entries
                .into_iter()
                .map(|(key, value)| (MontyObject::String(key), from_json(value)))
                .collect::<Vec<_>>(),
        ),
    }
}

/// A value as JSON, and whether JSON has all of it.
pub(crate) fn to_json(value: &MontyObject, bound: usize) -> Result<(String, bool), Failure> {
    let mut writer = Writer { json: String::new(), bound, exact: true };
    writer.value(value, MAX_DEPTH)?;
    Ok((writer.json, writer.exact))
}

struct Writer {
    json: String,
    bound: usize,
    exact: bool,
}

impl Writer {
    fn push(&mut self, text: &str) -> Result<(), Failure> {
        if self.json.len() + text.len() > self.bound {
            let message = format!("the value is longer than {} bytes as JSON", self.bound);
            return Err(Failure::new(FailureKind::Output, message));
        }
        self.json.push_str(text);
        Ok(())
    }

    fn value(&mut self, value: &MontyObject, depth: usize) -> Result<(), Failure> {
        let Some(depth) = depth.checked_sub(1) else {
            let message = format!("the value has more than {MAX_DEPTH} levels");
            return Err(Failure::new(FailureKind::Recursion, message));
        };
        match value {
            MontyObject::None => self.push("null"),
            MontyObject::Bool(true) => self.push("true"),
            MontyObject::Bool(false) => self.push("false"),
            MontyObject::Int(number) => self.push(&number.to_string()),
            MontyObject::BigInt(number) => self.push(&number.to_string()),
            MontyObject::Float(number) if number.is_finite() => match serde_json::to_string(number) {
                Ok(text) => self.push(&text),
                Err(_) => self.text(&number.to_string()),
            },
            MontyObject::String(text) => self.quoted(text),
            MontyObject::List(items) => self.list(items, depth),
            MontyObject::Tuple(items) => self.list(items, depth),
            MontyObject::Set(items) | MontyObject::FrozenSet(items) => {
                self.exact = false;
                self.list(items, depth)
            }
            MontyObject::NamedTuple { field_names, values, .. } => {
                self.exact = false;
                let fields = field_names.iter().cloned().zip(values);
                self.object(fields, depth)
            }
            MontyObject::Dict(pairs) => {
                let keys: Vec<Option<&str>> = pairs.iter().map(|(key, _)| as_text(key)).collect();
                if keys.iter().all(Option::is_some) {
                    let entries = pairs.iter().filter_map(|(key, value)| Some((as_text(key)?, value)));
                    return self.object(entries, depth);
                }
                // Keys that are no texts could become equal as texts, so they stay values.
                self.exact = false;
                self.separated(pairs.iter(), ['[', ']'], |writer, (key, value)| {
                    writer.push("[")?;
                    writer.value(key, depth)?;
                    writer.push(",")?;
                    writer.value(value, depth)?;
                    writer.push("]")
                })
            }
            MontyObject::ClassInstance(instance) => {
                self.exact = false;
                let attribute = |name: &str| {
                    let named = instance.attrs.iter().find(|(key, _)| as_text(key) == Some(name));
                    named.and_then(|(_, value)| as_text(value))
                };
                if let Some(text) = attribute(crate::uuid::TEXT) {
                    return self.quoted(text);
                }
                let attributes =
                    instance.attrs.iter().filter_map(|(key, value)| Some((as_text(key)?, value)));
                self.object(attributes, depth)
            }
            MontyObject::Repr(text) => self.text(text),
            MontyObject::Date(date) => self.text(&iso_date(date)),
            MontyObject::DateTime(moment) => self.text(&iso_moment(moment)),
            MontyObject::Float(_)
            | MontyObject::Ellipsis
            | MontyObject::NotImplemented
            | MontyObject::Bytes(_)
            | MontyObject::Time(_)
            | MontyObject::TimeDelta(_)
            | MontyObject::TimeZone(_)
            | MontyObject::Exception { .. }
            | MontyObject::Type(_)
            | MontyObject::BuiltinFunction(_)
            | MontyObject::Path(_)
            | MontyObject::FileHandle(_)
            | MontyObject::Function { .. }
            | MontyObject::Cycle(..) => self.text(&value.to_string()),
        }
    }

    /// What is no JSON, as a text.
    fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.exact = false;
        self.quoted(text)
    }

    fn quoted(&mut self, text: &str) -> Result<(), Failure> {
        // Before it is copied and escaped, which can make it six times as long.
        if text.len() > self.bound {
            return self.push(text);
        }
        match serde_json::to_string(text) {
            Ok(quoted) => self.push(&quoted),
            Err(error) => Err(Failure::new(FailureKind::Output, error.to_string())),
        }
    }

    fn list(&mut self, items: &[MontyObject], depth: usize) -> Result<(), Failure> {
        self.separated(items.iter(), ['[', ']'], |writer, item| writer.value(item, depth))
    }

    fn object<'v, K: AsRef<str>>(
        &mut self,
        entries: impl Iterator<Item = (K, &'v MontyObject)>,
        depth: usize,
    ) -> Result<(), Failure> {
        self.separated(entries, ['{', '}'], |writer, (key, value)| {
            writer.quoted(key.as_ref())?;
            writer.push(":")?;
            writer.value(value, depth)
        })
    }

    fn separated<I>(
        &mut self,
        items: impl Iterator<Item = I>,
        [open, close]: [char; 2],
        mut write: impl FnMut(&mut Self, I) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.push(open.encode_utf8(&mut [0; 4]))?;
        for (place, item) in items.enumerate() {
            if place > 0 {
                self.push(",")?;
            }
            write(self, item)?;
        }
        self.push(close.encode_utf8(&mut [0; 4]))
    }
}

fn as_text(value: &MontyObject) -> Option<&str> {
    if let MontyObject::String(text) = value { Some(text) } else { None }
}

fn iso_date(date: &MontyDate) -> String {
    format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
}

fn iso_moment(moment: &MontyDateTime) -> String {
    let MontyDateTime { year, month, day, hour, minute, second, microsecond, offset_seconds, .. } = moment;
    let mut text = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
    if *microsecond > 0 {
        let _ = write!(text, ".{microsecond:06}");
    }
    if let Some(offset) = offset_seconds {
        let (sign, offset) = if *offset < 0 { ('-', -offset) } else { ('+', *offset) };
        let _ = write!(text, "{sign}{:02}:{:02}", offset / 3600, offset / 60 % 60);
        if offset % 60 > 0 {
            let _ = write!(text, ":{:02}", offset % 60);
        }
    }
    text
}
