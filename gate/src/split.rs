//! Secrets that are spread over several texts of some data: half of one on each stream of a program, a cell
//! for each part of one. Whoever reads the whole has it, so each part of it goes.

use std::collections::BTreeMap;

use call::{Contraband, Span};
use screen::KnownSecrets;
use serde_json::Value;

/// The parts of such secrets, by the number of the text that they stand in.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Split {
    parts: BTreeMap<usize, Vec<Contraband>>,
    next: usize,
}

impl Split {
    /// Of data whose texts follow each other as they are written. What stands in one text alone may be a part
    /// too, of something that goes on further away.
    pub(crate) fn of(data: &Value, known: &KnownSecrets) -> Self {
        let (mut joined, mut ends) = (String::new(), Vec::new());
        join(data, &mut joined, &mut ends);
        let mut split = Self::default();
        if ends.len() < 2 {
            return split;
        }
        for found in known.find(&joined) {
            let first = ends.partition_point(|&end| end <= found.span.start);
            let last = ends.partition_point(|&end| end < found.span.end);
            let start_of = |text: usize| text.checked_sub(1).and_then(|before| ends.get(before)).copied();
            for text in first..=last {
                let start = start_of(text).unwrap_or_default();
                let end = ends.get(text).copied().unwrap_or(start);
                let (from, to) = (found.span.start.max(start), found.span.end.min(end));
                if from < to {
                    let part = Contraband { span: Span::new(from - start, to - start), ..found.clone() };
                    split.parts.entry(text).or_default().push(part);
                }
            }
        }
        split
    }

    /// The parts in the next text, in the order in which they were looked at.
    pub(crate) fn next(&mut self) -> Vec<Contraband> {
        let number = self.next;
        self.next += 1;
        self.parts.remove(&number).unwrap_or_default()
    }
}

fn join(data: &Value, joined: &mut String, ends: &mut Vec<usize>) {
    match data {
        Value::String(text) => {
            joined.push_str(text);
            ends.push(joined.len());
        }
        Value::Array(items) => items.iter().for_each(|item| join(item, joined, ends)),
        Value::Object(fields) => fields.values().for_each(|value| join(value, joined, ends)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
