//! A book of phrases: where in a text one may stand, and whether it does.
//!
//! Three questions, each dearer than the one before: do a first word and a word that is needed
//! stand near each other, can what follows the first word be the phrase, and is it? Hardly any text
//! gets to the last one, so expressions are compiled when first asked for.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use call::{Family, Span};
use regex::bytes::{Regex, RegexBuilder};

use super::opening::Opening;
use super::{Hit, Phrase, words};
use crate::keywords::{self, Case, Keywords};

/// Phrases of one family, which are searched for together.
pub(super) struct Book {
    pub(super) family: Family,
    pub(super) words: Keywords,
    // For each word, the entries that begin with it and the entries that need it.
    pub(super) uses: Vec<Uses>,
    pub(super) entries: Vec<Entry>,
    // For each entry, where a word that it needs stands, as long as none was met: everywhere if it needs
    // none, else nowhere.
    needs: Vec<usize>,
}

#[derive(Default)]
pub(super) struct Uses {
    pub(super) begins: Vec<usize>,
    pub(super) needed_by: Vec<usize>,
}

/// The letters around a place: enough in front for what phrases ask to stand there, and [`LONGEST`] from
/// it on, if there are as many.
pub(super) struct Near<'l> {
    pub(super) letters: Cow<'l, [u8]>,
    pub(super) place: usize,
}

/// A place where a phrase may begin.
pub(super) struct Candidate {
    pub(super) start: usize,
    pub(super) entry: &'static Entry,
}

impl Book {
    pub(super) fn new(family: Family, tables: &[&'static [Phrase]], fold: fn(&str) -> String) -> Self {
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
                family,
                phrase,
                fold,
                conditions: OnceLock::new(),
                expression: OnceLock::new(),
                loose: OnceLock::new(),
            });
        }
        let words = uses_of.keys().map(|word| (word.as_str(), Case::Exact));
        let words = Keywords::new(words, keywords::Letters::Four);
        let without = |entry: &Entry| if entry.phrase.needs.is_empty() { 0 } else { usize::MAX };
        let needs = entries.iter().map(without).collect();
        Self { family, words, uses: uses_of.into_values().collect(), entries, needs }
    }

    /// Where phrases may begin: with a word that one begins with, behind it what can follow, and near
    /// enough one of the words that it needs. In the order of the text, whose letters `near` has.
    pub(super) fn candidates<'l>(
        &'static self,
        words: &[keywords::Hit],
        near: impl Fn(usize) -> Near<'l>,
    ) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        if words.is_empty() {
            return candidates;
        }
        // There are many, and a place for them is kept, in which nothing is known between two searches: to ask for
        // one takes longer than the search.
        let mut needs = NEEDS.take();
        if needs.len() < self.needs.len() {
            needs.resize(self.needs.len(), usize::MAX);
        }
        for hit in words.iter().rev() {
            let Some(uses) = self.uses.get(hit.word()) else { continue };
            for &place in &uses.begins {
                let far = |needs: &[usize]| needs.get(place).is_none_or(|&need| need >= hit.start + LONGEST);
                if far(&needs) && far(&self.needs) {
                    continue;
                }
                let Some(entry) = self.entries.get(place) else { continue };
                if entry.may_be_at(&near(hit.start), hit.length()) {
                    candidates.push(Candidate { start: hit.start, entry });
                }
            }
            for &place in &uses.needed_by {
                needs.get_mut(place).into_iter().for_each(|need| *need = hit.start);
            }
        }
        if words.len() > FEW {
            needs.fill(usize::MAX);
        } else {
            let uses = words.iter().filter_map(|hit| self.uses.get(hit.word()));
            for &place in uses.flat_map(|uses| &uses.needed_by) {
                needs.get_mut(place).into_iter().for_each(|need| *need = usize::MAX);
            }
        }
        NEEDS.set(needs);
        candidates.reverse();
        candidates
    }
}

/// Places of so many words are forgotten one by one; of more, all at once.
const FEW: usize = 16;

thread_local! {
    static NEEDS: Cell<Vec<usize>> = const { Cell::new(Vec::new()) };
}

/// No phrase is longer than this, in bytes of squeezed text.
pub(super) const LONGEST: usize = 320;

/// A phrase in a book. What is made from it is made when first needed.
pub(super) struct Entry {
    family: Family,
    pub(super) phrase: &'static Phrase,
    fold: fn(&str) -> String,
    conditions: OnceLock<Conditions>,
    expression: OnceLock<Option<Regex>>,
    loose: OnceLock<Option<Regex>>,
}

/// Where a phrase ends among letters. Which signs stand between them is not known there.
#[derive(Clone, Copy)]
pub(super) struct Ended {
    pub(super) end: usize,
    /// Letters of [`Phrase::unless_after`] are in front of it.
    denied: bool,
    /// Letters of [`Phrase::unless_before`] are behind it.
    turned: bool,
}

/// What must and must not stand around a phrase.
struct Conditions {
    unless_after: Vec<String>,
    only_after: Vec<String>,
    unless_before: Vec<String>,
    rest: Opening,
    // Where a sentence ends counts for nothing, not even for the end of the phrase.
    within_sentence: bool,
}

impl Entry {
    /// Could the phrase stand there, not knowing where sentences end? Its first word does, and has so many
    /// letters.
    fn may_be_at(&self, near: &Near<'_>, first: usize) -> bool {
        let conditions = self.conditions();
        let (letters, start) = (&near.letters, near.place);
        let front = letters.get(..start).unwrap_or_default();
        let behind = letters.get(start + first..).unwrap_or_default();
        if !conditions.rest.fits(behind) || !conditions.may_stand_after(front) {
            return false;
        }
        let window = letters.get(start..letters.len().min(start + LONGEST)).unwrap_or_default();
        self.loose().is_some_and(|loose| loose.is_match(window))
    }

    /// Where the phrase that starts at `start` ends, if it is one, and what its neighbours may make of it.
    pub(super) fn end(&self, text: &[u8], start: usize) -> Option<Ended> {
        let conditions = self.conditions();
        let front = text.get(..start)?;
        if !conditions.may_stand_after(front) {
            return None;
        }
        let denied = ends_with_one_of(front, &conditions.unless_after);
        let window = text.get(start..text.len().min(start + LONGEST))?;
        let length = self.expression()?.find(window)?.end();
        let behind = window.get(length..)?;
        let turned = conditions.unless_before.iter().any(|word| behind.starts_with(word.as_bytes()));
        Some(Ended { end: start + length, denied, turned })
    }

    fn conditions(&self) -> &Conditions {
        let (phrase, fold) = (self.phrase, self.fold);
        self.conditions.get_or_init(|| {
            let rest = words::spelled_out(phrase.rest);
            Conditions {
                unless_after: folded_words(phrase.unless_after, fold),
                only_after: folded_words(phrase.only_after, fold),
                unless_before: folded_words(phrase.unless_before, fold),
                rest: Opening::of(&fold(&rest)),
                within_sentence: !rest.contains(['\n', '$']),
            }
        })
    }

    /// The words that it begins with.
    pub(super) fn firsts(&self) -> impl Iterator<Item = String> {
        folded_words(self.phrase.first, self.fold).into_iter()
    }

    /// Those that it needs.
    pub(super) fn needed(&self) -> impl Iterator<Item = String> {
        folded_words(self.phrase.needs, self.fold).into_iter()
    }

    fn expression(&self) -> Option<&Regex> {
        self.expression.get_or_init(|| self.compile()).as_ref()
    }

    /// The expression for letters in which the ends of sentences cannot be seen: it matches wherever
    /// the other would if they could.
    pub(super) fn loose(&self) -> Option<&Regex> {
        let compile =
            || self.compile_rest(&words::spelled_out(self.phrase.rest).replace(['\n', '$'], "(?:)"));
        if self.conditions().within_sentence {
            return self.expression();
        }
        self.loose.get_or_init(compile).as_ref()
    }

    pub(super) fn compile(&self) -> Option<Regex> {
        self.compile_rest(&words::spelled_out(self.phrase.rest))
    }

    fn compile_rest(&self, rest: &str) -> Option<Regex> {
        let pattern = format!("^(?:{})(?:{rest})", self.phrase.first);
        RegexBuilder::new(&(self.fold)(&pattern)).unicode(false).build().ok()
    }

    pub(super) const fn hit(&self, span: Span, ended: Ended) -> Hit {
        let Ended { denied, turned, .. } = ended;
        Hit { family: self.family, phrase: self.phrase, span, denied, turned }
    }
}

impl Conditions {
    fn may_stand_after(&self, front: &[u8]) -> bool {
        self.only_after.is_empty() || ends_with_one_of(front, &self.only_after)
    }
}

fn ends_with_one_of(text: &[u8], words: &[String]) -> bool {
    words.iter().any(|word| text.ends_with(word.as_bytes()))
}

fn folded_words(words: &str, fold: fn(&str) -> String) -> Vec<String> {
    words.split('|').filter(|word| !word.is_empty()).map(fold).collect()
}
