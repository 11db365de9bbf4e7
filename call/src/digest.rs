//! SHA-256 digests.

use std::fmt;
use std::str::FromStr;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha2::Digest as _;

/// A SHA-256 digest.
///
/// Written as 64 hexadecimal digits; read in either case, always shown in lower case, so that two
/// spellings of one digest compare equal.
///
/// ```
/// use call::Sha256;
///
/// let empty = Sha256::of(b"");
/// assert_eq!(empty.to_string(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
/// assert_eq!(empty.to_string().to_uppercase().parse(), Ok(empty));
///
/// assert!("e3b0c442".parse::<Sha256>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sha256([u8; 32]);

/// A text is not a SHA-256 digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hexadecimal digits")]
pub struct BadSha256;

impl Sha256 {
    /// The digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The hash of these bytes with a key (HMAC, RFC 2104): nobody without the key can tell what it is of.
    #[must_use]
    pub fn keyed(key: &[u8; 32], bytes: &[u8]) -> Self {
        // A key is as long as a hash, and so never longer than a block.
        let padded = |with: u8| {
            let mut block = [with; 64];
            block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
            block
        };
        let inner = sha2::Sha256::new().chain_update(padded(0x36)).chain_update(bytes).finalize();
        Self(sha2::Sha256::new().chain_update(padded(0x5C)).chain_update(inner).finalize().into())
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The digest of everything that `hasher` was fed; for content that does not fit in memory.
    #[must_use]
    pub fn finish(hasher: sha2::Sha256) -> Self {
        Self(hasher.finalize().into())
    }
}

impl From<[u8; 32]> for Sha256 {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl FromStr for Sha256 {
    type Err = BadSha256;

    fn from_str(text: &str) -> Result<Self, BadSha256> {
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| BadSha256)?;
        let mut bytes = [0; 32];
        HEXLOWER_PERMISSIVE.decode_mut(digits, &mut bytes).map_err(|_| BadSha256)?;
        Ok(Self(bytes))
    }
}

impl<'de> serde::Deserialize<'de> for Sha256 {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Sha256 {
    /// The 64 digits, to whoever takes them. Digests are written many times for every call.
    fn digits<T>(&self, take: impl FnOnce(&str) -> T) -> T {
        let mut digits = [0; 64];
        HEXLOWER.encode_mut(&self.0, &mut digits);
        take(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

impl fmt::Display for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits(|digits| f.write_str(digits))
    }
}

impl fmt::Debug for Sha256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Sha256 {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.digits(|digits| serializer.serialize_str(digits))
    }
}

#[cfg(test)]
mod tests {
    use super::Sha256;

    #[test]
    fn a_hash_with_a_key_is_that_of_rfc_4231() {
        // Its first case, with the key filled up as the standard fills it.
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let hash = Sha256::keyed(&key, b"Hi There").to_string();
        assert_eq!(hash, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    }
}
