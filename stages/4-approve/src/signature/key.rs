//! Public keys, and whether a key made a signature.
//!
//! RSA is computed here, from numbers that are all public: the usual crate for it draws in a source of chance
//! and carries an advisory about private keys, neither of which has anything to do with checking.

use std::fmt;

use data_encoding::{BASE64, BASE64_NOPAD};
use num_bigint::BigUint;
use p521::ecdsa::signature::Verifier as _;
use sha2::{Digest as _, Sha256, Sha512};
use ssh_key::public::{EcdsaPublicKey, KeyData};
use ssh_key::{Algorithm, EcdsaCurve, PublicKey, Signature};

use super::wire::Wire;

/// A public key, told apart from others by its bytes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key(
    // Invariant: the SSH form of a key of a kind that is taken.
    Box<[u8]>,
);

/// Why bytes are not a key that is taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadKey {
    /// They are no key.
    #[error("the key cannot be read")]
    Form,
    /// A kind of key that is not taken.
    #[error("keys of the kind `{0}` are not taken; use ed25519, ecdsa, rsa, or one of the sk kinds")]
    Kind(String),
    /// An RSA key that is too small, or has an odd exponent.
    #[error("the RSA key has {0} bits, expected 2048 to 16384, and a usual exponent")]
    Rsa(u64),
}

/// What a hardware key says about how it was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    pub(crate) present: bool,
    pub(crate) verified: bool,
}

impl Key {
    /// Reads a key from its bytes.
    pub(crate) fn parse(blob: &[u8]) -> Result<Self, BadKey> {
        let kind = Wire::new(blob).text().ok_or(BadKey::Form)?;
        let known = [
            "ssh-ed25519",
            "ssh-rsa",
            "ecdsa-sha2-nistp256",
            "ecdsa-sha2-nistp384",
            "ecdsa-sha2-nistp521",
            "sk-ssh-ed25519@openssh.com",
            "sk-ecdsa-sha2-nistp256@openssh.com",
        ];
        if !known.contains(&kind) {
            return Err(BadKey::Kind(kind.chars().take(64).filter(|c| !c.is_control()).collect()));
        }
        PublicKey::from_bytes(blob).map_err(|_| BadKey::Form)?;
        if kind == "ssh-rsa" {
            let (e, n) = rsa_numbers(blob).ok_or(BadKey::Form)?;
            let bits = n.bits();
            if !(2048..=16384).contains(&bits) || !e.bit(0) || e.bits() < 2 || e.bits() > 64 || !n.bit(0) {
                return Err(BadKey::Rsa(bits));
            }
        }
        Ok(Self(blob.into()))
    }

    /// Reads a key as it stands in files: its kind and its bytes in base 64.
    pub(crate) fn from_words(kind: &str, base64: &str) -> Result<Self, BadKey> {
        let blob = BASE64.decode(base64.as_bytes()).map_err(|_| BadKey::Form)?;
        match Wire::new(&blob).text() {
            Some(inside) if inside == kind => Self::parse(&blob),
            Some(_) | None => Err(BadKey::Form),
        }
    }

    /// Its kind.
    pub(crate) fn kind(&self) -> &str {
        Wire::new(&self.0).text().unwrap_or_default()
    }

    /// `SHA256:…`, as OpenSSH shows keys.
    pub(crate) fn fingerprint(&self) -> String {
        format!("SHA256:{}", BASE64_NOPAD.encode(&Sha256::digest(&self.0)))
    }

    /// Whether this key signed `message`. For a hardware key, how it was used; nothing when it did not sign.
    pub(crate) fn signed(&self, message: &[u8], signature: &[u8]) -> Option<Option<Touch>> {
        let mut wire = Wire::new(signature);
        let algorithm = wire.text()?;
        let bytes = wire.string()?;
        let hardware = self.kind().starts_with("sk-");
        let trailer = if hardware { wire.bytes(5)? } else { &[] };
        wire.end()?;
        if self.kind() == "ssh-rsa" {
            let (e, n) = rsa_numbers(&self.0)?;
            return rsa_signed(&e, &n, algorithm, message, bytes)?.then_some(None);
        }
        if algorithm != self.kind() {
            return None;
        }
        let key = PublicKey::from_bytes(&self.0).ok()?;
        let kind = match key.key_data() {
            KeyData::Ed25519(_) => Algorithm::Ed25519,
            KeyData::SkEd25519(_) => Algorithm::SkEd25519,
            KeyData::SkEcdsaSha2NistP256(_) => Algorithm::SkEcdsaSha2NistP256,
            KeyData::Ecdsa(EcdsaPublicKey::NistP256(_)) => Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
            KeyData::Ecdsa(EcdsaPublicKey::NistP384(_)) => Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
            KeyData::Ecdsa(EcdsaPublicKey::NistP521(point)) => {
                return p521_signed(point.as_bytes(), message, bytes)?.then_some(None);
            }
            KeyData::Dsa(_) | KeyData::Rsa(_) | KeyData::Other(_) | _ => return None,
        };
        let made = Signature::new(kind, [bytes, trailer].concat()).ok()?;
        key.key_data().verify(message, &made).ok()?;
        // The first byte behind the signature: bit 0 says that somebody touched the key, bit 2 that it knows
        // who.
        let touch = |flags: u8| Touch { present: flags & 1 != 0, verified: flags & 4 != 0 };
        Some(trailer.first().copied().map(touch))
    }
}

/// Exponent and modulus.
fn rsa_numbers(blob: &[u8]) -> Option<(BigUint, BigUint)> {
    let mut wire = Wire::new(blob);
    wire.text()?;
    let (e, n) = (wire.string()?, wire.string()?);
    wire.end()?;
    Some((BigUint::from_bytes_be(e), BigUint::from_bytes_be(n)))
}

/// PKCS #1 v1.5 (RFC 8017, section 8.2.2): the whole padded block is made again and compared, so that there
/// is nothing to be parsed out of it.
fn rsa_signed(e: &BigUint, n: &BigUint, algorithm: &str, message: &[u8], signature: &[u8]) -> Option<bool> {
    const SHA256: &[u8] = &[
        0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00,
        0x04, 0x20,
    ];
    const SHA512: &[u8] = &[
        0x30, 0x51, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03, 0x05, 0x00,
        0x04, 0x40,
    ];
    let digest = match algorithm {
        "rsa-sha2-256" => [SHA256, &Sha256::digest(message)].concat(),
        "rsa-sha2-512" => [SHA512, &Sha512::digest(message)].concat(),
        // `ssh-rsa` is SHA-1.
        _ => return None,
    };
    let length = usize::try_from(n.bits().div_ceil(8)).ok()?;
    let padding = length.checked_sub(digest.len() + 3).filter(|&padding| padding >= 8)?;
    let made = BigUint::from_bytes_be(signature);
    if signature.len() > length || made >= *n {
        return None;
    }
    let block = [&[0, 1][..], &vec![0xff; padding], &[0], &digest].concat();
    Some(made.modpow(e, n) == BigUint::from_bytes_be(&block))
}

fn p521_signed(point: &[u8], message: &[u8], signature: &[u8]) -> Option<bool> {
    let mut wire = Wire::new(signature);
    let (r, s) = (wire.string()?, wire.string()?);
    wire.end()?;
    let mut numbers = Vec::with_capacity(132);
    for number in [r, s] {
        let number = number.strip_prefix(&[0]).unwrap_or(number);
        numbers.resize(numbers.len() + 66_usize.checked_sub(number.len())?, 0);
        numbers.extend(number);
    }
    let made = p521::ecdsa::Signature::from_slice(&numbers).ok()?;
    let key = p521::ecdsa::VerifyingKey::from_sec1_bytes(point).ok()?;
    Some(key.verify(message, &made).is_ok())
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fingerprint())
    }
}
