//! What one call is called, from the moment it arrives to the last line about it.

use std::fmt;
use std::str::FromStr;

use data_encoding::{Encoding, Specification};
use std::sync::LazyLock;

use crate::Moment;

/// The name of one call. Names sort by the millisecond in which they were given, so that calls of one
/// time lie side by side wherever they are kept.
///
/// ```
/// use call::{CallId, Moment};
///
/// let now: Moment = "2026-02-09T16:05:01Z".parse()?;
/// let id = CallId::new(now, [7; 10]);
/// assert_eq!(id.to_string(), "01kh1jcay80w3ge1r70w3ge1r7");
/// assert_eq!("01kh1jcay80w3ge1r70w3ge1r7".parse(), Ok(id));
///
/// assert!("01KH1JEQD8/../x".parse::<CallId>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId([u8; 16]);

/// A text is not the name of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a call's name has 26 digits and small letters")]
pub struct BadCallId;

/// Digits and letters that cannot be taken for each other.
const SYMBOLS: [u8; 32] = *b"0123456789abcdefghjkmnpqrstvwxyz";

static DIGITS: LazyLock<Option<Encoding>> = LazyLock::new(|| {
    let mut digits = Specification::new();
    digits.symbols.push_str(std::str::from_utf8(&SYMBOLS).ok()?);
    digits.encoding().ok()
});

impl CallId {
    /// A name for a call that arrives now; ten bytes of chance keep it apart from all others.
    #[must_use]
    pub fn new(now: Moment, chance: [u8; 10]) -> Self {
        let [_, _, time @ ..] = now.milliseconds().to_be_bytes();
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(time.into_iter().chain(chance)).for_each(|(byte, given)| *byte = given);
        Self(bytes)
    }

    /// Its bytes: the time, and the chance.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl FromStr for CallId {
    type Err = BadCallId;

    fn from_str(text: &str) -> Result<Self, BadCallId> {
        // 26 digits of five bits are two bits more than there are: these are the first ones, and zero.
        let digits = DIGITS.as_ref().ok_or(BadCallId)?;
        let padded = format!("000000{text}");
        let bytes = digits.decode(padded.as_bytes()).map_err(|_| BadCallId)?;
        match bytes.split_first_chunk::<4>() {
            Some(([0, 0, 0, 0], id)) => id.try_into().map(Self).map_err(|_| BadCallId),
            Some(_) | None => Err(BadCallId),
        }
    }
}

impl CallId {
    /// The 26 digits, to whoever takes them. Names of calls are written many times for every call.
    fn digits<T>(&self, take: impl FnOnce(&str) -> T) -> T {
        let mut rest = u128::from_be_bytes(self.0);
        let mut digits = [0; 26];
        for digit in digits.iter_mut().rev() {
            let five = usize::from(rest as u8 & 0b1_1111);
            *digit = SYMBOLS.get(five).copied().unwrap_or_default();
            rest >>= 5;
        }
        take(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits(|digits| f.write_str(digits))
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for CallId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.digits(|digits| serializer.serialize_str(digits))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CallId, DIGITS};

    proptest! {
        #[test]
        fn a_name_is_written_as_base_32_has_it_and_read_again(bytes: [u8; 16]) {
            let padded = [[0; 4].as_slice(), &bytes].concat();
            let standard = DIGITS.as_ref().unwrap().encode(&padded);
            let text = CallId(bytes).to_string();
            prop_assert_eq!(Some(text.as_str()), standard.get(6..));
            prop_assert_eq!(text.parse(), Ok(CallId(bytes)));
            let json = serde_json::to_value(CallId(bytes)).unwrap();
            prop_assert_eq!(json, serde_json::Value::from(text));
        }
    }
}
