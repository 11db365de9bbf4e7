//! Names that look like a misspelt one.

/// How many edits away a name may be.
const FARTHEST: usize = 3;

/// At most three of `known` that look like `name`, nearest first.
pub(crate) fn names<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    let plain = plain(name);
    let mut near: Vec<(usize, &str)> = known
        .map(|other| (distance(&plain, other), other))
        .filter(|&(distance, other)| distance <= FARTHEST.min(other.len() / 3))
        .collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name.to_owned()).collect()
}

/// Case and the sign between words do not count: `ReadFile` and `read-file` are `read_file`.
fn plain(name: &str) -> String {
    let mut out = String::new();
    for (place, letter) in name.chars().take(128).enumerate() {
        let after_word = !out.ends_with('_') && place > 0;
        match letter {
            '-' | '/' | '.' => out.push('_'),
            'A'..='Z' if after_word && name.contains(|c: char| c.is_ascii_lowercase()) => {
                out.push('_');
                out.push(letter.to_ascii_lowercase());
            }
            _ => out.push(letter.to_ascii_lowercase()),
        }
    }
    out
}

/// Edits between two short texts, by Levenshtein's rule.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut left = i + 1;
        let mut next = vec![left];
        for (&y, pair) in b.iter().zip(row.windows(2)) {
            let &[diagonal, above] = pair else { continue };
            left = (diagonal + usize::from(x != y)).min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_misspelt_name_finds_its_neighbours() {
        let cases: [(&str, &[&str]); 6] = [
            ("read_fiel", &["read_file"]),
            ("ReadFile", &["read_file"]),
            ("READ-FILE", &["read_file"]),
            ("list_file", &["list_files"]),
            ("write", &[]),
            ("launch_rockets", &[]),
        ];
        let known = ["read_file", "edit_file", "list_files", "write_file", "status"];
        for (name, want) in cases {
            let got = super::names(name, known.into_iter());
            assert!(want.iter().all(|want| got.iter().any(|got| got == want)), "{name}: {got:?}");
            assert_eq!(got.first().map(String::as_str), want.first().copied(), "{name}");
        }
    }
}
