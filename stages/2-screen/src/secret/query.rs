//! Keys under a short name in the query of an address: `?sk=…`.
//!
//! The name alone says little: `sk` is also a language, the tab of a page and the key that a table is sorted by. So the
//! value must be a long one that nobody thought up, and none that such names are given: no hash, no number, no place in
//! a list. It is read without its percent signs. Elsewhere than in a query the name is a part of a table's key.

use call::Span;

use super::stand_in::{is_stand_in, is_wordy};

/// Such names with the signs around them.
pub(super) const NAMES: &[&str] = &["?sk=", "&sk="];

/// The value of the name at `place`, if it is a key.
pub(super) fn find(text: &str, place: Span) -> Option<Span> {
    stands_in_address(text.get(..place.start)?).then_some(())?;
    let rest = text.get(place.end..)?.as_bytes();
    let sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+/_-=%.~".contains(&byte);
    let length = rest.iter().take(LONGEST + 1).take_while(|&&byte| sign(byte)).count();
    let span = Span::new(place.end, place.end + length);
    let value = without_percent(span.of(text).filter(|_| length <= LONGEST)?)?;
    is_drawn(&value).then_some(span)
}

/// Longer than this it is a document or the place in a list, and no key.
const LONGEST: usize = 300;

/// Does an address go up to the end of `before`? An address without its scheme is a path.
fn stands_in_address(before: &str) -> bool {
    const FAR: usize = 2000;
    let near = before.get(before.floor_char_boundary(before.len().saturating_sub(FAR))..).unwrap_or_default();
    let word = near.rsplit(|sign: char| sign.is_whitespace() || "\"'<>`".contains(sign)).next();
    word.is_some_and(|word| word.contains("://"))
}

/// Is this a key that a machine drew?
fn is_drawn(value: &str) -> bool {
    const SHORTEST: usize = 32;
    let bytes = value.as_bytes();
    let count = |of: fn(&u8) -> bool| bytes.iter().filter(|byte| of(byte)).count();
    let mixed = count(u8::is_ascii_digit) >= 2
        && count(u8::is_ascii_lowercase) >= 4
        && count(u8::is_ascii_uppercase) >= 4;
    let plain = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/_-=.~".contains(byte));
    // JSON as base64 says where a list goes on.
    let json = value.starts_with("eyJ");
    value.len() >= SHORTEST && mixed && plain && !json && !is_stand_in(value) && !is_wordy(value)
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
    fn a_key_under_a_short_name_in_an_address_is_told_from_what_else_has_that_name() {
        let cases = [
            // text, what is found
            ("https://a.example/?sk=3N9%2BCNEheAPbaBLBIe579%2Bg%2Bl5hdnODi/fqrJ%2BTh", true),
            ("https://a.example/?sk=3N9%252BCNEheAPbaBLBIe579%252Bg%252Bl5hdnODi", true),
            ("see https://a.example/x?a=1&sk=3N9+CNEheAPbaBLBIe579+g+l5hdnODi", true),
            ("https://a.example/?sk=3N9CNEheAPbaBLBIe579gl5hdnODi", false),
            ("https://a.example/?sk=photos_albums", false),
            ("https://a.example/?sk=USER%23123", false),
            ("https://a.example/?sk=da39a3ee5e6b4b0d3255bfef95601890afd80709", false),
            ("https://a.example/?sk=eyJpZCI6MTIzNDU2Nzg5LCJkaXIiOiJuZXh0In0%3D", false),
            ("https://a.example/?disk=3N9+CNEheAPbaBLBIe579+g+l5hdnODi", false),
            ("https://a.example/?sk=%zz9CNEheAPbaBLBIe579gl5hdnODi", false),
            ("https://a.example/ a?sk=3N9+CNEheAPbaBLBIe579+g+l5hdnODi", false),
            ("sk=3N9+CNEheAPbaBLBIe579+g+l5hdnODi", false),
            ("{\"sk\": \"3N9+CNEheAPbaBLBIe579+g+l5hdnODi/fqrJ+Th\"}", false),
            ("https://a.example/?pass=3N9+CNEheAPbaBLBIe579+g+l5hdnODi", false),
        ];
        for (text, want) in cases {
            let places = NAMES.iter().flat_map(|name| text.match_indices(name));
            let found = places.filter_map(|(at, name)| find(text, Span::new(at, at + name.len()))).count();
            assert_eq!(found > 0, want, "{text}");
        }
    }
}
