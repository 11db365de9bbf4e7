//! A valid result with edited lines, so that rules behind the front matter are reached.
#![no_main]

libfuzzer_sys::fuzz_target!(|script: &[u8]| {
    let _ = fuzz::promises_hold(&fuzz::edited(fuzz::RESULT, script));
});
