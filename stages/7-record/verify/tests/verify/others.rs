//! The same answers as other implementations: `ct-merkle`, `tlog_tiles` and `signed_note`. Theirs check
//! what we make, and ours check what they make.

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use ct_merkle::{ConsistencyProof, InclusionProof, RootHash};
use proptest::collection::vec;
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::Index;
use proptest::test_runner::Config;
use sha2::Sha256;
use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{HashReader, check_record, check_tree, prove_record, prove_tree, stored_hashes, tree_hash};
use verify::checkpoint::Checkpoint;
use verify::note::SignedNote;
use verify::tree::{Hash, check_consistency, check_inclusion, prove_consistency, prove_inclusion};

use crate::made::{Keeper, Leaves, entries, head, root};

proptest! {
    #![proptest_config(Config::with_cases(96))]

    #[test]
    fn trees_and_inclusion_proofs_are_those_of_others(
        entries in vec(vec(any::<u8>(), 0..9), 1..400),
        index in any::<Index>(),
    ) {
        let (leaves, theirs) = (Leaves::of(&entries), memory_tree(&entries));
        let stored = Stored::of(&entries);
        let (size, root) = (leaves.size(), leaves.root());
        prop_assert!(root.as_bytes().as_slice() == theirs.root().as_bytes().as_slice());
        prop_assert_eq!(*root.as_bytes(), tree_hash(size, &stored).unwrap().0);

        let place = index.index(entries.len());
        let index = place as u64;
        let Ok(proof) = prove_inclusion(&leaves, index, size);
        let proof = proof.unwrap();
        prop_assert!(bytes(&proof) == theirs.prove_inclusion(place).as_bytes());
        prop_assert_eq!(tlog_hashes(&proof), prove_record(size, index, &stored).unwrap());

        // As the proofs are the same bytes, each of these checks the other's.
        let leaf = Hash::of_leaf(&entries[place]);
        prop_assert_eq!(check_inclusion(leaf, index, size, &proof, root), Ok(()));
        prop_assert!(check_record(&tlog_hashes(&proof), size, tlog(root), index, tlog(leaf)).is_ok());
        let ours = InclusionProof::<Sha256>::try_from_bytes(bytes(&proof)).unwrap();
        prop_assert!(ct_root(root, size).verify_inclusion(&entries[place], index, &ours).is_ok());
    }

    #[test]
    fn consistency_proofs_are_those_of_others(
        entries in vec(vec(any::<u8>(), 0..9), 1..400),
        old in any::<Index>(),
    ) {
        let (leaves, theirs, stored) = (Leaves::of(&entries), memory_tree(&entries), Stored::of(&entries));
        let old_place = old.index(entries.len()) + 1;
        let (old, new) = (old_place as u64, leaves.size());
        let (old_root, new_root) = (root(&leaves.0[..old_place]), leaves.root());
        let Ok(proof) = prove_consistency(&leaves, old, new);
        let proof = proof.unwrap();
        prop_assert!(bytes(&proof) == theirs.prove_consistency(entries.len() - old_place).as_bytes());
        prop_assert_eq!(tlog_hashes(&proof), prove_tree(new, old, &stored).unwrap());

        prop_assert_eq!(check_consistency((old, old_root), (new, new_root), &proof), Ok(()));
        prop_assert!(check_tree(&tlog_hashes(&proof), new, tlog(new_root), old, tlog(old_root)).is_ok());
        let ours = ConsistencyProof::<Sha256>::try_from_bytes(bytes(&proof)).unwrap();
        prop_assert!(ct_root(new_root, new).verify_consistency(&ct_root(old_root, old), &ours).is_ok());
    }

    /// The size is not bound by the proof itself but by the signature over size and root. So what is asked
    /// here is not that another size is refused, but that nobody who is careful would refuse more.
    #[test]
    fn a_proof_for_another_place_or_size_is_judged_as_by_others(
        size in 1_u64..300, index in any::<Index>(), other_size in 1_u64..300, other_index in 0_u64..300,
    ) {
        let leaves = Leaves::of(&entries(size as usize));
        let index = index.index(size as usize) as u64;
        let Ok(proof) = prove_inclusion(&leaves, index, size);
        let proof = proof.unwrap();
        let (leaf, root) = (leaves.0[index as usize], leaves.root());
        for (index, size) in [(other_index, size), (index, other_size), (other_index, other_size)] {
            let ours = check_inclusion(leaf, index, size, &proof, root).is_ok();
            let theirs = check_record(&tlog_hashes(&proof), size, tlog(root), index, tlog(leaf)).is_ok();
            prop_assert_eq!(ours, theirs, "{} of {}", index, size);
        }
    }

    #[test]
    fn a_consistency_proof_for_other_sizes_is_judged_as_by_others(
        new in 1_u64..300, old in any::<Index>(), other_new in 1_u64..300, other_old in 1_u64..300,
    ) {
        let leaves = Leaves::of(&entries(new as usize));
        let old = old.index(new as usize) as u64 + 1;
        let Ok(proof) = prove_consistency(&leaves, old, new);
        let proof = proof.unwrap();
        let (old_root, new_root) = (root(&leaves.0[..old as usize]), leaves.root());
        for (old, new) in [(other_old, new), (old, other_new), (other_old, other_new)] {
            let ours = check_consistency((old, old_root), (new, new_root), &proof).is_ok();
            let theirs =
                check_tree(&tlog_hashes(&proof), new, tlog(new_root), old, tlog(old_root)).is_ok();
            prop_assert_eq!(ours, theirs, "{} to {}", old, new);
        }
    }

    #[test]
    fn notes_that_we_write_are_read_by_others(text in "([^\\p{Cc}]{0,20}\n){1,5}", seed in any::<u8>()) {
        let keeper = Keeper::new("example.com/ledger", seed);
        let ours = keeper.sign(&text);
        let theirs = Note::from_bytes(ours.to_string().as_bytes()).unwrap();
        prop_assert_eq!(theirs.text(), text.as_bytes());
        let verifier = StandardVerifier::new(&keeper.public.to_string()).unwrap();
        prop_assert!(theirs.verify(&VerifierList::new(vec![Box::new(verifier)])).is_ok());
    }

    #[test]
    fn notes_that_others_write_are_read_by_us(text in "([^\\p{Cc}]{0,20}\n){1,5}", seed in any::<[u8; 32]>()) {
        let (private, public) = signed_note_key("example.com/ledger", seed);
        let signer = signed_note::StandardSigner::new(&private).unwrap();
        let mut theirs = Note::new(text.as_bytes(), &[]).unwrap();
        theirs.add_sigs(&[&signer]).unwrap();
        let ours = SignedNote::parse(&theirs.to_bytes()).unwrap();
        prop_assert_eq!(ours.text(), &text);
        prop_assert_eq!(ours.verified_by(&public.parse().unwrap()), Ok(()));
    }

    #[test]
    fn checkpoints_are_read_both_ways(size in any::<u64>(), hash in any::<[u8; 32]>()) {
        let ours = Checkpoint::new("example.com/ledger".parse().unwrap(), size, hash.into());
        let theirs =
            tlog_tiles::Checkpoint::new("example.com/ledger", size, tlog_tiles::Hash(hash), "").unwrap();
        prop_assert_eq!(ours.to_string().into_bytes(), theirs.to_bytes());
        let read: Checkpoint = String::from_utf8(theirs.to_bytes()).unwrap().parse().unwrap();
        prop_assert_eq!(read, ours);
    }
}

#[test]
fn the_log_of_the_tests_has_the_root_that_others_compute() {
    let entries = entries(300);
    let theirs = memory_tree(&entries);
    assert_eq!(
        head("example.com/ledger", &entries).root().as_bytes().as_slice(),
        theirs.root().as_bytes().as_slice()
    );
}

fn memory_tree(entries: &[Vec<u8>]) -> MemoryBackedTree<Sha256, Vec<u8>> {
    let mut tree = MemoryBackedTree::new();
    entries.iter().for_each(|entry| tree.push(entry.clone()));
    tree
}

fn ct_root(root: Hash, size: u64) -> RootHash<Sha256> {
    RootHash::new((*root.as_bytes()).into(), size)
}

/// A private and a public key in the spelling of `signed_note`, which makes keys from random bytes only.
fn signed_note_key(name: &str, seed: [u8; 32]) -> (String, String) {
    let key = ed25519_dalek::SigningKey::from_bytes(&seed);
    let public = signed_note::new_ed25519_verifier_key(name, &key.verifying_key());
    let hash = public.split('+').nth(1).unwrap();
    let typed: Vec<u8> = [1].iter().chain(&seed).copied().collect();
    (format!("PRIVATE+KEY+{name}+{hash}+{}", data_encoding::BASE64.encode(&typed)), public)
}

fn bytes(hashes: &[Hash]) -> Vec<u8> {
    hashes.iter().flat_map(Hash::as_bytes).copied().collect()
}

fn tlog(hash: Hash) -> tlog_tiles::Hash {
    tlog_tiles::Hash(*hash.as_bytes())
}

fn tlog_hashes(hashes: &[Hash]) -> Vec<tlog_tiles::Hash> {
    hashes.iter().copied().map(tlog).collect()
}

/// Hashes in the order in which `tlog_tiles` keeps them.
struct Stored(Vec<tlog_tiles::Hash>);

impl Stored {
    fn of(entries: &[Vec<u8>]) -> Self {
        let mut stored = Self(Vec::new());
        for (index, entry) in (0..).zip(entries) {
            let hashes = stored_hashes(index, entry, &stored).unwrap();
            stored.0.extend(hashes);
        }
        stored
    }
}

impl HashReader for Stored {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<tlog_tiles::Hash>, tlog_tiles::Error> {
        Ok(indexes.iter().map(|&index| self.0[usize::try_from(index).unwrap()]).collect())
    }
}
