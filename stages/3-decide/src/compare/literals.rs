//! Which of very many globs can match a text? Told by a piece of each that every match holds.
//!
//! Never one too few: what cannot be told by such a piece is always among them.

use std::collections::{BTreeSet, HashMap};

use cedar_policy::EntityUid;

/// Globs by the piece that the fewest others have.
#[derive(Debug, Default)]
pub(super) struct Literals {
    // By the end of the piece.
    pieces: HashMap<Vec<u8>, Vec<(Vec<u8>, EntityUid)>>,
    lengths: BTreeSet<usize>,
    always: Vec<EntityUid>,
}

/// Bytes of a piece that it is found by.
const END: usize = 8;

impl Literals {
    /// From patterns and the names that stand for them.
    pub(super) fn new(globs: Vec<(String, EntityUid)>) -> Self {
        let mut count: HashMap<Vec<u8>, usize> = HashMap::new();
        let globs: Vec<(Vec<Vec<u8>>, EntityUid)> =
            globs.into_iter().map(|(glob, name)| (pieces(&glob), name)).collect();
        for piece in globs.iter().flat_map(|(pieces, _)| pieces) {
            *count.entry(end(piece).to_vec()).or_default() += 1;
        }
        let mut all = Self::default();
        for (pieces, name) in globs {
            let rarest = pieces.into_iter().min_by_key(|piece| count.get(end(piece)).copied());
            match rarest {
                Some(piece) => {
                    all.lengths.insert(end(&piece).len());
                    all.pieces.entry(end(&piece).to_vec()).or_default().push((piece, name));
                }
                None => all.always.push(name),
            }
        }
        all
    }

    /// The names of all globs that may match a text, or a beginning of it.
    pub(super) fn of<'l>(&'l self, text: &'l str) -> impl Iterator<Item = &'l EntityUid> {
        let text = text.as_bytes();
        let ends = (1..=text.len()).filter_map(|end| text.get(..end));
        let found = ends.flat_map(move |before| {
            let keys = self
                .lengths
                .iter()
                .filter_map(move |length| self.pieces.get(before.get(before.len().checked_sub(*length)?..)?));
            keys.flatten().filter(move |(piece, _)| before.ends_with(piece)).map(|(_, name)| name)
        });
        found.chain(&self.always)
    }
}

fn end(piece: &[u8]) -> &[u8] {
    piece.get(piece.len().saturating_sub(END)..).unwrap_or(piece)
}

/// The texts that every match of a glob holds. Slashes at their ends may be missing in a match.
fn pieces(glob: &str) -> Vec<Vec<u8>> {
    let (mut found, mut piece, mut depth) = (Vec::new(), String::new(), 0_usize);
    let mut characters = glob.chars().peekable();
    while let Some(character) = characters.next() {
        let special = matches!(character, '*' | '?' | '[' | ']' | '{' | '}' | '\\');
        if special || depth > 0 {
            found.push(std::mem::take(&mut piece));
        } else {
            piece.push(character);
        }
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            // A bracket that would close a class at once belongs to it.
            '[' => {
                characters.next_if(|next| matches!(next, '!' | '^'));
                characters.next();
                characters.by_ref().find(|next| *next == ']');
            }
            // Whatever it is, it stands for itself, but not in this spelling.
            '\\' => drop(characters.next()),
            _ => {}
        }
    }
    // What is left open is no glob; then nothing is known.
    if depth > 0 {
        return Vec::new();
    }
    found.push(piece);
    let trimmed = found.iter().map(|piece| piece.trim_matches('/')).filter(|piece| !piece.is_empty());
    trimmed.map(|piece| piece.as_bytes().to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Literals, pieces};
    use crate::cedar::Authority;

    #[test]
    fn every_match_holds_the_pieces() {
        let cases = [
            // glob -> pieces
            ("/w/src/**", vec!["w/src"]),
            ("/w/**/x?.rs", vec!["w", "x", ".rs"]),
            ("/w/{a,b}/[cd]e", vec!["w", "e"]),
            ("/w[*]/a\\*b/c", vec!["w", "a", "b/c"]),
            ("/**", vec![]),
            ("/w/[]a]b", vec!["w", "b"]),
            ("/w/[!]a]b", vec!["w", "b"]),
        ];
        for (glob, want) in cases {
            let found: Vec<String> =
                pieces(glob).into_iter().map(|piece| String::from_utf8(piece).unwrap()).collect();
            assert_eq!(found, want, "{glob}");
        }
    }

    #[test]
    fn a_glob_that_matches_is_always_found() {
        let globs = ["/w/src/**", "/w/*/n1.txt", "/**/k1*", "/w/{a,b}/c", "/**", "/w/[]a]b", "/w/[!]b]c"];
        let paths =
            ["/w/src", "/w/src/a", "/w/x/n1.txt", "/a/k12/x", "/w/a/c", "/w/]b", "/w/ab", "/w/xc", "/z"];
        let named: Vec<_> = globs
            .iter()
            .map(|glob| ((*glob).to_owned(), Authority::Skill((*glob).to_owned()).entity()))
            .collect();
        let literals = Literals::new(named);
        for path in paths {
            let found: Vec<&str> = literals.of(path).map(|name| name.id().unescaped()).collect();
            for glob in globs {
                let pattern = globset::GlobBuilder::new(glob).literal_separator(true).build().unwrap();
                let trunk = glob.strip_suffix("/**").unwrap_or(glob) == path;
                if pattern.compile_matcher().is_match(path) || trunk {
                    assert!(found.contains(&glob), "{glob} {path}");
                }
            }
        }
    }
}
