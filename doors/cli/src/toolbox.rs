//! The tools of a home, put together from its policy.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use call::{Fault, Tools};
use decide::{DatabaseLocation, Policy, Provider};
use execute::db::{Databases, Location, Settings};
use execute::files::Files;
use execute::github::{Forge, ForgeSettings};
use execute::memory::Memory;
use execute::network::{Egress, Trust};
use execute::sandbox::Sandbox;
use execute::secrets::{Source, Surroundings, Vault};
use execute::toolbox::{ForgeRoute, Toolbox};
use gate::Standing;
use lanes::network::Internet;
use lanes::{Lane as _, MicroVm};
use record::Ledger;
use secrecy::{ExposeSecret as _, SecretBox, SecretString};
use serde_json::json;

use crate::gatehouse::Gatehouse;
use crate::lanes_here;
use crate::weigh::{NoScale, locator};

/// Why there are no tools.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoToolbox {
    #[error(transparent)]
    Paths(#[from] NoScale),
    #[error("`{path}`: {why}")]
    Trust { path: String, why: String },
}

impl NoToolbox {
    pub(crate) const fn hint(&self) -> Option<&str> {
        match self {
            Self::Paths(_) => None,
            Self::Trust { .. } => Some(
                "`SSL_CERT_FILE` names certificates of authorities that the gate believes beside the usual",
            ),
        }
    }
}

/// The scope whose credential is for the forge.
const FORGE: &str = "github";

/// Days for which memories are kept.
const KEEP_MEMORIES: Option<u32> = None;

/// Whoever runs other servers' tools, with credentials from here; nothing where there are none.
pub(crate) type Foreign<'f> = &'f dyn Fn(&Arc<Vault>) -> Option<Arc<dyn Tools>>;

/// The tools of this home. A home whose policy is not in force has none that could be reached.
pub(crate) fn toolbox(
    gatehouse: &Gatehouse,
    ledger: &Arc<Ledger>,
    foreign: Foreign<'_>,
) -> Result<Arc<dyn Tools>, NoToolbox> {
    let Standing::Ready(rulebook) = &**gatehouse.standing() else { return Ok(closed_toolbox()) };
    let policy = &rulebook.policy;
    let locator = Arc::new(locator(gatehouse.home(), policy)?);
    let vault = Arc::new(vault(policy, ledger));
    let egress = Arc::new(egress(policy)?);
    let state = gatehouse.home().folder().join("state");
    Ok(Arc::new(Toolbox {
        files: Files::new(Arc::clone(&locator)),
        databases: databases(policy, &vault),
        memory: Memory::new(&state, KEEP_MEMORIES),
        sandbox: sandbox(),
        forge: forge(policy, &vault, &egress),
        status: status(policy, ledger),
        locator,
        egress,
        foreign: foreign(&vault),
        vault,
    }))
}

/// The way out. Where the home allows whatever a skill lists, a skill names for itself what may lie inside.
fn egress(policy: &Policy) -> Result<Egress, NoToolbox> {
    let named = |list: &[decide::HostEntry]| -> Vec<call::HostPattern> {
        list.iter().filter_map(decide::HostEntry::named).collect()
    };
    let allow = &policy.home().network.allow;
    let egress = Egress::new(Arc::new(Internet), named(allow), trust()?);
    if !allow.iter().any(decide::HostEntry::is_any) {
        return Ok(egress);
    }
    let of_skills = policy.skills().map(|skill| (skill.name.clone(), named(&skill.network.allow)));
    Ok(egress.with_skills(of_skills.collect()))
}

/// Tools of a home that is closed.
pub(crate) fn closed_toolbox() -> Arc<dyn Tools> {
    Arc::new(Empty)
}

/// The lanes of this machine.
pub(crate) fn sandbox() -> Sandbox {
    let microvm = Some(Box::new(lanes_here::microvm()) as Box<dyn lanes::Lane + Send + Sync>);
    Sandbox::new(lanes_here::search(), worker(), microvm, Arc::new(Internet))
}

/// Workers are this very program, even when its file was replaced meanwhile.
fn worker() -> PathBuf {
    PathBuf::from("/proc/self/exe")
}

fn vault(policy: &Policy, ledger: &Ledger) -> Vault {
    let source = |provider: &Provider| match provider {
        Provider::Env(names) => Source::Env(names.clone()),
        Provider::File(path) => Source::File(path.into()),
        Provider::Command(argv) => Source::Command(argv.clone()),
        Provider::Keyring(service) => Source::Keyring(service.clone()),
    };
    let sources = policy.home().scopes.iter().map(|(scope, provider)| (scope.clone(), source(provider)));
    let surroundings = Surroundings { variable: Box::new(|name| std::env::var_os(name)) };
    let key = SecretBox::new(Box::new(ledger.key().derived("handles of secrets")));
    Vault::new(sources.collect(), surroundings, key)
}

/// A credential as text.
fn text_of(vault: &Vault, scope: &str, name: &str) -> Result<SecretString, Fault> {
    let value = vault.look_up(scope, name)?;
    let text = String::from_utf8(value.expose_secret().to_vec())
        .map_err(|_| Fault::failed("secret_not_text", format!("`{name}` of `{scope}` is not a text")))?;
    Ok(SecretString::from(text))
}

fn databases(policy: &Policy, vault: &Arc<Vault>) -> Databases {
    let named = policy.home().databases.iter().map(|(name, database)| {
        let location = match &database.location {
            DatabaseLocation::File(path) => Location::File(path.clone()),
            DatabaseLocation::Url(url) => Location::Url(url.clone()),
        };
        let (read_only, write_tables) = (database.read_only, database.changeable());
        (name.clone(), Settings { location, read_only, write_tables })
    });
    let named: BTreeMap<String, Settings> = named.collect();
    let vault = Arc::clone(vault);
    Databases::new(named, Box::new(move |scope, name| text_of(&vault, scope, name).ok()))
}

fn forge(policy: &Policy, vault: &Arc<Vault>, egress: &Arc<Egress>) -> Forge {
    let github = &policy.home().github;
    let settings = ForgeSettings {
        api: github.api.clone(),
        repositories: github.repositories.clone(),
        protected: github.protected.clone(),
    };
    // A scope of variables has the one that it names; others are asked for `token`.
    let name = match policy.home().scopes.get(FORGE) {
        None => None,
        Some(Provider::Env(names)) => names.first().cloned(),
        Some(Provider::File(_) | Provider::Command(_) | Provider::Keyring(_)) => Some("token".to_owned()),
    };
    let vault = Arc::clone(vault);
    let token = move || match &name {
        None => Ok(None),
        Some(name) => {
            let token = text_of(&vault, FORGE, name)?;
            Ok(Some(SecretString::from(format!("Bearer {}", token.expose_secret().trim()))))
        }
    };
    Forge::new(settings, Box::new(token), Box::new(ForgeRoute(Arc::clone(egress))))
}

/// The authorities of the web, and those of the file that `SSL_CERT_FILE` names.
fn trust() -> Result<Trust, NoToolbox> {
    let path = std::env::var("SSL_CERT_FILE").ok().filter(|path| !path.is_empty());
    let own = match &path {
        None => Vec::new(),
        Some(path) => {
            let bad = |why: String| NoToolbox::Trust { path: path.clone(), why };
            let text = std::fs::read(path).map_err(|error| bad(crate::terminal::reason(&error)))?;
            certificates(&text).ok_or_else(|| bad("it holds no certificates in PEM form".to_owned()))?
        }
    };
    let shown = path.unwrap_or_default();
    Trust::new(own).map_err(|error| NoToolbox::Trust { path: shown, why: error.to_string() })
}

/// The certificates of a PEM file.
fn certificates(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
    const END: &str = "-----END CERTIFICATE-----";
    let text = str::from_utf8(text).ok()?;
    let mut found = Vec::new();
    for part in text.split(BEGIN).skip(1) {
        let (body, _) = part.split_once(END)?;
        let body: String = body.split_whitespace().collect();
        found.push(data_encoding::BASE64.decode(body.as_bytes()).ok()?);
    }
    (!found.is_empty()).then_some(found)
}

fn status(policy: &Policy, ledger: &Arc<Ledger>) -> Box<execute::toolbox::Status> {
    let (policy, ledger) = (policy.digest(), Arc::clone(ledger));
    Box::new(move || {
        let lane = |probe: Result<lanes::Probe, lanes::LaneError>| match probe {
            Ok(probe) => json!({ "works": true, "layers": probe.layers }),
            Err(error) => json!({ "works": false, "why": error.to_string() }),
        };
        let machine: MicroVm = lanes_here::microvm();
        let head = ledger.head().ok();
        json!({
            "gate": { "name": "toolgate", "version": env!("CARGO_PKG_VERSION") },
            "policy": policy.to_string(),
            "lanes": {
                "jail": lane(lanes::Jail::new(lanes_here::search()).probe()),
                "microvm": { "languages": machine.languages().map(|all| all.into_iter().map(|(name, _)| name).collect::<Vec<_>>()).unwrap_or_default() },
            },
            "ledger": { "entries": head.map(|(entries, _)| entries), "root": head.map(|(_, root)| root.to_string()) },
        })
    })
}

/// Nothing can be reached.
struct Empty;

impl Tools for Empty {
    fn survey(&self, _: &call::Effects) -> Result<call::Expected, Fault> {
        Err(closed())
    }

    fn preview(
        &self,
        _: &call::ToolName,
        _: &call::Arguments,
        _: &call::Effects,
    ) -> Result<Option<String>, Fault> {
        Err(closed())
    }

    fn run(&self, _: &call::Errand<'_>) -> Result<call::Done, Fault> {
        Err(closed())
    }

    fn revealed(&self) -> Vec<(String, secrecy::SecretSlice<u8>)> {
        Vec::new()
    }
}

fn closed() -> Fault {
    Fault::failed("policy_not_applied", "the policy of this home is not in force")
}
