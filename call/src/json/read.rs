//! The reader.

use std::collections::HashSet;

use super::{Json, JsonEntry, JsonNode};
use crate::Span;

/// Levels of nesting that are read.
const DEEPEST: usize = 512;

/// Which JSON is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// RFC 8259 without what it leaves open: no key twice, no lone surrogate, no number that 64
    /// bits cannot hold.
    Strict,
    /// RFC 8259 for whoever reports keys given twice by themselves: those, and numbers of any size, are
    /// read.
    Repeating,
    /// What CPython's `json.loads` lets through: `NaN`, `Infinity`, lone surrogates (read as
    /// U+FFFD), numbers of any size (read as the nearest that 64 bits hold), keys given twice.
    CPython,
}

/// Where and why a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotJson {
    /// Offset of the byte at which reading stopped.
    pub at: usize,
    /// What is wrong there.
    pub why: &'static str,
}

/// Reads a whole text that begins at `base` in the document that holds it.
///
/// ```
/// use call::json::{Reading, read};
///
/// assert!(read(r#"{"path": "README.md"}"#, 0, Reading::Strict).is_ok());
///
/// let twice = read(r#"{"path": "a", "path": "b"}"#, 0, Reading::Strict);
/// assert_eq!(twice.unwrap_err().at, 14);
/// ```
///
/// # Errors
///
/// [`NotJson`] says where and why the text is not JSON.
pub fn read(text: &str, base: usize, reading: Reading) -> Result<Json, NotJson> {
    let mut reader = Reader { text, at: 0, base, reading };
    let mut open: Vec<Open> = Vec::new();
    loop {
        // A value begins here.
        reader.skip_blanks();
        let start = reader.place();
        let node = match reader.peek() {
            Some(opening @ (b'{' | b'[')) => {
                reader.at += 1;
                if open.len() == DEEPEST {
                    return Err(reader.bad("nested too deeply"));
                }
                reader.skip_blanks();
                let is_object = opening == b'{';
                let closing = if is_object { b'}' } else { b']' };
                if reader.peek() != Some(closing) {
                    let mut inside = Open::new(is_object, start);
                    if is_object {
                        inside.key = Some(reader.key(&mut inside)?);
                    }
                    open.push(inside);
                    continue;
                }
                reader.at += 1;
                if is_object { JsonNode::Object(Vec::new()) } else { JsonNode::List(Vec::new()) }
            }
            Some(b'"') => JsonNode::Text(reader.string()?),
            Some(_) => reader.word()?,
            None => return Err(reader.bad("a value is missing")),
        };
        let mut value = Json { node, span: Span::new(start, reader.place()) };
        // A value has ended: close what ends with it, or go on to the next one.
        loop {
            reader.skip_blanks();
            let Some(inside) = open.last_mut() else {
                return if reader.peek().is_none() {
                    Ok(value)
                } else {
                    Err(reader.bad("something follows the value"))
                };
            };
            inside.take(value);
            match reader.peek() {
                Some(b',') => {
                    reader.at += 1;
                    if inside.is_object {
                        inside.key = Some(reader.key(inside)?);
                    }
                    break;
                }
                Some(sign) if sign == if inside.is_object { b'}' } else { b']' } => {
                    reader.at += 1;
                    let Some(closed) = open.pop() else { return Err(reader.bad("expected a value")) };
                    value = closed.close(reader.place());
                }
                Some(_) => return Err(reader.bad("expected `,` or the end")),
                None => return Err(reader.bad("it is not closed")),
            }
        }
    }
}

/// A list or object whose end has not come yet.
struct Open {
    start: usize,
    is_object: bool,
    items: Vec<Json>,
    entries: Vec<JsonEntry>,
    key: Option<(String, Span)>,
    // Keys of an object with many of them; few are searched one by one.
    seen: HashSet<String>,
}

/// From how many keys on they are hashed.
const MANY: usize = 16;

impl Open {
    fn new(is_object: bool, start: usize) -> Self {
        let (items, entries) = (Vec::new(), Vec::new());
        Self { start, is_object, items, entries, key: None, seen: HashSet::new() }
    }

    fn take(&mut self, value: Json) {
        match self.key.take() {
            Some((key, key_span)) => self.entries.push(JsonEntry { key, key_span, value }),
            None => self.items.push(value),
        }
    }

    fn close(self, end: usize) -> Json {
        let node = if self.is_object { JsonNode::Object(self.entries) } else { JsonNode::List(self.items) };
        Json { node, span: Span::new(self.start, end) }
    }

    fn is_new(&mut self, key: &str) -> bool {
        if self.entries.len() < MANY {
            return !self.entries.iter().any(|entry| entry.key == key);
        }
        if self.seen.is_empty() {
            self.seen = self.entries.iter().map(|entry| entry.key.clone()).collect();
        }
        self.seen.insert(key.to_owned())
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    base: usize,
    reading: Reading,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    const fn place(&self) -> usize {
        self.base + self.at
    }

    const fn bad(&self, why: &'static str) -> NotJson {
        NotJson { at: self.place(), why }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// A key and its colon.
    fn key(&mut self, inside: &mut Open) -> Result<(String, Span), NotJson> {
        self.skip_blanks();
        let start = self.place();
        if self.peek() != Some(b'"') {
            return Err(self.bad("expected a key in double quotes"));
        }
        let key = self.string()?;
        let span = Span::new(start, self.place());
        if self.reading == Reading::Strict && !inside.is_new(&key) {
            return Err(NotJson { at: start, why: "the key is given twice" });
        }
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.bad("expected `:` behind the key"));
        }
        self.at += 1;
        Ok((key, span))
    }

    /// A string with its quotes; its value comes back, a lone surrogate as U+FFFD.
    fn string(&mut self) -> Result<String, NotJson> {
        let mut value = String::new();
        self.at += 1;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let ends = |byte: u8| byte == b'"' || byte == b'\\' || byte < b' ';
            let plain = rest.bytes().position(ends).unwrap_or(rest.len());
            value.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(value);
                }
                Some(b'\\') => value.push(self.escape()?),
                Some(_) => return Err(self.bad("a string holds a control character")),
                None => return Err(self.bad("a string is not closed")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, NotJson> {
        let sign = self.text.as_bytes().get(self.at + 1).copied();
        let plain = match sign {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode_escape(),
            _ => return Err(self.bad("an escape that JSON does not know")),
        };
        self.at += 2;
        Ok(plain)
    }

    fn unicode_escape(&mut self) -> Result<char, NotJson> {
        let first = self.hex_escape().ok_or_else(|| self.bad("expected four hexadecimal digits"))?;
        self.at += 6;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        let second = self.hex_escape().filter(|second| (0xdc00..0xe000).contains(second));
        if let (true, Some(second)) = ((0xd800..0xdc00).contains(&first), second) {
            self.at += 6;
            let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        match self.reading {
            Reading::CPython => Ok(char::REPLACEMENT_CHARACTER),
            Reading::Strict | Reading::Repeating => Err(self.bad("half of a surrogate pair stands alone")),
        }
    }

    fn hex_escape(&self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 6)?.strip_prefix("\\u")?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if plain { u32::from_str_radix(digits, 16).ok() } else { None }
    }

    /// A number, or `true`, `false`, `null`.
    fn word(&mut self) -> Result<JsonNode, NotJson> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest
            .bytes()
            .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))
            .unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let lenient = self.reading == Reading::CPython;
        let node = match word {
            "true" => JsonNode::Bool(true),
            "false" => JsonNode::Bool(false),
            "null" => JsonNode::Null,
            "NaN" | "Infinity" | "-Infinity" if lenient => JsonNode::Null,
            number if is_number(number) => match held_number(number) {
                Some(number) => JsonNode::Number(number),
                None if self.reading != Reading::Strict => JsonNode::Null,
                None => return Err(self.bad("a number that 64 bits cannot hold")),
            },
            _ => return Err(self.bad("expected a value")),
        };
        self.at += length;
        Ok(node)
    }
}

/// The number itself, unless 64 bits would change it: a whole number beyond them, or an exponent
/// beyond what a float has.
fn held_number(word: &str) -> Option<serde_json::Number> {
    if word.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()) {
        let signed = word.parse::<i64>().map(serde_json::Number::from);
        return signed.or_else(|_| word.parse::<u64>().map(serde_json::Number::from)).ok();
    }
    word.parse().ok().and_then(serde_json::Number::from_f64)
}

/// `-12.5e+3` and kin.
fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match word.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (word, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let exponent = exponent.map(|exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

#[cfg(test)]
mod tests {
    use super::{Reading, read};

    #[track_caller]
    fn check(text: &str, strict: &str, cpython: &str) {
        let say = |reading| match read(text, 0, reading) {
            Ok(json) => json.into_value().to_string(),
            Err(_) => "bad".to_owned(),
        };
        assert_eq!(say(Reading::Strict), strict, "{text}");
        assert_eq!(say(Reading::CPython), cpython, "{text}");
    }

    #[test]
    fn values_are_read_as_they_stand() {
        check("{}", "{}", "{}");
        let nested = r#"{"a":1,"b":{"c":[1,"d",{"e":null}]},"f":-1500.0}"#;
        check(r#" {"a": 1, "b": {"c": [1, "d", {"e": null}]}, "f": -1.5e3} "#, nested, nested);
        check(r#"{"\u0061\n": true}"#, r#"{"a\n":true}"#, r#"{"a\n":true}"#);
        check("[1, [], {}]", "[1,[],{}]", "[1,[],{}]");
        check("18446744073709551615", "18446744073709551615", "18446744073709551615");
        check(r#""\ud83d\ude00""#, "\"😀\"", "\"😀\"");
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in
            ["", "{", "}", "{a: 1}", "{\"a\" 1}", "{\"a\": }", "{\"a\": 1,}", "[1,]", "{\"a\": 01}", "{} x"]
        {
            check(text, "bad", "bad");
        }
        for text in
            ["[tru]", "[+1]", "[.5]", "['1']", "[\"\n\"]", "[1 // c\n]", "[1}", "{\"a\": 1]", "\u{feff}{}"]
        {
            check(text, "bad", "bad");
        }
        check(&"[".repeat(100_000), "bad", "bad");
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        for reading in [Reading::Strict, Reading::CPython, Reading::Repeating] {
            assert!(read(&nested(512), 0, reading).is_ok());
            assert!(read(&nested(513), 0, reading).is_err());
        }
    }

    #[test]
    fn what_two_readers_could_see_differently_is_refused() {
        check(r#"{"a": 1, "a": 2}"#, "bad", r#"{"a":2}"#);
        check(r#"{"a": 1, "\u0061": 2}"#, "bad", r#"{"a":2}"#);
        check(r#"{"a": NaN, "b": -Infinity}"#, "bad", r#"{"a":null,"b":null}"#);
        check(r#"["\ud800"]"#, "bad", "[\"\u{fffd}\"]");
        check("18446744073709551616", "bad", "null");
        check("1e999", "bad", "null");
        for (text, want) in [(r#"{"a": 1, "a": 1e999}"#, true), ("[NaN]", false), (r#"["\ud800"]"#, false)] {
            assert_eq!(read(text, 0, Reading::Repeating).is_ok(), want, "{text}");
        }
        let many: Vec<String> = (0..100).map(|number| format!("\"k{}\": 0", number % 99)).collect();
        assert!(read(&format!("{{{}}}", many.join(",")), 0, Reading::Strict).is_err());
    }

    #[test]
    fn every_value_knows_its_place() {
        let text = r#"{"a": [1, "two"]}"#;
        let json = read(text, 0, Reading::Strict).unwrap();
        let entry = json.entries().unwrap().first().unwrap();
        assert_eq!(entry.key_span.of(text), Some("\"a\""));
        assert_eq!(entry.value.span.of(text), Some("[1, \"two\"]"));
    }
}
