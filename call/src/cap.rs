//! Texts that are cut, and say so.

/// The first `max` characters (Unicode scalar values) of a text; where something was left out, a
/// newline and a mark that says how much.
///
/// ```
/// assert_eq!(call::cap_text("abc", 3), "abc");
/// assert_eq!(call::cap_text("abcd", 3), "abc\n[truncated 1 chars]");
/// ```
#[must_use]
pub fn cap_text(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some((end, _)) => {
            let (kept, left_out) = text.split_at_checked(end).unwrap_or((text, ""));
            format!("{kept}\n[truncated {} chars]", left_out.chars().count())
        }
    }
}
