//! Arbitrary text as the arguments of every tool.
//!
//! The strict reader accepts no more than others do, reads the same from what it wrote itself, and
//! knows the place of everything; what it accepts is put to every tool.
#![no_main]

use call::Arguments;
use call::json::{Json, JsonNode, Reading, read};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let strict = read(text, 0, Reading::Strict);
    let lenient = read(text, 0, Reading::CPython);
    match &strict {
        Ok(tree) => {
            assert_eq!(lenient.as_ref(), Ok(tree), "what is read strictly is read alike by others");
            let mut deepest = 0;
            places_are_sound(text, tree, 1, &mut deepest);
            if deepest < 100 {
                let other: Result<serde_json::Value, _> = serde_json::from_str(text);
                assert!(other.is_ok(), "what is read strictly is JSON: {other:?}");
            }
        }
        Err(error) => assert!(text.is_char_boundary(error.at), "a place in the text: {error:?}"),
    }
    let Ok(arguments) = text.parse::<Arguments>() else {
        return;
    };
    assert!(strict.is_ok(), "arguments are JSON");
    let written = serde_json::to_string(arguments.values()).expect("values have a JSON form");
    let again: Arguments = written.parse().expect("what was written can be read");
    assert_eq!(arguments.hash(), again.hash(), "one hash, however it is written");
    fuzz::classify_all(&arguments);
});

fn places_are_sound(text: &str, json: &Json, depth: usize, deepest: &mut usize) {
    *deepest = depth.max(*deepest);
    assert!(json.span.of(text).is_some_and(|written| !written.is_empty()), "{:?}", json.span);
    match &json.node {
        JsonNode::List(items) => {
            items.iter().for_each(|item| places_are_sound(text, item, depth + 1, deepest))
        }
        JsonNode::Object(entries) => {
            for entry in entries {
                assert!(
                    entry.key_span.of(text).is_some_and(|key| key.starts_with('"') && key.ends_with('"'))
                );
                places_are_sound(text, &entry.value, depth + 1, deepest);
            }
        }
        JsonNode::Null | JsonNode::Bool(_) | JsonNode::Number(_) | JsonNode::Text(_) => {}
    }
}
