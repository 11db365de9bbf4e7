//! Tools that print a secret when they are asked.
//!
//! A table: which tool, which words ask for a value, which words keep it off the screen. What only
//! lists names, writes a file or hands the value to a program is not in it.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use regex::bytes::Regex;

use super::compiled;
use super::names::is_secret;
use super::shell::Word;

/// A tool and how it is asked: all of `words`, none of `unless`. A pattern is a word; `x*` is how one
/// begins, `*x*` a part of one, `?` the name of a secret.
struct Row {
    tool: &'static str,
    words: &'static [&'static str],
    unless: &'static [&'static str],
}

const fn row(tool: &'static str, words: &'static [&'static str]) -> Row {
    Row { tool, words, unless: &[] }
}

/// With words that write a file instead.
const fn but(tool: &'static str, words: &'static [&'static str], unless: &'static [&'static str]) -> Row {
    Row { tool, words, unless }
}

const TO_FILE: &[&str] = &["-o", "--output", "--output=*", "-out", "--out"];
const IN_PLACE: &[&str] = &["-o", "--output", "--output=*", "--in-place", "-i"];

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Clouds
    row("aws", &["get-secret-value"]),
    row("aws", &["batch-get-secret-value"]),
    row("aws", &["get-parameter*", "--with-decryption"]),
    row("aws", &["configure", "get", "?"]),
    row("aws", &["export-credentials"]),
    row("aws", &["get-session-token"]),
    row("aws", &["assume-role*"]),
    row("aws", &["create-access-key"]),
    row("aws", &["get-login-password"]),
    row("aws", &["kms", "decrypt"]),
    row("aws-vault", &["export"]),
    row("gcloud", &["secrets", "access"]),
    row("gcloud", &["print-access-token"]),
    row("gcloud", &["print-identity-token"]),
    row("gcloud", &["kms", "decrypt", "--plaintext-file=-"]),
    row("az", &["keyvault", "show"]),
    row("az", &["get-access-token"]),
    row("az", &["keys", "list"]),
    row("az", &["show-connection-string"]),
    row("az", &["credential", "show"]),
    row("ibmcloud", &["oauth-tokens"]),
    row("doctl", &["auth", "token"]),
    row("heroku", &["config"]),
    row("heroku", &["config:get"]),
    row("heroku", &["auth:token"]),
    row("fly", &["auth", "token"]),
    row("flyctl", &["auth", "token"]),
    row("netlify", &["env:get"]),
    row("netlify", &["env:list"]),
    row("railway", &["variables"]),
    row("vercel", &["env", "pull", "/dev/stdout"]),
    row("firebase", &["functions:config:get"]),
    row("firebase", &["functions:secrets:access"]),
    row("cf", &["oauth-token"]),
    row("hcp", &["secrets", "open"]),
    // Stores of secrets
    row("vault", &["kv", "get"]),
    row("vault", &["read", "secret/*"]),
    row("vault", &["read", "*creds*"]),
    row("vault", &["token", "create"]),
    row("vault", &["unwrap"]),
    row("vault", &["print", "token"]),
    row("consul", &["kv", "get", "?"]),
    row("etcdctl", &["get", "?"]),
    row("nomad", &["var", "get"]),
    row("conjur", &["variable", "get"]),
    row("conjur", &["variable", "value"]),
    row("chamber", &["read"]),
    row("chamber", &["export"]),
    row("chamber", &["env"]),
    row("credstash", &["get"]),
    row("credstash", &["getall"]),
    row("berglas", &["access"]),
    but("doppler", &["secrets"], &["set", "upload", "delete", "--only-names"]),
    row("doppler", &["configure", "get", "?"]),
    but("infisical", &["secrets"], &["set", "delete"]),
    row("infisical", &["export"]),
    row("teller", &["show"]),
    row("teller", &["env"]),
    row("bws", &["secret", "get"]),
    row("bws", &["secret", "list"]),
    row("kamal", &["secrets", "print"]),
    row("kamal", &["secrets", "fetch"]),
    row("rails", &["credentials:show"]),
    row("dotenvx", &["get"]),
    row("dotenvx", &["decrypt", "--stdout"]),
    row("dotenv", &["get", "?"]),
    row("php", &["-i"]),
    row("php", &["--info"]),
    row("gdb", &["show environment"]),
    // Managers of passwords
    row("op", &["read"]),
    row("op", &["item", "get"]),
    row("op", &["document", "get"]),
    but("pass", &["show"], &["-c", "--clip", "-c*", "--clip=*"]),
    but("gopass", &["show"], &["-c", "--clip"]),
    row("gopass", &["cat"]),
    but("bw", &["get"], &["template"]),
    row("bw", &["list", "items"]),
    row("bw", &["export"]),
    but("rbw", &["get"], &["--clipboard"]),
    row("lpass", &["show"]),
    row("lpass", &["export"]),
    row("dcl", &["password"]),
    row("dcl", &["read"]),
    row("keepassxc-cli", &["show", "-s"]),
    row("keepassxc-cli", &["show", "-a"]),
    row("keepassxc-cli", &["show", "--show-protected"]),
    row("keepassxc-cli", &["export"]),
    row("keyring", &["get"]),
    row("secret-tool", &["lookup"]),
    row("kwallet-query", &["-r"]),
    row("keyctl", &["print"]),
    row("keyctl", &["pipe"]),
    row("keyctl", &["read"]),
    row("security", &["find-*", "-w*"]),
    row("security", &["find-*", "-g*"]),
    row("security", &["dump-keychain"]),
    row("systemd-creds", &["decrypt"]),
    row("systemd-creds", &["cat"]),
    row("tpm2_unseal", &[]),
    row("blackbox_cat", &[]),
    row("lazagne", &[]),
    row("mimikatz", &[]),
    // Files that are decrypted
    row("gpg", &["--export-secret*"]),
    row("gpg2", &["--export-secret*"]),
    but("gpg", &["-d"], TO_FILE),
    but("gpg", &["--decrypt"], TO_FILE),
    but("gpg2", &["-d"], TO_FILE),
    but("gpg2", &["--decrypt"], TO_FILE),
    but("age", &["-d"], TO_FILE),
    but("age", &["--decrypt"], TO_FILE),
    but("rage", &["-d"], TO_FILE),
    but("rage", &["--decrypt"], TO_FILE),
    but("sops", &["-d"], IN_PLACE),
    but("sops", &["--decrypt"], IN_PLACE),
    but("sops", &["decrypt"], IN_PLACE),
    but("ejson", &["decrypt"], TO_FILE),
    row("ansible-vault", &["view"]),
    row("ansible-vault", &["decrypt", "--output=-"]),
    row("ansible-vault", &["decrypt", "-"]),
    row("ansible-vault", &["decrypt", "/dev/stdout"]),
    row("git-crypt", &["export-key", "-"]),
    but("openssl", &["-decrypt"], TO_FILE),
    but("openssl", &["-d", "-aes*"], TO_FILE),
    but("openssl", &["-d", "aes*"], TO_FILE),
    but("openssl", &["-d", "-des*"], TO_FILE),
    but("openssl", &["-d", "-chacha*"], TO_FILE),
    but("openssl", &["-d", "-camellia*"], TO_FILE),
    but("openssl", &["pkcs12", "-nodes"], &["-out", "-nokeys", "-noout"]),
    but("openssl", &["pkcs12", "-noenc"], &["-out", "-nokeys", "-noout"]),
    but("openssl", &["rsa", "-in"], &["-out", "-noout", "-pubout", "-pubin", "-check"]),
    but("openssl", &["pkey", "-in"], &["-out", "-noout", "-pubout", "-pubin"]),
    but("openssl", &["ec", "-in"], &["-out", "-noout", "-pubout", "-pubin"]),
    // Tools that keep a token of their own
    row("gh", &["auth", "token"]),
    row("gh", &["auth", "status", "-t"]),
    row("gh", &["auth", "status", "--show-token"]),
    row("glab", &["auth", "status", "-t"]),
    row("glab", &["config", "get", "token"]),
    row("git", &["credential", "fill"]),
    row("git", &["credential-*", "get"]),
    row("git", &["config", "--get*", "?"]),
    row("git", &["config", "--get*", "*extraheader*"]),
    row("npm", &["get", "?"]),
    row("npm", &["get", "*_auth*"]),
    row("npm", &["token", "create"]),
    row("pnpm", &["get", "?"]),
    row("pnpm", &["get", "*_auth*"]),
    row("yarn", &["get", "?"]),
    row("yarn", &["get", "*_auth*"]),
    row("pip", &["config", "get", "?"]),
    row("pip3", &["config", "get", "?"]),
    row("terraform", &["output", "?"]),
    row("terraform", &["state", "pull"]),
    row("tofu", &["output", "?"]),
    row("tofu", &["state", "pull"]),
    row("pulumi", &["--show-secrets"]),
    row("pulumi", &["config", "get", "?"]),
    row("argocd", &["initial-password"]),
    row("argocd", &["generate-token"]),
    row("kubectl", &["config", "view", "--raw"]),
    row("kubectl", &["create", "token"]),
    row("kubectl", &["view-secret"]),
    row("oc", &["whoami", "-t"]),
    row("oc", &["whoami", "--show-token"]),
    row("oc", &["config", "view", "--raw"]),
    // Environments and stored networks
    row("systemctl", &["show-environment"]),
    row("launchctl", &["getenv", "?"]),
    row("cmake", &["-e", "environment"]),
    row("nmcli", &["--show-secrets"]),
    row("nmcli", &["-s", "show"]),
    row("netsh", &["key=clear"]),
];

/// Tools that start a program with an environment of secrets, or where one is.
#[rustfmt::skip]
const LAUNCHERS: &[&str] = &[
    "docker", "podman", "nerdctl", "kubectl", "oc", "fly", "flyctl", "heroku", "railway", "aws-vault",
    "doppler", "op", "chamber", "sops", "infisical", "envchain", "summon", "teller", "direnv", "dotenv",
    "dotenvx", "npm", "pnpm", "yarn", "bundle", "poetry", "pipenv", "vagrant", "gcloud", "hatch", "pdm",
];

const CONTAINERS: &[&str] = &["docker", "podman", "nerdctl", "kubectl", "oc"];

/// Tools that are judged by more than their words.
const OTHERS: &[&str] = &["pass", "kubectl", "oc", "docker", "podman", "nerdctl", "ps", "jq", "yq", "gojq"];

/// Every tool that [`tells`] knows.
pub(super) static TOOLS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let all = ROWS.iter().map(|row| row.tool).chain(LAUNCHERS.iter().copied()).chain(OTHERS.iter().copied());
    all.collect::<BTreeSet<&str>>().into_iter().collect()
});

/// Does this command print a secret?
pub(super) fn tells(name: &str, arguments: &[Word]) -> bool {
    // In order, so that most commands are told apart by a few comparisons.
    if TOOLS.binary_search(&name).is_err() {
        return false;
    }
    let line: Vec<&str> =
        arguments.iter().map(|word| &*word.text).filter(|text| !text.is_empty()).take(24).collect();
    let has = |word: &str| line.contains(&word);
    let by_row = ROWS.iter().filter(|row| row.tool == name).any(|row| {
        row.words.iter().all(|pattern| line.iter().any(|word| fits(word, pattern)))
            && !row.unless.iter().any(|pattern| line.iter().any(|word| fits(word, pattern)))
    });
    if by_row || (LAUNCHERS.contains(&name) && lists_elsewhere(name, &line)) {
        return true;
    }
    match name {
        "kubectl" | "oc" => {
            let secrets = |word: &&str| matches!(*word, "secret" | "secrets") || word.starts_with("secret/");
            let forms = ["json", "yaml", "template"];
            has("get")
                && line.iter().any(secrets)
                && line.iter().any(|word| forms.iter().any(|form| word.contains(form)))
        }
        "pass" => line.first().is_some_and(|word| word.contains('/')),
        "docker" | "podman" | "nerdctl" => {
            has("inspect") && line.iter().any(|word| word.contains(".Config.Env"))
        }
        "ps" => line.iter().any(|word| shows_environments(word)),
        "jq" | "gojq" | "yq" => line.iter().any(|word| reads_environment(word)),
        _ => false,
    }
}

fn fits(word: &str, pattern: &str) -> bool {
    match pattern {
        "?" => !word.starts_with('-') && names_secret(word),
        _ => match (pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
            (Some(part), Some(_)) => word.contains(part.trim_end_matches('*')),
            (None, Some(start)) => word.starts_with(start),
            _ if pattern == "-d" => is_short_flag(word, 'd'),
            _ => word.eq_ignore_ascii_case(pattern) && word.starts_with('-') == pattern.starts_with('-'),
        },
    }
}

/// `-d`, also among others: `-qd`.
fn is_short_flag(word: &str, flag: char) -> bool {
    let letters = word.strip_prefix('-').filter(|letters| !letters.is_empty() && letters.len() <= 3);
    letters.is_some_and(|letters| {
        letters.contains(flag) && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
    })
}

/// `prod/db/password`, `global.password`, `DB_PASSWORD`
fn names_secret(word: &str) -> bool {
    let last = word.rsplit(['/', ':']).next().unwrap_or(word);
    is_secret(last) || is_secret(last.rsplit('.').next().unwrap_or(last))
}

/// `kubectl exec web -- env`: the environment of a program that runs elsewhere.
fn lists_elsewhere(name: &str, line: &[&str]) -> bool {
    let told = line.iter().zip(line.iter().skip(1)).any(|(ask, name)| *ask == "printenv" && is_secret(name));
    let starts = |word: &&str| {
        matches!(*word, "exec" | "run" | "exec-env" | "ssh" | "--" | "-C" | "-c" | "--command" | "shell")
    };
    // A container of its own has an environment of its own, unless it is given one.
    let own = matches!(line.first(), Some(&"run"))
        && !line.iter().any(|word| word.starts_with("--env-file") || matches!(*word, "-e" | "--env" | "--"))
        && !line.contains(&"exec");
    let own = own && CONTAINERS.contains(&name);
    let led = line.iter().any(starts) && !own;
    led && (told || matches!(line.last(), Some(&"env" | &"printenv")))
}

/// `ps eww`: flags without a hyphen, one of which shows the environment.
fn shows_environments(word: &str) -> bool {
    word.len() <= 8 && word.contains('e') && word.bytes().all(|byte| b"aAxuewfljrTgSvmkhc".contains(&byte))
}

/// A program of `jq` that reads the environment, or a secret in it: `env`, `$ENV.API_KEY`, `env(API_KEY)`.
fn reads_environment(program: &str) -> bool {
    static READS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"(?:^|[^\w.$"'-])(?:\$ENV|env|strenv)\b(?:(?:\.|\(\s*|\[\s*"?)(\w+))?"#;
    let Some(reads) = compiled(&READS, pattern) else { return false };
    let names_only = program.contains("keys");
    reads.captures_iter(program.as_bytes()).take(16).any(|read| {
        let end = read.get(0).map_or(0, |all| all.end());
        let key = program.get(end..).is_some_and(|rest| rest.starts_with(':'));
        match read.get(1) {
            Some(name) => is_secret(&String::from_utf8_lossy(name.as_bytes())),
            None => !names_only && !key && !program.contains('/'),
        }
    })
}

/// Could a tool that stands in front of this line tell anything? Only to save time.
pub(super) fn may_tell(line: &[u8]) -> bool {
    static WORDS: OnceLock<Option<Regex>> = OnceLock::new();
    static PATTERN: LazyLock<String> = LazyLock::new(|| {
        let first = |row: &Row| row.words.first().map(|word| regex::escape(word.trim_matches('*')));
        let rows = ROWS.iter().filter_map(first).filter(|word| word != "\\?");
        // Addresses, for those that run one, and what the others are asked with.
        let others =
            ["/", "get", "exec", "run", "env", "inspect", "--", "ssh", "shell", "-[a-z]{0,2}d", "\\be"];
        let all: BTreeSet<String> = rows.chain(others.map(str::to_owned)).collect();
        format!("(?i){}", all.into_iter().collect::<Vec<String>>().join("|"))
    });
    compiled(&WORDS, &PATTERN).is_none_or(|words| words.is_match(line))
}

#[cfg(test)]
mod tests {
    use super::tells;
    use crate::act::program::Program;
    use crate::act::shell::{Manner, read};

    #[test]
    fn a_tool_tells_a_secret_when_it_is_asked() {
        let cases = [
            ("gpg -d secrets.gpg", true),
            ("gpg --batch -qd x.asc", true),
            ("gpg -d -o out.txt x.gpg", false),
            ("gpg --verify a.asc", false),
            ("age -d -i key.txt x.age", true),
            ("age -d -i key.txt -o x x.age", false),
            ("openssl enc -d -aes-256-cbc -in x.enc -k y", true),
            ("openssl enc -d -base64 -in x", false),
            ("openssl enc -d -aes-256-cbc -in x -out y", false),
            ("openssl x509 -in cert.pem -noout -dates", false),
            ("ansible-vault view vault.yml", true),
            ("ansible-vault encrypt vault.yml", false),
            ("consul kv get prod/db/password", true),
            ("consul kv get app/feature/dark", false),
            ("pulumi config get dbPassword", true),
            ("pulumi config get aws:region", false),
            ("aws-vault exec prod -- env", true),
            ("aws-vault exec prod -- terraform plan", false),
            ("npm run env", true),
            ("npm run build", false),
            ("ps eww", true),
            ("ps auxe", true),
            ("ps aux", false),
            ("ps -ef", false),
            ("jq -n env", true),
            ("jq -n '$ENV.API_KEY'", true),
            ("jq -n '$ENV.HOME'", false),
            ("jq .env a.json", false),
            ("jq '{env: .a}' a.json", false),
            ("git config --get remote.origin.url", false),
            ("git config --get-all http.extraheader", true),
            ("kubectl get secrets", false),
            ("kubectl get secret db -o yaml", true),
        ];
        for (line, want) in cases {
            let script = read(line, 0, Manner::Line);
            let program = script.commands.first().map(Program::of);
            let told = program.is_some_and(|program| tells(program.name(), program.arguments()));
            assert_eq!(told, want, "{line}");
        }
    }
}
