//! The arguments of a call, and the hash by which a ledger speaks of them.

use std::fmt::Write as _;
use std::sync::LazyLock;

use serde_json::Value;

use crate::Sha256;
use crate::json::{self, Json, JsonNode, NotJson, Reading};

/// The arguments of one call: an object, read strictly.
///
/// ```
/// use call::Arguments;
///
/// let arguments: Arguments = r#"{"path": "README.md"}"#.parse()?;
/// assert_eq!(
///     arguments.hash(),
///     "sha256:19b4e2f4c9a2ed43afc86e1b6ec5ab348ad83d1407b08122436a948943be83b2"
/// );
///
/// assert!(r#"["README.md"]"#.parse::<Arguments>().is_err());
/// # Ok::<(), call::BadArguments>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments(
    // Invariant: an object.
    Value,
);

impl Default for Arguments {
    fn default() -> Self {
        Self(Value::Object(serde_json::Map::new()))
    }
}

/// A text is not the arguments of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadArguments {
    /// It is not JSON, or JSON that can be read in two ways.
    #[error("the arguments are {0}")]
    NotJson(#[from] NotJson),
    /// It is JSON, and not an object.
    #[error("the arguments are {0}, expected an object such as `{{\"path\": \"README.md\"}}`")]
    NotObject(&'static str),
    /// There is more of it than the gate reads.
    #[error("the arguments have {0} bytes, more than the 16 MiB that a call may carry")]
    TooLarge(usize),
}

impl Arguments {
    /// Bytes of JSON that are read.
    pub const LARGEST: usize = 16 * 1024 * 1024;

    /// The arguments by name.
    #[must_use]
    pub fn values(&self) -> &serde_json::Map<String, Value> {
        static NONE: LazyLock<serde_json::Map<String, Value>> = LazyLock::new(serde_json::Map::new);
        self.0.as_object().unwrap_or(&NONE)
    }

    /// The same as one value, an object.
    #[must_use]
    pub const fn as_value(&self) -> &Value {
        &self.0
    }

    /// `sha256:` and the digest of the form that Python's `json.dumps(…, sort_keys=True)` writes, so
    /// that ledgers of other systems name the same call by the same hash.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut text = String::new();
        write_object(self.values(), &mut text);
        format!("sha256:{}", Sha256::of(text.as_bytes()))
    }
}

impl Arguments {
    /// `hmac-sha256:` and a hash with a key, for arguments that could be guessed back from a plain one.
    #[must_use]
    pub fn keyed_hash(&self, key: &[u8; 32]) -> String {
        let mut text = String::new();
        write_object(self.values(), &mut text);
        format!("hmac-sha256:{}", Sha256::keyed(key, text.as_bytes()))
    }
}

impl From<serde_json::Map<String, Value>> for Arguments {
    fn from(values: serde_json::Map<String, Value>) -> Self {
        Self(Value::Object(sorted(values)))
    }
}

/// Keys in order, at every level: nothing may depend on how they were written.
fn sorted(values: serde_json::Map<String, Value>) -> serde_json::Map<String, Value> {
    let mut entries: Vec<(String, Value)> = values.into_iter().collect();
    entries.sort_by(|(one, _), (other, _)| one.cmp(other));
    entries.into_iter().map(|(key, value)| (key, sorted_value(value))).collect()
}

fn sorted_value(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(sorted_value).collect(),
        Value::Object(values) => Value::Object(sorted(values)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value,
    }
}

impl std::str::FromStr for Arguments {
    type Err = BadArguments;

    fn from_str(text: &str) -> Result<Self, BadArguments> {
        if text.len() > Self::LARGEST {
            return Err(BadArguments::TooLarge(text.len()));
        }
        let json = json::read(text, 0, Reading::Strict)?;
        let kind = json.kind();
        match json {
            Json { node: JsonNode::Object(_), .. } => match json.into_value() {
                values @ Value::Object(_) => Ok(Self(values)),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                    Err(BadArguments::NotObject(kind))
                }
            },
            Json { .. } => Err(BadArguments::NotObject(kind)),
        }
    }
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                if place > 0 {
                    out.push_str(", ");
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => write_object(map, out),
    }
}

/// Keys in the order of their code points, as Python sorts them; UTF-8 bytes sort alike.
fn write_object(map: &serde_json::Map<String, Value>, out: &mut String) {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by_key(|(key, _)| *key);
    out.push('{');
    for (place, (key, value)) in entries.into_iter().enumerate() {
        if place > 0 {
            out.push_str(", ");
        }
        write_text(key, out);
        out.push_str(": ");
        write_value(value, out);
    }
    out.push('}');
}

/// ASCII only; what is not becomes `\uXXXX`, in pairs beyond the first plane.
fn write_text(text: &str, out: &mut String) {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\';
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    loop {
        // Nearly all of a text stands as it is.
        let plain = rest.bytes().take_while(|&byte| is_plain(byte)).count();
        let (before, behind) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        out.push_str(before);
        let mut characters = behind.chars();
        let Some(character) = characters.next() else { break };
        rest = characters.as_str();
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            _ => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

/// Whole numbers as they are; floats as `repr` prints them: the shortest digits that read back, an
/// exponent below 1e-4 and from 1e16 on, of two digits at least.
fn write_number(number: &serde_json::Number, out: &mut String) {
    let Some(float) = number.as_f64().filter(|_| number.is_f64()) else {
        let _ = write!(out, "{number}");
        return;
    };
    // Rust writes the shortest digits too, as `d.ddde-7`.
    let shortest = format!("{float:e}");
    let (digits, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let _ = if (-4..16).contains(&exponent) {
        let plain = format!("{float}");
        let point = if plain.contains('.') { "" } else { ".0" };
        write!(out, "{plain}{point}")
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        write!(out, "{digits}e{sign}{:02}", exponent.unsigned_abs())
    };
}

#[cfg(test)]
mod tests {
    use super::Arguments;

    #[test]
    fn hashes_are_those_of_other_ledgers() {
        let cases = [
            ("{}", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
            (r#"{"path":"README.md"}"#, "19b4e2f4c9a2ed43afc86e1b6ec5ab348ad83d1407b08122436a948943be83b2"),
            (
                r#"{"b":1,"a":[1,2,{"z":null,"y":true}]}"#,
                "eb9a21c06ddf154af08bae917248d0b947a0c6263aa4e84a972c51757e0b9557",
            ),
            (r#"{"f":1.0,"g":1e21}"#, "adcf1fe5543dfeb9d22e7585cc7fc683f7e69c778f952baa2604237db4bb567e"),
        ];
        for (text, want) in cases {
            let arguments: Arguments = text.parse().unwrap();
            assert_eq!(arguments.hash(), format!("sha256:{want}"), "{text}");
        }
    }

    #[test]
    fn floats_are_written_as_python_prints_them() {
        let cases = [
            ("1.0", "1.0"),
            ("-0.0", "-0.0"),
            ("-0", "0"),
            ("0.1", "0.1"),
            ("1e15", "1000000000000000.0"),
            ("1e16", "1e+16"),
            ("123456789012345680.0", "1.2345678901234568e+17"),
            ("0.0001", "0.0001"),
            ("0.00001", "1e-05"),
            ("1.5e-7", "1.5e-07"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"),
            ("5e-324", "5e-324"),
            ("100", "100"),
        ];
        for (text, want) in cases {
            let arguments: Arguments = format!("{{\"n\":{text}}}").parse().unwrap();
            let mut got = String::new();
            super::write_object(arguments.values(), &mut got);
            assert_eq!(got, format!("{{\"n\": {want}}}"), "{text}");
        }
    }

    #[test]
    fn text_is_written_in_ascii() {
        let arguments: Arguments = "{\"é\": \"\\u0000\u{7f}😀\\b\"}".parse().unwrap();
        let mut got = String::new();
        super::write_object(arguments.values(), &mut got);
        assert_eq!(got, r#"{"\u00e9": "\u0000\u007f\ud83d\ude00\b"}"#);
    }
}
