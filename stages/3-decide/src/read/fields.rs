//! The keys of one table, each asked for by its type. What nobody asked for is unknown.

use std::ops::RangeInclusive;

use call::json::{Json, JsonEntry, JsonNode};
use call::{Rule, Span};

use crate::finding::Notes;
use crate::rules;

/// A table while it is being read.
pub(crate) struct Fields<'t, 'n, 'f> {
    /// Its name with a dot behind it; empty at the top.
    prefix: String,
    entries: &'t [JsonEntry],
    span: Span,
    asked: Vec<&'static str>,
    pub(crate) notes: &'n mut Notes<'f>,
}

impl<'t, 'n, 'f> Fields<'t, 'n, 'f> {
    /// Reads `tree`, which must be a table.
    pub(crate) fn of(tree: &'t Json, prefix: &str, notes: &'n mut Notes<'f>) -> Self {
        if tree.entries().is_none() {
            let message = format!("expected an object, found {}", tree.kind());
            notes.add(&rules::WRONG_TYPE, tree.span, message, "");
        }
        let entries = tree.entries().unwrap_or_default();
        Self { prefix: prefix.to_owned(), entries, span: tree.span, asked: Vec::new(), notes }
    }

    /// The value of a key.
    pub(crate) fn get(&mut self, key: &'static str) -> Option<&'t JsonEntry> {
        self.asked.push(key);
        self.entries.iter().find(|entry| entry.key == key)
    }

    /// The value of a key that must be there.
    pub(crate) fn required(&mut self, key: &'static str) -> Option<&'t JsonEntry> {
        let found = self.get(key);
        if found.is_none() {
            let message = format!("`{}{key}` is missing", self.prefix);
            self.notes.add(&rules::MISSING_KEY, Span::at(self.span.start), message, "");
        }
        found
    }

    /// `true` or `false`.
    pub(crate) fn flag(&mut self, key: &'static str) -> Option<bool> {
        let entry = self.get(key)?;
        self.flag_of(entry)
    }

    pub(crate) fn flag_of(&mut self, entry: &JsonEntry) -> Option<bool> {
        match entry.value.node {
            JsonNode::Bool(flag) => Some(flag),
            JsonNode::Null
            | JsonNode::Number(_)
            | JsonNode::Text(_)
            | JsonNode::List(_)
            | JsonNode::Object(_) => self.wrong(entry, "`true` or `false`"),
        }
    }

    /// A whole number in a range.
    pub(crate) fn number(&mut self, key: &'static str, range: RangeInclusive<u64>) -> Option<u64> {
        let entry = self.get(key)?;
        self.number_of(entry, range)
    }

    pub(crate) fn number_of(&mut self, entry: &JsonEntry, range: RangeInclusive<u64>) -> Option<u64> {
        let number = match &entry.value.node {
            JsonNode::Number(number) => number,
            JsonNode::Null
            | JsonNode::Bool(_)
            | JsonNode::Text(_)
            | JsonNode::List(_)
            | JsonNode::Object(_) => return self.wrong(entry, "a whole number"),
        };
        match number.as_u64().filter(|number| range.contains(number)) {
            Some(number) => Some(number),
            None => {
                let end = if *range.end() == u64::MAX { "more".to_owned() } else { range.end().to_string() };
                let message = format!(
                    "`{}{}` is {number}, expected {} to {end}",
                    self.prefix,
                    entry.key,
                    range.start()
                );
                self.notes.add(&rules::OUT_OF_RANGE, entry.value.span, message, "");
                None
            }
        }
    }

    /// A text.
    pub(crate) fn text(&mut self, key: &'static str) -> Option<&'t str> {
        let entry = self.get(key)?;
        self.text_of(entry)
    }

    pub(crate) fn text_of(&mut self, entry: &'t JsonEntry) -> Option<&'t str> {
        match &entry.value.node {
            JsonNode::Text(text) => Some(text),
            JsonNode::Null
            | JsonNode::Bool(_)
            | JsonNode::Number(_)
            | JsonNode::List(_)
            | JsonNode::Object(_) => self.wrong(entry, "text"),
        }
    }

    /// One of some words.
    pub(crate) fn choice<T: Copy>(&mut self, key: &'static str, choices: &[(&str, T)]) -> Option<T> {
        let entry = self.get(key)?;
        let text = self.text_of(entry)?;
        let found = choices.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let words: Vec<String> = choices.iter().map(|(word, _)| format!("`{word}`")).collect();
            let message = format!("`{}{key}` is `{text}`, expected {}", self.prefix, words.join(", "));
            self.notes.add(&rules::OUT_OF_RANGE, entry.value.span, message, "");
        }
        found
    }

    /// A list of texts, each with its place.
    pub(crate) fn texts(&mut self, key: &'static str) -> Option<Vec<(&'t str, Span)>> {
        let entry = self.get(key)?;
        self.texts_of(entry)
    }

    pub(crate) fn texts_of(&mut self, entry: &'t JsonEntry) -> Option<Vec<(&'t str, Span)>> {
        let JsonNode::List(items) = &entry.value.node else {
            return self.wrong(entry, "a list of texts");
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items {
            let JsonNode::Text(text) = &item.node else {
                let message =
                    format!("`{}{}` holds {}, expected only texts", self.prefix, entry.key, item.kind());
                self.notes.add(&rules::WRONG_TYPE, item.span, message, "");
                continue;
            };
            if texts.iter().any(|(other, _)| *other == text.as_str()) {
                let message = format!("`{text}` stands twice in `{}{}`", self.prefix, entry.key);
                self.notes.add(&rules::REPEATED_ENTRY, item.span, message, "remove one of them");
            }
            texts.push((text.as_str(), item.span));
        }
        Some(texts)
    }

    /// A table within this one.
    pub(crate) fn table<R>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut Fields<'t, '_, 'f>) -> R,
    ) -> Option<R> {
        let entry = self.get(key)?;
        let mut inside = Fields::of(&entry.value, &format!("{}{key}.", self.prefix), self.notes);
        Some(read(&mut inside))
    }

    /// Every entry of this table, for tables whose keys are names.
    pub(crate) const fn entries(&self) -> &'t [JsonEntry] {
        self.entries
    }

    /// Notes every key that nobody asked for.
    pub(crate) fn finish(&mut self, rule: &'static Rule) {
        for entry in self.entries.iter().filter(|entry| !self.asked.contains(&entry.key.as_str())) {
            let message = format!("there is no key `{}{}`", self.prefix, entry.key);
            let hint = nearest(&entry.key, &self.asked)
                .map_or_else(|| "remove it".to_owned(), |near| format!("did you mean `{near}`?"));
            self.notes.add(rule, entry.key_span, message, &hint);
        }
    }

    fn wrong<T>(&mut self, entry: &JsonEntry, expected: &str) -> Option<T> {
        let message =
            format!("`{}{}` is {}, expected {expected}", self.prefix, entry.key, entry.value.kind());
        self.notes.add(&rules::WRONG_TYPE, entry.value.span, message, "");
        None
    }
}

/// The word that differs least, when it differs little.
pub(crate) fn nearest<'w>(word: &str, among: &[&'w str]) -> Option<&'w str> {
    let distances = among.iter().map(|other| (distance(word, other), *other));
    distances.min().filter(|(distance, _)| *distance <= 2).map(|(_, other)| other)
}

/// How many letters must change. Words here are short.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(40).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().take(40).enumerate() {
        let mut next = vec![line + 1];
        for (column, (above, pair)) in other.iter().zip(row.windows(2)).enumerate() {
            let [diagonal, up] = pair else { continue };
            let left = next.get(column).copied().unwrap_or(usize::MAX - 1);
            next.push((diagonal + usize::from(letter != *above)).min(up + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(usize::MAX)
}
