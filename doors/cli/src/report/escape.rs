//! Texts of the ledger on their way into a report.
//!
//! The ledger keeps what agents said, and some of them hope for a reader whose browser believes them. Each
//! text is made visible first (no control, bidirectional or unseen character stays what it is), and then
//! loses whatever has a meaning in the form that it goes to.

use std::borrow::Cow;

use crate::visible::visible;

/// A text for HTML: between tags, in an attribute, or in a text of SVG.
pub(super) fn html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 16);
    for character in visible(text).chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            character => safe.push(character),
        }
    }
    safe
}

/// A text for Markdown, as a span of code: nothing in it is a link, a mention, emphasis or a tag.
///
/// What could end the span or its cell of a table, or look like a tag to a careless reader, is spelled out
/// like what cannot be seen. Escaping it instead would be read in more than one way: programs differ in
/// what a backslash before a pipe means within code.
pub(super) fn code(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 2);
    safe.push('`');
    for character in visible(text).chars() {
        match character {
            '`' | '|' | '<' => safe.push_str(&format!("\\u{{{:x}}}", u32::from(character))),
            character => safe.push(character),
        }
    }
    safe.push('`');
    safe
}

/// The beginning of a text, with a mark where more was.
pub(super) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => Cow::Borrowed(text),
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::{code, cut, html};

    #[test]
    fn nothing_of_the_ledger_has_a_meaning_in_html() {
        let cases = [
            ("read_file", "read_file"),
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\" onload=\"x", "&quot; onload=&quot;x"),
            ("' onload='x", "&#39; onload=&#39;x"),
            ("&lt;b&gt;", "&amp;lt;b&amp;gt;"),
            ("a\u{202e}b\u{200b}c", "a\\u{202e}b\\u{200b}c"),
            ("two\nlines\u{1b}[31m", "two\\u{a}lines\\u{1b}[31m"),
            ("]]><!--", "]]&gt;&lt;!--"),
            ("日本", "日本"),
        ];
        for (text, want) in cases {
            assert_eq!(html(text), want, "{text:?}");
        }
    }

    #[test]
    fn nothing_of_the_ledger_has_a_meaning_in_markdown() {
        let cases = [
            ("read_file", "`read_file`"),
            ("a|b", "`a\\u{7c}b`"),
            ("a\\|b", "`a\\\\u{7c}b`"),
            ("`` ` ``", "`\\u{60}\\u{60} \\u{60} \\u{60}\\u{60}`"),
            ("<script>", "`\\u{3c}script>`"),
            ("[x](https://example.org)", "`[x](https://example.org)`"),
            ("two\nlines", "`two\\u{a}lines`"),
            ("a\u{202e}b", "`a\\u{202e}b`"),
            ("@ada #1", "`@ada #1`"),
        ];
        for (text, want) in cases {
            assert_eq!(code(text), want, "{text:?}");
        }
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        let cases =
            [("", ""), ("abc", "abc"), ("abcd", "abc…"), ("日本語", "日本語"), ("日本語x", "日本語…")];
        for (text, want) in cases {
            assert_eq!(cut(text, 3), want, "{text:?}");
        }
    }
}
