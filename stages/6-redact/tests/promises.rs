//! What holds for every text and every finding.

use call::{Contraband, Family, Span};
use proptest::prelude::*;
use redact::redact;

const KINDS: [&str; 4] = ["github_token", "aws_access_key", "private_key", "password"];

fn secret(start: usize, end: usize, kind: &'static str) -> Contraband {
    Contraband { span: Span::new(start, end), family: Family::Secret, kind }
}

#[test]
fn secrets_go_and_all_else_stays() {
    let cases: [(&str, &[Contraband], &str, &[&str]); 11] = [
        // text, found -> text, kinds
        ("", &[], "", &[]),
        ("nothing here", &[], "nothing here", &[]),
        ("a SECRET b", &[secret(2, 8, "k")], "a <REDACTED:k> b", &["k"]),
        ("SECRET", &[secret(0, 6, "k")], "<REDACTED:k>", &["k"]),
        // Given out of order, and one kind twice.
        ("ab cd", &[secret(3, 5, "k"), secret(0, 2, "k")], "<REDACTED:k> <REDACTED:k>", &["k"]),
        // Side by side is not overlapping.
        ("abcd", &[secret(0, 2, "k"), secret(2, 4, "l")], "<REDACTED:k><REDACTED:l>", &["k", "l"]),
        ("abcdef", &[secret(1, 3, "k"), secret(2, 5, "l")], "a<REDACTED:k>f", &["k", "l"]),
        ("abcdef", &[secret(1, 2, "k"), secret(1, 5, "l")], "a<REDACTED:l>f", &["l", "k"]),
        // Inside of `ü` and of `ß`: both go.
        ("xüyßz", &[secret(2, 5, "k")], "x<REDACTED:k>z", &["k"]),
        // Behind the end of the text there is nothing to take out.
        ("abc", &[secret(2, 99, "k"), secret(50, 60, "l"), secret(1, 1, "m")], "ab<REDACTED:k>", &["k"]),
        (
            "ignore this",
            &[Contraband { span: Span::new(0, 6), family: Family::Override, kind: "ignore_instructions" }],
            "ignore this",
            &[],
        ),
    ];
    for (text, found, want, kinds) in cases {
        let got = redact(text, found);
        assert_eq!((got.text(), got.kinds()), (want, kinds), "{text:?} {found:?}");
    }
}

#[test]
fn the_smaller_limit_cuts_and_the_rest_is_counted() {
    let cases = [
        // text, policy's limit, asked -> text, left out
        ("", 0, None, "", 0),
        ("abc", 3, None, "abc", 0),
        ("abcd", 3, None, "abc\n[truncated 1 chars]", 1),
        ("abcd", 3, Some(2), "ab\n[truncated 2 chars]", 2),
        ("abcd", 3, Some(9), "abc\n[truncated 1 chars]", 1),
        ("abcd", 9, Some(4), "abcd", 0),
        ("abcd", 9, Some(0), "\n[truncated 4 chars]", 4),
        ("日本語🙂", 3, None, "日本語\n[truncated 1 chars]", 1),
    ];
    for (text, limit, asked, want, left_out) in cases {
        let got = redact(text, &[]).cap(limit, asked);
        assert_eq!((got.text(), got.left_out()), (want, left_out), "{text:?} {limit} {asked:?}");
    }
}

#[test]
fn a_secret_across_the_cut_leaves_nothing_of_itself() {
    let got = redact("token=ghp_0123456789", &[secret(6, 20, "github_token")]).cap(12, None);
    assert_eq!(got.text(), "token=<REDAC\n[truncated 17 chars]");
    assert_eq!(got.kinds(), ["github_token"]);
}

/// Texts with characters of every width, and findings anywhere in and behind them.
fn texts_and_findings() -> impl Strategy<Value = (String, Vec<Contraband>)> {
    let found = (0..60_usize, 0..20_usize, proptest::sample::select(&KINDS), any::<bool>()).prop_map(
        |(start, length, kind, is_secret)| Contraband {
            span: Span::new(start, start + length),
            family: if is_secret { Family::Secret } else { Family::Payload },
            kind,
        },
    );
    ("[a-c ß日🙂\n]{0,30}", proptest::collection::vec(found, 0..6))
}

/// Whether any secret covers a part of the character that stands at these bytes.
fn is_secret(found: &[Contraband], start: usize, end: usize) -> bool {
    found.iter().any(|found| {
        let covers = found.span.start < end && start < found.span.end && found.span.start < found.span.end;
        found.family == Family::Secret && covers
    })
}

proptest! {
    #[test]
    fn exactly_what_no_secret_covers_is_left((text, found) in texts_and_findings()) {
        let outside: String = text
            .char_indices()
            .filter(|(at, character)| !is_secret(&found, *at, at + character.len_utf8()))
            .map(|(_, character)| character)
            .collect();
        let mut left = redact(&text, &found).text().to_owned();
        for kind in KINDS {
            left = left.replace(&format!("<REDACTED:{kind}>"), "");
        }
        prop_assert_eq!(left, outside);
    }

    #[test]
    fn no_secret_survives_unless_it_also_stands_elsewhere((text, found) in texts_and_findings()) {
        let redacted = redact(&text, &found);
        // What is left, cut at the marks, so that no text is pieced together from two sides of one.
        let mut pieces = vec![redacted.text().to_owned()];
        for kind in KINDS {
            let mark = format!("<REDACTED:{kind}>");
            pieces = pieces.iter().flat_map(|piece| piece.split(&mark)).map(str::to_owned).collect();
        }
        for secret in found.iter().filter(|found| found.family == Family::Secret) {
            let Some(secret) = secret.span.of(&text).filter(|secret| !secret.is_empty()) else { continue };
            let elsewhere = text.match_indices(secret).any(|(at, _)| {
                let inside = text.char_indices().filter(|(i, _)| (at..at + secret.len()).contains(i));
                inside.clone().all(|(i, character)| !is_secret(&found, i, i + character.len_utf8()))
            });
            let survives = pieces.iter().any(|piece| piece.contains(secret));
            prop_assert_eq!(survives, elsewhere, "{:?} in {:?}", secret, redacted);
        }
    }

    #[test]
    fn a_text_within_the_limit_is_unchanged(text in "\\PC{0,40}", room in 0..5_usize) {
        let capped = redact(&text, &[]).cap(text.chars().count() + room, None);
        prop_assert_eq!((capped.text(), capped.left_out()), (text.as_str(), 0));
    }

    #[test]
    fn a_cap_keeps_the_beginning_whole_and_counts_the_rest(text in "\\PC{0,40}", limit in 0..45_usize) {
        let capped = redact(&text, &[]).cap(limit, None);
        let kept: String = text.chars().take(limit).collect();
        let n = text.chars().count().saturating_sub(limit);
        let want = if n == 0 { kept } else { format!("{kept}\n[truncated {n} chars]") };
        prop_assert_eq!(capped.into_text(), want);
    }

    #[test]
    fn a_second_cap_would_keep_the_same_and_count_the_first_mark(text in "\\PC{9,40}", limit in 0..8_usize) {
        let once = redact(&text, &[]).cap(limit, None);
        let mark = format!("\n[truncated {} chars]", once.left_out());
        let twice = redact(once.text(), &[]).cap(limit, None);
        let kept: String = text.chars().take(limit).collect();
        prop_assert_eq!(twice.text(), format!("{kept}\n[truncated {} chars]", mark.chars().count()));
    }
}
