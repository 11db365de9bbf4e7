//! Words that say where a closer look is due, of everybody who looks: one search for all of them.

use std::ops::Range;
use std::sync::LazyLock;

use crate::keywords::{Case, Hit, Keywords, Letters};
use crate::view::Kept;
use crate::{act, markup, payload, secret};

/// Everybody's words, one list behind the other.
struct Words {
    keywords: Keywords,
    secrets: Range<usize>,
    marks: Range<usize>,
    commands: Range<usize>,
    acts: Range<usize>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words: Vec<(&str, Case)> = Vec::new();
    let mut add = |list: &mut dyn Iterator<Item = (&'static str, Case)>| {
        let first = words.len();
        words.extend(list);
        first..words.len()
    };
    let either = |word: &'static str| (word, Case::Either);
    let secrets = add(&mut secret::words());
    let marks = add(&mut markup::MARKS.iter().copied().map(either));
    let commands = add(&mut payload::words().map(either));
    let acts = add(&mut act::words().map(either));
    Words { keywords: Keywords::new(words, Letters::Three), secrets, marks, commands, acts }
});

/// Where the words stand in one text.
pub(crate) struct Landmarks(Vec<Hit>);

impl Landmarks {
    pub(crate) fn of(text: &str) -> Self {
        Self(WORDS.keywords.find(text.as_bytes()))
    }

    /// The same, for a text that has these stretches of one whose landmarks are known.
    pub(crate) fn again(&self, text: &str, kept: &[Kept]) -> Self {
        Self(WORDS.keywords.find_again(text.as_bytes(), kept, &self.0))
    }

    /// Where [`secret::words`] stand, numbered as there.
    pub(crate) fn secrets(&self) -> Vec<Hit> {
        self.among(&WORDS.secrets)
    }

    /// Where [`markup::MARKS`] stand, numbered as there.
    pub(crate) fn marks(&self) -> Vec<Hit> {
        self.among(&WORDS.marks)
    }

    /// Where [`payload::words`] stand, numbered as there.
    pub(crate) fn commands(&self) -> Vec<Hit> {
        self.among(&WORDS.commands)
    }

    /// Where [`act::words`] stand, numbered as there.
    pub(crate) fn acts(&self) -> Vec<Hit> {
        self.among(&WORDS.acts)
    }

    fn among(&self, words: &Range<usize>) -> Vec<Hit> {
        let hits = self.0.iter().filter(|hit| words.contains(&hit.word()));
        hits.map(|hit| hit.renumbered(words.start)).collect()
    }
}
