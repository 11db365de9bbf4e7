//! What the names in a policy stand for on this machine.

use std::path::Path;

use call::AbsolutePath;
use decide::Ground;

/// This machine's folders.
#[derive(Clone, Debug)]
pub(crate) struct Disk {
    workspace: AbsolutePath,
    user_home: Option<AbsolutePath>,
}

impl Disk {
    pub(crate) fn new(workspace: &AbsolutePath) -> Self {
        // Services and clean environments have no `HOME`; then the system's own list of users knows.
        let user_home = std::env::home_dir();
        let user_home = user_home.as_deref().and_then(Path::to_str).and_then(AbsolutePath::parse);
        Self { workspace: workspace.clone(), user_home }
    }

    /// For a policy that has no home: relative entries belong to the working directory.
    pub(crate) fn here() -> Self {
        let here = std::env::current_dir().ok();
        let here = here.as_deref().and_then(Path::to_str).and_then(AbsolutePath::parse);
        Self::new(&here.unwrap_or_else(AbsolutePath::root))
    }
}

impl Ground for Disk {
    fn workspace(&self) -> &AbsolutePath {
        &self.workspace
    }

    fn user_home(&self) -> Option<&AbsolutePath> {
        self.user_home.as_ref()
    }

    fn real(&self, path: &AbsolutePath) -> AbsolutePath {
        execute::place::real_path(path)
    }
}
