//! The promise of the simple reader: where it answers, the parser answers the same.

use super::{Map, parser, simple};
use crate::findings::Findings;

/// Reads a front matter in both ways; whether the simple reader had an answer.
///
/// # Panics
///
/// When the two differ.
pub fn assert_readers_agree(text: &str) -> bool {
    // Somewhere inside a document, so that no place is right by being counted from 0.
    const BASE: usize = 4;
    let Some(quick) = simple::read(text, BASE) else { return false };
    let mut findings = Findings::default();
    let slow: Option<Map<'_>> = parser::read(text, BASE, &mut findings);
    assert_eq!(Some(quick), slow, "{text:?}: {findings:?}");
    assert_eq!(findings.in_order("").len(), 0, "{text:?}");
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::assert_readers_agree;

    const HONEST: &str = "request_type: tool_request\nschema_version: \"1\"\n# who\napproved_by: Zoë\n\
        purpose: 'a: b'\nempty:\nnetwork_allowlist:\n  - data.example.org:443\n  - \"*.example.net\"\n\
        inputs:\n  - name: a.py\n    sha256: 2cf2\n\n  # next\n  - name: b.csv\n    sha256: 486e\n\
        constraints:\n- No writes outside /out\n- No persistence\nlast: 0.5\n";

    #[test]
    fn what_people_write_is_read_without_the_parser() {
        let endings = ["\n", "\r\n", "\r"];
        for text in endings.map(|ending| HONEST.replace('\n', ending)) {
            assert!(assert_readers_agree(&text), "{text:?}");
        }
        let others = [
            "",
            "\n",
            "# nothing\n",
            "a: b",
            "a:",
            "a:\n",
            "a:   b\n",
            "a: b  c\n",
            "a:\n  - b",
            "a:\n- b: c",
            "a:\n- b: c\n  d: e\n\n",
            "a:\n -   b: c\n     d: e\nf: g\n",
            "a: ''\n",
            "a: \"#\"\n",
            "a: b#c\n",
            "a: 日本\u{2028}\u{85}\n",
            "a: http://b.c\n",
            "a:\n - http://b.c\n",
            "a: ~\n",
            "a: b\n   # c\nd: e\n",
        ];
        for text in others {
            assert!(assert_readers_agree(text), "{text:?}");
        }
    }

    #[test]
    fn whatever_leaves_a_doubt_is_left_to_the_parser() {
        let doubts = [
            "a: b # c\n",
            "a: b\n  c\n",
            "a: b: c\n",
            "a: b:\n",
            "a:\tb\n",
            "\ta: b\n",
            "a: b\t\n",
            "a: b \n",
            "a: \n",
            "a : b\n",
            " a: b\n",
            "\"a\": b\n",
            "a: \"b\\n\"\n",
            "a: 'b''c'\n",
            "a: \"b\" c\n",
            "a: \"b\n",
            "a: b\na: c\n",
            "a:\n  b: c\n",
            "a:\n  b\n",
            "a:\n- - b\n",
            "a:\n-\n- b\n",
            "a:\n- b\n - c\n",
            "a:\n - b\n- c\n",
            "a:\n- b: c\n   d: e\n",
            "a:\n- b: c\n d: e\n",
            "a:\n- b:\n  c: d\n",
            "- a\n",
            "? a\n",
            "a: |\n  b\n",
            "a: >-\n  b\n",
            "a: &b c\n",
            "a: *b\n",
            "a: !b c\n",
            "%a: b\n",
            "a: @b\n",
            "a: `b`\n",
            "a: {b: c}\n",
            "a: [b]\n",
            "a: []\n",
            "a: -1\n",
            "a: ?b\n",
            "<<: b\n",
            "a: b\n...\n",
            "--- a\n",
            "a\n",
            "\u{feff}a: b\n",
            "a: b\u{feff}\n",
            "a: b\0\n",
            "a: b\u{7}\n",
            "é: b\n",
        ];
        for text in doubts {
            assert!(!assert_readers_agree(text), "{text:?}");
        }
    }

    /// Everything that means something to YAML, and some that only looks as if it did.
    fn sign() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "a",
            "key",
            "\n",
            "\n",
            "\r\n",
            "\r",
            " ",
            "  ",
            "    ",
            "\t",
            ":",
            ": ",
            ": ",
            "- ",
            "\n- ",
            "\n  - ",
            "- - ",
            "-",
            "#",
            " #",
            "? ",
            "|",
            ">",
            "|-\n",
            "&a ",
            "*a",
            "!",
            "!!str ",
            "%",
            "@",
            "`",
            "{",
            "}",
            "[",
            "]",
            ",",
            "'",
            "''",
            "\"",
            "\\",
            "\\n",
            "~",
            "null",
            "<<",
            "---",
            "...",
            "\n...\n",
            "é",
            "日本",
            "\u{feff}",
            "\u{85}",
            "\u{2028}",
            "\u{2029}",
            "\u{a0}",
            "\0",
            "\u{7f}",
            "b: c",
            "\n  b: c",
            "\n    b: c",
            "\nkey:",
            "\nkey: \"b\"",
            "\nkey: 'b'",
            "\nkey: b # c",
            "\n# c\n",
            "\n  # c\n",
            "1.5",
            "(",
            "=",
            "+",
            "/out",
        ])
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn the_readers_agree_on_what_signs_make(signs in prop::collection::vec(sign(), 0..24)) {
            assert_readers_agree(&signs.concat());
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
            assert_readers_agree(&text.into_iter().collect::<String>());
        }
    }
}
