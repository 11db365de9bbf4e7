//! Which tools a person has mapped, and the definitions that they looked at.

use std::collections::BTreeMap;
use std::sync::Arc;

use call::Sha256;

/// Somebody who keeps a definition: server, tool, digest.
type Remember = Arc<dyn Fn(&str, &str, Sha256) + Send + Sync>;

/// The tools that are mapped, and the definition of each that was reviewed.
///
/// A mapping that names no definition is bound to the first one that is seen, and whoever keeps the pins is
/// told of it, so that it is still bound to that one after a restart.
#[derive(Clone, Default)]
pub struct Pins {
    mapped: BTreeMap<String, Option<Sha256>>,
    remember: Option<Remember>,
}

impl Pins {
    /// Adds a tool that is mapped, with the definition that was reviewed.
    pub fn insert(&mut self, server: &str, tool: &str, definition: Option<Sha256>) {
        self.mapped.insert(format!("{server}.{tool}"), definition);
    }

    /// With somebody who keeps definitions that were seen first: server, tool, digest.
    #[must_use]
    pub fn remembered_by(self, keep: impl Fn(&str, &str, Sha256) + Send + Sync + 'static) -> Self {
        Self { remember: Some(Arc::new(keep)), ..self }
    }

    pub(crate) fn is_mapped(&self, name: &str) -> bool {
        self.mapped.contains_key(name)
    }

    /// Whether the definition is the one that was reviewed, or becomes it.
    pub(crate) fn holds(&mut self, server: &str, tool: &str, digest: Sha256) -> Result<(), Sha256> {
        match self.mapped.get_mut(&format!("{server}.{tool}")) {
            Some(Some(pinned)) if *pinned == digest => Ok(()),
            Some(Some(pinned)) => Err(*pinned),
            Some(none) => {
                *none = Some(digest);
                if let Some(remember) = &self.remember {
                    remember(server, tool, digest);
                }
                Ok(())
            }
            None => Err(digest),
        }
    }
}

impl std::fmt::Debug for Pins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pins").field("mapped", &self.mapped).finish_non_exhaustive()
    }
}
