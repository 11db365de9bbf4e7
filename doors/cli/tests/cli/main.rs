//! The real program, run as a person or a script would run it.
//!
//! Each test makes its own folder and starts `toolgate` in it. A run that does not end is killed
//! and fails the test: nothing that lies in a drop folder may make the program hang.

#![expect(clippy::disallowed_methods, reason = "these tests start the program and make its files")]
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first thing that goes wrong"
)]

mod answers;
mod approvals;
mod bad_calls;
mod bad_input;
mod books;
mod calls;
mod corpus;
mod demo;
mod disk;
mod doctor;
mod door;
mod examples;
mod export;
mod help;
mod home;
mod hostile;
mod ledger;
mod mcp;
mod new;
mod output;
mod policy;
mod quarantine;
mod readme;
mod report;
mod requests;
mod watch;
mod witness;
