//! How a server is started, and what it may touch: what `servers.toml` says beside its command.
//!
//! Nothing is given that is not said here. What a server may touch of the workspace is what policy gives to
//! calls; everything else has to be named, so that whoever starts the gate has seen it.

use std::collections::BTreeMap;

use call::{Host, HostPattern};
use toml_edit::Item;

/// How a server is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// The program and its arguments. No shell is involved.
    pub argv: Vec<String>,
    /// Its environment, beside what every program has.
    pub env: BTreeMap<String, String>,
    /// Names of variables that it is given as they are.
    pub pass: Vec<String>,
    /// Variables that hold a credential: each with its scope and name.
    pub secrets: BTreeMap<String, (String, String)>,
    /// The folder it runs in.
    pub folder: Option<String>,
    /// What of the workspace it works in.
    pub workspace: Workspace,
    /// Files and folders that it reads beside the workspace.
    pub read: Vec<String>,
    /// Folders that it writes to beside the workspace.
    pub write: Vec<String>,
    /// Hosts that it reaches.
    pub hosts: Vec<HostPattern>,
    /// Megabytes of memory that it may have; nothing for the usual.
    pub memory_mb: Option<u32>,
}

/// What a server may do in the workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Workspace {
    /// What policy lets calls do.
    #[default]
    Policy,
    /// Look at what policy lets calls look at.
    Read,
    /// Nothing: it does not see it.
    None,
}

/// Variables by which a loader or a runtime is made to run something else than it was told to.
const DANGEROUS: [&str; 12] = [
    "PATH",
    "BASH_ENV",
    "ENV",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PERL5OPT",
    "RUBYOPT",
    "RUBYLIB",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PYTHONINSPECT",
];

impl Start {
    /// Takes one key of a table. Whether it is one of these.
    pub(super) fn take(&mut self, key: &str, item: &Item) -> Result<bool, String> {
        let list = || texts(item).ok_or_else(|| format!("`{key}` is not a list of words"));
        let text =
            |item: &Item| item.as_str().map(str::to_owned).ok_or_else(|| format!("`{key}` is not text"));
        match key {
            "command" => self.argv = list()?,
            "pass" => self.pass = list()?,
            "folder" => self.folder = Some(text(item)?),
            "read" => self.read = list()?,
            "write" => self.write = list()?,
            "memory_mb" => self.memory_mb = Some(count(item).ok_or("`memory_mb` is no count")?),
            "workspace" => {
                self.workspace = match item.as_str() {
                    Some("policy") => Workspace::Policy,
                    Some("read") => Workspace::Read,
                    Some("none") => Workspace::None,
                    _ => return Err("`workspace` is `policy`, `read` or `none`".to_owned()),
                }
            }
            "hosts" => {
                for host in list()? {
                    let form = "`api.example.org`, `*.example.org` or either with `:port`";
                    let parsed = pattern(&host)
                        .ok_or_else(|| format!("`hosts`: `{host}` is no host; write {form}"))?;
                    self.hosts.push(parsed);
                }
            }
            "env" | "secrets" => {
                let table = item.as_table_like().ok_or_else(|| format!("`{key}` is not a table"))?;
                for (name, value) in table.iter() {
                    let value = text(value)?;
                    if key == "env" {
                        self.env.insert(name.to_owned(), value);
                    } else {
                        let parts = value
                            .split_once('/')
                            .filter(|(scope, name)| !scope.is_empty() && !name.is_empty());
                        let (scope, of) = parts.ok_or_else(|| {
                            format!("`secrets.{name}` is not `scope/name`, such as `tickets/token`")
                        })?;
                        self.secrets.insert(name.to_owned(), (scope.to_owned(), of.to_owned()));
                    }
                }
            }
            _ => return Ok(false),
        }
        self.check_variables()?;
        Ok(true)
    }

    fn check_variables(&self) -> Result<(), String> {
        let plain = |name: &str| {
            name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && !name.starts_with(|first: char| first.is_ascii_digit())
        };
        for name in self.env.keys().chain(&self.pass).chain(self.secrets.keys()) {
            if name.is_empty() || !plain(name) {
                return Err(format!("`{}` is no name of a variable", name.escape_debug()));
            }
            let upper = name.to_ascii_uppercase();
            if DANGEROUS.contains(&upper.as_str()) || upper.starts_with("LD_") || upper.ends_with("_PROXY") {
                return Err(format!(
                    "`{name}` makes a program run or reach something else than it was told to"
                ));
            }
        }
        let twice = self.secrets.keys().find(|name| self.env.contains_key(*name) || self.pass.contains(name));
        twice.map_or(Ok(()), |name| Err(format!("`{name}` is given twice")))
    }
}

/// A host, the hosts below a name, or an address; with its port where it is another than those of the web.
fn pattern(text: &str) -> Option<HostPattern> {
    let (below, rest) = text.strip_prefix("*.").map_or((false, text), |rest| (true, rest));
    let (name, port) = match rest.rsplit_once(':') {
        Some((name, port)) if !name.ends_with(':') && !port.ends_with(']') => {
            (name, Some(port.parse::<u16>().ok().filter(|port| *port > 0)?))
        }
        Some(_) | None => (rest, None),
    };
    // What `url` takes for a name may still hold a `*`, which would be a host that there is not.
    let plain = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte))
    };
    let host = match (url::Host::parse(name).ok()?, below) {
        (url::Host::Domain(name), _) if !plain(&name) => return None,
        (url::Host::Domain(name), false) => Host::Name(name),
        // Everything below a top-level domain is nobody in particular.
        (url::Host::Domain(name), true) if name.contains('.') => Host::Subdomains(name),
        (_, true) => return None,
        (url::Host::Ipv4(address), false) => Host::Address(address.into()),
        (url::Host::Ipv6(address), false) => Host::Address(address.into()),
    };
    Some(HostPattern { host, port })
}

/// A number that is not none, and not beyond reason.
pub(super) fn count(item: &Item) -> Option<u32> {
    let number = item.as_integer().and_then(|number| u32::try_from(number).ok());
    number.filter(|number| (1..=86_400).contains(number))
}

fn texts(item: &Item) -> Option<Vec<String>> {
    item.as_array()?.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}
