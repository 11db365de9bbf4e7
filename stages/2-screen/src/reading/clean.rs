//! The text as it appears on a page: compatibility forms made plain, what cannot be seen taken
//! out, HTML entities decoded.
//!
//! Ordinary ASCII is read in place, without a copy, because nearly all documents are that.

use unicode_normalization::UnicodeNormalization as _;

use super::entity;
use super::ordinary::is_ordinary;
use crate::blocks::{self, Look};
use crate::glyph::unseen;
use crate::view::View;

/// `text` as it appears on a page.
pub(crate) fn clean(text: &str) -> View<'_> {
    if is_ordinary(text) {
        return View::ordinary(text);
    }
    if is_plain(text) {
        return View::unchanged(text);
    }
    let mut view = View::with_capacity(text.len());
    let mut seen = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let plain = plain_length(rest.as_bytes());
        if let Some((run, behind)) = rest.split_at_checked(plain).filter(|_| plain > 0) {
            view.push(run, at, at + plain);
            rest = behind;
            continue;
        }
        let decoded = entity::decode(rest);
        let Some((character, length)) = decoded.or_else(|| rest.chars().next().map(|c| (c, c.len_utf8())))
        else {
            break;
        };
        seen.clear();
        appearance(character, &mut seen);
        if !seen.is_empty() {
            view.push(&seen, at, at + length);
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    view
}

/// Adds what shows on the page for `character`: a blank for a blank, nothing for nothing.
fn appearance(character: char, seen: &mut String) {
    match character {
        '\u{2028}' | '\u{2029}' | '\u{85}' => seen.push('\n'),
        '\t' | '\n' | '\r' => seen.push(character),
        '\u{2800}' => seen.push(' '),
        // Two ligatures of Arabic stand for whole sentences; no Latin letter is among them.
        '\u{fdfa}' | '\u{fdfb}' => seen.push(character),
        _ if unseen(character).is_none() => seen.extend(std::iter::once(character).nfkc()),
        _ if character.is_whitespace() && !character.is_control() => seen.push(' '),
        _ => {}
    }
}

fn is_plain(text: &str) -> bool {
    !blocks::any_block(text.as_bytes(), SecondLook(text))
}

/// Looks for what is not plain.
struct SecondLook<'t>(&'t str);

impl Look for SecondLook<'_> {
    #[inline(always)]
    fn look(&mut self, block: &[u8; 64], start: usize) -> bool {
        let Self(text) = self;
        let is_entity = |at: usize| text.get(at..).and_then(entity::decode).is_some();
        let mut left = blocks::bits_where(block, needs_second_look);
        while left != 0 {
            let at = start + left.trailing_zeros() as usize;
            left &= left - 1;
            if text.as_bytes().get(at) != Some(&b'&') || is_entity(at) {
                return true;
            }
        }
        false
    }
}

/// How many bytes at the start need no second look.
fn plain_length(bytes: &[u8]) -> usize {
    blocks::position(bytes, needs_second_look).unwrap_or(bytes.len())
}

/// What is no printable ASCII and no blank; and `&`.
#[inline(always)]
const fn needs_second_look(byte: u8) -> bool {
    let printable = (byte.wrapping_sub(b' ') < 95) & (byte != b'&');
    !(printable | (byte == b'\t') | (byte == b'\n') | (byte == b'\r'))
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn a_page_shows_this() {
        let cases = [
            // written, shown
            ("plain & simple; a&b", "plain & simple; a&b"),
            ("i\u{200b}gn\u{202e}ore", "ignore"),
            ("a\u{a0}b\u{3000}c\u{2028}d", "a b c\nd"),
            ("ﬁne ｗｉｄｅ 𝐛𝐨𝐥𝐝", "fine wide bold"),
            ("&#105;&#x67;n&ZeroWidthSpace;ore&nbsp;&lt;b&gt;", "ign\u{6f}re <b>"),
            ("&amp;amp;#105;x", "ix"),
            ("nul\0bell\u{7}", "nulbell"),
            ("&unknown; &#xFFFFFFFF; &#; &", "&unknown; &#xFFFFFFFF; &#; &"),
            ("a\r\nb", "a\r\nb"),
        ];
        for (written, shown) in cases {
            assert_eq!(clean(written).text(), shown, "{written:?}");
        }
    }
}
