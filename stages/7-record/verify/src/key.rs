//! The public key of a log, in the form in which people pass it on.
//!
//! The form is that of C2SP signed notes: `NAME+HASH+BASE64`. The hash is short and no protection; it
//! tells keys with the same name apart, and finds a key that was cut or mistyped.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64;
use ed25519_dalek::{PUBLIC_KEY_LENGTH, Signature, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::base64;

/// The name of a key, which is the name of its log too.
///
/// ```
/// use verify::key::KeyName;
///
/// let name: KeyName = "example.com/ledger".parse()?;
/// assert_eq!(name.as_str(), "example.com/ledger");
///
/// assert!("example.com/my ledger".parse::<KeyName>().is_err());
/// # Ok::<(), verify::key::BadKeyName>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyName(
    // Invariant: not empty; no white space, plus sign or control character.
    Box<str>,
);

/// A text is not the name of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name of a key is not empty, and has no spaces, plus signs or control characters")]
pub struct BadKeyName;

impl KeyName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyName {
    type Err = BadKeyName;

    fn from_str(name: &str) -> Result<Self, BadKeyName> {
        let refused =
            |character: char| character.is_whitespace() || character.is_control() || character == '+';
        if name.is_empty() || name.contains(refused) {
            return Err(BadKeyName);
        }
        Ok(Self(name.into()))
    }
}

impl fmt::Display for KeyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What tells keys with the same name apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyHash(pub [u8; Self::BYTES]);

impl KeyHash {
    /// How long one is.
    pub const BYTES: usize = 4;
}

/// Eight hexadecimal digits.
impl fmt::Display for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", u32::from_be_bytes(self.0))
    }
}

/// An Ed25519 public key with its name.
///
/// ```
/// use verify::key::VerifierKey;
///
/// let text = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
/// let key: VerifierKey = text.parse()?;
/// assert_eq!(key.to_string(), text);
///
/// assert!(text.replace("Peter", "Petra").parse::<VerifierKey>().is_err());
/// # Ok::<(), verify::key::BadKey>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    name: KeyName,
    hash: KeyHash,
    public: VerifyingKey,
}

/// Why a text or bytes are not a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadKey {
    /// It does not have the form of one.
    #[error("a key is written NAME+HASH+BASE64")]
    Form,
    /// Its name is not one.
    #[error("the name of the key is not allowed")]
    Name(#[source] BadKeyName),
    /// It is for another kind of signatures.
    #[error("keys of type {0} are not known, only those of type 1 (Ed25519)")]
    Algorithm(u8),
    /// Its hash is that of another key: it was mistyped, or put together.
    #[error("the hash belongs to another key, this one has `{0}`")]
    Hash(KeyHash),
    /// It is no key that anything could be signed with so that only one person could have done it.
    #[error("the bytes are not a safe Ed25519 public key")]
    Unsafe,
}

impl VerifierKey {
    /// The key of this name with these bytes.
    ///
    /// # Errors
    /// When no safe key has these bytes.
    pub fn new(name: KeyName, public: &[u8; PUBLIC_KEY_LENGTH]) -> Result<Self, BadKey> {
        let public = safe(public)?;
        let hash = hash(&name, ED25519, public.as_bytes());
        Ok(Self { name, hash, public })
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &KeyName {
        &self.name
    }

    /// Its hash.
    #[must_use]
    pub const fn hash(&self) -> KeyHash {
        self.hash
    }

    /// Whether these bytes are its signature of this text.
    pub(crate) fn signed(&self, text: &str, signature: &[u8]) -> bool {
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.public.verify_strict(text.as_bytes(), &signature).is_ok())
    }
}

impl FromStr for VerifierKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        let Typed { name, hash, algorithm, public } = Typed::parse(text)?;
        if algorithm != ED25519 {
            return Err(BadKey::Algorithm(algorithm));
        }
        let key = Self::new(name, &public)?;
        if key.hash.to_string() != hash {
            return Err(BadKey::Hash(key.hash));
        }
        Ok(key)
    }
}

/// The parts of a key as it is written, before anything is known about them.
pub(crate) struct Typed<'t> {
    pub(crate) name: KeyName,
    pub(crate) hash: &'t str,
    pub(crate) algorithm: u8,
    pub(crate) public: [u8; PUBLIC_KEY_LENGTH],
}

impl<'t> Typed<'t> {
    pub(crate) fn parse(text: &'t str) -> Result<Self, BadKey> {
        let (name, rest) = text.split_once('+').ok_or(BadKey::Form)?;
        let (hash, key) = rest.split_once('+').ok_or(BadKey::Form)?;
        let name = name.parse().map_err(BadKey::Name)?;
        let key = base64::decode(key).ok_or(BadKey::Form)?;
        let (&algorithm, public) = key.split_first().ok_or(BadKey::Form)?;
        // Keys of other types have other lengths, and their type is what is wrong with them.
        let public = match public.try_into() {
            Ok(public) => public,
            Err(_) if algorithm != ED25519 => return Err(BadKey::Algorithm(algorithm)),
            Err(_) => return Err(BadKey::Form),
        };
        Ok(Self { name, hash, algorithm, public })
    }
}

impl fmt::Display for VerifierKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let typed: Vec<u8> = [ED25519].iter().chain(self.public.as_bytes()).copied().collect();
        write!(f, "{}+{}+{}", self.name, self.hash, BASE64.encode(&typed))
    }
}

/// The type of signatures that this key makes.
const ED25519: u8 = 1;

/// The key of these bytes, if it is one with which only one person can sign.
pub(crate) fn safe(public: &[u8; PUBLIC_KEY_LENGTH]) -> Result<VerifyingKey, BadKey> {
    let public = VerifyingKey::from_bytes(public).map_err(|_| BadKey::Unsafe)?;
    if public.is_weak() { Err(BadKey::Unsafe) } else { Ok(public) }
}

pub(crate) fn hash(name: &KeyName, algorithm: u8, public: &[u8; PUBLIC_KEY_LENGTH]) -> KeyHash {
    let whole: [u8; 32] = Sha256::new()
        .chain_update(name.as_str())
        .chain_update([b'\n', algorithm])
        .chain_update(public)
        .finalize()
        .into();
    let [first, second, third, fourth, ..] = whole;
    KeyHash([first, second, third, fourth])
}
