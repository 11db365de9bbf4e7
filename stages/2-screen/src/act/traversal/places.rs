//! Where secrets lie: at home, in the system, in the memory of a process.

use super::Strictness;
use super::browser::is_browser_profile;
use super::glob::globs_to_secret;

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
pub(super) fn secret_place(text: &str, strictness: Strictness) -> Option<&'static str> {
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

pub(super) fn is_drive(text: &str) -> bool {
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
