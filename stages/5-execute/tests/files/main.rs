//! The tools for files, on real disks: attacks, each beside its honest twins.
#![expect(clippy::disallowed_methods, reason = "these tests are about files on a real disk")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that cannot do its part should fail the test"
)]

mod death;
mod desk;
mod full_disk;
mod listing;
mod mounts;
mod races;
mod reading;
mod searching;
mod survey;
mod writing;
