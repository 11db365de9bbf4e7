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
mod opening;
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
use crate::keywords::{Case, Keywords};
use crate::reading::alphabet::{Alphabet, Folded};
use crate::reading::letters::Letters;
use crate::reading::script;
use crate::reading::squeeze::Squeezer;
use crate::view::View;
use opening::Opening;

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

/// A phrase found in a text.
pub(crate) struct Hit {
    pub(crate) family: Family,
    pub(crate) kind: &'static str,
    pub(crate) span: Span,
    /// The phrase counts only if a colon follows it in the text.
    pub(crate) colon: bool,
    /// And only if it opens a sentence there.
    pub(crate) opening: bool,
}

/// All phrases of these families in the letters of a view, at their places in its source.
pub(crate) fn find(view: &View<'_>, alphabet: Alphabet, families: &[Family]) -> Vec<Hit> {
    let letters = Letters::of(view.text(), alphabet);
    let candidates = LATIN.candidates(letters.as_bytes(), families);
    let mut squeezer = Squeezer::new(view.text(), alphabet);
    let mut folded = Folded::default();
    let mut hits = Vec::new();
    for candidate in candidates {
        let Some(place) = letters.source(candidate.start, &mut folded) else { continue };
        let start = squeezer.around(place, LONGEST);
        let end = candidate.entry.end(squeezer.letters(), start);
        let span = end.map(|end| squeezer.source(Span::new(start, end), view));
        hits.extend(span.map(|span| candidate.entry.hit(span)));
    }
    hits
}

/// The same in a view that is letters of other scripts.
pub(crate) fn find_in_script(view: &View<'_>, families: &[Family]) -> Vec<Hit> {
    let text = view.text().as_bytes();
    let candidates = SCRIPTS.candidates(text, families).into_iter();
    let hit = |Candidate { start, entry }: Candidate| {
        entry.end(text, start).map(|end| entry.hit(view.source(Span::new(start, end))))
    };
    candidates.filter_map(hit).collect()
}

/// In languages that are written with Latin letters.
static LATIN: LazyLock<Book> = LazyLock::new(|| {
    let tables = [
        (Family::Override, ignoring::PHRASES),
        (Family::Override, roles::PHRASES),
        (Family::Override, revealing::PHRASES),
        (Family::Override, asking::PHRASES),
        (Family::Override, exfiltrating::PHRASES),
        (Family::Override, running::PHRASES),
        (Family::Override, approving::PHRASES),
        (Family::Override, addressing::PHRASES),
        (Family::Override, world::PHRASES),
        // What a result must not ask for.
        (Family::Payload, policy_claims::PHRASES),
        (Family::Payload, running::IN_RESULTS),
    ];
    Book::new(&tables, fold_latin)
});

/// In other scripts.
static SCRIPTS: LazyLock<Book> =
    LazyLock::new(|| Book::new(&[(Family::Override, scripts::PHRASES)], fold_script));

/// Phrases that are searched for together.
struct Book {
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

/// A place where a phrase may begin.
struct Candidate {
    start: usize,
    entry: &'static Entry,
}

impl Book {
    fn new(tables: &[(Family, &'static [Phrase])], fold: fn(&str) -> String) -> Self {
        let mut uses_of: BTreeMap<String, Uses> = BTreeMap::new();
        let mut entries = Vec::new();
        let phrases =
            tables.iter().flat_map(|&(family, phrases)| phrases.iter().map(move |phrase| (family, phrase)));
        for (family, phrase) in phrases {
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
            });
        }
        let words = uses_of.keys().map(|word| (word.as_str(), Case::Exact));
        let words = Keywords::new(words, crate::keywords::Letters::Four);
        Self { words, uses: uses_of.into_values().collect(), entries }
    }

    /// Where phrases may begin: with a word that one begins with, behind it what can follow, and near
    /// enough one of the words that it needs. In the order of the text.
    fn candidates(&'static self, letters: &[u8], families: &[Family]) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let mut needs: Vec<usize> = self
            .entries
            .iter()
            .map(|entry| if entry.phrase.needs.is_empty() { 0 } else { usize::MAX })
            .collect();
        for hit in self.words.find(letters).iter().rev() {
            let Some(uses) = self.uses.get(hit.word) else { continue };
            let first = Span::new(hit.start, hit.end);
            for &place in &uses.begins {
                if needs.get(place).is_none_or(|&need| need >= hit.start + LONGEST) {
                    continue;
                }
                let Some(entry) = self.entries.get(place) else { continue };
                if families.contains(&entry.family) && entry.may_be_at(letters, first) {
                    candidates.push(Candidate { start: hit.start, entry });
                }
            }
            for &place in &uses.needed_by {
                needs.get_mut(place).into_iter().for_each(|need| *need = hit.start);
            }
        }
        candidates.reverse();
        candidates
    }
}

/// No phrase is longer than this, in bytes of squeezed text.
const LONGEST: usize = 320;

/// A phrase in a book. What is made from it is made when first needed.
struct Entry {
    family: Family,
    phrase: &'static Phrase,
    fold: fn(&str) -> String,
    conditions: OnceLock<Conditions>,
    expression: OnceLock<Option<Regex>>,
}

/// What must and must not stand around a phrase.
struct Conditions {
    unless_after: Vec<String>,
    only_after: Vec<String>,
    unless_before: Vec<String>,
    rest: Opening,
    // It counts for nothing, not even for the end of the phrase, where a sentence ends.
    within_sentence: bool,
}

impl Entry {
    /// Could these letters be the phrase, not knowing where sentences end? `first` is where its first
    /// word stands.
    fn may_be_at(&self, letters: &[u8], first: Span) -> bool {
        let conditions = self.conditions();
        let front = letters.get(..first.start).unwrap_or_default();
        let behind = letters.get(first.end..).unwrap_or_default();
        if !conditions.rest.fits(behind) || !conditions.may_stand_after(front) {
            return false;
        }
        let window = letters.get(first.start..letters.len().min(first.start + LONGEST)).unwrap_or_default();
        !conditions.within_sentence || self.expression().is_some_and(|expression| expression.is_match(window))
    }

    /// Where the phrase that starts at `start` ends, if it is one.
    fn end(&self, text: &[u8], start: usize) -> Option<usize> {
        let conditions = self.conditions();
        let front = text.get(..start)?;
        if ends_with_one_of(front, &conditions.unless_after) || !conditions.may_stand_after(front) {
            return None;
        }
        let window = text.get(start..text.len().min(start + LONGEST))?;
        let length = self.expression()?.find(window)?.end();
        let behind = window.get(length..)?;
        let turned = conditions.unless_before.iter().any(|word| behind.starts_with(word.as_bytes()));
        (!turned).then_some(start + length)
    }

    fn conditions(&self) -> &Conditions {
        let (phrase, fold) = (self.phrase, self.fold);
        self.conditions.get_or_init(|| Conditions {
            unless_after: folded_words(phrase.unless_after, fold),
            only_after: folded_words(phrase.only_after, fold),
            unless_before: folded_words(phrase.unless_before, fold),
            rest: Opening::of(&fold(&words::spelled_out(phrase.rest))),
            within_sentence: !words::spelled_out(phrase.rest).contains(['\n', '$']),
        })
    }

    fn expression(&self) -> Option<&Regex> {
        self.expression.get_or_init(|| self.compile()).as_ref()
    }

    fn compile(&self) -> Option<Regex> {
        let pattern = format!("^(?:{})(?:{})", self.phrase.first, words::spelled_out(self.phrase.rest));
        RegexBuilder::new(&(self.fold)(&pattern)).unicode(false).build().ok()
    }

    const fn hit(&self, span: Span) -> Hit {
        let phrase = self.phrase;
        Hit { family: self.family, kind: phrase.kind, span, colon: phrase.colon, opening: phrase.opening }
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
    use super::{LATIN, SCRIPTS};

    #[test]
    fn every_phrase_compiles() {
        for book in [&LATIN, &SCRIPTS] {
            for entry in &book.entries {
                assert!(entry.compile().is_some(), "{} {}", entry.phrase.kind, entry.phrase.first);
            }
        }
    }
}
