//! Who answers: a name as the file of approvers lists it.

use std::fmt;
use std::str::FromStr;

use crate::glyph;

/// The name of a person who may answer, such as `ada@example.org`.
///
/// Compared exactly, letter by letter. What a reader could take for another name is no name.
///
/// ```
/// use approve::Principal;
///
/// assert!("ada@example.org".parse::<Principal>().is_ok());
/// assert!("Ada Lovelace".parse::<Principal>().is_ok());
///
/// assert!("аda@example.org".parse::<Principal>().is_err(), "the first letter is Cyrillic");
/// assert!("ada@example.org\u{200b}".parse::<Principal>().is_err());
/// assert!("*".parse::<Principal>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Principal(
    // Invariant: 1 to 256 characters, all seen, no blanks at the ends, no signs of a pattern.
    Box<str>,
);

/// Why a text names nobody.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPrincipal {
    /// There is nothing, or only blanks.
    #[error("the name is empty or begins or ends with a blank")]
    Blank,
    /// It is longer than any name.
    #[error("the name is longer than 256 characters")]
    TooLong,
    /// It holds what cannot be seen.
    #[error("the name holds the character U+{:04X}, which cannot be seen", u32::from(*.0))]
    Unseen(char),
    /// It holds signs that mean something in lists of names.
    #[error("the name holds `{0}`, which means something else in a list of names")]
    Sign(char),
    /// It looks like another name.
    #[error("the name can be taken for another one: `{}` mixes scripts or looks like Latin letters", .0.escape_unicode())]
    Deceptive(String),
}

impl Principal {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a reader would take both names for the same, whatever their case.
    #[must_use]
    pub fn looks_like(&self, other: &str) -> bool {
        glyph::skeleton(&self.0) == glyph::skeleton(other.trim())
    }
}

/// What holds for names and for patterns of names.
pub(crate) fn is_readable(text: &str) -> Result<(), BadPrincipal> {
    if text.trim().is_empty() || text.trim() != text {
        return Err(BadPrincipal::Blank);
    }
    if text.chars().count() > 256 {
        return Err(BadPrincipal::TooLong);
    }
    let mut before = None;
    for character in text.chars() {
        if !glyph::is_seen(before, character) {
            return Err(BadPrincipal::Unseen(character));
        }
        before = Some(character);
    }
    match glyph::deceptive_word(text) {
        Some(word) => Err(BadPrincipal::Deceptive(word.to_owned())),
        None => Ok(()),
    }
}

impl FromStr for Principal {
    type Err = BadPrincipal;

    fn from_str(text: &str) -> Result<Self, BadPrincipal> {
        is_readable(text)?;
        let sign = |c: &char| matches!(c, '*' | '?' | ',' | '"' | '\\');
        match text.chars().find(sign).or_else(|| text.chars().next().filter(|c| matches!(c, '!' | '#'))) {
            Some(sign) => Err(BadPrincipal::Sign(sign)),
            None => Ok(Self(text.into())),
        }
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
