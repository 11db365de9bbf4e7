//! A value that only its place ties to its name: the next argument of a call (`setenv("API_TOKEN", "…")`), what a
//! setter is given (`setPassword("…")`), and what stands under `value` where the name stands under `name`.
//!
//! Names stand beside names, translations and types in the same way, so what is found here must look drawn; see
//! [`super::assigned`].

use super::assigned::words_of;

/// How far the value stands behind the name that ends where `rest` begins. `front` is what stands in front of the
/// keyword in the same name.
pub(super) fn offset(front: &str, rest: &str) -> Option<usize> {
    // `<input name="_token" value="…">`: a form's token against forged requests.
    let of_a_form = matches!(front, "_" | "form_");
    let value = under_value(rest)
        .filter(|_| !of_a_form)
        .or_else(|| next_argument(rest))
        .or_else(|| given(front, rest))?;
    Some(rest.len() - value.len())
}

/// Mostly words and the numbers beside them, as names and titles are: `Rfc6750BearerUsage`. With a capital in front a
/// word is shorter than without.
pub(super) fn is_named(value: &str) -> bool {
    let (mut letters, mut in_words) = (0, 0);
    let mut end = |length: usize, capital: bool| {
        letters += length;
        in_words += if length >= if capital { 3 } else { 4 } { length } else { 0 };
    };
    let (mut length, mut capital) = (0, false);
    for byte in value.bytes() {
        if byte.is_ascii_lowercase() && length > 0 {
            length += 1;
            continue;
        }
        end(length, capital);
        capital = byte.is_ascii_uppercase();
        length = usize::from(byte.is_ascii_alphabetic());
    }
    end(length, capital);
    in_words * 3 >= letters * 2
}

/// Is this a file by its name? A key beside its name is as often where it lies.
pub(super) fn is_file(value: &str) -> bool {
    let ending = value.rsplit_once('.').map_or("", |(_, ending)| ending);
    (2..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Is this an address on a chain, as tokens there have? Keys are longer.
pub(super) fn is_address(value: &str) -> bool {
    let digits = value.strip_prefix("0x").unwrap_or_default();
    digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// `"API_TOKEN", "…"`: the name in quotes, a comma, and a value in quotes.
fn next_argument(rest: &str) -> Option<&str> {
    let behind = rest.strip_prefix(['"', '\'', '`'])?.trim_start_matches([' ', '\t']);
    opened(behind.strip_prefix(',')?)
}

/// `.withPassword("…")`. What asks for a secret by its name, or looks at one, is given something else.
fn given<'r>(front: &str, rest: &'r str) -> Option<&'r str> {
    const ASKING: &[&str] = &[
        "get", "find", "fetch", "load", "read", "lookup", "resolve", "has", "is", "check", "verify",
        "validate", "decode", "parse", "hash", "encrypt", "decrypt", "mask", "redact", "delete", "remove",
        "revoke", "create", "new", "make", "expect", "assert", "test", "describe", "require", "match",
        "next", "from", "to", "import",
    ];
    let behind = rest.strip_prefix('(')?;
    let asks = words_of(front).iter().any(|word| ASKING.contains(&&**word));
    (!asks).then(|| opened(behind)).flatten()
}

/// `name: API_TOKEN`, and in the next line or behind a comma `value: …`; attributes of an element.
fn under_value(rest: &str) -> Option<&str> {
    const FAR: usize = 120;
    let between = |sign: char| sign.is_whitespace() || matches!(sign, ',' | ';');
    let behind = rest.strip_prefix(['"', '\'']).unwrap_or(rest);
    let next = behind.trim_start_matches(between);
    let gap = behind.get(..behind.len() - next.len()).filter(|gap| (1..=FAR).contains(&gap.len()))?;
    (gap.matches('\n').count() <= 1).then_some(())?;
    let key = next.strip_prefix(['"', '\'']).unwrap_or(next);
    let key = key.strip_prefix("Parameter").unwrap_or(key);
    let behind = key.strip_prefix("value").or_else(|| key.strip_prefix("Value"))?;
    let behind = behind.strip_prefix(['"', '\'']).unwrap_or(behind).trim_start_matches([' ', '\t']);
    Some(behind.strip_prefix([':', '='])?.trim_start_matches([' ', '\t']))
}

/// Up to the quote that opens a string.
fn opened(behind: &str) -> Option<&str> {
    let value = behind.trim_start_matches([' ', '\t']);
    value.starts_with(['"', '\'', '`']).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::{is_named, offset};

    #[test]
    fn a_name_is_mostly_words() {
        let cases = [
            // value, is it a name?
            ("Rfc6750BearerUsage", true),
            ("MotDePasse12", true),
            ("userToken22", true),
            ("Users2024", true),
            ("m41PB2qs353f2Huu", false),
            ("Tr0ub4dor&3", false),
            ("k9Qz3VnT7xWb2Lr8PmYc5Jd1", false),
        ];
        for (value, want) in cases {
            assert_eq!(is_named(value), want, "{value}");
        }
    }

    #[test]
    fn a_value_is_tied_to_its_name_by_its_place() {
        let cases = [
            // in front of the keyword, behind it, from where the value stands
            ("DB_", "', 'a')", Some("'a')")),
            ("DB_", "\", \"a\")", Some("\"a\")")),
            ("DB_", "\", a)", None),
            ("with", "(\"a\")", Some("\"a\")")),
            ("get", "(\"a\")", None),
            ("find_", "(\"a\")", None),
            ("", "(a)", None),
            ("API_", "\n  value: a", Some("a")),
            ("API_", "\", \"value\": \"a\"", Some("\"a\"")),
            ("Api", "\" value=\"a\"", Some("\"a\"")),
            ("Db", ",ParameterValue=a", Some("a")),
            ("API_", "\n\n  value: a", None),
            ("API_", "\n  valueFrom: a", None),
            ("API_", "value: a", None),
            ("_", "\" value=\"a\"", None),
        ];
        for (front, rest, want) in cases {
            let found = offset(front, rest).and_then(|offset| rest.get(offset..));
            assert_eq!(found, want, "{front} {rest}");
        }
    }
}
