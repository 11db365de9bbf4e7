//! Machines of their own: what an honest program finds there, and what a hostile one does not.
#![cfg(target_arch = "x86_64")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test that cannot be set up fails"
)]

mod escape;
mod honest;
mod hostile;
mod kit;
mod left;
mod limits;
mod missing;
mod network;
mod outputs;
#[path = "../jail/outside.rs"]
mod outside;
#[path = "../jail/still.rs"]
#[expect(dead_code, reason = "tests of the jail need more of it")]
mod still;
mod suspended;
