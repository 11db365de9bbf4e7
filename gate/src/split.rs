//! Secrets that are spread over several texts of some data: half of one on each stream of a program, a cell
//! for each part of one, a line of a private key in each row. Whoever reads the whole has it, so each part of
//! it goes; and nothing else does, because the text beside a part is no part.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use call::{Contraband, Family, Span};
use screen::KnownSecrets;
use serde_json::Value;

use crate::fence::is_chance;

/// How often texts are searched again in smaller groups. After that, all of a group goes.
const DEEPEST: usize = 16;

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
        let mut texts = Vec::new();
        collect(data, &mut texts);
        let mut split = Self::default();
        if let Some(last) = texts.len().checked_sub(1).filter(|last| *last > 0) {
            split.search(&texts, 0..=last, known, DEEPEST);
            split.keys(&texts);
        }
        split
    }

    /// Looks for known secrets in these texts, read one behind the other.
    fn search(&mut self, texts: &[&str], range: RangeInclusive<usize>, known: &KnownSecrets, left: usize) {
        let row = Row::of(texts, range, "");
        for found in known.find(&row.joined) {
            let touched = row.touched(found.span);
            let first = *touched.start();
            if first >= *touched.end() || left == 0 {
                self.mark(&row, &found, touched);
                continue;
            }
            let part = |text: usize| row.part(found.span, text)?.of(texts.get(text)?);
            let parts: Vec<&str> = touched.clone().map(|text| part(text).unwrap_or_default()).collect();
            // A part that is one by itself is found by itself. What stands beside it may be of another.
            let alone: Vec<usize> = touched
                .clone()
                .zip(&parts)
                .filter(|(_, part)| !known.find(part).is_empty())
                .map(|(text, _)| text)
                .collect();
            if !alone.is_empty() {
                let mut from = first;
                for text in alone.into_iter().chain([touched.end() + 1]) {
                    if from + 1 < text {
                        self.search(texts, from..=text - 1, known, left - 1);
                    }
                    from = text + 1;
                }
                continue;
            }
            let needed = needed(&parts, known);
            let needed = first + needed.start()..=first + needed.end();
            if needed == touched {
                self.mark(&row, &found, row.without_chance(found.span, touched));
                continue;
            }
            self.mark(&row, &found, needed.clone());
            for rest in [first..=needed.start().saturating_sub(1), needed.end() + 1..=*touched.end()] {
                if rest.end() > rest.start() {
                    self.search(texts, rest, known, left - 1);
                }
            }
        }
    }

    /// Looks for private keys of which each text is a line.
    fn keys(&mut self, texts: &[&str]) {
        let is_header = |text: &&str| text.contains("PRIVATE KEY") || text.contains("PuTTY-User-Key-File");
        let Some(first) = texts.iter().position(is_header) else { return };
        let row = Row::of(texts, first..=texts.len().saturating_sub(1), "\n");
        for found in screen::returned(&row.joined, &KnownSecrets::default()) {
            if found.family == Family::Secret && found.kind == "private_key" {
                self.mark(&row, &found, row.touched(found.span));
            }
        }
    }

    /// The parts of a finding that stand in these texts.
    fn mark(&mut self, row: &Row, found: &Contraband, texts: RangeInclusive<usize>) {
        for text in texts {
            if let Some(part) = row.part(found.span, text) {
                self.parts.entry(text).or_default().push(Contraband { span: part, ..found.clone() });
            }
        }
    }

    /// The parts in the next text, in the order in which they were looked at.
    pub(crate) fn next(&mut self) -> Vec<Contraband> {
        let number = self.next;
        self.next += 1;
        self.parts.remove(&number).unwrap_or_default()
    }
}

/// Texts one behind the other.
struct Row {
    joined: String,
    first: usize,
    /// Where each begins and ends.
    spans: Vec<Span>,
}

impl Row {
    fn of(texts: &[&str], range: RangeInclusive<usize>, between: &str) -> Self {
        let (mut joined, mut spans, first) = (String::new(), Vec::new(), *range.start());
        for text in texts.get(range).unwrap_or_default() {
            let start = joined.len();
            joined.push_str(text);
            spans.push(Span::new(start, joined.len()));
            joined.push_str(between);
        }
        Self { joined, first, spans }
    }

    /// The texts that have something of a span, by their numbers.
    fn touched(&self, span: Span) -> RangeInclusive<usize> {
        let first = self.spans.partition_point(|text| text.end <= span.start);
        let behind = self.spans.partition_point(|text| text.start < span.end);
        self.first + first..=(self.first + behind).saturating_sub(1)
    }

    /// What a text has of a span, from its own beginning.
    fn part(&self, span: Span, text: usize) -> Option<Span> {
        let own = self.spans.get(text.checked_sub(self.first)?)?;
        let (from, to) = (span.start.max(own.start), span.end.min(own.end));
        (from < to).then(|| Span::new(from - own.start, to - own.start))
    }

    /// The texts of a span but for one at either end that goes on like it by chance.
    fn without_chance(&self, span: Span, texts: RangeInclusive<usize>) -> RangeInclusive<usize> {
        let letters = |text: usize| {
            let own = self.spans.get(text.checked_sub(self.first)?)?;
            let part = Span::new(span.start.max(own.start), span.end.min(own.end)).of(&self.joined)?;
            Some(part.bytes().filter(u8::is_ascii_alphanumeric).count())
        };
        let counts: Vec<usize> = texts.clone().map(|text| letters(text).unwrap_or_default()).collect();
        let (mut first, mut last) = texts.into_inner();
        if is_chance(&counts, 0) {
            first += 1;
        }
        if is_chance(&counts, counts.len().saturating_sub(1)) {
            last = last.saturating_sub(1);
        }
        first..=last
    }
}

/// The fewest of these parts in which, read one behind the other, something is still found; all of them, where
/// even those have nothing by themselves.
fn needed(parts: &[&str], known: &KnownSecrets) -> RangeInclusive<usize> {
    let has =
        |range: RangeInclusive<usize>| !known.find(&parts.get(range).unwrap_or_default().concat()).is_empty();
    let last = parts.len().saturating_sub(1);
    if !has(0..=last) {
        return 0..=last;
    }
    let (mut without, mut with) = (0, last);
    while with - without > 1 {
        let middle = without.midpoint(with);
        if has(0..=middle) { with = middle } else { without = middle }
    }
    let end = with;
    let (mut with, mut without) = (0, end);
    while without - with > 1 {
        let middle = with.midpoint(without);
        if has(middle..=end) { with = middle } else { without = middle }
    }
    with..=end
}

fn collect<'d>(data: &'d Value, texts: &mut Vec<&'d str>) {
    match data {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
