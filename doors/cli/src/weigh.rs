//! A policy of this machine, ready to weigh calls.

use call::Moment;
use classify::{Catalogue, Mapping, sql::Dialect};
use decide::{DatabaseLocation, Policy, PolicyFiles};
use execute::place::Locator;
use gate::{Incoming, Rulebook, Weighed};
use screen::KnownSecrets;

use crate::gatehouse::approvers;
use crate::home::{Disk, Home};
use crate::secrets::known_secrets;

/// A policy with all that is needed to weigh calls against it.
pub(crate) struct Scale {
    pub(crate) rulebook: Rulebook,
    known: KnownSecrets,
}

/// Why calls cannot be weighed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoScale {
    #[error("the policy has errors")]
    Policy,
    #[error("`tools/{server}.toml`: {message}")]
    Mapping { server: String, message: String },
    #[error("{0}")]
    Root(String),
    #[error("{0}")]
    Approvers(String),
}

/// Tells where paths lead, below the roots of a policy.
pub(crate) fn locator(home: &Home, policy: &Policy) -> Result<Locator, NoScale> {
    let folder = home.folder().to_str().and_then(call::AbsolutePath::parse);
    let folder = folder.ok_or_else(|| NoScale::Root("the home's path is not UTF-8".to_owned()))?;
    let locator = Locator::new(home.workspace(), &policy.home().roots(), &folder);
    locator.map_err(|error| NoScale::Root(error.to_string()))
}

impl Scale {
    /// Loads a policy for this machine.
    pub(crate) fn load(home: &Home, files: &PolicyFiles) -> Result<Self, NoScale> {
        let disk = Disk::new(home.workspace());
        let policy = Policy::load(files, &disk).policy.ok_or(NoScale::Policy)?;
        let catalogue = catalogue(&policy, files)?;
        let locator = locator(home, &policy)?;
        let known = known_secrets(std::slice::from_ref(&policy));
        let approvers = approvers(home, files).map_err(NoScale::Approvers)?;
        Ok(Self { rulebook: Rulebook { policy, catalogue, paths: Box::new(locator), approvers }, known })
    }

    /// Weighs one call. Whatever is wrong with it is a denial, never an error.
    pub(crate) fn weigh(&self, incoming: &Incoming, now: Moment) -> Weighed {
        self.rulebook.weigh(incoming, &self.known, now)
    }

    /// What others weigh by, and what must turn up nowhere.
    pub(crate) fn into_parts(self) -> (Rulebook, KnownSecrets) {
        (self.rulebook, self.known)
    }
}

fn catalogue(policy: &Policy, files: &PolicyFiles) -> Result<Catalogue, NoScale> {
    let mut catalogue = Catalogue::default();
    if let Ok(api) = call::WebAddress::parse(&policy.home().github.api) {
        catalogue = catalogue.with_api(api);
    }
    for (name, database) in &policy.home().databases {
        let dialect = match database.location {
            DatabaseLocation::File(_) => Dialect::Sqlite,
            DatabaseLocation::Url(_) => Dialect::PostgreSql,
        };
        catalogue = catalogue.with_database(name, dialect);
    }
    for (file, bytes) in &files.0 {
        let server = file.strip_prefix("tools/").and_then(|file| file.strip_suffix(".toml"));
        let Some(server) = server else { continue };
        let bad = |message: String| NoScale::Mapping { server: server.to_owned(), message };
        let text = decide::text_of_file(file, bytes).map_err(|found| bad(found.finding.message))?;
        let mapping = Mapping::parse(text).map_err(|errors| bad(first_message(&errors)))?;
        catalogue = catalogue.with_mapping(server, mapping);
    }
    Ok(catalogue)
}

fn first_message(errors: &[classify::MappingError]) -> String {
    errors.first().map(ToString::to_string).unwrap_or_default()
}
