//! Values whose name stands beside them and not in the text: of a header, a variable, a cookie.
//!
//! What counts is what counts behind a name in a text ([`assigned`](super::assigned)), and beside that names that only
//! headers have and the cookies that tell a server who somebody is. What a page hands out against forged requests is
//! no credential; neither are other cookies.

use call::Span;

use super::stand_in::{is_stand_in, is_wordy, looks_random};
use super::{Secret, assigned};

/// Longer values are documents.
const LONGEST: usize = 4_096;

/// The credential that `value` is, under this name.
pub(crate) fn under_name(name: &str, value: &str) -> Option<Secret> {
    let name = name.to_ascii_lowercase();
    if value.len() > LONGEST || is_against_forgery(&name) {
        return None;
    }
    let found = |span| Secret { kind: assigned::KIND, span };
    if matches!(name.as_str(), "cookie" | "set-cookie") {
        return session_in(value).map(found);
    }
    // Behind the name of a scheme: `token …`, `ApiKey …`.
    let scheme = match value.split_once(' ') {
        Some((scheme, _)) if name.ends_with("authorization") => scheme.len() + 1,
        _ => 0,
    };
    let written = value.get(scheme..)?;
    // As if it was written behind the name that most tell most.
    let stands_for = if is_key_header(&name) { "api-key" } else { &name };
    let key = assigned::NAMES.iter().filter(|key| stands_for.ends_with(*key)).max_by_key(|key| key.len())?;
    let line = format!("{stands_for}: \"{written}\"");
    let place = Span::new(stands_for.len() - key.len(), stands_for.len());
    assigned::find(&line, place)?;
    Some(found(Span::new(scheme, value.len())))
}

/// Headers that hold a key and are not called after one.
fn is_key_header(name: &str) -> bool {
    const WHOSE: &[&str] =
        &["subscription", "functions", "app", "application", "admin", "service", "account", "server", "team"];
    name.strip_suffix("-key").is_some_and(|front| WHOSE.iter().any(|whose| front.ends_with(whose)))
}

/// What a page hands out against forged requests, and checks with the next one.
pub(super) fn is_against_forgery(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["csrf", "xsrf", "authenticity", "requestverification"].iter().any(|word| name.contains(word))
}

/// The session in a line of a request or an answer, as a text shows it: `Cookie: session=…`. Examples are shorter.
pub(super) fn cookie_line(text: &str, place: Span) -> Option<Span> {
    const SHORTEST: usize = 20;
    let rest = text.get(place.end..)?;
    let opened = rest.len() - rest.trim_start_matches([' ', '"', '\'']).len();
    let rest = rest.get(opened..)?;
    // A blank stands only between two of them, so that no line is read again for each word in it.
    let ends = |(at, byte): (usize, u8)| match byte {
        b' ' => at.checked_sub(1).is_none_or(|before| rest.as_bytes().get(before) != Some(&b';')),
        _ => matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'\\' | b'<'),
    };
    let end = rest.bytes().take(LONGEST).enumerate().position(ends).unwrap_or(rest.len().min(LONGEST));
    let session = session_in(rest.get(..end)?.trim_end())?;
    let start = place.end + opened;
    (session.end - session.start >= SHORTEST).then(|| Span::new(start + session.start, start + session.end))
}

/// The value of the first cookie that says whose session it is.
fn session_in(cookies: &str) -> Option<Span> {
    const TELLING: &[&str] = &["sess", "auth", "token", "jwt", "remember", "login"];
    let mut start = 0;
    cookies.split_inclusive(';').find_map(|written| {
        let place = start;
        start += written.len();
        let (name, value) = written.trim_end_matches(';').split_once('=')?;
        let lower = name.trim().to_ascii_lowercase();
        let telling = lower.ends_with("sid") || TELLING.iter().any(|part| lower.contains(part));
        let drawn = value.len() >= 16 && looks_random(value) && !is_wordy(value) && !is_stand_in(value);
        let from = place + name.len() + 1;
        (telling && drawn && !is_against_forgery(&lower)).then(|| Span::new(from, from + value.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::under_name;

    #[test]
    fn a_value_is_told_by_the_name_beside_it() {
        let drawn = "k3JxQ9vLw2ZrT8nYb5MdHc7F";
        let hex = "9b2c8e5d7f1a4066c3e9d8b7a5f4e3d2";
        let cases = [
            // name, value, is it a credential?
            ("X-Api-Key", drawn.to_owned(), true),
            ("x-api-key", hex.to_owned(), true),
            ("Api-Key", hex.to_owned(), true),
            ("X-Auth-Token", drawn.to_owned(), true),
            ("PRIVATE-TOKEN", drawn.to_owned(), true),
            ("X-Secret", drawn.to_owned(), true),
            ("Ocp-Apim-Subscription-Key", hex.to_owned(), true),
            ("Authorization", drawn.to_owned(), true),
            ("Authorization", format!("token {hex}"), true),
            ("Authorization", format!("ApiKey {drawn}"), true),
            ("Cookie", format!("theme=dark; session={drawn}"), true),
            ("Cookie", format!("sid=s%3A{hex}.KpQ2mVx7"), true),
            ("Cookie", format!("__Host-PHPSESSID={drawn}"), true),
            ("API_KEY", drawn.to_owned(), true),
            ("DB_PASSWORD", "hunter2".to_owned(), true),
            ("X-Api-Key", "YOUR_API_KEY".to_owned(), false),
            ("X-Api-Key", "{{api_key}}".to_owned(), false),
            ("X-Api-Key", "$API_KEY".to_owned(), false),
            ("X-Api-Key", "test".to_owned(), false),
            ("X-Api-Version", "2024-11-19".to_owned(), false),
            ("Authorization", "Bearer $TOKEN".to_owned(), false),
            ("X-CSRF-Token", hex.to_owned(), false),
            ("X-Next-Page-Token", drawn.to_owned(), false),
            ("Idempotency-Key", drawn.to_owned(), false),
            ("If-None-Match", hex.to_owned(), false),
            ("X-Request-Id", drawn.to_owned(), false),
            ("Cache-Key", hex.to_owned(), false),
            ("Cookie", format!("theme=dark; _ga=GA1.2.1234567890.{hex}"), false),
            ("Cookie", format!("csrftoken={drawn}"), false),
            ("Cookie", "session=example-session-of-the-manual".to_owned(), false),
            ("Accept", "application/vnd.github+json".to_owned(), false),
            ("PASSWORD_FILE", "/run/secrets/db".to_owned(), false),
            ("DB_PASSWORD", "changeme".to_owned(), false),
        ];
        for (name, value, want) in cases {
            assert_eq!(under_name(name, &value).is_some(), want, "{name}: {value}");
        }
    }
}
