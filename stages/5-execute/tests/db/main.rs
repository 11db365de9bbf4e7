//! Statements on real SQLite files and a real PostgreSQL server: attacks, each beside its honest twins.
//!
//! What a statement does is told by hand here, so that the connection is tried alone: the attacks are statements
//! that the parser in front of it would have refused.
#![expect(clippy::disallowed_methods, reason = "these tests are about real files, servers and time")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot do its part should fail the test")]
#![expect(clippy::panic, reason = "a helper that cannot do its part should fail the test")]

mod caller;
mod files;
mod postgres_changes;
mod postgres_queries;
mod postgres_routes;
mod sqlite_changes;
mod sqlite_queries;
