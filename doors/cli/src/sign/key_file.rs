//! A key as it lies in a file: a private one, a public one, or a certificate.

use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use p521::ecdsa::signature::Signer as _;
use ssh_key::private::{EcdsaKeypair, KeypairData};
use ssh_key::{PrivateKey, PublicKey};

use super::NotSigned;
use super::envelope::string;
use super::scalar::with_zeros;

/// Bytes of the longest file that is read.
const LONGEST: u64 = 256 * 1024;

/// A key that may be able to sign.
#[derive(Debug)]
pub(super) struct KeyFile {
    /// The certificate or key that a signature names.
    signer: Vec<u8>,
    /// The key itself.
    public: Vec<u8>,
    /// The private half, when it lies open in a file.
    private: Option<PrivateKey>,
    /// Why there is none.
    why: &'static str,
}

impl KeyFile {
    pub(super) fn read(path: &Path) -> Result<Self, NotSigned> {
        let (bytes, open) = contents(path)?;
        if bytes.starts_with(b"-----BEGIN ") {
            return Self::private(path, &bytes, open);
        }
        let text = std::str::from_utf8(&bytes).map_err(|_| NotSigned::NotKey(path.to_owned()))?;
        let blob = blob(text).ok_or_else(|| NotSigned::NotKey(path.to_owned()))?;
        let certificate = ssh_key::Certificate::from_bytes(&blob).ok();
        let public = match &certificate {
            Some(certificate) => PublicKey::from(certificate.public_key().clone()).to_bytes(),
            None => PublicKey::from_bytes(&blob).and_then(|key| key.to_bytes()),
        };
        let public = public.map_err(|_| NotSigned::NotKey(path.to_owned()))?;
        let why = "the file has only the public half of the key";
        let this = Self { signer: blob, public, private: None, why };
        // A certificate lies beside its private key: `id` and `id-cert.pub`.
        let beside = certificate.and_then(|_| beside(path)).filter(|path| path.is_file());
        match beside.map(|path| Self::read(&path)) {
            Some(Ok(own)) if own.public == this.public => Ok(Self { signer: this.signer, ..own }),
            Some(_) | None => Ok(this),
        }
    }

    fn private(path: &Path, bytes: &[u8], open: bool) -> Result<Self, NotSigned> {
        if !bytes.starts_with(b"-----BEGIN OPENSSH PRIVATE KEY-----") {
            return Err(NotSigned::OldForm(path.to_owned()));
        }
        if open {
            return Err(NotSigned::Unprotected(path.to_owned()));
        }
        let read = PrivateKey::from_openssh(bytes).ok();
        let padded = || PrivateKey::from_bytes(&with_zeros(bytes)?).ok();
        let key = read.or_else(padded).ok_or_else(|| NotSigned::NotKey(path.to_owned()))?;
        let public = key.public_key().to_bytes().map_err(|_| NotSigned::NotKey(path.to_owned()))?;
        let (private, why) = if key.is_encrypted() {
            (None, "the key has a passphrase")
        } else {
            match key.key_data() {
                KeypairData::SkEd25519(_) | KeypairData::SkEcdsaSha2NistP256(_) => {
                    (None, "the key is in hardware")
                }
                KeypairData::Ed25519(_) | KeypairData::Ecdsa(_) | KeypairData::Rsa(_) => (Some(key), ""),
                KeypairData::Dsa(_) | KeypairData::Encrypted(_) | KeypairData::Other(_) | _ => {
                    return Err(NotSigned::Kind(key.algorithm().as_str().to_owned()));
                }
            }
        };
        Ok(Self { signer: public.clone(), public, private, why })
    }

    /// The certificate or key that a signature names.
    pub(super) fn signer(&self) -> &[u8] {
        &self.signer
    }

    /// What an agent may know this key as.
    pub(super) fn candidates(&self) -> [&[u8]; 2] {
        [&self.signer, &self.public]
    }

    /// The key as it stands in a `.pub` file.
    pub(super) fn public_text(&self) -> String {
        let kind = PublicKey::from_bytes(&self.public).map(|key| key.algorithm().as_str().to_owned());
        format!("{} {}", kind.unwrap_or_default(), BASE64.encode(&self.public))
    }

    /// The signature as SSH writes it, or why only an agent can make it.
    pub(super) fn sign(&self, message: &[u8]) -> Result<Result<Vec<u8>, &'static str>, NotSigned> {
        let Some(key) = &self.private else { return Ok(Err(self.why)) };
        let made = match key.key_data() {
            KeypairData::Rsa(pair) => super::rsa::sign(pair, message),
            KeypairData::Ecdsa(EcdsaKeypair::NistP521 { private, .. }) => {
                p521_sign(private.as_slice(), message)
            }
            KeypairData::Ed25519(_)
            | KeypairData::Ecdsa(EcdsaKeypair::NistP256 { .. } | EcdsaKeypair::NistP384 { .. })
            | KeypairData::Dsa(_)
            | KeypairData::Encrypted(_)
            | KeypairData::SkEd25519(_)
            | KeypairData::SkEcdsaSha2NistP256(_)
            | KeypairData::Other(_)
            | _ => key.key_data().try_sign(message).ok().and_then(|made| Vec::try_from(made).ok()),
        };
        made.map(Ok).ok_or(NotSigned::Unusable)
    }
}

/// What a file holds, and whether others can read it.
fn contents(path: &Path) -> Result<(Vec<u8>, bool), NotSigned> {
    let unreadable = |source| NotSigned::Unreadable { path: path.to_owned(), source };
    // Looked at before it is opened: opening a pipe waits for whoever writes to it.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(NotSigned::NotKey(path.to_owned()));
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mode = file.metadata().map_err(unreadable)?.permissions().mode();
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok((bytes, mode & 0o077 != 0))
}

/// The bytes of a key in a line `kind base64 remark`.
fn blob(text: &str) -> Option<Vec<u8>> {
    let mut words = text.split_ascii_whitespace();
    let (kind, base64) = (words.next()?, words.next()?);
    let blob = BASE64.decode(base64.as_bytes()).ok()?;
    blob.starts_with(&string(kind.as_bytes())).then_some(blob)
}

/// `id` for `id-cert.pub`.
fn beside(certificate: &Path) -> Option<PathBuf> {
    let name = certificate.file_name()?.to_str()?.strip_suffix("-cert.pub")?;
    Some(certificate.with_file_name(name))
}

fn p521_sign(scalar: &[u8], message: &[u8]) -> Option<Vec<u8>> {
    let key = p521::ecdsa::SigningKey::from_slice(scalar).ok()?;
    let made: p521::ecdsa::Signature = key.try_sign(message).ok()?;
    let (r, s) = made.split_bytes();
    let numbers = [r, s].map(|number| {
        let digits: Vec<u8> = number.iter().copied().skip_while(|&byte| byte == 0).collect();
        // A first bit that is set would make the number negative.
        let negative = digits.first().is_some_and(|byte| byte & 0x80 != 0);
        string(&if negative { [vec![0], digits].concat() } else { digits })
    });
    Some([string(b"ecdsa-sha2-nistp521"), string(&numbers.concat())].concat())
}
