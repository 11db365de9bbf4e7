//! What came back, without secrets and short enough, with labels for what it carries.
//!
//! Content is never kept back because of what it says: it is delivered, labelled, and its secrets are
//! replaced. Labels say what a reader should not obey.

use std::collections::BTreeSet;

use call::{Content, Contraband, Done, Excerpt, Family, RiskFlag, Span};
use redact::{Capped, redact, redact_excerpt};
use screen::KnownSecrets;
use serde_json::Value;

use crate::fence::fenced;
use crate::shorten::{Cut, shortened};
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
    // A tool that masks what it shows says so by the flag.
    if washing.flags.contains(&RiskFlag::SECRET_REDACTED) && done.content != Content::Nothing {
        washing.redacted();
    }
    let mut cut = Cut::Nothing;
    let content = match std::mem::take(&mut done.content) {
        Content::Nothing => Content::Nothing,
        Content::Text(text) => {
            let text = washing.part(&text, done.excerpt, most);
            cut = if text.left_out() > 0 { Cut::Parts } else { Cut::Nothing };
            Content::Text(text.into_text())
        }
        Content::Data(data) => {
            let mut split = Split::of(&data, known);
            let (data, left_out) = shortened(washing.data(data, &mut split), most);
            cut = left_out;
            Content::Data(data)
        }
    };
    if cut != Cut::Nothing {
        washing.labels.insert("truncated".to_owned());
    }
    // What is kept of a change is as good as it can be without them.
    if let Some(diff) = done.diff.take() {
        let found = known.find(&diff);
        if !found.is_empty() {
            washing.flags.insert(RiskFlag::SECRET_REDACTED);
        }
        done.diff = Some(redact(&diff, &found).text().to_owned());
    }
    let mut summary = washing.text(&done.summary, most);
    match cut {
        Cut::Nothing => {}
        Cut::ListAfter(left) => {
            summary.push_str(&format!("; only the first {left} fit into `max_file_chars`"));
        }
        Cut::Parts => summary.push_str("; cut to fit into `max_file_chars`"),
    }
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

/// The labels and flags of sentences about a failure. Where they may be what a program or a server said, all
/// that they carry; else only that something was taken out of them.
pub(crate) fn marks<'t>(
    texts: impl Iterator<Item = &'t str>,
    is_outside: bool,
    known: &KnownSecrets,
) -> (Vec<String>, BTreeSet<RiskFlag>) {
    let mut washing = Washing { known, flags: BTreeSet::new(), labels: BTreeSet::new() };
    for text in texts {
        washing.text(text, LONGEST_SENTENCE);
        // A tool that knows better than anybody else what is secret in its words has taken it out already.
        if text.contains(MARK) {
            washing.redacted();
        }
    }
    if !is_outside {
        washing.labels.retain(|label| label == REDACTED);
        washing.flags.retain(|flag| *flag == RiskFlag::SECRET_REDACTED);
    }
    (washing.labels.into_iter().collect(), washing.flags)
}

/// A text as it may be shown and kept, in full: without the secrets that the gate keeps.
pub(crate) fn without_secrets(text: &str, known: &KnownSecrets) -> String {
    redact(text, &known.find(text)).text().to_owned()
}

/// Characters of an error that are handed over.
const LONGEST_SENTENCE: usize = 4_000;

/// How every mark begins that stands for a secret.
const MARK: &str = "<REDACTED:";

/// The label of what a secret was taken out of.
const REDACTED: &str = "secret_redacted";

struct Washing<'k> {
    known: &'k KnownSecrets,
    flags: BTreeSet<RiskFlag>,
    labels: BTreeSet<String>,
}

impl Washing<'_> {
    fn text(&mut self, text: &str, most: usize) -> String {
        self.part(text, None, most).into_text()
    }

    /// A text, or the part of it that was asked for. What stands around the part is looked over too: the
    /// middle of a key does not look like one.
    fn part(&mut self, text: &str, excerpt: Option<Excerpt>, most: usize) -> Capped {
        let found = fenced(text, screen::returned(text, self.known));
        let excerpt = excerpt.unwrap_or(Excerpt { span: Span::new(0, text.len()), left_out: 0 });
        let touched =
            |found: &&Contraband| found.span.start < excerpt.span.end && excerpt.span.start < found.span.end;
        self.note(found.iter().filter(touched));
        redact_excerpt(text, &found, excerpt).cap(most, None)
    }

    fn redacted(&mut self) {
        self.flags.insert(RiskFlag::SECRET_REDACTED);
        self.labels.insert(REDACTED.to_owned());
    }

    fn note<'f>(&mut self, found: impl Iterator<Item = &'f Contraband>) {
        for found in found {
            let (flag, label) = match found.family {
                Family::Secret => (RiskFlag::SECRET_REDACTED, REDACTED),
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
        found.extend(fenced(text, screen::returned(text, self.known)));
        self.note(found.iter());
        redact(text, &found).text().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use call::{Content, Done, RiskFlag};
    use proptest::prelude::*;
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
            // A whole one beside the parts of another hides neither.
            (
                json!({ "stdout": format!("{SECRET}\n{one}"), "stderr": two }),
                json!({ "stdout": format!("{mark}\n{mark}"), "stderr": mark }),
            ),
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

    #[test]
    fn a_key_with_a_line_in_each_row_is_taken_out_of_each() {
        let line = "MIIEowIBAAKCAQEAq7Wertyuiopasdfghjklzxcvbnm1234567890QWERTYUIOPAS";
        let (begin, end) = (
            ["-----BEGIN RSA PRIVATE", " KEY-----"].concat(),
            ["-----END RSA PRIVATE", " KEY-----"].concat(),
        );
        let mut done = Done {
            content: Content::Data(json!({ "rows": [["a"], [begin], [line], [line], [end], ["b"]] })),
            ..Done::default()
        };
        let clean = clean(&mut done, &KnownSecrets::default(), 8_000);
        let Content::Data(data) = &clean.content else { panic!("it was data") };
        assert!(!data.to_string().contains("MIIE"), "{data}");
        assert_eq!((&data["rows"][0], &data["rows"][5]), (&json!(["a"]), &json!(["b"])));
        assert!(clean.flags.contains(&RiskFlag::SECRET_REDACTED));
        assert_eq!(clean.labels, ["secret_redacted"]);
    }

    #[test]
    fn what_a_tool_masked_is_flagged_and_labelled() {
        let flags = vec![RiskFlag::SECRET_REDACTED];
        let mut done = Done { content: Content::Text("x".to_owned()), flags, ..Done::default() };
        let clean = clean(&mut done, &KnownSecrets::default(), 8_000);
        assert!(clean.flags.contains(&RiskFlag::SECRET_REDACTED));
        assert_eq!(clean.labels, ["secret_redacted"]);
    }

    #[test]
    fn a_difference_that_is_kept_without_a_secret_is_flagged() {
        let known = KnownSecrets::new([("ci", SECRET)]);
        for (diff, want) in [(format!("-{SECRET}\n+x\n"), true), ("-a\n+x\n".to_owned(), false)] {
            let mut done = Done { diff: Some(diff), ..Done::default() };
            let clean = clean(&mut done, &known, 8_000);
            assert_eq!(clean.flags.contains(&RiskFlag::SECRET_REDACTED), want, "{:?}", done.diff);
            assert_eq!(clean.labels, [] as [&str; 0]);
        }
    }

    const RANDOM: &str = "vN3qLz8RtYw2KpXc7MhBd5Fg";

    /// The texts that a secret may be written as, one for each field that it takes.
    fn spelled(way: usize) -> Vec<String> {
        let (one, two) = RANDOM.split_at(12);
        let base64 = |bytes: &[u8]| data_encoding::BASE64.encode(bytes);
        match way {
            0 => vec![format!("key: {RANDOM}!")],
            1 => vec![one.to_owned(), two.to_owned()],
            2 => vec![RANDOM.bytes().map(|byte| format!("{byte:02x}")).collect()],
            3 => vec![base64(RANDOM.as_bytes())],
            4 => vec![base64(base64(RANDOM.as_bytes()).as_bytes())],
            5 => vec![RANDOM.chars().rev().collect()],
            6 => vec![format!("line\n{RANDOM}\n\"quoted\"")],
            7 => RANDOM.chars().map(String::from).collect(),
            8 => vec![RANDOM.split("").collect::<Vec<&str>>().join(" ")],
            _ => vec![RANDOM.to_ascii_lowercase()],
        }
    }

    /// Fields with names of their own: those of a secret, and others.
    fn document() -> impl Strategy<Value = Vec<(String, Value, bool)>> {
        let other = prop_oneof![
            4 => "[a-zA-Z]{1,9}".prop_map(Value::String),
            1 => "[ -~é\n\t]{0,12}".prop_map(Value::String),
            1 => (0..100_000_u32).prop_map(Value::from),
            1 => Just(Value::Null),
            1 => prop::collection::vec("[a-z]{1,4}", 0..4).prop_map(Value::from),
        ];
        let others = prop::collection::vec(("[a-z]{1,6}", other), 0..8);
        (others, 0..11_usize, 0..8_usize, any::<bool>()).prop_map(|(others, way, at, nested)| {
            let mut fields: Vec<(String, Value, bool)> =
                others.into_iter().map(|(name, value)| (name, value, false)).collect();
            if way < 10 {
                let at = at.min(fields.len());
                let texts = spelled(way);
                // Names of fields between single letters hide them; a list has none.
                let secret: Vec<(String, Value, bool)> = match nested || way == 7 {
                    true => vec![("s".to_owned(), Value::from(texts), true)],
                    false => {
                        texts.into_iter().map(|text| ("s".to_owned(), Value::from(text), true)).collect()
                    }
                };
                fields.splice(at..at, secret);
            }
            for (number, (name, _, _)) in fields.iter_mut().enumerate() {
                name.push_str(&format!("_{number}"));
            }
            fields
        })
    }

    fn of_fields(fields: &[(String, Value, bool)]) -> Value {
        Value::Object(fields.iter().map(|(name, value, _)| (name.clone(), value.clone())).collect())
    }

    /// The fields that are left, when they are those that there were.
    fn check_fields(fields: &[(String, Value, bool)], left: &Value) -> Result<(), TestCaseError> {
        let names: Vec<&String> = left.as_object().map(|fields| fields.keys().collect()).unwrap_or_default();
        let want = of_fields(fields);
        prop_assert_eq!(names, want.as_object().unwrap().keys().collect::<Vec<_>>());
        for (name, value, is_secret) in fields {
            if *is_secret {
                prop_assert!(left[name] != *value, "{} is still there: {}", name, left);
                let lengths = |value: &Value| value.as_array().map(Vec::len);
                prop_assert_eq!(lengths(&left[name]), lengths(value));
            } else {
                prop_assert_eq!(&left[name], value, "{}", left);
            }
        }
        Ok(())
    }

    #[test]
    fn json_without_its_secrets_has_the_same_fields_and_the_others_are_as_they_were() {
        let known = KnownSecrets::new([("ci", RANDOM)]);
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(3_000));
        let run = runner.run(&(document(), 0..4_usize), |(fields, way)| {
            let data = of_fields(&fields);
            let text = match way {
                0 => data.to_string(),
                1 => serde_json::to_string_pretty(&data).unwrap(),
                2 => format!("[info] {data}\n"),
                _ => String::new(),
            };
            let content = match way {
                3 => Content::Data(data),
                _ => Content::Text(text),
            };
            let mut done = Done { content: content.clone(), ..Done::default() };
            let left = match clean(&mut done, &known, 1_000_000).content {
                Content::Data(data) => data,
                Content::Text(text) => {
                    let json = text.strip_prefix("[info] ").unwrap_or(&text);
                    match serde_json::from_str(json) {
                        Ok(data) => data,
                        Err(error) => return Err(TestCaseError::fail(format!("{error}: {text}"))),
                    }
                }
                Content::Nothing => Value::Null,
            };
            check_fields(&fields, &left)
        });
        run.unwrap();
    }
}
