//! Which addresses a host may have.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use call::{Host, HostPattern, WebHost, is_global};

/// Services of clouds that give credentials to whoever asks, where the ranges do not have them already: a
/// public address of Azure, and one of Alibaba among those that carriers share.
const METADATA_V4: [Ipv4Addr; 2] = [Ipv4Addr::new(168, 63, 129, 16), Ipv4Addr::new(100, 100, 100, 200)];

/// The same of Amazon and Google, among private addresses.
const METADATA_V6: [Ipv6Addr; 2] =
    [Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254), Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254)];

/// How a host stands on the list of those that may be private.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listed {
    /// It does not.
    No,
    /// By its name.
    Name,
    /// By this very address.
    Address,
}

pub(super) fn listed(private: &[HostPattern], host: &WebHost, port: u16) -> Listed {
    let text = match host {
        WebHost::Name(name) => name.to_string(),
        WebHost::Ip(address) => address.to_string(),
    };
    let mut found = private.iter().filter(|pattern| pattern.covers(&text, port)).map(|pattern| &pattern.host);
    let own = found.find(|own| !matches!(own, Host::Subdomains(_)));
    match (own, host) {
        (Some(Host::Address(_)), WebHost::Ip(_)) => Listed::Address,
        (Some(Host::Name(_)), WebHost::Name(_)) => Listed::Name,
        (Some(_) | None, _) => Listed::No,
    }
}

/// Whether a host that is listed in this way may be spoken to at this address.
///
/// A name that is listed may be somewhere inside; it may not be a service of the cloud, on this link only, or
/// everybody at once, because whoever answers for the name is not whoever wrote the list.
pub(super) fn may_be(address: IpAddr, listed: Listed) -> bool {
    if listed == Listed::Address {
        return true;
    }
    let metadata = match address {
        IpAddr::V4(address) => METADATA_V4.contains(&address),
        IpAddr::V6(address) => METADATA_V6.contains(&address),
    };
    !metadata && (is_global(address) || listed == Listed::Name && is_inside(address))
}

/// Addresses of a house: private, shared by a carrier, or this machine.
fn is_inside(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let [first, second, ..] = address.octets();
            address.is_private() || address.is_loopback() || first == 100 && (64..128).contains(&second)
        }
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Listed, may_be};

    #[test]
    fn only_public_addresses_and_those_that_the_list_means() {
        let cases = [
            // address, not listed, by name
            ("93.184.216.34", true, true),
            ("2606:4700::1111", true, true),
            ("127.0.0.1", false, true),
            ("10.1.2.3", false, true),
            ("192.168.1.1", false, true),
            ("100.64.0.1", false, true),
            ("::1", false, true),
            ("fd12:3456::1", false, true),
            ("169.254.169.254", false, false),
            ("168.63.129.16", false, false),
            ("100.100.100.200", false, false),
            ("fd00:ec2::254", false, false),
            ("fe80::1", false, false),
            ("0.0.0.0", false, false),
            ("255.255.255.255", false, false),
            ("224.0.0.1", false, false),
            ("::", false, false),
            ("::ffff:127.0.0.1", false, false),
            ("::ffff:93.184.216.34", false, false),
            ("::127.0.0.1", false, false),
            ("64:ff9b::7f00:1", false, false),
            ("2002:7f00:1::", false, false),
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", false, false),
            ("ff02::1", false, false),
        ];
        for (text, unlisted, by_name) in cases {
            let address = text.parse().unwrap();
            assert_eq!(may_be(address, Listed::No), unlisted, "{text}");
            assert_eq!(may_be(address, Listed::Name), by_name, "{text}, listed by name");
            assert!(may_be(address, Listed::Address), "{text}, listed by itself");
        }
    }
}
