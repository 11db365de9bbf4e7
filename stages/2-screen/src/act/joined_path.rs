//! Paths that a program puts together from strings: `Path.home() / ".ssh" / "id_rsa"`.

use call::Span;

/// How many strings are put together at most, and how far back the first of them is looked for.
const MOST: usize = 8;
const FAR: usize = 64;

/// The path that the string around `place` is a part of; nothing when it stands alone.
pub(super) fn joined(text: &str, place: Span) -> Option<(String, Span)> {
    let bytes = text.as_bytes();
    let own = literal_around(bytes, place)?;
    let mut span = own;
    let mut parts = vec![own];
    while parts.len() < MOST
        && let Some(next) = literal_behind(bytes, span.end)
    {
        parts.push(next);
        span.end = next.end;
    }
    while parts.len() < MOST
        && let Some(before) = literal_in_front(bytes, span.start)
    {
        parts.insert(0, before);
        span.start = before.start;
    }
    let from = text.floor_char_boundary(span.start.saturating_sub(32));
    let front = text.get(from..span.start)?.to_ascii_lowercase();
    let at_home = front.contains("home") || front.contains("userprofile");
    if parts.len() < 2 && !at_home {
        return None;
    }
    // Each part stands between its quotes.
    let inner = |part: &Span| text.get(part.start + 1..part.end - 1).map(|text| text.trim_matches('/'));
    let parts: Option<Vec<&str>> = parts.iter().map(inner).collect();
    let home = if at_home { "~/" } else { "" };
    Some((format!("{home}{}", parts?.join("/")), span))
}

const fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// A string on one line, with its quotes.
fn literal_around(bytes: &[u8], place: Span) -> Option<Span> {
    let before = bytes.get(place.start.saturating_sub(FAR)..place.start)?;
    let back = before.iter().rev().position(|&byte| is_quote(byte) || byte == b'\n')?;
    let start = place.start - back - 1;
    let quote = *bytes.get(start).filter(|&&byte| is_quote(byte))?;
    let behind = bytes.get(place.end..)?.iter().take(FAR).position(|&byte| byte == quote || byte == b'\n')?;
    let end = place.end + behind;
    (bytes.get(end) == Some(&quote)).then(|| Span::new(start, end + 1))
}

/// What stands between two strings that are put together.
const fn is_between(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b',' | b'/' | b'+' | b')' | b'(' | b'.')
        || byte.is_ascii_lowercase()
}

fn literal_behind(bytes: &[u8], end: usize) -> Option<Span> {
    let rest = bytes.get(end..)?;
    let gap = rest.iter().take(24).position(|&byte| is_quote(byte))?;
    let between = rest.get(..gap)?;
    if !ties(between) {
        return None;
    }
    let start = end + gap;
    let quote = *bytes.get(start)?;
    let length = bytes.get(start + 1..)?.iter().take(FAR).position(|&byte| byte == quote || byte == b'\n')?;
    let close = start + 1 + length;
    (bytes.get(close) == Some(&quote)).then(|| Span::new(start, close + 1))
}

fn literal_in_front(bytes: &[u8], start: usize) -> Option<Span> {
    let before = bytes.get(start.saturating_sub(24)..start)?;
    let gap = before.iter().rev().position(|&byte| is_quote(byte))?;
    let between = before.get(before.len() - gap..)?;
    if !ties(between) {
        return None;
    }
    let close = start - gap - 1;
    let quote = *bytes.get(close)?;
    let inside = bytes.get(close.saturating_sub(FAR)..close)?;
    let length = inside.iter().rev().position(|&byte| byte == quote || byte == b'\n')?;
    let open = close - length - 1;
    (bytes.get(open) == Some(&quote)).then(|| Span::new(open, close + 1))
}

/// A sign that puts together, and nothing else but the names of calls that do.
fn ties(between: &[u8]) -> bool {
    let signs = between.iter().filter(|byte| matches!(byte, b',' | b'/' | b'+' | b'(')).count();
    let called = between.iter().any(u8::is_ascii_lowercase);
    let joins = !called || memchr::memmem::find(between, b"join").is_some();
    (1..=3).contains(&signs) && between.iter().all(|&byte| is_between(byte)) && joins
}

#[cfg(test)]
mod tests {
    use super::joined;
    use call::Span;

    #[test]
    fn strings_that_are_one_path_are_read_as_one() {
        let cases = [
            // program, the word that is looked at, the path
            ("Path.home() / '.ssh' / 'id_rsa'", ".ssh", Some("~/.ssh/id_rsa")),
            ("os.path.join(d, \".ssh\", \"id_rsa\")", ".ssh", Some(".ssh/id_rsa")),
            ("path.join(os.homedir(), '.aws', 'credentials')", ".aws", Some("~/.aws/credentials")),
            ("p.joinpath('.ssh').joinpath('id_rsa')", ".ssh", Some(".ssh/id_rsa")),
            ("open(home + '/.netrc')", ".netrc", Some("~/.netrc")),
            ("names = ['.ssh', 'id_rsa']", ".ssh", Some(".ssh/id_rsa")),
            ("x = '.ssh'\ny = 'id_rsa'", ".ssh", None),
            ("print('.ssh')", ".ssh", None),
        ];
        for (text, word, want) in cases {
            let start = text.find(word).unwrap_or_default();
            let found = joined(text, Span::new(start, start + word.len()));
            assert_eq!(found.map(|(path, _)| path).as_deref(), want, "{text}");
        }
    }
}
