//! Front matter, key by key, for requests and results alike.

use std::borrow::Cow;

use call::{Moment, Span};
use screen::glyph::Unseen;

use crate::bytes::{any_byte, is_control};
use crate::findings::Findings;
use crate::front::Split;
use crate::rules::{self, Rule};
use crate::text::{code_point, first_unseen, quoted};
use crate::yaml::{Entry, Map, Node, Value};

/// The front matter of one document, and where to report what is wrong with it.
pub(crate) struct Fields<'a> {
    pub(crate) split: Split<'a>,
    pub(crate) map: &'a Map<'a>,
    pub(crate) findings: &'a mut Findings,
}

/// The text of one key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Span,
    /// Written without quotes.
    pub(crate) plain: bool,
}

impl<'a> Fields<'a> {
    /// The text of a key that must be there and not be empty; `rule` speaks when it is empty.
    pub(crate) fn required(&mut self, key: &str, rule: &'static Rule) -> Option<Field<'a>> {
        let Some(entry) = self.map.entry(key) else {
            let message = format!("the key `{key}` is missing");
            let hint = format!("add `{key}:` to the front matter");
            self.findings.advise(&rules::MISSING_KEY, self.split.opening, message, hint);
            return None;
        };
        self.filled(key, entry, rule)
    }

    /// The text of a key that may be absent; `rule` speaks when it is there and empty.
    pub(crate) fn optional(&mut self, key: &str, rule: &'static Rule) -> Option<Field<'a>> {
        let entry = self.map.entry(key)?;
        self.filled(key, entry, rule)
    }

    fn filled(&mut self, key: &str, entry: &'a Entry<'a>, rule: &'static Rule) -> Option<Field<'a>> {
        if entry.value.is_null() {
            self.findings.add(rule, entry.key_span, format!("`{key}` is empty"));
            return None;
        }
        self.scalar(key, &entry.value)
    }

    /// The text of a value; a list or mapping is reported as the wrong shape for `what`.
    pub(crate) fn scalar(&mut self, what: &str, value: &'a Value<'a>) -> Option<Field<'a>> {
        match &value.node {
            Node::Scalar { text, plain } => Some(Field { text, span: value.span, plain: *plain }),
            Node::List(_) | Node::Map(_) => {
                let message = format!("`{what}` is a list or a mapping, expected text");
                self.findings.add(&rules::WRONG_SHAPE, value.span, message);
                None
            }
            Node::Refused => None,
        }
    }

    /// The items of a key that holds a list; absent and empty are the same.
    pub(crate) fn list(&mut self, key: &str) -> &'a [Value<'a>] {
        let Some(entry) = self.map.entry(key) else {
            return &[];
        };
        match &entry.value.node {
            Node::List(values) => values,
            Node::Refused => &[],
            Node::Scalar { .. } if entry.value.is_null() => &[],
            Node::Scalar { .. } | Node::Map(_) => {
                let message = format!("`{key}` is not a list");
                let hint = "write each item on a line of its own that begins with `- `";
                self.findings.advise(&rules::WRONG_SHAPE, entry.value.span, message, hint);
                &[]
            }
        }
    }

    /// The items of a key that holds a list of mappings.
    pub(crate) fn maps(&mut self, key: &str, known: &[&str]) -> Vec<(&'a Map<'a>, Span)> {
        let mut maps = Vec::new();
        for value in self.list(key) {
            match &value.node {
                Node::Map(map) => {
                    self.warn_unknown(map, known);
                    maps.push((map, value.span));
                }
                Node::Scalar { .. } | Node::List(_) => {
                    let message = format!("an item of `{key}` is not a mapping");
                    let hint = format!("give it the keys {}", listed(known));
                    self.findings.advise(&rules::WRONG_SHAPE, value.span, message, hint);
                }
                Node::Refused => {}
            }
        }
        maps
    }

    /// A key whose text is one of a few words.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        key: &str,
        rule: &'static Rule,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let field = self.required(key, rule)?;
        let found = choices.iter().find(|(word, _)| *word == field.text).map(|(_, choice)| *choice);
        if found.is_none() {
            let words: Vec<_> = choices.iter().map(|(word, _)| *word).collect();
            self.report_choice(key, rule, field, &words);
        }
        found
    }

    /// Says which words a key may have, and the nearest one where only the case differs.
    pub(crate) fn report_choice(&mut self, key: &str, rule: &'static Rule, field: Field<'_>, words: &[&str]) {
        let message = format!("`{key}` is {}, expected {}", quoted(field.text), listed(words));
        match words.iter().find(|word| word.eq_ignore_ascii_case(field.text.trim())) {
            Some(word) => self.findings.advise(rule, field.span, message, format!("did you mean `{word}`?")),
            None => self.findings.add(rule, field.span, message),
        }
    }

    /// A time that lies not in the future, with a minute for clocks that differ.
    pub(crate) fn past(&mut self, key: &str, field: Field<'_>, now: Moment) -> Option<Moment> {
        const CLOCK_SKEW_SECONDS: u32 = 60;
        match field.text.parse::<Moment>() {
            Ok(moment) => {
                if moment > now && moment > now.later_by(CLOCK_SKEW_SECONDS) {
                    let message = format!("`{key}` lies in the future: {}", quoted(field.text));
                    self.findings.add(&rules::TIME_FUTURE, field.span, message);
                }
                Some(moment)
            }
            Err(bad) => {
                let message = format!("`{key}` is {}: {bad}", quoted(field.text));
                let hint = "write it in UTC, such as `2026-02-09T16:05:01Z`";
                self.findings.advise(&rules::TIME_FORM, field.span, message, hint);
                None
            }
        }
    }

    /// Warns of keys that nobody reads: most are misspelt.
    pub(crate) fn warn_unknown(&mut self, map: &Map<'_>, known: &[&str]) {
        for entry in &map.entries {
            if !known.contains(&&*entry.key) && entry.key != "<<" {
                let message = format!("the key {} is unknown", quoted(&entry.key));
                let same = |word: &&&str| letters(word) == letters(&entry.key);
                match known.iter().find(same) {
                    Some(word) => self.findings.advise(
                        &rules::UNKNOWN_KEY,
                        entry.key_span,
                        message,
                        format!("did you mean `{word}`?"),
                    ),
                    None => self.findings.add(&rules::UNKNOWN_KEY, entry.key_span, message),
                }
            }
        }
    }

    /// Reports unseen characters in every key and value. Line ends are fine but for the keys of
    /// `one_line`.
    pub(crate) fn refuse_unseen(&mut self, one_line: &[&str]) {
        // What is borrowed from lines of printable ASCII holds nothing else.
        let printable = !any_byte(self.split.front.text, |byte| is_control(byte) | !byte.is_ascii());
        let is_seen = |text: &Cow<'_, str>| printable && matches!(text, Cow::Borrowed(_));
        let mut waiting: Vec<&Map<'_>> = vec![self.map];
        let mut values = Vec::new();
        while let Some(map) = waiting.pop() {
            for entry in &map.entries {
                if !is_seen(&entry.key) {
                    self.refuse_unseen_in(&entry.key, entry.key_span, false);
                }
                values.push(&entry.value);
                while let Some(value) = values.pop() {
                    match &value.node {
                        Node::Scalar { text, .. } if is_seen(text) => {}
                        Node::Scalar { text, .. } => {
                            let lines = !one_line.contains(&&*entry.key);
                            self.refuse_unseen_in(text, value.span, lines);
                        }
                        Node::List(items) => values.extend(items),
                        Node::Map(map) => waiting.push(map),
                        Node::Refused => {}
                    }
                }
            }
        }
    }

    fn refuse_unseen_in(&mut self, text: &str, span: Span, lines: bool) {
        // A block scalar ends with line ends that are not part of what it says.
        let text = text.trim_end_matches('\n');
        let Some((_, character, unseen)) = first_unseen(text, lines) else {
            return;
        };
        let raw = span.of(self.split.text).unwrap_or_default();
        // A raw control character is reported for the document as a whole; an escaped one here.
        let at = raw.find(character);
        if unseen == Unseen::Control && !matches!(character, '\t' | '\n' | '\r') && at.is_some() {
            return;
        }
        let span = match at {
            Some(at) => Span::at(span.start + at),
            None => span,
        };
        let what = match unseen {
            Unseen::Control => "a control character",
            Unseen::Bidi => "a character that turns the direction of text",
            Unseen::Invisible => "a character that cannot be seen",
        };
        let message = format!("a value holds {what}, {}", code_point(character));
        let hint = "remove it, or write a plain space in its place";
        self.findings.advise(&rules::UNSEEN_CHARACTER, span, message, hint);
    }
}

/// `a`, `b` or `c`
pub(crate) fn listed(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// A key without what people commonly get wrong about it: case and the signs between words.
fn letters(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
