//! Filling in the approval: nothing else moves, and what cannot be edited with certainty is refused.

mod request;

use document::{NotFilled, Profile, Source, Verdict, digest, fill_approval};
use proptest::prelude::*;
use request::{Request, check_text};

const AT: &str = "2026-02-09T16:12:00Z";

fn digest_of(text: &str) -> Option<call::Sha256> {
    digest(&Source { stem: None, bytes: text.as_bytes() })
}

#[test]
fn a_draft_becomes_an_approved_request_with_the_same_digest() {
    let ways = ["\"\"", "", "''", "~", "null", "\"\"   # by a person", "  # by a person", "Somebody Else"];
    for way in ways {
        for ending in ["\n", "\r\n"] {
            let draft = Request::new()
                .with("approved_by", way)
                .with("approved_utc", way)
                .text()
                .replace('\n', ending);
            let filled = fill_approval(&draft, "Ada \"the first\" Lovelace", AT.parse().unwrap()).unwrap();
            assert_eq!(check_text(&filled, None, Profile::Strict).verdict(), Verdict::Accept, "{filled}");
            assert_eq!(digest_of(&filled), digest_of(&draft));
            assert_eq!(filled.contains("# by a person"), draft.contains("# by a person"));
            let rest = |text: &str| -> Vec<String> {
                text.lines().filter(|line| !line.starts_with("approved_")).map(str::to_owned).collect()
            };
            assert_eq!(rest(&filled), rest(&draft));
        }
    }
}

#[test]
fn missing_fields_are_added_at_the_end_of_the_front_matter() {
    let draft = Request::new().without("approved_by").without("approved_utc").text();
    let filled = fill_approval(&draft, "Ada Lovelace", AT.parse().unwrap()).unwrap();
    assert_eq!(check_text(&filled, None, Profile::Strict).verdict(), Verdict::Accept, "{filled}");
    assert_eq!(digest_of(&filled), digest_of(&draft));
}

#[test]
fn what_cannot_be_edited_with_certainty_is_refused() {
    let cases = [
        ("approved_by", "\n  - Ada", NotFilled::Shape("approved_by")),
        ("approved_by", "|\n  Ada", NotFilled::Shape("approved_by")),
        ("approved_by", "\"Ada\n  Lovelace\"", NotFilled::Shape("approved_by")),
        ("approved_by", "&a Ada", NotFilled::NoFrontMatter),
        ("approved_utc", "{a: b}", NotFilled::Shape("approved_utc")),
    ];
    for (key, yaml, want) in cases {
        let draft = Request::new().with(key, yaml).text();
        assert_eq!(fill_approval(&draft, "Ada", AT.parse().unwrap()), Err(want), "{yaml}");
    }
    assert_eq!(fill_approval("text", "Ada", AT.parse().unwrap()), Err(NotFilled::NoFrontMatter));
}

proptest! {
    #[test]
    fn filling_in_never_changes_the_digest(by in "\\PC{1,20}", way in "[ -~]{0,20}", purpose in "[ -~]{1,40}") {
        let draft = Request::new().with("approved_by", &way).with("purpose", &purpose).text();
        if let Ok(filled) = fill_approval(&draft, &by, AT.parse().unwrap()) {
            prop_assert_eq!(digest_of(&filled), digest_of(&draft));
        }
    }
}
