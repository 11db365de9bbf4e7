//! Several passages of one call, each with its role.
//!
//! Input: for each passage a byte for its role and place, a length, and as many bytes of text.
#![no_main]

use call::{Family, Objection, Passage, Role, Weight};
use screen::{KnownSecrets, call, labels, passage};

const ROLES: [Role; 9] = [
    Role::Path,
    Role::Command,
    Role::Code,
    Role::Outbound,
    Role::Content,
    Role::Draft,
    Role::Pattern,
    Role::Statement,
    Role::Plain,
];
const PLACES: [&str; 7] = ["path", "content", "argv[0]", "argv[1]", "argv[2]", "headers.X", "purpose"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let passages = passages(bytes);
    let value = "hx7Qp2Lw9Zk4";
    let known = KnownSecrets::new([("own", value.as_bytes())]);
    let found = call(&passages, &known);
    assert_eq!(found, call(&passages, &known), "the same call carries the same");
    for objection in &found {
        let span = objection.found.span;
        assert!(span.start < span.end, "something, not nothing: {objection:?}");
        let stands = passages
            .iter()
            .any(|passage| passage.argument == objection.argument && span.of(&passage.text).is_some());
        assert!(stands, "a place in the text of the passage: {objection:?}");
        assert!(objection.found.family != Family::Secret || objection.weight == Weight::Refuse);
    }
    for alone in &passages {
        let refused: Vec<_> = passage(alone, &known)
            .into_iter()
            .filter(|objection| objection.weight == Weight::Refuse)
            .collect();
        let secrets_only = refused.iter().all(|objection| objection.found.family == Family::Secret);
        assert!(alone.role != Role::Pattern || secrets_only, "a pattern is only flagged: {refused:?}");
        if alone.text.contains(value) {
            let named = |objection: &&Objection| objection.argument == alone.argument;
            assert!(
                !refused.is_empty() && found.iter().any(|objection| named(&objection)),
                "a secret of our own"
            );
        }
        for label in labels(&alone.text) {
            assert!(label.span.of(&alone.text).is_some_and(|text| !text.is_empty()), "{label:?}");
        }
    }
});

fn passages(bytes: &[u8]) -> Vec<Passage> {
    let mut passages: Vec<Passage> = Vec::new();
    let mut rest = bytes;
    while let [head, length, tail @ ..] = rest {
        let (text, after) = tail.split_at((usize::from(*length) * 4).min(tail.len()));
        rest = after;
        let role = ROLES[usize::from(*head) % ROLES.len()];
        let argument = PLACES[usize::from(*head) / ROLES.len() % PLACES.len()].to_owned();
        // An argument stands in a call once.
        if passages.iter().all(|passage| passage.argument != argument) {
            passages.push(Passage { argument, role, text: String::from_utf8_lossy(text).into_owned() });
        }
    }
    passages
}
