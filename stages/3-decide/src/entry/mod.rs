//! Entries of the lists in a policy: paths and hosts.

mod host;
mod path;

pub use host::HostEntry;
pub(crate) use host::{HostGlob, Hosts};
pub(crate) use path::Covered;
pub use path::PathEntry;
