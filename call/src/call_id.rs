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
static DIGITS: LazyLock<Option<Encoding>> = LazyLock::new(|| {
    let mut digits = Specification::new();
    digits.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
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

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut padded = [0; 20];
        padded.iter_mut().skip(4).zip(self.0).for_each(|(byte, own)| *byte = own);
        let text = DIGITS.as_ref().map(|digits| digits.encode(&padded)).unwrap_or_default();
        f.write_str(text.get(6..).unwrap_or_default())
    }
}

impl fmt::Debug for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for CallId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
