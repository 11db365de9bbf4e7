//! Looking for a byte of some kind, many at a time.

use crate::wide::{Work, widely};

/// The place of the first byte that `is_it`. Block by block, which a compiler turns into a few
/// comparisons of many bytes at once, if `is_it` is made of comparisons.
pub(crate) fn position(bytes: &[u8], is_it: impl Fn(u8) -> bool) -> Option<usize> {
    let passed = blocks_without(bytes, &is_it) * BLOCK;
    let rest = bytes.get(passed..)?;
    match rest.len() < BLOCK && !has(rest, &is_it) {
        true => None,
        false => rest.iter().position(|&byte| is_it(byte)).map(|place| passed + place),
    }
}

/// Is there any byte that `is_it`?
pub(crate) fn any(bytes: &[u8], is_it: impl Fn(u8) -> bool) -> bool {
    widely(Any { bytes, is_it })
}

struct Any<'b, F> {
    bytes: &'b [u8],
    is_it: F,
}

impl<F: Fn(u8) -> bool> Work for Any<'_, F> {
    type Done = bool;

    #[inline(always)]
    fn done(self) -> bool {
        let (blocks, rest) = self.bytes.as_chunks::<BLOCK>();
        blocks_without(self.bytes, &self.is_it) < blocks.len() || has(rest, self.is_it)
    }
}

/// Is any character white space? Told by the bytes, of which the first is found soon in most texts.
pub(crate) fn has_blank(text: &str) -> bool {
    let blank = text.bytes().any(|byte| matches!(byte, b'\t'..=b'\r' | b' '));
    blank || (!text.is_ascii() && text.contains(char::is_whitespace))
}

const BLOCK: usize = 32;

/// How many blocks at the start have no byte that `is_it`.
#[inline(always)]
fn blocks_without(bytes: &[u8], is_it: impl Fn(u8) -> bool) -> usize {
    bytes.as_chunks().0.iter().take_while(|block| !block_has(block, &is_it)).count()
}

#[inline(always)]
fn block_has(block: &[u8; BLOCK], is_it: impl Fn(u8) -> bool) -> bool {
    block.iter().fold(false, |any, &byte| any | is_it(byte))
}

/// The same of less than a block, filled up with its first byte.
#[inline(always)]
fn has(rest: &[u8], is_it: impl Fn(u8) -> bool) -> bool {
    let Some(first) = rest.first() else { return false };
    let mut block = [*first; BLOCK];
    block.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
    block_has(&block, is_it)
}

/// Looks at a text block by block. No closure, because only what is inlined is compiled for what the processor has,
/// and that cannot be said of one.
pub(crate) trait Look {
    /// Looks at the block that starts at `start`; whether that is enough. To be inlined always.
    fn look(&mut self, block: &[u8; 64], start: usize) -> bool;
}

/// Shows each block of a text until one is enough, and says whether one was. The last one is filled up with blanks.
#[inline(always)]
pub(crate) fn any_block(bytes: &[u8], look: impl Look) -> bool {
    widely(Blocks { bytes, look })
}

struct Blocks<'b, L> {
    bytes: &'b [u8],
    look: L,
}

impl<L: Look> Work for Blocks<'_, L> {
    type Done = bool;

    #[inline(always)]
    fn done(mut self) -> bool {
        let mut last = [b' '; 64];
        let mut at = 0;
        while let Some(rest) = self.bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let block = rest.first_chunk().unwrap_or_else(|| {
                last.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
                &last
            });
            if self.look.look(block, at) {
                return true;
            }
            at += 64;
        }
        false
    }
}

/// One bit for each byte that `is_it`, moved to the byte behind it; `before` stands in front of the block.
#[inline(always)]
pub(crate) fn bits_behind(block: &[u8; 64], before: Option<&u8>, is_it: impl Fn(u8) -> bool) -> u64 {
    let carried = before.is_some_and(|&byte| is_it(byte));
    (bits_where(block, is_it) << 1) | u64::from(carried)
}

/// The same, moved to the byte in front of it; `behind` stands behind the block.
#[inline(always)]
pub(crate) fn bits_in_front(block: &[u8; 64], behind: Option<&u8>, is_it: impl Fn(u8) -> bool) -> u64 {
    let carried = behind.is_some_and(|&byte| is_it(byte));
    (bits_where(block, is_it) >> 1) | (u64::from(carried) << 63)
}

/// One bit for each byte that `is_it`, the first one in the lowest bit.
#[inline(always)]
pub(crate) fn bits_where(block: &[u8; 64], is_it: impl Fn(u8) -> bool) -> u64 {
    let mut marks = [0; 64];
    marks.iter_mut().zip(block).for_each(|(mark, &byte)| *mark = u8::from(is_it(byte)));
    bits(&marks)
}

/// One bit for each byte that is 1, the first one in the lowest bit; the others are 0.
#[inline(always)]
pub(crate) fn bits(bytes: &[u8; 64]) -> u64 {
    let sixteens = bytes.as_chunks::<16>().0.iter().rev();
    sixteens.fold(0, |bits, sixteen| (bits << 16) | u64::from(bits_of(sixteen)))
}

/// The same for sixteen bytes, by an instruction that every processor of this kind has.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
#[expect(unsafe_code, reason = "an instruction of SSE2, which is a part of x86-64")]
fn bits_of(bytes: &[u8; 16]) -> u16 {
    use std::arch::x86_64::{_mm_movemask_epi8, _mm_set_epi64x, _mm_slli_epi16};
    let both = u128::from_le_bytes(*bytes);
    // SAFETY: these need SSE2, without which there is no x86-64; they touch no memory.
    unsafe {
        let bytes = _mm_set_epi64x((both >> 64) as i64, both as i64);
        _mm_movemask_epi8(_mm_slli_epi16::<7>(bytes)) as u16
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn bits_of(bytes: &[u8; 16]) -> u16 {
    bits_gathered(bytes)
}

/// The same by multiplying, as any processor can.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn bits_gathered(bytes: &[u8; 16]) -> u16 {
    // Moves the lowest bit of each byte to a place of its own in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let eights = bytes.as_chunks::<8>().0.iter().rev();
    eights.fold(0, |bits, eight| (bits << 8) | (u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56) as u16)
}

/// So many places are written at once by [`write_places`].
pub(crate) const FEW: usize = 8;

/// Writes the places of the bits that are set, counted from `first`, to `places` from `count` on, and says how
/// many there are then. More is written than counts: how many bits are set is what a processor cannot guess, so
/// that places are written by the few, for which there must be room.
#[inline(always)]
pub(crate) fn write_places<const N: usize>(
    bits: u64,
    first: usize,
    places: &mut [usize; N],
    count: usize,
) -> usize {
    let mut left = bits;
    let mut at = count;
    while left != 0 {
        if let Some(few) = places.get_mut(at..).and_then(<[usize]>::first_chunk_mut::<FEW>) {
            for place in few {
                *place = first + left.trailing_zeros() as usize;
                left &= left.wrapping_sub(1);
            }
        } else {
            left = 0;
        }
        at += FEW;
    }
    count + bits.count_ones() as usize
}

#[cfg(test)]
mod tests {
    #[test]
    fn places_of_bits_are_written_behind_each_other() {
        let mut places = [0; 64 + 64 + super::FEW];
        for bits in [0, 1, 0b1010, u64::MAX, 1 << 63, 0x0F0F_0000_F0F0_1111] {
            let count = super::write_places(bits, 100, &mut places, 3) - 3;
            let want: Vec<usize> = (0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| 100 + bit).collect();
            assert_eq!(places[3..3 + count], want);
        }
    }

    #[test]
    fn every_byte_has_its_bit() {
        for place in 0..64 {
            let mut bytes = [0; 64];
            bytes[place] = 1;
            assert_eq!(super::bits(&bytes), 1 << place);
        }
        assert_eq!(super::bits(&[1; 64]), u64::MAX);
        for all in 0..=u16::MAX {
            let bytes = std::array::from_fn(|place| (all >> place & 1) as u8);
            assert_eq!((super::bits_of(&bytes), super::bits_gathered(&bytes)), (all, all));
        }
    }

    #[test]
    fn every_place_is_found() {
        for length in 0..100 {
            for place in 0..length {
                let mut bytes = vec![b'a'; length];
                bytes[place] = b'x';
                assert_eq!(super::position(&bytes, |byte| byte == b'x'), Some(place));
                assert!(super::any(&bytes, |byte| byte == b'x'));
            }
            let bytes = vec![b'a'; length];
            assert_eq!(super::position(&bytes, |byte| byte == b'x'), None);
            assert!(!super::any(&bytes, |byte| byte == b'x'));
        }
    }
}
