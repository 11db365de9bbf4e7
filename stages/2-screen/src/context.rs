//! What stands around a phrase in the text that was squeezed.
//!
//! Squeezed text has no punctuation, and some phrases mean what they say only with it.

use call::Span;

/// Does a colon stand behind `span`, emphasis marks and blanks aside?
pub(crate) fn colon_follows(text: &str, span: Span) -> bool {
    let behind = text.get(span.end..).unwrap_or_default();
    behind.trim_start_matches([' ', '*', '_', '"', '\'', '`', ')', ']']).starts_with([':', '：'])
}

/// Does `span` open a sentence or a clause? A line break alone does not: text is wrapped.
pub(crate) fn opens_sentence(text: &str, span: Span) -> bool {
    // As much as can stand between two sentences; more is a disguise.
    let window = text.floor_char_boundary(span.start.saturating_sub(200));
    let before = text.get(window..span.start).unwrap_or_default();
    let blank = |character: char| {
        character.is_whitespace()
            || matches!(
                character,
                '-' | '*' | '_' | '#' | '>' | '"' | '\'' | '`' | '(' | '[' | '“' | '‘' | '/'
            )
    };
    let ended = before.trim_end_matches(blank);
    let gap = before.get(ended.len()..).unwrap_or_default();
    let paragraph =
        gap.matches('\n').count() >= 2 || (gap.contains('\n') && gap.contains(['-', '*', '#', '>']));
    ended.is_empty() || paragraph || ended.ends_with(['.', '!', '?', ':', ';', ',', '—', ']', ')', '|'])
}

/// Written like this, a phrase of that kind is none.
pub(crate) fn is_harmless(kind: &str, text: &str, span: Span) -> bool {
    let written = span.of(text).unwrap_or_default();
    match kind {
        "policy_override" => is_identifier(written) || is_denied(text, span),
        "new_instructions" => is_identifier(written) && written.bytes().any(|byte| byte.is_ascii_lowercase()),
        _ => false,
    }
}

/// A name in code, of two or three words: `bypass_sandbox`, `AdminOverride`.
fn is_identifier(written: &str) -> bool {
    let bytes = written.as_bytes();
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let humps = pairs.filter(|(left, right)| left.is_ascii_lowercase() && right.is_ascii_uppercase()).count();
    let seams = bytes.iter().filter(|&&byte| byte == b'_').count();
    let name = bytes.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
    name && (1..=2).contains(&(humps + seams))
}

/// A question that is answered at once: "Disable the checks …? No."
fn is_denied(text: &str, span: Span) -> bool {
    let window =
        text.get(span.end..text.floor_char_boundary(span.end.saturating_add(120))).unwrap_or_default();
    let end = window.find(['.', '!', '?', '\n']).unwrap_or(window.len());
    let answer = window.get(end..).unwrap_or_default();
    ["? No.", "? No,", "? No\n", "? Never."].iter().any(|no| answer.starts_with(no)) || answer == "? No"
}

#[cfg(test)]
mod tests {
    use super::opens_sentence;
    use call::Span;

    #[test]
    fn an_order_opens_a_sentence() {
        let cases = [
            // text in front, does a sentence begin behind it?
            ("", true),
            ("Done. ", true),
            ("Assistant, ", true),
            ("a line\n\n", true),
            ("a line\n- ", true),
            ("**", true),
            ("rows that ", false),
            ("rows that\n", false),
        ];
        for (before, want) in cases {
            let text = format!("{before}do");
            assert_eq!(opens_sentence(&text, Span::new(before.len(), text.len())), want, "{before:?}");
        }
    }
}
