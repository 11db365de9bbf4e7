//! Keys under short names in an address or a form: `?sk=…`, `&pass=…`.
//!
//! The names alone say little: `sk` is also a language, the tab of a page and the key that a table is sorted by. So the
//! value must be one that nobody thought up, and none that such names are given: no hash, no number, no place in a
//! list. It is read without its percent signs.

use call::Span;

use super::stand_in::{is_stand_in, is_wordy};

/// Such names with the sign behind them; what stands in front is looked at.
pub(super) const NAMES: &[&str] =
    &["sk=", "skey=", "pass=", "?auth=", "&auth=", "?key=", "&key=", "\"sk\"", "\"skey\""];

/// The value of the name at `place`, if it is a key.
pub(super) fn find(text: &str, place: Span) -> Option<Span> {
    let name = place.of(text)?.to_ascii_lowercase();
    let before = text.get(..place.start)?.as_bytes().last().copied();
    let begins = name.starts_with(['?', '&', '"']) || matches!(before, None | Some(b'?' | b'&' | b';'));
    begins.then_some(())?;
    let mut start = place.end;
    if name.starts_with('"') {
        let rest = text.get(start..)?;
        let value = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        start += rest.len() - value.len();
    }
    let rest = text.get(start..)?.as_bytes();
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+/_-=%.~".contains(&byte);
    let length = rest.iter().take(LONGEST + 1).take_while(|&&byte| sign(byte)).count();
    let span = Span::new(start, start + length);
    let value = without_percent(span.of(text).filter(|_| length <= LONGEST)?)?;
    is_drawn(&value, name.contains("key=") && !name.starts_with("sk")).then_some(span)
}

/// Longer than this it is a document or the place in a list, and no key.
const LONGEST: usize = 300;

/// Is this a key that a machine drew? Under a name that says nothing, only if it has the form of one.
fn is_drawn(value: &str, vague: bool) -> bool {
    let bytes = value.as_bytes();
    let count = |of: fn(&u8) -> bool| bytes.iter().filter(|byte| of(byte)).count();
    let mixed = count(u8::is_ascii_digit) >= 2
        && count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_uppercase) >= 4;
    let plain = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/_-=.~".contains(byte));
    let enough = if vague { value.len() == 40 && value.contains(['+', '/']) } else { value.len() >= 24 };
    // JSON as base64 says where a list goes on.
    enough && mixed && plain && !value.starts_with("eyJ") && !is_stand_in(value) && !is_wordy(value)
}

/// With the bytes that percent signs stand for, also where those were written so once more.
fn without_percent(value: &str) -> Option<String> {
    let mut plain = value.to_owned();
    for _ in 0..2 {
        if !plain.contains('%') {
            break;
        }
        let mut decoded = String::with_capacity(plain.len());
        let mut parts = plain.split('%');
        decoded.push_str(parts.next()?);
        for part in parts {
            let byte = u8::from_str_radix(part.get(..2)?, 16).ok().filter(u8::is_ascii)?;
            decoded.push(char::from(byte));
            decoded.push_str(part.get(2..)?);
        }
        plain = decoded;
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::{NAMES, find};
    use call::Span;

    #[test]
    fn a_key_under_a_short_name_is_told_from_what_else_has_that_name() {
        let cases = [
            // text, what is found
            ("?sk=3N9%2BCNEheAPbaBLBIe579%2Bg%2Bl5hdnODi/fqrJ%2BTh", true),
            ("?sk=3N9%252BCNEheAPbaBLBIe579%252Bg%252Bl5hdnODi", true),
            ("a=1&sk=3N9+CNEheAPbaBLBIe579+g+l5hdnODi", true),
            ("sk=3N9CNEheAPbaBLBIe579gl5hdnODi", true),
            ("{\"sk\": \"3N9+CNEheAPbaBLBIe579+g+l5hdnODi/fqrJ+Th\"}", true),
            ("?pass=3N9CNEheAPbaBLBIe579gl5hdnODi", true),
            ("?key=3N9%2BCNEheAPbaBLBIe579%2Bg%2Bl5hdnODi%2FfqrJ%2BTh", true),
            ("?key=3N9CNEheAPbaBLBIe579gl5hdnODi", false),
            ("?key=photos/2024/IMG_0042.JPG", false),
            ("?sk=photos_albums", false),
            ("?sk=USER%23123", false),
            ("?sk=da39a3ee5e6b4b0d3255bfef95601890afd80709", false),
            ("?sk=eyJpZCI6MTIzNDU2Nzg5LCJkaXIiOiJuZXh0In0%3D", false),
            ("disk=3N9CNEheAPbaBLBIe579gl5hdnODi", false),
            ("task=3N9CNEheAPbaBLBIe579gl5hdnODi", false),
            ("?sk=%zz9CNEheAPbaBLBIe579gl5hdnODi", false),
        ];
        for (text, want) in cases {
            let places = NAMES.iter().flat_map(|name| text.match_indices(name));
            let found = places.filter_map(|(at, name)| find(text, Span::new(at, at + name.len()))).count();
            assert_eq!(found > 0, want, "{text}");
        }
    }
}
