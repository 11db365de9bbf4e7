//! Arbitrary text: the quick readers of front matter and headings agree with the thorough ones.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| document::assert_readers_agree(text));
