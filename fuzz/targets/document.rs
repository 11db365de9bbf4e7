//! Arbitrary bytes as a document: never a panic, findings that are sound, twice the same.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = fuzz::promises_hold(bytes);
});
