//! Could one of these words go over a seam, where letters meet that did not stand side by side before?
//!
//! Says yes wherever one does, and no nearly everywhere else, from the few letters around the seam.

/// So many letters on either side of a seam are looked at.
pub(crate) const OUTER: usize = 5;

/// The letters around a seam, which lies in their middle. What stands behind the end of a text is a zero, which
/// no word has.
pub(crate) type Around = [u8; 2 * OUTER];

/// What is known of words: every four letters side by side in one of them; short words, and every six letters
/// side by side in others.
pub(crate) struct Seams {
    fours: Grams,
    words: Grams,
}

/// How many letters of a word tell that it goes over a seam: all of a short one.
fn few(word: &[u8]) -> usize {
    word.len().clamp(3, OUTER + 1)
}

/// The letters of a word by which it is known to go over a seam: itself, if it is short, or every six of them.
pub(crate) fn parts(word: &[u8]) -> impl Iterator<Item = Gram> {
    word.windows(few(word)).map(Gram::of)
}

impl Seams {
    pub(crate) fn none() -> Self {
        Self { fours: Grams::none(), words: Grams::none() }
    }

    /// Words of fewer than three letters go over nothing.
    pub(crate) fn add(&mut self, word: &[u8]) {
        word.windows(4).for_each(|four| self.fours.add(Gram::of(four)));
        parts(word).for_each(|part| self.words.add(part));
    }

    /// Could a word stand over this seam among letters?
    #[inline]
    pub(crate) fn may_go_over(&self, around: &Around) -> bool {
        let around = Written::of(around);
        // Told by four letters for nearly all words, and by three for those of three.
        let told = self.fours.hold(around.gram(2, 4))
            | self.fours.hold(around.gram(3, 4))
            | self.fours.hold(around.gram(4, 4))
            | self.words.hold(around.gram(3, 3))
            | self.words.hold(around.gram(4, 3));
        told && self.over(around).next().is_some()
    }

    /// The [`parts`] of words that may stand over this seam.
    #[inline]
    pub(crate) fn parts_over(&self, around: &Around) -> impl Iterator<Item = Gram> {
        self.over(Written::of(around))
    }

    #[inline]
    fn over(&self, around: Written) -> impl Iterator<Item = Gram> {
        let windows =
            (3..=OUTER + 1).flat_map(|count| (OUTER + 1 - count..OUTER).map(move |from| (from, count)));
        windows.map(move |(from, count)| around.gram(from, count)).filter(|&part| self.words.hold(part))
    }
}

/// The letters around a seam as one number, so that a few of them side by side are told by two shifts.
#[derive(Clone, Copy)]
struct Written(u128);

impl Written {
    #[inline]
    fn of(around: &Around) -> Self {
        let mut bytes = [0; 16];
        bytes.iter_mut().skip(16 - around.len()).zip(around).for_each(|(place, letter)| *place = *letter);
        Self(u128::from_be_bytes(bytes))
    }

    /// So many of them, from one on.
    #[inline]
    const fn gram(self, from: usize, count: usize) -> Gram {
        let behind = (2 * OUTER - from - count) * 8;
        let one = 1 << (8 * count);
        Gram(((self.0 >> behind) as u64 & (one - 1)) | one)
    }
}

/// A few letters side by side, with a one in front of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Gram(u64);

impl Gram {
    fn of(letters: &[u8]) -> Self {
        Self(letters.iter().fold(1, |all, letter| (all << 8) | u64::from(*letter)))
    }
}

/// A set of a few letters side by side; some more may be taken for ones of it.
struct Grams(Box<[u64; 1 << 10]>);

impl Grams {
    fn none() -> Self {
        Self(Box::new([0; 1 << 10]))
    }

    /// Two bits of the set.
    #[inline]
    const fn bits(Gram(letters): Gram) -> [(usize, u64); 2] {
        let hash = letters.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let (first, second) = (hash >> 48, hash >> 32 & 0xFFFF);
        [((first >> 6) as usize, 1 << (first & 63)), ((second >> 6) as usize, 1 << (second & 63))]
    }

    fn add(&mut self, letters: Gram) {
        for (place, bit) in Self::bits(letters) {
            self.0.get_mut(place).into_iter().for_each(|bits| *bits |= bit);
        }
    }

    #[inline]
    fn hold(&self, letters: Gram) -> bool {
        let held = |(place, bit): (usize, u64)| self.0.get(place).is_some_and(|bits| bits & bit != 0);
        let [first, second] = Self::bits(letters);
        held(first) && held(second)
    }
}

#[cfg(test)]
mod tests {
    use super::{Gram, OUTER, Seams, parts};

    #[test]
    fn a_word_goes_over_every_place_in_it() {
        let words = ["run", "rune", "runes", "ignore", "disregard"];
        let mut seams = Seams::none();
        words.iter().for_each(|word| seams.add(word.as_bytes()));
        for word in words {
            for place in 1..word.len() {
                let letters = [&[0; OUTER], word.as_bytes(), &[b'q'; OUTER]].concat();
                let around = letters[place..].first_chunk().unwrap();
                assert!(seams.may_go_over(around), "{word} {place}");
                let over: Vec<Gram> = seams.parts_over(around).collect();
                assert!(parts(word.as_bytes()).any(|part| over.contains(&part)), "{word} {place}");
            }
        }
        assert!(!seams.may_go_over(b"\0ignoqqrun"));
    }
}
