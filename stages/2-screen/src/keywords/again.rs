//! The words in a text, most of which was searched before.
//!
//! What was found inside a stretch of the old text is there in the new one, too. Only what is new, and the
//! seams around it, need to be searched.

use call::Span;

use super::seams::{OUTER, Seams};
use super::{Hit, Keywords};
use crate::reading::letters::Rest;
use crate::view::Kept;

impl Keywords {
    /// As [`Self::find`], where it is known what `before` was found in the text that these stretches were
    /// kept from. Only what is not inside one of them is searched for.
    pub(crate) fn find_again(&self, text: &[u8], kept: &[Kept], before: &[Hit]) -> Vec<Hit> {
        // A word that is only partly inside ends or begins not farther inside than it is long.
        let edge = self.longest;
        let kept: Vec<Kept> = kept.iter().filter(|stretch| stretch.length > 2 * edge).copied().collect();
        let mut hits = Vec::with_capacity(before.len() + 8);
        let mut fresh = 0;
        for stretch in &kept {
            self.find_fresh(text, Span::new(fresh, stretch.at + edge), &kept, &mut hits);
            hits.extend(inside(before, *stretch));
            fresh = stretch.at + stretch.length - edge;
        }
        self.find_fresh(text, Span::new(fresh, text.len()), &kept, &mut hits);
        hits
    }

    /// Adds the words in a part of the text that are not inside one of these stretches.
    fn find_fresh(&self, text: &[u8], part: Span, kept: &[Kept], hits: &mut Vec<Hit>) {
        let mut found = Vec::new();
        self.words_in(text, part, &mut found);
        for hit in found {
            let behind = kept.partition_point(|stretch| stretch.at <= hit.start);
            let stretch = behind.checked_sub(1).and_then(|last| kept.get(last));
            if stretch.is_none_or(|stretch| hit.end() > stretch.at + stretch.length) {
                self.add(hit, hits);
            }
        }
    }

    /// The same in what is left of letters, in all of which `before` was found.
    pub(crate) fn find_in_rest(&self, rest: &Rest<'_>, before: &[Hit]) -> Vec<Hit> {
        let (letters, stretches) = rest.parts();
        let mut hits = Vec::with_capacity(before.len() + 8);
        let seams = self.seams();
        // Where no word goes over a seam, what stands on either side of it has nothing to do with the other.
        for group in stretches.chunk_by(|left, right| may_go_over(seams, letters, *left, *right)) {
            match group {
                [alone] => hits.extend(inside(before, *alone)),
                _ => self.find_in_group(letters, group, before, &mut hits),
            }
        }
        hits
    }

    /// Of its words, all of which are searched for as they are written.
    fn seams(&self) -> &Seams {
        self.seams.get_or_init(|| {
            let mut seams = Seams::none();
            self.words.iter().for_each(|word| seams.add(&word.text));
            seams
        })
    }

    /// The same in stretches that follow each other.
    fn find_in_group(&self, letters: &[u8], group: &[Kept], before: &[Hit], hits: &mut Vec<Hit>) {
        let edge = self.longest;
        let mut found = Vec::new();
        let mut seam = Seam { at: group.first().map_or(0, |first| first.at), ..Seam::default() };
        for stretch in group {
            let letters = letters.get(stretch.from..stretch.from + stretch.length).unwrap_or_default();
            match (letters.get(..edge), letters.len().checked_sub(edge).and_then(|last| letters.get(last..)))
            {
                (Some(first), Some(last)) if letters.len() > 2 * edge => {
                    seam.letters.extend_from_slice(first);
                    self.find_across(&seam, edge, &mut found, hits);
                    hits.extend(inside(before, *stretch));
                    seam.begin(last, stretch.at + stretch.length - edge);
                }
                _ => seam.letters.extend_from_slice(letters),
            }
        }
        self.find_across(&seam, 0, &mut found, hits);
    }

    /// Adds the words at a seam that are not inside the long stretch in front of it, or inside the one
    /// behind it, of which so many letters are there. `found` is there to be used again.
    fn find_across(&self, seam: &Seam, behind: usize, found: &mut Vec<Hit>, hits: &mut Vec<Hit>) {
        let letters = &seam.letters;
        found.clear();
        self.words_in(letters, Span::new(0, letters.len()), found);
        for hit in found {
            if hit.end() > seam.in_front && hit.start < letters.len() - behind {
                self.add(Hit { start: hit.start + seam.at, ..*hit }, hits);
            }
        }
    }
}

/// The letters where stretches meet: the last ones of a long stretch, short ones, and the first ones of the
/// next long stretch.
#[derive(Default)]
struct Seam {
    letters: Vec<u8>,
    at: usize,
    // How many are of the long stretch in front.
    in_front: usize,
}

impl Seam {
    /// Begins a new one with these letters, which stand at `at`.
    fn begin(&mut self, letters: &[u8], at: usize) {
        self.letters.clear();
        self.letters.extend_from_slice(letters);
        (self.at, self.in_front) = (at, letters.len());
    }
}

/// Could a word go over from one stretch into the next? Where there are too few letters to tell, it could.
fn may_go_over(seams: &Seams, letters: &[u8], left: Kept, right: Kept) -> bool {
    let of = |stretch: Kept| letters.get(stretch.from..stretch.from + stretch.length);
    let front = of(left).and_then(<[u8]>::last_chunk::<OUTER>);
    let behind = of(right).and_then(<[u8]>::first_chunk::<OUTER>);
    let (Some(front), Some(behind)) = (front, behind) else { return true };
    let mut around = [0; 2 * OUTER];
    around.iter_mut().zip(front.iter().chain(behind)).for_each(|(place, letter)| *place = *letter);
    seams.may_go_over(&around)
}

/// What was found inside a stretch before, where it stands now.
fn inside(before: &[Hit], stretch: Kept) -> impl Iterator<Item = Hit> {
    let end = stretch.from + stretch.length;
    let first = before.partition_point(|hit| hit.start < stretch.from);
    let hits = before.get(first..).unwrap_or_default().iter().take_while(move |hit| hit.start < end);
    let now = move |hit: &Hit| Hit { start: hit.start - stretch.from + stretch.at, ..*hit };
    hits.filter(move |hit| hit.end() <= end).map(now)
}

#[cfg(test)]
mod tests {
    use super::super::{Case, Letters as Count};
    use super::{Kept, Keywords, Span};
    use crate::reading::alphabet::Alphabet;
    use crate::reading::letters::Letters;

    fn keywords() -> Keywords {
        Keywords::new(["run", "rune", "uner"].map(|word| (word, Case::Exact)), Count::Four)
    }

    #[test]
    fn what_was_found_before_need_not_be_searched_for() {
        let before = b"aruneqrunesqqrununerqqq";
        let hits = keywords().find(before);
        for (from, length, at) in [(0, 23, 2), (3, 11, 2), (4, 9, 0), (2, 20, 1), (8, 4, 3)] {
            let text = [b"rune".get(..at).unwrap(), &before[from..from + length], b"nerun"].concat();
            let again = keywords().find_again(&text, &[Kept { from, at, length }], &hits);
            assert_eq!(again, keywords().find(&text), "{from} {length} {at}");
        }
    }

    #[test]
    fn what_is_left_has_the_same_words_as_if_written_out() {
        let text = "aruneqrunesqqrununerqqqrrunenerunrun".repeat(2);
        let letters = Letters::of(&text, Alphabet::Plain);
        let hits = keywords().find(letters.as_bytes());
        for first in 0..text.len() {
            for (cut, second, more) in [(1, 2, 1), (3, 9, 2), (5, 10, 1), (2, 30, 4), (9, 1, 0)] {
                let ends = [0, first, first + cut, first + cut + second, first + cut + second + more];
                let [start, one, two, three, four] = ends.map(|end| end.min(text.len()));
                let parts = [Span::new(start, one), Span::new(two, three), Span::new(four, text.len())];
                let left: String = parts.iter().filter_map(|part| part.of(&text)).collect();
                let again = keywords().find_in_rest(&letters.rest(&parts), &hits);
                assert_eq!(again, keywords().find(left.as_bytes()), "{left}");
            }
        }
    }
}
