//! The promise of the quick readers: where one answers, the thorough one answers the same.

use crate::findings::Findings;
use crate::front::{self, Part};
use crate::{sections, yaml};

/// Reads the front matter and the headings of a text in both ways.
///
/// # Panics
///
/// When the quick way and the thorough one differ.
pub fn assert_readers_agree(text: &str) {
    match front::split(text, &mut Findings::default()) {
        Some(split) => {
            front_matter(split.front.text);
            headings(split.body.text);
        }
        None => {
            front_matter(text);
            headings(text);
        }
    }
}

// Somewhere inside a document, so that no place is right by being counted from 0.
const BASE: usize = 4;

/// Whether the front matter was simple.
fn front_matter(text: &str) -> bool {
    let Some(quick) = yaml::simple::read(text, BASE) else { return false };
    let mut findings = Findings::default();
    let thorough = yaml::parser::read(text, BASE, &mut findings);
    assert_eq!(Some(quick), thorough, "{text:?}: {findings:?}");
    assert_eq!(findings.in_order("").len(), 0, "{text:?}");
    true
}

/// Whether the text was plain.
fn headings(text: &str) -> bool {
    let part = Part { text, start: BASE };
    let quick: Result<Vec<_>, _> = sections::outline::headings(part).collect();
    let Ok(quick) = quick else { return false };
    let thorough: Vec<_> = sections::headings::parsed(part).collect();
    assert_eq!(quick, thorough, "{text:?}");
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{front_matter, headings};

    const HONEST: &str = "request_type: tool_request\nschema_version: \"1\"\n# who\napproved_by: Zoë\n\
        purpose: 'a: b'\nempty:\nnetwork_allowlist:\n  - data.example.org:443\n  - \"*.example.net\"\n\
        inputs:\n  - name: a.py\n    sha256: 2cf2\n\n  # next\n  - name: b.csv\n    sha256: 486e\n\
        constraints:\n- No writes outside /out\n- No persistence\nlast: 0.5\n";

    #[test]
    fn what_people_write_is_read_without_the_parser() {
        let endings = ["\n", "\r\n", "\r"];
        for text in endings.map(|ending| HONEST.replace('\n', ending)) {
            assert!(front_matter(&text), "{text:?}");
        }
        #[rustfmt::skip]
        let others = [
            "", "\n", "# nothing\n", "a: b", "a:", "a:\n", "a:   b\n", "a: b  c\n", "a:\n  - b",
            "a:\n- b: c", "a:\n- b: c\n  d: e\n\n", "a:\n -   b: c\n     d: e\nf: g\n", "a: ''\n",
            "a: \"#\"\n", "a: b#c\n", "a: 日本\u{2028}\u{85}\n", "a: http://b.c\n", "a:\n - http://b.c\n",
            "a: ~\n", "a: b\n   # c\nd: e\n",
        ];
        for text in others {
            assert!(front_matter(text), "{text:?}");
        }
    }

    #[test]
    fn whatever_leaves_a_doubt_is_left_to_the_parser() {
        #[rustfmt::skip]
        let doubts = [
            "a: b # c\n", "a: b\n  c\n", "a: b: c\n", "a: b:\n", "a:\tb\n", "\ta: b\n", "a: b\t\n",
            "a: b \n", "a: \n", "a : b\n", " a: b\n", "\"a\": b\n", "a: \"b\\n\"\n", "a: 'b''c'\n",
            "a: \"b\" c\n", "a: \"b\n", "a: b\na: c\n", "a:\n  b: c\n", "a:\n  b\n", "a:\n- - b\n",
            "a:\n-\n- b\n", "a:\n- b\n - c\n", "a:\n - b\n- c\n", "a:\n- b: c\n   d: e\n",
            "a:\n- b: c\n d: e\n", "a:\n- b:\n  c: d\n", "- a\n", "? a\n", "a: |\n  b\n", "a: >-\n  b\n",
            "a: &b c\n", "a: *b\n", "a: !b c\n", "%a: b\n", "a: @b\n", "a: `b`\n", "a: {b: c}\n",
            "a: [b]\n", "a: []\n", "a: -1\n", "a: ?b\n", "<<: b\n", "a: b\n...\n", "--- a\n", "a\n",
            "\u{feff}a: b\n", "a: b\u{feff}\n", "a: b\0\n", "a: b\u{7}\n", "é: b\n",
        ];
        for text in doubts {
            assert!(!front_matter(text), "{text:?}");
        }
    }

    #[test]
    fn headings_are_told_from_plain_text_and_nothing_else() {
        let plain = [
            "## a\n\nb\n## c  \n- d\n  e\n## f\n1. `g`\n### h\n# i\n",
            "- a\n## b\n",
            "> a\n## b\n",
            "a\r\n===\r\n## b ##\r\n",
            "| a | b |\n## `c`\n",
        ];
        for text in plain {
            assert!(headings(text), "{text:?}");
        }
        #[rustfmt::skip]
        let doubts = [
            "```\n## a\n", "- ~~~\n", "a\n---\n", "a\n-\n", " ## a\n", "##\ta\n", "##\n", "##a\n", "<!--\n## a\n",
            "- <div>\n", "[a]: /b\n", "    ## a\n", "- ## a\n", "***\n", "    a\r\r## b\r",
        ];
        for text in doubts {
            assert!(!headings(text), "{text:?}");
        }
    }

    /// Everything that means something to YAML, and some that only looks as if it did.
    #[rustfmt::skip]
    fn sign() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "a", "key", "\n", "\n", "\r\n", "\r", " ", "  ", "    ", "\t", ":", ": ", ": ", "- ", "\n- ",
            "\n  - ", "- - ", "-", "#", " #", "? ", "|", ">", "|-\n", "&a ", "*a", "!", "!!str ", "%",
            "@", "`", "{", "}", "[", "]", ",", "'", "''", "\"", "\\", "\\n", "~", "null", "<<", "---",
            "...", "\n...\n", "é", "日本", "\u{feff}", "\u{85}", "\u{2028}", "\u{2029}", "\u{a0}", "\0",
            "\u{7f}", "b: c", "\n  b: c", "\n    b: c", "\nkey:", "\nkey: \"b\"", "\nkey: 'b'",
            "\nkey: b # c", "\n# c\n", "\n  # c\n", "1.5", "(", "=", "+", "/out",
        ])
    }

    /// The same for Markdown.
    #[rustfmt::skip]
    fn mark() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "a", "\n", "\n", "\n\n", "\r\n", "\r", " ", "    ", "\t", "\u{b}", "\u{c}", "#", "##", "## ",
            "\n## ", "\n## a\n", "\n## a ##\n", " ## a", "\n   ## a\n", "\n    ## a\n", "##\t", "### ",
            "- ", "\n- ", "\n  ", "1. ", "2) ", "* ", "+ ", "> ", ">", "-", "---", "\n---\n", "\n--- \n",
            "\n-\n", "===", "***", "```", "\n```\n", "````", "~~~", "\n~~~\n", "`", "<", "<div>",
            "</div>", "\n<!--\n", "-->", "<script>", "</script>", "<?", "?>", "<![CDATA[", "<b>", "[a]:",
            "[a]: /b", "\n[a]: /b 'c\n", "'", "\"", "(", "[", "]", "]:", "|", "\\", "&lt;", "é",
            "\u{a0}", "\u{2028}", "\0",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_readers_agree_on_what_signs_make(signs in prop::collection::vec(sign(), 0..24)) {
            front_matter(&signs.concat());
        }

        #[test]
        fn the_readers_agree_on_honest_text_with_something_changed(
            edits in prop::collection::vec((0.0..1.0_f64, 0_usize..6, sign()), 1..5),
        ) {
            let mut text: Vec<char> = HONEST.chars().collect();
            for (place, removed, sign) in edits {
                let at = (place * text.len() as f64) as usize;
                let end = (at + removed).min(text.len());
                text.splice(at..end, sign.chars());
            }
            front_matter(&text.into_iter().collect::<String>());
        }

        #[test]
        fn the_headings_agree_on_what_signs_make(signs in prop::collection::vec(mark(), 0..24)) {
            headings(&signs.concat());
        }
    }
}
