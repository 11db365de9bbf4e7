//! Cosignatures: that a witness has seen a checkpoint, and nothing before it that does not fit.
//!
//! The form is that of C2SP tlog-cosignature with Ed25519. A witness signs the text of the checkpoint
//! together with a time, so that its signature cannot be taken for one of the log.

use std::fmt;
use std::str::FromStr;

use data_encoding::BASE64;
use ed25519_dalek::{Signature, VerifyingKey};

use crate::key::{self, BadKey, KeyHash, KeyName, Typed};
use crate::note::{NotSigned, SignedNote};

/// The public key of a witness.
///
/// ```
/// use verify::cosignature::WitnessKey;
///
/// let text = "witness.example/w+bbabb70a+BNdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea";
/// let key: WitnessKey = text.parse()?;
/// assert_eq!(key.to_string(), text);
///
/// // The key of a log is for another kind of signatures.
/// let log = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
/// assert!(log.parse::<WitnessKey>().is_err());
/// # Ok::<(), verify::cosignature::BadWitnessKey>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessKey {
    name: KeyName,
    hash: KeyHash,
    public: VerifyingKey,
}

/// Why a text is not the key of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadWitnessKey {
    /// It is for another kind of signatures.
    #[error("the key of a witness is of type 4 (Ed25519 cosignatures), and this one of type {0}")]
    Algorithm(u8),
    /// It is no key at all.
    #[error(transparent)]
    Key(#[from] BadKey),
}

impl WitnessKey {
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

    /// Checks that the witness has signed the text of a note, and says when, in seconds since 1970.
    /// Signatures of others are passed over.
    ///
    /// # Errors
    /// When it has not, or when one signature that claims to be of this key is not.
    pub fn cosigned(&self, note: &SignedNote) -> Result<u64, NotSigned> {
        let (name, hash) = (self.name.clone(), self.hash);
        let of_key = note.signatures().iter().filter(|line| line.name == name && line.key_hash == hash);
        let mut last = None;
        for line in of_key {
            let Some(time) = self.time(note.text(), &line.bytes) else {
                return Err(NotSigned::Wrong { name, hash });
            };
            last = last.max(Some(time));
        }
        last.ok_or(NotSigned::Absent { name, hash })
    }

    /// The time of a signature of this text. Nothing when it is not one of this key.
    fn time(&self, text: &str, signature: &[u8]) -> Option<u64> {
        let (time, signature) = signature.split_first_chunk()?;
        let time = u64::from_be_bytes(*time);
        let signature = Signature::from_slice(signature).ok()?;
        let said = message(time, text);
        (time <= LATEST && self.public.verify_strict(said.as_bytes(), &signature).is_ok()).then_some(time)
    }
}

/// What a witness signs: a header that no log signs, the time in seconds since 1970, and the text.
#[must_use]
pub fn message(time: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

impl FromStr for WitnessKey {
    type Err = BadWitnessKey;

    fn from_str(text: &str) -> Result<Self, BadWitnessKey> {
        let Typed { name, hash, algorithm, public } = Typed::parse(text)?;
        if algorithm != COSIGNATURE {
            return Err(BadWitnessKey::Algorithm(algorithm));
        }
        let public = key::safe(&public)?;
        let known = key::hash(&name, COSIGNATURE, public.as_bytes());
        if known.to_string() != hash {
            return Err(BadKey::Hash(known).into());
        }
        Ok(Self { name, hash: known, public })
    }
}

impl fmt::Display for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let typed: Vec<u8> = [COSIGNATURE].iter().chain(self.public.as_bytes()).copied().collect();
        write!(f, "{}+{}+{}", self.name, self.hash, BASE64.encode(&typed))
    }
}

/// The type of keys that cosign.
const COSIGNATURE: u8 = 4;

/// The latest time that a cosignature may have.
const LATEST: u64 = i64::MAX.unsigned_abs();
