//! Characters that do not look like what they are.
//!
//! Two questions about single characters, and nothing about texts: can a reader see it, and which
//! plain letter would a reader take it for? What follows from the answer is for the caller to
//! decide: a tab is a control character in a name and white space in a document.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;
use unicode_security::confusable_detection::skeleton as prototypes;

/// What is wrong with a character that a reader cannot see, or not see truly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unseen {
    /// A control character: NUL, ESC, BEL, tab, line feed and their kin.
    Control,
    /// Turns the direction of text, so that it reads otherwise than it runs.
    Bidi,
    /// Takes no room, or only blank room: zero-width, fillers, blanks other than the space.
    Invisible,
}

use Unseen::{Bidi, Control, Invisible};

/// Every character that cannot be seen, in order. A test holds it against the Unicode classes.
const UNSEEN: &[(u32, u32, Unseen, &str)] = &[
    // first, last, what it is, name
    (0x0000, 0x001F, Control, "C0 controls"),
    (0x007F, 0x009F, Control, "delete and the C1 controls"),
    (0x00A0, 0x00A0, Invisible, "no-break space"),
    (0x00AD, 0x00AD, Invisible, "soft hyphen"),
    (0x034F, 0x034F, Invisible, "combining grapheme joiner"),
    (0x0600, 0x0605, Invisible, "Arabic number signs"),
    (0x061C, 0x061C, Bidi, "Arabic letter mark"),
    (0x06DD, 0x06DD, Invisible, "Arabic end of ayah"),
    (0x070F, 0x070F, Invisible, "Syriac abbreviation mark"),
    (0x0890, 0x0891, Invisible, "Arabic pound and piastre marks above"),
    (0x08E2, 0x08E2, Invisible, "Arabic disputed end of ayah"),
    (0x115F, 0x1160, Invisible, "Hangul fillers"),
    (0x1680, 0x1680, Invisible, "Ogham space mark"),
    (0x17B4, 0x17B5, Invisible, "Khmer inherent vowels"),
    (0x180B, 0x180F, Invisible, "Mongolian variation selectors and vowel separator"),
    (0x2000, 0x200A, Invisible, "en quad to hair space"),
    (0x200B, 0x200D, Invisible, "zero-width space, non-joiner, joiner"),
    (0x200E, 0x200F, Bidi, "left-to-right and right-to-left marks"),
    (0x2028, 0x2029, Invisible, "line and paragraph separators"),
    (0x202A, 0x202E, Bidi, "embeddings and overrides"),
    (0x202F, 0x202F, Invisible, "narrow no-break space"),
    (0x205F, 0x205F, Invisible, "medium mathematical space"),
    (0x2060, 0x2065, Invisible, "word joiner and invisible operators"),
    (0x2066, 0x2069, Bidi, "isolates"),
    (0x206A, 0x206F, Invisible, "deprecated format characters"),
    (0x2800, 0x2800, Invisible, "Braille pattern blank"),
    (0x3000, 0x3000, Invisible, "ideographic space"),
    (0x3164, 0x3164, Invisible, "Hangul filler"),
    (0xFE00, 0xFE0F, Invisible, "variation selectors"),
    (0xFEFF, 0xFEFF, Invisible, "byte order mark"),
    (0xFFA0, 0xFFA0, Invisible, "half-width Hangul filler"),
    (0xFFF0, 0xFFFB, Invisible, "specials and interlinear annotation"),
    (0x110BD, 0x110BD, Invisible, "Kaithi number sign"),
    (0x110CD, 0x110CD, Invisible, "Kaithi number sign above"),
    (0x13430, 0x1343F, Invisible, "Egyptian hieroglyph format controls"),
    (0x1BCA0, 0x1BCA3, Invisible, "shorthand format controls"),
    (0x1D173, 0x1D17A, Invisible, "musical format controls"),
    (0xE0000, 0xE0FFF, Invisible, "tags and supplementary variation selectors"),
];

/// Why `character` cannot be seen, or nothing when it can.
///
/// ```
/// use screen::glyph::{Unseen, unseen};
///
/// assert_eq!(unseen('\u{200b}'), Some(Unseen::Invisible));
/// assert_eq!(unseen('\u{202e}'), Some(Unseen::Bidi));
/// assert_eq!(unseen('א'), None);
/// ```
#[must_use]
pub fn unseen(character: char) -> Option<Unseen> {
    let code = u32::from(character);
    let place = UNSEEN.partition_point(|&(_, last, _, _)| last < code);
    UNSEEN.get(place).filter(|&&(first, _, _, _)| first <= code).map(|&(_, _, what, _)| what)
}

/// `text` with look-alike letters folded onto plain lower-case ones, for comparing names.
///
/// Only ever compare it with another skeleton. Letters that some common typeface draws alike are
/// one letter here: `0` and `o`, and all of `1`, `I`, `i`, `l` and `|`.
///
/// ```
/// use screen::glyph::skeleton;
///
/// assert_eq!(skeleton("сore"), "core");
/// assert_eq!(skeleton("C0RE"), skeleton("core"));
/// assert_ne!(skeleton("score"), skeleton("core"));
/// ```
#[must_use]
pub fn skeleton(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars().filter(|&character| unseen(character).is_none()) {
        let before = plain.len();
        plain_letters(character, &mut plain);
        if plain.len() > before {
            continue;
        }
        for part in std::iter::once(character).nfkc().filter(|&part| !is_combining_mark(part)) {
            match part {
                '0' => plain.push('o'),
                '1' | '|' => plain.push('i'),
                _ => match look_alike(part).filter(|_| part.is_alphabetic()) {
                    Some(digit) => plain.push(digit),
                    None => plain.extend(part.to_lowercase()),
                },
            }
        }
    }
    plain
}

/// Adds the plain lower-case letters that a reader takes `character` for; none for a character
/// that looks like no Latin letter. Never adds an `l`: see [`one_stroke`]. Whoever searches in plain
/// letters relies on it that nothing else is among them.
pub(crate) fn plain_letters(character: char, plain: &mut String) {
    if character.is_ascii_alphabetic() {
        plain.push(one_stroke(character.to_ascii_lowercase()));
        return;
    }
    if character.is_ascii() || is_ideograph(character) || unseen(character).is_some() {
        return;
    }
    if let Some(letter) = drawn_letter(character) {
        plain.push(one_stroke(letter));
        return;
    }
    let before = plain.len();
    for part in std::iter::once(character).nfkd() {
        if part.is_ascii_alphabetic() {
            plain.push(one_stroke(part.to_ascii_lowercase()));
        } else if !part.is_ascii() && !is_combining_mark(part) {
            plain.extend(drawn_letter(part).or_else(|| letter_alike(part)).map(one_stroke));
        }
    }
    if plain.len() == before && character.is_alphabetic() {
        plain.extend(letter_alike(character).map(one_stroke));
    }
}

/// `i` and `l` as one letter. A capital `I` and a small `l` are one stroke in most typefaces, and
/// case does not count here, so all three must be the same letter.
pub(crate) const fn one_stroke(letter: char) -> char {
    if letter == 'l' { 'i' } else { letter }
}

/// The Latin letter that `character` is drawn like.
fn letter_alike(character: char) -> Option<char> {
    look_alike(character).filter(char::is_ascii_alphabetic)
}

/// The Latin letter or the digit that `character`, or its small form, is drawn like.
fn look_alike(character: char) -> Option<char> {
    std::iter::once(character).chain(character.to_lowercase()).find_map(|form| {
        let mut buffer = [0; 4];
        let first = prototypes(form.encode_utf8(&mut buffer)).next();
        first.filter(char::is_ascii_alphanumeric).map(|letter| match letter {
            '0' => 'o',
            '1' => 'i',
            _ => letter.to_ascii_lowercase(),
        })
    })
}

/// Ideographs and syllables, which are many and look like no Latin letter.
const fn is_ideograph(character: char) -> bool {
    matches!(character, '\u{3040}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{20000}'..='\u{3FFFF}')
}

/// Letters that are drawings of Latin ones, and that neither normalisation nor the table of
/// look-alikes knows.
fn drawn_letter(character: char) -> Option<char> {
    let alphabet = |first: char| {
        let offset = u32::from(character).wrapping_sub(u32::from(first));
        u8::try_from(offset).ok().filter(|&offset| offset < 26).map(|offset| char::from(b'a' + offset))
    };
    match character {
        '\u{1F150}'..='\u{1F169}' => alphabet('\u{1F150}'),
        '\u{1F170}'..='\u{1F189}' => alphabet('\u{1F170}'),
        '\u{1F1E6}'..='\u{1F1FF}' => alphabet('\u{1F1E6}'),
        _ => {
            DRAWN.chars().zip(TAKEN.chars()).find(|&(drawn, _)| drawn == character).map(|(_, letter)| letter)
        }
    }
}

/// Small capitals, then letters of other alphabets that play a Latin one in decorated text; below
/// each the letter that it is taken for.
const DRAWN: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢɛεєηяτтκкмнвшω";
const TAKEN: &str = "abcdefghijklmnopqrstuvwyzeeenrttkkmhbww";

#[cfg(test)]
mod tests {
    use super::{Unseen, plain_letters, skeleton, unseen};

    #[test]
    fn the_table_agrees_with_the_unicode_classes_on_every_character() {
        let class = |pattern: &str| regex::Regex::new(&format!("^{pattern}$")).unwrap();
        let control = class(r"\p{Cc}");
        let bidi = class(r"\p{Bidi_Control}");
        let invisible = class(r"[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\x{2800}]|[\p{Zs}--\x20]");
        for character in '\0'..=char::MAX {
            let mut buffer = [0; 4];
            let text: &str = character.encode_utf8(&mut buffer);
            let want = if control.is_match(text) {
                Some(Unseen::Control)
            } else if bidi.is_match(text) {
                Some(Unseen::Bidi)
            } else if invisible.is_match(text) {
                Some(Unseen::Invisible)
            } else {
                None
            };
            assert_eq!(unseen(character), want, "U+{:04X}", u32::from(character));
        }
    }

    #[test]
    fn plain_letters_are_small_letters() {
        let mut plain = String::new();
        for character in '\0'..=char::MAX {
            plain.clear();
            plain_letters(character, &mut plain);
            let small = plain.bytes().all(|letter| letter.is_ascii_lowercase() && letter != b'l');
            assert!(small, "U+{:04X} {plain}", u32::from(character));
        }
    }

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        let cases = [
            // two spellings, the same to a reader?
            ("core", "сore", true),
            ("core", "C0RE", true),
            ("core", "ＣＯＲＥ", true),
            ("core", "𝐜𝐨𝐫𝐞", true),
            ("core", "ϲοrе", true),
            ("core", "c\u{200b}o\u{feff}re", true),
            ("core", "СОRE", true),
            ("core_draft", "CORE_DRАFT", true),
            ("agent", "аgеnt", true),
            ("BOT", "ВОТ", true),
            ("cli", "CLI", true),
            ("cli", "c1I", true),
            ("ada2", "adaƻ", true),
            ("core", "score", false),
            ("core", "co re", false),
            ("ada", "ada2", false),
            ("мир", "мор", false),
            ("林", "森", false),
        ];
        for (left, right, want) in cases {
            assert_eq!(skeleton(left) == skeleton(right), want, "{left} {right} {}", skeleton(right));
        }
    }
}
