//! Paths that climb out of their folder, or reach for where secrets lie.
//!
//! A path is read the way a server or a file system would: percent-encoding taken off (several
//! times, also overlong and half-width forms), wide dots and slashes made plain, backslashes turned.
//! One step up is ordinary work (`../sibling/file.txt`) and left to policy, which resolves it.

use std::borrow::Cow;

use call::Span;
use unicode_normalization::UnicodeNormalization as _;

/// How strictly a text is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strictness {
    /// The text is the name of a file: any encoded step up counts.
    Name,
    /// The text is part of an address: an encoded step up counts when it climbs.
    Address,
    /// The text stands somewhere in a line, a program or prose.
    Within,
}

/// Words without which no such path is written.
pub(super) const WORDS: &[&str] = &[
    "../",
    "..\\",
    "..%",
    "%2e",
    "%c0",
    "%u00",
    "%uff",
    "....",
    "..;",
    "‥",
    "．．",
    ".ssh",
    ".aws",
    ".kube",
    ".netrc",
    "_netrc",
    ".pgpass",
    ".docker",
    ".gnupg",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".vault-token",
    ".azure",
    ".config",
    ".my.cnf",
    ".password-store",
    "keychains",
    ".bash_history",
    ".zsh_history",
    "/etc/",
    "/proc/",
    "secrets/",
    "/secrets",
    "file:",
    "system32",
    "id_rsa",
    "id_ed25519",
    "id_ecdsa",
    "id_dsa",
    "docker.sock",
    "/kubelet",
    ".cargo/cred",
    "\\\\?\\",
    "\\??\\",
    "\\\\.\\",
    "/dev/mem",
    "keyrings",
    "master.passwd",
    "/root/",
    ".local/share",
    ".mozilla",
    ".thunderbird",
    "google-chrome",
    "/chromium",
    "bravesoftware",
    "microsoft-edge",
    "cookies.sqlite",
    "login data",
    "application support",
    "application\\ support",
    "appdata",
    ".electrum",
    ".bitcoin",
    ".ethereum",
    "kaggle.json",
];

/// What is wrong with this path, if anything.
pub(super) fn judge(path: &str, strictness: Strictness) -> Option<&'static str> {
    let path = path.trim().trim_matches(['"', '\'', '`']);
    if path.is_empty() {
        return None;
    }
    // Several paths in a row: `from:to`.
    if strictness != Strictness::Name
        && path.contains(":/")
        && !path.contains("://")
        && !is_drive(&path.replace('\\', "/"))
    {
        return path.split(':').take(64).find_map(|part| judge_one(part, strictness));
    }
    judge_one(path, strictness)
}

fn judge_one(path: &str, strictness: Strictness) -> Option<&'static str> {
    let plain = decoded(path);
    let encoded = plain.changed;
    let text = &*plain.text;
    if strictness == Strictness::Name && (path.contains('\0') || encoded && text.contains('\0')) {
        return Some("encoded_path");
    }
    let text = text.split('\0').next().unwrap_or(text);
    if let Some(kind) = secret_place(text, strictness) {
        return Some(kind);
    }
    let climb = Climb::of(text);
    if encoded && climb.steps > 0 {
        let counts = match strictness {
            Strictness::Name => plain.steps_hidden,
            Strictness::Address => plain.steps_hidden && (climb.longest >= 2 || climb.beyond >= 1),
            Strictness::Within => plain.steps_hidden && climb.longest >= 2,
        };
        if counts {
            return Some("encoded_path");
        }
    }
    if climb.odd && (strictness == Strictness::Name || climb.longest >= 2) {
        return Some("path_traversal");
    }
    let reached = (climb.beyond >= 1 || climb.longest >= 2) && is_system_file(&climb.tail);
    if reached || (climb.beyond >= 2 && is_system_place(&climb.tail)) {
        return Some("path_traversal");
    }
    let device = ["\\\\?\\", "\\\\.\\", "\\??\\", "//?/", "//./"].iter().any(|mark| path.starts_with(mark));
    let share = path.starts_with("\\\\") && strictness == Strictness::Name;
    if device || share {
        return Some("device_path");
    }
    None
}

/// A path without its encodings.
struct Plain<'p> {
    text: Cow<'p, str>,
    changed: bool,
    // Some step up shows only once it is decoded.
    steps_hidden: bool,
}

fn decoded(path: &str) -> Plain<'_> {
    if is_plain(path) {
        return Plain { text: path.into(), changed: false, steps_hidden: false };
    }
    let steps = |text: &str| text.split(['/', '\\']).filter(|part| *part == "..").count();
    let written = steps(path);
    // A blank with a backslash in front is a blank.
    let mut text = path.replace("\\ ", " ");
    for _ in 0..4 {
        let next = once(&text);
        if next == text {
            break;
        }
        text = next;
    }
    let changed = text != path;
    let steps_hidden = changed && steps(&text.replace('\\', "/")) > written;
    Plain { text: text.replace('\\', "/").into(), changed, steps_hidden }
}

/// Is there nothing in it that an encoding begins with?
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii() && !matches!(byte, b'%' | b'\\' | b'&'))
}

/// One level of decoding.
fn once(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let source = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        let (letter, length) = escape(source.get(at..).unwrap_or_default()).unwrap_or((byte, 1));
        bytes.push(letter);
        at += length;
    }
    let mut plain = String::with_capacity(bytes.len());
    for character in String::from_utf8_lossy(&bytes).chars() {
        match character {
            '\u{2215}' | '\u{2044}' | '\u{29f8}' | '\u{29f5}' | '\u{2216}' | '\u{fe68}' | '\u{ff3c}'
            | '\u{ff0f}' => plain.push('/'),
            '\u{2024}' | '\u{ff0e}' | '\u{fe52}' | '\u{ff61}' => plain.push('.'),
            '\u{2025}' => plain.push_str(".."),
            _ if character.is_ascii() => plain.push(character),
            _ if crate::glyph::unseen(character).is_some() => {}
            _ => plain.extend(std::iter::once(character).nfkc()),
        }
    }
    plain
}

/// What an escape at the start of `rest` stands for, and how long it is.
fn escape(rest: &[u8]) -> Option<(u8, usize)> {
    let hex = |from: usize, count: usize| -> Option<u32> {
        let digits = rest.get(from..from + count)?;
        digits.iter().try_fold(0_u32, |value, &digit| Some(value * 16 + char::from(digit).to_digit(16)?))
    };
    match rest.first()? {
        b'%' if matches!(rest.get(1), Some(b'u' | b'U')) => {
            let letter = u8::try_from(wide(hex(2, 4)?)).ok()?;
            Some((letter, 6))
        }
        b'%' => {
            let first = hex(1, 2)?;
            // Overlong forms: two or three bytes for what needs one.
            let follows = |at: usize| rest.get(at) == Some(&b'%');
            if (first == 0xc0 || first == 0xc1) && follows(3) {
                let letter = ((first & 1) << 6) | (hex(4, 2)? & 0x3f);
                return Some((u8::try_from(letter).ok()?, 6));
            }
            if first == 0xe0 && follows(3) && follows(6) && hex(4, 2)? < 0xa0 {
                let letter = ((hex(4, 2)? & 1) << 6) | (hex(7, 2)? & 0x3f);
                return Some((u8::try_from(letter).ok()?, 9));
            }
            Some((u8::try_from(first).ok()?, 3))
        }
        b'\\' if rest.get(1) == Some(&b'x') => Some((u8::try_from(hex(2, 2)?).ok()?, 4)),
        b'\\' if rest.get(1) == Some(&b'u') => Some((u8::try_from(wide(hex(2, 4)?)).ok()?, 6)),
        b'&' => ["&#46;", "&#x2e;", "&#x2E;", "&period;", "&#47;", "&#x2f;", "&#x2F;", "&sol;"]
            .iter()
            .enumerate()
            .find(|(_, entity)| rest.starts_with(entity.as_bytes()))
            .map(|(place, entity)| (if place < 4 { b'.' } else { b'/' }, entity.len())),
        _ => None,
    }
}

/// The ASCII form of a letter of full width.
const fn wide(code: u32) -> u32 {
    match code {
        0xff01..=0xff5e => code - 0xfee0,
        0x2215 | 0x2044 => 0x2f,
        0x2024 => 0x2e,
        _ => code,
    }
}

/// How a path climbs.
struct Climb {
    /// Steps up, all in all.
    steps: usize,
    /// The most steps up in a row.
    longest: usize,
    /// How far above where it began it gets.
    beyond: usize,
    /// Four dots and the like, which become two when somebody takes two away.
    odd: bool,
    /// What it names once it has climbed.
    tail: String,
}

impl Climb {
    fn of(text: &str) -> Self {
        let local = text
            .split_once("://")
            .map_or(text, |(_, rest)| rest.split_once('/').map_or("", |(_, path)| path));
        let mut climb = Self { steps: 0, longest: 0, beyond: 0, odd: false, tail: String::new() };
        // Where no step leads up, nobody asks where the path ends.
        if !local.as_bytes().array_windows().any(|pair| pair == b"..") {
            return climb;
        }
        let (mut depth, mut row) = (0_usize, 0);
        let mut tail: Vec<&str> = Vec::new();
        let mut parts = local.split('/').peekable();
        while let Some(part) = parts.next() {
            // Blanks, parameters and a query do not change where a step leads.
            let bare = part.trim().split([';', '?', '#']).next().unwrap_or_default();
            match bare {
                "" | "." => {}
                ".." => {
                    climb.odd |= part.contains(';');
                    climb.steps += 1;
                    row += 1;
                    climb.longest = climb.longest.max(row);
                    match depth.checked_sub(1) {
                        Some(less) => depth = less,
                        None => climb.beyond += 1,
                    }
                    tail.clear();
                }
                dots if dots.len() >= 3
                    && dots.bytes().all(|byte| byte == b'.')
                    && parts.peek().is_some() =>
                {
                    climb.odd |= dots.len() >= 4 || parts.peek() == Some(&".");
                    row += 1;
                    climb.longest = climb.longest.max(row);
                    tail.clear();
                }
                name => {
                    depth += 1;
                    row = 0;
                    if tail.len() < 6 {
                        tail.push(name);
                    }
                }
            }
        }
        climb.tail = tail.join("/").to_ascii_lowercase();
        climb
    }
}

fn is_system_file(tail: &str) -> bool {
    const FILES: &[&str] = &[
        "etc/passwd",
        "etc/shadow",
        "etc/gshadow",
        "etc/sudoers",
        "etc/hosts",
        "etc/master.passwd",
        "etc/ssh",
        "etc/ssl/private",
        "etc/kubernetes",
        "proc/self",
        "proc/1",
        "windows/system32",
        "windows/win.ini",
        "winnt/",
        "boot.ini",
        "root/.",
        "var/secrets",
        "var/run/secrets",
        "run/secrets",
        "var/lib/kubelet",
        "var/run/docker.sock",
    ];
    FILES.iter().any(|file| tail.starts_with(file))
        || tail.split('/').any(|part| matches!(part, ".ssh" | ".aws" | ".gnupg" | ".kube"))
}

fn is_system_place(tail: &str) -> bool {
    let mut parts = tail.split('/');
    let first = parts.next().unwrap_or_default();
    let more = parts.next().is_some();
    matches!(first, "etc" | "proc" | "root" | "sys" | "boot" | "dev" | "windows" | "winnt" | "private")
        || (more && matches!(first, "var" | "usr" | "home" | "users" | "run" | "opt" | "srv"))
        || tail.split('/').any(is_secret_name)
}

/// Folders and files that hold secrets wherever they lie.
fn is_secret_name(part: &str) -> bool {
    matches!(
        part,
        ".ssh"
            | ".aws"
            | ".gnupg"
            | ".kube"
            | ".azure"
            | ".netrc"
            | ".pgpass"
            | ".git-credentials"
            | ".env"
            | ".password-store"
            | ".vault-token"
    )
}

/// Private keys by their usual names.
fn is_private_key(part: &str) -> bool {
    let name = part.trim_end_matches(['.', '*']);
    matches!(
        name,
        "id_rsa"
            | "id_dsa"
            | "id_ecdsa"
            | "id_ed25519"
            | "id_ecdsa_sk"
            | "id_ed25519_sk"
            | "identity"
            | "id_"
    )
}

/// Does this path name a place where secrets lie?
fn secret_place(text: &str, strictness: Strictness) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let local = local_path(&lower);
    let parts = resolved(local);
    let home = home_length(local, &parts);
    let at_home = home.and_then(|length| parts.get(length..));
    if let Some(rest) = at_home
        && is_secret_at_home(rest, strictness)
    {
        return Some("secret_path");
    }
    // `.ssh/id_rsa` and `.aws/credentials` are what they are, wherever they lie.
    for pair in parts.windows(2) {
        let [folder, file] = pair else { continue };
        let key = *folder == ".ssh" && is_private_key(file);
        let named = matches!(
            (*folder, *file),
            (".aws", "credentials") | (".kube", "config") | (".gnupg", "secring.gpg")
        );
        let browser = matches!(*file, "cookies.sqlite" | "login data" | "logins.json" | "key4.db")
            && parts.iter().any(|part| {
                matches!(*part, ".mozilla" | "firefox" | "chrome" | "google-chrome" | "chromium")
            });
        if key || named || browser {
            return Some("secret_path");
        }
    }
    if !local.starts_with('/') && !is_drive(local) {
        return None;
    }
    let absolute = parts.join("/");
    let absolute =
        absolute.trim_start_matches("c:/").trim_start_matches("rootfs/").trim_start_matches("host/");
    const SECRET: &[&str] = &[
        "etc/shadow",
        "etc/gshadow",
        "etc/sudoers",
        "etc/master.passwd",
        "etc/security/opasswd",
        "etc/ssl/private",
        "etc/krb5.keytab",
        "etc/kubernetes/pki",
        "etc/kubernetes/admin.conf",
        "var/secrets",
        "var/run/secrets",
        "run/secrets/kubernetes.io",
        "var/lib/kubelet/pki",
        "windows/system32/config/sam",
        "windows/system32/config/system",
        "windows/system32/config/security",
        "windows/repair/sam",
        "proc/self/environ",
        "proc/self/mem",
        "proc/self/root",
        "proc/self/maps",
        "proc/self/cwd",
        "proc/thread-self",
        "proc/kcore",
        "dev/mem",
        "dev/kmem",
        "var/run/docker.sock",
        "run/docker.sock",
        "private/etc/master.passwd",
        "root/.ssh",
    ];
    let below = |place: &str| {
        absolute == place
            || absolute.strip_prefix(place).is_some_and(|rest| rest.starts_with(['/', '-', '~', '.']))
    };
    let host_key = absolute.starts_with("etc/ssh/ssh_host_") && !absolute.ends_with(".pub");
    let passwd = absolute == "etc/passwd" || absolute == "etc/passwd-";
    // `/proc/1/environ`
    let process = match parts.as_slice() {
        ["proc", process, file, ..] => {
            process.bytes().all(|byte| byte.is_ascii_digit() || byte == b'*' || byte == b'$')
                && matches!(*file, "environ" | "mem" | "root" | "maps" | "cwd" | "fd")
        }
        ["proc", .., "environ"] => true,
        _ => false,
    };
    let run_secrets = strictness == Strictness::Name
        && (absolute.starts_with("run/secrets") || absolute.starts_with("secrets/"));
    (SECRET.iter().any(|place| below(place))
        || host_key
        || passwd
        || process
        || run_secrets
        || globs_to_secret(absolute))
    .then_some("secret_path")
}

/// The parts of a path, with steps up taken.
fn resolved(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts
}

/// Without `file://` and a host.
fn local_path(text: &str) -> &str {
    let rest = text.strip_prefix("file:").map(|rest| rest.strip_prefix("//").unwrap_or(rest));
    let Some(rest) = rest else { return text };
    let start = rest.find('/').unwrap_or(0);
    rest.get(start..).unwrap_or(rest)
}

fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', b'/', ..] if letter.is_ascii_alphabetic())
}

/// How many parts of the path are a home folder.
fn home_length(local: &str, parts: &[&str]) -> Option<usize> {
    let absolute = local.starts_with('/');
    match parts {
        [first, ..] if first.starts_with('~') && !absolute => Some(1),
        [
            "$home" | "${home}" | "%userprofile%" | "%homepath%" | "$env:userprofile" | "$env:home"
            | "%appdata%" | "$env:appdata",
            ..,
        ] => Some(1),
        ["root", ..] if absolute => Some(1),
        ["home" | "users", _, ..] if absolute => Some(2),
        [drive, "users", _, ..] if drive.ends_with(':') => Some(3),
        ["var", "lib", "jenkins" | "postgresql", ..] if absolute => Some(3),
        ["host" | "mnt" | "rootfs", "home", _, ..] if absolute => Some(3),
        ["host" | "mnt" | "rootfs", "root", ..] if absolute => Some(2),
        _ => None,
    }
}

/// Does this path below a home folder lead to secrets?
fn is_secret_at_home(rest: &[&str], strictness: Strictness) -> bool {
    let name = strictness == Strictness::Name;
    match rest {
        [".ssh", file, ..] => {
            name || !(file.ends_with(".pub") || file.starts_with("known_hosts") || *file == "config")
        }
        [".ssh"] => true,
        [".aws" | ".gnupg" | ".azure" | ".oci" | ".password-store" | ".gcloud", ..] => true,
        [".kube"] | [".kube", "config", ..] => true,
        [".docker", "config.json", ..] => true,
        [
            ".netrc" | "_netrc" | ".pgpass" | ".git-credentials" | ".npmrc" | ".pypirc" | ".vault-token"
            | ".my.cnf" | ".s3cfg" | ".boto",
            ..,
        ] => true,
        [".bash_history" | ".zsh_history" | ".python_history" | ".mysql_history" | ".psql_history", ..] => {
            true
        }
        [
            ".config",
            "gcloud" | "gh" | "hub" | "op" | "doctl" | "heroku" | "rclone" | "sops" | "glab-cli",
            ..,
        ] => true,
        [".local", "share", "keyrings", ..] | ["library", "keychains", ..] => true,
        [".cargo", "credentials" | "credentials.toml", ..] => true,
        [".terraform.d", "credentials.tfrc.json", ..] => true,
        [".gem", "credentials", ..] => true,
        [".thunderbird" | ".electrum" | ".bitcoin" | ".ethereum", ..] => true,
        [".kaggle", "kaggle.json", ..] | [".pulumi", "credentials.json", ..] => true,
        [".claude", ".credentials.json", ..] | [".codex", "auth.json", ..] => true,
        [".huggingface", "token", ..] | [".cache", "huggingface", "token", ..] => true,
        _ => is_browser_profile(rest),
    }
}

/// Where a browser keeps cookies and passwords, at home.
fn is_browser_profile(rest: &[&str]) -> bool {
    const FOLDERS: &[&str] = &[
        "google-chrome",
        "google-chrome-beta",
        "chromium",
        "bravesoftware",
        "brave-browser",
        "microsoft-edge",
        "vivaldi",
        "opera",
        "google",
        "firefox",
        "mozilla",
        "microsoft edge",
        "com.operasoftware.opera",
        "arc",
        "slack",
        "discord",
        "signal",
        "solana",
        "keepassxc",
        "github-copilot",
    ];
    match rest {
        [".mozilla", ..] | ["library", "cookies" | "safari", ..] => true,
        [".config" | "snap", folder, ..] | ["library", "application support", folder, ..] => {
            FOLDERS.contains(folder)
        }
        [".var", "app", name, ..] => {
            ["firefox", "chrome", "chromium", "brave"].iter().any(|part| name.contains(part))
        }
        ["appdata", "local" | "roaming", "google" | "mozilla" | "bravesoftware" | "microsoft", name, ..] => {
            matches!(
                *name,
                "chrome" | "firefox" | "brave-browser" | "edge" | "credentials" | "protect" | "vault"
            )
        }
        _ => false,
    }
}

/// `/e?c/sh?dow`, `/etc/pass*`: does the pattern cover a file of secrets?
fn globs_to_secret(path: &str) -> bool {
    if !path.contains(['?', '*', '[']) || path.len() > 64 {
        return false;
    }
    let literal = path.bytes().filter(u8::is_ascii_alphabetic).count();
    ["etc/shadow", "etc/passwd", "proc/self/environ", "etc/sudoers"].iter().any(|file| {
        let (mut pattern, mut names) = (path.split('/'), file.split('/'));
        literal >= 3
            && pattern.clone().count() == names.clone().count()
            && pattern.all(|part| {
                names
                    .next()
                    .is_some_and(|name| glob(part.as_bytes(), name.as_bytes()) && part != "*" && part != "**")
            })
    })
}

/// Both are short: parts of a path.
pub(super) fn glob(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            (0..=name.len()).any(|skip| glob(rest, name.get(skip..).unwrap_or_default()))
        }
        ([b'?', pattern @ ..], [_, name @ ..]) => glob(pattern, name),
        ([b'[', rest @ ..], [first, name @ ..]) => {
            let end = rest.iter().position(|&byte| byte == b']').unwrap_or(rest.len());
            let set = rest.get(..end).unwrap_or_default();
            set.contains(first) && glob(rest.get(end + 1..).unwrap_or_default(), name)
        }
        ([left, pattern @ ..], [right, name @ ..]) => left == right && glob(pattern, name),
        _ => false,
    }
}

/// A path that begins with one or two steps up and has nothing else in it that could matter.
pub(super) fn is_plain_step(path: &str) -> bool {
    let rest = path.strip_prefix("../").map(|rest| rest.strip_prefix("../").unwrap_or(rest));
    rest.is_some_and(|rest| {
        let letters = rest
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'-' | b'.'));
        let system = [
            "etc", "proc", "root", "sys", "boot", "dev", "win", "private", "var", "usr", "home", "users",
            "run", "opt", "srv",
        ]
        .iter()
        .any(|place| rest.starts_with(place));
        letters && !rest.contains("..") && !rest.starts_with('.') && !rest.contains("/.") && !system
    })
}

/// The path that stands around `place` in `text`.
pub(super) fn path_around(text: &str, place: Span) -> Span {
    let bytes = text.as_bytes();
    let longest = 1_024;
    let before = bytes.get(..place.start).unwrap_or_default();
    let start = place.start - before.iter().rev().take(longest).take_while(|&&byte| in_path(byte)).count();
    let behind = bytes.get(place.end..).unwrap_or_default();
    let end = place.end + behind.iter().take(longest).take_while(|&&byte| in_path(byte)).count();
    Span::new(text.floor_char_boundary(start), text.ceil_char_boundary(end))
}

/// Bytes that paths are written with, without quotes.
const fn in_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte >= 0x80
        || matches!(
            byte,
            b'/' | b'\\'
                | b'.'
                | b'-'
                | b'_'
                | b'~'
                | b'%'
                | b'$'
                | b'{'
                | b'}'
                | b':'
                | b'?'
                | b'*'
                | b'+'
                | b'['
                | b']'
        )
}

#[cfg(test)]
mod tests {
    use super::{Strictness, judge};

    #[test]
    fn a_path_is_judged_by_where_it_leads() {
        let cases = [
            ("../../../etc/passwd", Some("path_traversal")),
            ("..\\..\\..\\windows\\system32\\config\\sam", Some("path_traversal")),
            ("%2e%2e%2f%2e%2e%2fetc%2fpasswd", Some("encoded_path")),
            ("%252e%252e%252fetc", Some("encoded_path")),
            ("..%c0%af..%c0%afetc/passwd", Some("encoded_path")),
            ("..%2fsecret.txt", Some("encoded_path")),
            ("....//....//etc/passwd", Some("path_traversal")),
            ("．．／．．／etc／passwd", Some("encoded_path")),
            ("~/.ssh/id_rsa", Some("secret_path")),
            ("$HOME/.aws/credentials", Some("secret_path")),
            ("/var/secrets/db", Some("secret_path")),
            ("/etc/shadow", Some("secret_path")),
            ("/proc/self/environ", Some("secret_path")),
            ("/proc/1234/environ", Some("secret_path")),
            ("file:///etc/passwd", Some("secret_path")),
            ("file://localhost/etc/shadow", Some("secret_path")),
            ("/home/ada/.netrc", Some("secret_path")),
            ("C:\\Users\\ada\\.ssh\\id_rsa", Some("secret_path")),
            ("backup/.ssh/id_ed25519", Some("secret_path")),
            ("~/.mozilla/firefox/a.default/cookies.sqlite", Some("secret_path")),
            ("~/Library/Application Support/Google/Chrome/Default/Login Data", Some("secret_path")),
            ("~/Library/Application\\ Support/Google/Chrome/Default/Cookies", Some("secret_path")),
            ("C:\\Users\\ada\\AppData\\Local\\Google\\Chrome\\User Data", Some("secret_path")),
            ("src/browser/cookies.ts", None),
            ("tests/fixtures/cookies.sqlite", None),
            ("~/Library/Application Support/Code/User/settings.json", None),
            ("a/../../../etc/passwd", Some("path_traversal")),
            ("../sibling/file.txt", None),
            ("../../shared/types.ts", None),
            ("docs/~backup.md", None),
            ("src/../README.md", None),
            ("src/etc/passwd.rs", None),
            ("docs/100%25.md", None),
            ("a..b/c", None),
            ("./...", None),
            ("notes/.env.example", None),
            ("src/secrets/mod.rs", None),
            (".github/workflows/ci.yml", None),
            ("", None),
        ];
        for (path, want) in cases {
            let found = judge(path, Strictness::Name);
            let same = found.is_some() == want.is_some();
            assert!(same, "{path}: {found:?}, wanted {want:?}");
        }
    }
}
