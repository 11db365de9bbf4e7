//! Which branches may be made.

use call::{Fault, Reason, ReasonCode};

/// # Errors
/// When the branch is protected, or its name could be read as that of another one.
pub(super) fn check(branch: &str, base: &str, protected: &[String]) -> Result<(), Fault> {
    for name in [branch, base] {
        is_plain(name)?;
    }
    if same(branch, base) {
        return Err(refused(branch, "is the base: changes go through a branch of their own"));
    }
    match protected.iter().find(|pattern| matches(&folded(pattern), &folded(branch))) {
        Some(pattern) => Err(refused(branch, &format!("is protected by `{pattern}`"))),
        None => Ok(()),
    }
}

/// A branch that the forge takes for the main one is protected without anybody saying so.
pub(super) fn is_not_default(branch: &str, default: &str) -> Result<(), Fault> {
    if same(branch, default) { Err(refused(branch, "is the main branch of the repository")) } else { Ok(()) }
}

/// Names that differ in nothing but case are one branch on some disks, and in some databases of forges.
fn same(one: &str, other: &str) -> bool {
    folded(one) == folded(other)
}

fn folded(name: &str) -> String {
    name.to_lowercase()
}

fn refused(branch: &str, why: &str) -> Fault {
    Fault::Denied(Reason {
        code: ReasonCode::BRANCH_PROTECTED,
        message: format!("the branch `{branch}` {why}"),
        rule: None,
        remedy: Some("name a branch of its own, and the protected one as `base`".to_owned()),
    })
}

/// A name in its one spelling: neither a longer name of a ref nor anything that git would not take.
fn is_plain(name: &str) -> Result<(), Fault> {
    let longer = ["refs/", "heads/", "remotes/", "tags/"];
    let bad = name.is_empty()
        || name.len() > 250
        || name.starts_with(['-', '+', '/'])
        || longer.iter().any(|start| folded(name).starts_with(start))
        || matches!(name, "@" | "HEAD")
        || name.contains(|c: char| c.is_control() || c.is_whitespace() || "~^:?*[\\".contains(c))
        || ["..", "@{", "//"].iter().any(|part| name.contains(part))
        || name.ends_with(['.', '/'])
        || name.split('/').any(|part| part.starts_with('.') || part.ends_with(".lock"));
    if bad {
        Err(Fault::failed("bad_request", format!("`{name}` is not the plain name of a branch")))
    } else {
        Ok(())
    }
}

/// Whether a pattern covers a name. `*` stands for anything, a slash included.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_covers_what_it_says() {
        for (pattern, name, covered) in [
            ("main", "main", true),
            ("main", "main2", false),
            ("main", "domain", false),
            ("release/*", "release/1", true),
            ("release/*", "release/1/2", true),
            ("release/*", "release", false),
            ("*", "anything/at/all", true),
            ("*-stable", "v1-stable", true),
            ("*-stable", "v1-stable2", false),
            ("v*.*", "v1.2", true),
            ("v*.*", "v12", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, name), covered, "{pattern} {name}");
        }
    }

    #[test]
    fn no_other_spelling_of_a_protected_branch_gets_through() {
        let protected = ["main".to_owned(), "release/*".to_owned()];
        for name in [
            "main",
            "Main",
            "MAIN",
            "refs/heads/main",
            "heads/main",
            "Refs/heads/main",
            "+main",
            "main ",
            "/main",
            "main/",
            "release/9",
            "Release/9",
            "release//9",
            "main~0",
            "main^",
            "HEAD",
            "@",
            "x..y",
            ".main",
            "main.lock",
            "trunk",
        ] {
            assert!(check(name, "trunk", &protected).is_err(), "{name}");
        }
        for name in ["fix/typo", "mainline", "release-notes", "käse", "feature/main"] {
            assert_eq!(check(name, "main", &protected), Ok(()), "{name}");
        }
    }
}
