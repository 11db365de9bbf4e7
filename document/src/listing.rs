//! Paths that prose names: `/in/…` and `/out/…` in list items, table cells and lines.

use std::borrow::Cow;

use call::{Sha256, Span};

use crate::front::Part;

/// A path that a section names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed<'a> {
    /// The whole path: `/in/input.csv`.
    pub(crate) path: Cow<'a, str>,
    /// How much of it is the folder.
    prefix: usize,
    /// Where the path stands.
    pub(crate) span: Span,
    /// The line that names it.
    pub(crate) line: &'a str,
}

impl Listed<'_> {
    /// What stands behind the folder: `input.csv` of `/in/input.csv`.
    pub(crate) fn rest(&self) -> &str {
        self.path.get(self.prefix..).unwrap_or_default()
    }
}

/// Every path below `folder`, such as `/in/`, that `part` names.
///
/// Code marks, quotation marks, brackets and final punctuation do not belong to a path. A name of
/// `declared` is recognised whole, so that names with blanks or commas in them can be listed too.
pub(crate) fn paths_below<'a>(part: Part<'a>, folder: &str, declared: &[&str]) -> Vec<Listed<'a>> {
    let mut listed = Vec::new();
    for line in part.lines() {
        for (at, _) in line.text.match_indices('/') {
            let (Some(before), Some(text)) = (line.text.get(..at), line.text.get(at..)) else { continue };
            let Some(rest) = text.strip_prefix(folder) else { continue };
            if before.chars().next_back().is_some_and(precedes_in_a_path) {
                continue;
            }
            let (rest, length) = name(rest, declared);
            if rest.is_empty() {
                continue;
            }
            let path = match rest {
                Cow::Borrowed(_) => Cow::Borrowed(text.get(..folder.len() + length).unwrap_or_default()),
                Cow::Owned(rest) => Cow::Owned(format!("{folder}{rest}")),
            };
            let start = line.start + at;
            let span = Span::new(start, start + folder.len() + length);
            listed.push(Listed { path, prefix: folder.len(), span, line: line.text });
        }
    }
    listed
}

/// Paths that open a list item or table row, or make up a whole line: absolute ones, and those that
/// lead out of the folder they are in. A line of prose may begin with a `/` and mean no path.
pub(crate) fn leading_paths<'a>(part: Part<'a>) -> impl Iterator<Item = (Span, &'a str)> {
    part.lines().filter_map(|line| {
        let marks = |c: char| c.is_whitespace() || matches!(c, '*' | '`' | '"' | '\'' | '[' | '(' | '_');
        let shown = line.text.trim_start();
        let numbered = shown.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = numbered.strip_prefix(['.', ')']).filter(|_| numbered.len() < shown.len());
        let listed = numbered.or_else(|| shown.strip_prefix(['-', '*', '+', '|']));
        let item = listed.unwrap_or(shown).trim_start_matches(marks);
        if !item.starts_with(['/', '.', '~']) {
            return None;
        }
        let path = item.get(..item.find(ends_a_path).unwrap_or(item.len()))?;
        let path = path.trim_end_matches(['.', ':', '*']);
        let rest = path.strip_prefix('/');
        let named =
            rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || "._~".contains(c)));
        let leads_out = path.starts_with("../") || path.starts_with("~/");
        let counts = listed.is_some() || path.len() == shown.trim_end().len();
        let start = line.start + line.text.len() - item.len();
        (counts && (named || leads_out)).then(|| (Span::new(start, start + path.len()), path))
    })
}

/// The digest that a line holds, when it holds one.
pub(crate) fn only_digest(line: &str) -> Option<Sha256> {
    if line.len() < 64 {
        return None;
    }
    let words = line.split(|c: char| !c.is_ascii_alphanumeric());
    let mut digests = words.filter(|word| word.len() == 64).filter_map(|word| word.parse().ok());
    digests.next().filter(|_| digests.next().is_none())
}

/// The path behind the folder, and how many bytes of the text it takes.
fn name<'a>(text: &'a str, declared: &[&str]) -> (Cow<'a, str>, usize) {
    let whole = declared.iter().filter(|name| {
        let behind =
            text.strip_prefix(**name).map(|rest| rest.trim_start_matches(['.', ',', ':', ';', '!', '?']));
        behind.is_some_and(|rest| {
            rest.chars().next().is_none_or(|next| !belongs_to_a_path(next) || next == '*')
        })
    });
    if let Some(length) = whole.map(|name| name.len()).max() {
        return (Cow::Borrowed(text.get(..length).unwrap_or_default()), length);
    }
    let length = text.find(ends_a_path).unwrap_or(text.len());
    let written = text.get(..length).unwrap_or_default();
    let written = written.trim_end_matches(['.', ',', ':', ';', '!', '?', '*', '_', '…']);
    (without_escapes(written), written.len())
}

/// Markdown lets punctuation be written behind a backslash: `my\_file.csv`.
fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let escapes = character == '\\' && characters.peek().is_some_and(char::is_ascii_punctuation);
        if !escapes {
            plain.push(character);
        } else if let Some(escaped) = characters.next() {
            plain.push(escaped);
        }
    }
    Cow::Owned(plain)
}

fn ends_a_path(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '`' | '|'
                | '"'
                | '\''
                | '('
                | ')'
                | '['
                | ']'
                | '<'
                | '>'
                | ','
                | ';'
                | '“'
                | '”'
                | '‘'
                | '’'
                | '—'
                | '–'
        )
}

/// What stands in front of `/in` when that is only the end of another path: emphasis does not.
fn precedes_in_a_path(c: char) -> bool {
    belongs_to_a_path(c) && !matches!(c, '*' | '_')
}

fn belongs_to_a_path(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '~' | '$' | '}' | '*' | '%' | '+' | '@')
}

/// `part` with HTML comments blanked out, byte for byte: nobody sees what stands in them, so they
/// neither list a file nor give an answer.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("<!--") {
        let (comment, behind) = comment.split_once("-->").unwrap_or((comment, ""));
        let closed = rest.len() > before.len() + "<!--".len() + comment.len();
        shown.push_str(before);
        shown.push_str("    ");
        shown.extend(comment.bytes().map(
            |byte| {
                if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }
            },
        ));
        if closed {
            shown.push_str("   ");
        }
        rest = behind;
    }
    shown.push_str(rest);
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::{paths_below, without_comments};
    use crate::front::Part;

    #[test]
    fn a_path_is_named_by_any_line_that_holds_it() {
        let cases: [(&str, &[&str]); 16] = [
            ("- /in/a.csv", &["a.csv"]),
            ("* `/in/a.csv`: the data", &["a.csv"]),
            ("| /in/a.csv | data |", &["a.csv"]),
            ("The data is /in/a.csv.", &["a.csv"]),
            ("**/in/a.csv**, [b](/in/b.csv)", &["a.csv", "b.csv"]),
            ("/in/my file.csv (data)", &["my file.csv"]),
            ("/in/my\\_notes.md", &["my_notes.md"]),
            ("/in/a.csv: sha256 ab", &["a.csv"]),
            ("/in/a.csv.gz", &["a.csv.gz"]),
            ("/data/in/a.csv", &[]),
            ("/in/ and /in/* and /in/… and /in", &[]),
            ("/in/<name>", &[]),
            ("/in/../x", &["../x"]),
            ("/in/sub/x.csv", &["sub/x.csv"]),
            ("\"/in/a.csv\"", &["a.csv"]),
            ("none", &[]),
        ];
        for (text, want) in cases {
            let part = Part { text, start: 0 };
            let got = paths_below(part, "/in/", &["a.csv", "my file.csv"]);
            let got: Vec<_> = got.iter().map(super::Listed::rest).collect();
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn comments_are_blanked_without_moving_anything() {
        let cases = [
            ("a <!-- b\nc --> d", "a       \n      d"),
            ("<!-- open", "         "),
            ("a -- b", "a -- b"),
            ("<!---->x", "       x"),
        ];
        for (text, want) in cases {
            assert_eq!(without_comments(text), want, "{text:?}");
            assert_eq!(without_comments(text).len(), text.len());
        }
    }
}
