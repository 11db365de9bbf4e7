//! Stage 2: does a text carry what it should not?

pub mod glyph;

use call::{Contraband, Family};

/// Everything of `families` that `text` carries, in the order of the text.
#[must_use]
pub fn screen(text: &str, families: &[Family]) -> Vec<Contraband> {
    let _ = (text, families);
    Vec::new()
}
