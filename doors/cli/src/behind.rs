//! Other servers behind the gate: who they are, what a person has reviewed of them, and what they carry.

mod cover;
mod ground;
mod jailed;
mod reveal;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use call::{Arguments, Done, Effects, Errand, Expected, Family, Fault, Sha256, ToolName, Tools};
use classify::Catalogue;
use execute::secrets::Vault;
use gate::Rulebook;
use mcp_door::{Fleet, FleetError, Pins, Screen, Servers, ToolDescription, Withheld};
use rustix::fs::Mode;
use secrecy::ExposeSecret as _;

pub(crate) use ground::Ground;
pub(crate) use jailed::Jailed;

use crate::home::Home;
use crate::ordinary;
use crate::publish;
use crate::terminal::{reason, say};
use crate::visible::visible;

/// What a definition, or what a server says, must not carry.
const FAMILIES: &[Family] = &[Family::Override, Family::Injection, Family::Exfiltration, Family::Secret];

/// Bytes of a digest that is kept.
const LARGEST: u64 = 256;

/// The mapped tools of servers, each with the definition that its mapping names.
type Mapped = BTreeMap<(String, String), Option<Sha256>>;

/// What servers are started under: the mapped tools, and the policy.
type Terms = (Mapped, Sha256);

/// Other servers behind the gate.
pub(crate) struct Behind {
    servers: Servers,
    /// Where definitions that were seen first are kept, one file for each tool.
    folder: PathBuf,
    fleet: Mutex<Option<(Terms, Arc<Fleet>)>>,
    /// Where credentials are, under the policy of this moment.
    vault: Arc<Mutex<Option<Arc<Vault>>>>,
    told: Mutex<BTreeSet<(String, &'static str)>>,
    /// Servers of which it was told what they are given.
    shown: Arc<Mutex<BTreeSet<String>>>,
}

impl Behind {
    /// These servers, with what is kept of them in the state folder of a home.
    pub(crate) fn new(servers: Servers, state: &Path) -> io::Result<Self> {
        let folder = state.join("definitions");
        std::fs::create_dir_all(&folder)?;
        let (vault, shown) = (Arc::default(), Arc::default());
        Ok(Self { servers, folder, fleet: Mutex::default(), vault, told: Mutex::default(), shown })
    }

    /// The servers under this policy. They are started anew where it has changed: what they may touch is what
    /// it gives them.
    pub(crate) fn fleet(&self, home: &Home, rulebook: &Rulebook) -> Result<Arc<Fleet>, FleetError> {
        let terms = (self.mapped(&rulebook.catalogue), rulebook.policy.digest());
        let mut there = self.fleet.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((before, fleet)) = &*there
            && *before == terms
        {
            return Ok(Arc::clone(fleet));
        }
        let ground = Ground::of(home, &rulebook.policy);
        let launcher = Jailed::new(ground, Arc::clone(&self.vault), Arc::clone(&self.shown));
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let fleet = Fleet::new(&self.servers, self.pins(&terms.0), self.screen(), Arc::new(launcher))?;
        let fleet = Arc::new(fleet);
        *there = Some((terms, Arc::clone(&fleet)));
        Ok(fleet)
    }

    /// The tools of these servers, as the last step of a call, with credentials from here.
    pub(crate) fn tools(&self, fleet: &Arc<Fleet>, vault: &Arc<Vault>) -> Arc<dyn Tools> {
        *self.vault.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(vault));
        Arc::new(FleetTools { fleet: Arc::clone(fleet), vault: Arc::clone(vault) })
    }

    /// What servers say must carry none of what nobody should say, and no credential that they were given.
    fn screen(&self) -> Screen {
        let (general, vault) = (screen(), Arc::clone(&self.vault));
        Arc::new(move |text| {
            let mut found = general(text);
            let vault = vault.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let revealed = vault.map(|vault| vault.revealed()).unwrap_or_default();
            let holds = |value: &[u8]| std::str::from_utf8(value).is_ok_and(|value| text.contains(value));
            if revealed.iter().any(|(_, value)| holds(value.expose_secret()))
                && !found.iter().any(|one| one == "secret")
            {
                found.push("secret".to_owned());
            }
            found
        })
    }

    fn mapped(&self, catalogue: &Catalogue) -> Mapped {
        let mut mapped = Mapped::new();
        for server in self.servers.iter() {
            let Some(mapping) = catalogue.mapping(&server.name) else { continue };
            for tool in mapping.tools() {
                mapped.insert((server.name.clone(), tool.to_owned()), mapping.definition(tool));
            }
        }
        mapped
    }

    /// A mapping that names no definition is bound to the one that was seen first.
    fn pins(&self, mapped: &Mapped) -> Pins {
        let mut pins = Pins::default();
        for ((server, tool), definition) in mapped {
            pins.insert(server, tool, definition.or_else(|| self.seen(server, tool)));
        }
        let folder = self.folder.clone();
        pins.remembered_by(move |server, tool, digest| {
            if let Err(error) = remember(&folder, &format!("{server}.{tool}"), digest) {
                let why = reason(&error);
                say(&format!("warning: the definition of `{server}.{tool}` cannot be kept: {why}"));
            }
        })
    }

    /// The definition that was seen first. What is kept and cannot be read is the definition of nothing.
    fn seen(&self, server: &str, tool: &str) -> Option<Sha256> {
        let name = format!("{server}.{tool}");
        name.parse::<ToolName>().ok()?;
        match ordinary::read_text(&self.folder.join(name), LARGEST) {
            Ok(text) => Some(text.trim().parse().unwrap_or_else(|_| Sha256::of(b""))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(_) => Some(Sha256::of(b"")),
        }
    }

    /// What may be offered. What is not is told on standard error, once.
    pub(crate) fn offers(&self, fleet: &Fleet) -> Vec<ToolDescription> {
        let (offers, withheld) = fleet.tools();
        for no in withheld {
            self.tell(no);
        }
        let described = offers.into_iter().map(|offer| ToolDescription {
            name: offer.name,
            description: offer.description,
            schema: offer.schema,
            classes: Vec::new(),
        });
        described.collect()
    }

    fn tell(&self, withheld: Withheld) {
        let Withheld { name, code, reason, remedy } = withheld;
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() < 10_000 && told.insert((name, code)) {
            say(&format!("withheld: {code}: {}\n  hint: {}", visible(&reason), visible(&remedy)));
        }
    }
}

/// Keeps the definition of a tool, unless one is kept already.
fn remember(folder: &Path, name: &str, digest: Sha256) -> io::Result<()> {
    use std::os::fd::AsFd as _;
    if name.parse::<ToolName>().is_err() {
        return Err(io::Error::from(io::ErrorKind::InvalidInput));
    }
    let (place, text) = (File::open(folder)?, format!("{digest}\n"));
    let kept = publish::new_file(place.as_fd(), name.as_ref(), text.as_bytes(), Mode::RUSR | Mode::WUSR);
    match kept {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other.and_then(|()| publish::flush_names(place.as_fd())),
    }
}

/// What servers say must carry none of this.
pub(crate) fn screen() -> Screen {
    Arc::new(|text| {
        let found: BTreeSet<String> = screen::screen(text, FAMILIES)
            .iter()
            .map(|found| match found.family {
                Family::Override => "instruction_override".to_owned(),
                Family::Secret => "secret".to_owned(),
                Family::Injection | Family::Traversal | Family::Exfiltration | Family::Payload => {
                    found.kind.to_owned()
                }
            })
            .collect();
        found.into_iter().collect()
    })
}

struct FleetTools {
    fleet: Arc<Fleet>,
    vault: Arc<Vault>,
}

impl Tools for FleetTools {
    fn survey(&self, _: &Effects) -> Result<Expected, Fault> {
        Err(Fault::failed("not_here", "files are looked at by the gate, not by other servers"))
    }

    fn preview(&self, _: &ToolName, _: &Arguments, _: &Effects) -> Result<Option<String>, Fault> {
        Ok(None)
    }

    fn run(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        self.fleet.run_with(errand, &|| reveal::revealed(errand, &self.vault))
    }

    fn revealed(&self) -> Vec<(String, secrecy::SecretSlice<u8>)> {
        Vec::new()
    }
}
