//! Where paths lead, on real disks: attacks, each beside its honest twins.
#![expect(clippy::disallowed_methods, reason = "these tests are about files on a real disk")]
#![expect(clippy::unwrap_used, reason = "a helper that cannot do its part should fail the test")]

mod disk;
mod home;
mod links;
mod opening;
mod race;
mod random_trees;
mod roots;
mod spelling;
