//! Which hosts the program may reach.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use call::{Host, HostPattern, Span};

use crate::fields::Fields;
use crate::rules::{self, Rule};
use crate::text::quoted;

/// Whether a request uses the network at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Network {
    None,
    Allowlist,
}

/// Names that stand for this machine.
const THIS_MACHINE: [&str; 5] =
    ["localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback", "broadcasthost"];

/// Names of the metadata services of cloud machines: other spellings of a link-local address.
const METADATA_SERVICES: [&str; 5] =
    ["metadata", "metadata.google.internal", "metadata.goog", "metadata.azure.internal", "instance-data"];

/// Endings that no public name has.
const LOCAL_ENDINGS: [&str; 8] =
    ["local", "internal", "intranet", "lan", "home", "corp", "localdomain", "arpa"];

/// `network`.
pub(super) fn network(fields: &mut Fields<'_>) -> Option<Network> {
    let choices = [("none", Network::None), ("allowlist", Network::Allowlist)];
    fields.choice("network", &rules::NETWORK, &choices)
}

/// `network_allowlist`, as `network` asks for it.
pub(super) fn allowlist(fields: &mut Fields<'_>, network: Option<Network>) -> Option<Vec<HostPattern>> {
    let values = fields.list("network_allowlist");
    let place = fields.map.entry("network_allowlist").map(|entry| entry.key_span);
    match network {
        Some(Network::None) if !values.is_empty() => {
            let span = place.unwrap_or(fields.split.opening);
            let message = "`network` is `none`, but `network_allowlist` names hosts";
            let hint = "remove the hosts, or ask for `network: allowlist`";
            fields.findings.advise(&rules::ALLOWLIST_UNUSED, span, message, hint);
        }
        Some(Network::Allowlist) if values.is_empty() => {
            let span = place.unwrap_or(fields.split.opening);
            let message = "`network` is `allowlist`, but no host is listed";
            let hint = "list the hosts under `network_allowlist`, or write `network: none`";
            fields.findings.advise(&rules::ALLOWLIST_EMPTY, span, message, hint);
        }
        Some(Network::None | Network::Allowlist) | None => {}
    }
    let mut patterns = Vec::new();
    for value in values {
        let Some(field) = fields.scalar("network_allowlist", value) else {
            continue;
        };
        match pattern(field.text) {
            Ok(pattern) => {
                warn_local(fields, field.text, &pattern, field.span);
                patterns.push(pattern);
            }
            Err(Refusal { rule, why, hint }) => {
                let message = format!("the allow-list entry {} {why}", quoted(field.text));
                fields.findings.advise(rule, field.span, message, hint);
            }
        }
    }
    (patterns.len() == values.len()).then_some(patterns)
}

fn warn_local(fields: &mut Fields<'_>, text: &str, pattern: &HostPattern, span: Span) {
    let (Host::Name(name) | Host::Subdomains(name)) = &pattern.host else {
        return;
    };
    let ending = name.rsplit('.').next().unwrap_or_default();
    if !name.contains('.') || LOCAL_ENDINGS.contains(&ending) {
        let message = format!("the allow-list entry {} is no name of the public internet", quoted(text));
        let hint = "addresses that are not global are refused when the request runs";
        fields.findings.advise(&rules::ALLOWLIST_LOCAL_NAME, span, message, hint);
    }
}

struct Refusal {
    rule: &'static Rule,
    why: &'static str,
    hint: &'static str,
}

/// One entry: `host`, `host:port` or `*.domain`, with or without a port.
fn pattern(text: &str) -> Result<HostPattern, Refusal> {
    let form = |why| Refusal {
        rule: &rules::ALLOWLIST_FORM,
        why,
        hint: "write `host` or `host:port`, such as `api.example.org:443`",
    };
    if text.contains("://") {
        return Err(form("has a scheme"));
    }
    if text.contains(['/', '@', '?', '#', '\\', '%']) {
        return Err(form("is more than a host and a port"));
    }
    if let Some((address, port)) = ipv6(text) {
        let port = port.map(|port| port_number(port).ok_or_else(|| form("has no port from 1 to 65535")));
        return global(IpAddr::V6(address), port.transpose()?);
    }
    let (host, port) = match text.split_once(':') {
        Some((host, port)) => {
            (host, Some(port_number(port).ok_or_else(|| form("has no port from 1 to 65535"))?))
        }
        None => (text, None),
    };
    if host.chars().all(|c| c == '*' || c == '.') {
        return Err(Refusal {
            rule: &rules::ALLOWLIST_WILDCARD,
            why: "stands for every host",
            hint: "name the hosts that are needed",
        });
    }
    let (wildcard, name) = match host.strip_prefix("*.") {
        Some(name) => (true, name),
        None => (false, host),
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    if name.contains('*') {
        return Err(form("has a `*` that is not the whole first label"));
    }
    let name = idna::domain_to_ascii(name).ok().filter(|name| is_host_name(name));
    let name = name.ok_or_else(|| form("is no host name"))?;
    if is_number(name.rsplit('.').next().unwrap_or_default()) {
        let address: Ipv4Addr = name.parse().map_err(|_| Refusal {
            rule: &rules::ALLOWLIST_ADDRESS,
            why: "is an address in disguise",
            hint: "write an address as four decimal numbers",
        })?;
        return if wildcard {
            Err(form("is a wildcard on an address"))
        } else {
            global(address.into(), port)
        };
    }
    let first_label = name.split('.').next().unwrap_or_default();
    let own = name.ends_with(".localhost") || THIS_MACHINE.contains(&name.as_str());
    if own || METADATA_SERVICES.contains(&name.as_str()) || first_label.is_empty() {
        return Err(not_global());
    }
    if wildcard && covers_suffix(&name) {
        return Err(Refusal {
            rule: &rules::ALLOWLIST_WILDCARD,
            why: "covers a whole public suffix",
            hint: "name a registrable domain, such as `*.example.org`",
        });
    }
    let host = if wildcard { Host::Subdomains(name) } else { Host::Name(name) };
    Ok(HostPattern { host, port })
}

/// Whether the subdomains of `name` are, or hold, registrable domains of other people: it is a
/// public suffix itself, or a rule of the list makes each of its subdomains one.
fn covers_suffix(name: &str) -> bool {
    let below = format!("x.{name}");
    let is_suffix = |name: &str| psl::suffix_str(name).is_none_or(|suffix| suffix == name);
    is_suffix(name) || is_suffix(&below)
}

fn global(address: IpAddr, port: Option<u16>) -> Result<HostPattern, Refusal> {
    if call::is_global(address) {
        Ok(HostPattern { host: Host::Address(address), port })
    } else {
        Err(not_global())
    }
}

fn not_global() -> Refusal {
    Refusal {
        rule: &rules::ALLOWLIST_ADDRESS,
        why: "is this machine or an address that is not global",
        hint: "name a public host",
    }
}

/// `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443`, with the port as it is written.
fn ipv6(text: &str) -> Option<(Ipv6Addr, Option<&str>)> {
    match text.strip_prefix('[') {
        None => text.parse().ok().map(|address| (address, None)),
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            let port = if port.is_empty() { None } else { Some(port.strip_prefix(':')?) };
            Some((address.parse().ok()?, port))
        }
    }
}

fn port_number(text: &str) -> Option<u16> {
    let plain = super::limits::is_digits(text) && text.len() <= 5;
    text.parse().ok().filter(|port| plain && *port != 0)
}

/// Labels of 1 to 63 letters, digits, `-` and `_`, at most 253 bytes in all.
fn is_host_name(name: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    name.len() <= 253 && name.split('.').all(label)
}

/// What a resolver reads as a number: `127`, `0x7f`, `0177`.
fn is_number(label: &str) -> bool {
    let hexadecimal = label.strip_prefix("0x").or_else(|| label.strip_prefix("0X"));
    super::limits::is_digits(label)
        || hexadecimal.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn an_entry_is_one_public_host_or_the_subdomains_of_one_domain() {
        let cases = [
            ("example.org", "ok"),
            ("Example.ORG.", "ok"),
            ("example.org:8443", "ok"),
            ("*.example.org", "ok"),
            ("*.example.co.uk:443", "ok"),
            ("bücher.example", "ok"),
            ("93.184.216.34", "ok"),
            ("8.8.8.8:53", "ok"),
            ("[2606:4700::1111]:443", "ok"),
            ("2606:4700::1111", "ok"),
            ("a-b.c_d.example.org", "ok"),
            ("*", "TR121"),
            ("*:443", "TR121"),
            ("*.*", "TR121"),
            ("*.com", "TR121"),
            ("*.co.uk", "TR121"),
            ("*.github.io", "TR121"),
            ("*.internal", "TR121"),
            ("*.compute.amazonaws.com", "TR121"),
            ("*.kawasaki.jp", "TR121"),
            ("*.city.kawasaki.jp", "ok"),
            ("a.*.org", "TR120"),
            ("*example.org", "TR120"),
            ("https://example.org", "TR120"),
            ("example.org/path", "TR120"),
            ("user@example.org", "TR120"),
            ("example.org:", "TR120"),
            ("example.org:0", "TR120"),
            ("example.org:65536", "TR120"),
            ("example.org:https", "TR120"),
            ("exa mple.org", "TR120"),
            ("-example.org", "TR120"),
            ("", "TR121"),
            ("..", "TR121"),
            ("a..b", "TR120"),
            ("localhost", "TR122"),
            ("LOCALHOST:80", "TR122"),
            ("api.localhost", "TR122"),
            ("127.0.0.1", "TR122"),
            ("10.1.2.3:80", "TR122"),
            ("192.168.0.1", "TR122"),
            ("172.16.0.1", "TR122"),
            ("169.254.169.254", "TR122"),
            ("0.0.0.0", "TR122"),
            ("100.64.0.1", "TR122"),
            ("2130706433", "TR122"),
            ("0x7f.1", "TR122"),
            ("0177.0.0.1", "TR122"),
            ("127.1", "TR122"),
            ("[::1]", "TR122"),
            ("::1", "TR122"),
            ("[::ffff:127.0.0.1]:80", "TR122"),
            ("[fe80::1]", "TR122"),
            ("[fc00::1]", "TR122"),
            ("[64:ff9b::7f00:1]", "TR122"),
            ("[2002:7f00:1::]", "TR122"),
            ("metadata.google.internal", "TR122"),
        ];
        for (text, want) in cases {
            let got = pattern(text).map_or_else(|refusal| refusal.rule.code, |_| "ok");
            assert_eq!(got, want, "{text}");
        }
    }
}
