//! The screen over arbitrary text: never a panic, places on character boundaries and in order.
#![no_main]

use call::Family;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let families = [Family::Secret, Family::Override, Family::Payload];
    let all = screen::screen(text, &families);
    assert!(all.is_sorted_by_key(|contraband| contraband.span.start), "in the order of the text: {all:?}");
    for contraband in &all {
        assert!(contraband.span.of(text).is_some(), "a place in the text: {contraband:?}");
        assert!(contraband.span.start < contraband.span.end, "something, not nothing: {contraband:?}");
    }
    assert_eq!(all, screen::screen(text, &families), "the same text carries the same");
    for character in text.chars() {
        let _ = screen::glyph::unseen(character);
    }
    let _ = screen::glyph::skeleton(text);
});
