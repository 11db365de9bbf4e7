//! Stage 6: take the secrets out of a result, then make it short enough.
//!
//! The order is the point. Were a result shortened first, the cut could run through the middle of
//! a credential; what is left of it matches no pattern any more and would be handed over. So only
//! a [`Redacted`] text can be capped, and only [`redact`] makes one.
//!
//! Finds nothing by itself: what is a secret was said by a screen. Pure, and never fails.
//!
//! **Invariants:** no byte of a secret's span is in the result, every other byte is, in its order;
//! a cap never cuts a character in two; a text within the cap is left as it is.

use call::{Contraband, Family, Span};

/// Puts `<REDACTED:kind>` in the place of every secret in `found`; other families stay.
///
/// Secrets that overlap become one mark, with the kind of the one that begins first. A span that
/// ends inside a character takes the whole character with it, and what lies behind the end of the
/// text is nothing.
///
/// ```
/// use call::{Contraband, Family, Span};
///
/// let key = Contraband { span: Span::new(4, 8), family: Family::Secret, kind: "github_token" };
/// let redacted = redact::redact("key ghp_ end", &[key]);
/// assert_eq!(redacted.text(), "key <REDACTED:github_token> end");
/// assert_eq!(redacted.kinds(), ["github_token"]);
/// ```
pub fn redact(text: &str, found: &[Contraband]) -> Redacted {
    let mut redacted = Redacted { text: String::with_capacity(text.len()), kinds: Vec::new() };
    let mut behind = 0;
    for Secret { span, kinds } in merged(text, found) {
        redacted.text.push_str(Span::new(behind, span.start).of(text).unwrap_or_default());
        if let Some(kind) = kinds.first() {
            redacted.text.extend(["<REDACTED:", kind, ">"]);
        }
        redacted.kinds.extend(kinds);
        behind = span.end;
    }
    redacted.text.push_str(Span::new(behind, text.len()).of(text).unwrap_or_default());
    keep_first_of_each(&mut redacted.kinds);
    redacted
}

/// A text without its secrets. It may still be too long.
///
/// Nothing but [`redact`] makes one, so nothing is capped before its secrets are out:
///
/// ```compile_fail
/// let forged = redact::Redacted { text: "key ghp_".to_owned(), kinds: Vec::new() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a text that nobody caps is a text of any length"]
pub struct Redacted {
    text: String,
    kinds: Vec<&'static str>,
}

impl Redacted {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What was taken out: each kind once, in the order of the text.
    #[must_use]
    pub fn kinds(&self) -> &[&'static str] {
        &self.kinds
    }

    /// Cuts the text behind as many characters (Unicode scalar values) as the smaller of both
    /// limits allows, and says on a line of its own how many were left out.
    ///
    /// That line comes on top of the limit. A capped text is therefore not capped again: the same
    /// characters would be kept, and the number would then be the length of the first such line.
    ///
    /// ```
    /// let capped = redact::redact("größer", &[]).cap(8000, Some(3));
    /// assert_eq!(capped.text(), "grö\n[truncated 3 chars]");
    /// assert_eq!(capped.left_out(), 3);
    ///
    /// assert_eq!(redact::redact("größer", &[]).cap(6, None).text(), "größer");
    /// ```
    pub fn cap(self, max_file_chars: usize, asked: Option<usize>) -> Capped {
        let Self { mut text, kinds } = self;
        let limit = asked.map_or(max_file_chars, |asked| asked.min(max_file_chars));
        let Some((end, _)) = text.char_indices().nth(limit) else {
            return Capped { text, kinds, left_out: 0 };
        };
        let left_out = text.chars().count().saturating_sub(limit);
        text.truncate(end);
        text.push_str(&format!("\n[truncated {left_out} chars]"));
        Capped { text, kinds, left_out }
    }
}

/// A text without its secrets, and short enough: what an agent may be given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "this is the result of the call"]
pub struct Capped {
    text: String,
    kinds: Vec<&'static str>,
    left_out: usize,
}

impl Capped {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What was taken out: each kind once, in the order of the text, be it before the cut or not.
    #[must_use]
    pub fn kinds(&self) -> &[&'static str] {
        &self.kinds
    }

    /// How many characters were left out at the end.
    #[must_use]
    pub const fn left_out(&self) -> usize {
        self.left_out
    }

    /// The text, for whoever sends it on.
    #[must_use]
    pub fn into_text(self) -> String {
        self.text
    }
}

/// A stretch of text that goes.
struct Secret {
    span: Span,
    kinds: Vec<&'static str>,
}

/// The secrets in the order of the text, on boundaries of characters, none touching another's
/// inside.
fn merged(text: &str, found: &[Contraband]) -> Vec<Secret> {
    let is_secret = |found: &&Contraband| found.family == Family::Secret && found.span.start < found.span.end;
    let secrets = found.iter().filter(is_secret);
    let mut spans: Vec<(Span, &'static str)> = secrets
        .map(|found| {
            let Span { start, end } = found.span;
            (Span::new(text.floor_char_boundary(start), text.ceil_char_boundary(end)), found.kind)
        })
        .filter(|(span, _)| span.start < span.end)
        .collect();
    spans.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let mut merged: Vec<Secret> = Vec::new();
    for (span, kind) in spans {
        match merged.last_mut() {
            Some(last) if span.start < last.span.end => {
                last.span.end = last.span.end.max(span.end);
                last.kinds.push(kind);
            }
            _ => merged.push(Secret { span, kinds: vec![kind] }),
        }
    }
    merged
}

fn keep_first_of_each(kinds: &mut Vec<&'static str>) {
    let mut seen = std::collections::BTreeSet::new();
    kinds.retain(|kind| seen.insert(*kind));
}
