//! Signed notes: a text, and below it who signed it.
//!
//! The form is that of C2SP signed notes. Of a note that no known key has signed, nothing may be believed:
//! ask [`SignedNote::verified_by`] before [`SignedNote::text`].

use std::fmt;

use data_encoding::BASE64;

use crate::base64;
use crate::key::{KeyHash, KeyName, VerifierKey};

/// The largest note that is read.
pub const MOST_BYTES: usize = 1_000_000;

/// The most signatures of a note.
pub const MOST_SIGNATURES: usize = 100;

/// A text with signatures.
///
/// Written out, it is byte for byte what was parsed.
///
/// ```
/// use verify::note::SignedNote;
///
/// let key = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW".parse()?;
/// let text = "If you think cryptography is the answer to your problem,\n\
///             then you don't know what your problem is.\n";
/// let line = "PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=";
/// let note = SignedNote::parse(format!("{text}\n\u{2014} {line}\n").as_bytes())?;
/// assert_eq!(note.verified_by(&key), Ok(()));
/// assert_eq!(note.text(), text);
///
/// let changed = SignedNote::parse(note.to_string().replace("don't", "do").as_bytes())?;
/// assert!(changed.verified_by(&key).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedNote {
    // Ends with a line feed; no other control characters.
    text: String,
    // One at least.
    signatures: Vec<Signature>,
}

/// One signature of a note. That it is there says nothing; see [`SignedNote::verified_by`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name of the key that is said to have signed.
    pub name: KeyName,
    /// The hash of that key.
    pub key_hash: KeyHash,
    /// The signature itself, one byte at least.
    pub bytes: Vec<u8>,
}

/// Why bytes are not a signed note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadNote {
    /// It is too large.
    #[error("a note of {0} bytes is too large")]
    TooLarge(usize),
    /// It is not text.
    #[error("line {line} is not UTF-8")]
    NotUtf8 {
        /// Where.
        line: usize,
    },
    /// It has a control character.
    #[error("line {line} has a control character")]
    Control {
        /// Where.
        line: usize,
    },
    /// Its text does not end with a line feed.
    #[error("the last line of the text does not end")]
    OpenText,
    /// It has no blank line with signatures behind it.
    #[error("there is no blank line with signatures below it")]
    Unsigned,
    /// Its last signature does not end with a line feed.
    #[error("line {line} does not end")]
    OpenLine {
        /// Where.
        line: usize,
    },
    /// A line below the text is not a signature.
    #[error("line {line} is not a signature")]
    NotSignature {
        /// Where.
        line: usize,
        /// What is wrong with it.
        source: NotSignature,
    },
    /// It has too many signatures.
    #[error("line {line} is one signature too many")]
    TooManySignatures {
        /// Where.
        line: usize,
    },
}

/// Why a line is not a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSignature {
    /// It does not have the form of one.
    #[error("expected a long dash, a name and base64, with one space between them")]
    Form,
    /// The name is not that of a key.
    #[error("the name of the key is not allowed")]
    Name,
    /// The signature is not base64.
    #[error("what is behind the name is not base64")]
    Base64,
    /// The signature is too short.
    #[error("the signature is too short")]
    Short,
}

/// A note is not signed by a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotSigned {
    /// The key has not signed it.
    #[error("it has no signature of `{name}+{hash}`")]
    Absent {
        /// The name of the key.
        name: KeyName,
        /// Its hash.
        hash: KeyHash,
    },
    /// There is a signature with the key's name and hash, and it is not the key's.
    #[error("its signature of `{name}+{hash}` is wrong")]
    Wrong {
        /// The name of the key.
        name: KeyName,
        /// Its hash.
        hash: KeyHash,
    },
}

impl SignedNote {
    /// The note of this text with these signatures, for whoever makes them.
    ///
    /// # Errors
    /// When the note could not be read again.
    pub fn new(text: String, signatures: Vec<Signature>) -> Result<Self, BadNote> {
        if !text.ends_with('\n') {
            return Err(BadNote::OpenText);
        }
        Self::parse(Self { text, signatures }.to_string().as_bytes())
    }

    /// Reads a note.
    ///
    /// # Errors
    /// When the bytes are not one.
    pub fn parse(note: &[u8]) -> Result<Self, BadNote> {
        if note.len() > MOST_BYTES {
            return Err(BadNote::TooLarge(note.len()));
        }
        let note = str::from_utf8(note)
            .map_err(|error| BadNote::NotUtf8 { line: line_of(note, error.valid_up_to()) })?;
        if let Some(at) = note.find(|character| character < ' ' && character != '\n') {
            return Err(BadNote::Control { line: line_of(note.as_bytes(), at) });
        }
        // The last blank line parts them: the text may have some of its own.
        let blank = note.rfind("\n\n").ok_or(BadNote::Unsigned)?;
        let (text, rest) = note.split_at_checked(blank + 1).ok_or(BadNote::Unsigned)?;
        let rest = rest.strip_prefix('\n').filter(|rest| !rest.is_empty()).ok_or(BadNote::Unsigned)?;
        let last = note.lines().count();
        let lines = rest.strip_suffix('\n').ok_or(BadNote::OpenLine { line: last })?;
        let first = text.lines().count() + 2;
        let mut signatures = Vec::new();
        for (line, signature) in (first..).zip(lines.split('\n')) {
            if signatures.len() == MOST_SIGNATURES {
                return Err(BadNote::TooManySignatures { line });
            }
            signatures
                .push(Signature::parse(signature).map_err(|source| BadNote::NotSignature { line, source })?);
        }
        Ok(Self { text: text.to_owned(), signatures })
    }

    /// The text. Not to be believed before [`SignedNote::verified_by`] has said yes.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The signatures, of known keys and of others.
    #[must_use]
    pub fn signatures(&self) -> &[Signature] {
        &self.signatures
    }

    /// Checks that this key has signed the text. Signatures of other keys are passed over.
    ///
    /// # Errors
    /// When it has not, or when one signature that claims to be of this key is not.
    pub fn verified_by(&self, key: &VerifierKey) -> Result<(), NotSigned> {
        let (name, hash) = (key.name().clone(), key.hash());
        let mut of_key = self
            .signatures
            .iter()
            .filter(|signature| signature.name == name && signature.key_hash == hash)
            .peekable();
        if of_key.peek().is_none() {
            return Err(NotSigned::Absent { name, hash });
        }
        if of_key.all(|signature| key.signed(&self.text, &signature.bytes)) {
            return Ok(());
        }
        Err(NotSigned::Wrong { name, hash })
    }
}

impl fmt::Display for SignedNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.text)?;
        self.signatures.iter().try_for_each(|signature| writeln!(f, "{signature}"))
    }
}

impl Signature {
    fn parse(line: &str) -> Result<Self, NotSignature> {
        let (name, base64) =
            line.strip_prefix("\u{2014} ").and_then(|rest| rest.split_once(' ')).ok_or(NotSignature::Form)?;
        let name = name.parse().map_err(|_| NotSignature::Name)?;
        let bytes = base64::decode(base64).ok_or(NotSignature::Base64)?;
        match bytes.split_first_chunk() {
            Some((&key_hash, signature)) if !signature.is_empty() => {
                Ok(Self { name, key_hash: KeyHash(key_hash), bytes: signature.to_vec() })
            }
            Some(_) | None => Err(NotSignature::Short),
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes: Vec<u8> = self.key_hash.0.iter().chain(&self.bytes).copied().collect();
        write!(f, "\u{2014} {} {}", self.name, BASE64.encode(&bytes))
    }
}

/// The line, counted from one, that the byte at `at` is on.
fn line_of(note: &[u8], at: usize) -> usize {
    note.iter().take(at).filter(|&&byte| byte == b'\n').count() + 1
}
