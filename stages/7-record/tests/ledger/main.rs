//! The ledger on both of its stores: what it promises, and what happens to whoever tampers with it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::string_slice,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test that cannot be set up fails"
)]

mod bad_input;
mod beside;
mod conformance;
mod crash;
mod disk;
mod events;
mod faults;
mod handed_in;
mod keepers;
mod tampering;
mod tls;
mod written;
