//! Pull requests, against a server that answers as the forges do and keeps its branches in a real git remote.
#![expect(clippy::disallowed_methods, reason = "these tests are about real sockets, programs and files")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot do its part should fail the test")]
#![expect(clippy::expect_used, reason = "a helper that cannot do its part should fail the test")]
#![expect(clippy::panic, reason = "a helper that cannot do its part should fail the test")]
#![expect(clippy::indexing_slicing, reason = "a helper that cannot do its part should fail the test")]

mod caller;
mod failures;
mod looking;
mod proposing;
mod remote;
mod server;
mod shapes;
