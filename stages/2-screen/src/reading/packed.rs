//! What was compressed before it was written as base64 or hexadecimal digits: gzip and zlib.
//!
//! Told by how the digits begin, so that most runs cost nothing. What comes out is bounded, so that the cost
//! stays linear in the text and a bomb is only a beginning. The bound is divided beforehand ([`Shares`]).
//!
//! **Invariant:** no run takes from another what its own digits entitle it to.

use std::io::Read as _;

use flate2::bufread::{GzDecoder, ZlibDecoder};

/// Bytes that come out for each digit, over all runs.
const LARGEST: usize = 16;

/// Bytes that come out beside that, over all runs.
const BESIDE: usize = 64 * 1024;

/// How many bytes may come out of each of several packed runs: one half of all goes by the number of digits,
/// so that others cannot make it less; the other half is the same for each, for short runs that hold much.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shares {
    half: usize,
    runs: usize,
    digits: usize,
}

impl Shares {
    /// For runs of these lengths.
    pub(crate) fn of(lengths: impl Iterator<Item = usize>) -> Self {
        let (runs, digits) = lengths.fold((0, 0_usize), |(runs, digits), length| (runs + 1, digits + length));
        Self { half: digits.saturating_mul(LARGEST).saturating_add(BESIDE) / 2, runs, digits }
    }

    /// The same, with no more than `most` bytes for all of them.
    pub(crate) fn within(self, most: usize) -> Self {
        Self { half: self.half.min(most / 2), ..self }
    }

    /// For the run of so many digits.
    pub(crate) fn share(self, length: usize) -> usize {
        let alike = self.half.checked_div(self.runs).unwrap_or_default();
        let by_length = self.half.saturating_mul(length).checked_div(self.digits).unwrap_or_default();
        alike.saturating_add(by_length)
    }
}

/// Do the digits begin as those of something compressed do?
pub(crate) fn is_packed(digits: &str) -> bool {
    kind(digits).is_some()
}

/// What came out of packed digits.
pub(crate) struct Unpacked<'d> {
    pub(crate) bytes: Vec<u8>,
    /// The digits behind its end: lines below it may have been taken for a part of it.
    pub(crate) behind: &'d str,
}

/// What the digits hold, when it was compressed; of what is too long or damaged, the beginning.
pub(crate) fn unpack(digits: &str, most: usize) -> Option<Unpacked<'_>> {
    let kind = kind(digits)?;
    let (packed, bits) =
        hexadecimal(digits).map(|packed| (packed, 4)).or_else(|| Some((base64(digits)?, 6)))?;
    let (mut bytes, limit) = (Vec::new(), u64::try_from(most).unwrap_or(u64::MAX));
    // An error comes after what could be read, which is all that is wanted.
    let (read, rest) = match kind {
        Kind::Gzip => {
            let mut decoder = GzDecoder::new(packed.as_slice());
            (decoder.by_ref().take(limit).read_to_end(&mut bytes), decoder.into_inner())
        }
        Kind::Zlib => {
            let mut decoder = ZlibDecoder::new(packed.as_slice());
            (decoder.by_ref().take(limit).read_to_end(&mut bytes), decoder.into_inner())
        }
    };
    let ended = read.is_ok() && bytes.len() < most;
    let length = ((packed.len() - rest.len()) * 8).div_ceil(bits);
    let behind = digits.get(length..).filter(|_| ended).unwrap_or_default();
    Some(Unpacked { bytes, behind })
}

#[derive(Clone, Copy)]
enum Kind {
    Gzip,
    Zlib,
}

fn kind(digits: &str) -> Option<Kind> {
    let first = digits.as_bytes().first_chunk::<4>()?;
    // The fourth digit of base64 has no part in the first two bytes.
    let [a, b, c, _] = first.map(|digit| u32::from(sextet(digit).unwrap_or_default()));
    let in_base64 = (a << 12 | b << 6 | c) >> 2;
    let in_hex = first.iter().try_fold(0, |value, &digit| Some(value << 4 | char::from(digit).to_digit(16)?));
    if begins_gzip(in_base64, digits, "H4sI") || in_hex.is_some_and(|hex| begins_gzip(hex, digits, "1f8b08"))
    {
        return Some(Kind::Gzip);
    }
    (begins_zlib(in_base64) || in_hex.is_some_and(begins_zlib)).then_some(Kind::Zlib)
}

/// Two bytes for the format, and one for its only method.
fn begins_gzip(bytes: u32, digits: &str, written: &str) -> bool {
    bytes == 0x1f8b
        && digits.get(..written.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(written))
}

/// The only method, a window of at most 32 KiB, any level, no dictionary; both bytes together are a multiple
/// of 31.
const fn begins_zlib(bytes: u32) -> bool {
    let (method, window, dictionary) = (bytes >> 8 & 15, bytes >> 12, bytes & 0x20);
    method == 8 && window <= 7 && dictionary == 0 && bytes.is_multiple_of(31)
}

fn hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    digits
        .as_bytes()
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => Some(digit(high)? << 4 | digit(low)?),
            _ => None,
        })
        .collect()
}

/// Both alphabets at once, up to the first character of neither.
fn base64(digits: &str) -> Option<Vec<u8>> {
    let (mut out, mut window, mut filled) = (Vec::with_capacity(digits.len() * 3 / 4), 0_u32, 0_u32);
    for byte in digits.bytes() {
        let Some(value) = sextet(byte) else { break };
        window = window << 6 | u32::from(value);
        filled += 6;
        if filled >= 8 {
            filled -= 8;
            out.push((window >> filled & 0xff).to_le_bytes()[0]);
        }
    }
    (!out.is_empty()).then_some(out)
}

fn sextet(digit: u8) -> Option<u8> {
    match digit {
        b'A'..=b'Z' => Some(digit - b'A'),
        b'a'..=b'z' => Some(digit - b'a' + 26),
        b'0'..=b'9' => Some(digit - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{BESIDE, LARGEST, Shares, is_packed};

    #[test]
    fn no_run_takes_from_another_what_its_digits_entitle_it_to() {
        for own in [20, 100, 5_000] {
            for others in [vec![], vec![20], vec![1_000_000], vec![20; 10_000], vec![4_000; 300]] {
                let all = || others.iter().copied().chain([own]);
                let shares = Shares::of(all());
                assert!(shares.share(own) >= own * LARGEST / 2, "{own} {shares:?}");
                let given: usize = all().map(|length| shares.share(length)).sum();
                assert!(given <= all().sum::<usize>() * LARGEST + BESIDE, "{own} {shares:?}");
                let given: usize = all().map(|length| shares.within(1_000).share(length)).sum();
                assert!(given <= 1_000, "{own} {shares:?}");
            }
        }
        assert_eq!(Shares::of([].into_iter()).share(20), 0);
    }

    #[test]
    fn zlib_is_known_whatever_comes_behind_its_beginning() {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for beginning in [0x7801, 0x785e, 0x789c, 0x78da, 0x6881, 0x48c7, 0x1895] {
            for next in 0..=255 {
                let value: usize = beginning << 8 | next;
                let base64 = [18, 12, 6, 0].map(|shift| char::from(alphabet[value >> shift & 63]));
                for digits in [base64.iter().collect(), format!("{value:06x}"), format!("{value:06X}")] {
                    assert!(is_packed(&digits), "{digits}");
                }
            }
        }
        for other in ["", "eJ", "eJA0", "78ff", "ghp_k3JxQ9vLw2Zr", "SWdub3Jl", "e3b0c442", "H4sH", "1f8b"] {
            assert!(!is_packed(other), "{other}");
        }
    }
}
