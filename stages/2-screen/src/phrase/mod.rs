//! Phrases: what they are made of, and how they are found in squeezed text.
//!
//! A phrase is written in its table the way it squeezes: letters only, with `{name}` for a list of
//! words from [`words`]. The words that phrases begin with, and those they cannot do without, are
//! searched for in the letters of the text all at once; only around places where a phrase may begin is
//! the text squeezed with care, and the phrase tried. See [`book`].

mod abroad;
mod abroad_scripts;
mod addressing;
mod annulled;
mod annulled_abroad;
mod approving;
mod asking;
mod authority;
mod book;
mod diverting;
mod ends;
mod exfiltrating;
mod ignoring;
mod opening;
mod policy_claims;
mod revealing;
mod roles;
mod running;
mod running_abroad;
mod running_scripts;
mod scripts;
mod words;
mod world;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use call::{Family, Span};

use crate::reading::alphabet::{Alphabet, Folded};
use crate::reading::letters::Letters;
use crate::reading::script;
use crate::reading::squeeze::{IN_FRONT, Squeezer};
use crate::view::{Kept, View};
use crate::{glyph, keywords};
use book::{Book, Candidate, LONGEST, Near};
pub(crate) use ends::{Ends, Outer, Row, counts};

/// One way of saying something.
pub(crate) struct Phrase {
    /// What saying it is.
    pub(crate) kind: &'static str,
    /// How it starts: words, `|` between them.
    pub(crate) first: &'static str,
    /// How it goes on: an expression over letters.
    pub(crate) rest: &'static str,
    /// Words of which one must stand near behind the first, else the phrase is not even tried. Only to
    /// save time: whatever `rest` can match has one of them as a part.
    pub(crate) needs: &'static str,
    /// Words directly in front that turn it into something else: "do not ignore …". Not behind the end of a
    /// clause: "do not, ignore …".
    pub(crate) unless_after: &'static str,
    /// Words directly in front, one of which must be there; any will do when empty.
    pub(crate) only_after: &'static str,
    /// Beginnings of words directly behind that turn it into something else: "your token count". Not behind the
    /// end of a clause.
    pub(crate) unless_before: &'static str,
    /// Whole words directly behind, with which it goes on to speak of some things and not of the conversation:
    /// "ignore all rules with a priority below 3".
    pub(crate) unless_about: &'static str,
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
        unless_about: "",
        colon: false,
        opening: false,
    };
}

/// A phrase found in a text.
pub(crate) struct Hit {
    pub(crate) family: Family,
    pub(crate) phrase: &'static Phrase,
    pub(crate) span: Span,
    /// As far as letters tell, it stands behind a word of [`Phrase::unless_after`].
    pub(crate) denied: bool,
    /// The same of [`Phrase::unless_before`].
    pub(crate) turned: bool,
}

/// The letters of a text, and where in them words stand that phrases are made of.
pub(crate) struct Words<'t> {
    letters: Letters<'t>,
    // For each book of [`LATIN`] that is asked for.
    hits: [Option<(&'static Book, Vec<keywords::Hit>)>; LATIN.len()],
}

impl<'t> Words<'t> {
    /// Words of phrases of these families.
    pub(crate) fn of(text: &'t str, alphabet: Alphabet, families: &[Family]) -> Self {
        let letters = Letters::of(text, alphabet);
        let hits = LATIN.each_ref().map(|(family, book)| {
            families.contains(family).then(|| (&**book, book.words.find(letters.as_bytes())))
        });
        Self { letters, hits }
    }

    /// The same, for a text that has these stretches of one whose words are known.
    pub(crate) fn again<'u>(&self, text: &'u str, kept: &[Kept]) -> Words<'u> {
        let (letters, kept) = self.letters.again(text, kept);
        let again = |(book, hits): &(&'static Book, Vec<keywords::Hit>)| {
            (*book, book.words.find_again(letters.as_bytes(), &kept, hits))
        };
        let hits = self.hits.each_ref().map(|known| known.as_ref().map(again));
        Words { letters, hits }
    }
}

/// Adds the letters of an ASCII text, as they are searched for. Every byte is written, and written over by the
/// next unless it is a letter: where words end is what a processor cannot guess.
pub(crate) fn add_letters(text: &str, letters: &mut Vec<u8>) {
    let table = Alphabet::Plain.letters();
    let before = letters.len();
    letters.resize(before + text.len(), 0);
    let added = letters.get_mut(before..).unwrap_or_default();
    let mut count = 0;
    for &byte in text.as_bytes() {
        let letter = table.get(usize::from(byte)).copied().unwrap_or_default();
        added.get_mut(count).into_iter().for_each(|place| *place = letter);
        count += usize::from(letter != 0);
    }
    letters.truncate(before + count);
}

/// Could an order begin among these letters? Says yes wherever [`find`] finds one in a text that has them,
/// or a part of them, as its letters.
pub(crate) fn may_begin(letters: &[u8]) -> bool {
    let near = |place| Near { letters: Cow::Borrowed(letters), place };
    let mut books = LATIN.iter().filter(|(family, _)| *family == Family::Override);
    books.any(|(_, book)| !book.candidates(&book.words.find(letters), near).is_empty())
}

/// The words that orders are made of, as far as they are written out in the tables.
pub(crate) fn vocabulary() -> BTreeSet<String> {
    let books = LATIN.iter().filter(|(family, _)| *family == Family::Override);
    let phrases = books.flat_map(|(_, book)| &book.entries).map(|entry| entry.phrase);
    words::written_out(phrases.flat_map(|phrase| [phrase.first, phrase.rest]))
}

/// All phrases in a view, whose words are known, at their places in its source.
pub(crate) fn find(view: &View<'_>, words: &Words<'_>) -> Vec<Hit> {
    let letters = &words.letters;
    let mut folded = Folded::default();
    let mut found = Vec::new();
    for (book, hits) in words.hits.iter().flatten() {
        let near = |place| Near { letters: Cow::Borrowed(letters.as_bytes()), place };
        let candidates = book.candidates(hits, near);
        try_each(&candidates, view, letters.alphabet(), |at| letters.source(at, &mut folded), &mut found);
    }
    found
}

/// All phrases in what is left of a text if only these parts of it are. `words` are those of the text.
pub(crate) fn find_in_rest(text: &str, parts: &[Span], words: &Words<'_>) -> Vec<Hit> {
    // Of parts this short nothing is known that would be worth keeping.
    const SHORT: usize = 96;
    if parts.len() * SHORT > text.len() {
        let view = View::of_parts(text, parts);
        return find(&view, &words.again(view.text(), &view.kept(text)));
    }
    let letters = &words.letters;
    let rest = letters.rest(parts);
    let mut folded = Folded::default();
    let mut found = Vec::new();
    for (book, hits) in words.hits.iter().flatten() {
        let hits = book.words.find_in_rest(&rest, hits);
        let near = |at| {
            let (letters, place) = rest.around(at, IN_FRONT, LONGEST);
            Near { letters: Cow::Owned(letters), place }
        };
        let candidates = book.candidates(&hits, near);
        // Hardly any text gets here, so the rest is written out for those only.
        if !candidates.is_empty() {
            let view = View::of_parts(text, parts);
            let place = |at| Some(view.made_from(letters.source(rest.letter(at)?, &mut folded)?));
            try_each(&candidates, &view, letters.alphabet(), place, &mut found);
        }
    }
    found
}

/// Adds those candidates that are phrases. `place` says where in the text of the view a letter stands.
fn try_each(
    candidates: &[Candidate],
    view: &View<'_>,
    alphabet: Alphabet,
    mut place: impl FnMut(usize) -> Option<usize>,
    found: &mut Vec<Hit>,
) {
    let mut squeezer = Squeezer::new(view.text(), alphabet);
    for candidate in candidates {
        let Some(place) = place(candidate.start) else { continue };
        let start = squeezer.around(place, LONGEST);
        let Some(ended) = candidate.entry.end(squeezer.letters(), start) else { continue };
        let span = squeezer.source(Span::new(start, ended.end), view);
        found.push(candidate.entry.hit(span, ended));
    }
}

/// All phrases of these families in a view that is letters of other scripts.
pub(crate) fn find_in_script(view: &View<'_>, families: &[Family]) -> Vec<Hit> {
    if !families.contains(&SCRIPTS.family) {
        return Vec::new();
    }
    let text = view.text().as_bytes();
    let near = |place| Near { letters: Cow::Borrowed(text), place };
    let candidates = SCRIPTS.candidates(&SCRIPTS.words.find(text), near).into_iter();
    let hit = |Candidate { start, entry }: Candidate| {
        let ended = entry.end(text, start)?;
        Some(entry.hit(view.source(Span::new(start, ended.end)), ended))
    };
    candidates.filter_map(hit).collect()
}

/// In languages that are written with Latin letters, a book for each family.
static LATIN: [(Family, LazyLock<Book>); 2] = [
    (
        Family::Override,
        LazyLock::new(|| {
            let tables = [
                ignoring::PHRASES,
                annulled::PHRASES,
                annulled_abroad::PHRASES,
                roles::PHRASES,
                revealing::PHRASES,
                asking::PHRASES,
                exfiltrating::PHRASES,
                running::PHRASES,
                running_abroad::PHRASES,
                approving::PHRASES,
                addressing::PHRASES,
                diverting::PHRASES,
                authority::PHRASES,
                world::PHRASES,
                abroad::PHRASES,
            ];
            Book::new(Family::Override, &tables, fold_latin)
        }),
    ),
    // What a result must not ask for.
    (
        Family::Payload,
        LazyLock::new(|| {
            Book::new(Family::Payload, &[policy_claims::PHRASES, running::IN_RESULTS], fold_latin)
        }),
    ),
];

/// In other scripts.
static SCRIPTS: LazyLock<Book> = LazyLock::new(|| {
    Book::new(
        Family::Override,
        &[scripts::PHRASES, abroad_scripts::PHRASES, running_scripts::PHRASES],
        fold_script,
    )
});

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
    use crate::reading::squeeze::IN_FRONT;

    #[test]
    fn every_phrase_compiles() {
        for book in LATIN.iter().map(|(_, book)| book).chain([&SCRIPTS]) {
            for entry in &book.entries {
                assert!(entry.compile().is_some(), "{} {}", entry.phrase.kind, entry.phrase.first);
                assert!(entry.loose().is_some(), "{} {}", entry.phrase.kind, entry.phrase.first);
            }
        }
    }

    #[test]
    fn enough_is_squeezed_in_front_of_a_phrase() {
        for entry in LATIN.iter().flat_map(|(_, book)| &book.entries) {
            let words = entry.phrase.unless_after.split('|').chain(entry.phrase.only_after.split('|'));
            assert!(words.map(str::len).max() < Some(IN_FRONT), "{}", entry.phrase.first);
        }
    }

    #[test]
    fn words_of_a_book_are_of_one_kind() {
        // The search takes it that only small letters stand beside words of small letters.
        let words = |entry: &super::book::Entry| {
            let words = entry.phrase.first.split('|').chain(entry.phrase.needs.split('|'));
            words.filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<String>>()
        };
        assert!(
            LATIN
                .iter()
                .flat_map(|(_, book)| &book.entries)
                .flat_map(words)
                .all(|word| word.bytes().all(|byte| byte.is_ascii_lowercase()))
        );
        assert!(SCRIPTS.entries.iter().flat_map(words).all(|word| !word.is_ascii()));
    }

    #[test]
    fn no_word_is_too_short_to_be_searched_for() {
        for entry in LATIN.iter().flat_map(|(_, book)| &book.entries).chain(&SCRIPTS.entries) {
            let words = entry.phrase.first.split('|').chain(entry.phrase.needs.split('|'));
            assert!(
                words.filter(|word| !word.is_empty()).all(|word| word.len() >= 3),
                "{}",
                entry.phrase.first
            );
        }
    }
}
