//! What was compressed before it was written as base64 or hexadecimal digits: gzip and zlib.
//!
//! Told by how the digits begin, so that most runs cost nothing. What comes out is bounded for the text as a
//! whole, so that the cost stays linear in the text and a bomb is only a beginning.

use std::io::Read as _;

use flate2::read::{GzDecoder, ZlibDecoder};

/// How digits of something compressed begin: gzip with its one method, zlib with its four levels.
const GZIP: [&str; 3] = ["H4sI", "1f8b08", "1F8B08"];
const ZLIB: [&str; 12] =
    ["eAE", "eF4", "eJw", "eNo", "7801", "785e", "789c", "78da", "785E", "789C", "78DA", "eJy"];

/// Bytes that may come out of one text.
pub(crate) struct Budget(usize);

impl Budget {
    /// For a text of so many bytes.
    pub(crate) fn of(text: usize) -> Self {
        Self(text.saturating_mul(8).saturating_add(64 * 1024))
    }

    /// What the digits hold, when it was compressed; of what is too long or damaged, the beginning.
    pub(crate) fn unpack(&mut self, digits: &str) -> Option<Vec<u8>> {
        let begins = |with: &[&str]| with.iter().any(|beginning| digits.starts_with(beginning));
        let (gzip, zlib) = (begins(&GZIP), begins(&ZLIB));
        if !(gzip || zlib) || self.0 == 0 {
            return None;
        }
        let packed = hexadecimal(digits).or_else(|| base64(digits))?;
        let (mut out, most) = (Vec::new(), u64::try_from(self.0).unwrap_or(u64::MAX));
        // An error comes after what could be read, which is all that is wanted.
        let _ = if gzip {
            GzDecoder::new(packed.as_slice()).take(most).read_to_end(&mut out)
        } else {
            ZlibDecoder::new(packed.as_slice()).take(most).read_to_end(&mut out)
        };
        self.0 -= out.len().min(self.0);
        Some(out)
    }
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
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => break,
        };
        window = window << 6 | u32::from(value);
        filled += 6;
        if filled >= 8 {
            filled -= 8;
            out.push((window >> filled & 0xff).to_le_bytes()[0]);
        }
    }
    (!out.is_empty()).then_some(out)
}
