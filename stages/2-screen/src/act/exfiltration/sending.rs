//! Whether a program sends a secret away, or hands it to the service that it belongs to.

use super::Judge;
use super::environment::{substitutes_environment, windows_secrets};
use crate::act::names::is_secret;
use crate::act::program;
use crate::act::program::Program;
use crate::act::shell::{Command, Word};

impl Judge<'_> {
    pub(super) fn sends_secret(&self, command: &Command, name: &str, arguments: &[Word]) -> bool {
        if name == "gh" && logs_in(arguments) {
            return false;
        }
        let host =
            arguments.iter().map(|word| &*word.text).find(|text| text.contains("://")).unwrap_or_default();
        let mut flag = "";
        for word in arguments {
            let text = &*word.text;
            let behind_flag = std::mem::replace(&mut flag, text);
            let data = is_data_flag(behind_flag) || is_joined_data(text);
            // A file that goes along.
            let file = text.rsplit_once(['@', '<']).map(|(_, file)| file.split(';').next().unwrap_or(file));
            let sent_file = file.filter(|_| data).is_some_and(|file| self.is_secret_file(file))
                || (matches!(behind_flag, "-T" | "--upload-file" | "-a" | "--post-file" | "--body-file")
                    && self.is_secret_file(text))
                || text.strip_prefix("--post-file=").is_some_and(|file| self.is_secret_file(file))
                || (matches!(
                    name,
                    "scp"
                        | "rsync"
                        | "sftp"
                        | "ftp"
                        | "tftp"
                        | "aws"
                        | "gsutil"
                        | "rclone"
                        | "gh"
                        | "mail"
                        | "croc"
                        | "s3cmd"
                ) && self.is_secret_file(text)
                    && name_leads_out(name, arguments));
            if sent_file {
                return true;
            }
            let own = name == "git" && is_own_token(word);
            if (self.substitutes_secret(word) && !own) || substitutes_environment(word) {
                return true;
            }
            let secrets = word.names.iter().filter(|name| is_secret(name) || self.held.contains(*name));
            for secret in secrets.map(|name| &**name).chain(windows_secrets(text)) {
                let header = matches!(
                    behind_flag,
                    "-H" | "--header"
                        | "-u"
                        | "--user"
                        | "-A"
                        | "--oauth2-bearer"
                        | "-headers"
                        | "-Headers"
                        | "--password"
                        | "-p"
                ) || text.starts_with("-H")
                    || text.starts_with("--header")
                    || text.to_ascii_lowercase().contains("authorization");
                let user_info = text
                    .split_once("://")
                    .is_some_and(|(_, rest)| rest.split(['/', '?']).next().unwrap_or_default().contains('@'));
                if self.held.contains(secret) || !(header || user_info) || !belongs(secret, host) {
                    return true;
                }
            }
        }
        command.reads.iter().any(|word| self.is_secret_file(&word.text) || self.substitutes_secret(word))
            || command.given.iter().any(|word| self.shows_secret(word))
    }
}

/// Hands a secret over where one is asked for.
pub(super) fn logs_in(arguments: &[Word]) -> bool {
    arguments
        .iter()
        .any(|word| matches!(&*word.text, "login" | "--password-stdin" | "--with-token" | "secret"))
}

pub(super) fn is_sender(name: &str) -> bool {
    program::is_fetcher(name) && !matches!(name, "links" | "certutil")
        || matches!(
            name,
            "scp"
                | "rsync"
                | "mail"
                | "mailx"
                | "sendmail"
                | "mutt"
                | "swaks"
                | "ping"
                | "host"
                | "aws"
                | "gh"
                | "croc"
                | "wormhole"
                | "ssh"
                | "mosquitto_pub"
                | "websocat"
                | "wscat"
                | "slackcat"
                | "invoke-restmethod"
                | "git"
        )
}

/// `git push https://…`: only these go anywhere, and only by an address.
pub(super) fn git_leads_out(arguments: &[Word]) -> bool {
    let goes = |word: &Word| {
        matches!(
            &*word.text,
            "push" | "clone" | "fetch" | "pull" | "remote" | "ls-remote" | "submodule" | "config"
        )
    };
    arguments.iter().any(goes) && arguments.iter().any(|word| word.text.contains("://"))
}

/// A token of the very service that the address leads to, in the place for who asks.
fn is_own_token(word: &Word) -> bool {
    let host = host_of(&word.text);
    let user_info = word.text.split_once("://").is_some_and(|(_, rest)| {
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        authority.rsplit_once('@').is_some_and(|(user, _)| user.contains("$()"))
    });
    let asked = word.substitutions.iter().flat_map(|inner| &inner.commands).map(Program::of);
    let github = host == "github.com" || host.ends_with(".github.com");
    user_info && github && asked.into_iter().all(|program| program.name() == "gh")
}

/// `aws s3 cp .env s3://…`, `scp .env host:`, `gh gist create .env`.
fn name_leads_out(name: &str, arguments: &[Word]) -> bool {
    match name {
        "scp" | "rsync" | "sftp" => arguments.iter().any(|word| word.text.contains(':')),
        "aws" | "gsutil" | "rclone" | "s3cmd" => {
            arguments.iter().any(|word| word.text.contains("://") || word.text.contains(':'))
        }
        "gh" => arguments.first().is_some_and(|word| word.text == "gist" || word.text == "release"),
        _ => true,
    }
}

fn is_data_flag(flag: &str) -> bool {
    matches!(
        flag,
        "-d" | "--data"
            | "--data-binary"
            | "--data-raw"
            | "--data-urlencode"
            | "--data-ascii"
            | "-F"
            | "--form"
            | "--json"
            | "--post-data"
            | "--body-data"
            | "-body"
            | "-Body"
    )
}

/// `-d@.env`, `--data=@.env`, `-Ffile=@.env`.
fn is_joined_data(text: &str) -> bool {
    text.starts_with("-d@")
        || text.starts_with("-F")
        || text.starts_with("--data")
        || text.starts_with("--form=")
        || text.contains("=@")
        || text.starts_with('@')
}

/// Senders whose names are words of other sentences, too.
pub(super) fn is_ordinary_word(name: &str) -> bool {
    matches!(
        name,
        "host" | "http" | "https" | "links" | "mail" | "fetch" | "ping" | "aws" | "gh" | "ssh" | "dig"
    )
}

/// The host of an address, without who asks and without its port.
fn host_of(address: &str) -> String {
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':').next().unwrap_or_default().to_ascii_lowercase()
}

/// May this secret be shown to that host? Its own service, or one that has no name in it.
fn belongs(secret: &str, address: &str) -> bool {
    let host = host_of(address);
    let host = &*host;
    let local = matches!(host, "" | "localhost" | "127.0.0.1" | "[" | "0.0.0.0")
        || host.starts_with('$')
        || host.ends_with(".local");
    let lower = secret.to_ascii_lowercase();
    let owner = lower.split('_').next().unwrap_or_default();
    let general = matches!(
        &*lower,
        "token"
            | "password"
            | "api_key"
            | "api_token"
            | "auth_token"
            | "access_token"
            | "bearer_token"
            | "apikey"
            | "jwt_token"
            | "id_token"
            | "test_token"
            | "ci_job_token"
            | "my_token"
            | "admin_token"
            | "user_token"
            | "service_token"
            | "session_token"
            | "refresh_token"
            | "x_api_key"
            | "secret_token"
            | "webhook_secret"
    );
    let by_name = match owner {
        "gh" => host.contains("github"),
        "hf" => host.contains("huggingface") || host == "hf.co",
        "jira" | "confluence" => host.contains("atlassian") || host.contains(owner),
        "cf" => host.contains("cloudflare"),
        "do" => host.contains("digitalocean"),
        "claude" => host.contains("anthropic"),
        "gemini" | "gcp" => host.contains("google"),
        _ => owner.len() >= 3 && host.contains(owner),
    };
    local || general || by_name
}
