//! Programs that ask such an address: whole, by a variable, or made of parts.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::sync::OnceLock;

use call::Span;
use regex::bytes::Regex;

use super::host::is_metadata_host;
use crate::act::{compiled, source};

/// Where a program asks such an address; programs that have no call that could ask only speak of it.
pub(super) fn asked_by_program(text: &str) -> Option<Span> {
    static CALLS: OnceLock<Option<Regex>> = OnceLock::new();
    let calls = r#"(?i)\burlopen\b|\burlretrieve\b|\burllib|\brequests\.\w+\s*\(|\bhttpx\b|\baiohttp\b|\bhttp\.client\b|\bHTTPS?Connection\b|\bcreate_connection\b|\.connect\s*\(|\bfetch\s*\(|\baxios\b|\bgot(?:\.\w+)?\s*\(|\bundici\b|\bhttps?['"]?\)?\.(?:get|request|NewRequest)\b|\bNet::HTTP|\bURI\.open|\bopen-uri\b|\bHTTParty\b|\bFaraday\b|\bfile_get_contents\b|\bfopen\b|\bcurl\b|\bwget\b|\bXMLHttpRequest\b|\.open(?:Stream|Connection)\b|\bHttpURLConnection\b|\bTcpStream::connect\b|\bnet\.(?:connect|createConnection|Dial)\b|\bfsockopen\b|\bIO::Socket\b|\bTCPSocket\b|\bRestClient\b|\bExcon\b|\bcurl_init\b|\bURLSession\b|\bHttpRequest\b|\bpycurl\b|\bhttplib2?\b|\bsuperagent\b|\bHttpClient\b|\bWebClient\b|\bInvoke-(?:WebRequest|RestMethod)\b|\bi(?:wr|rm)\b|\breqwest\b|\bureq\b|\bLWP::|\bHTTP::Tiny\b|\b(?:session|client|s)\.(?:get|put|post|request)\s*\("#;
    static SPEAKS: OnceLock<Option<Regex>> = OnceLock::new();
    // Each spelling holds one of these, and most programs hold none.
    let speaks =
        r"(?i)254|metadata\.goo|instance-data|2852039|a9fe|0xa9|0251\.|100\.100|168\.63|169\.|fd[02]0:";
    if !compiled(&SPEAKS, speaks)?.is_match(text.as_bytes()) {
        return None;
    }
    let place = named_in_program(text).or_else(|| put_together(text))?;
    let calls = compiled(&CALLS, calls)?;
    calls.is_match(text.as_bytes()).then_some(place)
}

/// Where a string of a program begins with such an address, outside of comments and of what is asserted.
fn named_in_program(text: &str) -> Option<Span> {
    let names = LazyCell::new(|| address_names(text));
    let used = |name: &str| names.contains(name);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let speaks = source::is_comment(line) || line.trim_start().starts_with("assert");
        if !speaks && let Some(place) = named_in_line(line, &used) {
            return Some(Span::new(start + place.start, start + place.end));
        }
        start += line.len();
    }
    None
}

fn named_in_line(line: &str, used: &dyn Fn(&str) -> bool) -> Option<Span> {
    static HOSTS: OnceLock<Option<Regex>> = OnceLock::new();
    // The address of a call, or a host that stands alone in its string.
    let hosts = r#"(?i)(?:["'`@](?:https?://)?|\bhttps?://)(?:\w{1,20}@)?(\[[0-9a-f:.]{2,45}\]|[0-9a-z][0-9a-z.-]{3,60})"#;
    // Strings that are put together are one.
    static JOINED: OnceLock<Option<Regex>> = OnceLock::new();
    let joined = compiled(&JOINED, r#"["']\s*\+\s*["']"#)?;
    let plain = joined.replace_all(line.as_bytes(), &b""[..]);
    let comment = LazyCell::new(|| comment_start(&plain));
    let makes_an_address = LazyCell::new(|| source::assignment(line).is_some_and(|(name, _)| used(name)));
    for captures in compiled(&HOSTS, hosts)?.captures_iter(&plain) {
        let (Some(all), Some(host)) = (captures.get(0), captures.get(1)) else { continue };
        let Ok(written) = std::str::from_utf8(host.as_bytes()) else { continue };
        let bare = written.trim_matches(['[', ']']);
        let before = plain.get(host.start().saturating_sub(NEAR)..host.start()).unwrap_or_default();
        let addressed = before.ends_with(b"//") || before.ends_with(b"@");
        // A number alone in a string is a number, and a host alone may be in a list of those to keep out, unless it is
        // the value of a variable that an address is made with.
        let alone = bare.contains(['.', ':']) && (!keeps_out(before) || *makes_an_address);
        if (addressed || alone) && is_metadata_host(bare) && all.start() < *comment {
            return Some(Span::new(0, line.len()));
        }
    }
    None
}

/// The variables that addresses are made with: `"http://" + private`, `http://{host}/`.
fn address_names(text: &str) -> BTreeSet<String> {
    static NAMES: OnceLock<Option<Regex>> = OnceLock::new();
    let names =
        r#"//(?:["']\s{0,4}\+\s{0,4}|\$?\{\s{0,4}|%s[^"'\n]{0,60}["']\s{0,4}%\s{0,4}\(?)([A-Za-z_]\w{0,60})"#;
    let found = compiled(&NAMES, names).into_iter().flat_map(|names| names.captures_iter(text.as_bytes()));
    let name = |captures: regex::bytes::Captures<'_>| {
        captures.get(1).map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned())
    };
    found.filter_map(name).collect()
}

/// An address that its parts make: `'.'.join(['169', '254', …])`, `'http://{}.254.169.254/'.format(169)`,
/// `ip_address(2852039166)`.
fn put_together(text: &str) -> Option<Span> {
    static PARTS: OnceLock<Option<Regex>> = OnceLock::new();
    let parts = r#"["']\.["']\.join\(\s*(?:map\(\s*str\s*,\s*)?[\[(]\s*(?P<list>["'\d][\d"',\s]{6,60})[\])]|[\[(]\s*(?P<row>["'\d][\d"',\s]{6,60})[\])]\.join\(\s*["']\.["']|["'](?:https?://)?(?P<format>[\d.%sd{}]{7,24})[/"'][^"'\n]{0,120}["']?\s*(?:%\s*\(?|\.format\(\s*)(?P<values>["'\d][\d"',\s]{0,40})|\b(?:ip_address|IPv4Address|inet_ntoa|long2ip|IPAddr)\s*\(\s*["']?(?P<number>\d{8,10}|0x[0-9a-fA-F]{8})"#;
    let numbers = |list: &[u8]| -> Vec<String> {
        let list = String::from_utf8_lossy(list).into_owned();
        let parts = list.split(|sign: char| !sign.is_ascii_digit()).filter(|part| !part.is_empty());
        parts.take(8).map(str::to_owned).collect()
    };
    let found = compiled(&PARTS, parts)?.captures_iter(text.as_bytes()).find(|captures| {
        let name = |name: &str| captures.name(name).map(|part| part.as_bytes());
        let list = name("list").or_else(|| name("row")).map(|list| numbers(list).join("."));
        let number = name("number").map(|number| String::from_utf8_lossy(number).into_owned());
        let format = name("format").zip(name("values")).map(|(format, values)| {
            let mut values = numbers(values).into_iter();
            let format = String::from_utf8_lossy(format).replace("%s", "{}").replace("%d", "{}");
            let mut parts = format.split("{}");
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |all, part| all + &values.next().unwrap_or_default() + part)
        });
        list.or(number).or(format).is_some_and(|host| is_metadata_host(&host))
    })?;
    found.get(0).map(|all| Span::new(all.start(), all.end()))
}

/// `BLOCKED_HOSTS = {"…`, `if host == "…`
fn keeps_out(before: &[u8]) -> bool {
    let before = String::from_utf8_lossy(before).to_ascii_lowercase();
    let listed = ["block", "deny", "denied", "forbid", "disallow", "reserved", "private", "unsafe", "refuse"];
    let compared = before.trim_end_matches(['"', '\'', '`']).trim_end();
    listed.iter().any(|word| before.contains(word)) || compared.ends_with("==") || compared.ends_with("!=")
}

/// How much in front of a host is looked at.
const NEAR: usize = 200;

/// Where the comment begins in `x = 1  # http://…`; else where the line ends.
fn comment_start(line: &[u8]) -> usize {
    let mut quote: Option<u8> = None;
    let mut last = b' ';
    for (at, &byte) in line.iter().enumerate() {
        match (quote, byte) {
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            (None, b'#') if last.is_ascii_whitespace() => return at,
            (None, b'/') if last.is_ascii_whitespace() && line.get(at + 1) == Some(&b'/') => return at,
            _ => {}
        }
        last = byte;
    }
    line.len()
}
