//! Filling in who approved a request, and when.
//!
//! A person approves a document that lies before them, so nothing of it changes but the two fields of the
//! approval: every other byte stays where it is, and the digest of the document is the one that was shown.
//! Whatever cannot be edited with that certainty is refused.

use call::{Moment, Sha256, Span};

use crate::canonical;
use crate::draft::quoted;
use crate::findings::Findings;
use crate::front::{self, Split};
use crate::yaml::{self, Map};

/// Why the approval was not filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotFilled {
    /// There is no front matter to fill in.
    #[error("the front matter cannot be read")]
    NoFrontMatter,
    /// A field holds something else than one line of text.
    #[error("`{0}` is written in a way that cannot be filled in; write it as `{0}: \"\"`")]
    Shape(&'static str),
    /// Filling it in would change more than the approval.
    #[error("the approval cannot be filled in without changing something else")]
    ChangesMore,
}

/// The document with `approved_by` and `approved_utc` set to these, and every other byte as it was.
///
/// ```
/// use document::fill_approval;
///
/// let draft = "---\napproved_by: \"\"  # a person\napproved_utc:\nnetwork: none\n---\n";
/// let now = "2026-02-09T16:12:00Z".parse()?;
/// let filled = fill_approval(draft, "Ada Lovelace", now)?;
/// assert_eq!(
///     filled,
///     "---\napproved_by: \"Ada Lovelace\"  # a person\napproved_utc: \"2026-02-09T16:12:00Z\"\nnetwork: none\n---\n"
/// );
///
/// assert!(fill_approval("no front matter", "Ada", now).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`NotFilled`] when the front matter cannot be read, or not be edited with certainty.
pub fn fill_approval(text: &str, by: &str, at: Moment) -> Result<String, NotFilled> {
    let before = digest(text).ok_or(NotFilled::NoFrontMatter)?;
    let at = at.to_string();
    let filled = filled(text, "approved_by", by)?;
    let filled = self::filled(&filled, "approved_utc", &at)?;
    let says = |key: &str, value: &str| {
        read(&filled, |_, map| map.entry(key).and_then(|entry| entry.value.text()) == Some(value))
    };
    let kept = digest(&filled) == Some(before);
    if kept && says("approved_by", by) == Some(true) && says("approved_utc", &at) == Some(true) {
        Ok(filled)
    } else {
        Err(NotFilled::ChangesMore)
    }
}

/// The text with one key set.
fn filled(text: &str, key: &'static str, value: &str) -> Result<String, NotFilled> {
    let edit = read(text, |split, map| edit(split, map, key)).ok_or(NotFilled::NoFrontMatter)??;
    let (span, before) = match edit {
        Edit::Replace(span) => (span, ""),
        Edit::Behind(at) => (Span::at(at), " "),
        Edit::NewLine(at) => {
            let ending = if text.contains("\r\n") { "\r\n" } else { "\n" };
            let line = format!("{key}: {}{ending}", quoted(value));
            return Ok(spliced(text, Span::at(at), &line));
        }
    };
    Ok(spliced(text, span, &format!("{before}{}", quoted(value))))
}

/// Where a value goes.
enum Edit {
    /// In the place of another.
    Replace(Span),
    /// Behind the colon of a key that has none.
    Behind(usize),
    /// With its key, on a line of its own that begins here.
    NewLine(usize),
}

fn edit(split: Split<'_>, map: &Map<'_>, key: &'static str) -> Result<Edit, NotFilled> {
    let Some(entry) = map.entry(key) else { return Ok(Edit::NewLine(split.front.end())) };
    let raw = entry.value.span.of(split.text).unwrap_or_default();
    if entry.value.text().is_none() || raw.contains(['\n', '\r']) || raw.starts_with(['|', '>']) {
        return Err(NotFilled::Shape(key));
    }
    if let Some(length) = written(raw).filter(|length| *length > 0) {
        let start = entry.value.span.start;
        return Ok(Edit::Replace(Span::new(start, start + length)));
    }
    if entry.value.text() != Some("") {
        return Err(NotFilled::Shape(key));
    }
    let behind = split.text.get(entry.key_span.end..).unwrap_or_default();
    // A key in quotes may have one more sign in front of its colon.
    let colon = behind.find(':').filter(|at| {
        behind.get(..*at).is_some_and(|between| between.trim_matches(['"', '\'', ' ']).is_empty())
    });
    colon.map(|at| Edit::Behind(entry.key_span.end + at + 1)).ok_or(NotFilled::Shape(key))
}

/// How many bytes the value itself takes, without the blanks and the comment that a parser may count in;
/// nothing when its quote is not closed.
fn written(raw: &str) -> Option<usize> {
    let quote = raw.chars().next().filter(|first| matches!(first, '"' | '\''));
    let Some(quote) = quote else {
        let end = if raw.starts_with('#') { 0 } else { raw.find(" #").unwrap_or(raw.len()) };
        return raw.get(..end).map(|value| value.trim_end().len());
    };
    let mut escaped = false;
    let mut characters = raw.char_indices().skip(1).peekable();
    while let Some((at, character)) = characters.next() {
        let doubled = quote == '\'' && characters.peek().is_some_and(|(_, next)| *next == quote);
        if escaped {
            escaped = false;
        } else if character == '\\' && quote == '"' || character == quote && doubled {
            escaped = true;
        } else if character == quote {
            return Some(at + 1);
        }
    }
    None
}

fn spliced(text: &str, span: Span, value: &str) -> String {
    let (before, behind) =
        (text.get(..span.start).unwrap_or_default(), text.get(span.end..).unwrap_or_default());
    format!("{before}{value}{behind}")
}

fn read<T>(text: &str, look: impl FnOnce(Split<'_>, &Map<'_>) -> T) -> Option<T> {
    let mut findings = Findings::default();
    let split = front::split(text, &mut findings)?;
    let map = yaml::read(split.front.text, split.front.start, &mut findings)?;
    // Of two readings that differ, neither is certain.
    if findings.any_error() { None } else { Some(look(split, &map)) }
}

fn digest(text: &str) -> Option<Sha256> {
    read(text, canonical::digest).flatten()
}
