//! What an auditor relies on: held against published vectors, against other implementations, and by
//! changing whatever can be changed.

#![expect(clippy::disallowed_methods, reason = "these tests start the program and make its files")]
#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first thing that goes wrong"
)]

mod audits;
mod changed;
mod exports;
mod ledgers;
mod made;
mod others;
mod program;
mod spellings;
mod tiles;
mod vectors;
mod witnesses;
