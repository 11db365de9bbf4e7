//! The canonical digest: what it covers changes it, what it does not cover leaves it alone.

mod request;

use document::Source;
use proptest::prelude::*;
use request::Request;

fn digest(text: &str) -> Option<String> {
    document::digest(&Source { stem: None, bytes: text.as_bytes() }).map(|digest| digest.to_string())
}

#[test]
fn what_a_harmless_tool_changes_leaves_the_digest_alone() {
    let text = Request::new().text();
    let same = digest(&text);
    assert!(same.is_some());
    for (what, other) in [
        ("line ends", text.replace('\n', "\r\n")),
        ("a byte order mark", format!("\u{feff}{text}")),
        ("quotes", text.replacen("schema_version: 1", "schema_version: \"1\"", 1)),
        ("a comment", text.replacen("language:", "# why\nlanguage:", 1)),
        ("the approval", Request::new().with("approved_by", "Grace").with("approved_utc", "\"\"").text()),
        ("no approval", Request::new().without("approved_by").without("approved_utc").text()),
        ("the order of keys", {
            let mut request = Request::new();
            request.front.reverse();
            request.text()
        }),
    ] {
        assert_eq!(digest(&other), same, "{what}");
    }
}

proptest! {
    #[test]
    fn any_character_of_the_body_changes_the_digest(at in 0_usize..2000, with in "[a-z#/ é\u{200b}]") {
        let request = Request::new();
        let at = at % request.body.len();
        let mut body = request.body.clone();
        let was = body.remove(at);
        body.insert_str(at, &with);
        prop_assume!(was.to_string() != with);
        let changed = Request { body, ..request.clone() };
        prop_assert_ne!(digest(&changed.text()), digest(&request.text()));
    }

    #[test]
    fn any_character_of_a_value_changes_the_digest(key in 0_usize..13, at in 0_usize..100, with in "[a-zA-Z0-9]") {
        let request = Request::new();
        let (name, value) = request.front[key].clone();
        prop_assume!(!name.starts_with("approved_"));
        let bare = value.trim_matches('"').to_owned();
        let at = at % bare.len();
        let mut other = bare.clone();
        other.replace_range(at..=at, &with);
        prop_assume!(other != bare);
        let changed = request.clone().with(&name, &format!("\"{other}\""));
        prop_assert_ne!(digest(&changed.text()), digest(&request.text()));
    }
}
