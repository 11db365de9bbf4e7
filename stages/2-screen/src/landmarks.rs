//! Words that say where a closer look is due, of everybody who looks: one search for all of them.

use std::sync::LazyLock;

use crate::keywords::{Case, Hit, Keywords, Letters};
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

/// Where the words stand in one text; numbered as in the lists they come from, in order of the text.
pub(crate) struct Landmarks {
    /// Of [`secret::words`].
    pub(crate) secrets: Vec<Hit>,
    /// Of [`markup::MARKS`].
    pub(crate) marks: Vec<Hit>,
    /// Of [`payload::words`].
    pub(crate) commands: Vec<Hit>,
}

impl Landmarks {
    pub(crate) fn of(text: &str) -> Self {
        let (words, marks, commands) = &*WORDS;
        let mut landmarks = Self { secrets: Vec::new(), marks: Vec::new(), commands: Vec::new() };
        for hit in words.find(text.as_bytes()) {
            if let Some(word) = hit.word.checked_sub(*commands) {
                landmarks.commands.push(Hit { word, ..hit });
            } else if let Some(word) = hit.word.checked_sub(*marks) {
                landmarks.marks.push(Hit { word, ..hit });
            } else {
                landmarks.secrets.push(hit);
            }
        }
        landmarks
    }
}
