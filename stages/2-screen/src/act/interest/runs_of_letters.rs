//! Runs of the bytes that names are written with, found by the block.

use crate::blocks::bits;

/// A run of bytes that names are written with, as far as it is looked at first.
pub(super) enum Word<'b> {
    /// In a block, and without a sign but at its end.
    Plain { block: &'b [u8; BLOCK], start: usize, end: usize },
    /// Any other.
    Any(&'b [u8]),
}

/// Calls `found` with each run of bytes that names are written with and that has more than one, and where it
/// starts and ends, until it says yes; and says whether it did.
#[inline]
pub(super) fn each_word(bytes: &[u8], mut found: impl FnMut(Word<'_>, usize, usize) -> bool) -> bool {
    let any = |start: usize, end: usize| Word::Any(bytes.get(start..end).unwrap_or_default());
    // Where the run began that reached the end of the last block.
    let mut open = None;
    let mut at = 0;
    let mut last = [0; BLOCK];
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let block = rest.first_chunk::<BLOCK>().unwrap_or_else(|| {
            last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
            &last
        });
        let (mut left, signs) = name_bytes(block);
        // Signs with more of their word behind them.
        let odd = signs & (left >> 1);
        if let Some(start) = open {
            let length = (!left).trailing_zeros();
            if length == u64::BITS {
                at += BLOCK;
                continue;
            }
            open = None;
            left &= u64::MAX << length;
            let end = at + length as usize;
            if end - start > 1 && found(any(start, end), start, end) {
                return true;
            }
        }
        while left != 0 {
            let start = left.trailing_zeros() as usize;
            // Adding the first byte of a run carries to the place behind its last one.
            let behind = left.wrapping_add(left & left.wrapping_neg());
            if behind == 0 {
                open = Some(at + start);
                break;
            }
            let end = behind.trailing_zeros() as usize;
            let is_odd = odd & left & !behind != 0;
            left &= behind;
            let (from, to) = (at + start, at + end);
            let word = if is_odd { any(from, to) } else { Word::Plain { block, start, end } };
            if end - start > 1 && found(word, from, to) {
                return true;
            }
        }
        at += BLOCK;
    }
    open.is_some_and(|start| bytes.len() > start + 1 && found(any(start, bytes.len()), start, bytes.len()))
}

pub(super) const BLOCK: usize = 64;

/// One bit for each byte that names are written with, and for those of them that are `-` or `.`.
#[inline(never)]
fn name_bytes(block: &[u8; BLOCK]) -> (u64, u64) {
    let (mut marks, mut signs) = ([0; BLOCK], [0; BLOCK]);
    for ((mark, sign), &byte) in marks.iter_mut().zip(&mut signs).zip(block) {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        // `-`, `.` and the digits, with `/` between them.
        let other = (byte.wrapping_sub(b'-') < 13) & (byte != b'/');
        *mark = u8::from(letter | other | (byte == b'_'));
        *sign = u8::from(byte.wrapping_sub(b'-') < 2);
    }
    (bits(&marks), bits(&signs))
}
