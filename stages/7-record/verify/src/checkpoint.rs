//! Checkpoints: how many entries a log has, and their root.
//!
//! The form is that of C2SP tlog-checkpoint. A checkpoint comes from [`open`], which believes nothing
//! before the signature was checked.

use std::fmt;
use std::str::FromStr;

use crate::decimal;
use crate::key::{BadKeyName, KeyName, VerifierKey};
use crate::note::{BadNote, NotSigned, SignedNote};
use crate::tree::Hash;

/// What a log commits itself to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    origin: KeyName,
    size: u64,
    root: Hash,
    // Lines that are not empty.
    extensions: Vec<String>,
}

/// Why something is not a checkpoint of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadCheckpoint {
    /// It is not a signed note.
    #[error("it is not a signed note")]
    Note(#[source] BadNote),
    /// It is not signed by the key of the log.
    #[error("it is not signed by the key of the log")]
    Signature(#[source] NotSigned),
    /// It does not have the lines of one.
    #[error("a checkpoint has a line each for its origin, size and root, and all of them end")]
    Lines,
    /// Its origin is not a name.
    #[error("line 1 is not the name of a log")]
    Origin(#[source] BadKeyName),
    /// Its size is not a number.
    #[error("line 2 is not a size: decimal digits without leading zeros")]
    Size,
    /// Its root is not a hash.
    #[error("line 3 is not a root: 32 bytes in base64")]
    Root,
    /// A line behind the root is empty.
    #[error("line {line} is empty")]
    Extension {
        /// Where.
        line: usize,
    },
    /// It is signed by the key, and for another log.
    #[error("it is for the log `{found}`, not for `{expected}`")]
    OtherLog {
        /// The log that it is for.
        found: KeyName,
        /// The log of the key.
        expected: KeyName,
    },
}

/// Reads a signed checkpoint of the log that has this key.
///
/// The origin must be the key's name: a key that signs for several logs cannot have the checkpoint of one
/// passed off as that of another.
///
/// # Errors
/// When it is not signed by the key, or not a checkpoint of its log.
pub fn open(note: &[u8], key: &VerifierKey) -> Result<Checkpoint, BadCheckpoint> {
    Checkpoint::of_note(&SignedNote::parse(note).map_err(BadCheckpoint::Note)?, key)
}

/// What stands between two notes in a file that keeps several.
pub const BETWEEN: &str = "\n";

/// A file does not have one or several signed checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNotes {
    /// It is empty.
    #[error("there is no checkpoint in it")]
    None,
    /// It is not text.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// One of them is not a signed note.
    #[error("checkpoint {number} in it is not a signed note")]
    Note {
        /// Which one, the first being 1.
        number: usize,
        /// What is wrong with it; lines are counted from its first.
        source: BadNote,
    },
}

/// Cuts a file into the signed checkpoints that were written to it one behind the other, with [`BETWEEN`]
/// between them. Whose they are, only [`Checkpoint::of_note`] tells.
///
/// # Errors
/// When it is empty, or one of them is not a signed note.
pub fn cut(notes: &[u8]) -> Result<Vec<SignedNote>, BadNotes> {
    let notes = str::from_utf8(notes).map_err(|_| BadNotes::NotUtf8)?;
    // The text of a checkpoint has no empty line, so that each note is two blocks: text and signatures.
    let mut blocks = notes.split_inclusive("\n\n");
    let mut cut = Vec::new();
    while let Some(text) = blocks.next() {
        let signatures = blocks.next().unwrap_or_default();
        let note = match signatures.strip_suffix("\n\n") {
            Some(closed) => format!("{text}{closed}\n"),
            None => format!("{text}{signatures}"),
        };
        let number = cut.len() + 1;
        cut.push(SignedNote::parse(note.as_bytes()).map_err(|source| BadNotes::Note { number, source })?);
    }
    if cut.is_empty() { Err(BadNotes::None) } else { Ok(cut) }
}

impl Checkpoint {
    /// The checkpoint of a log, to be signed.
    #[must_use]
    pub const fn new(origin: KeyName, size: u64, root: Hash) -> Self {
        Self { origin, size, root, extensions: Vec::new() }
    }

    /// The checkpoint that a note has, if it is signed by this key and for its log.
    ///
    /// # Errors
    /// As those of [`open`].
    pub fn of_note(note: &SignedNote, key: &VerifierKey) -> Result<Self, BadCheckpoint> {
        note.verified_by(key).map_err(BadCheckpoint::Signature)?;
        let checkpoint: Self = note.text().parse()?;
        if checkpoint.origin != *key.name() {
            return Err(BadCheckpoint::OtherLog { found: checkpoint.origin, expected: key.name().clone() });
        }
        Ok(checkpoint)
    }

    /// The name of the log.
    #[must_use]
    pub const fn origin(&self) -> &KeyName {
        &self.origin
    }

    /// How many entries it has.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The root of their tree.
    #[must_use]
    pub const fn root(&self) -> Hash {
        self.root
    }

    /// Further lines that were signed. They mean nothing here.
    #[must_use]
    pub fn extensions(&self) -> &[String] {
        &self.extensions
    }
}

/// Reads the text of a checkpoint, without its signatures.
impl FromStr for Checkpoint {
    type Err = BadCheckpoint;

    fn from_str(text: &str) -> Result<Self, BadCheckpoint> {
        let mut lines = text.strip_suffix('\n').ok_or(BadCheckpoint::Lines)?.split('\n');
        let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next()) else {
            return Err(BadCheckpoint::Lines);
        };
        let origin = origin.parse().map_err(BadCheckpoint::Origin)?;
        let size = decimal::parse(size).ok_or(BadCheckpoint::Size)?;
        let root = Hash::from_base64(root).ok_or(BadCheckpoint::Root)?;
        let extensions: Vec<String> = lines.map(str::to_owned).collect();
        if let Some(at) = extensions.iter().position(String::is_empty) {
            return Err(BadCheckpoint::Extension { line: at + 4 });
        }
        Ok(Self { origin, size, root, extensions })
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n{}\n{}", self.origin, self.size, self.root.to_base64())?;
        self.extensions.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}
