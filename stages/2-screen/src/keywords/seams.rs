//! Could one of these words go over a seam, where letters meet that did not stand side by side before?
//!
//! Says yes wherever one does, and no nearly everywhere else, from the few letters around the seam.

/// So many letters on either side of a seam are looked at.
pub(crate) const OUTER: usize = 5;

/// What is known of words: every four letters side by side in one of them; short words, and every six letters
/// side by side in others.
pub(crate) struct Seams {
    fours: Grams,
    words: Grams,
}

/// How many letters of a word tell that it goes over a seam: all of a short one.
pub(crate) fn few(word: &[u8]) -> usize {
    word.len().clamp(3, OUTER + 1)
}

impl Seams {
    pub(crate) fn none() -> Self {
        Self { fours: Grams::none(), words: Grams::none() }
    }

    /// Words of fewer than three letters go over nothing.
    pub(crate) fn add(&mut self, word: &[u8]) {
        word.windows(4).for_each(|four| self.fours.add(four));
        word.windows(few(word)).for_each(|part| self.words.add(part));
    }

    /// May these be [`few`] letters of a word?
    #[inline]
    pub(crate) fn holds(&self, letters: &[u8]) -> bool {
        self.words.hold(letters)
    }

    /// Could a word stand over this seam among letters?
    #[inline]
    pub(crate) fn may_go_over(&self, letters: &[u8], seam: usize) -> bool {
        let around = seam.checked_sub(3).and_then(|from| letters.get(from..)?.first_chunk());
        let Some(&[first, second, third, fourth, fifth, sixth]) = around else { return true };
        // Told by four letters for nearly all words, and by three for those of three.
        let told = self.fours.hold(&[first, second, third, fourth])
            | self.fours.hold(&[second, third, fourth, fifth])
            | self.fours.hold(&[third, fourth, fifth, sixth])
            | self.words.hold(&[second, third, fourth])
            | self.words.hold(&[third, fourth, fifth]);
        told && (3..=OUTER + 1).any(|count| {
            let around = (seam + 1).saturating_sub(count)..(seam + count - 1).min(letters.len());
            letters.get(around).unwrap_or_default().windows(count).any(|letters| self.words.hold(letters))
        })
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
    fn bits(letters: &[u8]) -> [(usize, u64); 2] {
        let letters = letters.iter().fold(1, |all: u64, letter| (all << 8) | u64::from(*letter));
        let hash = letters.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        [hash >> 48, hash >> 32 & 0xFFFF].map(|place| ((place >> 6) as usize, 1 << (place & 63)))
    }

    fn add(&mut self, letters: &[u8]) {
        for (place, bit) in Self::bits(letters) {
            self.0.get_mut(place).into_iter().for_each(|bits| *bits |= bit);
        }
    }

    #[inline]
    fn hold(&self, letters: &[u8]) -> bool {
        let held = |(place, bit): (usize, u64)| self.0.get(place).is_some_and(|bits| bits & bit != 0);
        let [first, second] = Self::bits(letters);
        held(first) && held(second)
    }
}

#[cfg(test)]
mod tests {
    use super::{OUTER, Seams};

    #[test]
    fn a_word_goes_over_every_place_in_it() {
        let words = ["run", "rune", "runes", "ignore", "disregard"];
        let mut seams = Seams::none();
        words.iter().for_each(|word| seams.add(word.as_bytes()));
        for word in words {
            for place in 1..word.len() {
                let letters = [&[0; OUTER], word.as_bytes(), &[b'q'; OUTER]].concat();
                assert!(seams.may_go_over(&letters, OUTER + place), "{word} {place}");
            }
        }
        assert!(!seams.may_go_over(b"\0\0ignoqqrune", 6));
    }
}
