//! Credentials that can be told by what stands around them.

use call::Span;

use super::stand_in::{is_stand_in, is_wordy, looks_random};

/// Kind, keyword, and the function that looks for the credential around it.
pub(super) const STRUCTURES: &[(&str, &str, fn(&str, Span) -> Option<Span>)] = &[
    ("private_key", "-----BEGIN ", key_block),
    ("private_key", "PuTTY-User-Key-File-", putty_key),
    ("url_password", "://", url_password),
    ("authorization", "bearer ", bearer),
    ("authorization", "basic ", basic),
    ("jwt", "eyJ", web_token),
    ("mailchimp_key", "-us", mailchimp_key),
];

/// A PEM or PGP private key. The header alone is a mention; with a body behind it, it is a key.
fn key_block(text: &str, place: Span) -> Option<Span> {
    let rest = text.get(place.end..)?;
    let label = rest.get(..rest.bytes().take(64).position(|byte| byte == b'-')?)?;
    label.contains("PRIVATE KEY").then_some(())?;
    let header = place.end + label.len();
    // Headers of the block, line ends, quote marks and literal `\n` may stand before the body and
    // between its lines.
    let window = rest.get(label.len()..)?;
    let end_mark = window.find("-----END").map(|end| header + end);
    let mut digits = 0;
    let mut body_end = header;
    for (at, word) in words(window.get(5..)?, header + 5) {
        if word.starts_with("-----END") || digits > 4_000 {
            break;
        }
        let word = word.trim_start_matches("\\n").trim_start_matches("\\r\\n");
        let chunks = word.split("\\n").map(|chunk| chunk.trim_end_matches("\\r"));
        let encoded: usize = chunks.map(encoded_length).sum();
        if word.contains("...") || word.contains('<') || word.contains('…') {
            break;
        }
        if encoded > 0 {
            digits += encoded;
            body_end = at + word.len();
        } else if digits > 0 {
            break;
        }
        if at > header + 400 && digits == 0 {
            break;
        }
    }
    let closed = end_mark.is_some_and(|end| end < body_end + 40);
    let real = digits >= 40 || (closed && digits >= 16);
    real.then(|| {
        Span::new(
            place.start,
            end_mark.filter(|&end| end >= body_end && end < body_end + 40).unwrap_or(body_end),
        )
    })
}

/// The words of a text and where they start.
fn words(text: &str, offset: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = offset;
    text.split_inclusive(|character: char| character.is_whitespace() || matches!(character, '"' | '\'' | ','))
        .map(move |word| {
            let start = at;
            at += word.len();
            (start, word.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',')))
        })
}

/// The length of a stretch of base64, and nothing for a stretch of anything else.
fn encoded_length(chunk: &str) -> usize {
    let chunk = chunk.split("-----").next().unwrap_or_default();
    let plain = chunk.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
    let digit = chunk.bytes().any(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'/' | b'='));
    let long = chunk.len() >= 12
        && (digit || chunk.len() >= 32 || chunk.bytes().any(|byte| byte.is_ascii_uppercase()));
    if plain && long { chunk.len() } else { 0 }
}

fn putty_key(text: &str, place: Span) -> Option<Span> {
    let window = text.get(place.end..)?;
    let lines = window.lines().take(60).position(|line| line.trim().starts_with("Private-Lines:"))?;
    let mut end = place.end;
    for line in window.split_inclusive('\n').take(lines + 2) {
        end += line.len();
    }
    Some(Span::new(place.start, end))
}

/// `scheme://user:password@host`, and a token in the place of the user.
fn url_password(text: &str, place: Span) -> Option<Span> {
    let before = text.get(..place.start)?.as_bytes();
    before.last().filter(|byte| byte.is_ascii_alphanumeric())?;
    let rest = text.get(place.end..)?;
    let stops = |byte: u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'/' | b'?' | b',' | b'#' | b'"' | b'\'' | b'`' | b'|' | b'\\')
    };
    let authority = rest.get(..rest.bytes().take(512).position(stops).unwrap_or(rest.len().min(512)))?;
    let (user_info, host) = authority.rsplit_once('@')?;
    host.starts_with(|first: char| first.is_ascii_alphanumeric() || matches!(first, '[' | '$' | '{' | '<'))
        .then_some(())?;
    let (user, password) = user_info.split_once(':').unwrap_or((user_info, ""));
    let start = place.end + if password.is_empty() { 0 } else { user.len() + 1 };
    let span = Span::new(start, place.end + user_info.len());
    if password.is_empty() {
        return (user.len() >= 20 && looks_random(user) && !is_stand_in(user)).then_some(span);
    }
    let repeats_user = password.eq_ignore_ascii_case(user);
    let variable = password.starts_with(['$', '%', '{', '<', '[', '*', ':']) || password.contains("://");
    (password.len() >= 3 && !repeats_user && !variable && !is_stand_in(password)).then_some(span)
}

fn bearer(text: &str, place: Span) -> Option<Span> {
    let token = token_behind(text, place)?;
    let value = token.of(text)?;
    let real = value.len() >= 16 && looks_random(value) && !is_wordy(value) && !is_stand_in(value);
    real.then_some(token)
}

/// Basic authentication: base64 of a name, a colon and a password.
fn basic(text: &str, place: Span) -> Option<Span> {
    let token = token_behind(text, place)?;
    let value = token.of(text)?.trim_end_matches('=');
    (value.len() >= 8 && !is_stand_in(value)).then_some(())?;
    let decoded = crate::reading::encoded::decode_base64(value)?;
    let (_, password) = decoded.split_once(':')?;
    (password.len() >= 3 && !is_stand_in(password)).then_some(token)
}

/// The word behind a scheme such as `Bearer`, as far as it is written like a token.
fn token_behind(text: &str, place: Span) -> Option<Span> {
    let rest = text.get(place.end..)?;
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let start = place.end + blanks;
    let token = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=')
    };
    let length = text.as_bytes().get(start..)?.iter().take(4_096).take_while(|byte| token(byte)).count();
    let trimmed = text.get(start..start + length)?.trim_end_matches(['.', '-']);
    Some(Span::new(start, start + trimmed.len()))
}

/// A JSON web token: three parts, the first two of them JSON.
fn web_token(text: &str, place: Span) -> Option<Span> {
    (place.of(text)? == "eyJ").then_some(())?;
    let digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    // Length of the part that starts here; each part is looked at only if those before it fit.
    let part = |start: usize| {
        Some(text.as_bytes().get(start..)?.iter().take(4_096).take_while(|byte| digit(byte)).count())
    };
    let header = part(place.start).filter(|&length| length >= 12)?;
    let claims_start = place.start + header + 1;
    text.get(claims_start - 1..)?.starts_with(".eyJ").then_some(())?;
    let claims = part(claims_start).filter(|&length| length >= 8)?;
    let signature_start = claims_start + claims + 1;
    text.get(signature_start - 1..)?.starts_with('.').then_some(())?;
    let signature = part(signature_start).filter(|&length| length >= 16)?;
    let span = Span::new(place.start, signature_start + signature);
    (!is_stand_in(text.get(signature_start..span.end)?)).then_some(span)
}

/// Mailchimp: 32 hexadecimal digits, then the data centre.
fn mailchimp_key(text: &str, place: Span) -> Option<Span> {
    let bytes = text.as_bytes();
    let before = bytes.get(..place.start)?;
    let digits = before.iter().rev().take(33).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let centre = bytes.get(place.end..)?.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let key = text.get(place.start.checked_sub(digits)?..place.start)?;
    let real = digits == 32 && (1..=2).contains(&centre) && !is_stand_in(key);
    real.then_some(Span::new(place.start - digits, place.end + centre))
}
