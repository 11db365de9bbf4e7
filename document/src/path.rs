//! Paths as text: nothing here looks at a disk.

use std::borrow::Cow;

use crate::bytes::any_pair;

/// An absolute path without `.`, `..` and repeated `/`. What `..` would take above the root stays
/// at the root, as a kernel has it. Relative paths belong to `base`.
pub(crate) fn normalise<'a>(path: &'a str, base: &str) -> Cow<'a, str> {
    if is_normal(path) {
        return Cow::Borrowed(path);
    }
    let mut parts: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { base };
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    Cow::Owned(format!("/{}", parts.join("/")))
}

/// Whether an absolute path has only parts that stay. One with a hidden file may have others.
fn is_normal(path: &str) -> bool {
    let unsure = |first: u8, second: u8| (first == b'/') & ((second == b'/') | (second == b'.'));
    path.starts_with('/') && !path.ends_with('/') && !any_pair(path, unsure)
}

/// Whether a path has a `..` component, whatever system wrote it.
pub(crate) fn climbs(path: &str) -> bool {
    let has_dots = any_pair(path, |first, second| (first == b'.') & (second == b'.'));
    has_dots && path.split(['/', '\\']).any(|part| part == "..")
}

/// Whether a normalised path lies below `folder`, by component. The folder itself does not.
pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.len() > 1 && rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::{is_below, normalise};

    #[test]
    fn below_is_by_component_and_after_normalising() {
        let cases = [
            ("/out/a.json", true),
            ("a.json", true),
            ("./a.json", true),
            ("/out//a/./b", true),
            ("/out/a/../b", true),
            ("/out", false),
            ("/out/", false),
            ("", false),
            ("/outside/a", false),
            ("/out/../etc/x", false),
            ("../x", false),
            ("/../out/x", true),
            ("/etc/passwd", false),
        ];
        for (path, want) in cases {
            assert_eq!(is_below(&normalise(path, "/out"), "/out"), want, "{path}");
        }
    }
}
