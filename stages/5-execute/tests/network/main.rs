//! The gate's own egress on real sockets: attacks, each beside its honest twins.
#![expect(clippy::disallowed_methods, reason = "these tests are about sockets and time")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot do its part should fail the test")]
#![expect(
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper that cannot do its part should fail the test"
)]

#[path = "../kit/mod.rs"]
mod kit;

mod addresses;
mod answers;
mod headers;
mod redirects;
mod tls;
mod world;
