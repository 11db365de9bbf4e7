//! The form in which OpenSSH writes down the signature of a file (PROTOCOL.sshsig).

use data_encoding::BASE64;
use sha2::{Digest as _, Sha256, Sha512};

use super::wire::{Wire, put};

const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";
const MAGIC: &[u8] = b"SSHSIG";

/// Bytes of the longest one: a certificate and a signature by large RSA keys fit many times.
const LONGEST: usize = 64 * 1024;

/// A signature as it was read, not checked yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Envelope {
    /// The key or certificate.
    pub(crate) signer: Vec<u8>,
    pub(crate) namespace: String,
    hash: Hash,
    pub(crate) signature: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hash {
    Sha256,
    Sha512,
}

impl Envelope {
    /// Reads the armoured form; nothing when it is none.
    pub(crate) fn parse(armored: &str) -> Option<Self> {
        if armored.len() > LONGEST {
            return None;
        }
        let body = armored.trim().strip_prefix(BEGIN)?.strip_suffix(END)?;
        let body: String = body.split_ascii_whitespace().collect();
        let bytes = BASE64.decode(body.as_bytes()).ok()?;
        let mut wire = Wire::new(&bytes);
        if wire.bytes(MAGIC.len())? != MAGIC || wire.number()? != 1 {
            return None;
        }
        let signer = wire.string()?.to_vec();
        let namespace = wire.text()?.to_owned();
        // Nothing is put there so far, and what may be put there once is not known here.
        let reserved = wire.string()?;
        let hash = match wire.text()? {
            "sha256" => Hash::Sha256,
            "sha512" => Hash::Sha512,
            _ => return None,
        };
        let signature = wire.string()?.to_vec();
        wire.end()?;
        reserved.is_empty().then_some(Self { signer, namespace, hash, signature })
    }

    /// What was signed, if it was this text.
    pub(crate) fn signed_bytes(&self, text: &[u8]) -> Vec<u8> {
        let mut signed = MAGIC.to_vec();
        put(&mut signed, self.namespace.as_bytes());
        put(&mut signed, &[]);
        match self.hash {
            Hash::Sha256 => {
                put(&mut signed, b"sha256");
                put(&mut signed, &Sha256::digest(text));
            }
            Hash::Sha512 => {
                put(&mut signed, b"sha512");
                put(&mut signed, &Sha512::digest(text));
            }
        }
        signed
    }
}
