//! Characters that do not look like what they are.

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

/// Why `character` cannot be seen, or nothing when it can.
#[must_use]
pub fn unseen(character: char) -> Option<Unseen> {
    let _ = character;
    None
}

/// `text` with look-alike letters folded onto plain lower-case ones, for comparing names.
#[must_use]
pub fn skeleton(text: &str) -> String {
    text.to_owned()
}
