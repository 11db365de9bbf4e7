//! One entry of a list of paths: a folder, a file or a glob.
//!
//! `*` stays inside a component and `**` crosses them. A folder covers what lies below it, by
//! component. In a list that denies, a glob covers what lies below a match as well: whoever denies
//! `**/.ssh` means the keys in it.

use std::fmt;

use call::{AbsolutePath, Span};
use globset::{Glob, GlobBuilder, GlobMatcher};

use crate::files::Ground;

/// An entry of a list of paths, made absolute.
#[derive(Clone, Debug)]
pub struct PathEntry {
    /// As it is written in the file.
    pub written: String,
    /// Where in the file; at its start for an entry that no file holds.
    pub(crate) at: Span,
    pub(crate) what: Covered,
}

/// What an entry covers.
#[derive(Clone, Debug)]
pub(crate) enum Covered {
    /// A folder or file and all below it; a second spelling where a link leads elsewhere.
    Folder { path: AbsolutePath, real: AbsolutePath },
    /// Whatever matches.
    Glob(PathGlob),
}

/// A glob over whole paths.
#[derive(Clone, Debug)]
pub(crate) struct PathGlob {
    pub(crate) pattern: String,
    matcher: GlobMatcher,
    // `x/**` covers `x` itself too.
    trunk: Option<GlobMatcher>,
}

/// Why a text is not an entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadPathEntry {
    #[error("is empty")]
    Empty,
    #[error("holds `..`, a control character or a NUL byte")]
    Unclear,
    #[error("begins with `~`, and no home folder of the user is known")]
    NoUserHome,
    #[error("names another user's home, which is not supported")]
    OtherUser,
    #[error("is not a glob: {0}")]
    NotGlob(String),
}

impl PathEntry {
    /// Reads an entry. `anywhere` says that a leading `**/` leaves the workspace, which is what a
    /// list that denies means by it.
    pub(crate) fn parse(written: &str, ground: &impl Ground, anywhere: bool) -> Result<Self, BadPathEntry> {
        if written.is_empty() {
            return Err(BadPathEntry::Empty);
        }
        if written.chars().any(char::is_control) || written.split('/').any(|part| part == "..") {
            return Err(BadPathEntry::Unclear);
        }
        let (base, rest) = if written.starts_with('/') || anywhere && written.starts_with("**/") {
            (AbsolutePath::root(), written)
        } else if let Some(rest) = written.strip_prefix('~') {
            if !(rest.is_empty() || rest.starts_with('/')) {
                return Err(BadPathEntry::OtherUser);
            }
            (ground.user_home().ok_or(BadPathEntry::NoUserHome)?.clone(), rest)
        } else {
            (ground.workspace().clone(), written)
        };
        let what = if is_glob(rest) {
            Covered::Glob(PathGlob::new(&base, rest)?)
        } else {
            let below = rest.split('/').filter(|part| !matches!(*part, "" | "."));
            let path = below.fold(base, |path, part| path.join(part).unwrap_or(path));
            Covered::Folder { real: ground.real(&path), path }
        };
        Ok(Self { written: written.to_owned(), at: Span::at(0), what })
    }

    /// Reads an entry of a list that denies, when it is one.
    #[must_use]
    pub fn parse_denying(written: &str, ground: &impl Ground) -> Option<Self> {
        Self::parse(written, ground, true).ok()
    }

    /// Whether the entry covers a path, when the list allows.
    #[must_use]
    pub fn allows(&self, path: &AbsolutePath) -> bool {
        match &self.what {
            Covered::Folder { real, .. } => path.is_within(real),
            Covered::Glob(glob) => glob.matches(path),
        }
    }

    /// Whether the entry covers a path, when the list denies.
    #[must_use]
    pub fn denies(&self, path: &AbsolutePath) -> bool {
        match &self.what {
            Covered::Folder { path: folder, real } => path.is_within(real) || path.is_within(folder),
            Covered::Glob(glob) => glob.matches_or_above(path),
        }
    }

    /// The folder that the entry is, when it is no glob.
    pub(crate) const fn folder(&self) -> Option<&AbsolutePath> {
        match &self.what {
            Covered::Folder { real, .. } => Some(real),
            Covered::Glob(_) => None,
        }
    }
}

impl PathGlob {
    fn new(base: &AbsolutePath, rest: &str) -> Result<Self, BadPathEntry> {
        let prefix = if base.as_str() == "/" { String::new() } else { globset::escape(base.as_str()) };
        let parts = rest.split('/').filter(|part| !matches!(*part, "" | "."));
        let pattern = parts.fold(prefix, |pattern, part| format!("{pattern}/{part}"));
        let compile = |pattern: &str| -> Result<Glob, BadPathEntry> {
            let mut builder = GlobBuilder::new(pattern);
            builder.literal_separator(true).backslash_escape(true).empty_alternates(false);
            builder.build().map_err(|error| BadPathEntry::NotGlob(error.kind().to_string()))
        };
        let matcher = compile(&pattern)?.compile_matcher();
        let trunk = match pattern.strip_suffix("/**") {
            Some("") | None => None,
            Some(trunk) => Some(compile(trunk)?.compile_matcher()),
        };
        Ok(Self { pattern, matcher, trunk })
    }

    pub(crate) fn matches(&self, path: &AbsolutePath) -> bool {
        self.matcher.is_match(path.as_str())
            || self.trunk.as_ref().is_some_and(|trunk| trunk.is_match(path.as_str()))
    }

    pub(crate) fn matches_or_above(&self, path: &AbsolutePath) -> bool {
        path.and_above().any(|path| self.matches(&path))
    }
}

/// Whether an entry is a glob and not a plain path.
fn is_glob(text: &str) -> bool {
    text.contains(['*', '?', '[', '{'])
}

impl fmt::Display for PathEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}
