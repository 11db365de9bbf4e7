//! Paths as text: nothing here looks at a disk.

/// An absolute path without `.`, `..` and repeated `/`. What `..` would take above the root stays
/// at the root, as a kernel has it. Relative paths belong to `base`.
pub(crate) fn normalise(path: &str, base: &str) -> String {
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
    format!("/{}", parts.join("/"))
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
