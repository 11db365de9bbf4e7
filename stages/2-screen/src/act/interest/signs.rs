//! Words that a shell would put together, and variables named as secrets.

use super::beginnings::is_name_byte;
use super::names::{Class, class, is_name};
use super::programs::{LEADS, LONGEST, PROGRAMS, RUNS_PIPED, program_at};
use super::{Kind, Mark};
use crate::act::names::is_secret;
use crate::blocks::{Look, any_block, bits_behind, bits_where};

/// Names with quotes in them, as a shell takes them: `cu"rl"`.
pub(super) fn put_together(bytes: &[u8], marks: &mut Vec<Mark>) {
    let mut from = 0;
    let mut read = |at| from = put_together_at(bytes, at, from, marks);
    any_block(bytes, BehindName { bytes, signs: [b'"', b'\'', b'\\'], found: &mut read });
    if memchr::memchr(b'`', bytes).is_some() {
        any_block(bytes, BehindName { bytes, signs: [b'`'; 3], found: read });
    }
}

/// Calls `found` with every place where such a sign stands directly behind a byte that names are written with.
struct BehindName<'b, F> {
    bytes: &'b [u8],
    signs: [u8; 3],
    found: F,
}

impl<F: FnMut(usize)> Look for BehindName<'_, F> {
    #[inline(always)]
    fn look(&mut self, block: &[u8; 64], start: usize) -> bool {
        let [first, second, third] = self.signs;
        let signs = bits_where(block, |byte| (byte == first) | (byte == second) | (byte == third));
        if signs == 0 {
            return false;
        }
        let before = start.checked_sub(1).and_then(|before| self.bytes.get(before));
        let mut left = signs & bits_behind(block, before, is_name_byte);
        while left != 0 {
            (self.found)(start + left.trailing_zeros() as usize);
            left &= left - 1;
        }
        false
    }
}

/// The same of the name with a quote at `at`, if that was not read before `from`. Says up to where names were read.
#[inline]
fn put_together_at(bytes: &[u8], at: usize, from: usize, marks: &mut Vec<Mark>) -> usize {
    if at < from {
        return from;
    }
    // Nothing of a name goes on behind most quotes: they end a string.
    match bytes.get(at + 1) {
        Some(&behind) if is_name(behind) || matches!(behind, b'"' | b'\'' | b'\\' | b'`' | b'\n') => {
            read_put_together(bytes, at, marks)
        }
        Some(_) | None => at + 1,
    }
}

#[inline(never)]
fn read_put_together(bytes: &[u8], at: usize, marks: &mut Vec<Mark>) -> usize {
    let before = bytes.get(..at).unwrap_or_default().iter().rev();
    let start = at - before.take(LONGEST + 1).take_while(|&&byte| is_name(byte)).count();
    let (mut name, mut length, mut end) = ([0; LONGEST], 0_usize, start);
    while let Some(&byte) = bytes.get(end) {
        let quote = matches!(byte, b'"' | b'\'' | b'\\' | b'`')
            || (byte == b'\n' && bytes.get(end.saturating_sub(1)) == Some(&b'\\'));
        if is_name(byte) {
            name.get_mut(length).into_iter().for_each(|place| *place = byte);
            length += 1;
        } else if !quote {
            break;
        }
        end += 1;
    }
    let name = name.get(..length).unwrap_or_default();
    if end > at + 1 && program_at(name, &PROGRAMS) & !(LEADS | RUNS_PIPED) != 0 {
        marks.push(Mark { at: start, kind: Kind::Program });
    }
    end
}

/// Variables named as secrets, and words that a shell puts together.
pub(super) fn signs(bytes: &[u8], marks: &mut Vec<Mark>) {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let name_from = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        let length = rest.iter().take(80).take_while(|&&byte| is_word(byte)).count();
        rest.get(..length).unwrap_or_default()
    };
    let secret = |name: &[u8]| name.len() >= 3 && std::str::from_utf8(name).is_ok_and(is_secret);
    let mut percent_until = 0;
    for at in memchr::memchr3_iter(b'$', b'`', b'%', bytes) {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before)).copied();
        let behind = bytes.get(at + 1).copied().unwrap_or(b' ');
        let attached = before.is_some_and(|byte| byte.is_ascii_alphanumeric());
        let kind = match bytes.get(at) {
            Some(b'$') => {
                let puts_in = match behind {
                    b'(' | b'{' | b'@' | b'*' | b'_' => true,
                    b'1'..=b'9' => bytes.get(at + 2).is_some_and(u8::is_ascii_alphabetic),
                    _ => behind.is_ascii_alphabetic(),
                };
                let name = name_from(at + if behind == b'{' { 2 } else { 1 });
                match puts_in {
                    true if secret(name) => Some(Kind::Secret),
                    true if attached || is_first(bytes, at) => Some(Kind::Program),
                    true => None,
                    false => (behind == b'\'').then_some(Kind::Program),
                }
            }
            Some(b'`') => (attached && behind.is_ascii_alphanumeric()).then_some(Kind::Program),
            // `%API_KEY%`
            _ => {
                let name = if at < percent_until { &[][..] } else { name_from(at + 1) };
                let closed = bytes.get(at + 1 + name.len()) == Some(&b'%');
                percent_until = at + 1 + name.len();
                (closed && secret(name)).then_some(Kind::Secret)
            }
        };
        marks.extend(kind.map(|kind| Mark { at, kind }));
    }
}

/// Does a command begin here?
fn is_first(bytes: &[u8], at: usize) -> bool {
    let before = bytes.get(..at).unwrap_or_default().iter().rev().take(64);
    before
        .copied()
        .find(|&byte| class(byte) != Class::Blank)
        .is_none_or(|byte| class(byte) == Class::Separator)
}
