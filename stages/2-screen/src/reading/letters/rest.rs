//! What is left of the letters of a text when parts of the text are left out.
//!
//! Nothing is copied: nearly always it is enough to know which stretches are left, and what was found in
//! them before.

use super::Folded;
use crate::view::Kept;

/// Stretches of letters, read one behind the other.
#[derive(Debug)]
pub(crate) struct Rest<'l> {
    letters: &'l [u8],
    // In the order of the letters.
    stretches: Vec<Kept>,
}

impl<'l> Rest<'l> {
    pub(super) const fn new(letters: &'l [u8], stretches: Vec<Kept>) -> Self {
        Self { letters, stretches }
    }

    /// All letters, and which stretches of them are left.
    pub(crate) fn parts(&self) -> (&'l [u8], &[Kept]) {
        (self.letters, &self.stretches)
    }

    /// Up to so many letters in front of a place in the rest, so many from it on, and how many of them
    /// stand in front.
    pub(crate) fn around(&self, at: usize, in_front: usize, behind: usize) -> (Vec<u8>, usize) {
        let start = at.saturating_sub(in_front);
        let mut around = Vec::with_capacity(at - start + behind);
        let first = self.stretches.partition_point(|stretch| stretch.at + stretch.length <= start);
        for stretch in self.stretches.iter().skip(first) {
            let wanted = (at - start + behind).saturating_sub(around.len());
            if wanted == 0 {
                break;
            }
            let from = stretch.from + start.saturating_sub(stretch.at);
            let to = (stretch.from + stretch.length).min(from + wanted);
            around.extend_from_slice(self.letters.get(from..to).unwrap_or_default());
        }
        (around, at - start)
    }

    /// Which of all letters the one at this place in the rest is.
    pub(crate) fn letter(&self, at: usize) -> Option<usize> {
        let behind = self.stretches.partition_point(|stretch| stretch.at <= at);
        let stretch = self.stretches.get(behind.checked_sub(1)?)?;
        Some(stretch.from + (at - stretch.at)).filter(|&letter| letter < stretch.from + stretch.length)
    }
}

impl super::Letters<'_> {
    /// The letters that are left if only these parts of the text are, which are in its order.
    pub(crate) fn rest(&self, parts: &[call::Span]) -> Rest<'_> {
        let mut folded = Folded::default();
        let mut behind = 0;
        let mut before = |place: usize| {
            while self.blocks.get(behind).is_some_and(|&(from, _)| from <= place) {
                behind += 1;
            }
            self.before_in(behind, place, &mut folded)
        };
        let mut at = 0;
        let mut stretches = Vec::with_capacity(parts.len());
        for part in parts {
            let from = before(part.start);
            let length = before(part.end).saturating_sub(from);
            stretches.push(Kept { from, at, length });
            at += length;
        }
        Rest::new(&self.letters, stretches)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Alphabet, Letters};
    use call::Span;

    #[test]
    fn parts_are_read_one_behind_the_other() {
        let text = "Ig (a) \u{f2}n<b>or3 e. ".repeat(40);
        let letters = Letters::of(&text, Alphabet::Plain);
        let cuts: Vec<usize> = text.char_indices().map(|(place, _)| place).step_by(7).collect();
        let parts: Vec<Span> = cuts.chunks_exact(2).map(|cut| Span::new(cut[0], cut[1])).collect();
        let left: String = parts.iter().filter_map(|part| part.of(&text)).collect();
        let want = Letters::of(&left, Alphabet::Plain);
        let want = want.as_bytes();
        let rest = letters.rest(&parts);
        for (at, letter) in want.iter().enumerate() {
            assert_eq!(rest.letter(at).map(|place| letters.as_bytes()[place]), Some(*letter), "{at}");
            let (around, front) = rest.around(at, 9, 30);
            assert_eq!(front, at.min(9));
            assert_eq!(around, want[at - front..want.len().min(at + 30)]);
        }
        assert_eq!(rest.letter(want.len()), None);
    }
}
