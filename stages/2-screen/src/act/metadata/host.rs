//! The names and addresses under which the service of a cloud answers, however they are spelled.

use std::net::{Ipv4Addr, Ipv6Addr};

pub(super) fn is_metadata_path(address: &str) -> bool {
    let (_, rest) = address.split_once("://").unwrap_or(("", address));
    let path = rest.split_once('/').map_or("", |(_, path)| path).trim_start_matches('/');
    ["latest/meta-data", "latest/user-data", "latest/api/token", "computeMetadata/v1", "metadata/identity/"]
        .iter()
        .any(|start| path.starts_with(start))
}

/// The host of the address that `text` begins with; with or without `http://`.
pub(super) fn host_at(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(['"', '\'', '`']);
    let rest = match text.split_once("://") {
        Some((scheme, rest))
            if scheme.len() <= 8 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            rest
        }
        _ => text,
    };
    let ends = |sign: char| {
        matches!(sign, '/' | '?' | '#' | '$' | '\\' | '"' | '\'' | '`' | ',' | ';' | ')' | '>' | '<' | '|')
            || sign.is_whitespace()
    };
    let authority = rest.split(ends).next()?;
    let host = authority.rsplit('@').next()?;
    if let Some(inside) = host.strip_prefix('[') {
        return inside.split(']').next();
    }
    host.split(':').next().filter(|host| !host.is_empty())
}

/// Does the service of a cloud answer under this name, however it is spelled?
pub(super) fn is_metadata_host(host: &str) -> bool {
    if host.len() > 80 {
        return false;
    }
    // `169.254.169.25{4}` is one name to curl.
    let host = host.trim_end_matches('.').replace(['{', '}'], "").to_ascii_lowercase();
    if matches!(
        &*host,
        "metadata.google.internal" | "metadata.goog" | "instance-data" | "instance-data.ec2.internal"
    ) {
        return true;
    }
    // A name that leads to whatever address stands in it.
    let spelled = ["nip.io", "sslip.io", "xip.io"].iter().any(|end| host.ends_with(end));
    if spelled && ["169.254.169.254", "169-254-169-254", "a9fea9fe"].iter().any(|part| host.contains(part)) {
        return true;
    }
    if let Some(address) = number(&host) {
        return is_metadata_number(address);
    }
    host.parse::<Ipv6Addr>().is_ok_and(|address| {
        let segments = address.segments();
        let own = matches!(
            segments,
            [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254 | 0x23] | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254]
        );
        own || match segments {
            // An address of the older kind in the newer spelling.
            [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
                is_metadata_number(u32::from(high) << 16 | u32::from(low))
            }
            _ => false,
        }
    })
}

fn is_metadata_number(address: u32) -> bool {
    matches!(
        Ipv4Addr::from(address).octets(),
        [169, 254, 169, 254] | [169, 254, 170, 2 | 23] | [100, 100, 100, 200] | [168, 63, 129, 16]
    )
}

/// An address as every resolver reads it: one to four numbers, in tens, eights or sixteens.
pub(super) fn number(host: &str) -> Option<u32> {
    let mut parts: Vec<u64> = Vec::with_capacity(4);
    for part in host.split('.') {
        if parts.len() == 4 {
            return None;
        }
        let (digits, radix) = match part.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None if part.len() > 1 && part.starts_with('0') => (part, 8),
            None => (part, 10),
        };
        if digits.is_empty() || digits.len() > 12 || !digits.bytes().all(|byte| byte.is_ascii_alphanumeric())
        {
            return None;
        }
        parts.push(u64::from_str_radix(digits, radix).ok()?);
    }
    let (last, first) = parts.split_last()?;
    let left = 4 - first.len();
    let mut address = 0_u64;
    for part in first {
        address = (address << 8) | Some(*part).filter(|part| *part < 256)?;
    }
    let whole = 1_u64 << (8 * left);
    let last = Some(*last).filter(|last| *last < whole)?;
    u32::try_from((address << (8 * left)) | last).ok()
}
