//! Words that say where a closer look is due, of everybody who looks: one search for all of them.

use std::sync::LazyLock;

use crate::keywords::{Case, Hit, Keywords, Letters};
use crate::view::Kept;
use crate::{markup, payload, secret};

/// Everybody's words, one list behind the other, and where the second and the third list begin.
static WORDS: LazyLock<(Keywords, usize, usize)> = LazyLock::new(|| {
    let mut words: Vec<(&str, Case)> = secret::words().collect();
    let marks = words.len();
    words.extend(markup::MARKS.iter().map(|&mark| (mark, Case::Either)));
    let commands = words.len();
    words.extend(payload::words().map(|word| (word, Case::Either)));
    (Keywords::new(words, Letters::Three), marks, commands)
});

/// Where the words stand in one text.
pub(crate) struct Landmarks(Vec<Hit>);

impl Landmarks {
    pub(crate) fn of(text: &str) -> Self {
        Self(WORDS.0.find(text.as_bytes()))
    }

    /// The same, for a text that has these stretches of one whose landmarks are known.
    pub(crate) fn again(&self, text: &str, kept: &[Kept]) -> Self {
        Self(WORDS.0.find_again(text.as_bytes(), kept, &self.0))
    }

    /// Where [`secret::words`] stand, numbered as there.
    pub(crate) fn secrets(&self) -> Vec<Hit> {
        self.between(0, WORDS.1)
    }

    /// Where [`markup::MARKS`] stand, numbered as there.
    pub(crate) fn marks(&self) -> Vec<Hit> {
        self.between(WORDS.1, WORDS.2)
    }

    /// Where [`payload::words`] stand, numbered as there.
    pub(crate) fn commands(&self) -> Vec<Hit> {
        self.between(WORDS.2, usize::MAX)
    }

    fn between(&self, first: usize, end: usize) -> Vec<Hit> {
        let hits = self.0.iter().filter(|hit| (first..end).contains(&hit.word));
        hits.map(|hit| Hit { word: hit.word - first, ..*hit }).collect()
    }
}
