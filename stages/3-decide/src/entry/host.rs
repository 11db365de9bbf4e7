//! One entry of a list of hosts.
//!
//! `host` means its default ports for http and https; `host:port` that port by either protocol; an
//! origin exactly that; `*.domain` every name below the domain and not the domain itself, at
//! default ports. In a list that denies, globs match the host whatever the port.

use std::fmt;

use call::{Host, HostPattern, WebAddress, WebHost, WebScheme};
use globset::{Candidate, GlobBuilder, GlobMatcher};

/// An entry of a list of hosts.
#[derive(Clone, Debug)]
pub struct HostEntry {
    /// As it is written in the file.
    pub written: String,
    pub(crate) what: Hosts,
}

/// What an entry covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hosts {
    /// `*`: every host.
    All,
    /// `https://host:port`
    Origin { scheme: WebScheme, host: WebHost, port: u16 },
    /// `host` at its default ports.
    Host(WebHost),
    /// `host:port`
    Port(WebHost, u16),
    /// `*.domain` at default ports.
    Below(Box<str>),
}

/// Why a text is not an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadHostEntry {
    #[error("is not a host")]
    NotHost,
    #[error("is an origin with a path, query or user name")]
    NotOrigin,
    #[error("has a port that is none")]
    Port,
    #[error("has a `*` that is not in front of `.domain`")]
    Star,
    #[error("covers a whole top-level domain")]
    TopLevel,
    #[error("is not a glob")]
    NotGlob,
}

impl HostEntry {
    /// Reads an entry of a list that allows.
    pub(crate) fn parse(written: &str) -> Result<Self, BadHostEntry> {
        let what = if written == "*" {
            Hosts::All
        } else if written.contains("://") {
            origin(written)?
        } else if let Some(domain) = written.strip_prefix("*.") {
            match host(domain)? {
                WebHost::Name(name) if name.contains('.') || &*name == "localhost" => Hosts::Below(name),
                WebHost::Name(_) => return Err(BadHostEntry::TopLevel),
                WebHost::Ip(_) => return Err(BadHostEntry::Star),
            }
        } else if written.contains('*') {
            return Err(BadHostEntry::Star);
        } else if let Some((name, port)) = split_port(written) {
            let port = port.parse().ok().filter(|&port| port != 0).ok_or(BadHostEntry::Port)?;
            Hosts::Port(host(name)?, port)
        } else {
            Hosts::Host(host(written)?)
        };
        Ok(Self { written: written.to_owned(), what })
    }

    /// Whether the entry stands for whatever a skill lists.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.what == Hosts::All
    }

    /// The host that the entry has by its name or address, and the port where it has one; nothing for an entry
    /// that covers hosts which it does not name.
    #[must_use]
    pub fn named(&self) -> Option<HostPattern> {
        let (host, port) = match &self.what {
            Hosts::All | Hosts::Below(_) => return None,
            Hosts::Origin { host, port, .. } | Hosts::Port(host, port) => (host, Some(*port)),
            Hosts::Host(host) => (host, None),
        };
        let host = match host {
            WebHost::Name(name) => Host::Name(name.to_string()),
            WebHost::Ip(address) => Host::Address(*address),
        };
        Some(HostPattern { host, port })
    }

    /// Whether the entry covers an address.
    #[must_use]
    pub fn covers(&self, address: &WebAddress) -> bool {
        let default = address.port == address.scheme.default_port();
        match &self.what {
            Hosts::All => true,
            Hosts::Origin { scheme, host, port } => {
                (*scheme, host, *port) == (address.scheme, &address.host, address.port)
            }
            Hosts::Host(host) => default && *host == address.host,
            Hosts::Port(host, port) => (host, *port) == (&address.host, address.port),
            Hosts::Below(domain) => default && address.host.domains_above().any(|above| above == &**domain),
        }
    }
}

/// A glob over hosts without their ports, for lists that deny.
#[derive(Clone, Debug)]
pub(crate) struct HostGlob {
    pub(crate) written: String,
    /// The one host that it covers, where it is a host and no pattern.
    pub(crate) exact: Option<WebHost>,
    matcher: GlobMatcher,
}

impl HostGlob {
    pub(crate) fn parse(written: &str) -> Result<Self, BadHostEntry> {
        // An origin or a port is more than a glob over hosts can tell apart; deny all of the host.
        let bare = written.split_once("://").map_or(written, |(_, rest)| rest);
        let bare = split_port(bare).map_or(bare, |(host, _)| host).trim_end_matches(['/', '.']);
        let (pattern, exact) = if bare.contains(['*', '?', '[', '{']) && !bare.starts_with('[') {
            (bare.to_lowercase(), None)
        } else {
            let host = host(bare)?;
            (globset::escape(&host.to_string()), Some(host))
        };
        let glob = GlobBuilder::new(&pattern).build().map_err(|_| BadHostEntry::NotGlob)?;
        Ok(Self { written: written.to_owned(), exact, matcher: glob.compile_matcher() })
    }

    /// Whether it covers a host, which is given as it is shown.
    pub(crate) fn matches(&self, shown: &Candidate<'_>) -> bool {
        self.matcher.is_match_candidate(shown)
    }

    /// The glob as a regular expression over hosts.
    pub(crate) fn expression(&self) -> &str {
        self.matcher.glob().regex()
    }
}

fn origin(written: &str) -> Result<Hosts, BadHostEntry> {
    let address = WebAddress::parse(written).map_err(|_| BadHostEntry::NotOrigin)?;
    let bare = written.split_once("://").map_or("", |(_, rest)| rest);
    if bare.trim_end_matches('/').contains(['/', '?', '#']) || address.path != "/" {
        return Err(BadHostEntry::NotOrigin);
    }
    Ok(Hosts::Origin { scheme: address.scheme, host: address.host, port: address.port })
}

fn host(text: &str) -> Result<WebHost, BadHostEntry> {
    WebHost::parse(text).ok_or(BadHostEntry::NotHost)
}

/// `host:port`, and not an IPv6 address without brackets.
fn split_port(text: &str) -> Option<(&str, &str)> {
    let (host, port) = text.rsplit_once(':')?;
    let is_bare_v6 = host.contains(':') && !host.ends_with(']');
    (!is_bare_v6).then_some((host, port))
}

impl fmt::Display for HostEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::{HostEntry, HostGlob};
    use call::WebAddress;

    #[test]
    fn an_entry_covers_what_it_names_and_nothing_that_resembles_it() {
        let cases = [
            // entry, address -> covered
            ("api.github.com", "https://api.github.com/x", true),
            ("api.github.com", "http://api.github.com/x", true),
            ("api.github.com", "https://API.GitHub.com./x", true),
            ("api.github.com", "https://api.github.com:8443/", false),
            ("api.github.com", "https://api.github.com.evil.example/", false),
            ("api.github.com", "https://evilapi.github.com/", false),
            ("api.github.com:8443", "http://api.github.com:8443/", true),
            ("api.github.com:8443", "https://api.github.com/", false),
            ("https://api.github.com", "https://api.github.com/", true),
            ("https://api.github.com/", "https://api.github.com/", true),
            ("https://api.github.com", "http://api.github.com/", false),
            ("*.example.org", "https://a.b.example.org/", true),
            ("*.example.org", "https://example.org/", false),
            ("*.example.org", "https://badexample.org/", false),
            ("bücher.example", "https://xn--bcher-kva.example/", true),
            ("127.0.0.1:8080", "http://127.0.0.1:8080/", true),
            ("[::1]:8080", "http://[::1]:8080/", true),
            ("*", "https://anything.example/", true),
        ];
        for (entry, address, want) in cases {
            let address = WebAddress::parse(address).unwrap();
            assert_eq!(HostEntry::parse(entry).unwrap().covers(&address), want, "{entry} {address}");
        }
    }

    #[test]
    fn what_is_no_entry_is_refused() {
        for entry in [
            "",
            "*.com",
            "api.*.com",
            "https://a.example/path",
            "a b",
            "host:0",
            "host:99999",
            "https://u@h.example",
        ] {
            assert!(HostEntry::parse(entry).is_err(), "{entry}");
        }
    }

    #[test]
    fn a_denied_host_is_denied_at_every_port() {
        let cases = [
            ("*.evil.example", "a.evil.example", true),
            ("*evil*", "not-evil.example", true),
            ("EVIL.example", "evil.example", true),
            ("evil.example:443", "evil.example", true),
            ("evil.example", "evil.example.org", false),
        ];
        for (glob, host, want) in cases {
            let host = call::WebHost::parse(host).unwrap();
            assert_eq!(
                HostGlob::parse(glob).unwrap().matches(&globset::Candidate::new(&host.to_string())),
                want,
                "{glob} {host}"
            );
        }
    }
}
