//! A home with its policy in force: what every command that weighs calls stands in.

use std::path::Path;
use std::sync::Arc;

use approve::{Approvers, Revoked};
use call::{Moment, Reason, ReasonCode};
use decide::{Policy, PolicyFiles};
use gate::{Incoming, Standing, Weighed};
use screen::KnownSecrets;

use crate::exit::Exit;
use crate::home::{Applied, BadState, Books, Disk, Home, NoBooks, NoHome};
use crate::ordinary;
use crate::secrets::known_secrets;
use crate::terminal::say_error;
use crate::weigh::{NoScale, Scale};

/// A home, and what calls are decided by in it.
pub(crate) struct Gatehouse {
    home: Home,
    books: Books,
    standing: Arc<Standing>,
    known: KnownSecrets,
}

/// Why there is no gatehouse to stand in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoGatehouse {
    #[error(transparent)]
    NoHome(#[from] NoHome),
    #[error(transparent)]
    NoBooks(#[from] NoBooks),
    #[error(transparent)]
    BadState(#[from] BadState),
}

impl Gatehouse {
    /// Opens the home. Files that are not those in force close it to every call.
    pub(crate) fn open(named: Option<&Path>) -> Result<Self, NoGatehouse> {
        Self::of(Home::find(named)?)
    }

    /// The same, of a home that was found.
    pub(crate) fn of(home: Home) -> Result<Self, NoGatehouse> {
        let files = home.policy_files()?;
        let books = Books::of(home.folder())?;
        let applied = match Applied::load(home.folder(), &mut *books.look()?) {
            Ok(applied) => Some(applied),
            Err(BadState::Nothing | BadState::NotRecorded(_)) => None,
            Err(error) => return Err(error.into()),
        };
        let in_force = applied.as_ref().is_some_and(|applied| applied.files == files);
        let closed = |reason, known| (Standing::Closed { reason, policy: files.digest() }, known);
        let (standing, known) = if in_force {
            match Scale::load(&home, &files) {
                Ok(scale) => {
                    let (rulebook, known) = scale.into_parts();
                    (Standing::Ready(Box::new(rulebook)), known)
                }
                Err(error) => closed(unfit(&error), known(&home, [&files])),
            }
        } else {
            let applied = applied.as_ref().map(|applied| &applied.files);
            closed(not_applied(), known(&home, [&files].into_iter().chain(applied)))
        };
        Ok(Self { home, books, standing: Arc::new(standing), known })
    }

    pub(crate) const fn home(&self) -> &Home {
        &self.home
    }

    pub(crate) const fn books(&self) -> &Books {
        &self.books
    }

    pub(crate) const fn standing(&self) -> &Arc<Standing> {
        &self.standing
    }

    /// The values of secrets that must not turn up anywhere.
    pub(crate) const fn known_secrets(&self) -> &KnownSecrets {
        &self.known
    }

    /// Weighs a call, and leaves no trace.
    pub(crate) fn weigh(&self, incoming: &Incoming, now: Moment) -> Weighed {
        self.standing.weigh(incoming, &self.known, now)
    }

    /// The same, with everybody who had a say.
    pub(crate) fn explain(&self, incoming: &Incoming, now: Moment) -> (Weighed, Vec<decide::Voice>) {
        self.standing.explain(incoming, &self.known, now)
    }
}

/// The list of approvers of a policy, without whom the home has revoked since. That takes effect at once: it
/// only takes away.
pub(crate) fn approvers(home: &Home, files: &PolicyFiles) -> Result<Approvers, String> {
    let text = match files.0.get("approvers") {
        Some(bytes) => str::from_utf8(bytes).map_err(|_| "`approvers` is not UTF-8 text".to_owned())?,
        None => "",
    };
    let listed = Approvers::parse(text).map_err(|error| format!("`approvers`: {error}"))?;
    let revoked = match ordinary::read_text(&home.folder().join("revoked"), LARGEST) {
        Ok(text) => Revoked::parse(text.as_bytes()).map_err(|error| format!("`revoked`: {error}"))?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Revoked::default(),
        Err(error) => return Err(format!("`revoked`: {}", crate::terminal::reason(&error))),
    };
    Ok(listed.without(revoked))
}

/// Bytes of a list of revoked keys that are read.
const LARGEST: u64 = 1024 * 1024;

/// The secrets of all of these policies that can be read.
fn known<'f>(home: &Home, files: impl IntoIterator<Item = &'f PolicyFiles>) -> KnownSecrets {
    let disk = Disk::new(home.workspace());
    let policies = files.into_iter().filter_map(|files| Policy::load(files, &disk).policy);
    known_secrets(&policies.collect::<Vec<_>>())
}

fn not_applied() -> Reason {
    Reason {
        code: ReasonCode::POLICY_NOT_APPLIED,
        message: "the files of the policy are not those that were applied".to_owned(),
        rule: None,
        remedy: Some("`toolgate policy apply` shows what changed and puts it in force".to_owned()),
    }
}

fn unfit(error: &NoScale) -> Reason {
    Reason {
        code: ReasonCode::NO_POLICY,
        message: error.to_string(),
        rule: None,
        remedy: Some("`toolgate policy check` says what is wrong".to_owned()),
    }
}

impl NoGatehouse {
    /// What is missing, in one word.
    pub(crate) const fn code(&self) -> &'static str {
        match self {
            Self::NoHome(_) => "no_home",
            Self::NoBooks(_) => LEDGER_UNAVAILABLE,
            Self::BadState(_) => "no_policy",
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<&str> {
        match self {
            Self::NoHome(error) => Some(error.hint()),
            Self::NoBooks(error) => error.hint(),
            Self::BadState(_) => {
                Some("`toolgate policy apply` writes it anew, after a review of the whole policy")
            }
        }
    }
}

/// The code of a refusal because nothing could be put on record.
pub(crate) const LEDGER_UNAVAILABLE: &str = "ledger_unavailable";

/// Says why nothing can be done without a gatehouse.
pub(crate) fn could_not(error: &NoGatehouse) -> Exit {
    say_error(&error.to_string(), error.hint());
    Exit::CouldNot
}
