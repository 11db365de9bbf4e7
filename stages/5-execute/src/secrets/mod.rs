//! Credentials: looked up when they are needed, handed out as handles, never as values.
//!
//! `secrets_get` returns a [`handle`] that says which credential it stands for, and is worth nothing outside
//! the session and the use that it was made for. The value is looked up again wherever a handle is used, so
//! that nothing has to be kept between two processes of one home.
//!
//! **Invariant:** no error and no result of this module holds a value, or a part of one. Whatever was looked
//! up is in [`Vault::revealed`], so that it is known wherever it turns up later.
//!
//! A value of fewer than six bytes is refused: nobody could take it out of a text again without taking out
//! half of the text, and so it would not stay a secret.
#![expect(
    clippy::disallowed_methods,
    reason = "credentials come from files and from programs of the operator"
)]

mod assigned;
mod command;
pub mod handle;
mod keyring;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use call::{Content, Done, Effect, Errand, Fault, Moment, SecretUse, SessionId};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretBox, SecretSlice};

/// Where the credentials of a scope come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// These variables of the gate's own environment.
    Env(BTreeSet<String>),
    /// A file: the value of a line `NAME=value`, or all of it where it has no such lines.
    File(PathBuf),
    /// What a program prints. `{name}` in a word is the name; without that, its output is read like a file.
    Command(Vec<String>),
    /// The keyring of the desktop, under this service.
    Keyring(String),
}

/// The value of a variable of the environment, by its name.
pub type Variable = dyn Fn(&str) -> Option<OsString> + Send + Sync;

/// What the vault may know of its surroundings. Only a door reads the environment, so it passes this in.
pub struct Surroundings {
    /// The value of a variable of the environment.
    pub variable: Box<Variable>,
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Surroundings").finish_non_exhaustive()
    }
}

/// Bytes of a file, or of what a program prints.
pub(crate) const LARGEST: usize = 1024 * 1024;

/// Fewer bytes than this cannot be told from ordinary text, and so not be hidden.
const SHORTEST: usize = 6;

/// How long a handle is good for.
const HANDLE_SECONDS: u32 = 60 * 60;

/// Whoever knows where credentials are.
pub struct Vault {
    sources: BTreeMap<String, Source>,
    surroundings: Surroundings,
    key: SecretBox<[u8; 32]>,
    revealed: Mutex<BTreeMap<(String, String), SecretSlice<u8>>>,
}

/// Shows the scopes and nothing else.
impl fmt::Debug for Vault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scopes: Vec<&String> = self.sources.keys().collect();
        formatter.debug_struct("Vault").field("scopes", &scopes).finish_non_exhaustive()
    }
}

impl Vault {
    /// A vault with these sources by scope. Handles are made with the key; every process of one home has the
    /// same, and nobody else has it.
    #[must_use]
    pub fn new(
        sources: BTreeMap<String, Source>,
        surroundings: Surroundings,
        key: SecretBox<[u8; 32]>,
    ) -> Self {
        Self { sources, surroundings, key, revealed: Mutex::default() }
    }

    /// The tool `secrets_get`: a handle for the credential that was decided about.
    ///
    /// # Errors
    /// When there is no such credential. What it is worth is not said.
    pub fn get(&self, errand: &Errand<'_>) -> Result<Done, Fault> {
        let asked = errand.effects.iter().find_map(|effect| {
            if let Effect::Secret { scope, name, reveal } = effect {
                Some((scope, name, *reveal))
            } else {
                None
            }
        });
        let Some((scope, name, reveal)) = asked else {
            return Err(Fault::failed("unknown_effect", "nothing says which credential is meant"));
        };
        self.look_up(scope, name)?;
        let expires = errand.now.later_by(HANDLE_SECONDS);
        let handle = handle::make(
            self.key.expose_secret(),
            &handle::Grant { session: &errand.actor.session, scope, name, reveal, expires },
        );
        let reveal = handle::word(reveal);
        let content = serde_json::json!({
            "handle": handle,
            "scope": scope,
            "name": name,
            "use": reveal,
            "expires": expires.to_string(),
        });
        Ok(Done {
            summary: format!("a handle for `{name}` of `{scope}`, for use as {reveal}, until {expires}"),
            content: Content::Data(content),
            artifacts: vec![format!("secret:{scope}/{name}")],
            ..Done::default()
        })
    }

    /// The value that a handle stands for, if it was made for this session and this use and is still good.
    ///
    /// # Errors
    /// When it was not, or when the credential is not there any more.
    pub fn resolve(
        &self,
        handle: &str,
        session: &SessionId,
        reveal: SecretUse,
        now: Moment,
    ) -> Result<SecretSlice<u8>, Fault> {
        let (scope, name) = handle::read(self.key.expose_secret(), handle, session, reveal, now)?;
        self.look_up(&scope, &name)
    }

    /// The value of a credential of a scope, for parts of the gate that policy names it to (a database, a
    /// forge). Tools of agents go through [`Vault::resolve`].
    ///
    /// # Errors
    /// When there is none, or none that could be kept secret.
    pub fn look_up(&self, scope: &str, name: &str) -> Result<SecretSlice<u8>, Fault> {
        let value = self.find(scope, name)?;
        if value.len() < SHORTEST {
            return Err(Fault::Failed {
                class: "secret_too_short",
                message: format!(
                    "`{name}` of the scope `{scope}` has fewer than {SHORTEST} bytes, which cannot be hidden in a \
                     text"
                ),
                remedy: Some("use a longer credential".to_owned()),
            });
        }
        let value = SecretSlice::from(value.to_vec());
        let mut revealed = self.revealed.lock().unwrap_or_else(PoisonError::into_inner);
        let known = revealed.insert((scope.to_owned(), name.to_owned()), value.clone());
        // One that was replaced meanwhile may still be somewhere: both are looked for.
        if let Some(known) = known.filter(|known| known.expose_secret() != value.expose_secret()) {
            let number = revealed.len();
            revealed.insert((scope.to_owned(), format!("{name} before {number}")), known);
        }
        Ok(value)
    }

    /// Everything that was looked up so far, each with its scope.
    pub fn revealed(&self) -> Vec<(String, SecretSlice<u8>)> {
        let revealed = self.revealed.lock().unwrap_or_else(PoisonError::into_inner);
        revealed.iter().map(|((scope, _), value)| (scope.clone(), value.clone())).collect()
    }

    fn find(&self, scope: &str, name: &str) -> Result<Zeroizing<Vec<u8>>, Fault> {
        let missing = |why: String| Fault::Failed {
            class: "secret_not_found",
            message: format!("there is no credential `{name}` in the scope `{scope}`: {why}"),
            remedy: None,
        };
        let Some(source) = self.sources.get(scope) else {
            return Err(Fault::Failed {
                class: "secret_not_found",
                message: format!("nothing says where the credentials of the scope `{scope}` are"),
                remedy: Some(format!("whoever runs the gate can add `[secrets.{scope}]` to policy.toml")),
            });
        };
        match source {
            Source::Env(names) => {
                if !names.contains(name) {
                    return Err(missing("it is not on the scope's list `names`".to_owned()));
                }
                let value = (self.surroundings.variable)(name);
                let value =
                    value.ok_or_else(|| missing("the variable is not set where the gate runs".to_owned()))?;
                Ok(Zeroizing::new(value.into_vec()))
            }
            Source::File(path) => {
                let content = read(path)
                    .map_err(|error| missing(format!("its file cannot be read: {}", error.kind())))?;
                assigned::named(&content, name)
                    .ok_or_else(|| missing("its file has no line `NAME=value` with that name".to_owned()))
            }
            Source::Command(argv) => command::ask(argv, name, &self.surroundings).map_err(missing),
            Source::Keyring(service) => keyring::ask(service, name, &self.surroundings),
        }
    }
}

/// A file of credentials, up to its cap. Pipes and devices are not read: they could wait for ever.
fn read(path: &std::path::Path) -> std::io::Result<Zeroizing<Vec<u8>>> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = File::options().read(true).custom_flags(nonblocking).open(path)?;
    let kind = file.metadata()?;
    if !kind.is_file() {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    let length = usize::try_from(kind.len()).unwrap_or(usize::MAX);
    // Room for all of it at once: a vector that grows leaves copies behind.
    let mut content = Zeroizing::new(Vec::with_capacity(length.saturating_add(1).min(LARGEST + 1)));
    file.take(LARGEST as u64 + 1).read_to_end(&mut content)?;
    if content.len() > LARGEST {
        return Err(std::io::ErrorKind::FileTooLarge.into());
    }
    Ok(content)
}
