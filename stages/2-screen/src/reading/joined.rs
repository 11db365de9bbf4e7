//! String literals that a program puts together: `"ghp_" + "k3Jx"`, `"ghp_" "k3Jx"`, `["ghp_", "k3Jx"].join("")`.
//!
//! Only where both literals end in a letter or digit at the seam; an empty literal joins nothing.

use crate::blocks::{Look, any_block, bits_behind, bits_in_front, bits_where};
use crate::view::View;

/// `text` with such seams taken out, or nothing when there is none.
pub(crate) fn joined(text: &str) -> Option<View<'static>> {
    let bytes = text.as_bytes();
    // Asked only where it matters: hardly any text is such a program.
    let mut lists = None;
    let mut view = None;
    let (mut from, mut at) = (0, 0);
    each_quote(bytes, |quote, next| {
        if quote < at {
            return;
        }
        let comma = next == b',' && *lists.get_or_insert_with(|| joins_lists(bytes));
        if !comma && !is_between(next) {
            return;
        }
        let lists = *lists.get_or_insert_with(|| joins_lists(bytes));
        if let (Some(end), Some(kept)) = (seam(bytes, quote, lists), text.get(from..quote)) {
            let view = view.get_or_insert_with(|| View::with_capacity(text.len()));
            view.push(kept, from, quote);
            (from, at) = (end, end);
        }
    });
    let mut view = view?;
    view.push(text.get(from..)?, from, text.len());
    Some(view)
}

/// Calls `found` with each quote that a literal may end with, and with what stands behind it: something that may
/// stand between literals, or a comma.
#[inline]
fn each_quote(bytes: &[u8], found: impl FnMut(usize, u8)) {
    any_block(bytes, EachQuote { bytes, found });
}

struct EachQuote<'b, F> {
    bytes: &'b [u8],
    found: F,
}

impl<F: FnMut(usize, u8)> Look for EachQuote<'_, F> {
    #[inline(always)]
    fn look(&mut self, block: &[u8; 64], start: usize) -> bool {
        let quotes = bits_where(block, is_quote);
        if quotes == 0 {
            return false;
        }
        let bytes = self.bytes;
        let before = start.checked_sub(1).and_then(|before| bytes.get(before));
        let behind = |byte: u8| is_between(byte) | (byte == b',');
        let mut left = quotes
            & bits_behind(block, before, goes_on)
            & bits_in_front(block, bytes.get(start + 64), behind);
        while left != 0 {
            let quote = start + left.trailing_zeros() as usize;
            left &= left - 1;
            if let Some(&next) = bytes.get(quote + 1) {
                (self.found)(quote, next);
            }
        }
        false
    }
}

/// Where the seam that starts with the quote at `quote` ends.
fn seam(bytes: &[u8], quote: usize, lists: bool) -> Option<usize> {
    const CALL: &[u8] = b".concat(";
    bytes.get(quote.checked_sub(1)?).copied().filter(|&byte| goes_on(byte))?;
    let call = if bytes.get(quote + 1..)?.starts_with(CALL) { CALL.len() } else { 0 };
    let is_between = |byte: u8| is_between(byte) || (lists && byte == b',');
    let rest = bytes.get(quote + 1 + call..)?;
    let between = call + rest.iter().take(LONGEST).take_while(|&&byte| is_between(byte)).count();
    let mut open = quote + 1 + between;
    // In Python a letter may stand before the quote.
    let prefix = matches!(bytes.get(open)?, b'f' | b'b' | b'r' | b'u') && between > 0;
    open += usize::from(prefix);
    let opens = is_quote(*bytes.get(open)?) && bytes.get(open + 1).copied().is_some_and(goes_on);
    (opens && between > 0).then_some(open + 1)
}

/// Does the program put the members of a list together, with nothing between them?
fn joins_lists(bytes: &[u8]) -> bool {
    const JOINS: [&[u8]; 7] = [
        b"join(\"\")",
        b"join('')",
        b"join(``)",
        b"\"\".join(",
        b"''.join(",
        b"implode('',",
        b"implode(\"\",",
    ];
    let named = |name: &[u8]| memchr::memmem::find(bytes, name).is_some();
    // Most texts with quotes are no programs, and have no such sign at all.
    memchr::memchr(b'(', bytes).is_some()
        && (named(b"join(") || named(b"implode("))
        && JOINS.into_iter().any(named)
}

/// The longest stretch of blanks and operators between two literals.
const LONGEST: usize = 80;

#[inline(always)]
const fn is_quote(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\'')
}

#[inline(always)]
const fn is_between(byte: u8) -> bool {
    let blank = (byte == b' ') | (byte == b'\t') | (byte == b'\r') | (byte == b'\n');
    blank | (byte == b'+') | (byte == b'.') | (byte == b'&') | (byte == b'\\')
}

#[inline(always)]
const fn goes_on(byte: u8) -> bool {
    let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
    // `-` and the digits, with `.` between them; and `/`, which stands there too.
    let digit = (byte.wrapping_sub(b'-') < 13) & (byte != b'.');
    letter | digit | (byte == b'_') | (byte == b'=')
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn literals_are_put_together() {
        let cases = [
            // written, put together
            (r#"x = "ab_" + "cd""#, Some(r#"x = "ab_cd""#)),
            ("'ab'\n  'cd' f'ef'", Some("'abcdef'")),
            (r#""ab", "cd""#, None),
            (r#"["ab", "cd"].join("")"#, Some(r#"["abcd"].join("")"#)),
            (r#"["ab", "cd"].join(", ")"#, None),
            (r#""ab".concat("cd")"#, Some(r#""abcd")"#)),
            (r#"a = "" + "b""#, None),
            ("it's his' ", None),
        ];
        for (written, want) in cases {
            assert_eq!(joined(written).as_ref().map(crate::view::View::text), want, "{written}");
        }
    }
}
