//! Programs that read secrets and print or send them, in the languages that agents write.
//!
//! A light reading, line by line and from top to bottom: where a secret is read (an environment
//! variable with the name of one, the whole environment, a file of secrets), which variable holds
//! it, and whether it ends up in a call that prints or sends. Asking whether it is set, how long it
//! is, or putting it into the header that is made for it is ordinary work.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use call::{Family, Span};
use regex::bytes::{Match, Regex};

use super::kept::Kept;
use super::names::{is_secret, is_secret_file};
use super::{Act, Manner, Setting, Strings, compiled};

/// Words without which no program reads a secret.
pub(super) const WORDS: &[&str] = &[
    "environ",
    "getenv",
    "process.env",
    "env[",
    "env.fetch",
    "env.to_h",
    "env.each",
    "env.inspect",
    "$_env",
    "$_server",
    "env::var",
    "env.get(",
    "getenvironmentvariable",
    "import.meta.env",
    "$env:",
    "phpinfo(",
    "lookupenv",
    "env.toobject",
    "\".env",
    "'.env",
    "secret}",
    "secret)",
    "api_key}",
    "password}",
    "id_rsa",
    "env(",
];

/// The same, too common to be looked for in everything.
pub(super) const FILES: &[&str] = &[
    "env!",
    "env [",
    "env.map",
    "env.to_a",
    "env.sort",
    "bun.env",
    "${env:",
    "ls env:",
    ".netrc",
    ".pgpass",
    ".npmrc",
    ".pypirc",
    ".git-cred",
    "secrets.",
    "secret.yaml",
    "kubeconfig",
    ".htpasswd",
    "service-account",
    "serviceaccount",
    "tfstate",
    "wallet.dat",
    "shadow",
    "id_dsa",
    "id_ecdsa",
    ".key",
    ".p12",
    ".pfx",
    ".kdbx",
    ".jks",
    ".keystore",
    ".ppk",
];

/// How names of secret values end.
pub(super) const VALUES: &[&str] = &[
    "secret",
    "password",
    "api_key",
    "apikey",
    "private_key",
    "secret_key",
    "credentials",
    "passwd",
    "access_key",
    "secrets",
];

/// Could the name that ends here be the value of a pair? `"key": secret,`
pub(super) fn is_posted(text: &str, start: usize, end: usize) -> bool {
    let behind = text.as_bytes().get(end..).unwrap_or_default().trim_ascii_start();
    let before = text.as_bytes().get(start.saturating_sub(80)..start).unwrap_or_default();
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    let name = before.iter().rev().take_while(|&&byte| is_name(byte)).count();
    let before = before.get(..before.len() - name).unwrap_or_default().trim_ascii_end();
    matches!(behind.first(), Some(b',' | b'}' | b')' | b']'))
        && before.ends_with(b":") | before.ends_with(b"=")
}

/// One secret that is read.
#[derive(Clone, Copy)]
struct Read {
    start: usize,
    end: usize,
    // The whole environment, and not one variable.
    whole: bool,
    // Only the names in it.
    names: bool,
}

/// How far a call reaches at most.
const LONGEST: usize = 1_000;

/// All such programs in `text`, which stands at `offset` of what is reported.
pub(super) fn find(text: &str, offset: usize, setting: Setting, found: &mut Vec<Act>) {
    let mut held: BTreeSet<String> = BTreeSet::new();
    let mut held_whole: BTreeSet<String> = BTreeSet::new();
    let reads = reads(text, setting);
    let sinks = sinks(text);
    if sinks.is_empty() && reads.is_empty() {
        return;
    }
    let mut sinks = sinks.into_iter().peekable();
    let mut reads_left = reads.as_slice();
    let mut start = 0;
    let mut kept = Kept::default();
    let any_whole = reads.iter().any(|read| read.whole || read.names);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let here = reads_left.partition_point(|read| read.start < end);
        let (reads_here, rest) = reads_left.split_at_checked(here).unwrap_or((reads_left, &[]));
        assign(line, start, reads_here, &mut held, &mut held_whole);
        if any_whole
            && looks_up(line)
            && let Some((name, _)) = assignment(line)
        {
            held.insert(name.to_owned());
        }
        if !reads.is_empty() {
            let known = Held { reads: &reads, held: &held, whole: &held_whole, any_whole };
            kept.read_line(text, Span::new(start, end), &known);
            if kept.is_read_in(line)
                && let Some((name, _)) = assignment(line)
            {
                held.insert(name.to_owned());
            }
        }
        if let Some(line_kind) = sends_kept_by_shell(line, &kept) {
            let span = Span::new(offset + start, offset + end);
            found.push(Act {
                family: Family::Exfiltration,
                kind: line_kind,
                span,
                mention: is_comment(line),
            });
        }
        let walked =
            reads_here.iter().find(|read| read.whole && is_walked(text, read.end)).map(|read| read.end);
        while let Some(sink) = sinks.next_if(|sink| sink.start < end) {
            let each = walked.filter(|walked| sink.start > *walked).map(|_| "secret_printed");
            let arguments = text.get(sink.arguments..sink.end).unwrap_or_default();
            let from_file = if sink.sends { kept.is_named_in(arguments) } else { kept.is_read_in(arguments) };
            let by_name = (from_file || (any_whole && looks_up(arguments))).then_some(if sink.sends {
                "secret_sent"
            } else {
                "secret_printed"
            });
            let kind = judge(text, &sink, &reads, &held, &held_whole).or(each).or(by_name);
            if let Some(kind) = kind {
                let span = Span::new(offset + sink.start, offset + sink.end);
                found.push(Act { family: Family::Exfiltration, kind, span, mention: is_comment(line) });
            }
        }
        reads_left = rest;
        start = end;
    }
}

/// Is everything that was read gone through, one by one? `Object.entries(process.env).forEach(…`
fn is_walked(text: &str, end: usize) -> bool {
    let behind = text.get(end..text.floor_char_boundary(end.saturating_add(40))).unwrap_or_default();
    let behind = behind.trim_start_matches([')', ' ']);
    [".forEach(", ".map(", ".each", "{ |", "do |", "| ForEach-Object", "| %"]
        .iter()
        .any(|walk| behind.starts_with(walk))
}

pub(super) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["#", "//", "*", "/*", "--", ";", "%"].iter().any(|sign| line.starts_with(sign))
}

/// Every place where a secret is read, in order.
fn reads(text: &str, setting: Setting) -> Vec<Read> {
    static SPEAKS: OnceLock<Option<Regex>> = OnceLock::new();
    static NAMED: OnceLock<Option<Regex>> = OnceLock::new();
    static WHOLE: OnceLock<Option<Regex>> = OnceLock::new();
    static FILE: OnceLock<Option<Regex>> = OnceLock::new();
    let named = r#"(?i)(?:\b(?:os\.)?environ(?:b)?(?:\.get|\.pop|\.setdefault|\.__getitem__)?\s*[\[(]\s*|\b(?:os\.|System\.)?getenv\s*\(\s*|\bprocess(?:\??\.env|\s*(?:\?\.)?\[\s*["'`]e["'`+\s]*n["'`+\s]*v["'`]\s*\])\s*(?:\?\.)?\[\s*|\bENV\s*\[\s*|\bENV\.fetch\s*[\s(]\s*|\bLookupEnv\s*\(\s*|\benv::var(?:_os)?\s*\(\s*|\benv!\s*\(\s*|\benv\.get\s*\(\s*|GetEnvironmentVariable\s*\(\s*|\$_(?:ENV|SERVER)\s*\[\s*|\benv\s*\(\s*)[fbru]?["'`]([A-Za-z0-9_.-]{2,80})["'`]\s*(?:,[^)\n]{0,60})?[\])]?|\b(?:process\??\.env|process\s*(?:\?\.)?\[\s*["'`]e["'`+\s]*n["'`+\s]*v["'`]\s*\]|import\.meta\.env|Bun\.env)\??\.([A-Za-z0-9_]{2,80})|\$(?:::)?env\(([A-Za-z0-9_]{2,80})\)|\$env:([A-Za-z0-9_]{2,80})|\$\{env:([A-Za-z0-9_]{2,80})\}"#;
    let whole = r#"(?i)\bos\.environb?\b|\benviron\b|\bprocess\??\.env\b|\bprocess\s*(?:\?\.)?\[\s*["'`]e["'`+\s]*n["'`+\s]*v["'`]\s*\]|\bBun\.env\b|\bprocess\.report\.getReport\s*\(\s*\)|\bparray\s+(?:::)?env\b|\barray\s+get\s+(?:::)?env\b|\bENV\.(?:to_h|to_hash|each|each_pair|inspect|map|to_a|sort)\b|(?-i:%ENV)\b|(?-i:\bENV)\s*(?:[;\n]|$)|\bos\.Environ\(\)|\bgetenv\s*\(\s*\)|\benv::vars(?:_os)?\s*\(|\$_ENV\b|GetEnvironmentVariables\s*\(|\bDeno\.env\.toObject\b|\bphpinfo\s*\(|\b(?:Get-ChildItem|gci|dir|ls)\s+env:|/proc/(?:self|\d+)/environ"#;
    let file = r#"(?i)\b(?:open|read_text|read_bytes|readFileSync|readFile|readTextFile|File\.(?:read|open|readlines)|file_get_contents|ReadFile|ReadAllText|Path|IO\.read|slurp|Get-Content|dotenv_values|fopen|readlines|read_to_string|File::open)\s*!?[\s(]\s*[fbru]?["'`]([^"'`\n]{2,200})["'`]\)?"#;
    // Each way of both to speak of the environment holds one of these, and most texts hold none.
    let speaks = compiled(&SPEAKS, r#"(?i)env|\$_server|phpinfo|getreport|process\s*(?:\?\.)?\["#)
        .is_none_or(|one| one.is_match(text.as_bytes()));
    let strings_are_text = speaks && only_shows_strings(text, setting);
    let mut found = Vec::new();
    if let Some(named) = compiled(&NAMED, named).filter(|_| speaks) {
        for captures in named.captures_iter(text.as_bytes()) {
            let name = captures.iter().skip(1).flatten().next();
            if let (Some(all), Some(name)) = (captures.get(0), name)
                && is_secret(shown(&name))
                && !(strings_are_text && is_text_only(text, all.start()))
            {
                found.push(Read {
                    start: all.start(),
                    end: text.ceil_char_boundary(all.end()),
                    whole: false,
                    names: false,
                });
            }
        }
    }
    if let Some(whole) = compiled(&WHOLE, whole).filter(|_| speaks) {
        for hit in whole.find_iter(text.as_bytes()) {
            // One variable of it, or a change of it.
            let behind = text.get(hit.end()..).unwrap_or_default();
            if strings_are_text && is_text_only(text, hit.start()) {
                continue;
            }
            let part = behind.starts_with(['[', '?']) && !behind.starts_with("[:]")
                || [".get(", ".pop(", ".setdefault", ".update", ".pop", ".NODE_ENV", ".__setitem", ".putenv"]
                    .iter()
                    .any(|part| behind.starts_with(part))
                || (behind.starts_with('.') && is_part_of_object(hit.as_bytes(), behind));
            let set = behind.trim_start().starts_with("= ");
            if !part && !set {
                let names = is_names_only(text, hit.start(), hit.end());
                let end = text.ceil_char_boundary(hit.end());
                found.push(Read { start: hit.start(), end, whole: !names, names });
            }
        }
    }
    if let Some(file) = compiled(&FILE, file) {
        for captures in file.captures_iter(text.as_bytes()) {
            if let (Some(all), Some(path)) = (captures.get(0), captures.get(1))
                && is_secret_file(shown(&path))
                && !opens_for_writing(text, all.end())
            {
                found.push(Read {
                    start: all.start(),
                    end: text.ceil_char_boundary(all.end()),
                    whole: false,
                    names: false,
                });
            }
        }
    }
    if speaks && text.contains(".env") {
        found.extend(reads_by_module(text));
    }
    found.sort_by_key(|read| (read.start, std::cmp::Reverse(read.end)));
    found
}

/// `process.env.HOME`, `getReport().header`: an entry of it.
fn is_part_of_object(read: &[u8], behind: &str) -> bool {
    let object = |start: &[u8]| read.get(..start.len()).is_some_and(|read| read.eq_ignore_ascii_case(start));
    (object(b"process") || object(b"bun.")) && !behind.starts_with(".environmentVariables")
}

/// `import("node:process").then(p => console.log(p.env))`: the environment by another name of its module.
fn reads_by_module(text: &str) -> Vec<Read> {
    static NAMED: OnceLock<Option<Regex>> = OnceLock::new();
    static USED: OnceLock<Option<Regex>> = OnceLock::new();
    let named = r#"\bimport\s+(?:\*\s+as\s+)?(\w{1,60})\s+from\s+["'`](?:node:)?process["'`]|\b(\w{1,60})\s*=\s*(?:await\s+import|require)\s*\(\s*["'`](?:node:)?process["'`]\s*\)|["'`](?:node:)?process["'`]\s*\)\s*\.then\s*\(\s*(?:async\s*)?\(?\s*(\w{1,60})|\b(\w{1,60})\s*=\s*(?:globalThis\.|global\.)?process\s*(?:[;,\n]|$)"#;
    let used = r#"\b(\w{1,60})\.env\b|\(\s*["'`](?:node:)?process["'`]\s*\){1,2}\.env\b"#;
    let found = compiled(&NAMED, named).into_iter().flat_map(|named| named.captures_iter(text.as_bytes()));
    let names: BTreeSet<String> = found
        .filter_map(|captures| captures.iter().skip(1).flatten().next())
        .map(|name| shown(&name).to_owned())
        .collect();
    let used = compiled(&USED, used).into_iter().flat_map(|used| used.captures_iter(text.as_bytes()));
    let read = |captures: regex::bytes::Captures<'_>| {
        let all = captures.get(0)?;
        let own =
            captures.get(1).is_none_or(|name| names.contains(shown(&name)) && shown(&name) != "process");
        let part = text.get(all.end()..).is_some_and(|behind| behind.starts_with(['.', '[', '?']));
        (own && !part).then_some(Read { start: all.start(), end: all.end(), whole: true, names: false })
    };
    used.filter_map(read).collect()
}

/// Does this program do nothing with strings but show them? Else a string may be what is asked for by name.
fn only_shows_strings(text: &str, setting: Setting) -> bool {
    static BY_NAME: OnceLock<Option<Regex>> = OnceLock::new();
    let by_name = r"\bvars\b|__dict__|__getattribute__|\battrgetter\b|\bgetattr\b|\bglobals\b|\bReflect\b|\bmethodcaller\b|\binspect\b";
    setting.manner == Manner::Line
        && setting.strings == Strings::Mention
        && compiled(&BY_NAME, by_name).is_some_and(|name| !name.is_match(text.as_bytes()))
}

/// A string that only holds the word: `print("os.environ")`.
fn is_text_only(text: &str, place: usize) -> bool {
    const FAR: usize = 400;
    let from = text.floor_char_boundary(place.saturating_sub(FAR));
    let before = text.get(from..place).unwrap_or_default();
    let Some(line) = before.rfind('\n').map_or((from == 0).then_some(before), |feed| before.get(feed + 1..))
    else {
        return false;
    };
    let mut open: Option<(usize, u8)> = None;
    for (at, &byte) in line.as_bytes().iter().enumerate() {
        match (open, byte) {
            (None, b'"' | b'\'' | b'`') => open = Some((at, byte)),
            (Some((_, quote)), _) if quote == byte => open = None,
            _ => {}
        }
    }
    let Some((start, quote)) = open else { return false };
    let (front, inside) = line.split_at_checked(start).unwrap_or((line, ""));
    // `"/proc/self/environ"` is a file, `{…}` and `$…` are put in, `process["env"]` asks by name.
    let plain = quote != b'`' && !inside.contains(['{', '$', '/', '%', '\\']);
    let asked = front.trim_end().ends_with(['[', ',']);
    plain && !asked
}

/// `sorted(os.environ)`, `Object.keys(process.env)`, `for name in os.environ:`: names without values.
fn is_names_only(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(text.floor_char_boundary(start.saturating_sub(48))..start).unwrap_or_default();
    let behind = text.get(end..text.floor_char_boundary(end.saturating_add(24))).unwrap_or_default();
    let read = text.get(start..end).unwrap_or_default();
    let python = read.ends_with("environ");
    let listed = ["sorted(", "list(", "set(", "len(", "tuple("].iter().any(|front| before.ends_with(front));
    let looped = before.trim_end().ends_with(" in") && behind.trim_start().starts_with([':', ']', ')']);
    let keys = ["Object.keys(", "array_keys(", "keys "].iter().any(|front| before.ends_with(front));
    let asked = [".keys()", ".keys\n"].iter().any(|call| behind.starts_with(call));
    let chosen = behind.starts_with(" if ") && gives_names(before);
    (python && ((listed && behind.starts_with(')')) || looped || chosen)) || keys || asked
}

/// `(name for name in`: nothing but the names goes on.
fn gives_names(before: &str) -> bool {
    let mut words = before.split_ascii_whitespace().rev();
    let (Some("in"), Some(name), Some("for"), Some(given)) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return false;
    };
    let given = given.rsplit(['(', '[', '{']).next().unwrap_or(given);
    given == name && !before.contains(',')
}

/// Is a variable of the environment asked for by a name that the program makes up? `os.environ[name]`
fn looks_up(text: &str) -> bool {
    static LOOKS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r"(?i)(?:\benviron(?:\.get)?|\bprocess\.env|\bENV(?:\.fetch)?|\bgetenv)\s*[\[(]\s*[a-z_]\w*\s*[\])]|\$ENV\{\s*\$\w+\s*\}";
    compiled(&LOOKS, pattern).is_some_and(|looks| looks.is_match(text.as_bytes()))
}

/// `os.system("curl -d @out.txt …")`, of a file that holds secrets.
fn sends_kept_by_shell(line: &str, kept: &Kept) -> Option<&'static str> {
    static SENDERS: OnceLock<Option<Regex>> = OnceLock::new();
    let senders = compiled(&SENDERS, r"\b(?:curl|wget|scp|rsync|nc|ncat|ftp|sendmail)\b")?;
    (!kept.is_empty() && senders.is_match(line.as_bytes()) && kept.is_named_in(line)).then_some("secret_sent")
}

/// Where secrets stand in a program: what reads them, and the variables that hold them.
pub(super) struct Held<'h> {
    reads: &'h [Read],
    held: &'h BTreeSet<String>,
    whole: &'h BTreeSet<String>,
    // All of it, or its names, are read somewhere.
    any_whole: bool,
}

impl Held<'_> {
    /// Does one of them stand here?
    pub(super) fn stands_in(&self, text: &str, span: Span) -> bool {
        let first = self.reads.partition_point(|read| read.start < span.start);
        let mut reads = self.reads.get(first..).unwrap_or_default().iter();
        let read = reads.find(|read| !read.names).is_some_and(|read| read.start < span.end);
        let arguments = span.of(text).unwrap_or_default();
        let held = mentions(arguments, self.held).is_some();
        let whole = mentions(arguments, self.whole).is_some_and(|place| is_whole_use(arguments, place));
        read || held || whole || (self.any_whole && looks_up(arguments))
    }
}

/// What was matched; names and files of other letters than ASCII are none of those looked for.
fn shown<'t>(found: &Match<'t>) -> &'t str {
    std::str::from_utf8(found.as_bytes()).unwrap_or_default()
}

fn opens_for_writing(text: &str, end: usize) -> bool {
    let behind = text.get(end..text.floor_char_boundary(end.saturating_add(12))).unwrap_or_default();
    let behind = behind.trim_start_matches([',', ' ']);
    ["\"w", "'w", "\"a", "'a"].iter().any(|mode| behind.starts_with(mode))
}

/// A call that prints or sends, with its arguments.
struct Sink {
    start: usize,
    end: usize,
    arguments: usize,
    sends: bool,
}

fn sinks(text: &str) -> Vec<Sink> {
    static SINKS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r"(?i)(?P<print>\bprint(?:ln|f)?\b|\bpprint\b|\bconsole\.\w+|\bputs\b|\bfmt\.(?:Print|Fprint|Sprint|Error)\w*|\blog(?:ger|ging)?\.\w+|\becho\b|\bvar_dump\b|\bprint_r\b|\bvar_export\b|\b(?:e?print(?:ln)?|dbg|panic|info|warn|error|debug|trace)!|\bSystem\.(?:out|err)\.print\w*|\bWrite-(?:Host|Output|Error|Verbose)\b|\b(?:stdout|stderr)\.write\b|\bdocument\.write\b|\bIO\.puts\b|\bConsole\.Write\w*|\balert\b|\bphpinfo\b|\bparray\b|\bdie\b|\braise\b|\bthrow\b|\bsys\.exit\b|\bp\s+ENV\b|\bpp\b|\b(?:Get-ChildItem|gci|dir|ls)\s+env:)|(?P<send>\brequests\.\w+|\bhttpx\.\w+|\burlopen\b|\burllib\.request\.\w+|\burllib3?\.\w+|\bfetch\b|\baxios(?:\.\w+)?|\bhttps?\.(?:request|post\w*|get|put|NewRequest)\b|\bgot(?:\.\w+)?\b|\bsendBeacon\b|\.src\s*=|\blocation(?:\.href)?\s*=|\bwindow\.open\b|\.send(?:all|to|_message|mail|Message|_text)?\b|\bURI\.(?:open|read)\b|\bOpenURI\.\w+|\bNet::HTTP\.\w+|\bHTTParty\.\w+|\bFaraday\.\w+|\bRestClient\.\w+|\bcurl_setopt\w*|\bInvoke-(?:WebRequest|RestMethod)\b|\biwr\b|\birm\b|\b(?:session|client|conn|connection|http|s|self\.session|aiohttp\w*|reqwest\w*|ureq)\s*(?:\.|::)\s*(?:post|put|patch|request|get)\b|\b\w+\.request\b|\bgethostbyname\b|\bgetaddrinfo\b|\bdns\.\w+|\bput_object\b|\bupload_file(?:obj)?\b|\bWebSocket\b|\bXMLHttpRequest\b)";
    let mut found = Vec::new();
    let Some(expression) = compiled(&SINKS, pattern) else { return found };
    for captures in expression.captures_iter(text.as_bytes()) {
        let Some(all) = captures.get(0) else { continue };
        let end = arguments_end(text, all.end());
        found.push(Sink {
            start: all.start(),
            end,
            arguments: all.end(),
            sends: captures.name("send").is_some(),
        });
    }
    found
}

/// Where the arguments end that begin at `from`: at the bracket that closes them, or with the line.
pub(super) fn arguments_end(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let bracket = rest.iter().take(3).find(|&&byte| byte != b' ') == Some(&b'(');
    let mut depth = 0_usize;
    for (place, &byte) in rest.iter().enumerate().take(LONGEST) {
        match byte {
            b'(' if bracket => depth += 1,
            b')' if bracket => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return from + place + 1;
                }
            }
            b'\n' if !bracket => return from + place,
            _ => {}
        }
    }
    text.ceil_char_boundary(from + rest.len().min(LONGEST))
}

/// Remembers the variable that this line puts a secret into.
fn assign(
    line: &str,
    start: usize,
    reads: &[Read],
    held: &mut BTreeSet<String>,
    whole: &mut BTreeSet<String>,
) {
    static LOOP: OnceLock<Option<Regex>> = OnceLock::new();
    if let Some(read) = reads.first().filter(|read| read.whole)
        && let Some(names) =
            compiled(&LOOP, r"\bfor\s*\(?\s*(?:const|let|var)?\s*[\[(]?\s*\$?(\w+)(?:\s*,\s*\$?(\w+))?")
                .and_then(|names| names.captures(line.as_bytes()))
        && names.get(0).is_some_and(|all| start + all.start() < read.start)
    {
        held.extend(names.iter().skip(1).flatten().map(|name| shown(&name).to_owned()));
    }
    held.extend(taken_apart(line));
    whole.extend(brought_in(line));
    let Some((name, value_at)) = assignment(line) else { return };
    let value = line.get(value_at..).unwrap_or_default();
    for read in reads {
        let Some(front) = line.get(value_at..read.start.saturating_sub(start).max(value_at)) else {
            continue;
        };
        if !read.names && carries(front) && !is_question(line, read.start - start, read.end - start) {
            if read.whole {
                whole.insert(name.to_owned())
            } else {
                held.insert(name.to_owned())
            };
        }
    }
    let holder = matches!(
        &*name.to_ascii_lowercase(),
        "headers" | "header" | "auth" | "client" | "session" | "conn" | "config" | "opts" | "options"
    );
    let (first, constructs) = first_call(value);
    if !holder && !constructs && !is_measure(first) && mentions(value, held).is_some() {
        held.insert(name.to_owned());
    }
    if !holder && !constructs && mentions(value, whole).is_some_and(|place| is_whole_use(value, place)) {
        whole.insert(name.to_owned());
    }
}

/// The name that the whole environment has from here on: `from os import environ as e`, `const { env } = process`.
fn brought_in(line: &str) -> Option<String> {
    static BROUGHT: OnceLock<Option<Regex>> = OnceLock::new();
    if !line.contains("env") {
        return None;
    }
    let pattern = r#"\bfrom\s+os\s+import\s[^\n]*?\benvironb?\s+as\s+(\w+)|\{[^{}\n]{0,200}?\benv\b(?:\s*:\s*(\w+)|\s+as\s+(\w+))?[^{}\n]{0,200}\}\s*(?:=\s*(?:globalThis\.)?process\s*(?:[;\n]|$)|=\s*(?:await\s+)?(?:require|import)\s*\(\s*["'`](?:node:)?process["'`]\s*\)|from\s+["'`](?:node:)?process["'`])"#;
    let brought = compiled(&BROUGHT, pattern)?.captures(line.as_bytes())?;
    let name = brought.iter().skip(1).flatten().next();
    Some(name.map_or_else(|| "env".to_owned(), |name| shown(&name).to_owned()))
}

/// The secrets of `const { API_KEY, DB_PASSWORD: password } = process.env`.
fn taken_apart(line: &str) -> Vec<String> {
    static TAKEN: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern =
        r"\{([^{}\n]{1,300})\}\s*=\s*(?:process\.env|import\.meta\.env|Bun\.env|Deno\.env\.toObject\(\))";
    let taken = compiled(&TAKEN, pattern).and_then(|taken| taken.captures(line.as_bytes()));
    let names = taken
        .and_then(|taken| taken.get(1))
        .map(|names| String::from_utf8_lossy(names.as_bytes()).into_owned());
    let held = |part: &str| {
        let part = part.split('=').next().unwrap_or(part);
        let (name, held) = part.split_once(':').unwrap_or((part, part));
        is_secret(name.trim()).then(|| held.trim().to_owned())
    };
    names.iter().flat_map(|names| names.split(',')).filter_map(held).collect()
}

/// `name = …`, and where the value begins.
pub(super) fn assignment(line: &str) -> Option<(&str, usize)> {
    let equals = line.find('=')?;
    let behind = line.as_bytes().get(equals + 1);
    let before = line.get(..equals)?;
    if matches!(behind, Some(b'=' | b'>' | b'~'))
        || before.ends_with(['!', '<', '>', '=', '+'])
        || before.contains(['(', '{', '"'])
    {
        return None;
    }
    let before = before.trim_end_matches([':', ' ', '\t']).split(':').next()?.trim_end();
    let name = before.rsplit([' ', '\t', '$', '.']).next()?;
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    plain.then_some((name, equals + 1))
}

/// Only words that hand a value on unchanged stand in front of it.
fn carries(front: &str) -> bool {
    static FRONT: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"^[\s"'`f${(\[\w]{0,2}(?:(?:str|dict|list|repr|bytes|tuple|base64\.\w+|json\.dumps|JSON\.stringify|Buffer\.from|btoa|await|os\.|encode|b64encode|\w*quote\w*|Object\.\w+|sorted|const|open|with|f|b|\.\.\.|\*\*|System\.|std::|new|String|process\.|fs\.\w*)\s*[\(\[\{"'`]*\s*)*$"#;
    compiled(&FRONT, pattern).is_some_and(|expression| expression.is_match(front.as_bytes()))
}

/// The name of the call that a value begins with, and whether it makes a new thing of it.
fn first_call(value: &str) -> (&str, bool) {
    let value = value.trim_start();
    let length = value
        .bytes()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':'))
        .count();
    let name = value.get(..length).unwrap_or_default();
    let call = value.as_bytes().get(length) == Some(&b'(');
    let last = name.rsplit(['.', ':']).next().unwrap_or_default();
    let constructs = call
        && (last.starts_with(|first: char| first.is_ascii_uppercase())
            || last.contains("client")
            || last.contains("connect")
            || last.contains("login")
            || last.contains("hash")
            || last.contains("sha"));
    (last, (constructs && name != "String" && name != "Buffer") || value.starts_with("new "))
}

fn is_measure(name: &str) -> bool {
    matches!(
        name,
        "len"
            | "bool"
            | "type"
            | "isinstance"
            | "hash"
            | "sha256"
            | "mask"
            | "redact"
            | "hexdigest"
            | "requests"
            | "get"
            | "post"
    )
}

/// The first place in `text` where one of `names` stands as a word.
pub(super) fn mentions(text: &str, names: &BTreeSet<String>) -> Option<usize> {
    if names.is_empty() {
        return None;
    }
    words(text).find(|(_, word)| names.contains(*word)).map(|(place, _)| place)
}

pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let rest = text.as_bytes().get(at..)?;
        let start = at + rest.iter().position(|&byte| is_word(byte))?;
        let length = text.as_bytes().get(start..)?.iter().take_while(|&&byte| is_word(byte)).count();
        at = start + length;
        Some((start, text.get(start..at)?))
    })
}

/// All of it and not one entry.
fn is_whole_use(text: &str, place: usize) -> bool {
    let rest = text.get(place..).unwrap_or_default();
    let behind =
        rest.trim_start_matches(|character: char| character.is_ascii_alphanumeric() || character == '_');
    let entry = behind.starts_with('[')
        || behind.starts_with(".get")
        || (behind.starts_with('.')
            && !behind.starts_with(".items")
            && !behind.starts_with(".copy")
            && !behind.starts_with(".to_"));
    let argument = behind.trim_start().starts_with('=');
    // `env=env` hands it to a program.
    let keyword = text.get(..place).unwrap_or_default().trim_end().ends_with("env=");
    !entry && !argument && !keyword
}

fn judge(
    text: &str,
    sink: &Sink,
    reads: &[Read],
    held: &BTreeSet<String>,
    whole: &BTreeSet<String>,
) -> Option<&'static str> {
    let kind = if sink.sends { "secret_sent" } else { "secret_printed" };
    let arguments = text.get(sink.arguments..sink.end)?;
    // The call itself is one that shows everything: `phpinfo()`, `dir env:`.
    let first = reads.partition_point(|read| read.start < sink.start);
    for read in reads.get(first..).unwrap_or_default().iter().take_while(|read| read.start < sink.end).take(8)
    {
        let from = read.start.max(sink.arguments) - sink.arguments;
        let to = (read.end.min(sink.end).max(sink.arguments) - sink.arguments).max(from);
        if read.names
            || is_question(arguments, from, to)
            || (read.whole && hands_on(arguments, from))
            || (sink.sends && is_credential_place(arguments, from))
        {
            continue;
        }
        return Some(kind);
    }
    for (place, word) in words(arguments) {
        let secret = held.contains(word) || (whole.contains(word) && is_whole_use(arguments, place));
        if !secret {
            continue;
        }
        // A word of a sentence in quotes is no variable, unless it is put in.
        let asked = is_question(arguments, place, place + word.len());
        let proper = sink.sends && is_credential_place(arguments, place);
        let named = is_keyword_name(arguments, place + word.len()) || is_quoted_word(arguments, place);
        if !asked && !proper && !named {
            return Some(kind);
        }
    }
    (sink.sends && posts_secret(arguments)).then_some("secret_sent")
}

/// `env=os.environ`, `{**os.environ, …}`: a program gets it, nobody sees it.
fn hands_on(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default().trim_end();
    // `print for %ENV` goes through it.
    if text.get(place..).is_some_and(|read| read.starts_with("%ENV")) {
        return false;
    }
    ["env=", "env:", "env =", "in", "for"].iter().any(|front| before.ends_with(front))
        && !before.ends_with("for v in")
}

/// `name=value`: this is the name.
fn is_keyword_name(text: &str, end: usize) -> bool {
    let behind = text.get(end..).unwrap_or_default();
    behind.starts_with('=') && !behind.starts_with("==")
        || behind.starts_with(':') && !behind.starts_with(":=") && !behind.starts_with("::")
}

/// Inside a string, and not put in by `{…}`, `${…}`, `#{…}` or a dollar sign.
fn is_quoted_word(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default();
    if before.ends_with(['{', '$']) || before.trim_end().ends_with(['{', '$']) {
        return false;
    }
    let mut open: Option<u8> = None;
    for &byte in before.as_bytes() {
        match (open, byte) {
            (None, b'"' | b'\'' | b'`') => open = Some(byte),
            (Some(quote), _) if quote == byte => open = None,
            _ => {}
        }
    }
    open.is_some()
}

/// Is it only asked whether there is a secret, or how long it is?
fn is_question(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default().trim_end();
    let behind = text.get(end..).unwrap_or_default();
    let asked = [
        "len(", "bool(", "Boolean(", "type(", "!!", "!", " not", " if", "(not", "typeof", "mask(", "redact(",
        "hash(", "sha256(", "isset(", "empty(", "is_some(", "unless", "strlen(", "defined(", "is_set(",
        "\" in", "' in",
    ]
    .iter()
    .any(|front| before.ends_with(front));
    let behind_bare = behind.trim_start_matches([')', ']']);
    let trimmed = behind_bare.trim_start();
    let compared = [
        "is None",
        "is not None",
        "!==",
        "!=",
        "===",
        "==",
        ".length",
        "? ",
        "?\"",
        "?'",
        ".is_some",
        ".is_ok",
        ".nil?",
        ".empty?",
        ".present?",
        "-ne ",
        "-eq ",
    ]
    .iter()
    .any(|sign| trimmed.starts_with(sign));
    // The first few letters, to tell keys apart.
    let few = [
        "[:2]",
        "[:3]",
        "[:4]",
        "[-4:]",
        "[-3:]",
        "[-2:]",
        "[0:4]",
        "[0..3]",
        ".slice(0, 4)",
        ".slice(-4)",
        ".slice(0,4)",
        ".substring(0, 4)",
        ".substr(0, 4)",
    ]
    .iter()
    .any(|slice| behind_bare.starts_with(slice));
    asked || compared || few
}

/// Does the value at `place` stand in a header, or in another place that is made for credentials?
fn is_credential_place(text: &str, place: usize) -> bool {
    let before = text.get(..place).unwrap_or_default().to_ascii_lowercase();
    let last = |marks: &[&str]| marks.iter().filter_map(|mark| before.rfind(mark)).max();
    let proper = last(&[
        "headers",
        "auth",
        "bearer",
        "api_key=",
        "apikey:",
        "x-api-key",
        "x_api_key",
        "-token\"",
        "-token'",
        "token ",
    ]);
    let elsewhere = last(&[
        "data=", "data:", "json=", "json:", "body", "params", "files=", "content=", "payload", "text=",
        "form", "message", "http://", "https://", "?",
    ]);
    match (proper, elsewhere) {
        (Some(proper), Some(elsewhere)) => {
            proper > elsewhere
                || before.get(elsewhere..proper).is_some_and(|between| between.contains("headers"))
        }
        (Some(_), None) => true,
        (None, _) => false,
    }
}

/// `data={"key": secret}`: a secret under a name that is none of its own.
fn posts_secret(arguments: &str) -> bool {
    static PAIRS: OnceLock<Option<Regex>> = OnceLock::new();
    let pairs = compiled(&PAIRS, r#"["']?(\w{1,40})["']?\s*[:=]\s*\$?([A-Za-z_][\w.]{0,60})\s*[,})\]]"#);
    let Some(pairs) = pairs else { return false };
    pairs.captures_iter(arguments.as_bytes()).any(|captures| {
        let (Some(key), Some(value)) = (captures.get(1), captures.get(2)) else { return false };
        let name = shown(&value).rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        let secret = VALUES.iter().any(|ending| name.ends_with(ending));
        let key_name = shown(&key).to_ascii_lowercase();
        let related = is_secret(&key_name)
            || ["pass", "auth", "secret", "token", "headers", "apikey", "api_key", "credential"]
                .iter()
                .any(|part| key_name.contains(part));
        secret && !related && !is_credential_place(arguments, value.start())
    })
}
