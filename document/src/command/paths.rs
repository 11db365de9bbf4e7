//! Paths inside the words of a command.

use super::refused::{GUARDED_FOLDERS, HOST_FOLDERS};
use crate::path::{climbs, is_below, normalise};

/// How much of a word may be a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// An argument: every absolute path counts.
    Argument,
    /// The inside of an argument that is a text, JSON or markup: paths into the machine's own
    /// folders count.
    Text,
    /// Inline code: only paths into the folders that code must not name count.
    Code,
}

/// What is wrong with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It lies outside `/in` and `/out`.
    Host,
    /// It is a device.
    Device,
    /// It has a `..` component.
    Parent,
}

/// A stretch of a word that reads like a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// Offset in the word's text.
    pub(super) at: usize,
    /// The path.
    pub(super) path: &'a str,
}

/// The stretches of `text` between the signs that no path begins or ends with; of URLs, only those
/// of files.
pub(super) fn tokens(text: &str, reading: Reading) -> Vec<Token<'_>> {
    let mut tokens = Vec::with_capacity(2);
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let name = name_length(rest);
        let behind = rest.get(name..).unwrap_or_default();
        let length = name + behind.find(|c| separates(c, reading)).unwrap_or(behind.len());
        let word = rest.get(..length).unwrap_or_default();
        let behind = rest.get(length..).unwrap_or_default();
        if behind.starts_with("://") && is_scheme(word) {
            let url = behind.get("://".len()..).unwrap_or_default();
            let end = url.find(ends_url).unwrap_or(url.len());
            if word.eq_ignore_ascii_case("file") {
                let place = url.get(..end).unwrap_or_default();
                let host = place.find('/').unwrap_or(0);
                let start = at + length + "://".len();
                tokens.push(Token { at: start + host, path: place.get(host..).unwrap_or_default() });
            }
            at += length + "://".len() + end;
            continue;
        }
        // `</b>` ends an element, and `/b` is no path.
        let closes_element =
            word.starts_with('/') && text.get(..at).is_some_and(|before| before.ends_with('<'));
        if !word.is_empty() && !closes_element {
            tokens.push(Token { at, path: word });
            // A value may be attached to a one-letter option: `-I/etc`, `-f../x`.
            let mut signs = word.chars();
            if (signs.next(), signs.next().map(|c| c.is_ascii_alphabetic())) == (Some('-'), Some(true)) {
                let value = signs.as_str();
                if value.starts_with(['/', '.', '~']) {
                    tokens.push(Token { at: at + word.len() - value.len(), path: value });
                }
            }
        }
        at += length + behind.chars().next().map_or(0, char::len_utf8);
    }
    tokens
}

/// What is wrong with a token, read this way. `alone` when it is the whole word or option value.
pub(super) fn trouble(
    path: &str,
    reading: Reading,
    alone: bool,
    own: impl Fn(&str) -> bool,
) -> Option<Trouble> {
    if reading != Reading::Code && climbs(path) && (alone || path.contains(['/', '\\'])) {
        return Some(Trouble::Parent);
    }
    let home = path.strip_prefix('~').and_then(|rest| rest.split_once('/'));
    let is_user = |user: &str| user.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if home.is_some_and(|(user, _)| user.is_empty() || reading == Reading::Argument && is_user(user))
        || (path == "~" && alone && reading == Reading::Argument)
    {
        return Some(Trouble::Host);
    }
    if !path.starts_with('/') {
        return None;
    }
    let place = normalise(path, "/");
    let first = place.split('/').nth(1).unwrap_or_default();
    if first.is_empty() {
        return (alone && reading == Reading::Argument).then_some(Trouble::Host);
    }
    let counts = match reading {
        Reading::Argument => true,
        Reading::Text => HOST_FOLDERS.contains(&first),
        Reading::Code => GUARDED_FOLDERS.contains(&first),
    };
    let within = |folder| place == folder || is_below(&place, folder);
    match first {
        _ if !counts || within("/in") || within("/out") || own(&place) => None,
        "dev" => Some(Trouble::Device),
        _ => Some(Trouble::Host),
    }
}

/// How many bytes at the start of `text` are what most names and paths are made of, and nothing else.
pub(super) fn name_length(text: &str) -> usize {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'.' | b'_' | b'-');
    text.bytes().position(|byte| !is_name(byte)).unwrap_or(text.len())
}

/// Signs that no path begins or ends with. In code more of them are operators than part of a name.
fn separates(c: char, reading: Reading) -> bool {
    c.is_whitespace()
        || matches!(c, '\'' | '"' | '`' | '=' | ',' | ';' | ':' | '|' | '&' | '@')
        || matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>')
        || reading == Reading::Code && matches!(c, '+' | '#' | '!' | '$' | '*' | '?' | '%')
}

fn ends_url(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\'' | '"' | '`' | ',' | '<' | '>' | '|')
}

fn is_scheme(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::{Reading, tokens, trouble};

    fn troubles(text: &str, reading: Reading) -> String {
        let found = tokens(text, reading);
        let own = |place: &str| place == "/usr/bin/python3";
        let all: Vec<_> = found
            .iter()
            .filter_map(|token| trouble(token.path, reading, token.path == text, own))
            .map(|trouble| format!("{trouble:?}"))
            .collect();
        all.join(" ")
    }

    #[test]
    fn an_argument_stays_below_in_and_out() {
        let cases = [
            ("/in/a.csv", ""),
            ("/out", ""),
            ("--in=/in/a.csv", ""),
            ("/usr/bin/python3", ""),
            ("data/a.csv", ""),
            ("a..b", ""),
            ("1..10", ""),
            ("...", ""),
            ("2026/01/02", ""),
            ("https://example.org/etc/passwd", ""),
            ("s/a/b/", ""),
            ("text/csv", ""),
            ("docs/~backup.md", ""),
            ("/etc/passwd", "Host"),
            ("//etc/passwd", "Host"),
            ("/inside/x", "Host"),
            ("/", "Host"),
            ("--config=/etc/x", "Host"),
            ("-f/etc/x", "Host"),
            ("@/etc/x", "Host"),
            ("file:///etc/passwd", "Host"),
            ("file://localhost/etc/passwd", "Host"),
            ("/in/a:/etc/b", "Host"),
            ("{\"p\":\"/etc/x\"}", "Host"),
            ("~/x", "Host"),
            ("--out=~/x", "Host"),
            ("/dev/kvm", "Device"),
            ("--device=/dev/mem", "Device"),
            ("..", "Parent"),
            ("../x", "Parent"),
            ("a/../b", "Parent"),
            ("<b>x</b>", ""),
            ("https://example.org/{id}/home", ""),
            ("https://example.org/wiki/A_(b)/home", ""),
            ("/in/../etc/passwd", "Parent"),
            ("-I../x", "Parent"),
        ];
        for (text, want) in cases {
            assert_eq!(troubles(text, Reading::Argument), want, "{text}");
        }
    }

    #[test]
    fn code_names_no_guarded_folder() {
        let cases = [
            ("print(1)", ""),
            ("open('/in/a').read()", ""),
            ("x = a / b; y = c /d", ""),
            ("open('/usr/share/x')", ""),
            ("re.sub('/variable/', '', s)", ""),
            ("s.replace(/~/g, '')", ""),
            ("'https://x.org/etc/a'", ""),
            ("open('/etc/passwd')", "Host"),
            ("x = 'a+/etc/passwd'", "Host"),
            ("open(\"/./etc/passwd\")", "Host"),
            ("open('/usr/../etc/passwd')", "Host"),
            ("os.listdir('/home')", "Host"),
            ("open('/dev/mem')", "Device"),
            ("expanduser('~/x')", "Host"),
            ("open('../x')", ""),
        ];
        for (text, want) in cases {
            assert_eq!(troubles(text, Reading::Code), want, "{text}");
        }
    }
}
