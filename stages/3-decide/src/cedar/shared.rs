//! Rules that home and skills have in common: lists of paths and hosts.

use std::sync::LazyLock;

use call::{AbsolutePath, ReasonCode, WebHost};
use cedar_policy::EntityUid;

use super::rule::{RuleText, entity};
use crate::entry::{Covered, HostEntry, Hosts, PathEntry};
use crate::home::Network;

/// Actions on paths.
pub(crate) const PATHS: &[&str] = &["read", "write", "delete"];
pub(crate) const READS: &[&str] = &["read"];
pub(crate) const CHANGES: &[&str] = &["write", "delete"];
pub(crate) const NETWORK: &[&str] = &["network"];

/// The entity that a path is a member of when an entry that allows covers it.
pub(crate) fn allowing(entry: &PathEntry) -> EntityUid {
    match &entry.what {
        Covered::Folder { real, .. } => path(real),
        Covered::Glob(glob) => entity("Glob", &glob.pattern),
    }
}

pub(crate) fn path(path: &AbsolutePath) -> EntityUid {
    entity("Path", path.as_str())
}

/// The entities that a path is a member of one of when an entry that denies covers it.
fn denying(entry: &PathEntry) -> Vec<EntityUid> {
    match &entry.what {
        Covered::Folder { path: folder, real } if folder != real => vec![path(real), path(folder)],
        Covered::Folder { real, .. } => vec![path(real)],
        // What lies below a match is denied too, so it is another entity than one that allows.
        Covered::Glob(glob) => vec![entity("Glob", &denying_glob(&glob.pattern))],
    }
}

/// The name of a glob in a list that denies: it covers what lies below a match as well.
pub(crate) fn denying_glob(pattern: &str) -> String {
    format!("{pattern} and below")
}

/// One rule for each path that a list allows.
pub(crate) fn allow_paths(
    list: &[PathEntry],
    id: &str,
    authority: &EntityUid,
    actions: &'static [&'static str],
) -> Vec<RuleText> {
    let rules = list.iter().enumerate().map(|(place, entry)| {
        RuleText::permit(format!("{id}[{place}]"), authority, actions).within(&allowing(entry))
    });
    rules.collect()
}

/// One rule for each path that a list denies.
pub(crate) fn deny_paths(list: &[PathEntry], id: &str, authority: &EntityUid) -> Vec<RuleText> {
    let mut rules = Vec::with_capacity(list.len());
    for (place, entry) in list.iter().enumerate() {
        for (spelling, covered) in denying(entry).iter().enumerate() {
            let id = if spelling == 0 { format!("{id}[{place}]") } else { format!("{id}[{place}].link") };
            let rule = RuleText::forbid(id, authority, PATHS, &ReasonCode::PATH_DENIED);
            rules.push(rule.within(covered).remedy("use a path that the policy does not deny"));
        }
    }
    rules
}

/// The entity that an address is a member of when an entry covers it; nothing for every address.
pub(crate) fn covering(entry: &HostEntry) -> Option<EntityUid> {
    match &entry.what {
        Hosts::All => None,
        Hosts::Origin { scheme, host, port } => {
            Some(entity("Origin", &format!("{}://{host}:{port}", scheme.as_str())))
        }
        Hosts::Host(host) => Some(entity("Host", &host.to_string())),
        Hosts::Port(host, port) => Some(entity("Host", &format!("{host}:{port}"))),
        Hosts::Below(domain) => Some(entity("Domain", domain)),
    }
}

/// Names that lead to the machine itself or to its cloud, wherever they are resolved.
const LOCAL_NAMES: [&str; 5] =
    ["localhost", "localhost.localdomain", "metadata", "metadata.google.internal", "instance-data"];
const LOCAL_DOMAINS: [&str; 4] = ["localhost", "local", "internal", "home.arpa"];

/// Whether an entry can name a local host at all; most name public ones and need no exception.
fn may_be_local(entry: &HostEntry) -> bool {
    let host = match &entry.what {
        Hosts::All => return false,
        Hosts::Origin { host, .. } | Hosts::Host(host) | Hosts::Port(host, _) => host,
        Hosts::Below(domain) => &WebHost::Name(domain.clone()),
    };
    match host {
        WebHost::Ip(_) => true,
        WebHost::Name(name) => {
            let above = host.domains_above().chain([&**name]);
            let domains: Vec<&str> = above.collect();
            LOCAL_NAMES.contains(&&**name) || domains.iter().any(|domain| LOCAL_DOMAINS.contains(domain))
        }
    }
}

/// Ranges of addresses that are not of the public internet. Anything in IPv6 outside of global
/// unicast, and whatever carries an IPv4 address, is among them.
const PRIVATE: [&str; 29] = [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
    "::/3",
    "4000::/3",
    "6000::/3",
    "8000::/3",
    "a000::/3",
    "c000::/3",
    "e000::/3",
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "3ffe::/16",
    "2620:4f:8000::/48",
];

/// Whether an address is of the machine, of its neighbours or of its cloud.
pub(crate) static PRIVATE_CONDITION: LazyLock<String> = LazyLock::new(|| {
    let ranges: Vec<String> =
        PRIVATE.iter().map(|range| format!("resource.address.isInRange(ip(\"{range}\"))")).collect();
    let names = LOCAL_NAMES.iter().map(|name| format!("resource.host == \"{name}\""));
    let domains = LOCAL_DOMAINS.iter().map(|domain| format!("resource.host like \"*.{domain}\""));
    let local: Vec<String> = names.chain(domains).collect();
    format!("{} || (resource has address && ({}))", local.join(" || "), ranges.join(" || "))
});

/// The rules of a network section.
pub(crate) fn network_rules(network: &Network, id: &str, authority: &EntityUid) -> Vec<RuleText> {
    if !network.enabled {
        let rule =
            RuleText::forbid(format!("{id}.enabled"), authority, NETWORK, &ReasonCode::NETWORK_DISABLED);
        return vec![rule.remedy(format!("whoever owns `{id}` can enable the network and list hosts"))];
    }
    let mut rules = Vec::new();
    for (place, entry) in network.allow.iter().enumerate() {
        let rule = RuleText::permit(format!("{id}.allowlist[{place}]"), authority, NETWORK);
        rules.push(match covering(entry) {
            Some(covered) => rule.within(&covered),
            None => rule,
        });
    }
    for (place, glob) in network.deny.iter().enumerate() {
        let reason = &ReasonCode::DOMAIN_DENIED;
        let rule = RuleText::forbid(format!("{id}.denylist[{place}]"), authority, NETWORK, reason);
        rules.push(rule.within(&entity("HostGlob", &glob.written)).remedy("use another host"));
    }
    rules.push(private_rule(network, id, authority));
    rules
}

/// Addresses of the machine and of its neighbours are refused unless a list names them.
fn private_rule(network: &Network, id: &str, authority: &EntityUid) -> RuleText {
    let reason = &ReasonCode::PRIVATE_ADDRESS;
    let mut rule = RuleText::forbid(format!("{id}.private_addresses"), authority, NETWORK, reason)
        .when(PRIVATE_CONDITION.as_str())
        .remedy("list the host by name to allow it");
    let named = network.allow.iter().filter(|entry| may_be_local(entry));
    for covered in named.filter_map(covering) {
        rule = rule.unless(format!("resource in {covered}"));
    }
    if network.allow.iter().any(|entry| entry.what == Hosts::All) {
        // Whatever the skill lists: then its own list must have named the address.
        rule = rule.unless("context.with_skill");
    }
    rule
}
