//! Hosts that a program may reach.

use std::fmt;
use std::net::IpAddr;

/// An entry of the allow-list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPattern {
    /// Which hosts.
    pub host: Host,
    /// Which port; nothing means the default ones.
    pub port: Option<u16>,
}

/// Which hosts an entry of the allow-list means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// One name, in lower-case ASCII form.
    Name(String),
    /// Every subdomain of this name, and not the name itself.
    Subdomains(String),
    /// One global address.
    Address(IpAddr),
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Name(name) => write!(f, "{name}")?,
            Host::Subdomains(name) => write!(f, "*.{name}")?,
            Host::Address(IpAddr::V4(address)) => write!(f, "{address}")?,
            Host::Address(IpAddr::V6(address)) => write!(f, "[{address}]")?,
        }
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

impl HostPattern {
    /// Ports of an entry that names none.
    const USUAL_PORTS: [u16; 2] = [443, 80];

    /// Does it cover this host, given as a name in lower-case ASCII form or as an address, at this port?
    ///
    /// ```
    /// use call::{Host, HostPattern};
    ///
    /// let pattern = HostPattern { host: Host::Subdomains("example.org".to_owned()), port: None };
    /// assert!(pattern.covers("a.example.org", 443));
    /// assert!(!pattern.covers("example.org", 443));
    /// assert!(!pattern.covers("evilexample.org", 443));
    /// assert!(!pattern.covers("a.example.org", 22));
    /// ```
    #[must_use]
    pub fn covers(&self, host: &str, port: u16) -> bool {
        let same_port = self.port.map_or_else(|| Self::USUAL_PORTS.contains(&port), |own| own == port);
        same_port
            && match &self.host {
                Host::Name(name) => name == host,
                Host::Subdomains(name) => host
                    .strip_suffix(name.as_str())
                    .and_then(|front| front.strip_suffix('.'))
                    .is_some_and(|front| !front.is_empty()),
                Host::Address(address) => host.parse::<IpAddr>().is_ok_and(|host| host == *address),
            }
    }
}
