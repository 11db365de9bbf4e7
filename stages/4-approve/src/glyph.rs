//! Which characters a reader sees as what they are.
//!
//! Whatever is not seen truly is spelled out on a screen and refused in a name. When in doubt a character
//! counts as unseen: a code point in brackets is ugly, a command that reads otherwise than it runs is worse.

use unicode_security::GeneralSecurityProfile as _;
use unicode_security::confusable_detection::skeleton as prototypes;
use unicode_security::mixed_script::{AugmentedScriptSet, MixedScript as _};
use unicode_security::restriction_level::{RestrictionLevel, RestrictionLevelDetection as _};
use unicode_width::UnicodeWidthChar as _;

/// Characters that take room and cannot be seen, or that are formats of their script. A test holds all that
/// counts as unseen against the Unicode classes.
const UNSEEN: &[(char, char)] = &[
    ('\u{AD}', '\u{AD}'),
    ('\u{600}', '\u{605}'),
    ('\u{61C}', '\u{61C}'),
    ('\u{6DD}', '\u{6DD}'),
    ('\u{70F}', '\u{70F}'),
    ('\u{890}', '\u{891}'),
    ('\u{8E2}', '\u{8E2}'),
    ('\u{115F}', '\u{1160}'),
    ('\u{17B4}', '\u{17B5}'),
    ('\u{180B}', '\u{180F}'),
    ('\u{2800}', '\u{2800}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{FFA0}', '\u{FFA0}'),
    ('\u{FFF0}', '\u{FFFB}'),
    ('\u{110BD}', '\u{110BD}'),
    ('\u{110CD}', '\u{110CD}'),
    ('\u{13430}', '\u{1343F}'),
    ('\u{1BCA0}', '\u{1BCA3}'),
    ('\u{1D173}', '\u{1D17A}'),
    ('\u{E0000}', '\u{E0FFF}'),
];

/// Whether a reader sees `character`, behind `before`, as what it is. The plain space is seen.
///
/// A mark that sits on a letter is seen where it belongs to a script and stands behind a letter of it; marks
/// that any letter can carry are not, because `e` with one is drawn as another letter. Nor is a mark behind
/// itself: no language writes it twice, and a pile of them is drawn over the lines around it.
pub(crate) fn is_seen(before: Option<char>, character: char) -> bool {
    if matches!(character, ' '..='~') {
        return true;
    }
    let listed = UNSEEN.iter().any(|&(first, last)| (first..=last).contains(&character));
    if listed || character.is_control() || character.is_whitespace() {
        return false;
    }
    match character.width() {
        None => false,
        Some(0) => before.is_some_and(|before| {
            let mut scripts = AugmentedScriptSet::for_char(character);
            let own = !scripts.is_all();
            scripts.intersect_with(AugmentedScriptSet::for_char(before));
            own && !scripts.is_empty() && !before.is_ascii() && before != character
        }),
        Some(_) => true,
    }
}

/// Whether any terminal might draw `character` from right to left.
pub(crate) const fn runs_leftwards(character: char) -> bool {
    matches!(
        character,
        '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}' | '\u{10800}'..='\u{10FFF}'
            | '\u{1E800}'..='\u{1EFFF}'
    )
}

/// A word that a reader may take for another: it mixes scripts, or all its letters are drawn like Latin ones
/// and are none.
pub(crate) fn deceptive_word(text: &str) -> Option<&str> {
    let between = |c: char| c.is_ascii() && !c.is_ascii_alphanumeric();
    text.split(between).find(|word| {
        if word.is_ascii() {
            return false;
        }
        let mut letters = word.chars().filter(|c| c.is_alphabetic()).peekable();
        let foreign = letters.peek().is_some() && letters.all(|c| !is_latin(c) && looks_latin(c));
        // Latin letters among those of East Asia deceive nobody.
        let plain =
            word.is_single_script() || word.check_restriction_level(RestrictionLevel::HighlyRestrictive);
        !plain || foreign || word.chars().any(is_drawn)
    })
}

/// `text` as a reader takes it: whatever is drawn alike is the same here.
pub(crate) fn skeleton(text: &str) -> String {
    prototypes(&text.to_lowercase()).collect()
}

fn is_latin(character: char) -> bool {
    let mut scripts = AugmentedScriptSet::for_char(character);
    scripts.intersect_with(AugmentedScriptSet::for_char('a'));
    !scripts.is_empty()
}

fn looks_latin(character: char) -> bool {
    let mut buffer = [0; 4];
    prototypes(character.encode_utf8(&mut buffer)).all(|c| c.is_ascii())
}

/// Letters that no language writes with and that are drawn like plain ones: mathematical, full-width and kin.
fn is_drawn(character: char) -> bool {
    !character.is_ascii()
        && character.is_alphanumeric()
        && !character.identifier_allowed()
        && looks_latin(character)
}

#[cfg(test)]
mod tests {
    use super::{deceptive_word, is_seen};

    #[test]
    fn no_character_of_an_unseen_class_is_taken_for_a_seen_one() {
        let pattern = r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\x{2800}]|[\p{Zs}--\x20]";
        let unseen = regex::Regex::new(&format!("^({pattern})$")).unwrap();
        let mut buffer = [0; 4];
        for character in '\0'..=char::MAX {
            if unseen.is_match(character.encode_utf8(&mut buffer)) {
                for before in [None, Some('a'), Some('क'), Some('ا'), Some('\u{1826}')] {
                    assert!(!is_seen(before, character), "U+{:04X}", u32::from(character));
                }
            }
        }
    }

    #[test]
    fn ordinary_letters_of_any_script_are_seen() {
        for text in ["plain ~!", "Grüße", "日本語", "привет", "नमस्ते", "مرحبا", "שלום", "안녕", "€→✓"]
        {
            let mut before = None;
            for character in text.chars() {
                assert!(is_seen(before, character), "U+{:04X} in {text}", u32::from(character));
                before = Some(character);
            }
        }
        assert!(!is_seen(Some('e'), '\u{301}'));
        assert!(!is_seen(Some('\u{e47}'), '\u{e47}'));
    }

    #[test]
    fn words_that_mix_or_borrow_scripts_deceive_and_words_of_one_do_not() {
        let cases = [
            ("/srv/аdmin/x", Some("аdmin")),
            ("раураӏ.com", Some("раураӏ")),
            ("сосо", Some("сосо")),
            ("ｅxample", Some("ｅxample")),
            ("𝐚dmin", Some("𝐚dmin")),
            ("иван@example.org", None),
            ("bücher.example", None),
            ("/srv/日本語/カタカナ.txt", None),
            ("使用Python编程", None),
            ("→x ✓ok", None),
            ("/données/été", None),
            ("plain/path", None),
        ];
        for (text, want) in cases {
            assert_eq!(deceptive_word(text), want, "{text}");
        }
    }
}
