//! Which addresses belong to the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 ranges that are not global, from the IANA special-purpose registry, and what a cloud takes out of the
/// global ones for services that trust whoever asks: first address, prefix.
const NOT_GLOBAL_V4: [([u8; 4], u32); 17] = [
    ([0, 0, 0, 0], 8),        // this network
    ([10, 0, 0, 0], 8),       // private
    ([100, 64, 0, 0], 10),    // shared by carriers
    ([127, 0, 0, 0], 8),      // loopback
    ([169, 254, 0, 0], 16),   // link-local, metadata services
    ([168, 63, 129, 16], 32), // the platform of Azure, inside its machines only
    ([172, 16, 0, 0], 12),    // private
    ([192, 0, 0, 0], 24),     // protocol assignments
    ([192, 0, 2, 0], 24),     // documentation
    ([192, 31, 196, 0], 24),  // AS112
    ([192, 88, 99, 0], 24),   // 6to4 relays
    ([192, 168, 0, 0], 16),   // private
    ([198, 18, 0, 0], 15),    // benchmarks
    ([198, 51, 100, 0], 24),  // documentation
    ([203, 0, 113, 0], 24),   // documentation
    ([224, 0, 0, 0], 4),      // multicast
    ([240, 0, 0, 0], 4),      // reserved, broadcast
];

/// IPv6 ranges that are not global within `2000::/3`: first segments, prefix.
const NOT_GLOBAL_V6: [([u16; 3], u32); 5] = [
    ([0x2001, 0, 0], 23),     // protocol assignments, Teredo
    ([0x2001, 0xdb8, 0], 32), // documentation
    ([0x2002, 0, 0], 16),     // 6to4, which carries an IPv4 address
    ([0x3fff, 0, 0], 20),     // documentation
    ([0x3ffe, 0, 0], 16),     // returned
];

/// Whether an address belongs to the public internet. An IPv4 address that is carried inside an
/// IPv6 one is never global: it would reach a host by a name that no list shows.
#[must_use]
pub fn is_global(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !is_within_v4(address),
        IpAddr::V6(address) => {
            let bits = u128::from(address);
            let unicast = bits >> 125 == 0b001;
            unicast
                && !NOT_GLOBAL_V6.iter().any(|(first, prefix)| {
                    let [a, b, c] = *first;
                    let first = u128::from(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0));
                    (first ^ bits) >> (128 - prefix) == 0
                })
        }
    }
}

fn is_within_v4(address: Ipv4Addr) -> bool {
    let bits = u32::from(address);
    NOT_GLOBAL_V4.iter().any(|(first, prefix)| {
        let first = u32::from(Ipv4Addr::from(*first));
        (first ^ bits) >> (32 - prefix) == 0
    })
}

#[cfg(test)]
mod tests {
    use super::is_global;

    #[test]
    fn what_a_cloud_keeps_for_itself_is_not_global() {
        let cases = [
            ("168.63.129.16", false),
            ("168.63.129.15", true),
            ("168.63.129.17", true),
            ("169.254.169.254", false),
            ("100.100.100.200", false),
            ("fd00:ec2::254", false),
            ("93.184.216.34", true),
            ("2606:2800:220:1::1", true),
        ];
        for (address, want) in cases {
            assert_eq!(address.parse().is_ok_and(is_global), want, "{address}");
        }
    }
}
