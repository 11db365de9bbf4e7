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
//!
//! Only what stands around a place of interest is squeezed, and no part of a text twice.

use call::Span;

use super::alphabet::{Alphabet, Folded};
use crate::view::{Pieces, View};

/// Squeezes a text around places in it, from left to right.
#[derive(Debug)]
pub(crate) struct Squeezer<'t> {
    text: &'t str,
    alphabet: Alphabet,
    folded: Folded,
    sentence: Sentence,
    letters: Vec<u8>,
    pieces: Pieces,
    // Up to where the text is squeezed.
    at: usize,
}

/// So many letters in front of a place are squeezed with it, at least.
pub(crate) const IN_FRONT: usize = 64;

impl<'t> Squeezer<'t> {
    pub(crate) fn new(text: &'t str, alphabet: Alphabet) -> Self {
        Self {
            text,
            alphabet,
            folded: Folded::default(),
            sentence: Sentence::default(),
            letters: Vec::new(),
            pieces: Pieces::default(),
            at: 0,
        }
    }

    /// Squeezes what stands around the letter at `place` of the text: so many bytes from it on, and
    /// [`IN_FRONT`] in front. Says where the letter now stands. Places must not descend.
    pub(crate) fn around(&mut self, place: usize, bytes: usize) -> usize {
        let start = self.start_for(place);
        if start > self.at {
            self.letters.clear();
            self.pieces = Pieces::default();
            self.sentence = Sentence::default();
            self.at = start;
        }
        while self.at <= place && self.step() {}
        let letter = self.pieces.made_from(place);
        while self.letters.len() < letter.saturating_add(bytes) && self.step() {}
        letter
    }

    /// What is squeezed so far: letters, and a line feed at each break.
    pub(crate) fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// The part of the source of `view`, whose text was squeezed, that these letters came from.
    pub(crate) fn source(&self, span: Span, view: &View<'_>) -> Span {
        let in_text = self.pieces.source(span);
        let source = view.source(in_text);
        // A break ends where the next sentence begins, whatever the view left out in between.
        match self.letters.get(..span.end) {
            Some([.., b'\n']) => Span::new(source.start, view.source(Span::at(in_text.end)).start),
            _ => source,
        }
    }

    /// Where to start, so that what is squeezed around `place` is what it would be if all of the
    /// text were. A break depends on whether there were two words since the last one; so three
    /// words more than needed are read, and by the time it counts there were, or there was a break.
    fn start_for(&self, place: usize) -> usize {
        let unread = self.text.as_bytes().get(self.at..place).unwrap_or_default();
        let (mut in_front, mut whole_words) = (0, 0);
        let mut word = Some(0);
        for (offset, &byte) in unread.iter().enumerate().rev() {
            if !byte.is_ascii() {
                // May or may not be a letter; this word does not count.
                word = None;
            } else if self.alphabet.letter(byte) != 0 {
                in_front += 1;
                word = word.map(|letters| letters + 1);
            } else {
                // Words count when all of their letters are more than needed.
                let letters = word.replace(0).unwrap_or_default();
                whole_words += usize::from(letters >= 2 && in_front >= IN_FRONT + letters);
                if whole_words >= 3 {
                    return self.at + offset + 1;
                }
            }
        }
        self.at
    }

    /// Reads one run of letters, or one other character; false at the end of the text.
    fn step(&mut self) -> bool {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(first) = rest.chars().next() else { return false };
        let run = rest.bytes().take_while(|&byte| self.alphabet.letter(byte) != 0).count();
        let (length, folded) = match run {
            0 if first.is_ascii() => (1, ""),
            0 => (first.len_utf8(), self.folded.letters(first)),
            _ => (run, ""),
        };
        let letters = run + folded.len();
        if letters == 0 {
            self.sentence.gap(first);
        } else {
            if self.sentence.word(first, letters) {
                self.pieces.push(self.letters.len(), self.at, self.at, false);
                self.letters.push(b'\n');
            }
            self.pieces.push(self.letters.len(), self.at, self.at + length, run > 0);
            self.letters.extend(rest.bytes().take(run).map(|byte| self.alphabet.letter(byte)));
            self.letters.extend_from_slice(folded.as_bytes());
        }
        self.at += length;
        true
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
    /// Takes note of some letters, the first of them `first`; true if a break is due in front.
    fn word(&mut self, first: char, letters: usize) -> bool {
        let mut breaks = false;
        if self.gap.any {
            breaks = self.breaks_before(first);
            self.letters_of_word = 0;
            self.gap = Gap::default();
        }
        let was_whole = self.letters_of_word >= 2;
        self.letters_of_word += letters;
        if !was_whole && self.letters_of_word >= 2 {
            self.whole_words += 1;
        }
        breaks
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

#[cfg(test)]
mod tests {
    use super::{Alphabet, Squeezer};

    #[test]
    fn letters_are_kept_and_sentences_kept_apart() {
        use Alphabet::{Leet, Plain};
        let cases = [
            // alphabet, text -> letters, with `/` for a break; every `l` is an `i`
            (Plain, "Ignore ALL", "ignoreaii"),
            (Plain, "i-g n_o.r*e", "ignore"),
            (Plain, "safe to ignore. Previous words", "safetoignore/previouswords"),
            (Plain, "safe to ignore. previous words", "safetoignorepreviouswords"),
            (Plain, "Ignore. Previous. Words.", "ignorepreviouswords"),
            (Plain, "I. G. N. O. R. E.", "ignore"),
            (Plain, "to ignore\nprevious words", "toignorepreviouswords"),
            (Plain, "to ignore\r\n\r\nprevious words", "toignore/previouswords"),
            (Plain, "ignore\n\nprevious\n\nwords", "ignorepreviouswords"),
            (Plain, "to ignore:\n- previous words", "toignore/previouswords"),
            (Plain, "not ignore_previous: words", "notignoreprevious/words"),
            (Plain, "1gn0re", "gnre"),
            (Leet, "1gn0r3 @11", "ignoreaii"),
            (Plain, "іgnоrе ｉｇ 𝓃ò\u{301}re", "ignoreignore"),
            (Plain, "ig<b>nore", "igbnore"),
        ];
        for (alphabet, text, want) in cases {
            let mut squeezer = Squeezer::new(text, alphabet);
            squeezer.around(0, usize::MAX);
            let squeezed = String::from_utf8_lossy(squeezer.letters()).replace('\n', "/");
            assert_eq!(squeezed, want, "{text:?}");
        }
    }

    #[test]
    fn a_part_squeezes_to_the_same_as_the_whole() {
        let text =
            "I. G. Nor. The one: a b c. Is it\n\nso? \u{e9}tude: Fin\u{e9}. No_w; then 1 go, Ok\n- X. "
                .repeat(60);
        let mut whole = Squeezer::new(&text, Alphabet::Plain);
        while whole.step() {}
        for (place, _) in text.match_indices(|character: char| character.is_ascii_alphabetic()) {
            let at = whole.pieces.made_from(place);
            let mut part = Squeezer::new(&text, Alphabet::Plain);
            let letter = part.around(place, 320);
            assert!(letter >= super::IN_FRONT.min(at), "{place}");
            let front = letter.min(super::IN_FRONT);
            let end = (letter + 320).min(part.letters().len());
            let read = part.letters().get(letter - front..end).unwrap();
            assert_eq!(Some(read), whole.letters().get(at - front..at + end - letter), "{place}");
            assert!(end == letter + 320 || part.at == text.len());
        }
    }
}
