//! Paths that climb out of their folder, or reach for where secrets lie.
//!
//! A path is read the way a server or a file system would: percent-encoding taken off (several
//! times, also overlong and half-width forms), wide dots and slashes made plain, backslashes turned.
//! One step up is ordinary work (`../sibling/file.txt`) and left to policy, which resolves it.

mod around;
mod browser;
mod climb;
mod decoded;
mod glob;
mod places;
mod searched;

pub(super) use around::{is_plain_step, path_around};
use climb::{Climb, is_system_file, is_system_place};
use decoded::decoded;
pub(super) use glob::glob;
use places::{is_drive, secret_place};
pub(super) use searched::WORDS;

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
    let marks = ["\\\\?\\", "\\\\.\\", "\\??\\", "//?/", "//./"];
    let device = marks.iter().find_map(|mark| path.strip_prefix(mark)).is_some_and(|behind| {
        // In a program the mark alone is what it compares with, and a pipe is no file.
        strictness == Strictness::Name || is_device(behind)
    });
    let share = path.starts_with("\\\\") && strictness == Strictness::Name;
    if device || share {
        return Some("device_path");
    }
    None
}

/// Does a device or a folder stand behind the mark of devices, and not nothing or a pipe?
fn is_device(behind: &str) -> bool {
    let behind = behind.trim_start_matches(['\\', '/']);
    let pipe = behind.get(..4).is_some_and(|name| name.eq_ignore_ascii_case("pipe"));
    behind.starts_with(|first: char| first.is_ascii_alphanumeric()) && !pipe
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
