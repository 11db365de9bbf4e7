//! Phrases: what they are made of, and how they are found in squeezed text.
//!
//! A phrase is written in its table the way it squeezes: letters only, with `{name}` for a list of
//! words from [`words`]. The first words of all phrases are searched for at once; only where one
//! stands is the expression of its phrase tried, and only then is that expression compiled.

mod addressing;
mod approving;
mod asking;
mod exfiltrating;
mod ignoring;
mod policy_claims;
mod revealing;
mod roles;
mod running;
mod scripts;
mod words;
mod world;

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use call::{Family, Span};
use regex::bytes::{Regex, RegexBuilder};

use crate::glyph;
use crate::keywords::Keywords;
use crate::reading::script;

/// One way of saying something.
pub(crate) struct Phrase {
    /// What saying it is.
    pub(crate) kind: &'static str,
    /// How it starts: words, `|` between them.
    pub(crate) first: &'static str,
    /// How it goes on: an expression over letters.
    pub(crate) rest: &'static str,
    /// Words of which the text must hold one somewhere, else the phrase is not even tried. Only to
    /// save time: each is a part of whatever `rest` can match.
    pub(crate) needs: &'static str,
    /// Words directly in front that turn it into something else: "do not ignore …".
    pub(crate) unless_after: &'static str,
    /// Words directly in front, one of which must be there; any will do when empty.
    pub(crate) only_after: &'static str,
    /// Beginnings of words directly behind that turn it into something else: "your token count".
    pub(crate) unless_before: &'static str,
    /// A colon must follow: "new instructions:".
    pub(crate) colon: bool,
    /// It must open a sentence, as an order does: "do not follow …", not "rows that do not follow …".
    pub(crate) opening: bool,
}

impl Phrase {
    /// A phrase without conditions, to be completed in a table by `..Phrase::OF`.
    pub(crate) const OF: Self = Self {
        kind: "",
        first: "",
        rest: "",
        needs: "",
        unless_after: "",
        only_after: "",
        unless_before: "",
        colon: false,
        opening: false,
    };
}

/// A phrase found in a squeezed text.
pub(crate) struct Hit {
    pub(crate) kind: &'static str,
    pub(crate) span: Span,
    /// The phrase counts only if a colon follows it in the text that was squeezed.
    pub(crate) colon: bool,
    /// And only if it opens a sentence there.
    pub(crate) opening: bool,
}

/// Phrases that are searched for together.
pub(crate) struct Book {
    words: Keywords,
    // For each word, the entries that begin with it and the entries that need it.
    uses: Vec<Uses>,
    entries: Vec<Entry>,
}

#[derive(Default)]
struct Uses {
    begins: Vec<usize>,
    needed_by: Vec<usize>,
}

struct Entry {
    phrase: &'static Phrase,
    fold: fn(&str) -> String,
    expression: OnceLock<Option<Regex>>,
    unless_after: Vec<String>,
    only_after: Vec<String>,
    unless_before: Vec<String>,
}

/// Overrides, in languages that are written with Latin letters.
static LATIN: LazyLock<Book> = LazyLock::new(|| {
    let tables = [
        ignoring::PHRASES,
        roles::PHRASES,
        revealing::PHRASES,
        asking::PHRASES,
        exfiltrating::PHRASES,
        running::PHRASES,
        approving::PHRASES,
        addressing::PHRASES,
        world::PHRASES,
    ];
    Book::new(&tables, fold_latin)
});

/// Overrides in other scripts.
static SCRIPTS: LazyLock<Book> = LazyLock::new(|| Book::new(&[scripts::PHRASES], fold_script));

/// What a result must not ask for.
static CLAIMS: LazyLock<Book> =
    LazyLock::new(|| Book::new(&[policy_claims::PHRASES, running::IN_RESULTS], fold_latin));

impl Book {
    /// The phrases of `family` that squeezed text can hold.
    pub(crate) fn latin(family: Family) -> Option<&'static Self> {
        match family {
            Family::Override => Some(&LATIN),
            Family::Payload => Some(&CLAIMS),
            Family::Secret | Family::Injection | Family::Traversal | Family::Exfiltration => None,
        }
    }

    /// The phrases of `family` that the letters of other scripts can hold.
    pub(crate) fn scripts(family: Family) -> Option<&'static Self> {
        match family {
            Family::Override => Some(&SCRIPTS),
            Family::Secret
            | Family::Payload
            | Family::Injection
            | Family::Traversal
            | Family::Exfiltration => None,
        }
    }

    fn new(tables: &[&'static [Phrase]], fold: fn(&str) -> String) -> Self {
        let mut uses_of: BTreeMap<String, Uses> = BTreeMap::new();
        let mut entries = Vec::new();
        for phrase in tables.iter().copied().flatten() {
            for word in folded_words(phrase.first, fold) {
                uses_of.entry(word).or_default().begins.push(entries.len());
            }
            for word in folded_words(phrase.needs, fold) {
                uses_of.entry(word).or_default().needed_by.push(entries.len());
            }
            entries.push(Entry {
                phrase,
                fold,
                expression: OnceLock::new(),
                unless_after: folded_words(phrase.unless_after, fold),
                only_after: folded_words(phrase.only_after, fold),
                unless_before: folded_words(phrase.unless_before, fold),
            });
        }
        let words = Keywords::new(uses_of.keys().map(String::as_str));
        Self { words, uses: uses_of.into_values().collect(), entries }
    }

    /// All phrases of this book in `text`.
    pub(crate) fn find(&self, text: &str) -> Vec<Hit> {
        let mut worth_trying: Vec<bool> =
            self.entries.iter().map(|entry| entry.phrase.needs.is_empty()).collect();
        let mut starts = Vec::new();
        self.words.find(text.as_bytes(), |word| {
            let Some(uses) = self.uses.get(word.word) else { return };
            starts.extend(uses.begins.iter().map(|&entry| (word.start, entry)));
            for &entry in &uses.needed_by {
                worth_trying.get_mut(entry).into_iter().for_each(|worth| *worth = true);
            }
        });
        let mut hits = Vec::new();
        for (start, place) in starts {
            let worth = worth_trying.get(place).copied().unwrap_or_default();
            let Some(entry) = self.entries.get(place).filter(|_| worth) else { continue };
            if let Some(end) = entry.end(text.as_bytes(), start) {
                hits.push(Hit {
                    kind: entry.phrase.kind,
                    span: Span::new(start, end),
                    colon: entry.phrase.colon,
                    opening: entry.phrase.opening,
                });
            }
        }
        hits
    }
}

/// No phrase is longer than this, in bytes of squeezed text.
const LONGEST: usize = 320;

impl Entry {
    /// Where the phrase that starts at `start` ends, if it is one.
    fn end(&self, text: &[u8], start: usize) -> Option<usize> {
        let before = text.get(..start)?;
        let ends_with = |word: &String| before.ends_with(word.as_bytes());
        if self.unless_after.iter().any(ends_with) {
            return None;
        }
        if !self.only_after.is_empty() && !self.only_after.iter().any(ends_with) {
            return None;
        }
        let window = text.get(start..text.len().min(start + LONGEST))?;
        let expression = self.expression.get_or_init(|| self.compile()).as_ref()?;
        let length = expression.find(window)?.end();
        let behind = window.get(length..)?;
        let turned = self.unless_before.iter().any(|word| behind.starts_with(word.as_bytes()));
        (!turned).then_some(start + length)
    }

    fn compile(&self) -> Option<Regex> {
        let pattern = format!("^(?:{})(?:{})", self.phrase.first, words::spelled_out(self.phrase.rest));
        RegexBuilder::new(&(self.fold)(&pattern)).unicode(false).build().ok()
    }
}

fn folded_words(words: &str, fold: fn(&str) -> String) -> Vec<String> {
    words.split('|').filter(|word| !word.is_empty()).map(fold).collect()
}

/// As squeezed text is folded: see [`glyph::plain_letters`].
fn fold_latin(pattern: &str) -> String {
    pattern.chars().map(glyph::one_stroke).collect()
}

/// As the letters of other scripts are folded.
fn fold_script(pattern: &str) -> String {
    let mut folded = String::new();
    for character in pattern.chars() {
        match character.is_ascii() {
            true => folded.push(character),
            false => script::letters(character, &mut folded),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::{CLAIMS, LATIN, SCRIPTS};

    #[test]
    fn every_phrase_compiles() {
        for book in [&LATIN, &SCRIPTS, &CLAIMS] {
            for entry in &book.entries {
                assert!(entry.compile().is_some(), "{} {}", entry.phrase.kind, entry.phrase.first);
            }
        }
    }
}
