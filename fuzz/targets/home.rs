//! A `policy.toml`: arbitrary bytes, or a valid one with edited lines.
#![no_main]

use fuzz::{HOME, MANIFEST, edited, policy_promises_hold};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let text = match bytes.split_first() {
        Some((0, script)) => edited(HOME, script),
        Some(_) | None => bytes.to_vec(),
    };
    policy_promises_hold(&[("policy.toml", &text), ("skills/s/PERMISSIONS.json", MANIFEST.as_bytes())]);
});
