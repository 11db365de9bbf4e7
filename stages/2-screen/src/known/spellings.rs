//! The ways in which a value may be written.

use super::table::WINDOW;

/// The ways in which signs and case matter.
pub(super) fn spellings(value: &[u8]) -> Vec<Vec<u8>> {
    let moved = |byte: u8| match byte {
        b'a'..=b'm' | b'A'..=b'M' => byte + 13,
        b'n'..=b'z' | b'N'..=b'Z' => byte - 13,
        _ => byte,
    };
    let far_moved = |byte: u8| match byte {
        b'!'..=b'O' => byte + 47,
        b'P'..=b'~' => byte - 47,
        _ => byte,
    };
    let mut all = vec![value.to_vec(), value.iter().rev().copied().collect()];
    all.push(value.iter().copied().map(moved).collect());
    all.push(value.iter().copied().map(far_moved).collect());
    for alphabet in [STANDARD, URL_SAFE] {
        all.extend((0..3).map(|before| base64(value, before, alphabet)));
    }
    let uuencoded: Vec<u8> = (b' '..b'`').collect();
    let blankless: Vec<u8> = std::iter::once(b'`').chain(b'!'..b'`').collect();
    for alphabet in [&uuencoded, &blankless] {
        all.extend((0..3).map(|before| base64(value, before, alphabet)));
    }
    let ascii85: Vec<u8> = (b'!'..=b'u').collect();
    for alphabet in [&*ascii85, RFC_1924, Z85] {
        all.extend((0..4).map(|before| base85(value, before, alphabet)));
    }
    for digits in [b"0123456789abcdef", b"0123456789ABCDEF"] {
        let hex = |byte: u8| [digit(digits, byte >> 4), digit(digits, byte & 15)];
        all.push(value.iter().flat_map(|&byte| hex(byte)).collect());
        all.push(value.iter().flat_map(|&byte| [b'%'].into_iter().chain(hex(byte))).collect());
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let percent = |byte: u8| {
            let [high, low] = hex(byte);
            if plain(byte) { vec![byte] } else { vec![b'%', high, low] }
        };
        all.push(value.iter().flat_map(|&byte| percent(byte)).collect());
        let unicode = |byte: u8| {
            let [high, low] = hex(byte);
            [b'\\', b'u', b'0', b'0', high, low]
        };
        all.push(value.iter().flat_map(|&byte| unicode(byte)).collect());
    }
    let escape = |byte: u8| match byte {
        b'"' | b'\\' => vec![b'\\', byte],
        b'\n' => b"\\n".to_vec(),
        b'\r' => b"\\r".to_vec(),
        b'\t' => b"\\t".to_vec(),
        b'/' => b"\\/".to_vec(),
        _ => vec![byte],
    };
    all.push(value.iter().flat_map(|&byte| escape(byte)).collect());
    all.push(value.iter().flat_map(|&byte| if byte == b'/' { vec![byte] } else { escape(byte) }).collect());
    all.retain(|spelling| spelling.len() >= WINDOW);
    all
}

/// Encodings of which the letters and digits are enough, and their case does not matter: what stands in the name
/// of a host has none, and no sign but a hyphen. Of base64 not much is lost that way.
pub(super) fn plain_spellings(value: &[u8]) -> Vec<Vec<u8>> {
    let hex = digits_of(value, 0, 4, BASE_62);
    let alone = [digits_of(value, 0, 5, BASE_32), hex, base64(value, 0, URL_SAFE)];
    let mut all: Vec<Vec<u8>> = alone.iter().map(|digits| digits.iter().rev().copied().collect()).collect();
    all.extend(alone);
    all.extend((1..5).map(|before| digits_of(value, before, 5, BASE_32)));
    if value.len() <= LONGEST_NUMBER {
        let decimal = BASE_62.get(..10).unwrap_or_default();
        let base36 = BASE_62.get(..36).unwrap_or_default();
        all.extend([decimal, base36, BASE_58, BASE_62].map(|digits| number(value, digits)));
    }
    for spelling in &mut all {
        spelling.retain(u8::is_ascii_alphanumeric);
        spelling.make_ascii_lowercase();
    }
    all
}

fn digit(digits: &[u8], value: u8) -> u8 {
    digits.get(usize::from(value)).copied().unwrap_or_default()
}

pub(super) const STANDARD: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
pub(super) const URL_SAFE: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const BASE_32: &[u8] = b"abcdefghijklmnopqrstuvwxyz234567";
const BASE_58: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE_62: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const RFC_1924: &[u8] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const Z85: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

/// The base64 digits of `value` with `before` unknown bytes in front, without those that depend on
/// what stands around it.
pub(super) fn base64(value: &[u8], before: usize, alphabet: &[u8]) -> Vec<u8> {
    digits_of(value, before, 6, alphabet)
}

/// The same for digits of so many bits.
fn digits_of(value: &[u8], before: usize, bits: u32, alphabet: &[u8]) -> Vec<u8> {
    let bytes = std::iter::repeat_n(0, before).chain(value.iter().copied());
    let (mut digits, mut window, mut filled) = (Vec::new(), 0_u32, 0_u32);
    for byte in bytes {
        window = (window << 8) | u32::from(byte);
        filled += 8;
        while filled >= bits {
            filled -= bits;
            digits.push(digit(alphabet, (window >> filled & ((1 << bits) - 1)).to_le_bytes()[0]));
        }
    }
    digits.drain(..(before * 8).div_ceil(bits as usize));
    digits
}

/// The digits of all groups of four bytes that are full.
fn base85(value: &[u8], before: usize, alphabet: &[u8]) -> Vec<u8> {
    let groups = value.get((4 - before) % 4..).unwrap_or_default().as_chunks::<4>().0;
    let digits = |group: &[u8; 4]| {
        let group = u32::from_be_bytes(*group);
        [85 * 85 * 85 * 85, 85 * 85 * 85, 85 * 85, 85, 1].map(|unit| (group / unit % 85).to_le_bytes()[0])
    };
    groups.iter().flat_map(digits).map(|value| digit(alphabet, value)).collect()
}

/// Longer values are not taken for numbers, which takes in square.
const LONGEST_NUMBER: usize = 128;

/// The value as one number.
fn number(value: &[u8], alphabet: &[u8]) -> Vec<u8> {
    let radix = alphabet.len().max(2);
    // The last digit first.
    let mut digits: Vec<usize> = Vec::new();
    for &byte in value {
        let mut carry = usize::from(byte);
        for digit in &mut digits {
            carry += *digit << 8;
            *digit = carry % radix;
            carry /= radix;
        }
        while carry > 0 {
            digits.push(carry % radix);
            carry /= radix;
        }
    }
    digits.iter().rev().filter_map(|&digit| alphabet.get(digit).copied()).collect()
}
