//! The servers that stand behind the gate: the text of `servers.toml`.

use std::time::Duration;

use toml_edit::{DocumentMut, TableLike};

use super::collision;
use super::start::{Start, count};

/// Servers, by their names.
///
/// ```
/// use mcp_door::Servers;
///
/// let servers = Servers::parse(
///     r#"
///     [servers.files]
///     command = ["mcp-server-filesystem", "."]
///
///     [servers.tickets]
///     url = "https://tickets.example.org/mcp"
///     bearer_env = "TICKETS_TOKEN"
///     call_seconds = 10
///     "#,
/// )?;
/// assert_eq!(servers.iter().map(|server| server.name.as_str()).collect::<Vec<_>>(), ["files", "tickets"]);
/// assert!(Servers::parse("[servers.a]\nrun = 'x'").is_err());
/// # Ok::<(), mcp_door::BadServers>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Servers(Vec<ServerEntry>);

/// One server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerEntry {
    /// What it is called, in front of the names of its tools.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
    /// How long it may take to be there.
    pub start: Duration,
    /// How long a call may take.
    pub call: Duration,
    /// Bytes of the longest thing that it may say.
    pub longest: usize,
}

/// How a server is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It is started, and talked to over pipes.
    Command(Box<Start>),
    /// It runs, and is talked to over HTTP.
    Http {
        /// Where.
        url: String,
        /// The variable that holds the token to show it.
        bearer_env: Option<String>,
    },
}

/// A text is no list of servers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("servers: {0}")]
pub struct BadServers(String);

impl ServerEntry {
    /// A server that is started by this command.
    ///
    /// # Errors
    /// When the name is none, or there is no program.
    pub fn command(name: &str, argv: Vec<String>) -> Result<Self, BadServers> {
        if argv.first().is_none_or(String::is_empty) {
            return Err(BadServers(format!("`{name}` has no program")));
        }
        Self::new(name, Reach::Command(Box::new(Start { argv, ..Start::default() })))
    }

    fn new(name: &str, reach: Reach) -> Result<Self, BadServers> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
        if !(1..=32).contains(&name.len()) || !name.bytes().all(fits) {
            let message = "the name of a server has up to 32 small letters, digits, `_` and `-`";
            return Err(BadServers(format!("`{}`: {message}", name.escape_debug())));
        }
        let (start, call) = (Duration::from_secs(30), Duration::from_secs(30));
        Ok(Self { name: name.to_owned(), reach, start, call, longest: 4 << 20 })
    }
}

impl Servers {
    /// These servers.
    ///
    /// # Errors
    /// When two names could be taken for each other.
    pub fn new(entries: Vec<ServerEntry>) -> Result<Self, BadServers> {
        for (number, entry) in entries.iter().enumerate() {
            let key = collision::key(&entry.name);
            if let Some(other) = entries.iter().take(number).find(|other| collision::key(&other.name) == key)
            {
                let message =
                    format!("`{}` can be taken for `{}`: give one another name", entry.name, other.name);
                return Err(BadServers(message));
            }
        }
        Ok(Self(entries))
    }

    /// Reads servers from TOML. What is not known there is an error.
    ///
    /// # Errors
    /// When anything of it is not understood.
    pub fn parse(text: &str) -> Result<Self, BadServers> {
        let document: DocumentMut =
            text.parse().map_err(|error: toml_edit::TomlError| BadServers(error.message().to_owned()))?;
        let mut entries = Vec::new();
        for (key, item) in document.as_table() {
            if key != "servers" {
                return Err(BadServers(format!("there is no key `{key}`; write `[servers.NAME]`")));
            }
            let servers =
                item.as_table_like().ok_or_else(|| BadServers("`servers` is not a table".to_owned()))?;
            for (name, item) in servers.iter() {
                let table =
                    item.as_table_like().ok_or_else(|| BadServers(format!("`{name}` is not a table")))?;
                entries.push(entry(name, table)?);
            }
        }
        Self::new(entries)
    }

    /// The servers, in the order in which they were named.
    pub fn iter(&self) -> impl Iterator<Item = &ServerEntry> {
        self.0.iter()
    }
}

fn entry(name: &str, table: &dyn TableLike) -> Result<ServerEntry, BadServers> {
    let bad = |message: String| BadServers(format!("`{name}`: {message}"));
    let mut given = Start::default();
    let (mut url, mut bearer_env) = (None, None);
    let (mut start, mut call, mut longest) = (None, None, None);
    for (key, item) in table.iter() {
        if given.take(key, item).map_err(bad)? {
            continue;
        }
        let text = || item.as_str().map(str::to_owned).ok_or_else(|| bad(format!("`{key}` is not text")));
        let count = || count(item).ok_or_else(|| bad(format!("`{key}` is no count")));
        match key {
            "url" => url = Some(text()?),
            "bearer_env" => bearer_env = Some(text()?),
            "start_seconds" => start = Some(count()?),
            "call_seconds" => call = Some(count()?),
            "result_kb" => longest = Some(count()?),
            unknown => return Err(bad(format!("there is no key `{unknown}`"))),
        }
    }
    let mut entry = match url {
        None if bearer_env.is_none() && !given.argv.is_empty() => {
            let mut entry = ServerEntry::command(name, given.argv.clone())?;
            entry.reach = Reach::Command(Box::new(given));
            entry
        }
        Some(url) if given == Start::default() => {
            ServerEntry::new(name, Reach::Http { url: checked(&url).map_err(bad)?, bearer_env })?
        }
        _ => return Err(bad("it has either a `command` or a `url`, and what belongs to it".to_owned())),
    };
    let seconds = |count: u32| Duration::from_secs(u64::from(count));
    entry.start = start.map_or(entry.start, seconds);
    entry.call = call.map_or(entry.call, seconds);
    entry.longest = longest.map_or(entry.longest, |count| usize::try_from(count).unwrap_or(1) << 10);
    Ok(entry)
}

/// An address with TLS, or of this machine.
fn checked(text: &str) -> Result<String, String> {
    let url = url::Url::parse(text).map_err(|error| format!("`url` is none: {error}"))?;
    let here = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    match url.scheme() {
        "https" => {}
        "http" if here => {}
        _ => return Err("`url` is neither https nor on this machine".to_owned()),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("`url` holds a credential; use `bearer_env`".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Servers;

    #[test]
    fn a_server_that_could_be_another_is_refused() {
        for text in [
            "[servers.a_b]\ncommand = ['x']\n[servers.a-b]\ncommand = ['x']",
            "[servers.'a.b']\ncommand = ['x']",
            "[servers.A]\ncommand = ['x']",
            "[servers.a]\ncommand = []",
            "[servers.a]\ncommand = 'npx x'",
            "[servers.a]\ncommand = ['x']\nurl = 'https://x.example'",
            "[servers.a]\nurl = 'http://x.example'",
            "[servers.a]\nurl = 'https://me:secret@x.example'",
            "[servers.a]\nurl = 'https://x.example'\npass = ['PATH']",
            "[servers.a]\ncommand = ['x']\ncall_seconds = 0",
            "[servers.a]\ncommand = ['x']\nread = 'all'",
            "[servers.a]\ncommand = ['x']\nhosts = ['*']",
            "[servers.a]\ncommand = ['x']\nhosts = ['https://x.example']",
            "[servers.a]\ncommand = ['x']\nworkspace = 'all'",
            "[servers.a]\ncommand = ['x']\nenv = { LD_PRELOAD = 'x' }",
            "[servers.a]\ncommand = ['x']\nenv = { 'A=B' = 'x' }",
            "[servers.a]\ncommand = ['x']\npass = ['NODE_OPTIONS']",
            "[servers.a]\ncommand = ['x']\nsecrets = { TOKEN = 'tickets' }",
            "[servers.a]\ncommand = ['x']\nsecrets = { TOKEN = 'a/b' }\nenv = { TOKEN = 'x' }",
            "[servers.a]\nurl = 'https://x.example'\nread = ['/srv']",
        ] {
            assert!(Servers::parse(text).is_err(), "{text}");
        }
        for text in [
            "[servers.a]\nurl = 'http://127.0.0.1:1/mcp'",
            "[servers.a]\ncommand = ['x']\nfolder = '/srv'",
            "[servers.a]\ncommand = ['x']\nread = ['/srv']\nwrite = ['out']\nhosts = ['api.example.org', '*.example.net:8443']",
            "[servers.a]\ncommand = ['x']\nworkspace = 'none'\nmemory_mb = 256\nsecrets = { TOKEN = 'tickets/token' }",
            "",
        ] {
            assert!(Servers::parse(text).is_ok(), "{text}");
        }
    }
}
