//! Texts of words and of nothing that any disguise is made of.
//!
//! Much of what calls carry is such a text, and one look tells that most other readings of it are itself: no
//! entity, no escape, no quotation mark, no digit in the place of a letter, no tag, no letter of another script.

use crate::blocks;

/// Are all characters ASCII letters, blanks, line feeds or one of `,-./:;()`?
pub(crate) fn is_ordinary(text: &str) -> bool {
    let other = |byte: u8| {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let sign =
            (byte.wrapping_sub(b',') < 4) | (byte.wrapping_sub(b':') < 2) | (byte.wrapping_sub(b'(') < 2);
        !(letter | sign | (byte == b' ') | (byte == b'\n'))
    };
    !blocks::any(text.as_bytes(), other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::is_ordinary;
    use crate::reading::bare::bare;
    use crate::reading::clean::clean;
    use crate::reading::joined::joined;
    use crate::reading::leet::has_leet;
    use crate::reading::script::script;
    use crate::reading::smuggled::smuggled;
    use crate::reading::soft_break::unfolded;
    use crate::reading::unescape::unescape;

    fn is_itself_in_every_reading(text: &str) -> bool {
        clean(text).text() == text
            && !has_leet(text)
            && bare(text).is_none()
            && script(text).is_none()
            && unescape(text).is_none()
            && joined(text).is_none()
            && unfolded(text).is_none()
            && smuggled(text).is_empty()
    }

    #[test]
    fn these_characters_are_ordinary() {
        let ordinary: String =
            (0..=255).map(char::from).filter(|sign| is_ordinary(&sign.to_string())).collect();
        let letters: String = ('A'..='Z').chain('a'..='z').collect();
        assert_eq!(ordinary, format!("\n (),-./:;{letters}"));
    }

    proptest! {
        /// What is passed over because a text is ordinary would have found nothing.
        #[test]
        fn an_ordinary_text_reads_as_itself(text in "[ -~\\n]{0,3}[a-zA-Z \\n,./:;()-]{0,80}") {
            prop_assert!(!is_ordinary(&text) || is_itself_in_every_reading(&text), "{text}");
        }
    }
}
