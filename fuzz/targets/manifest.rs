//! A `PERMISSIONS.json`: arbitrary bytes, or a valid one with edited lines. Whatever it is, it leaves
//! the home's own policy alone.
#![no_main]

use fuzz::{HOME, MANIFEST, edited, policy_promises_hold};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = match bytes.split_first() {
        Some((0, script)) => edited(MANIFEST, script),
        Some(_) | None => bytes.to_vec(),
    };
    let loaded =
        policy_promises_hold(&[("policy.toml", HOME.as_bytes()), ("skills/s/PERMISSIONS.json", &text)]);
    assert!(loaded, "a bad manifest denies its skill and nothing else");
});
