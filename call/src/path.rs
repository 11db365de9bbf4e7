//! Paths, as policy sees them: absolute, resolved, compared component by component.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// An absolute path without `.`, `..`, doubled or trailing slashes.
///
/// Two paths are related by their components and never by their letters, so `/a/bc` does not lie
/// within `/a/b`.
///
/// ```
/// use call::AbsolutePath;
///
/// let folder = AbsolutePath::parse("/a/b/").unwrap();
/// assert!(AbsolutePath::parse("/a/b/c").unwrap().is_within(&folder));
/// assert!(!AbsolutePath::parse("/a/bc").unwrap().is_within(&folder));
///
/// assert_eq!(AbsolutePath::parse("a/b"), None);
/// assert_eq!(AbsolutePath::parse("/a/../b"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct AbsolutePath(
    // Invariant: `/`, or components that are neither empty nor `.` nor `..`, each behind a `/`.
    Box<str>,
);

impl<'de> Deserialize<'de> for AbsolutePath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("not an absolute path"))
    }
}

impl AbsolutePath {
    /// The root of everything.
    #[must_use]
    pub fn root() -> Self {
        Self("/".into())
    }

    /// Reads a path that begins with `/`. Doubled and trailing slashes and `.` do not matter; `..`
    /// and NUL are refused, because what they mean cannot be told from the text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let inside = text.strip_prefix('/')?;
        inside
            .split('/')
            .filter(|part| !matches!(*part, "" | "."))
            .try_fold(Self::root(), |path, part| path.join(part))
    }

    /// This path and one component more.
    #[must_use]
    pub fn join(&self, component: &str) -> Option<Self> {
        if matches!(component, "" | "." | "..") || component.contains(['/', '\0']) {
            return None;
        }
        let slash = if self.is_root() { "" } else { "/" };
        // With the very room that it takes: every step of every walk comes by here.
        let mut path = String::with_capacity(self.0.len() + slash.len() + component.len());
        for part in [&*self.0, slash, component] {
            path.push_str(part);
        }
        Some(Self(path.into_boxed_str()))
    }

    /// This path and all components of `below`, of which there is at least one. The same as to join one behind the
    /// other, in one step.
    #[must_use]
    pub fn descend(&self, below: &str) -> Option<Self> {
        if below.contains('\0') || below.split('/').any(|component| matches!(component, "" | "." | "..")) {
            return None;
        }
        let slash = if self.is_root() { "" } else { "/" };
        Some(Self([&*self.0, slash, below].concat().into_boxed_str()))
    }

    /// The path without its last component; the root has none.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let (parent, _) = self.0.rsplit_once('/').filter(|_| !self.is_root())?;
        Some(Self(if parent.is_empty() { "/".into() } else { parent.into() }))
    }

    /// The path itself, its parent, and so on up to the root.
    pub fn and_above(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self.clone()), Self::parent)
    }

    /// The texts of the same.
    pub fn texts_above(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(Some(&*self.0), |path| Self::text_above(path))
    }

    /// The text of a path without its last component, where the text is that of a path.
    #[must_use]
    pub fn text_above(path: &str) -> Option<&str> {
        match path.rsplit_once('/')? {
            _ if path == "/" => None,
            ("", _) => Some("/"),
            (parent, _) => Some(parent),
        }
    }

    /// The components from the root downwards.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/').filter(|part| !part.is_empty())
    }

    /// Whether this is `folder` or lies below it.
    #[must_use]
    pub fn is_within(&self, folder: &Self) -> bool {
        folder.is_root()
            || self.0.strip_prefix(&*folder.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }

    /// The part of this path below `folder`, without a leading slash; empty for the folder itself.
    #[must_use]
    pub fn below<'p>(&'p self, folder: &Self) -> Option<&'p str> {
        if folder.is_root() {
            return self.0.strip_prefix('/');
        }
        let rest = self.0.strip_prefix(&*folder.0)?;
        if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
    }

    /// The path as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn is_root(&self) -> bool {
        &*self.0 == "/"
    }
}

impl fmt::Display for AbsolutePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::AbsolutePath;

    #[test]
    fn a_prefix_is_not_a_parent() {
        let cases = [
            // path, folder -> within
            ("/a/b", "/a/b", true),
            ("/a/b/c", "/a/b", true),
            ("/a/bc", "/a/b", false),
            ("/a", "/a/b", false),
            ("/a", "/", true),
            ("/", "/", true),
            ("/", "/a", false),
        ];
        for (path, folder, want) in cases {
            let [path, folder] = [path, folder].map(|text| AbsolutePath::parse(text).unwrap());
            assert_eq!(path.is_within(&folder), want, "{path} within {folder}");
            assert_eq!(path.below(&folder).is_some(), want, "{path} below {folder}");
        }
    }

    #[test]
    fn to_descend_is_to_join_one_name_behind_the_other() {
        let belows =
            ["a", "a/b", "a/b/c", "", "/", "a/", "/a", "a//b", ".", "a/.", "..", "a/../b", "a\0", "a/b\0/c"];
        for top in ["/", "/w", "/w/x"].map(|text| AbsolutePath::parse(text).unwrap()) {
            for below in belows {
                let joined = below.split('/').try_fold(top.clone(), |path, name| path.join(name));
                assert_eq!(top.descend(below), joined, "{top} and {below:?}");
            }
        }
    }

    #[test]
    fn paths_have_one_spelling() {
        let cases = [
            ("/", Some("/")),
            ("//a///b/./c/", Some("/a/b/c")),
            ("/a/..", None),
            ("/a\0", None),
            ("", None),
            ("~/a", None),
        ];
        for (text, want) in cases {
            let got = AbsolutePath::parse(text);
            assert_eq!(got.as_ref().map(AbsolutePath::as_str), want, "{text:?}");
        }
        let path = AbsolutePath::parse("/a/b").unwrap();
        let above: Vec<String> = path.and_above().map(|path| path.to_string()).collect();
        assert_eq!(above, ["/a/b", "/a", "/"]);
        assert_eq!(path.texts_above().collect::<Vec<_>>(), above);
        assert_eq!(AbsolutePath::root().texts_above().collect::<Vec<_>>(), ["/"]);
    }
}
