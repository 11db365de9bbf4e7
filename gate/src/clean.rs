//! What came back, without secrets and short enough, with labels for what it carries.
//!
//! Content is never kept back because of what it says: it is delivered, labelled, and its secrets are
//! replaced. Labels say what a reader should not obey.

use std::collections::BTreeSet;

use call::{Content, Contraband, Done, Excerpt, Family, RiskFlag, Span};
use redact::{redact, redact_excerpt};
use screen::KnownSecrets;
use serde_json::Value;

use crate::shorten::shortened;
use crate::split::Split;

/// What a call gave, ready to be handed over.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Clean {
    pub(crate) summary: String,
    pub(crate) content: Content,
    pub(crate) artifacts: Vec<String>,
    pub(crate) labels: Vec<String>,
    pub(crate) flags: BTreeSet<RiskFlag>,
}

/// Takes secrets out, then caps.
pub(crate) fn clean(done: &mut Done, known: &KnownSecrets, most: usize) -> Clean {
    let mut washing = Washing { known, flags: done.flags.drain(..).collect(), labels: BTreeSet::new() };
    let content = match std::mem::take(&mut done.content) {
        Content::Nothing => Content::Nothing,
        Content::Text(text) => Content::Text(washing.part(&text, done.excerpt, most)),
        Content::Data(data) => {
            let mut split = Split::of(&data, known);
            let (data, is_short) = shortened(washing.data(data, &mut split), most);
            if is_short {
                washing.labels.insert("truncated".to_owned());
            }
            Content::Data(data)
        }
    };
    // What is kept of a change is as good as it can be without them.
    done.diff = done.diff.take().map(|diff| without_secrets(&diff, known));
    let summary = washing.text(&done.summary, most);
    let artifacts = done.artifacts.iter().map(|artifact| washing.text(artifact, most)).collect();
    let mut labels = std::mem::take(&mut done.labels);
    let new: Vec<String> = washing.labels.iter().filter(|label| !labels.contains(label)).cloned().collect();
    labels.extend(new);
    Clean { summary, content, artifacts, labels, flags: washing.flags }
}

/// A sentence of the gate that may repeat what a tool said.
pub(crate) fn clean_text(text: &str, known: &KnownSecrets) -> String {
    let mut washing = Washing { known, flags: BTreeSet::new(), labels: BTreeSet::new() };
    washing.text(text, LONGEST_SENTENCE)
}

/// The labels and flags of a sentence that may repeat what a program or a server said.
pub(crate) fn marks(text: &str, known: &KnownSecrets) -> (Vec<String>, BTreeSet<RiskFlag>) {
    let mut washing = Washing { known, flags: BTreeSet::new(), labels: BTreeSet::new() };
    washing.text(text, LONGEST_SENTENCE);
    (washing.labels.into_iter().collect(), washing.flags)
}

/// A text as it may be shown and kept, in full: without the secrets that the gate keeps.
pub(crate) fn without_secrets(text: &str, known: &KnownSecrets) -> String {
    redact(text, &known.find(text)).text().to_owned()
}

/// Characters of an error that are handed over.
const LONGEST_SENTENCE: usize = 4_000;

struct Washing<'k> {
    known: &'k KnownSecrets,
    flags: BTreeSet<RiskFlag>,
    labels: BTreeSet<String>,
}

impl Washing<'_> {
    fn text(&mut self, text: &str, most: usize) -> String {
        self.part(text, None, most)
    }

    /// A text, or the part of it that was asked for. What stands around the part is looked over too: the
    /// middle of a key does not look like one.
    fn part(&mut self, text: &str, excerpt: Option<Excerpt>, most: usize) -> String {
        let found = screen::returned(text, self.known);
        let excerpt = excerpt.unwrap_or(Excerpt { span: Span::new(0, text.len()), left_out: 0 });
        let touched =
            |found: &&Contraband| found.span.start < excerpt.span.end && excerpt.span.start < found.span.end;
        self.note(found.iter().filter(touched));
        redact_excerpt(text, &found, excerpt).cap(most, None).into_text()
    }

    fn note<'f>(&mut self, found: impl Iterator<Item = &'f Contraband>) {
        for found in found {
            let (flag, label) = match found.family {
                Family::Secret => (RiskFlag::SECRET_REDACTED, "secret_redacted"),
                Family::Override => (RiskFlag::EXTERNAL_INSTRUCTION, "external_instruction"),
                Family::Injection | Family::Payload => (RiskFlag::INJECTION_ATTEMPT, "shell_injection"),
                Family::Traversal => (RiskFlag::INJECTION_ATTEMPT, "path_traversal"),
                Family::Exfiltration => (RiskFlag::SECRET_ATTEMPT, "secret_exfiltration"),
            };
            self.flags.insert(flag);
            self.labels.insert(label.to_owned());
        }
    }

    /// Every text of it in full; it is cut later, as a whole. A number may be a secret too.
    fn data(&mut self, data: Value, split: &mut Split) -> Value {
        match data {
            Value::String(text) => Value::String(self.whole(&text, split.next())),
            Value::Array(items) => items.into_iter().map(|item| self.data(item, split)).collect(),
            Value::Object(fields) => {
                let washed = fields
                    .into_iter()
                    .map(|(name, value)| (self.whole(&name, Vec::new()), self.data(value, split)));
                Value::Object(washed.collect())
            }
            Value::Number(ref number) => {
                let text = number.to_string();
                match self.known.find(&text).is_empty() {
                    true => data,
                    false => Value::String(self.whole(&text, Vec::new())),
                }
            }
            Value::Null | Value::Bool(_) => data,
        }
    }

    /// A text in full, with what is known of it already.
    fn whole(&mut self, text: &str, mut found: Vec<Contraband>) -> String {
        found.extend(screen::returned(text, self.known));
        self.note(found.iter());
        redact(text, &found).text().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use call::{Content, Done};
    use screen::KnownSecrets;
    use serde_json::{Value, json};

    use super::clean;

    const SECRET: &str = "tk-9f8e7d6c5b4a3210fedcba98";

    fn cleaned(data: Value) -> Value {
        let known = KnownSecrets::new([("ci", SECRET.as_bytes()), ("pin", b"73519428046")]);
        let mut done = Done { content: Content::Data(data), ..Done::default() };
        match clean(&mut done, &known, 8_000).content {
            Content::Data(data) => data,
            Content::Nothing | Content::Text(_) => panic!("it was data"),
        }
    }

    #[test]
    fn a_secret_in_parts_is_taken_out_in_parts() {
        let mark = "<REDACTED:known_secret>";
        let (one, two) = SECRET.split_at(9);
        let cases = [
            (
                json!({ "stdout": format!("a {one}"), "stderr": two }),
                json!({ "stdout": format!("a {mark}"), "stderr": mark }),
            ),
            (json!({ "rows": [[one, 1, two], ["b"]] }), json!({ "rows": [[mark, 1, mark], ["b"]] })),
            (json!([SECRET, "plain", one]), json!([mark, "plain", one])),
        ];
        for (data, want) in cases {
            assert_eq!(cleaned(data.clone()), want, "{data}");
        }
    }

    #[test]
    fn halves_that_stand_apart_are_taken_out() {
        let known = KnownSecrets::new([("ci", "vN3qLz8RtYw2KpXc7MhBd5Fg")]);
        let data =
            json!({ "stdout": "first: vN3qLz8RtYw2.", "code": 0, "stderr": "and KpXc7MhBd5Fg, no more" });
        let mut done = Done { content: Content::Data(data), ..Done::default() };
        let clean = clean(&mut done, &known, 8_000);
        let mark = "<REDACTED:known_secret>";
        let want = json!({ "stdout": format!("first: {mark}."), "code": 0, "stderr": format!("and {mark}, no more") });
        assert_eq!(clean.content, Content::Data(want));
        assert_eq!(clean.labels, ["secret_redacted"]);
    }

    #[test]
    fn a_number_may_be_a_secret() {
        assert_eq!(cleaned(json!([73_519_428_046_u64, 7])), json!(["<REDACTED:known_secret>", 7]));
    }
}
