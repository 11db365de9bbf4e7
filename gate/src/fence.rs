//! Findings in texts that are JSON, or have JSON in them: kept inside of its strings.
//!
//! A secret is found with other signs strewn in, so one that is spread over two fields is found as one stretch,
//! with the signs and the name of a field between. Were that taken out, a reader would have other fields than
//! there were, or no JSON any more. So each string loses its own part, and an escape goes as a whole.
//!
//! Secrets that are numbers are taken out as they stand.

use call::{Contraband, Family, Span};
use serde::de::IgnoredAny;

/// Letters that a part must have to be one for sure.
const SURE: usize = 6;

/// Letters at either end that may go on like a secret by chance.
const CHANCE: usize = 3;

/// How often each byte may be read, on average, for beginnings of JSON that turn out to be none.
const PATIENCE: usize = 8;

/// Whether the part at this place, of those that a finding has, is one of its ends and may be there by chance.
pub(crate) fn is_chance(letters: &[usize], place: usize) -> bool {
    letters.get(place).is_some_and(|letters| *letters <= CHANCE)
        && letters.iter().any(|letters| *letters >= SURE)
}

/// The findings, each inside of one string wherever the text is JSON.
pub(crate) fn fenced(text: &str, found: Vec<Contraband>) -> Vec<Contraband> {
    if !found.iter().any(|found| found.family == Family::Secret) {
        return found;
    }
    let documents = documents(text);
    if documents.is_empty() {
        return found;
    }
    let tokens: Vec<Token> = documents.iter().flat_map(|document| tokens(text, *document)).collect();
    let keep = |found: Contraband| match found.family {
        Family::Secret => within(text, &found, &documents, &tokens),
        Family::Override | Family::Injection | Family::Payload | Family::Traversal | Family::Exfiltration => {
            vec![found]
        }
    };
    found.into_iter().flat_map(keep).collect()
}

/// The parts of one finding.
fn within(text: &str, found: &Contraband, documents: &[Span], tokens: &[Token]) -> Vec<Contraband> {
    let overlap = |span: Span| {
        let (start, end) = (span.start.max(found.span.start), span.end.min(found.span.end));
        (start < end).then(|| Span::new(start, end))
    };
    let low = documents.partition_point(|document| document.end <= found.span.start);
    let high = documents.partition_point(|document| document.start < found.span.end);
    let near = documents.get(low..high).unwrap_or_default();
    // A document that is the secret, or part of it, goes as a whole.
    let is_whole = |document: &&Span| found.span.start <= document.start && document.end <= found.span.end;
    let whole: Vec<Span> = near.iter().filter(is_whole).copied().collect();
    let is_apart = |token: &&Token| {
        let next = whole.partition_point(|document| document.end <= token.span.start);
        whole.get(next).is_none_or(|document| token.span.end <= document.start)
    };
    let first = tokens.partition_point(|token| token.span.end <= found.span.start);
    let of_tokens = tokens.iter().skip(first).take_while(|token| token.span.start < found.span.end);
    let parts: Vec<(Token, Span)> =
        of_tokens.filter(is_apart).filter_map(|token| Some((*token, overlap(token.span)?))).collect();
    let letters = |span: Span| span.of(text).unwrap_or_default().bytes().filter(u8::is_ascii_alphanumeric);
    let counts: Vec<usize> = parts.iter().map(|(_, span)| letters(*span).count()).collect();
    let last = parts.len().saturating_sub(1);
    let is_part = |place: usize, token: &Token| {
        let may_be_chance = place == 0 || place == last || token.is_name;
        parts.len() == 1 || !(may_be_chance && is_chance(&counts, place))
    };
    let mut spans: Vec<Span> = parts
        .iter()
        .enumerate()
        .filter(|(place, (token, _))| is_part(*place, token))
        .map(|(_, (token, span))| token.whole_escapes(text, *span))
        .collect();
    // What is around the documents goes as ever, but for the blanks and commas between two of them.
    let mut from = found.span.start;
    for document in near.iter().chain([&Span::new(found.span.end, found.span.end)]) {
        let around = overlap(Span::new(from, document.start));
        spans.extend(around.filter(|around| parts.is_empty() || letters(*around).next().is_some()));
        from = document.end;
    }
    spans.extend(whole);
    spans.into_iter().map(|span| Contraband { span, ..found.clone() }).collect()
}

/// A string of a document without its quotes, or a number.
#[derive(Clone, Copy)]
struct Token {
    span: Span,
    is_text: bool,
    /// The name of a field.
    is_name: bool,
}

impl Token {
    /// A part of it that ends inside of no escape.
    fn whole_escapes(&self, text: &str, part: Span) -> Span {
        if !self.is_text {
            return part;
        }
        let bytes = self.span.of(text).unwrap_or_default().as_bytes();
        let (mut whole, mut at) = (part, 0);
        while let Some(next) = memchr(b'\\', bytes, at) {
            let length = if bytes.get(next + 1) == Some(&b'u') { 6 } else { 2 };
            let escape = Span::new(self.span.start + next, self.span.start + next + length);
            if escape.start < whole.start && whole.start < escape.end {
                whole.start = escape.start;
            }
            if escape.start < whole.end && whole.end < escape.end {
                whole.end = escape.end;
            }
            at = next + length;
        }
        whole
    }
}

fn memchr(byte: u8, bytes: &[u8], from: usize) -> Option<usize> {
    bytes.iter().skip(from).position(|other| *other == byte).map(|place| from + place)
}

/// The lists and objects in a text, one behind the other.
fn documents(text: &str) -> Vec<Span> {
    let (mut documents, mut from) = (Vec::new(), 0);
    let mut left = text.len().saturating_mul(PATIENCE);
    while let Some(start) = text.get(from..).and_then(|rest| rest.find(['{', '['])).map(|at| from + at) {
        let rest = text.get(start..).unwrap_or_default();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        match stream.next() {
            Some(Ok(_)) => {
                from = start + stream.byte_offset().max(1);
                documents.push(Span::new(start, from));
            }
            Some(Err(error)) => match left.checked_sub(read_until(rest, &error)) {
                Some(rest) => (left, from) = (rest, start + 1),
                None => break,
            },
            None => break,
        }
    }
    documents
}

/// How much of a text was read until it turned out to be no JSON.
fn read_until(text: &str, error: &serde_json::Error) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    lines.map(str::len).sum::<usize>() + error.column().max(1)
}

/// The strings and numbers of a document.
fn tokens(text: &str, document: Span) -> Vec<Token> {
    let bytes = document.of(text).unwrap_or_default().as_bytes();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let start = at + 1;
        match byte {
            b'"' => {
                let mut end = start;
                while let Some(byte) = bytes.get(end).filter(|byte| **byte != b'"') {
                    end += if *byte == b'\\' { 2 } else { 1 };
                }
                let behind = bytes.get(end + 1..).unwrap_or_default();
                let is_name = behind.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':');
                let span = Span::new(document.start + start, document.start + end);
                tokens.push(Token { span, is_text: true, is_name });
                at = end + 1;
            }
            b'-' | b'0'..=b'9' => {
                let is_number = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                let length = bytes.iter().skip(at).take_while(is_number).count();
                let span = Span::new(document.start + at, document.start + at + length);
                tokens.push(Token { span, is_text: false, is_name: false });
                at += length;
            }
            _ => at = start,
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use call::{Contraband, Family, Span};
    use redact::redact;

    use super::fenced;

    #[track_caller]
    fn check(text: &str, from: &str, to: &str, want: &str) {
        let start = text.find(from).unwrap();
        let end = text.rfind(to).unwrap() + to.len();
        let found = Contraband { span: Span::new(start, end), family: Family::Secret, kind: "k" };
        assert_eq!(redact(text, &fenced(text, vec![found])).text(), want, "{text}");
    }

    #[test]
    fn each_string_loses_its_own_part() {
        let cases = [
            // text, first and last sign of the finding -> what is left
            (r#"["aSECRETb"]"#, "SECRET", "SECRET", r#"["a<REDACTED:k>b"]"#),
            (r#"["SECRET","SECOND"]"#, "SECRET", "SECOND", r#"["<REDACTED:k>","<REDACTED:k>"]"#),
            (
                r#"{"a":"SECRET","b":"SECOND","c":"d"}"#,
                "SECRET",
                "SECOND",
                r#"{"a":"<REDACTED:k>","b":"<REDACTED:k>","c":"d"}"#,
            ),
            // The neighbour goes on like the secret, by chance.
            (r#"["SECRET","Some"]"#, "SECRET", "\"S", r#"["<REDACTED:k>","Some"]"#),
            (r#"["so","SECRET"]"#, "o", "SECRET", r#"["so","<REDACTED:k>"]"#),
            // A letter in each is no chance.
            (r#"["S","E","C"]"#, "S", "C", r#"["<REDACTED:k>","<REDACTED:k>","<REDACTED:k>"]"#),
            // Escapes go as a whole.
            (r#"["x\nSECRET"]"#, "nSECRET", "SECRET", r#"["x<REDACTED:k>"]"#),
            (r#"["SECRET\u0041x"]"#, "SECRET", "\\u0", r#"["<REDACTED:k>x"]"#),
            (r#"["SEC\"RET"]"#, "SEC", "RET", r#"["<REDACTED:k>"]"#),
            // A document in a text, and lines of documents.
            (
                "log {\"a\":\"SECRET\",\"b\":\"SECOND\"} end",
                "SECRET",
                "SECOND",
                "log {\"a\":\"<REDACTED:k>\",\"b\":\"<REDACTED:k>\"} end",
            ),
            ("[\"SECRET\"]\n[\"SECOND\"]\n", "SECRET", "SECOND", "[\"<REDACTED:k>\"]\n[\"<REDACTED:k>\"]\n"),
            // A secret that is JSON.
            ("x {\"a\":\"SECRET\"} y", "{", "}", "x <REDACTED:k> y"),
            // No JSON: all of it goes.
            ("\"SECRET\",\"SECOND\"", "SECRET", "SECOND", "\"<REDACTED:k>\""),
            ("{\"SECRET\",\"SECOND\"", "SECRET", "SECOND", "{\"<REDACTED:k>\""),
        ];
        for (text, from, to, want) in cases {
            check(text, from, to, want);
        }
    }

    #[test]
    fn beginnings_of_documents_that_are_none_cost_little() {
        let found = || vec![Contraband { span: Span::new(0, 1), family: Family::Secret, kind: "k" }];
        for hostile in ["[", "[1,", "{\"a\":[", "[\"", "{"] {
            let text = hostile.repeat(20_000);
            assert_eq!(fenced(&text, found()).len(), 1);
        }
    }
}
