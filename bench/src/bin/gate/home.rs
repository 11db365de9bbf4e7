//! A home in a temporary folder, with the policy of a new home and a gate that is put together as the doors do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};
use std::time::{SystemTime, UNIX_EPOCH};

use approve::Approvers;
use call::{AbsolutePath, CallContext, CallId, Clock, Moment, Tools};
use classify::Catalogue;
use decide::{Ground, Policy, PolicyFiles};
use execute::db::Databases;
use execute::files::Files;
use execute::github::{Forge, ForgeSettings};
use execute::memory::Memory;
use execute::network::{Egress, Trust};
use execute::place::{Locator, real_path};
use execute::sandbox::Sandbox;
use execute::secrets::{Surroundings, Vault};
use execute::toolbox::{ForgeRoute, Toolbox};
use execute::usage::Usage;
use gate::{Gate, House, Incoming, Knowledge, Patience, Rulebook, Standing};
use lanes::network::Internet;
use record::store::{RunId, SqliteStore};
use record::{Ledger, Settings, SigningKey};
use screen::KnownSecrets;
use secrecy::SecretBox;
use serde_json::{Value, json};
use ssh_key::PrivateKey;
use ssh_key::private::Ed25519Keypair;
use tempfile::TempDir;

use crate::meter::{Meter, MeteredStore, MeteredTools};
use crate::told;

/// What `toolgate init` writes.
const POLICY: &str = include_str!("../../../../doors/cli/templates/policy.toml");

/// Who agrees.
pub(crate) const APPROVER: &str = "ada@example.org";

/// Secrets that the gate knows.
const SECRETS: usize = 20;

pub(crate) struct Home {
    pub(crate) gate: Gate,
    pub(crate) workspace: PathBuf,
    pub(crate) standing: Arc<Standing>,
    pub(crate) meter: Arc<Meter>,
    /// The key of the person who agrees.
    pub(crate) key: PrivateKey,
    _folder: TempDir,
}

impl Home {
    pub(crate) fn make() -> Result<Self, String> {
        let folder = TempDir::new().map_err(told)?;
        let workspace = folder.path().canonicalize().map_err(told)?;
        let home = workspace.join(call::GATE_HOME);
        std::fs::create_dir_all(home.join("state")).map_err(told)?;
        let key = PrivateKey::from(Ed25519Keypair::from_seed(&[7; 32]));
        let standing = Arc::new(Standing::Ready(Box::new(rulebook(&workspace, &home, &key)?)));
        let (meter, knowledge) = (Arc::new(Meter::default()), knowledge());
        let ledger = Arc::new(ledger(&home.join("ledger"), &knowledge, &meter)?);
        let tools = toolbox(&workspace, &home, &ledger)?;
        let gate = Gate {
            house: Box::new(Fixed(Arc::clone(&standing))),
            tools: Arc::new(MeteredTools { tools, meter: Arc::clone(&meter) }),
            allowance: Box::new(Usage::new(&home.join("state"))),
            clock: Box::new(SystemClock),
            chance: Box::new(|| chance().ok()),
            patience: Box::new(Impatient),
            ledger,
            knowledge,
        };
        Ok(Self { gate, workspace, standing, meter, key, _folder: folder })
    }
}

/// A call by an agent of no skill.
pub(crate) fn incoming(tool: &str, arguments: &Value) -> Incoming {
    Incoming {
        tool: tool.to_owned(),
        purpose: Some("find out what the notes say about backups".to_owned()),
        arguments: arguments.to_string(),
        not_text: None,
        agent: "writer".to_owned(),
        session: "s1".to_owned(),
        skill: None,
        context: CallContext::Agent,
    }
}

/// Nobody cancels here.
pub(crate) fn wanted() -> AtomicBool {
    AtomicBool::new(false)
}

pub(crate) fn now() -> Moment {
    SystemClock.now()
}

/// A name for a call.
pub(crate) fn call_id() -> Result<CallId, String> {
    Ok(CallId::new(now(), chance().map_err(told)?))
}

fn chance() -> std::io::Result<[u8; 10]> {
    static SOURCE: LazyLock<std::io::Result<File>> = LazyLock::new(|| File::open("/dev/urandom"));
    let mut bytes = [0; 10];
    let mut source = SOURCE.as_ref().map_err(|error| std::io::Error::from(error.kind()))?;
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Secrets as a home has them.
pub(crate) fn secrets() -> KnownSecrets {
    KnownSecrets::new(
        (0..SECRETS).map(|number| ("ci", format!("tr0ub4dor-{number:04}-and-{:04}", number * 7))),
    )
}

pub(crate) fn knowledge() -> Arc<Knowledge> {
    let knowledge = Arc::new(Knowledge::default());
    knowledge.learn(&secrets());
    knowledge
}

/// A ledger as a home has it, which must not be told what is known to be secret.
pub(crate) fn ledger(
    folder: &Path,
    knowledge: &Arc<Knowledge>,
    meter: &Arc<Meter>,
) -> Result<Ledger, String> {
    std::fs::create_dir_all(folder).map_err(told)?;
    SqliteStore::create(folder).map_err(told)?;
    let run = RunId(call_id()?);
    let store = Box::new(SqliteStore::open(folder, Some(run)).map_err(told)?);
    let store = Box::new(MeteredStore { store, meter: Arc::clone(meter) });
    let key = SigningKey::new("example.org/bench", [7; 32]).map_err(told)?;
    let knowledge = Arc::clone(knowledge);
    let guard = Box::new(move |text: &str| !knowledge.now().find(text).is_empty());
    Ledger::start(store, key, guard, run, Settings::default(), now()).map_err(told)
}

fn rulebook(workspace: &Path, home: &Path, key: &PrivateKey) -> Result<Rulebook, String> {
    let policy = POLICY.replacen("read_only = true", "read_only = false", 1);
    let files = [("policy.toml".to_owned(), policy.into_bytes())];
    let disk = Disk { workspace: absolute(workspace)?, user_home: absolute(Path::new("/home/ada"))? };
    let loaded = Policy::load(&PolicyFiles(files.into()), &disk);
    let policy = loaded.policy.ok_or_else(|| format!("no policy: {:?}", loaded.findings))?;
    let public = key.public_key().to_openssh().map_err(told)?;
    let approvers = Approvers::parse(&format!("{APPROVER} {public}\n")).map_err(told)?;
    let locator = locator(workspace, home)?;
    Ok(Rulebook { policy, catalogue: Catalogue::default(), paths: Box::new(locator), approvers })
}

fn toolbox(workspace: &Path, home: &Path, ledger: &Ledger) -> Result<Arc<dyn Tools>, String> {
    let locator = Arc::new(locator(workspace, home)?);
    let surroundings = Surroundings { variable: Box::new(|_| None) };
    let handles = SecretBox::new(Box::new(ledger.key().derived("handles of secrets")));
    let egress = Arc::new(Egress::new(Arc::new(Internet), Vec::new(), Trust::new([]).map_err(told)?));
    let forge = ForgeSettings {
        api: "https://api.github.com".to_owned(),
        repositories: BTreeSet::new(),
        protected: Vec::new(),
    };
    Ok(Arc::new(Toolbox {
        files: Files::new(Arc::clone(&locator)),
        databases: Databases::new(BTreeMap::new(), Box::new(|_, _| None)),
        memory: Memory::new(&home.join("state"), None),
        sandbox: Sandbox::new(Vec::new(), PathBuf::from("/proc/self/exe"), None, Arc::new(Internet)),
        forge: Forge::new(forge, Box::new(|| Ok(None)), Box::new(ForgeRoute(Arc::clone(&egress)))),
        status: Box::new(|| json!({})),
        vault: Arc::new(Vault::new(BTreeMap::new(), surroundings, handles)),
        foreign: None,
        locator,
        egress,
    }))
}

fn locator(workspace: &Path, home: &Path) -> Result<Locator, String> {
    let root = absolute(workspace)?;
    Locator::new(&root, std::slice::from_ref(&root), &absolute(home)?).map_err(told)
}

fn absolute(path: &Path) -> Result<AbsolutePath, String> {
    path.to_str().and_then(AbsolutePath::parse).ok_or_else(|| format!("`{}` is no path", path.display()))
}

struct Disk {
    workspace: AbsolutePath,
    user_home: AbsolutePath,
}

impl Ground for Disk {
    fn workspace(&self) -> &AbsolutePath {
        &self.workspace
    }

    fn user_home(&self) -> Option<&AbsolutePath> {
        Some(&self.user_home)
    }

    fn real(&self, path: &AbsolutePath) -> AbsolutePath {
        real_path(path)
    }
}

struct Fixed(Arc<Standing>);

impl House for Fixed {
    fn standing(&self) -> Arc<Standing> {
        Arc::clone(&self.0)
    }
}

#[derive(Clone, Copy)]
struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Moment {
        let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment::since_epoch(elapsed).unwrap_or_else(|| unreachable!("the clock shows a year before 9999"))
    }
}

/// Waits for nobody.
struct Impatient;

impl Patience for Impatient {
    fn once_more(&self, _: Moment, _: &AtomicBool) -> bool {
        false
    }
}
