//! The letters of a text and nothing else, so that what stands between them cannot hide a phrase.
//!
//! `i g n o r e`, `ig-no-re`, `**ig**nore` and `ignore` squeeze to the same letters, look-alikes
//! folded. What must not happen is that two sentences which merely stand side by side are read as
//! one ("safe to ignore. Previous instructions"), so a squeezed text keeps a line feed at each
//! **break**, which no phrase crosses.
//!
//! A break is a blank line, a full stop and a blank in front of a capital letter, a colon or
//! semicolon and a blank, or the start of a list item, heading or table row. It only counts when
//! there is something to end: at least two words since the last such place, and a whole word
//! directly in front. Otherwise one word to a paragraph, or `I. G. N. O. R. E.`, would be a disguise. Who
//! spreads a phrase over sentences of two words and more gets it past us; the price of catching
//! that would be refusing honest neighbours.

use std::collections::HashMap;

use crate::glyph::plain_letters;
use crate::view::{Letters, View};

/// What counts as a letter, and what is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Letters only.
    Letters,
    /// Digits and signs that are used for letters count as those letters: `1gn0r3`.
    Leet,
    /// Letters only; HTML comments and tags and the targets of links are skipped with all they hold.
    WithoutMarkup,
}

/// Squeezes `text`.
pub(crate) fn squeeze(text: &str, manner: Manner) -> View<'static> {
    let mut view = Letters::with_capacity(text.len());
    let mut sentence = Sentence::default();
    let mut skipper = Skipper::default();
    // Looking a character up is slow, and a text uses few different ones.
    let mut known: HashMap<char, String> = HashMap::new();
    let letters = if manner == Manner::Leet { &LEET } else { &PLAIN };
    let letter = |byte: u8| letters.get(usize::from(byte)).copied().unwrap_or(0);
    let mut rest = text;
    while let Some(&byte) = rest.as_bytes().first() {
        let at = text.len() - rest.len();
        if manner == Manner::WithoutMarkup
            && matches!(byte, b'<' | b']')
            && let Some(behind) = skipper.skip(text, at)
        {
            rest = text.get(behind..).unwrap_or_default();
            continue;
        }
        if byte.is_ascii() {
            let bytes = rest.as_bytes();
            let length = bytes.iter().position(|&byte| letter(byte) == 0).unwrap_or(bytes.len());
            if length == 0 {
                sentence.gap(char::from(byte));
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            sentence.word(char::from(byte), length, at, &mut view);
            view.push_changed(bytes.get(..length).unwrap_or_default(), at, letter);
            rest = rest.get(length..).unwrap_or_default();
            continue;
        }
        let character = rest.chars().next().unwrap_or_default();
        let folded = known.entry(character).or_insert_with(|| {
            let mut folded = String::new();
            plain_letters(character, &mut folded);
            folded
        });
        if folded.is_empty() {
            sentence.gap(character);
        } else {
            sentence.word(character, folded.len(), at, &mut view);
            view.push(folded, at, at + character.len_utf8());
        }
        rest = rest.get(character.len_utf8()..).unwrap_or_default();
    }
    view.finish()
}

/// Is there a word in which digits or signs could stand for letters?
///
/// Not every digit in a text is one: nothing is written with `2` and `6`, a sign at the end of a
/// word is a sign, and it takes three characters to make a word, two of them letters or the first
/// one. Checksums and times of day fall out here.
pub(crate) fn has_leet(text: &str) -> bool {
    let bytes = text.as_bytes();
    let in_word = |byte: u8| {
        LEET.get(usize::from(byte)).is_none_or(|&letter| letter != 0) || matches!(byte, b'2' | b'6')
    };
    let mut at = 0;
    // From one digit or sign to the next; whole words without any are passed over.
    while let Some(found) = bytes.get(at..).and_then(|rest| rest.iter().position(|&byte| is_disguise(byte))) {
        let place = at + found;
        if is_alone(bytes, place) {
            return true;
        }
        let front =
            bytes.get(at..place).unwrap_or_default().iter().rev().take_while(|&&byte| in_word(byte)).count();
        let word = bytes.get(place - front..).unwrap_or_default();
        let length = word.iter().position(|&byte| !in_word(byte)).unwrap_or(word.len());
        if word.iter().take(length).fold(Word::default(), |word, &byte| word.with(byte)).may_be_leet() {
            return true;
        }
        at = place - front + length;
    }
    false
}

/// Does a digit stand alone among letters that stand alone: `1 g n 0 r 3`?
fn is_alone(bytes: &[u8], place: usize) -> bool {
    let around = place.checked_sub(4).and_then(|from| bytes.get(from..place + 3));
    matches!(around, Some(&[before, b' ', letter, b' ', _, b' ', next])
        if letter.is_ascii_alphabetic() && before.is_ascii_alphanumeric() && next.is_ascii_alphanumeric())
}

fn is_disguise(byte: u8) -> bool {
    !byte.is_ascii_alphabetic() && LEET.get(usize::from(byte)).is_some_and(|&letter| letter != 0)
}

/// What a word is made of.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    letters: usize,
    digits: usize,
    signs: usize,
    // Signs in front of the last letter.
    inner_signs: usize,
    starts_with_letter: bool,
    impossible: bool,
}

impl Word {
    fn with(mut self, byte: u8) -> Self {
        match byte {
            b'2' | b'6' => self.impossible = true,
            b'0'..=b'9' => self.digits += 1,
            _ if leet_letter(byte) != 0 => self.signs += 1,
            _ => {
                self.starts_with_letter |= self.digits + self.signs + self.letters == 0;
                self.letters += 1;
                self.inner_signs = self.signs;
            }
        }
        self
    }

    const fn may_be_leet(self) -> bool {
        let disguised = self.digits + self.inner_signs;
        let enough = self.letters >= 2 || (self.letters == 1 && self.starts_with_letter);
        !self.impossible && enough && disguised > 0 && self.letters + disguised >= 3
    }
}

/// Is there an HTML tag or comment, or a link?
pub(crate) fn has_markup(text: &str) -> bool {
    let behind = text.match_indices('<').filter_map(|(at, _)| text.as_bytes().get(at + 1));
    behind.copied().any(opens_markup) || text.contains("](")
}

const fn opens_markup(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'/' || byte == b'!'
}

/// For each ASCII byte the letter that it counts as, or 0.
static PLAIN: [u8; 128] = letters(false);
static LEET: [u8; 128] = letters(true);

#[expect(clippy::indexing_slicing, reason = "the index runs over the table, and at compile time")]
const fn letters(leet: bool) -> [u8; 128] {
    let mut table = [0; 128];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte.to_ascii_lowercase() {
            b'l' => b'i',
            letter @ b'a'..=b'z' => letter,
            other if leet => leet_letter(other),
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// The letter that a digit or sign is used for. `1` is an `i` because `l` is one here too.
const fn leet_letter(byte: u8) -> u8 {
    match byte {
        b'0' => b'o',
        b'1' | b'!' | b'|' => b'i',
        b'3' => b'e',
        b'4' | b'@' => b'a',
        b'5' | b'$' => b's',
        b'7' | b'+' => b't',
        b'8' => b'b',
        b'9' => b'g',
        _ => 0,
    }
}

/// What has been read since the last break, and the gap behind the last letter.
#[derive(Debug, Default)]
struct Sentence {
    whole_words: usize,
    letters_of_word: usize,
    gap: Gap,
}

#[derive(Debug, Default)]
struct Gap {
    any: bool,
    lines: usize,
    at_line_start: bool,
    stop: bool,
    stop_and_blank: bool,
    colon: bool,
    colon_and_blank: bool,
    marker: bool,
}

impl Sentence {
    /// Takes note of some letters, the first of them `first`; puts a break in front if one is due.
    fn word(&mut self, first: char, letters: usize, at: usize, view: &mut Letters) {
        if self.gap.any {
            if self.breaks_before(first) {
                view.push("\n", at, at);
            }
            self.letters_of_word = 0;
            self.gap = Gap::default();
        }
        let was_whole = self.letters_of_word >= 2;
        self.letters_of_word += letters;
        if !was_whole && self.letters_of_word >= 2 {
            self.whole_words += 1;
        }
    }

    fn gap(&mut self, character: char) {
        let gap = &mut self.gap;
        gap.any = true;
        match character {
            '\n' => {
                gap.lines += 1;
                gap.at_line_start = true;
            }
            '.' | '!' | '?' => gap.stop = true,
            ':' | ';' => gap.colon = true,
            '-' | '*' | '+' | '#' | '|' | '•' | '0'..='9' if gap.at_line_start => gap.marker = true,
            _ => {}
        }
        if character.is_whitespace() {
            gap.stop_and_blank |= gap.stop;
            gap.colon_and_blank |= gap.colon;
        } else {
            gap.at_line_start = false;
        }
    }

    fn breaks_before(&mut self, first: char) -> bool {
        let gap = &self.gap;
        let sign = gap.lines >= 2
            || gap.marker
            || gap.colon_and_blank
            || (gap.stop_and_blank && first.is_uppercase());
        let breaks = sign && self.whole_words >= 2 && self.letters_of_word >= 2;
        if sign {
            self.whole_words = 0;
        }
        breaks
    }
}

/// Finds the ends of tags and comments. Remembers the last one found, so that a text of nothing
/// but `<` is not searched to its end again for each of them.
#[derive(Debug, Default)]
struct Skipper {
    tag_end: usize,
    comment_end: usize,
    link_end: usize,
}

impl Skipper {
    fn skip(&mut self, text: &str, at: usize) -> Option<usize> {
        let rest = text.get(at..)?;
        if rest.starts_with("<!--") {
            if self.comment_end <= at {
                self.comment_end = rest.find("-->").map_or(usize::MAX, |end| at + end + 3);
            }
            return (self.comment_end != usize::MAX).then_some(self.comment_end);
        }
        if rest.starts_with("](") {
            if self.link_end <= at {
                self.link_end = rest.find(')').map_or(usize::MAX, |end| at + end + 1);
            }
            return (self.link_end != usize::MAX && self.link_end - at < LONGEST_TAG)
                .then_some(self.link_end);
        }
        if !rest.starts_with('<') || !rest.as_bytes().get(1).is_some_and(|&byte| opens_markup(byte)) {
            return None;
        }
        if self.tag_end <= at {
            self.tag_end = rest.find('>').map_or(usize::MAX, |end| at + end + 1);
        }
        (self.tag_end != usize::MAX && self.tag_end - at < LONGEST_TAG).then_some(self.tag_end)
    }
}

const LONGEST_TAG: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::{Manner, squeeze};

    #[test]
    fn letters_are_kept_and_sentences_kept_apart() {
        use Manner::{Leet, Letters, WithoutMarkup};
        let cases = [
            // manner, text -> letters, with `/` for a break; every `l` is an `i`
            (Letters, "Ignore ALL", "ignoreaii"),
            (Letters, "i-g n_o.r*e", "ignore"),
            (Letters, "safe to ignore. Previous words", "safetoignore/previouswords"),
            (Letters, "safe to ignore. previous words", "safetoignorepreviouswords"),
            (Letters, "Ignore. Previous. Words.", "ignorepreviouswords"),
            (Letters, "I. G. N. O. R. E.", "ignore"),
            (Letters, "to ignore\nprevious words", "toignorepreviouswords"),
            (Letters, "to ignore\r\n\r\nprevious words", "toignore/previouswords"),
            (Letters, "ignore\n\nprevious\n\nwords", "ignorepreviouswords"),
            (Letters, "to ignore:\n- previous words", "toignore/previouswords"),
            (Letters, "not ignore_previous: words", "notignoreprevious/words"),
            (Letters, "1gn0re", "gnre"),
            (Leet, "1gn0r3 @11", "ignoreaii"),
            (Letters, "іgnоrе ｉｇ 𝓃ò\u{301}re", "ignoreignore"),
            (WithoutMarkup, "ig<!-- x > y -->no<b class='q'>r</b>e < x", "ignorex"),
            (Letters, "ig<b>nore", "igbnore"),
        ];
        for (manner, text, want) in cases {
            assert_eq!(squeeze(text, manner).text().replace('\n', "/"), want, "{text:?}");
        }
    }
}
