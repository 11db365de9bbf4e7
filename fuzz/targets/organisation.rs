//! An organisation's own Cedar policy.
#![no_main]

use fuzz::{HOME, MANIFEST, policy_promises_hold};

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    policy_promises_hold(&[
        ("policy.toml", HOME.as_bytes()),
        ("skills/s/PERMISSIONS.json", MANIFEST.as_bytes()),
        ("policies/own.cedar", text),
    ]);
});
