//! Names that can be taken for each other.

use std::collections::BTreeMap;

use unicode_security::confusable_detection::skeleton;

/// What is left of a name when case, separators and look-alike letters no longer count.
pub(crate) fn key(name: &str) -> String {
    let plain: String = name
        .chars()
        .flat_map(char::to_lowercase)
        .filter(|character| character.is_alphanumeric())
        .map(|character| match character {
            // Alike in many typefaces, and not in Unicode's table once they are small.
            '0' => 'o',
            '1' | 'i' => 'l',
            other => other,
        })
        .collect();
    skeleton(&plain).collect()
}

/// For each name the others that it can be taken for.
pub(crate) fn collisions<'n>(names: impl Iterator<Item = &'n str>) -> BTreeMap<&'n str, Vec<&'n str>> {
    let mut by_key: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        by_key.entry(key(name)).or_default().push(name);
    }
    let mut all: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for group in by_key.into_values().filter(|group| group.len() > 1) {
        for (number, name) in group.iter().enumerate() {
            let others =
                group.iter().enumerate().filter(|(other, _)| *other != number).map(|(_, name)| *name);
            all.entry(name).or_default().extend(others);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{collisions, key};

    #[test]
    fn names_that_look_or_sound_the_same_collide() {
        for (one, other) in [
            ("files.read_file", "files.readFile"),
            ("files.read_file", "files.read-file"),
            ("a_b.c", "a.b_c"),
            ("read_file", "read.file"),
            ("files.mail", "files.rnail"),
            ("files.list", "files.l1st"),
            ("files.copy", "files.с\u{43e}py"),
        ] {
            assert_eq!(key(one), key(other), "{one} {other}");
        }
        assert_ne!(key("files.read_file"), key("files.read_files"));
        let found = collisions(["a.x", "a.X", "a.y", "a.y"].into_iter());
        assert_eq!(found.len(), 3);
        assert_eq!(found["a.y"], ["a.y", "a.y"]);
    }
}
