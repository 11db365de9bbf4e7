//! Values in parts: halves in two arguments, all but the first letters, a field for each part.
//!
//! Of a value there is a short hash of every six letters and digits of it, without case. They are looked up only
//! in a text that may have some of them, which [`Grams`](super::grams::Grams) tell. What they find counts
//! when the pieces of one value together are most of it.
//!
//! Only a value that looks drawn at random is looked for in this way: the words of a pass phrase stand in every
//! text. Hashes of six letters hide a value from a glance, not from somebody who reads the memory of the gate
//! and tries them all.

use call::{Sha256, Span};

use super::table::{WINDOW, short_hash};

/// Letters and digits that a value must have to be looked for in parts.
const SHORTEST: usize = 16;

/// How much of a value is never told from its parts, if it is as short as that.
const SPARED: usize = 3;

/// Values with the same letters that are followed at one place of a text.
const MOST: usize = 64;

/// A value by its parts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pieced {
    // Tells it from others.
    digest: Sha256,
    // Letters of a piece that counts.
    shortest: usize,
    // For each window of six letters its hash, and whether it looks random.
    windows: Vec<(u32, bool)>,
}

impl Pieced {
    /// Of a value that can be told by its parts; also the letters that it has parts of.
    pub(super) fn of(value: &[u8]) -> Option<(Self, Vec<u8>)> {
        // The beginning of a JSON Web Token is the same in many; only its signature is its own.
        let own = if value.starts_with(b"eyJ") { value.rsplit(|&byte| byte == b'.').next()? } else { value };
        let letters: Vec<u8> = own.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
        if letters.len() < SHORTEST || !looks_random(&letters) {
            return None;
        }
        let has = |is: fn(&u8) -> bool| letters.iter().any(is);
        let mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
        // Six hexadecimal digits may be the same by chance.
        let shortest = if mixed { WINDOW } else { WINDOW + 2 };
        let lowered = letters.to_ascii_lowercase();
        let random = letters.array_windows::<WINDOW>().map(|window| changes(window) >= 2);
        let windows = lowered.array_windows().map(short_hash).zip(random).collect();
        Some((Self { digest: Sha256::of(&lowered), shortest, windows }, lowered))
    }

    /// Letters of a piece that counts.
    pub(super) const fn shortest(&self) -> usize {
        self.shortest
    }

    /// Letters that must be found.
    fn needed(&self) -> usize {
        let length = self.windows.len() + WINDOW - 1;
        (length - SPARED).min(SHORTEST).max((2 * length).div_ceil(3))
    }
}

/// Is this drawn at random? Then letters, capitals and digits change often.
pub(super) fn looks_random(letters: &[u8]) -> bool {
    let seen = letters.iter().fold(0_u128, |seen, byte| seen | 1_u128 << (byte.to_ascii_lowercase() & 127));
    seen.count_ones() >= 8 && changes(letters) * 3 >= letters.len()
}

/// How often a letter, a capital or a digit is followed by one of the others.
fn changes(letters: &[u8]) -> usize {
    let kind = |byte: u8| (byte.is_ascii_digit(), byte.is_ascii_uppercase());
    letters.array_windows().filter(|[left, right]| kind(*left) != kind(*right)).count()
}

/// Values by their parts.
#[derive(Clone, Default)]
pub(super) struct Pieces {
    values: Vec<Pieced>,
    // Sorted.
    windows: Vec<Window>,
}

/// A window of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Window {
    hash: u32,
    value: usize,
    at: usize,
    random: bool,
}

/// A piece of a value in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    value: usize,
    /// Of the value.
    at: usize,
    start: usize,
    windows: usize,
    random: usize,
}

impl Pieces {
    pub(super) fn of(mut values: Vec<Pieced>) -> Self {
        values.sort();
        values.dedup();
        let all = values.iter().enumerate().flat_map(|(value, pieced)| {
            let windows = pieced.windows.iter().enumerate();
            windows.map(move |(at, &(hash, random))| Window { hash, value, at, random })
        });
        let mut windows: Vec<Window> = all.collect();
        windows.sort();
        Self { values, windows }
    }

    /// The values of both.
    pub(super) fn with(&self, other: &Self) -> Self {
        Self::of(self.values.iter().chain(&other.values).cloned().collect())
    }

    /// Where in `letters` pieces stand that together are most of a value. Letters that are not free belong to
    /// something else.
    pub(super) fn search(&self, letters: &[u8], free: &[bool]) -> Vec<Span> {
        if self.windows.is_empty() {
            return Vec::new();
        }
        let mut pieces = self.pieces(letters, free);
        pieces.sort();
        let of_one = pieces.chunk_by(|left, right| left.value == right.value);
        of_one.filter(|pieces| self.is_most(pieces)).flatten().map(Piece::span).collect()
    }

    /// All pieces that count.
    fn pieces(&self, letters: &[u8], free: &[bool]) -> Vec<Piece> {
        let mut found = Vec::new();
        let counts = |piece: &Piece| {
            let shortest = self.values.get(piece.value).map_or(usize::MAX, |value| value.shortest);
            piece.length() >= shortest && piece.random * 2 >= piece.windows
        };
        // Those that go on here, in the order of their windows.
        let mut open: Vec<Piece> = Vec::new();
        for (start, window) in letters.array_windows::<WINDOW>().enumerate() {
            let is_free = |place: usize| free.get(place).copied().unwrap_or_default();
            let here = if is_free(start) && is_free(start + WINDOW - 1) { self.at(window) } else { &[] };
            if here.is_empty() && open.is_empty() {
                continue;
            }
            let mut before = std::mem::take(&mut open).into_iter().peekable();
            for window in here.iter().take(MOST) {
                let place = (window.value, window.at);
                while let Some(ended) = before.next_if(|piece| piece.goes_on_at() < place) {
                    found.extend(Some(ended).filter(counts));
                }
                let begun = before.next_if(|piece| piece.goes_on_at() == place).unwrap_or(Piece {
                    value: window.value,
                    at: window.at,
                    start,
                    windows: 0,
                    random: 0,
                });
                open.push(Piece {
                    windows: begun.windows + 1,
                    random: begun.random + usize::from(window.random),
                    ..begun
                });
            }
            found.extend(before.filter(counts));
        }
        found.extend(open.into_iter().filter(counts));
        found
    }

    /// The windows with these letters.
    fn at(&self, letters: &[u8; WINDOW]) -> &[Window] {
        let hash = short_hash(letters);
        let first = self.windows.partition_point(|window| window.hash < hash);
        let rest = self.windows.get(first..).unwrap_or_default();
        let length = rest.iter().take_while(|window| window.hash == hash).count();
        rest.get(..length).unwrap_or_default()
    }

    /// Are these pieces of one value, in its order, together most of it?
    fn is_most(&self, pieces: &[Piece]) -> bool {
        let (mut covered, mut end) = (0, 0);
        for piece in pieces {
            let to = piece.at + piece.length();
            covered += to.saturating_sub(piece.at.max(end));
            end = end.max(to);
        }
        let value = pieces.first().and_then(|piece| self.values.get(piece.value));
        value.is_some_and(|value| covered >= value.needed())
    }
}

impl Piece {
    const fn length(&self) -> usize {
        self.windows + WINDOW - 1
    }

    /// The window of the value that would go on with it.
    const fn goes_on_at(&self) -> (usize, usize) {
        (self.value, self.at + self.windows)
    }

    const fn span(&self) -> Span {
        Span::new(self.start, self.start + self.length())
    }
}
