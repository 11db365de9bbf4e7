//! Makes keys, notes and whole logs for the tests. Everything follows from its arguments.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::Path;

use ed25519_dalek::{Signer as _, SigningKey};
use verify::checkpoint::Checkpoint;
use verify::export::Files;
use verify::key::VerifierKey;
use verify::note::{Signature, SignedNote};
use verify::proof::EntryProof;
use verify::tiles::{Bundle, Kind, Tile};
use verify::tree::{Frontier, Hash, Nodes, prove_inclusion};

/// Whoever keeps a log.
pub(crate) struct Keeper {
    key: SigningKey,
    pub(crate) public: VerifierKey,
}

impl Keeper {
    pub(crate) fn new(name: &str, seed: u8) -> Self {
        let key = SigningKey::from_bytes(&[seed; 32]);
        let public = VerifierKey::new(name.parse().unwrap(), key.verifying_key().as_bytes()).unwrap();
        Self { key, public }
    }

    pub(crate) fn signature(&self, text: &str) -> Signature {
        Signature {
            name: self.public.name().clone(),
            key_hash: self.public.hash(),
            bytes: self.key.sign(text.as_bytes()).to_bytes().to_vec(),
        }
    }

    pub(crate) fn sign(&self, text: &str) -> SignedNote {
        SignedNote::new(text.to_owned(), vec![self.signature(text)]).unwrap()
    }

    /// The signed checkpoint of these entries.
    pub(crate) fn checkpoint(&self, entries: &[Vec<u8>]) -> SignedNote {
        self.sign(&head(self.public.name().as_str(), entries).to_string())
    }

    pub(crate) fn prove(&self, entries: &[Vec<u8>], index: u64) -> EntryProof {
        let leaves = Leaves::of(entries);
        let Ok(proof) = prove_inclusion(&leaves, index, leaves.size());
        EntryProof::new(index, proof.unwrap(), self.checkpoint(entries))
    }
}

/// The checkpoint of these entries, not signed.
pub(crate) fn head(name: &str, entries: &[Vec<u8>]) -> Checkpoint {
    let leaves = Leaves::of(entries);
    Checkpoint::new(name.parse().unwrap(), leaves.size(), leaves.root())
}

/// Hashes of leaves, from which every other hash is computed when it is asked for.
pub(crate) struct Leaves(pub(crate) Vec<Hash>);

impl Leaves {
    pub(crate) fn of(entries: &[Vec<u8>]) -> Self {
        Self(entries.iter().map(|entry| Hash::of_leaf(entry)).collect())
    }

    pub(crate) fn size(&self) -> u64 {
        u64::try_from(self.0.len()).unwrap()
    }

    pub(crate) fn root(&self) -> Hash {
        root(&self.0)
    }
}

impl Nodes for Leaves {
    type Error = Infallible;

    fn node(&self, level: u32, index: u64) -> Result<Hash, Infallible> {
        let first = usize::try_from(index << level).unwrap();
        Ok(root(&self.0[first..first + (1 << level)]))
    }
}

pub(crate) fn root(leaves: &[Hash]) -> Hash {
    let mut frontier = Frontier::default();
    leaves.iter().for_each(|leaf| frontier.push(*leaf));
    frontier.root()
}

/// Entries as a gate could have written them.
pub(crate) fn entries(count: usize) -> Vec<Vec<u8>> {
    let started = r#"{"at":"2026-03-01T12:00:00Z","event":"gate_started","run":"r1"}"#.to_owned();
    let decided = |number: usize| {
        let (minute, second) = (number / 60 % 60, number % 60);
        format!(
            r#"{{"at":"2026-03-01T12:{minute:02}:{second:02}Z","call":"c{number}","event":"call_decided","ruling":"allow"}}"#
        )
    };
    std::iter::once(started).chain((1..).map(decided)).take(count).map(String::into_bytes).collect()
}

/// The files of a log, by path.
#[derive(Clone)]
pub(crate) struct Log(pub(crate) BTreeMap<String, Vec<u8>>);

impl Log {
    pub(crate) fn new(keeper: &Keeper, entries: &[Vec<u8>]) -> Self {
        let mut log = Self(BTreeMap::new());
        log.write_entries(entries);
        log.0.insert("checkpoint".to_owned(), keeper.checkpoint(entries).to_string().into_bytes());
        log
    }

    /// Writes tiles for these entries, over those that are there.
    pub(crate) fn write_entries(&mut self, entries: &[Vec<u8>]) {
        let size = u64::try_from(entries.len()).unwrap();
        for (tile, entries) in Tile::of_log(Kind::Entries, size).zip(entries.chunks(256)) {
            let mut bundle = Vec::new();
            entries.iter().for_each(|entry| Bundle::write(&mut bundle, entry).unwrap());
            self.0.insert(tile.to_string(), bundle);
        }
        let mut hashes = Leaves::of(entries).0;
        for level in 0.. {
            for (tile, hashes) in Tile::of_log(Kind::Hashes { level }, size).zip(hashes.chunks(256)) {
                let bytes = hashes.iter().flat_map(Hash::as_bytes).copied().collect();
                self.0.insert(tile.to_string(), bytes);
            }
            hashes = hashes.chunks_exact(256).map(root).collect();
            if hashes.is_empty() {
                break;
            }
        }
    }

    pub(crate) fn save(&self, folder: &Path) {
        for (path, bytes) in &self.0 {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }
}

impl Files for Log {
    type Error = Infallible;

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Infallible> {
        Ok(self.0.get(path).cloned())
    }
}
