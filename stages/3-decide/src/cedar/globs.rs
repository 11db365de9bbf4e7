//! Which globs of a policy match? All of them at once.

use call::AbsolutePath;
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
struct Named {
    allows: EntityUid,
    denies: EntityUid,
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

    /// Adds everything that `path` is a member of by a glob.
    pub(crate) fn add(&self, path: &AbsolutePath, members: &mut Vec<EntityUid>) {
        for (set, named) in &self.sets {
            let mut matched = Vec::new();
            for (height, place) in path.texts_above().enumerate() {
                set.matches_into(place, &mut matched);
                for named in matched.iter().filter_map(|&index| named.get(index)) {
                    if height == 0 {
                        members.push(named.allows.clone());
                    }
                    members.push(named.denies.clone());
                }
            }
        }
    }
}
