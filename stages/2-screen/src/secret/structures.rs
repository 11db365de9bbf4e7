//! Credentials that can be told by what stands around them.

use call::Span;

use super::stand_in::{is_stand_in, is_wordy, looks_random};
use super::{key_block, named};

/// Looks for a credential around the place of its keyword.
type Find = fn(&str, Span) -> Option<Span>;

/// Kind, keyword, and the function that looks around it.
pub(super) const STRUCTURES: &[(&str, &str, Find)] = &[
    ("private_key", "-----BEGIN ", key_block::find),
    ("private_key", "PuTTY-User-Key-File-", putty_key),
    ("url_password", "://", url_password),
    ("authorization", "bearer ", bearer),
    ("authorization", "basic ", basic),
    ("assigned_secret", " -u ", user_and_password),
    ("assigned_secret", " -u\"", user_and_password),
    ("assigned_secret", " -u'", user_and_password),
    ("assigned_secret", "--user ", user_and_password),
    ("assigned_secret", "\"-u\"", next_of_list),
    ("assigned_secret", "'-u'", next_of_list),
    ("assigned_secret", "\"--user\"", next_of_list),
    ("assigned_secret", "sshpass -p", flag_password),
    ("jwt", "eyJ", web_token),
    ("mailchimp_key", "-us", mailchimp_key),
    ("assigned_secret", "cookie: ", named::cookie_line),
    ("assigned_secret", "cookie\": ", named::cookie_line),
    ("assigned_secret", "--cookie ", named::cookie_line),
    ("assigned_secret", "login ", netrc),
    ("private_key", "\"kty\"", web_key),
    ("authorization", "\"auth\":", stored_login),
    ("authorization", "_auth=", stored_login),
    ("authorization", "_auth =", stored_login),
];

/// A key file of PuTTY: a version, some headers, and the private lines.
fn putty_key(text: &str, place: Span) -> Option<Span> {
    let rest = text.get(place.end..)?;
    rest.trim_start_matches(|character: char| character.is_ascii_digit()).starts_with(':').then_some(())?;
    // No key file is longer, and a cut through a character only makes it shorter.
    let window = text.get(place.end..text.floor_char_boundary(place.end.saturating_add(4_096)))?;
    let private = window.find("Private-Lines:")?;
    let lines = window.get(private..)?.split_inclusive('\n').take(2).map(str::len).sum::<usize>();
    Some(Span::new(place.start, place.end + private + lines))
}

/// A JSON web key with its private part, `"d"`, or for a symmetric one `"k"`.
///
/// Looked for between the braces around the keyword, and no farther than to the same word before and behind
/// it: what lies beyond belongs to that one, so that no text is read again for each of them.
fn web_key(text: &str, place: Span) -> Option<Span> {
    const FAR: usize = 4_096;
    let bytes = text.as_bytes();
    let brace = |byte: &u8| matches!(byte, b'{' | b'}');
    let word = |window: &[u8]| window.eq_ignore_ascii_case(b"\"kty\"");
    // The quote in front of the keyword may be the end of another.
    let from = place.start.saturating_sub(FAR);
    let before = bytes.get(from..=place.start)?;
    let before_word = before.windows(5).rposition(word).map_or(0, |other| other + 5);
    let near = before.get(before_word..).unwrap_or_default();
    let start = from + before_word + near.iter().rposition(brace).map_or(0, |brace| brace + 1);
    let behind = bytes.get(place.end..place.end.saturating_add(FAR).min(bytes.len()))?;
    let behind_word = behind.windows(5).position(word).unwrap_or(behind.len());
    let end = place.end + behind.iter().take(behind_word).position(brace).unwrap_or(behind_word);
    let (start, end) = (text.ceil_char_boundary(start), text.floor_char_boundary(end));
    let object = text.get(start..end)?;
    ["\"d\"", "\"k\""].into_iter().find_map(|name| {
        let behind_name = object.get(object.find(name)? + name.len()..)?;
        let value = behind_name.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
        let start = start + object.len() - value.len();
        let value = value.split('"').next()?;
        let real = value.len() >= 32 && looks_random(value) && !is_stand_in(value);
        real.then_some(Span::new(start, start + value.len()))
    })
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
    let end = rest.bytes().take(512).position(stops).unwrap_or(rest.len().min(512));
    let authority = rest.get(..end)?;
    let (mut user_info, host) = authority.rsplit_once('@').or_else(|| unescaped(rest, end))?;
    if user_info.starts_with(':') && before.ends_with(b"cvs") {
        // `:pserver:anoncvs`: how it is reached stands in front of the name.
        user_info = user_info.splitn(3, ':').nth(2).unwrap_or_default();
    }
    host.starts_with(|first: char| first.is_ascii_alphanumeric() || matches!(first, '[' | '$' | '{' | '<'))
        .then_some(())?;
    let (user, password) = user_info.split_once(':').unwrap_or((user_info, ""));
    let start = place.end + if password.is_empty() { 0 } else { user.len() + 1 };
    let span = Span::new(start, place.end + user_info.len());
    if password.is_empty() {
        let public = is_public_key(user, host, rest);
        return (user.len() >= 20 && looks_random(user) && !is_stand_in(user) && !public).then_some(span);
    }
    if is_host_of_examples(host) && !is_thought_up(password) {
        return None;
    }
    let repeats_user = password.eq_ignore_ascii_case(user);
    let variable = password.starts_with(['$', '%', '{', '<', '[', '*', ':']) || password.contains("://");
    (password.len() >= 3 && !repeats_user && !variable && !is_stand_in(password)).then_some(span)
}

/// Not what an example shows: letters and digits, of which none stands for an escaped sign.
fn is_thought_up(password: &str) -> bool {
    let mut parts = password.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    let plain = parts.fold(first, |plain, part| plain + part.get(2..).unwrap_or_default());
    plain.len() >= 6 && looks_random(&plain)
}

/// A host that is nobody's, by its ending (RFC 2606) or by its name. A password that somebody drew is one there as well.
fn is_host_of_examples(host: &str) -> bool {
    const ENDINGS: &[&str] = &["example", "invalid"];
    const NAMES: &[&str] = &["host", "hostname", "myhost", "dummy", "fake"];
    let name = host.split([':', '/', '?']).next().unwrap_or_default().to_ascii_lowercase();
    let mut labels = name.rsplit('.');
    let (last, before) = (labels.next().unwrap_or_default(), labels.next().unwrap_or_default());
    // No registry has such an ending.
    let made_up = last.starts_with("fake") || last.starts_with("dummy");
    let reserved = before == "example" && matches!(last, "com" | "net" | "org");
    reserved || made_up || ENDINGS.contains(&last) || NAMES.contains(&&*name)
}

/// `https://<key>@…sentry.io/4711`: what programs report their failures with. It is in every copy of them, and says
/// only for which project.
fn is_public_key(user: &str, host: &str, rest: &str) -> bool {
    let project =
        rest.split_once('@').and_then(|(_, behind)| behind.split_once('/')).map_or("", |(_, path)| path);
    let number = project.bytes().take_while(u8::is_ascii_digit).count();
    let ends =
        project.as_bytes().get(number).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'/');
    let hex = user.len() == 32 && user.bytes().all(|byte| byte.is_ascii_hexdigit());
    let name = host.split([':', '/']).next().unwrap_or_default();
    let theirs = name == "sentry.io" || name.ends_with(".sentry.io");
    hex && theirs && number > 0 && ends
}

/// User and host of an address whose password holds a sign that should have been escaped, and that ends what
/// was read so far: `user:pa#ss@host`. Programs that split at the last `@` take it all the same.
fn unescaped(rest: &str, end: usize) -> Option<(&str, &str)> {
    let sign = *rest.as_bytes().get(end).filter(|sign| matches!(sign, b'#' | b'/' | b'?'))?;
    let (user, begun) = rest.get(..end)?.split_once(':')?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'%');
    // Behind a host stands a port.
    let port = begun.bytes().all(|byte| byte.is_ascii_digit()) && sign != b'#';
    if user.is_empty() || begun.is_empty() || port || !user.bytes().all(plain) {
        return None;
    }
    let ends =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b',' | b'|' | b'\\');
    let far = rest.bytes().take(512).position(ends).unwrap_or(rest.len().min(512));
    let (user_info, host) = rest.get(..far)?.rsplit_once('@')?;
    let password = user_info.get(user.len() + 1..)?;
    // A path or a query has names; a password that somebody drew has digits.
    let drawn = password.bytes().any(|byte| byte.is_ascii_digit())
        && password.bytes().any(|byte| byte.is_ascii_alphabetic())
        && !password.contains(['=', '&', ':'])
        && password.matches('/').count() < 2;
    let named = host.split([':', '/', '?']).next().is_some_and(|name| {
        name == "localhost" || (name.contains('.') && !name.bytes().all(|byte| !byte.is_ascii_alphanumeric()))
    }) || host.contains(":")
        || host.contains('/');
    (drawn && named && password.len() >= 6).then_some((user_info, host))
}

fn bearer(text: &str, place: Span) -> Option<Span> {
    let token = token_behind(text, place)?;
    let value = token.of(text)?;
    let real = value.len() >= 16 && looks_random(value) && !is_wordy(value) && !is_stand_in(value);
    real.then_some(token)
}

/// `login ada password …`, as `.netrc` has it.
fn netrc(text: &str, place: Span) -> Option<Span> {
    let window = text.get(place.end..text.floor_char_boundary(place.end.saturating_add(512)))?;
    // The name, then nothing but pairs of a word and its value.
    let (_, behind_name) =
        window.trim_start().split_once(|character: char| character.is_ascii_whitespace())?;
    let behind_name = behind_name.trim_start();
    let rest =
        behind_name.strip_prefix("password")?.strip_prefix(|blank: char| blank.is_ascii_whitespace())?;
    let rest = rest.trim_start();
    let password = rest.split_ascii_whitespace().next()?;
    let start = place.end + window.len() - rest.len();
    let letters = password.bytes().filter(u8::is_ascii_alphabetic).count();
    let real = letters > 0 && letters < password.len() && password.len() >= 6;
    let real =
        real && !is_wordy(password) && !is_stand_in(password) && !password.starts_with(['$', '<', '{']);
    real.then_some(Span::new(start, start + password.len()))
}

/// `"auth": "…"` in a file of Docker, `_auth=…` in one of npm: base64 of a name and a password.
fn stored_login(text: &str, place: Span) -> Option<Span> {
    let rest = text.get(place.end..)?;
    let quotes = rest.bytes().take(8).take_while(|byte| matches!(byte, b' ' | b'"' | b'\'')).count();
    basic(text, Span::new(place.start, place.end + quotes))
}

/// How a number of seventeen digits and more begins in base64: two digits and a part of the third.
pub(super) fn snowflakes() -> impl Iterator<Item = String> {
    let digits = || b'0'..=b'9';
    let letter = |six: u8| char::from(if six < 26 { b'A' + six } else { b'a' + (six - 26) });
    let pairs = digits().skip(1).flat_map(move |first| digits().map(move |second| (first, second)));
    pairs.map(move |(first, second)| {
        // The digit behind these adds two bits, and they are always zero.
        let third = (second & 15) << 2;
        let third = if third < 52 { letter(third) } else { char::from(b'0' + (third - 52)) };
        [letter(first >> 2), letter((first & 3) << 4 | second >> 4), third].into_iter().collect()
    })
}

/// The token of a Discord bot: its number in base64, a time and a signature.
pub(super) fn discord_token(text: &str, place: Span) -> Option<Span> {
    let digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let bytes = text.as_bytes();
    let part =
        |start: usize| Some(bytes.get(start..)?.iter().take(64).take_while(|byte| digit(byte)).count());
    bytes.get(..place.start)?.last().is_none_or(|byte| !digit(byte)).then_some(())?;
    let number = part(place.start).filter(|length| (23..=28).contains(length))?;
    let time = place.start + number + 1;
    (bytes.get(time - 1) == Some(&b'.')).then_some(())?;
    let signature = time + part(time).filter(|length| (5..=8).contains(length))? + 1;
    (bytes.get(signature - 1) == Some(&b'.')).then_some(())?;
    let end = signature + part(signature).filter(|length| (25..=45).contains(length))?;
    let decoded = crate::reading::encoded::decode_base64(text.get(place.start..time - 1)?)?;
    let real = decoded.bytes().all(|byte| byte.is_ascii_digit()) && !is_stand_in(text.get(signature..end)?);
    real.then_some(Span::new(place.start, end))
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

/// `curl -u name:password`; not `-u 1000:1000`.
fn user_and_password(text: &str, place: Span) -> Option<Span> {
    let rest = text.get(place.end..)?;
    let quote = rest.bytes().next().filter(|sign| matches!(sign, b'"' | b'\''));
    let opened = usize::from(quote.is_some());
    let rest = rest.get(opened..)?;
    // Each half may have quotes of its own: `-u "name":"password"`.
    let beside = |at: usize| rest.as_bytes().get(at) == Some(&b':');
    let ends = |(at, byte): (usize, u8)| {
        let closed = quote == Some(byte) && !beside(at + 1) && !at.checked_sub(1).is_some_and(beside);
        byte.is_ascii_whitespace() || closed
    };
    let end = rest.bytes().take(256).enumerate().position(ends).unwrap_or(rest.len().min(256));
    let (user, written) = rest.get(..end)?.split_once(':')?;
    // Where a program puts the line together, code stands in the place of the name: `cmd." -u ".s:Escape(name)`.
    let is_code = quote.is_some() && user.starts_with('.') || user.contains('(') && !user.starts_with("$(");
    if is_code {
        return None;
    }
    let password = written.trim_start_matches(['"', '\'']);
    let start = place.end + opened + user.len() + 1 + written.len() - password.len();
    let password = password.trim_end_matches(['"', '\'']);
    let real = password.len() >= 6 && looks_random(password) && !is_wordy(password) && !is_stand_in(password);
    (real && !password.starts_with(['$', '<', '{', '/'])).then_some(Span::new(start, start + password.len()))
}

/// `["curl", "-u", "name:password"]`: the flag and its value are words of a list.
fn next_of_list(text: &str, place: Span) -> Option<Span> {
    let rest = text.get(place.end..)?;
    let value = rest.strip_prefix(',')?.trim_start_matches(' ');
    value.starts_with(['"', '\'']).then_some(())?;
    user_and_password(text, Span::new(place.start, place.end + rest.len() - value.len()))
}

/// `sshpass -p password`.
fn flag_password(text: &str, place: Span) -> Option<Span> {
    let rest = text.get(place.end..)?;
    let value = rest.trim_start_matches([' ', '"', '\'']);
    let end =
        value.bytes().take(256).position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\''));
    let password = value.get(..end.unwrap_or(value.len().min(256)))?;
    let start = place.end + rest.len() - value.len();
    let real = password.len() >= 4 && !password.starts_with(['$', '<', '{']) && !is_stand_in(password);
    real.then_some(Span::new(start, start + password.len()))
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
    // In the middle of a run, where every third letter may begin one, only a header of usual length.
    let glued = text.as_bytes().get(..place.start)?.last().is_some_and(digit);
    let first = text.as_bytes().get(place.start..)?.iter().take(if glued { 200 } else { 4_096 });
    let header = Some(first.take_while(|byte| digit(byte)).count()).filter(|&length| length >= 12)?;
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
