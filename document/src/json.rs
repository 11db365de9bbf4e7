//! JSON, as far as a request needs it: is it an object, and which keys does it have?
//!
//! Reads without recursion, so nesting cannot exhaust the stack, and knows where every key stands.
//! Two readings: strict RFC 8259, and what CPython's `json.loads` lets through.

use call::Span;

/// Levels of nesting that are read.
const DEEPEST: usize = 512;

/// Which JSON is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// RFC 8259, and lone surrogates are refused.
    Strict,
    /// CPython: `NaN`, `Infinity`, `-Infinity` and lone surrogates are fine.
    CPython,
}

/// What a JSON text is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Json {
    /// An object with these keys, in order, repeated ones too.
    Object(Vec<(String, Span)>),
    /// Anything else.
    Other,
}

/// Where and why a text is not JSON.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotJson {
    pub(crate) at: usize,
    pub(crate) why: &'static str,
}

/// Reads a whole text that begins at `base` in the document.
pub(crate) fn read(text: &str, base: usize, reading: Reading) -> Result<Json, NotJson> {
    let mut reader = Reader { text, at: 0, base, reading };
    let mut open: Vec<u8> = Vec::new();
    let mut keys = Vec::new();
    reader.skip_blanks();
    let is_object = reader.peek() == Some(b'{');
    loop {
        // A value begins here.
        reader.skip_blanks();
        match reader.peek() {
            Some(opening @ (b'{' | b'[')) => {
                reader.at += 1;
                if open.len() == DEEPEST {
                    return Err(reader.bad("nested too deeply"));
                }
                open.push(opening);
                reader.skip_blanks();
                let closing = if opening == b'{' { b'}' } else { b']' };
                if reader.peek() != Some(closing) {
                    if opening == b'{' {
                        reader.key(open.len(), &mut keys)?;
                    }
                    continue;
                }
            }
            Some(b'"') => drop(reader.string()?),
            Some(_) => reader.word()?,
            None => return Err(reader.bad("a value is missing")),
        }
        // A value has ended: close what ends with it, or go on to the next one.
        loop {
            reader.skip_blanks();
            match (reader.peek(), open.last()) {
                (None, None) => {
                    return Ok(if is_object { Json::Object(keys) } else { Json::Other });
                }
                (Some(_), None) => return Err(reader.bad("something follows the value")),
                (Some(b'}'), Some(b'{')) | (Some(b']'), Some(b'[')) => {
                    reader.at += 1;
                    open.pop();
                }
                (Some(b','), Some(b'{')) => {
                    reader.at += 1;
                    reader.key(open.len(), &mut keys)?;
                    break;
                }
                (Some(b','), Some(_)) => {
                    reader.at += 1;
                    break;
                }
                (Some(_), Some(_)) => return Err(reader.bad("expected `,` or the end")),
                (None, Some(_)) => return Err(reader.bad("it is not closed")),
            }
        }
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

    fn bad(&self, why: &'static str) -> NotJson {
        NotJson { at: self.base + self.at, why }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// A key and its colon. Only those of the outermost object are kept.
    fn key(&mut self, depth: usize, keys: &mut Vec<(String, Span)>) -> Result<(), NotJson> {
        self.skip_blanks();
        let start = self.base + self.at;
        if self.peek() != Some(b'"') {
            return Err(self.bad("expected a key in double quotes"));
        }
        let key = self.string()?;
        if depth == 1 {
            keys.push((key, Span::new(start, self.base + self.at)));
        }
        self.skip_blanks();
        if self.peek() != Some(b':') {
            return Err(self.bad("expected `:` behind the key"));
        }
        self.at += 1;
        Ok(())
    }

    /// A string with its quotes; its value comes back, a lone surrogate as U+FFFD.
    fn string(&mut self) -> Result<String, NotJson> {
        let mut value = String::new();
        self.at += 1;
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.find(|c| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
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
            Reading::Strict => Err(self.bad("half of a surrogate pair stands alone")),
        }
    }

    fn hex_escape(&self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 6)?.strip_prefix("\\u")?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if plain { u32::from_str_radix(digits, 16).ok() } else { None }
    }

    /// A number, or `true`, `false`, `null`.
    fn word(&mut self) -> Result<(), NotJson> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length = rest
            .bytes()
            .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))
            .unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let lenient = self.reading == Reading::CPython && matches!(word, "NaN" | "Infinity" | "-Infinity");
        if !(matches!(word, "true" | "false" | "null") || lenient || is_number(word)) {
            return Err(self.bad("expected a value"));
        }
        self.at += length;
        Ok(())
    }
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
    use super::{Json, Reading, read};

    #[track_caller]
    fn check(text: &str, strict: &str, cpython: &str) {
        let say = |reading| match read(text, 0, reading) {
            Ok(Json::Object(keys)) => keys.into_iter().map(|(key, _)| key).collect::<Vec<_>>().join(","),
            Ok(Json::Other) => "other".to_owned(),
            Err(_) => "bad".to_owned(),
        };
        assert_eq!(say(Reading::Strict), strict, "{text}");
        assert_eq!(say(Reading::CPython), cpython, "{text}");
    }

    #[test]
    fn keys_of_the_outermost_object_are_found() {
        check("{}", "", "");
        check(r#"{"a": 1, "b": {"c": [1, "d", {"e": null}]}, "a": -1.5e3}"#, "a,b,a", "a,b,a");
        check(r#"{"\u0061\n": true}"#, "a\n", "a\n");
        check("[1, 2]", "other", "other");
        check("3", "other", "other");
        check(r#"{"a": "\ud83d\ude00"}"#, "a", "a");
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in
            ["", "{", "}", "{a: 1}", "{\"a\" 1}", "{\"a\": }", "{\"a\": 1,}", "[1,]", "{\"a\": 01}", "{} x"]
        {
            check(text, "bad", "bad");
        }
        for text in [
            "{\"a\": tru}",
            "{\"a\": +1}",
            "{\"a\": .5}",
            "{\"a\": '1'}",
            "{\"a\": \"\n\"}",
            "{\"a\": 1 // c\n}",
        ] {
            check(text, "bad", "bad");
        }
        check(&"[".repeat(100_000), "bad", "bad");
    }

    #[test]
    fn cpython_lets_more_through() {
        check(r#"{"a": NaN, "b": -Infinity}"#, "bad", "a,b");
        check(r#"{"a": "\ud800"}"#, "bad", "a");
    }
}
