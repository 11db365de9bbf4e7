//! Paths that no string of a program holds, and that its strings make: `chr(47) + "etc/shadow"`,
//! `os.path.join("..", "..", "etc", "passwd")`, `b64decode("…")`.
//!
//! Only what can be told without running anything: strings and numbers of letters that stand beside
//! each other with a sign between them that puts them together.

use std::sync::OnceLock;

use call::{Family, Span};
use regex::bytes::Regex;

use super::traversal::{self, Strictness};
use super::{Act, compiled, held_path};
use crate::reading::encoded;

/// How many pieces make a path at most, and how long each is.
const MOST: usize = 16;

/// All such paths in `text`.
pub(super) fn find(text: &str, found: &mut Vec<Act>) {
    find_in(text, Alone::AsWritten, found);
    if let Some(put_in) = held_path::PutIn::of(text) {
        let from = found.len();
        find_in(&put_in.text, Alone::PutIn, found);
        for act in found.iter_mut().skip(from) {
            act.span = put_in.source(act.span);
        }
    }
}

/// What a string that stands alone is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alone {
    /// As it is written, so that it is judged elsewhere.
    AsWritten,
    /// Perhaps with something put into it.
    PutIn,
}

fn find_in(text: &str, alone: Alone, found: &mut Vec<Act>) {
    let pieces = pieces(text);
    let mut report = |path: &str, span: Span| {
        // Where a path climbs to is known only if it is a place that everybody has.
        let goal = path.trim_start_matches(['.', '/']);
        let known = traversal::judge(&format!("/{goal}"), Strictness::Within).is_some();
        let counts = |kind: &&str| match *kind {
            "path_traversal" => known,
            // What is odd only in its spelling is odd where it is written.
            kind => kind == "secret_path",
        };
        if let Some(kind) = traversal::judge(path, Strictness::Within).filter(counts) {
            found.push(Act { family: Family::Traversal, kind, span, mention: false });
        }
    };
    let mut rest = pieces.as_slice();
    while let Some(first) = rest.first() {
        if first.hidden {
            for path in encoded::decode(&first.text).iter().take(4) {
                report(path.trim(), first.span);
            }
        }
        let behind = text.get(first.span.end..).unwrap_or_default();
        if first.numbers || alone == Alone::PutIn {
            report(&first.text, first.span);
        }
        if TURNS.iter().any(|turns| behind.starts_with(turns)) {
            report(&first.text.chars().rev().collect::<String>(), first.span);
        }
        let row = row(text, rest);
        let (taken, behind) = rest.split_at_checked(row.max(1)).unwrap_or((rest, &[]));
        rest = behind;
        if let [first, .., last] = taken
            && !is_list(text, taken)
        {
            report(&put_together(text, taken), Span::new(first.span.start, last.span.end));
        }
    }
}

/// What turns the string in front of it round.
const TURNS: &[&str] =
    &["[::-1]", ".reverse", ".split('').reverse()", ".split(\"\").reverse()", ".chars().rev()", ".rev()"];

/// `['/etc', 'shadow']`: strings that stand in a list and are joined by nothing.
fn is_list(text: &str, pieces: &[Piece]) -> bool {
    let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return false };
    let before = text.get(..first.span.start).unwrap_or_default().trim_end();
    let listed = before.ends_with(['[', '{'])
        && !before.trim_end_matches(['[', '{', ' ']).ends_with("join(")
        && !before.trim_end_matches(['[', '{', ' ']).ends_with('*');
    let inside = text.get(first.span.end..last.span.start).unwrap_or_default();
    let behind = text.get(last.span.end..).unwrap_or_default().trim_start();
    let joined =
        inside.contains("].join(") || behind.starts_with("].join(") || behind.starts_with("].iter()");
    listed && !joined && inside.contains(',') && !inside.contains('+')
}

/// A string, or letters by their numbers.
struct Piece {
    text: String,
    span: Span,
    // Its letters are written as numbers.
    numbers: bool,
    // It is given to something that decodes it.
    hidden: bool,
}

fn pieces(text: &str) -> Vec<Piece> {
    static PIECES: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"(?P<decodes>\b(?:b64decode|urlsafe_b64decode|atob|base64_decode|decode64|fromhex|unhexlify|Buffer\.from)\s*\(\s*b?)?(?:"(?P<double>[^"\\\n]{0,200})"|'(?P<single>[^'\\\n]{0,200})')|\b(?:chr|fromCharCode|fromCodePoint|bytes|bytearray|Buffer\.from|Uint8Array\.from|pack)\s*[(,]\s*(?:["'][cCU]\*["']\s*,\s*)?(?:\.\.\.)?[\[(]?\s*(?P<numbers>[0-9xa-fA-F]{1,4}(?:\s*,\s*[0-9xa-fA-F]{1,4}){0,63})\s*[\])]|\b(?P<separator>os\.sep|path\.sep|os\.path\.sep)\b"#;
    let Some(expression) = compiled(&PIECES, pattern) else { return Vec::new() };
    let piece = |captures: regex::bytes::Captures<'_>| {
        let all = captures.get(0)?;
        let shown = |name: &str| {
            captures.name(name).map(|part| String::from_utf8_lossy(part.as_bytes()).into_owned())
        };
        let letters = || captures.name("numbers").map(|numbers| letters(numbers.as_bytes()));
        let separator = || captures.name("separator").map(|_| "/".to_owned());
        let text = shown("double").or_else(|| shown("single")).or_else(letters).or_else(separator)?;
        let hidden = captures.name("decodes").is_some();
        let numbers = captures.name("numbers").is_some();
        Some(Piece { text, span: Span::new(all.start(), all.end()), numbers, hidden })
    };
    expression.captures_iter(text.as_bytes()).filter_map(piece).collect()
}

/// The letters with these numbers.
fn letters(numbers: &[u8]) -> String {
    let number = |digits: &[u8]| {
        let digits = std::str::from_utf8(digits).ok()?.trim();
        let value = match digits.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok()?,
            None => digits.parse().ok()?,
        };
        char::from_u32(value)
    };
    numbers.split(|&byte| byte == b',').filter_map(number).collect()
}

/// How many of `pieces`, from the first on, are put together.
fn row(text: &str, pieces: &[Piece]) -> usize {
    let tied = |pair: &[Piece]| {
        let [left, right] = pair else { return false };
        let between = text.get(left.span.end..right.span.start).unwrap_or_default();
        between.len() <= 40 && ties(between)
    };
    1 + pieces.windows(2).take(MOST - 1).take_while(|pair| tied(pair)).count()
}

/// A comma or a plus sign, and brackets; or the call that joins.
fn ties(between: &str) -> bool {
    let bare: String = between.chars().filter(|sign| !sign.is_whitespace()).collect();
    matches!(
        &*bare,
        "+" | ","
            | "+["
            | "].join("
            | "]+"
            | ".join(["
            | ".concat("
            | ")+"
            | "+("
            | ").joinpath("
            | "/"
            | ")/"
            | ").join("
            | "<<"
            | "%"
            | "%("
            | ".format("
    ) || (bare.len() <= 24 && bare.starts_with('+') && bare.ends_with('.'))
}

/// The path of a row: strings with a comma between them are parts of it, the others are one string.
fn put_together(text: &str, pieces: &[Piece]) -> String {
    let mut path = String::new();
    let mut end = None;
    // `"/".join(["", "etc", "passwd"])`, `["etc", "passwd"].join("/")`: what joins is no part.
    for (place, piece) in pieces.iter().enumerate() {
        let between = |from: usize| text.get(from..piece.span.start).unwrap_or_default();
        let gap: String =
            end.map(between).unwrap_or_default().chars().filter(|sign| !sign.is_whitespace()).collect();
        end = Some(piece.span.end);
        match &*gap {
            "].join(" if matches!(&*piece.text, "/" | "\\") => continue,
            ".join([" if place == 1 && path == "/" => {
                path.clear();
                path.push_str(&piece.text);
            }
            // `'/etc/%s' % 'shadow'`
            "%" | "%(" | ".format(" => {
                path = ["%s", "{}"].iter().fold(path, |path, place| path.replacen(place, &piece.text, 1));
            }
            "," | "/" | ")/" | ").join(" => {
                if !path.ends_with('/') {
                    path.push('/');
                }
                path.push_str(&piece.text);
            }
            _ => path.push_str(&piece.text),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_path_is_what_its_strings_make() {
        let cases = [
            ("open(chr(47) + 'etc/shadow')", true),
            ("open(chr(0x2f) + 'etc' + chr(47) + 'passwd')", true),
            ("os.path.join('..', '..', '..', 'etc', 'passwd')", true),
            ("open(b64decode('L2V0Yy9wYXNzd2Q=').decode())", true),
            ("'/' + ['etc', 'passwd'].join('/')", true),
            ("'/'.join(['', 'etc', 'shadow'])", true),
            ("open(bytes.fromhex('2f6574632f736861646f77'))", true),
            ("fs.readFileSync(String.fromCharCode(47, 101, 116, 99) + '/passwd')", true),
            ("(Path(chr(47)) / 'etc' / 'shadow').read_text()", true),
            ("os.path.join('..', '..', 'etc', 'app.conf')", false),
            ("open(os.sep + 'etc' + os.sep + 'shadow')", true),
            ("os.path.join('..', '..', 'data', 'a.csv')", false),
            ("os.path.join('etc', 'passwd')", false),
            ("open('//?/conout$', 'wb')", false),
            ("print('a' + chr(47) + 'b')", false),
            ("names = ['etc', 'passwd']", false),
            ("b64decode('aGVsbG8gd29ybGQ=')", false),
            ("['src', 'main.rs'].join('/')", false),
            ("p = '/etc'\nopen(p + '/shadow')", true),
            ("p = '/etc'\nopen(f'{p}/shadow')", true),
            ("open('/etc/%s' % 'shadow')", true),
            ("open('/etc/{}'.format('shadow'))", true),
            ("open('wodahs/cte/'[::-1])", true),
            ("open(''.join(map(chr, [47,101,116,99,47,115,104,97,100,111,119])))", true),
            ("open(bytes([47,101,116,99,47,115,104,97,100,111,119]))", true),
            ("File.read('/etc/' << 'shadow')", true),
            ("std::fs::read(Path::new(\"/etc\").join(\"shadow\"))", true),
            ("p = '/etc'\nopen(p + '/hosts')", false),
            ("p = '/srv/app'\nopen(f'{p}/shadow.png')", false),
            ("PATHS = ['/etc', 'shadow', 'passwd']", false),
            ("print('/etc/%s' % 'hosts')", false),
            ("bytes([1, 2, 3, 47, 101])", false),
            ("'hello'[::-1]", false),
            ("x = 5 % 3", false),
        ];
        for (text, want) in cases {
            let mut found = Vec::new();
            find(text, &mut found);
            assert_eq!(!found.is_empty(), want, "{text}");
        }
    }
}
