//! The ledger of a home: where it lies, and how it is opened.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use call::{CallId, Moment};
use data_encoding::HEXLOWER;
use gate::Knowledge;
use record::store::{PostgresStore, RunId, SqliteStore, Store, StoreError};
use record::{BadKey, Guard, Ledger, NotRecorded, Settings, SigningKey};

use super::toml_problem;
use crate::chance::{NoChance, chance};
use crate::ordinary;

/// What the ledger is told beside the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Configuration {
    /// A PostgreSQL server, for several gates that share one ledger.
    url: Option<String>,
    checkpoint_every: Option<u64>,
    keep_blobs_days: Option<u32>,
}

/// The ledger of a home.
#[derive(Clone, Debug)]
pub(crate) struct Books {
    folder: PathBuf,
    configuration: Configuration,
}

/// Why there is no ledger to work with.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoBooks {
    #[error("`{path}`: {}", crate::terminal::reason(source))]
    File { path: String, source: io::Error },
    #[error("`{path}`: {why}")]
    Configuration { path: String, why: String },
    #[error("the key of the ledger is gone: there is no `{0}`")]
    NoKey(String),
    #[error("`{0}` is a ledger already")]
    Taken(String),
    #[error("`{path}`: {source}")]
    Key { path: String, source: BadKey },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    NotRecorded(#[from] NotRecorded),
    #[error(transparent)]
    Chance(#[from] NoChance),
}

impl NoBooks {
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Store(StoreError::NotLedger { .. }) => Some(
                "without a ledger nothing is decided; `toolgate ledger create` makes one where there is none",
            ),
            Self::NotRecorded(NotRecorded::Store(error)) if matches!(**error, StoreError::Damaged(_)) => {
                Some(DAMAGED)
            }
            Self::Store(StoreError::Damaged(_)) => Some(DAMAGED),
            Self::NoKey(_) => Some("put it back from a copy: a ledger does not go on under another key"),
            Self::Taken(_) => Some("to begin a new one, move the old one away, and keep it"),
            Self::Configuration { .. } => {
                Some("the keys are `url`, `checkpoint_every` and `keep_blobs_days`")
            }
            Self::File { .. }
            | Self::Key { .. }
            | Self::Store(_)
            | Self::NotRecorded(_)
            | Self::Chance(_) => None,
        }
    }
}

const DAMAGED: &str =
    "`toolgate ledger verify` says where, if it can be read; a copy that is whole can be put in its place";

/// Bytes of the key and of the settings that are read.
const LARGEST: u64 = 64 * 1024;

const KEY: &str = "key";
const CONFIGURATION: &str = "ledger.toml";

impl Books {
    /// The ledger of this home.
    pub(crate) fn of(home: &Path) -> Result<Self, NoBooks> {
        let folder = home.join("ledger");
        if let Err(error) = fs::metadata(&folder)
            && error.kind() == io::ErrorKind::NotFound
        {
            let place = folder.display().to_string();
            return Err(StoreError::NotLedger { place, why: "there is no such folder".to_owned() }.into());
        }
        let path = folder.join(CONFIGURATION);
        let configuration = match ordinary::read_text(&path, LARGEST) {
            Ok(text) => configuration(&text)
                .map_err(|why| NoBooks::Configuration { path: path.display().to_string(), why })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Configuration::default(),
            Err(source) => return Err(file(&path, source)),
        };
        Ok(Self { folder, configuration })
    }

    /// Makes a ledger, with a key of its own, for a home that has none; on a server when one is named.
    pub(crate) fn create(home: &Path, url: Option<&str>) -> Result<Self, NoBooks> {
        let folder = home.join("ledger");
        fs::create_dir_all(&folder).map_err(|source| file(&folder, source))?;
        if url.is_none() && SqliteStore::is_in(&folder) {
            return Err(NoBooks::Taken(folder.display().to_string()));
        }
        let key = folder.join(KEY);
        let new = fs::symlink_metadata(&key).is_err();
        if new {
            let name = format!("toolgate/ledger-{}", HEXLOWER.encode(&chance::<8>()?));
            let new = SigningKey::new(&name, chance()?)
                .map_err(|source| NoBooks::Key { path: key.display().to_string(), source })?;
            write_new(&key, &format!("{}\n", new.secret_text())).map_err(|source| file(&key, source))?;
        }
        let made = match url {
            None => SqliteStore::create(&folder),
            Some(url) => PostgresStore::create(url),
        };
        if let Err(error) = made {
            // A key without a ledger would be taken for that of another one.
            if new {
                let _ = fs::remove_file(&key);
            }
            return Err(error.into());
        }
        match url {
            None => {}
            Some(url) => {
                let path = folder.join(CONFIGURATION);
                let text = format!("url = {}\n", toml_edit::Value::from(url));
                write_new(&path, &text).map_err(|source| file(&path, source))?;
            }
        }
        Self::of(home)
    }

    /// Where its key and its settings lie.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The ledger, only to look at it.
    pub(crate) fn look(&self) -> Result<Box<dyn Store>, NoBooks> {
        self.store(None)
    }

    /// The ledger, to write to it, by a command that handles no secrets.
    pub(crate) fn start(&self, now: Moment) -> Result<Ledger, NoBooks> {
        self.start_knowing(Arc::default(), now)
    }

    /// The same, where secrets that are known by then must never be written down.
    pub(crate) fn start_knowing(&self, known: Arc<Knowledge>, now: Moment) -> Result<Ledger, NoBooks> {
        let run = RunId(CallId::new(now, chance()?));
        let store = self.store(Some(run))?;
        let mut settings = Settings::default();
        if let Some(every) = self.configuration.checkpoint_every {
            settings.checkpoint_every = every;
        }
        let guard: Guard = Box::new(move |text| !known.now().find(text).is_empty());
        let ledger = Ledger::start(store, self.key()?, guard, run, settings, now)?;
        if let Some(days) = self.configuration.keep_blobs_days {
            ledger.drop_blobs_before(now.earlier_by_days(days), now)?;
        }
        Ok(ledger)
    }

    /// The key that checkpoints are signed with.
    pub(crate) fn key(&self) -> Result<SigningKey, NoBooks> {
        let path = self.folder.join(KEY);
        let text = match ordinary::read_text(&path, LARGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(NoBooks::NoKey(path.display().to_string()));
            }
            Err(source) => return Err(file(&path, source)),
        };
        SigningKey::parse(&text).map_err(|source| NoBooks::Key { path: path.display().to_string(), source })
    }

    fn store(&self, run: Option<RunId>) -> Result<Box<dyn Store>, NoBooks> {
        Ok(match &self.configuration.url {
            Some(url) => Box::new(PostgresStore::open(url, run)?),
            None => Box::new(SqliteStore::open(&self.folder, run)?),
        })
    }
}

fn configuration(text: &str) -> Result<Configuration, String> {
    let document: toml_edit::DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| toml_problem(text, &error))?;
    let mut configuration = Configuration::default();
    for (name, item) in document.iter() {
        let number = || item.as_integer().filter(|number| *number > 0);
        match name {
            "url" => {
                let url = item.as_str().ok_or("`url` is not a text")?;
                configuration.url = Some(url.to_owned());
            }
            "checkpoint_every" => {
                let number = number().and_then(|number| u64::try_from(number).ok());
                configuration.checkpoint_every =
                    Some(number.ok_or("`checkpoint_every` is not a number above 0")?);
            }
            "keep_blobs_days" => {
                let number = number().and_then(|number| u32::try_from(number).ok());
                configuration.keep_blobs_days =
                    Some(number.ok_or("`keep_blobs_days` is not a number above 0")?);
            }
            _ => return Err(format!("there is no key `{name}`")),
        }
    }
    Ok(configuration)
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn file(path: &Path, source: io::Error) -> NoBooks {
    NoBooks::File { path: path.display().to_string(), source }
}
