//! Servers behind the gate are started in the jail, with what they are made of, the workspace as policy gives
//! it, and what `servers.toml` names; or they are not started.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use call::Lane;
use execute::secrets::Vault;
use lanes::network::{Internet, Reach};
use lanes::runtime::{Origin, Surroundings};
use lanes::{Jail, Limits, Network, Residence, Resident};
use mcp_door::{Launched, Launcher, Running, Start};
use secrecy::ExposeSecret as _;

use super::cover::Cover;
use super::ground::Ground;
use crate::lanes_here;
use crate::terminal::say;
use crate::visible::{visible, visible_path};

/// Whoever starts servers in the jail.
pub(crate) struct Jailed {
    ground: Ground,
    vault: Arc<Mutex<Option<Arc<Vault>>>>,
    told: Arc<Mutex<BTreeSet<String>>>,
}

/// Megabytes of memory that a server may have unless it says otherwise.
const MEMORY_MB: u32 = 1_024;

impl Jailed {
    pub(crate) const fn new(
        ground: Ground,
        vault: Arc<Mutex<Option<Arc<Vault>>>>,
        told: Arc<Mutex<BTreeSet<String>>>,
    ) -> Self {
        Self { ground, vault, told }
    }

    fn residence(&self, start: &Start) -> Result<(Residence, Cover), String> {
        if self.ground.minimum > Lane::Jail {
            return Err(
                "policy asks for a stronger lane than the jail (`[lanes] minimum`), and servers run in \
                        the jail; run it elsewhere, and reach it by its `url`"
                    .to_owned(),
            );
        }
        let user = std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        let (mut read, mut write) = self.ground.folders(start.workspace);
        let named = |list: &[String]| -> Result<Vec<PathBuf>, String> {
            list.iter().map(|written| self.ground.path(written, user.as_deref())).collect()
        };
        read.extend(named(&start.read)?);
        write.extend(named(&start.write)?);
        let both: Vec<PathBuf> = read.iter().chain(&write).cloned().collect();
        let cover = Cover::of(&self.ground, &both)?;
        let folder = self.folder(start, &both, user.as_deref())?;
        let around = Surroundings { search: &lanes_here::search(), folder: &folder, user: user.as_deref() };
        let origin = Origin::of(&start.argv, around).map_err(|error| error.to_string())?;
        let Origin { program, arguments, made_of, mut environment } = origin;
        let seen: Vec<&PathBuf> = both.iter().chain(&made_of).collect();
        check_named(&arguments, &folder, &seen)?;
        self.variables(start, &mut environment)?;
        let caps = self.ground.caps;
        let limits = Limits {
            time: std::time::Duration::MAX,
            memory: u64::from(start.memory_mb.unwrap_or(MEMORY_MB)) << 20,
            cpus: std::thread::available_parallelism().map_or(1.0, |all| all.get() as f64),
            processes: caps.processes,
            disk: u64::from(caps.disk_mb) << 20,
            files: caps.files,
            output: u64::from(caps.output_kb) << 10,
        };
        let network = if start.hosts.is_empty() {
            Network::None
        } else {
            let hosts = start.hosts.clone();
            Network::Only(Reach { hosts, bytes: u64::MAX, outside: Arc::new(Internet) })
        };
        let hidden = cover.paths();
        let residence = Residence {
            program,
            arguments,
            folder,
            made_of,
            read,
            write,
            hidden,
            environment,
            limits,
            network,
        };
        Ok((residence, cover))
    }

    /// Where it starts: where it says, where the gate was started, or in the workspace; it must see it.
    fn folder(&self, start: &Start, seen: &[PathBuf], user: Option<&Path>) -> Result<PathBuf, String> {
        let is_seen = |folder: &Path| seen.iter().any(|one| folder.starts_with(one));
        if let Some(written) = &start.folder {
            let folder = self.ground.path(written, user)?;
            return if is_seen(&folder) { Ok(folder) } else { Err(outside(&folder)) };
        }
        let here = std::env::current_dir().and_then(std::fs::canonicalize).ok();
        let places = here.into_iter().chain([self.ground.workspace.clone()]);
        Ok(places.into_iter().find(|folder| is_seen(folder)).unwrap_or_else(|| PathBuf::from("/tmp")))
    }

    fn variables(&self, start: &Start, environment: &mut Vec<(String, String)>) -> Result<(), String> {
        for name in &start.pass {
            if let Ok(value) = std::env::var(name) {
                environment.push((name.clone(), value));
            }
        }
        environment.extend(start.env.iter().map(|(name, value)| (name.clone(), value.clone())));
        for (variable, (scope, name)) in &start.secrets {
            let vault = self.vault.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let vault = vault.ok_or("the policy of this home is not in force, and so it has no secrets")?;
            let value = vault.look_up(scope, name).map_err(|fault| fault.to_string())?;
            let text = std::str::from_utf8(value.expose_secret());
            let text = text.map_err(|_| format!("`{name}` of `{scope}` is not a text"))?;
            environment.push((variable.clone(), text.to_owned()));
        }
        Ok(())
    }

    /// Whoever starts the gate sees once what a server was given.
    fn tell(&self, server: &str, start: &Start, residence: &Residence) {
        if !self.told.lock().unwrap_or_else(PoisonError::into_inner).insert(server.to_owned()) {
            return;
        }
        let list =
            |paths: &[PathBuf]| paths.iter().map(|path| visible_path(path)).collect::<Vec<_>>().join(", ");
        let only_read: Vec<PathBuf> =
            residence.read.iter().filter(|path| !residence.write.contains(path)).cloned().collect();
        let mut parts = vec!["runs in the jail".to_owned()];
        let mut part = |what: &str, words: String| {
            if !words.is_empty() {
                parts.push(format!("{what} {words}"));
            }
        };
        part("reads", list(&only_read));
        part("reads and writes", list(&residence.write));
        let hosts: Vec<String> = start.hosts.iter().map(ToString::to_string).collect();
        part("reaches", if hosts.is_empty() { "nobody".to_owned() } else { hosts.join(", ") });
        let variables: Vec<&str> = start.env.keys().chain(&start.pass).map(String::as_str).collect();
        part("has the variables", variables.join(", "));
        let secrets: Vec<String> =
            start.secrets.values().map(|(scope, name)| format!("{scope}/{name}")).collect();
        part("has the secrets", secrets.join(", "));
        say(&format!("server `{server}`: {}", visible(&parts.join("; "))));
    }
}

impl Launcher for Jailed {
    fn launch(&self, server: &str, start: &Start) -> Result<Launched, String> {
        let (residence, cover) = self.residence(start)?;
        self.tell(server, start, &residence);
        let jail = Jail::new(lanes_here::search());
        let mut resident = jail.house(residence).map_err(|error| error.to_string())?;
        let (input, output) = resident.take_pipes().ok_or("it has no pipes")?;
        Ok(Launched { input, output, server: Arc::new(Housed { resident, cover: Mutex::new(cover) }) })
    }
}

/// A server in the jail.
struct Housed {
    resident: Resident,
    cover: Mutex<Cover>,
}

impl Running for Housed {
    fn walls(&self) -> Option<(Lane, Vec<String>)> {
        Some((Lane::Jail, self.resident.layers().to_vec()))
    }

    fn is_covered(&self) -> Result<(), String> {
        self.cover.lock().unwrap_or_else(PoisonError::into_inner).look_again()
    }

    fn last_words(&self) -> String {
        /// Characters of what it said that are shown: the end, where the reason mostly is.
        const MOST: usize = 300;
        let Some(ended) = self.resident.ended() else { return String::new() };
        let said = self.resident.last_words();
        let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let said = said.join(" / ");
        let skipped = said.chars().count().saturating_sub(MOST);
        let said: String = said.chars().skip(skipped).collect();
        if said.is_empty() { ended } else { format!("{ended}; it said: {}", visible(&said)) }
    }
}

/// A path on the command line that is there on this machine, and that the server would not see, is a mistake
/// that is told before the server stumbles over it.
fn check_named(arguments: &[String], folder: &Path, seen: &[&PathBuf]) -> Result<(), String> {
    for argument in arguments {
        let word = argument
            .split_once('=')
            .filter(|_| argument.starts_with('-'))
            .map_or(argument.as_str(), |(_, value)| value);
        if word.is_empty() || word.starts_with('-') {
            continue;
        }
        let Ok(real) = std::fs::canonicalize(folder.join(word)) else { continue };
        let inside =
            real.parent().is_none() || seen.iter().any(|one| real.starts_with(one) || one.starts_with(&real));
        if !inside {
            return Err(outside(&real));
        }
    }
    Ok(())
}

fn outside(path: &Path) -> String {
    let shown = visible_path(path);
    format!(
        "`{shown}` is not among what it may touch; where that is meant, `read = [\"{shown}\"]` or `write` of the \
         server in `servers.toml` says so"
    )
}
