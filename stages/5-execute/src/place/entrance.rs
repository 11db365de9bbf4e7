//! By which root a path comes in, told from its text alone.
//!
//! What lies outside the roots is not looked at, so `..` out there is believed only where it goes
//! up from a folder that is known to be real. Inside of a root the walk takes over: there `..`
//! means what the disk says, not what the text says.

use call::{AbsolutePath, is_gate_home};

use super::real_path;

/// The ways in.
#[derive(Debug)]
pub(super) struct Entrance {
    /// The folder that relative paths belong to, where it really is.
    workspace: AbsolutePath,
    /// Where each root really is.
    roots: Vec<AbsolutePath>,
    /// Other names of the workspace and the roots, with the real ones.
    aliases: Vec<(AbsolutePath, AbsolutePath)>,
}

/// One component of a path that is still to be walked.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) name: String,
    /// Whether a link says so, and not the path that was given.
    pub(super) by_link: bool,
}

/// Components that are still to be walked, the next one last.
pub(super) type Pending = Vec<Part>;

impl Entrance {
    /// Roots come as they were given and as they really are.
    pub(super) fn new<'p>(
        workspace: &AbsolutePath,
        roots: impl Iterator<Item = (&'p AbsolutePath, &'p AbsolutePath)>,
    ) -> Self {
        let real = real_path(workspace);
        let mut entrance = Self { workspace: real.clone(), roots: Vec::new(), aliases: Vec::new() };
        let mut alias = |given: &AbsolutePath, real: &AbsolutePath| {
            if given != real {
                entrance.aliases.push((given.clone(), real.clone()));
            }
        };
        alias(workspace, &real);
        for (given, real) in roots {
            alias(given, real);
            entrance.roots.push(real.clone());
        }
        entrance
    }

    /// The components of a path, from the top of the disk.
    pub(super) fn parts(&self, given: &str) -> Pending {
        let mut pending = Pending::new();
        push(&mut pending, given, false);
        if !given.starts_with('/') {
            push(&mut pending, self.workspace.as_str(), false);
        }
        pending
    }

    /// The root by which a path comes in that is made of plain names alone, by its number, and the path in full.
    /// Nothing, when it has to be walked: then it is not as plain as that.
    pub(super) fn straight(&self, given: &str) -> Option<(usize, AbsolutePath)> {
        let below = given.strip_prefix('/');
        let names = below.unwrap_or(given).split('/');
        // What is no plain name at all leads to no path.
        if given.starts_with('~') || names.clone().any(is_gate_home) || names.count() > MOST_PLAIN {
            return None;
        }
        let path = match below {
            Some(below) => AbsolutePath::root().descend(below)?,
            None => self.workspace.descend(given)?,
        };
        let (root, _) = self.outermost(&path)?;
        // Another name of a root may stand above it, which only the walk tells apart.
        let renamed = |(alias, _): &(AbsolutePath, AbsolutePath)| path.is_within(alias);
        (path.as_str().len() <= PATH_LENGTH && !self.aliases.iter().any(renamed)).then_some((root, path))
    }

    /// Whether the path, read as text, stays below some root.
    pub(super) fn stays(&self, given: &str) -> bool {
        let relative = (!given.starts_with('/')).then(|| self.workspace.components());
        let mut names: Vec<&str> = Vec::new();
        for name in relative.into_iter().flatten().chain(given.split('/')) {
            match name {
                "" | "." => {}
                ".." => drop(names.pop()),
                name => names.push(name),
            }
        }
        let Some(path) = names.into_iter().try_fold(AbsolutePath::root(), |path, name| path.join(name))
        else {
            return false;
        };
        let alias = |(alias, real): &(AbsolutePath, AbsolutePath)| {
            path.below(alias)
                .and_then(|rest| under(real, rest))
                .is_some_and(|path| self.outermost(&path).is_some())
        };
        self.outermost(&path).is_some() || self.aliases.iter().any(alias)
    }

    /// The root by which these components come in, by its number, and what is left to be walked
    /// from there. Nothing, when they come in by none.
    pub(super) fn enter(&self, mut pending: Pending) -> Option<(usize, Pending)> {
        let mut at = AbsolutePath::root();
        loop {
            if self.outermost(&at).is_none()
                && let Some((_, real)) = self.aliases.iter().find(|(alias, _)| *alias == at)
            {
                at = real.clone();
            }
            if let Some((index, root)) = self.outermost(&at) {
                push(&mut pending, at.below(root)?, true);
                return Some((index, pending));
            }
            match pending.pop()?.name.as_str() {
                "" | "." => {}
                ".." if self.is_known(&at) => at = at.parent().unwrap_or(at),
                // Another `..` is no component, so the path leads in nowhere.
                name => at = at.join(name)?,
            }
        }
    }

    /// The root that holds `path`; of several, the one that holds the others.
    fn outermost(&self, path: &AbsolutePath) -> Option<(usize, &AbsolutePath)> {
        let holding = self.roots.iter().enumerate().filter(|(_, root)| path.is_within(root));
        holding.min_by_key(|(_, root)| root.components().count())
    }

    /// Whether `path` is known to be a real folder, because something real lies below it.
    fn is_known(&self, path: &AbsolutePath) -> bool {
        self.roots.iter().chain([&self.workspace]).any(|real| real.is_within(path))
    }
}

/// The walk holds every folder on the way, and so has to stop somewhere. Well before that, it is asked.
pub(super) const MOST_PLAIN: usize = 64;

/// `PATH_MAX` without its NUL.
pub(super) const PATH_LENGTH: usize = 4095;

/// Puts the components of `path` in front of what is pending.
pub(super) fn push(pending: &mut Pending, path: &str, by_link: bool) {
    pending.extend(path.rsplit('/').map(|name| Part { name: name.to_owned(), by_link }));
}

/// The path `rest` below `folder`.
pub(super) fn under(folder: &AbsolutePath, rest: &str) -> Option<AbsolutePath> {
    rest.split('/').filter(|name| !name.is_empty()).try_fold(folder.clone(), |path, name| path.join(name))
}

#[cfg(test)]
mod tests {
    use super::Entrance;
    use call::AbsolutePath;

    fn path(text: &str) -> AbsolutePath {
        AbsolutePath::parse(text).unwrap()
    }

    /// A workspace and roots that exist only as text, so links are what `roots` says they are.
    fn entrance(roots: &[(&str, &str)]) -> Entrance {
        let roots: Vec<_> = roots.iter().map(|(given, real)| (path(given), path(real))).collect();
        Entrance::new(&path("/no/ws"), roots.iter().map(|(given, real)| (given, real)))
    }

    fn enter(entrance: &Entrance, given: &str) -> Option<(usize, String)> {
        let (root, pending) = entrance.enter(entrance.parts(given))?;
        let rest: Vec<String> = pending.into_iter().rev().map(|part| part.name).collect();
        Some((root, rest.join("/").trim_matches('/').to_owned()))
    }

    #[test]
    fn a_path_comes_in_by_the_outermost_root() {
        let roots = entrance(&[("/no/ws/in", "/no/ws/in"), ("/no/ws", "/no/ws"), ("/alias", "/no/data")]);
        let cases = [
            // given -> root, rest
            ("a/b", Some((1, "a/b"))),
            ("in/b", Some((1, "in/b"))),
            (".", Some((1, "."))),
            ("../ws/a", Some((1, "../ws/a"))),
            ("/no/ws/a", Some((1, "a"))),
            ("//no/./ws//a", Some((1, "a"))),
            ("/no/../no/ws/a", Some((1, "a"))),
            ("/alias/x", Some((2, "x"))),
            ("/no/data/x", Some((2, "x"))),
            // What `/link` is nobody knows, so neither what `..` is from there.
            ("/link/../no/ws/a", None),
            ("/no/wsx", None),
            ("/no", None),
            ("/", None),
        ];
        for (given, want) in cases {
            let got = enter(&roots, given);
            let got = got.as_ref().map(|(root, rest)| (*root, rest.as_str()));
            assert_eq!(got, want, "{given}");
        }
        assert_eq!(enter(&entrance(&[("/", "/")]), "/etc/x"), Some((0, "etc/x".to_owned())));
    }

    #[test]
    fn a_text_that_leaves_every_root_is_outside() {
        let roots = entrance(&[("/no/ws", "/no/ws"), ("/alias", "/no/data")]);
        let cases = [
            ("a", true),
            ("a/../b", true),
            ("a/../../ws/b", true),
            ("/alias/x", true),
            ("/alias/../no/ws", true),
            ("..", false),
            ("a/../../x", false),
            ("/no/ws_evil", false),
            ("/no/ws/../x", false),
            ("/alias/../x", false),
        ];
        for (given, want) in cases {
            assert_eq!(roots.stays(given), want, "{given}");
        }
    }
}
