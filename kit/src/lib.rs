//! What tests of several crates stand on. Only tests name this crate.
//!
//! - [`database`]: a PostgreSQL server of a test's own
//! - [`tls`]: an authority of a test's own, and servers that it vouches for
#![expect(clippy::disallowed_methods, reason = "real files, servers and programs are what it is for")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a helper that cannot do its part fails the test"
)]

pub mod database;
pub mod tls;
