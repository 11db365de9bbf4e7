//! Tokens that are written from their end, or with every letter moved by thirteen.
//!
//! Only of those shapes whose prefix is a sign of its own also then: `_phg`, `tuc_`.

use std::sync::LazyLock;

use super::shapes::SHAPES;

/// The prefixes, turned, and the two bytes by which most runs are told to have none.
struct Turned {
    forward: Vec<&'static str>,
    backward: Vec<String>,
    moved: Vec<String>,
    ends: Pairs,
    starts: Pairs,
}

static TURNED: LazyLock<Turned> = LazyLock::new(|| {
    let telling = SHAPES.iter().map(|shape| shape.prefix);
    let telling = telling
        .filter(|prefix| prefix.len() >= 4 && prefix.contains(['_', '-']) && !prefix.contains(['/', '.']));
    let telling: Vec<&str> = telling.collect();
    let backward: Vec<String> = telling.iter().map(|prefix| prefix.chars().rev().collect()).collect();
    let moved: Vec<String> = telling.iter().map(|prefix| moved(prefix)).collect();
    let ends = Pairs::of(backward.iter().filter_map(|prefix| prefix.as_bytes().last_chunk().copied()));
    let starts = Pairs::of(moved.iter().filter_map(|prefix| prefix.as_bytes().first_chunk().copied()));
    Turned { forward: telling, backward, moved, ends, starts }
});

/// The texts that a run of digits is when it is read that way; mostly none.
pub(crate) fn turned(run: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let hex = |byte: &u8| byte.is_ascii_hexdigit();
    // Most runs are hashes.
    if run.as_bytes().first_chunk::<2>().is_some_and(|pair| pair.iter().all(hex)) && !run.contains(['_', '-'])
    {
        return texts;
    }
    for part in run.split('/').filter(|part| part.len() >= 20) {
        let bytes = part.as_bytes();
        let ends = bytes.last_chunk().is_some_and(|pair| TURNED.ends.hold(*pair));
        if ends && TURNED.backward.iter().any(|prefix| part.ends_with(prefix)) {
            texts.push(part.chars().rev().collect());
        }
        let starts = bytes.first_chunk().is_some_and(|pair| TURNED.starts.hold(*pair));
        if starts && TURNED.moved.iter().any(|prefix| part.starts_with(prefix)) {
            texts.push(moved(part));
        }
    }
    texts
}

/// `text` from the first prefix on that tells a token, if something stands in front of that.
pub(crate) fn from_prefix(text: &str) -> Option<&str> {
    let place = TURNED.forward.iter().filter_map(|prefix| text.find(prefix)).min()?;
    text.get(place..).filter(|_| place > 0)
}

fn moved(text: &str) -> String {
    let moved = |byte: u8| match byte {
        b'a'..=b'm' | b'A'..=b'M' => byte + 13,
        b'n'..=b'z' | b'N'..=b'Z' => byte - 13,
        _ => byte,
    };
    text.bytes().map(moved).map(char::from).collect()
}

/// A set of pairs of bytes.
struct Pairs(Vec<u64>);

impl Pairs {
    fn of(pairs: impl Iterator<Item = [u8; 2]>) -> Self {
        let mut set = vec![0; 1 << 10];
        for pair in pairs {
            let place = usize::from(u16::from_le_bytes(pair));
            if let Some(word) = set.get_mut(place >> 6) {
                *word |= 1_u64 << (place & 63);
            }
        }
        Self(set)
    }

    fn hold(&self, pair: [u8; 2]) -> bool {
        let place = usize::from(u16::from_le_bytes(pair));
        self.0.get(place >> 6).is_some_and(|word| word >> (place & 63) & 1 == 1)
    }
}
