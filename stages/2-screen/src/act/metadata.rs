//! Lines and programs that ask a cloud for the credentials of the machine they run on.
//!
//! Every machine of a cloud can ask one address, without a password, who it is and what it may do.
//! What answers there is a secret, so that asking is reading one. Only what is run can ask: text
//! that names such an address is ordinary, and so is a rule for a firewall or a search for it.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::OnceLock;

use call::{Family, Span};
use regex::bytes::Regex;

use super::program::{self, Program, Runs};
use super::shell::{self, Command, Manner, Script, Word};
use super::{Act, compiled, source};

/// How often a text inside a text is read again.
const DEEPEST: usize = 3;

/// All such lines in `script`.
pub(super) fn find_in_script(script: &Script, found: &mut Vec<Act>) {
    list(&script.commands, None, false, 0, found);
}

/// All such calls in the program `text`.
pub(super) fn find_in_program(text: &str, found: &mut Vec<Act>) {
    if let Some(span) = asked_by_program(text) {
        found.push(act(span, false));
    }
}

const fn act(span: Span, mention: bool) -> Act {
    Act { family: Family::Exfiltration, kind: "machine_credentials", span, mention }
}

/// Reads commands; `at` is where they all stand, when they are a text inside the text.
fn list(commands: &[Command], at: Option<Span>, mention: bool, depth: usize, found: &mut Vec<Act>) {
    // `for h in 169.254.169.254; do curl http://$h/`
    let mut named: BTreeSet<&str> = BTreeSet::new();
    for (place, command) in commands.iter().enumerate() {
        if let [loops, name, within, all @ ..] = &*command.words
            && loops.text == "for"
            && within.text == "in"
            && all.iter().any(is_metadata_address)
        {
            named.insert(&*name.text);
        }
        let mention = mention || command.mention;
        let program = Program::of(command);
        let next = commands.get(place + 1).filter(|_| command.piped).map(Program::of);
        let by_loop = |word: &Word| word.names.iter().any(|name| named.contains(&**name));
        let by_loop = || reaches(program.name()) && program.arguments().iter().any(by_loop);
        if asks(command, &program, next.as_ref()) || (!named.is_empty() && by_loop()) {
            found.push(act(at.unwrap_or_else(|| command.span()), mention));
        }
        let all = command.words.iter().chain(&command.reads).chain(&command.writes).chain(&command.given);
        for inner in all.flat_map(|word| &word.substitutions) {
            list(&inner.commands, at, mention, depth, found);
        }
        let read_again = match program.runs() {
            Runs::Line(word) => std::slice::from_ref(word),
            Runs::Input if program::is_shell(program.name()) => &*command.given,
            Runs::Input | Runs::Code(_) | Runs::File(_) | Runs::Nothing => &[],
        };
        for word in read_again.iter().filter(|word| depth < DEEPEST && may_ask(&word.text)) {
            let script = shell::read(&word.text, 0, Manner::Line);
            let place = at.unwrap_or(Span::new(word.start, word.end));
            list(&script.commands, Some(place), mention, depth + 1, found);
        }
    }
}

/// Is there anything in it that a text inside it could ask with?
fn may_ask(text: &str) -> bool {
    text.contains(['.', ':', '/', '$'])
}

fn asks(command: &Command, program: &Program<'_>, next: Option<&Program<'_>>) -> bool {
    let name = program.name();
    let arguments = program.arguments();
    let by_socket = |word: &Word| {
        let behind = word.text.split_once("/dev/tcp/").map(|(_, behind)| behind);
        behind.is_some_and(|behind| is_metadata_host(behind.split('/').next().unwrap_or_default()))
    };
    if command.words.iter().chain(&command.reads).chain(&command.writes).any(by_socket) {
        return true;
    }
    // `docker run … curl http://…`, `openssl s_client -connect …`
    let mut words = command.words.iter().skip_while(|word| !reaches(&program::name_of(word)));
    let led = known_to_lead(name) && words.next().is_some() && words.any(is_metadata_address);
    let connects = name == "openssl" && arguments.first().is_some_and(|word| word.text == "s_client");
    if led || (connects && arguments.iter().any(is_metadata_address)) {
        return true;
    }
    if reaches(name) {
        let mut flag = "";
        // `xargs curl <<< http://…`, `curl -K - <<< 'url = http://…'`
        let given = |word: &Word| {
            let parts = word.text.split(|sign: char| sign.is_whitespace() || "\"'=".contains(sign)).take(64);
            parts.filter(|part| part.contains("://")).any(|part| host_at(part).is_some_and(is_metadata_host))
        };
        if command.given.iter().any(given) {
            return true;
        }
        return arguments.iter().any(|word| {
            let behind_flag = std::mem::replace(&mut flag, &word.text);
            match behind_flag {
                "--noproxy" | "--data" | "-d" | "--data-raw" | "-A" | "-e" => false,
                // `--resolve name:port:address`
                "--resolve" | "--connect-to" => word.text.split(':').any(is_metadata_host),
                _ => is_metadata_address(word),
            }
        });
    }
    match program.runs() {
        Runs::Code(word) => asked_by_program(&word.text).is_some(),
        Runs::Input if program::is_interpreter(name) => {
            command.given.iter().any(|word| asked_by_program(&word.text).is_some())
        }
        // `echo http://… | xargs curl`
        Runs::Input | Runs::Line(_) | Runs::File(_) | Runs::Nothing => {
            program.is_data()
                && next.is_some_and(|next| reaches(next.name()))
                && arguments.iter().any(is_metadata_address)
        }
    }
}

/// Programs that start another one among their words.
fn known_to_lead(name: &str) -> bool {
    program::ELSEWHERE.contains(&name)
}

/// Programs that ask an address that they are given. A question for a name of the net is none.
fn reaches(name: &str) -> bool {
    (program::is_fetcher(name) && !matches!(name, "dig" | "nslookup"))
        || matches!(name, "get" | "head" | "post" | "ffmpeg" | "websocat" | "xdg-open" | "ab" | "hey")
}

/// An address of the service, or a variable that a cloud sets to one.
fn is_metadata_address(word: &Word) -> bool {
    let text = word.text.split_once('=').filter(|(flag, _)| flag.starts_with("--"));
    let text = text.map_or(&*word.text, |(_, value)| value);
    let by_name = word.names.iter().any(|name| {
        matches!(&**name, "AWS_CONTAINER_CREDENTIALS_FULL_URI" | "IDENTITY_ENDPOINT" | "MSI_ENDPOINT")
    });
    // The host is put in, and the rest can be nothing else.
    let by_path = text.contains('$') && !word.names.is_empty() && is_metadata_path(text);
    // `TCP:169.254.169.254:80`
    let by_socket = text.split_once(':').filter(|(kind, _)| {
        matches!(&*kind.to_ascii_lowercase(), "tcp" | "tcp4" | "tcp6" | "tcp-connect" | "openssl" | "ssl")
    });
    let by_socket = by_socket.and_then(|(_, rest)| host_at(rest)).is_some_and(is_metadata_host);
    // The short name that machines of one cloud know.
    let short = host_at(text) == Some("metadata") && is_metadata_path(text);
    by_name || by_path || by_socket || short || host_at(text).is_some_and(is_metadata_host)
}

fn is_metadata_path(address: &str) -> bool {
    let (_, rest) = address.split_once("://").unwrap_or(("", address));
    let path = rest.split_once('/').map_or("", |(_, path)| path).trim_start_matches('/');
    ["latest/meta-data", "latest/user-data", "latest/api/token", "computeMetadata/v1", "metadata/identity/"]
        .iter()
        .any(|start| path.starts_with(start))
}

/// The host of the address that `text` begins with; with or without `http://`.
fn host_at(text: &str) -> Option<&str> {
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
fn is_metadata_host(host: &str) -> bool {
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
fn number(host: &str) -> Option<u32> {
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

/// Where a program asks such an address; programs that have no call that could ask only speak of it.
fn asked_by_program(text: &str) -> Option<Span> {
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

#[cfg(test)]
mod tests {
    use super::{asked_by_program, host_at, is_metadata_host};

    #[test]
    fn the_service_is_known_under_all_its_names() {
        for address in [
            "http://169.254.169.254/latest/",
            "169.254.169.254",
            "http://2852039166/",
            "http://0xa9fea9fe/x",
            "http://0xA9.0xFE.0xA9.0xFE/",
            "http://0251.0376.0251.0376/",
            "http://169.254.43518/",
            "http://[::ffff:169.254.169.254]/",
            "http://[::ffff:a9fe:a9fe]:80/",
            "http://[fd00:ec2::254]/latest",
            "http://metadata.google.internal./computeMetadata/v1/",
            "http://x@169.254.170.2$URI",
            "http://169.254.169.254.nip.io/",
            "http://100.100.100.200/latest/meta-data/",
            "http://169.254.169.25{4}/latest/",
        ] {
            assert!(host_at(address).is_some_and(is_metadata_host), "{address}");
        }
        for address in [
            "http://169.254.1.1/",
            "https://example.org/169.254.169.254",
            "http://2852039167/",
            "http://10.0.0.1/",
            "metadata.json",
            "1.2.3.4.5",
            "-s",
            "",
        ] {
            assert!(!host_at(address).is_some_and(is_metadata_host), "{address}");
        }
    }

    #[test]
    fn a_program_asks_when_it_has_a_call_that_asks() {
        let cases = [
            ("urlopen('http://169.254.169.254/latest/user-data').read()", true),
            ("await fetch(`http://metadata.google.internal/computeMetadata/v1/`)", true),
            ("c = http.client.HTTPConnection('169.254.169.254')", true),
            ("h = '169.254' + '.169.254'\nrequests.get(f'http://{h}/latest')", true),
            ("requests.get('http://2852039166/latest/meta-data/')", true),
            ("BLOCKED = {'169.254.169.254'}\nprint('10.0.0.1' in BLOCKED)", false),
            ("# http://169.254.169.254 is left out\nrequests.get('https://example.org')", false),
            ("requests.get('https://example.org')  # not http://169.254.169.254", false),
            ("BLOCKED = {'169.254.169.254'}\nif h not in BLOCKED: requests.get(u)", false),
            ("n = '2852039166'\nrequests.get('https://example.org')", false),
            ("h = '.'.join(['169','254','169','254'])\nrequests.get(f'http://{h}/')", true),
            ("h = [169, 254, 169, 254].join('.'); fetch(`http://${h}/`)", true),
            ("requests.get('http://169.254.%d.254/' % 169)", true),
            ("requests.get('http://{}.254.169.254/x'.format(169))", true),
            ("requests.get('http://' + str(ip_address(2852039166)))", true),
            ("private = '169.254.169.254'\nrequests.get('http://' + private + '/')", true),
            ("new URL(\"http://169.254.169.254/\").openStream()", true),
            ("private = ['169.254.169.254']\nrequests.get('http://' + host)", false),
            ("v = '.'.join(['1', '2', '3', '254'])\nrequests.get(u)", false),
            ("n = ip_address(3232235777)\nrequests.get('http://254.example')", false),
        ];
        for (text, want) in cases {
            assert_eq!(asked_by_program(text).is_some(), want, "{text}");
        }
    }
}
