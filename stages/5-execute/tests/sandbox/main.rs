//! Code in real lanes: what it gives, what it is given, and where it ends.
#![expect(clippy::disallowed_methods, reason = "these tests are about files, processes and time")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot do its part should fail the test")]
#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that cannot do its part should fail the test"
)]

#[path = "../kit/mod.rs"]
mod kit;

mod inputs;
mod jail;
mod machine;
mod monty;
