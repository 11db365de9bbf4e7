//! The key that checkpoints are signed with.

use std::fmt;

use data_encoding::BASE64;
use ed25519_dalek::Signer as _;
use verify::key::{KeyName, VerifierKey};
use verify::note::{BadNote, Signature, SignedNote};

/// The key of a ledger, and the name that the ledger goes by.
pub struct SigningKey {
    key: ed25519_dalek::SigningKey,
    public: VerifierKey,
}

/// A text is not the key of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the key of the ledger {0}")]
pub struct BadKey(&'static str);

const PREFIX: &str = "PRIVATE+KEY+";

/// Says that a key is one of Ed25519.
const ALGORITHM: u8 = 1;

impl SigningKey {
    /// A key of these bytes of chance, for a ledger of this name.
    ///
    /// # Errors
    /// When no ledger can have such a name.
    pub fn new(name: &str, chance: [u8; 32]) -> Result<Self, BadKey> {
        let key = ed25519_dalek::SigningKey::from_bytes(&chance);
        let name: KeyName =
            name.parse().map_err(|_| BadKey("has a name with blanks or `+` in it, or none"))?;
        let public = VerifierKey::new(name, &key.verifying_key().to_bytes())
            .map_err(|_| BadKey("is of a kind that nobody should use"))?;
        Ok(Self { key, public })
    }

    /// Reads the form that [`SigningKey::secret_text`] writes.
    ///
    /// # Errors
    /// When it is something else.
    pub fn parse(text: &str) -> Result<Self, BadKey> {
        let form = BadKey("is not of the form `PRIVATE+KEY+name+hash+base64`");
        let rest = text.trim_end().strip_prefix(PREFIX).ok_or_else(|| form.clone())?;
        let (name, rest) = rest.split_once('+').ok_or_else(|| form.clone())?;
        let (hash, key) = rest.split_once('+').ok_or_else(|| form.clone())?;
        let bytes = BASE64.decode(key.as_bytes()).map_err(|_| form.clone())?;
        let Some((&ALGORITHM, chance)) = bytes.split_first() else { return Err(form) };
        let chance = chance.try_into().map_err(|_| form)?;
        let key = Self::new(name, chance)?;
        if key.public.hash().to_string() == hash {
            return Ok(key);
        }
        Err(BadKey("does not belong to its name: its hash is another one"))
    }

    /// The key as it is kept, in the form that other programs for signed notes know.
    #[must_use]
    pub fn secret_text(&self) -> String {
        let mut bytes = vec![ALGORITHM];
        bytes.extend(self.key.to_bytes());
        format!("{PREFIX}{}+{}+{}", self.public.name(), self.public.hash(), BASE64.encode(&bytes))
    }

    /// Another key for another purpose, that nobody can tell without this one.
    #[must_use]
    pub fn derived(&self, purpose: &str) -> [u8; 32] {
        *call::Sha256::keyed(&self.key.to_bytes(), purpose.as_bytes()).as_bytes()
    }

    /// What others check by.
    #[must_use]
    pub const fn public(&self) -> &VerifierKey {
        &self.public
    }

    /// Signs a text.
    ///
    /// # Errors
    /// When no note can have this text.
    pub fn sign(&self, text: &str) -> Result<SignedNote, BadNote> {
        let bytes = self.key.sign(text.as_bytes()).to_bytes().to_vec();
        let signature = Signature { name: self.public.name().clone(), key_hash: self.public.hash(), bytes };
        SignedNote::new(text.to_owned(), vec![signature])
    }
}

/// Nothing of the secret.
impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SigningKey").field(&self.public).finish()
    }
}
