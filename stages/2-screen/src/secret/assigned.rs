//! Values that are secrets because of what they are assigned to: `password = hunter2`.
//!
//! The hard half is what not to find. A value counts when it looks as if somebody had thought it
//! up or a machine had drawn it, and not when it is a word, a path, a reference or a piece of code.

use call::Span;

use super::letters::is_gibberish;
use super::named::is_against_forgery;
use super::paired;
use super::plain::{is_base64, is_encrypted, is_kind_of_thing, is_reference, is_tag, is_uuid};
use super::stand_in::{is_stand_in, is_wordy, looks_random};
use crate::reading::encoded::decode_base64;

/// What a value found here is.
pub(super) const KIND: &str = "assigned_secret";

/// The ends of names that secrets are given.
pub(super) const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "_pass",
    "-pass",
    "dbpass",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "api key",
    "access_key",
    "accesskey",
    "access-key",
    "access key",
    "secret_key",
    "secretkey",
    "secret-key",
    "secret key",
    "private_key",
    "privatekey",
    "private-key",
    "private key",
    "auth_key",
    "authkey",
    "auth-key",
    "signing_key",
    "signing-key",
    "encryption_key",
    "encryption-key",
    "credentials",
    "credential",
    "account_key",
    "authorization",
    "kennwort",
    "passwort",
    "contraseña",
    "senha",
    "mot de passe",
    "master_key",
    "license_key",
    "session_key",
    "identified by",
];

/// The value assigned to the name that ends with the keyword at `place`.
pub(super) fn find(text: &str, place: Span) -> Option<Span> {
    let name = place.of(text)?.to_ascii_lowercase();
    let is_none = || turns_pages(text, place) || is_against_forgery(name_in_front(text, place));
    if name == "token" && is_none() {
        return None;
    }
    let rest = text.get(place.end..)?;
    if is_qualified_word(text, place, rest) {
        return None;
    }
    let flag = is_flag(text, place);
    let assigned = assignment(rest, flag)
        .or_else(|| paired::offset(name_in_front(text, place), rest).map(|offset| (offset, Sign::Pair)));
    let told = assigned.is_none();
    let (offset, sign) =
        assigned.or_else(|| told_plainly(text, place, &name).map(|blank| (blank, Sign::Prose)))?;
    let start = place.end + offset;
    let (value, quoted) = value_at(text, start)?;
    let written = value.of(text)?;
    if told && !is_long_drawn(written) {
        return None;
    }
    let strict = !name.contains("pass") && name != "pwd";
    let case = Case { strict, quoted, sign, may_be_uuid: holds_uuid(text, place, &name) };
    (case.is_secret(written) && !is_sealed(text, value)).then_some(value)
}

/// `nextPageToken`, `continuation_token`: where a list goes on or what is changed, which is no secret. By whole words, and never
/// a variable of the environment: `STATUSPAGE_TOKEN` and `FB_PAGE_TOKEN` are keys.
fn turns_pages(text: &str, place: Span) -> bool {
    // Whatever stands in front of them.
    const PAGES: &[&str] = &[
        "nextpage",
        "next",
        "continuation",
        "continue",
        "pagination",
        "cancellation",
        "cursor",
        "prevpage",
        "previouspage",
        "scroll",
        "marker",
        // The state that a change is made to, and the change itself when it is sent again.
        "change",
        "idempotency",
    ];
    // Alone, or behind a word that says which of several: there are services of these names.
    const ALONE: &[&str] = &["page", "sync", "resume"];
    const WHICH: &[&str] = &[
        "next", "prev", "previous", "first", "last", "start", "initial", "current", "new", "old", "list", "x",
    ];
    let front = name_in_front(text, place);
    let token = place.of(text).unwrap_or_default();
    if !front.bytes().chain(token.bytes()).any(|byte| byte.is_ascii_lowercase()) {
        return false;
    }
    let words = words_of(front);
    match words.as_slice() {
        [.., last] if PAGES.contains(&last.as_str()) => true,
        [last] => ALONE.contains(&last.as_str()),
        [.., which, last] => ALONE.contains(&last.as_str()) && WHICH.contains(&which.as_str()),
        [] => false,
    }
}

/// `"AWS::ApiGateway::ApiKey": …`: the name of a kind of thing in quotes, and not that of a value.
fn is_qualified_word(text: &str, place: Span, rest: &str) -> bool {
    let front = name_in_front(text, place).len();
    let before = text.get(..place.start - front).unwrap_or_default();
    rest.starts_with(['"', '\'']) && before.ends_with("::")
}

/// What stands in front of the keyword in the same name.
fn name_in_front(text: &str, place: Span) -> &str {
    let before = text.get(..place.start).unwrap_or_default();
    let letters = before.bytes().rev().take(40);
    let length =
        letters.take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')).count();
    before.get(before.len() - length..).unwrap_or_default()
}

/// The words of a name, in small letters: of `next_page`, `next-page` and `nextPage`, "next" and "page".
pub(super) fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut begins = true;
    for letter in name.chars() {
        if matches!(letter, '-' | '_') {
            begins = true;
            continue;
        }
        let small = words.last().and_then(|word| word.chars().last()).is_some_and(char::is_lowercase);
        match words.last_mut() {
            Some(word) if !(begins || small && letter.is_ascii_uppercase()) => word.push(letter),
            _ => words.push(letter.into()),
        }
        begins = false;
    }
    words.iter_mut().for_each(|word| word.make_ascii_lowercase());
    words
}

/// Does this name say that its value is a key, and not the number of something?
///
/// `HEROKU_API_KEY` and `SNYK_TOKEN` do; `token` and `page_token` do not.
fn holds_uuid(text: &str, place: Span, name: &str) -> bool {
    const VAGUE: &[&str] =
        &["token", "credential", "credentials", "session_key", "license_key", "authorization"];
    const TELLING: &[&str] = &["api", "auth", "access", "refresh", "bearer", "bot", "secret"];
    if !VAGUE.contains(&name) {
        return true;
    }
    let front = name_in_front(text, place);
    let variable =
        front.ends_with('_') && front.len() > 2 && !front.bytes().any(|byte| byte.is_ascii_lowercase());
    let lower = front.to_ascii_lowercase();
    let telling = TELLING.iter().any(|word| lower.trim_end_matches(['-', '_']).ends_with(word));
    name == "token" && (variable || telling)
}

/// How a value was assigned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// By `=`, `:=`, `=>`, a flag of a command or a tag.
    Code,
    /// By a colon, or by "is".
    Prose,
    /// By an arrow, or in the next cell of a table; so are types and descriptions.
    Beside,
    /// By its place alone: the next argument of a call, or under `value` where the name stands under `name`.
    Pair,
}

struct Case {
    // Tokens and keys are long; a password may be what somebody can remember.
    strict: bool,
    quoted: bool,
    sign: Sign,
    // The name says clearly that this is a key, so that even a UUID is one.
    may_be_uuid: bool,
}

/// `Y2hhbmdlbWU=`: a stand-in as base64, which some formats ask for.
fn is_packed_stand_in(value: &str) -> bool {
    let digits = value.trim_end_matches('=');
    let whole = value.len().is_multiple_of(4) && value.len() <= 64 && value.len() - digits.len() <= 2;
    let decoded = whole.then(|| decode_base64(digits)).flatten();
    decoded.is_some_and(|text| {
        text.len() >= 4 && text.bytes().all(|byte| byte.is_ascii_graphic()) && is_stand_in(&text)
    })
}

impl Case {
    fn is_secret(&self, value: &str) -> bool {
        let length = value.chars().count();
        if length < if self.strict { 8 } else { 6 } || is_stand_in(value) || is_packed_stand_in(value) {
            return false;
        }
        if is_uuid(value) {
            return self.may_be_uuid && self.sign != Sign::Beside;
        }
        let bytes = value.as_bytes();
        let tag = !self.quoted && is_tag(value);
        let beside = matches!(self.sign, Sign::Beside | Sign::Pair);
        let drawn = match self.sign {
            Sign::Pair => {
                (case_and_digits(bytes) && !paired::is_named(value))
                    || (bytes.len() >= 32 && bytes.iter().all(u8::is_ascii_hexdigit))
            }
            Sign::Code | Sign::Prose | Sign::Beside => case_and_digits(bytes),
        };
        let kind = (!self.quoted || self.sign == Sign::Pair) && self.strict && is_kind_of_thing(value);
        if tag
            || kind
            || is_encrypted(value)
            || is_reference(value)
            || (beside && !drawn)
            || (self.sign == Sign::Pair
                && (value.contains(' ')
                    || is_wordy(value)
                    || paired::is_file(value)
                    || paired::is_address(value)))
        {
            return false;
        }
        let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
        let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
        let body = value.trim_end_matches(['!', '?', '.', ',', '*']);
        let signs = body.bytes().filter(|byte| b"!@#$%^&*?+~=".contains(byte)).count();
        if value.contains(' ') {
            // A quoted sentence is prose, however many digits it has.
            return self.quoted && !self.strict && digits > 0 && signs > 0;
        }
        if is_gibberish(value) {
            return true;
        }
        if is_wordy(value) {
            return false;
        }
        if self.strict {
            let mixed = letters > 0 && digits > 0 && (length >= 12 || signs > 0 || case_and_digits(bytes));
            return mixed || looks_random(value) && length >= 12;
        }
        let numeric = digits == length && (self.sign == Sign::Code || self.quoted);
        (letters > 0 && (digits > 0 || signs > 0)) || numeric || (self.quoted && looks_random(value))
    }
}

/// Encrypted for somebody, as `SealedSecret` has it: a version, the length of the key, and far more than any
/// secret, below the name that such values stand under.
fn is_sealed(text: &str, value: Span) -> bool {
    const SHORTEST: usize = 340;
    const FAR: usize = 32 * 1024;
    let written = value.of(text).unwrap_or_default();
    if written.len() < SHORTEST || !["AgA", "AgB", "AgC"].iter().any(|start| written.starts_with(start)) {
        return false;
    }
    let before = text.as_bytes().get(value.start.saturating_sub(FAR)..value.start).unwrap_or_default();
    is_base64(written) && memchr::memmem::find(before, b"encryptedData").is_some()
}

fn case_and_digits(bytes: &[u8]) -> bool {
    let digits = bytes.iter().filter(|byte| byte.is_ascii_digit()).count();
    bytes.iter().any(u8::is_ascii_lowercase) && bytes.iter().any(u8::is_ascii_uppercase) && digits >= 2
}

/// Is the keyword the end of a flag: `--token`?
fn is_flag(text: &str, place: Span) -> bool {
    let before = text.get(..place.start).unwrap_or_default().as_bytes();
    let name = before
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let name: Vec<u8> = name.copied().collect();
    let whole = place.of(text).is_some_and(|word| word.starts_with('-'));
    name.ends_with(b"--") || (whole && name.ends_with(b"-"))
}

/// What stands between a name and its value: the length of it, and which sign it is.
fn assignment(rest: &str, flag: bool) -> Option<(usize, Sign)> {
    const SUFFIXES: &[&str] = &[
        "_value",
        "_prod",
        "_production",
        "_live",
        "_dev",
        "_staging",
        "_test",
        "_string",
        "_b64",
        "_base64",
        "_base",
    ];
    let suffixed =
        |suffix: &&&str| rest.get(..suffix.len()).is_some_and(|end| end.eq_ignore_ascii_case(suffix));
    let suffix = SUFFIXES.iter().find(suffixed).map_or(0, |suffix| suffix.len());
    let mut behind = rest.get(suffix..).unwrap_or(rest);
    behind = behind.trim_start_matches(|character: char| character.is_ascii_digit());
    behind = behind.strip_prefix("\\\"").unwrap_or(behind);
    behind = behind.trim_start_matches(['"', '\'', '`', ']', '*', ')']);
    let blanks = [' ', '\t'];
    let spaced = behind.trim_start_matches(blanks);
    let word = |word: &str| spaced.strip_prefix(word).filter(|_| spaced.len() < behind.len());
    let (value, sign) =
        if let Some(value) = [":=", "=>", "==", "="].iter().find_map(|sign| spaced.strip_prefix(sign)) {
            (value, Sign::Code)
        } else if let Some(value) = spaced.strip_prefix(':') {
            annotated(value).map_or((value, Sign::Prose), |value| (value, Sign::Code))
        } else if let Some(value) = behind.strip_prefix('>') {
            (value, Sign::Code)
        } else if let Some(value) = ["->", "→", "|"].iter().find_map(|sign| spaced.strip_prefix(sign)) {
            (value.trim_start_matches([' ', '`']), Sign::Beside)
        } else if let Some(value) = word("is ").or_else(|| word("was ")) {
            (value.strip_prefix("now ").unwrap_or(value), Sign::Prose)
        } else if (flag || spaced.starts_with('\'')) && spaced.len() < behind.len() {
            // `PASSWORD '…'`, as a statement sets it.
            (spaced, Sign::Code)
        } else {
            return None;
        };
    // `password= version= …`: nothing is assigned, and the next name follows.
    if sign == Sign::Code && value.starts_with(blanks) && is_next_name(value.trim_start_matches(blanks)) {
        return None;
    }
    let value = value.trim_start_matches(blanks).trim_start_matches("**").trim_start_matches(blanks);
    Some((rest.len() - value.len(), sign))
}

/// `auth token 9b2c…`: nothing stands between the name and the value but a blank. The name must say what it is a
/// key to. Says how much stands between them.
fn told_plainly(text: &str, place: Span, name: &str) -> Option<usize> {
    const KEYS: &[&str] = &["api key", "api_key", "access key", "secret key", "private key"];
    const TOKENS: &[&str] = &["auth", "access", "api", "bearer", "bot", "refresh", "secret"];
    text.as_bytes().get(place.end).filter(|&&byte| byte == b' ')?;
    let before = text.get(..place.start)?.as_bytes();
    let front = before.get(before.len().saturating_sub(10)..)?.to_ascii_lowercase();
    let of_token = || {
        let word = front.strip_suffix(b" ").or_else(|| front.strip_suffix(b"_"))?;
        TOKENS.iter().find(|token| word.ends_with(token.as_bytes()))
    };
    (KEYS.contains(&name) || (name == "token" && of_token().is_some())).then_some(1)
}

/// As long as no name of a thing is, and of digits without order.
fn is_long_drawn(value: &str) -> bool {
    let bytes = value.as_bytes();
    let hex = bytes.len() >= 32 && bytes.iter().all(u8::is_ascii_hexdigit);
    let letters =
        bytes.len() >= 20 && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(byte));
    hex || (letters && !value.starts_with("0x") && case_and_digits(bytes))
}

/// A word of letters with an equals sign and a blank behind it.
fn is_next_name(text: &str) -> bool {
    let letters = text.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'_').count();
    let (word, behind) = text.split_at_checked(letters).unwrap_or((text, ""));
    (2..24).contains(&letters)
        && !is_gibberish(word)
        && behind.strip_prefix('=').is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// Behind the colon stands a type, and behind that the value: `password: str = "…"`.
fn annotated(value: &str) -> Option<&str> {
    let kind = value.trim_start_matches(' ');
    let length = kind
        .bytes()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_[]|.&' ".contains(byte))
        .count();
    // At the end of its line it is the end of a value in base64.
    kind.get(length..)?
        .strip_prefix('=')
        .filter(|value| {
            !value.starts_with(['=', '\n', '\r', '"', '\''])
                || kind.get(..length).is_some_and(|kind| kind.ends_with(' '))
        })
        .filter(|value| !value.trim().is_empty())
}

/// Longer than this, a value is a document.
const LONGEST: usize = 512;

/// The value at `start`: to the closing quote, or as far as an unquoted value goes.
fn value_at(text: &str, start: usize) -> Option<(Span, bool)> {
    let mut rest = text.get(start..)?;
    // In Python and in JSON inside JSON, something may stand before the quote.
    let prefix = [r#"\""#, "b\"", "r\"", "b'", "r'", "f\"", "f'", "\"", "'", "`"];
    let opening = prefix.iter().copied().find(|opening| rest.starts_with(opening)).unwrap_or_default();
    rest = rest.strip_prefix(opening)?;
    let start = start + opening.len();
    let quote = opening.chars().last();
    let ends = |character: char| match quote {
        Some(quote) => character == quote || character == '\n' || character == '\\',
        None => {
            character.is_whitespace()
                || matches!(character, ',' | ';' | '"' | '\'' | '`' | '<' | '>' | ')' | ']' | '}' | '|' | '&')
        }
    };
    let (end, _) = rest
        .char_indices()
        .chain([(rest.len(), '\n')])
        .take(LONGEST)
        .find(|&(_, character)| ends(character))?;
    let mut value = rest.get(..end)?;
    if quote.is_none() {
        // Code goes on behind the value: a call, an index.
        let scheme = ["Bearer ", "bearer ", "Basic ", "Token "];
        (!scheme.iter().any(|scheme| rest.starts_with(scheme))).then_some(())?;
        value = value.trim_end_matches(['.', ':']).trim_end_matches("**");
    }
    (!value.is_empty()).then_some((Span::new(start, start + value.len()), quote.is_some()))
}
