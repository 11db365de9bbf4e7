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

use call::{Contraband, Excerpt, Family, Span};

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
    redact_excerpt(text, found, Excerpt { span: Span::new(0, text.len()), left_out: 0 })
}

/// The same for a part of a text: secrets are those of the whole text, and only the part comes back.
///
/// A secret that reaches into the part becomes a mark in it, however little of it does. What the part has
/// beyond the text is counted by [`Redacted::cap`]; then nothing is shown that stands close to the end of
/// the text, because it may be the first half of a secret whose other half nobody saw.
///
/// ```
/// use call::{Contraband, Excerpt, Family, Span};
///
/// let text = "BEGIN\nkey\nEND\nrest";
/// let key = Contraband { span: Span::new(0, 13), family: Family::Secret, kind: "private_key" };
/// let excerpt = Excerpt { span: Span::new(6, 18), left_out: 0 };
/// assert_eq!(redact::redact_excerpt(text, &[key], excerpt).text(), "<REDACTED:private_key>\nrest");
/// ```
pub fn redact_excerpt(text: &str, found: &[Contraband], excerpt: Excerpt) -> Redacted {
    let end = text.floor_char_boundary(excerpt.span.end);
    let start = text.ceil_char_boundary(excerpt.span.start).min(end);
    let mut redacted =
        Redacted { text: String::with_capacity(end - start), kinds: Vec::new(), unseen: excerpt.left_out };
    let mut behind = start;
    for Secret { span, kinds } in merged(text, found) {
        if start == end || span.end <= start || span.start >= end {
            continue;
        }
        redacted.text.push_str(Span::new(behind, span.start).of(text).unwrap_or_default());
        if let Some(kind) = kinds.first() {
            redacted.text.extend(["<REDACTED:", kind, ">"]);
        }
        redacted.kinds.extend(kinds);
        behind = span.end;
    }
    redacted.text.push_str(Span::new(behind, end).of(text).unwrap_or_default());
    keep_first_of_each(&mut redacted.kinds);
    redacted
}

/// Characters before the end of what was seen, in which a secret may have begun that was not seen whole. The
/// longest private keys in use have some 13,000.
const EDGE: usize = 16 * 1024;

/// A text without its secrets. It may still be too long.
///
/// Nothing but [`redact`] makes one, so nothing is capped before its secrets are out:
///
/// ```compile_fail
/// let forged = redact::Redacted { text: "key ghp_".to_owned(), kinds: Vec::new(), unseen: 0 };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a text that nobody caps is a text of any length"]
pub struct Redacted {
    text: String,
    kinds: Vec<&'static str>,
    /// Characters that belong behind the text and that nobody has seen.
    unseen: u64,
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
        let Self { mut text, kinds, unseen } = self;
        let mut limit = asked.map_or(max_file_chars, |asked| asked.min(max_file_chars));
        if unseen > 0 {
            limit = limit.min(text.chars().count().saturating_sub(EDGE));
        }
        let end = match nth_character(&text, limit) {
            Some(end) => end,
            None if unseen > 0 => text.len(),
            None => return Capped { text, kinds, left_out: 0 },
        };
        let seen = text.chars().count().saturating_sub(limit) as u64;
        let left_out = seen.saturating_add(unseen);
        text.truncate(end);
        text.push_str(&format!("\n[truncated {left_out} chars]"));
        Capped { text, kinds, left_out }
    }
}

/// Where the character stands that has so many before it; nothing when there are not so many.
fn nth_character(text: &str, before: usize) -> Option<usize> {
    // No text has more characters than bytes, and most have as many.
    if text.len() <= before {
        return None;
    }
    match text.get(..before) {
        Some(beginning) if beginning.is_ascii() => Some(before),
        Some(_) | None => text.char_indices().nth(before).map(|(place, _)| place),
    }
}

/// A text without its secrets, and short enough: what an agent may be given.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "this is the result of the call"]
pub struct Capped {
    text: String,
    kinds: Vec<&'static str>,
    left_out: u64,
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
    pub const fn left_out(&self) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::{EDGE, nth_character, redact_excerpt};
    use call::{Contraband, Excerpt, Family, Span};

    fn secret(start: usize, end: usize) -> Contraband {
        Contraband { span: Span::new(start, end), family: Family::Secret, kind: "k" }
    }

    #[test]
    fn only_the_part_comes_back_and_secrets_across_its_edges_do_not() {
        let cases = [
            // secrets, part -> text
            (vec![], (2, 5), "cde"),
            (vec![secret(0, 2)], (2, 5), "cde"),
            (vec![secret(0, 3)], (2, 5), "<REDACTED:k>de"),
            (vec![secret(4, 8)], (2, 5), "cd<REDACTED:k>"),
            (vec![secret(5, 8)], (2, 5), "cde"),
            (vec![secret(0, 8)], (2, 5), "<REDACTED:k>"),
            (vec![secret(0, 8)], (3, 3), ""),
            (vec![], (6, 99), "gh"),
            (vec![], (99, 99), ""),
        ];
        for (found, (start, end), want) in cases {
            let excerpt = Excerpt { span: Span::new(start, end), left_out: 0 };
            let got = redact_excerpt("abcdefgh", &found, excerpt);
            assert_eq!(got.text(), want, "{found:?} {start}..{end}");
        }
    }

    #[test]
    fn characters_are_counted_and_not_bytes() {
        for text in ["", "abc", "äöü", "aäb", "abä", "日本語abc"] {
            for before in 0..12 {
                let want = text.char_indices().nth(before).map(|(place, _)| place);
                assert_eq!(nth_character(text, before), want, "{text} {before}");
            }
        }
    }

    #[test]
    fn what_nobody_saw_is_counted_and_what_stands_before_it_is_not_shown() {
        let text = "x".repeat(EDGE + 10);
        let excerpt = Excerpt { span: Span::new(0, text.len()), left_out: 1000 };
        let cases = [
            // cap -> shown, left out
            (4, 4, EDGE as u64 + 1006),
            (10, 10, EDGE as u64 + 1000),
            (11, 10, EDGE as u64 + 1000),
            (1 << 20, 10, EDGE as u64 + 1000),
        ];
        for (cap, shown, left_out) in cases {
            let capped = redact_excerpt(&text, &[], excerpt).cap(cap, None);
            let want = format!("{}\n[truncated {left_out} chars]", "x".repeat(shown));
            assert_eq!((capped.text(), capped.left_out()), (want.as_str(), left_out), "{cap}");
        }
    }
}
