//! Which globs of a policy match? All of them at once.

use cedar_policy::EntityUid;
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use super::rule::entity;
use super::shared::denying_glob;

/// Globs that are matched by one automaton together; more of them make it slow to build.
const TOGETHER: usize = 200;

/// All globs over paths that a policy names.
#[derive(Debug, Default)]
pub(crate) struct PathGlobs {
    sets: Vec<(GlobSet, Vec<Named>)>,
}

/// What a match of a glob makes a path a member of.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The path itself, where the glob allows.
    pub(super) allows: EntityUid,
    /// The path and whatever lies below it, where the glob denies.
    pub(super) denies: EntityUid,
}

impl PathGlobs {
    /// Nothing comes back when one of them is no glob.
    pub(crate) fn new(patterns: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut globs: Vec<(Glob, Named)> = Vec::new();
        for pattern in patterns {
            let allows = entity("Glob", &pattern);
            let denies = entity("Glob", &denying_glob(&pattern));
            let named = Named { allows, denies };
            // `x/**` covers `x` itself too.
            let trunk = pattern.strip_suffix("/**").filter(|trunk| !trunk.is_empty());
            for spelling in [Some(pattern.as_str()), trunk].into_iter().flatten() {
                let glob =
                    GlobBuilder::new(spelling).literal_separator(true).backslash_escape(true).build().ok()?;
                globs.push((glob, named.clone()));
            }
        }
        let mut sets = Vec::new();
        for chunk in globs.chunks(TOGETHER) {
            let mut builder = GlobSetBuilder::new();
            for (glob, _) in chunk {
                builder.add(glob.clone());
            }
            let named = chunk.iter().map(|(_, named)| named.clone()).collect();
            sets.push((builder.build().ok()?, named));
        }
        Some(Self { sets })
    }

    /// Every glob that matches the text of a path.
    pub(super) fn matching(&self, path: &str, mut each: impl FnMut(&Named)) {
        let mut matched = Vec::new();
        for (set, named) in &self.sets {
            set.matches_into(path, &mut matched);
            matched.iter().filter_map(|&index| named.get(index)).for_each(&mut each);
        }
    }
}
