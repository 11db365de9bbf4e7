//! Which characters count as which letters.

use crate::glyph::plain_letters;

/// What counts as a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// Letters only.
    Plain,
    /// Digits and signs that are used for letters count as those letters: `1gn0r3`.
    Leet,
}

impl Alphabet {
    /// The letter that each ASCII character counts as, or 0; 0 for all other bytes.
    pub(crate) const fn letters(self) -> &'static [u8; 256] {
        match self {
            Self::Plain => &PLAIN,
            Self::Leet => &LEET,
        }
    }

    /// The letter that an ASCII character counts as, or 0.
    pub(crate) fn letter(self, byte: u8) -> u8 {
        self.letters().get(usize::from(byte)).copied().unwrap_or_default()
    }
}

static PLAIN: [u8; 256] = letters(false);
static LEET: [u8; 256] = letters(true);

#[expect(clippy::indexing_slicing, reason = "the index runs over the table, and at compile time")]
const fn letters(leet: bool) -> [u8; 256] {
    let mut table = [0; 256];
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
pub(super) const fn leet_letter(byte: u8) -> u8 {
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

/// The letters of characters that are not ASCII. Looking one up is slow, and a text uses few
/// different ones, so it is remembered.
#[derive(Debug, Default)]
pub(crate) struct Folded {
    // At the place that the character's number gives; nothing until the first one is looked up.
    known: Vec<(char, String)>,
}

impl Folded {
    /// The plain letters that `character` counts as.
    pub(crate) fn letters(&mut self, character: char) -> &str {
        const SIZE: usize = 128;
        if self.known.is_empty() {
            self.known.resize(SIZE, ('\0', String::new()));
        }
        let place = usize::try_from(u32::from(character)).unwrap_or_default() % SIZE;
        let Some((known, letters)) = self.known.get_mut(place) else { return "" };
        if *known != character {
            *known = character;
            letters.clear();
            plain_letters(character, letters);
        }
        letters
    }
}
