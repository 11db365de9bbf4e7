//! Looking for a byte of some kind, many at a time.

/// The place of the first byte that `is_it`. Block by block, which a compiler turns into a few
/// comparisons of many bytes at once, if `is_it` is made of comparisons.
pub(crate) fn position(bytes: &[u8], is_it: impl Fn(u8) -> bool) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<32>();
    let without = |block: &&[u8; 32]| !block.iter().fold(false, |any, &byte| any | is_it(byte));
    let passed = blocks.iter().take_while(without).count() * 32;
    let rest = bytes.get(passed..)?;
    rest.iter().position(|&byte| is_it(byte)).map(|place| passed + place)
}

/// One bit for each byte that is 1, the first one in the lowest bit; the others are 0.
#[inline]
pub(crate) fn bits(bytes: &[u8; 64]) -> u64 {
    // Moves the lowest bit of each byte to a place of its own in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let eights = bytes.as_chunks::<8>().0.iter().rev();
    eights.fold(0, |bits, eight| (bits << 8) | (u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_byte_has_its_bit() {
        for place in 0..64 {
            let mut bytes = [0; 64];
            bytes[place] = 1;
            assert_eq!(super::bits(&bytes), 1 << place);
        }
        assert_eq!(super::bits(&[1; 64]), u64::MAX);
    }

    #[test]
    fn every_place_is_found() {
        for place in 0..100 {
            let mut bytes = [b'a'; 100];
            bytes[place] = b'x';
            assert_eq!(super::position(&bytes, |byte| byte == b'x'), Some(place));
        }
        assert_eq!(super::position(&[b'a'; 100], |byte| byte == b'x'), None);
    }
}
