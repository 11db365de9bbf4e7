//! The one way out of a lane: a proxy of the gate, for hosts that are listed.
//!
//! A lane has no network interface. Where a job lists hosts, a socket listens on the lane's own loopback
//! address and belongs to the gate: its proxy takes requests from it (`CONNECT`, and plain HTTP with a
//! whole address), looks at the list, resolves the name once, refuses what is not a public address,
//! connects to the very address that it looked at, and counts what goes through. A machine of its own shares
//! no sockets with the gate; its connections come over a wire, and reach the same proxy.

mod head;
mod line;
mod outside;
mod proxy;
mod wire;

use std::net::IpAddr;
use std::sync::Arc;

use call::HostPattern;

pub use outside::{Internet, Outside};
pub(crate) use proxy::Proxy;

/// The port at which the proxy is found inside.
pub(crate) const PORT: u16 = 3128;

/// Hosts that a program may reach, and how.
#[derive(Clone, Debug)]
pub struct Reach {
    /// The hosts.
    pub hosts: Vec<HostPattern>,
    /// Bytes that may go through in both directions together.
    pub bytes: u64,
    /// How names are resolved and connections made.
    pub outside: Arc<dyn Outside>,
}

/// Somebody whom a program wanted to reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The host, as the program named it.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The address that was connected to; nothing when nobody was.
    pub address: Option<IpAddr>,
    /// Why it was refused, when it was.
    pub refused: Option<&'static str>,
    /// Bytes that were sent there.
    pub sent: u64,
    /// Bytes that came from there.
    pub received: u64,
}
