//! The way of a call from its arguments to its ruling, in memory.
//!
//! The same steps as at the doors, in the same order. Only where paths lead is told without a disk:
//! nothing is linked here, and what is measured is the decision.

use call::{AbsolutePath, FileKind, Located, Moment, Objection, PathPlace, Paths, Ruled, ToolCall};
use classify::{Catalogue, Classified, classify};
use decide::{Deciding, Ground, Policy, PolicyFiles, decide};
use screen::KnownSecrets;

/// A policy, and all that is needed to decide calls by it.
#[derive(Debug)]
pub struct Gate {
    policy: Policy,
    catalogue: Catalogue,
    known: KnownSecrets,
    workspace: Workspace,
    now: Moment,
}

impl Gate {
    /// Loads the text of a `policy.toml`, for the workspace `/w`.
    ///
    /// # Errors
    ///
    /// What is wrong with the text.
    pub fn load(policy_toml: &str, now: Moment) -> Result<Self, String> {
        let folder = AbsolutePath::parse("/w").ok_or("`/w` is no path")?;
        let workspace = Workspace(folder);
        let files = [("policy.toml".to_owned(), policy_toml.as_bytes().to_vec())];
        let loaded = Policy::load(&PolicyFiles(files.into()), &workspace);
        let policy = loaded.policy.ok_or_else(|| format!("no policy: {:?}", loaded.findings))?;
        Ok(Self { policy, catalogue: Catalogue::default(), known: KnownSecrets::default(), workspace, now })
    }

    /// The policy.
    #[must_use]
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// All three steps.
    ///
    /// # Errors
    ///
    /// What is no call at all; none of the calls here is.
    pub fn weigh(&self, call: &ToolCall) -> Result<Ruled, String> {
        let classified = self.classify(call)?;
        let objections = self.screen(&classified);
        Ok(self.decide(call, classified, &objections))
    }

    /// The first step: what would it touch?
    ///
    /// # Errors
    ///
    /// As [`Gate::weigh`].
    pub fn classify(&self, call: &ToolCall) -> Result<Classified, String> {
        classify(call, &self.catalogue).map_err(|error| error.to_string())
    }

    /// The second: do its texts carry what they should not?
    #[must_use]
    pub fn screen(&self, classified: &Classified) -> Vec<Objection> {
        screen::call(&classified.passages, &self.known)
    }

    /// The third: what does policy say?
    #[must_use]
    pub fn decide(&self, call: &ToolCall, classified: Classified, objections: &[Objection]) -> Ruled {
        let effects = classified.effects.located(&self.workspace);
        let deciding = Deciding {
            tool: &classified.tool,
            actor: &call.actor,
            effects: &effects,
            objections,
            now: self.now,
        };
        decide(&self.policy, &deciding)
    }
}

/// A folder without links, in which every path is a file.
#[derive(Debug)]
struct Workspace(AbsolutePath);

impl Ground for Workspace {
    fn workspace(&self) -> &AbsolutePath {
        &self.0
    }

    fn user_home(&self) -> Option<&AbsolutePath> {
        None
    }

    fn real(&self, path: &AbsolutePath) -> AbsolutePath {
        path.clone()
    }
}

impl Paths for Workspace {
    fn locate(&self, given: &str) -> Located {
        let place = match AbsolutePath::parse(given) {
            Some(path) if path.is_within(&self.0) => PathPlace::Below { path, kind: FileKind::File },
            Some(_) | None => PathPlace::Outside,
        };
        Located::new(given.to_owned(), place)
    }
}
