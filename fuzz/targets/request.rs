//! A valid request with edited lines, so that rules behind the front matter are reached.
#![no_main]

use fuzz::{COMMAND, MONTY, REQUEST, edited, promises_hold};

libfuzzer_sys::fuzz_target!(|script: &[u8]| {
    let Some((kind, script)) = script.split_first() else {
        return;
    };
    let document = match kind % 2 {
        0 => [REQUEST.0, COMMAND, REQUEST.1].concat(),
        _ => MONTY.to_owned(),
    };
    let _ = promises_hold(&edited(&document, script));
});
