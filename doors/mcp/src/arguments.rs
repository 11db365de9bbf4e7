//! The arguments of a call, as the text that the client wrote.
//!
//! `purpose` and `approval` are for the gate and not for the tool, and are taken out; everything else stays
//! letter for letter, so that the gate's own strict reader sees keys given twice, numbers that are too
//! large and half surrogates, and puts the call on record.

use call::json::{Json, JsonEntry, JsonNode, Reading, read};

/// The arguments of a call, before anybody has read them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawArguments {
    /// The text of them.
    pub(crate) text: String,
    /// The first byte of it that was no text, when there was one.
    pub(crate) not_text: Option<usize>,
}

impl Default for RawArguments {
    /// None given is none at all.
    fn default() -> Self {
        Self { text: "{}".to_owned(), not_text: None }
    }
}

/// A call, as the text that the client wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The tool, as it was named; nothing where that cannot be told.
    pub(crate) tool: String,
    /// What it was given.
    pub(crate) arguments: RawArguments,
}

/// Arguments without what is for the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// What is left, for the tool.
    pub(crate) arguments: String,
    /// Why the call is made.
    pub(crate) purpose: Option<String>,
    /// The call that waited.
    pub(crate) approval: Option<String>,
}

/// Takes out what is for the gate. Of what is given twice or is no text, nothing is taken: the gate then
/// finds it among the arguments, and refuses the call. An `approval` that is null is none: some clients write
/// each argument of a schema, and that where there is nothing to say.
pub(crate) fn take(raw: &str) -> Taken {
    take_out(raw, true)
}

/// Takes out the purpose alone, where `approval` is the name of no call.
pub(crate) fn take_purpose(raw: &str) -> Taken {
    take_out(raw, false)
}

fn take_out(raw: &str, with_approval: bool) -> Taken {
    let untouched = || Taken { arguments: raw.to_owned(), purpose: None, approval: None };
    let Ok(json) = read(raw, 0, Reading::CPython) else { return untouched() };
    let Some(entries) = json.entries() else { return untouched() };
    let purpose = only(entries, "purpose");
    let approval = only(entries, "approval").filter(|_| with_approval);
    let no_approval = with_approval && is_null(entries, "approval");
    let taken = |entry: &JsonEntry| {
        (entry.key == "purpose" && purpose.is_some())
            || (entry.key == "approval" && (approval.is_some() || no_approval))
    };
    if purpose.is_none() && approval.is_none() && !no_approval {
        return untouched();
    }
    let mut arguments = String::with_capacity(raw.len());
    for entry in entries.iter().filter(|entry| !taken(entry)) {
        arguments.push(if arguments.is_empty() { '{' } else { ',' });
        arguments.push_str(slice(raw, entry.key_span.start, entry.key_span.end));
        arguments.push(':');
        arguments.push_str(slice(raw, entry.value.span.start, entry.value.span.end));
    }
    arguments.push_str(if arguments.is_empty() { "{}" } else { "}" });
    Taken { arguments, purpose, approval }
}

/// The text of the one entry with this key.
fn only(entries: &[JsonEntry], key: &str) -> Option<String> {
    let mut with_key = entries.iter().filter(|entry| entry.key == key);
    match (with_key.next(), with_key.next()) {
        (Some(JsonEntry { value: Json { node: JsonNode::Text(text), .. }, .. }), None) => Some(text.clone()),
        _ => None,
    }
}

/// Whether this key is there once, with nothing.
fn is_null(entries: &[JsonEntry], key: &str) -> bool {
    let mut with_key = entries.iter().filter(|entry| entry.key == key);
    let first = with_key.next().map(|entry| &entry.value.node);
    matches!(first, Some(JsonNode::Null)) && with_key.next().is_none()
}

fn slice(text: &str, start: usize, end: usize) -> &str {
    text.get(start..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Taken, take};

    #[test]
    fn everything_but_purpose_and_approval_stays_letter_for_letter() {
        let cases = [
            (r#"{"path": "a", "purpose": "look"}"#, r#"{"path":"a"}"#, Some("look"), None),
            (r#"{"purpose":"look"}"#, "{}", Some("look"), None),
            (
                r#"{"purpose":"look","approval":"c1","n":1e400,"n":2}"#,
                r#"{"n":1e400,"n":2}"#,
                Some("look"),
                Some("c1"),
            ),
            (r#"{"purpose":"x","s":"\ud800"}"#, r#"{"s":"\ud800"}"#, Some("x"), None),
            (r#"{"purpose":"a","purpose":"b"}"#, r#"{"purpose":"a","purpose":"b"}"#, None, None),
            (r#"{"purpose":7}"#, r#"{"purpose":7}"#, None, None),
            (r#"{"Purpose":"x"}"#, r#"{"Purpose":"x"}"#, None, None),
            (r#"{"purpose":"x","approval":null}"#, "{}", Some("x"), None),
            (r#"{"approval":null,"n":null}"#, r#"{"n":null}"#, None, None),
            (r#"{"approval":null,"approval":"c1"}"#, r#"{"approval":null,"approval":"c1"}"#, None, None),
            (r#"{"purpose":"x","approval":5}"#, r#"{"approval":5}"#, Some("x"), None),
            ("[1]", "[1]", None, None),
            ("null", "null", None, None),
            ("{", "{", None, None),
        ];
        for (raw, arguments, purpose, approval) in cases {
            let want = Taken {
                arguments: arguments.to_owned(),
                purpose: purpose.map(str::to_owned),
                approval: approval.map(str::to_owned),
            };
            assert_eq!(take(raw), want, "{raw}");
        }
    }
}
