//! A table that says of a few letters whether some word has them as its rarest ones.

use super::Letters;

/// Which few letters have words?
pub(super) enum Sieve {
    Three(Box<Threes>),
    Four(Box<Fours>),
}

/// For each hash of three letters, whether a word may have them.
pub(super) struct Threes([u8; Threes::HASHES]);

/// One bit for each hash of four letters.
pub(super) struct Fours([u64; Fours::HASHES / 64]);

impl Sieve {
    /// One that lets nothing pass, and looks at so many letters at a time.
    pub(super) fn new(letters: Letters) -> Self {
        match letters {
            Letters::Three => Self::Three(Box::new(Threes([0; Threes::HASHES]))),
            Letters::Four => Self::Four(Box::new(Fours([0; Fours::HASHES / 64]))),
        }
    }

    /// Lets places pass where these letters of `word` end, which are its last ones before `end`.
    pub(super) fn let_pass(&mut self, word: &[u8], end: usize) {
        let Some((front, behind)) = word.split_at_checked(end) else { return };
        let last = window_of(front);
        match self {
            Self::Three(threes) => threes.add(last),
            // Only every second place is looked at: the end of these letters, or one letter later.
            Self::Four(fours) => {
                let neighbours = Neighbours::of(word);
                match front.len() {
                    ..4 => neighbours.each(|letter| fours.add((letter << 24) | last)),
                    _ => fours.add(last),
                }
                match behind.first() {
                    Some(&next) => fours.add((last << 8) | u32::from(next)),
                    None => neighbours.each(|letter| fours.add((last << 8) | letter)),
                }
            }
        }
    }

    /// Calls `found` with every place of `text` where letters may end that a word has, in order.
    #[inline]
    pub(super) fn pass(&self, text: &[u8], found: impl FnMut(usize)) {
        match self {
            Self::Three(threes) => threes.pass(text, found),
            Self::Four(fours) => fours.pass(text, found),
        }
    }
}

impl Threes {
    const HASHES: usize = 1 << 14;

    /// The letter in front of the last three is shifted out of the product.
    const fn hash(window: u64) -> usize {
        ((window as u32).wrapping_mul(MULTIPLIER << 8) >> (u32::BITS - Self::HASHES.ilog2())) as usize
    }

    fn add(&mut self, window: u32) {
        let hash = Self::hash(u64::from(folded(window)));
        self.0.get_mut(hash).into_iter().for_each(|known| *known = 1);
    }

    #[inline]
    fn knows(&self, window: u64) -> u8 {
        self.0.get(Self::hash(window)).copied().unwrap_or_default()
    }

    fn pass(&self, text: &[u8], mut found: impl FnMut(usize)) {
        // Eight letters are read at once, and eight windows end with one of them.
        let (eights, rest) = text.as_chunks::<8>();
        let mut before = 0_u64;
        let mut at = 0;
        for eight in eights {
            let eight = u64::from_be_bytes(*eight) | FOLDED;
            let windows = [
                (before << 8) | (eight >> 56),
                (before << 16) | (eight >> 48),
                eight >> 40,
                eight >> 32,
                eight >> 24,
                eight >> 16,
                eight >> 8,
                eight,
            ];
            if windows.iter().fold(0, |any, &window| any | self.knows(window)) != 0 {
                for (window, place) in windows.into_iter().zip(1..) {
                    if self.knows(window) != 0 {
                        found(at + place);
                    }
                }
            }
            before = eight;
            at += 8;
        }
        for &letter in rest {
            before = (before << 8) | u64::from(letter | 0x20);
            at += 1;
            if self.knows(before) != 0 {
                found(at);
            }
        }
    }
}

impl Fours {
    const HASHES: usize = 1 << 17;

    const fn hash(window: u64) -> usize {
        ((window as u32).wrapping_mul(MULTIPLIER) >> (u32::BITS - Self::HASHES.ilog2())) as usize
    }

    fn add(&mut self, window: u32) {
        let hash = Self::hash(u64::from(window));
        self.0.get_mut(hash / 64).into_iter().for_each(|known| *known |= 1 << (hash % 64));
    }

    #[inline]
    fn knows(&self, window: u64) -> bool {
        let hash = Self::hash(window);
        (self.0.get(hash / 64).copied().unwrap_or_default() >> (hash % 64)) & 1 == 1
    }

    fn pass(&self, text: &[u8], mut found: impl FnMut(usize)) {
        // Letters end at the place that is looked at, or one in front of it.
        let mut both = |place: usize| {
            found(place - 1);
            found(place);
        };
        let (eights, rest) = text.as_chunks::<8>();
        let mut before = 0_u64;
        let mut at = 0;
        for eight in eights {
            let eight = u64::from_be_bytes(*eight);
            let windows = [(before << 16) | (eight >> 48), eight >> 32, eight >> 16, eight];
            let [one, two, three, four] = windows.map(|window| self.knows(window));
            if one | two | three | four {
                let known = [(one, 2), (two, 4), (three, 6), (four, 8)];
                known.into_iter().filter(|(known, _)| *known).for_each(|(_, place)| both(at + place));
            }
            before = eight;
            at += 8;
        }
        for pair in rest.chunks(2) {
            let letter = |place: usize| pair.get(place).copied().map_or(0, u64::from);
            before = (before << 16) | (letter(0) << 8) | letter(1);
            at += 2;
            if self.knows(before) {
                both(at);
            }
        }
    }
}

/// What may stand beside a word: nothing, or any letter of its kind.
enum Neighbours {
    SmallLetters,
    Anything,
}

impl Neighbours {
    fn of(word: &[u8]) -> Self {
        if word.is_ascii() { Self::SmallLetters } else { Self::Anything }
    }

    fn each(&self, mut found: impl FnMut(u32)) {
        let letters = match self {
            Self::SmallLetters => b'a'..=b'z',
            Self::Anything => 1..=u8::MAX,
        };
        found(0);
        letters.for_each(|letter| found(u32::from(letter)));
    }
}

/// Up to four letters, the last of these, as the search has them.
pub(super) fn window_of(letters: &[u8]) -> u32 {
    letters.iter().fold(0, |window, &letter| (window << 8) | u32::from(letter))
}

/// Small and capital letters alike; and some signs, but this only says where to look closer.
pub(super) const fn folded(window: u32) -> u32 {
    window | FOLDED as u32
}

const FOLDED: u64 = 0x2020_2020_2020_2020;

/// An odd number without a pattern in its bits.
pub(super) const MULTIPLIER: u32 = 0x9E37_79B1;
