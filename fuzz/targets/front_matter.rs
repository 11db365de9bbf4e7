//! Arbitrary text as front matter: the line-by-line reader and the YAML parser agree.
#![no_main]

libfuzzer_sys::fuzz_target!(|front: &str| {
    let _ = document::assert_readers_agree(front);
});
