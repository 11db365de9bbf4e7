//! Lines and programs that ask a cloud for the credentials of the machine they run on.
//!
//! Every machine of a cloud can ask one address, without a password, who it is and what it may do.
//! What answers there is a secret, so that asking is reading one. Only what is run can ask: text
//! that names such an address is ordinary, and so is a rule for a firewall or a search for it.

mod asked;
mod host;

use std::collections::BTreeSet;

use call::{Family, Span};

use crate::act::program::{Program, Runs};
use crate::act::shell::{Command, Manner, Script, Word};
use crate::act::{Act, program, shell};
use asked::asked_by_program;
use host::{host_at, is_metadata_host, is_metadata_path};

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
