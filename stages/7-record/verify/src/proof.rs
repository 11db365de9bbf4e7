//! A proof that an entry is in a log, in one file.
//!
//! The form is that of C2SP tlog-proof: the place of the entry, the hashes beside its way to the root, and
//! the signed checkpoint that has the root. With the entry and the key of the log it is all that is needed;
//! the log itself is not asked.

use std::fmt;

use data_encoding::BASE64;

use crate::base64;
use crate::checkpoint::{BadCheckpoint, Checkpoint};
use crate::decimal;
use crate::key::VerifierKey;
use crate::note::{BadNote, MOST_BYTES, SignedNote};
use crate::tree::{Hash, NotProved, check_inclusion};

/// A proof that an entry is in a log.
///
/// Written out, it is byte for byte what was parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryProof {
    index: u64,
    hashes: Vec<Hash>,
    checkpoint: SignedNote,
    // Not empty.
    extra: Option<Vec<u8>>,
}

/// Why bytes are not a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadProof {
    /// It is too large.
    #[error("a proof of {0} bytes is too large")]
    TooLarge(usize),
    /// It is not text.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// It does not begin as one.
    #[error("line 1 is not `c2sp.org/tlog-proof@v1`")]
    Version,
    /// Its extra data cannot be read.
    #[error("line 2 is not `extra` with some base64")]
    Extra,
    /// It does not say where the entry is.
    #[error("line {line} is not `index` with a number")]
    Index {
        /// Where.
        line: usize,
    },
    /// One of its hashes is not one.
    #[error("line {line} is neither a hash, 32 bytes in base64, nor empty")]
    Hash {
        /// Where.
        line: usize,
    },
    /// It has more hashes than any tree is high.
    #[error("line {line} is one hash too many")]
    TooManyHashes {
        /// Where.
        line: usize,
    },
    /// It has no checkpoint.
    #[error("there is no empty line with a checkpoint below it")]
    NoCheckpoint,
    /// What stands below the hashes is not a checkpoint.
    #[error("what stands below the hashes, from line {line}, is not a signed note")]
    Checkpoint {
        /// Where it begins.
        line: usize,
        /// What is wrong with it.
        source: BadNote,
    },
}

/// Why a proof does not show that an entry is in a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotInLog {
    /// The checkpoint is not one of the log.
    #[error("the checkpoint of the proof is not one of the log")]
    Checkpoint(#[source] BadCheckpoint),
    /// The hashes do not lead from this entry, at this place, to the root.
    #[error("the proof is not for this entry")]
    Entry(#[source] NotProved),
}

impl EntryProof {
    /// The proof for the entry at `index`, for whoever makes it.
    #[must_use]
    pub const fn new(index: u64, hashes: Vec<Hash>, checkpoint: SignedNote) -> Self {
        Self { index, hashes, checkpoint, extra: None }
    }

    /// Reads a proof.
    ///
    /// # Errors
    /// When the bytes are not one.
    pub fn parse(proof: &[u8]) -> Result<Self, BadProof> {
        if proof.len() > MOST_BYTES {
            return Err(BadProof::TooLarge(proof.len()));
        }
        let text = str::from_utf8(proof).map_err(|_| BadProof::NotUtf8)?;
        let mut lines = Lines { rest: text, number: 0 };
        if lines.next() != Some(VERSION) {
            return Err(BadProof::Version);
        }
        let mut line = lines.next().ok_or(BadProof::Index { line: 2 })?;
        let mut extra = None;
        if let Some(base64) = line.strip_prefix("extra ") {
            let bytes = base64::decode(base64).filter(|bytes| !bytes.is_empty());
            extra = Some(bytes.ok_or(BadProof::Extra)?);
            line = lines.next().ok_or(BadProof::Index { line: 3 })?;
        }
        let index = line
            .strip_prefix("index ")
            .and_then(decimal::parse)
            .ok_or(BadProof::Index { line: lines.number })?;
        let mut hashes = Vec::new();
        loop {
            let hash = lines.next().ok_or(BadProof::NoCheckpoint)?;
            if hash.is_empty() {
                break;
            }
            if hashes.len() == HIGHEST {
                return Err(BadProof::TooManyHashes { line: lines.number });
            }
            hashes.push(Hash::from_base64(hash).ok_or(BadProof::Hash { line: lines.number })?);
        }
        let checkpoint = SignedNote::parse(lines.rest.as_bytes())
            .map_err(|source| BadProof::Checkpoint { line: lines.number + 1, source })?;
        Ok(Self { index, hashes, checkpoint, extra })
    }

    /// Checks that the log with this key has this entry, and gives the checkpoint that says so.
    ///
    /// # Errors
    /// When the proof does not show that.
    pub fn check(&self, entry: &[u8], key: &VerifierKey) -> Result<Checkpoint, NotInLog> {
        let checkpoint = Checkpoint::of_note(&self.checkpoint, key).map_err(NotInLog::Checkpoint)?;
        check_inclusion(Hash::of_leaf(entry), self.index, checkpoint.size(), &self.hashes, checkpoint.root())
            .map_err(NotInLog::Entry)?;
        Ok(checkpoint)
    }

    /// The place that the proof claims for the entry, the first being 0.
    #[must_use]
    pub const fn index(&self) -> u64 {
        self.index
    }

    /// What else whoever made the proof has written into it. Nothing vouches for it.
    #[must_use]
    pub fn extra(&self) -> Option<&[u8]> {
        self.extra.as_deref()
    }
}

impl fmt::Display for EntryProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{VERSION}")?;
        if let Some(extra) = &self.extra {
            writeln!(f, "extra {}", BASE64.encode(extra))?;
        }
        writeln!(f, "index {}", self.index)?;
        self.hashes.iter().try_for_each(|hash| writeln!(f, "{}", hash.to_base64()))?;
        write!(f, "\n{}", self.checkpoint)
    }
}

/// Lines that end, one after the other. What is behind the last that was asked for is `rest`.
struct Lines<'a> {
    rest: &'a str,
    // How many were given.
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let (line, rest) = self.rest.split_once('\n')?;
        self.rest = rest;
        self.number += 1;
        Some(line)
    }
}

const VERSION: &str = "c2sp.org/tlog-proof@v1";

/// No tree whose leaves can be counted is higher.
const HIGHEST: usize = 64;
