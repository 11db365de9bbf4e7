//! Programs in the real jail: honest ones work, and hostile ones get nowhere.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test that cannot be set up fails"
)]

mod bad_input;
mod escape;
mod honest;
mod kit;
mod limits;
mod missing;
mod network;
mod outputs;
mod outside;
mod resident;
mod still;
mod suspended;
