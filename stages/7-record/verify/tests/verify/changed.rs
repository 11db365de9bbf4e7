//! One bit is changed, and nothing is accepted any more.

use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};
use proptest::sample::Index;
use proptest::test_runner::Config;
use verify::checkpoint;
use verify::key::VerifierKey;
use verify::note::SignedNote;
use verify::proof::EntryProof;
use verify::tree::{Hash, check_consistency, check_inclusion, prove_consistency, prove_inclusion};

use crate::made::{Keeper, Leaves, entries, root};

#[test]
fn no_bit_of_a_proof_can_be_changed() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let entries = entries(11);
    let proof = keeper.prove(&entries, 6).to_string().into_bytes();
    let accepted = |proof: &[u8]| {
        EntryProof::parse(proof).is_ok_and(|proof| proof.check(&entries[6], &keeper.public).is_ok())
    };
    assert!(accepted(&proof));
    for bit in 0..proof.len() * 8 {
        let changed = flipped(&proof, bit);
        assert!(!accepted(&changed), "bit {bit}: {}", String::from_utf8_lossy(&changed));
    }
}

#[test]
fn no_bit_of_an_entry_can_be_changed() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let entries = entries(11);
    let proof = keeper.prove(&entries, 6);
    assert!(proof.check(&entries[6], &keeper.public).is_ok());
    for bit in 0..entries[6].len() * 8 {
        assert!(proof.check(&flipped(&entries[6], bit), &keeper.public).is_err(), "bit {bit}");
    }
}

#[test]
fn no_bit_of_a_checkpoint_can_be_changed() {
    let keeper = Keeper::new("example.com/ledger", 1);
    let note = keeper.checkpoint(&entries(11)).to_string().into_bytes();
    assert!(checkpoint::open(&note, &keeper.public).is_ok());
    for bit in 0..note.len() * 8 {
        let changed = flipped(&note, bit);
        assert!(checkpoint::open(&changed, &keeper.public).is_err(), "bit {bit}");
    }
}

#[test]
fn no_bit_of_a_key_can_be_changed() {
    let key = Keeper::new("example.com/ledger", 1).public.to_string();
    for bit in 0..key.len() * 8 {
        let changed = String::from_utf8(flipped(key.as_bytes(), bit));
        assert!(changed.map_or(true, |key| key.parse::<VerifierKey>().is_err()), "bit {bit}");
    }
}

proptest! {
    #![proptest_config(Config::with_cases(128))]

    #[test]
    fn no_bit_of_leaf_hashes_or_root_can_be_changed(
        size in 1_usize..300, index in any::<Index>(), bit in any::<Index>(),
    ) {
        let leaves = Leaves::of(&entries(size));
        let place = index.index(size);
        let (size, index) = (leaves.size(), place as u64);
        let Ok(proof) = prove_inclusion(&leaves, index, size);
        let mut all = vec![leaves.0[place], leaves.root()];
        all.extend(proof.unwrap());
        let accepted = |all: &[Hash]| check_inclusion(all[0], index, size, &all[2..], all[1]).is_ok();
        prop_assert!(accepted(&all));
        prop_assert!(!accepted(&with_flipped(&all, bit)));
        prop_assert!(all.len() == 2 || !accepted(&all[..all.len() - 1]));
        all.push(all[0]);
        prop_assert!(!accepted(&all));
    }

    #[test]
    fn no_bit_of_a_consistency_proof_or_its_roots_can_be_changed(
        new in 1_usize..300, old in any::<Index>(), bit in any::<Index>(),
    ) {
        let leaves = Leaves::of(&entries(new));
        let old_place = old.index(new) + 1;
        let (old, new) = (old_place as u64, leaves.size());
        let Ok(proof) = prove_consistency(&leaves, old, new);
        let mut all = vec![root(&leaves.0[..old_place]), leaves.root()];
        all.extend(proof.unwrap());
        let accepted = |all: &[Hash]| check_consistency((old, all[0]), (new, all[1]), &all[2..]).is_ok();
        prop_assert!(accepted(&all));
        prop_assert!(!accepted(&with_flipped(&all, bit)));
        prop_assert!(all.len() == 2 || !accepted(&all[..all.len() - 1]));
        all.push(all[0]);
        prop_assert!(!accepted(&all));
    }

    /// What is accepted at all has one spelling: written out again, it is the same bytes.
    #[test]
    fn bytes_that_are_read_are_written_the_same(
        changes in proptest::collection::vec((any::<Index>(), any::<u8>(), any::<bool>()), 0..4),
    ) {
        let keeper = Keeper::new("example.com/ledger", 1);
        let mut proof = keeper.prove(&entries(5), 2).to_string().into_bytes();
        for (at, byte, insert) in changes {
            let at = at.index(proof.len());
            if insert { proof.insert(at, byte) } else { proof[at] = byte }
        }
        if let Ok(read) = EntryProof::parse(&proof) {
            prop_assert_eq!(read.to_string().into_bytes(), proof.clone());
        }
        if let Ok(read) = SignedNote::parse(&proof) {
            prop_assert_eq!(read.to_string().into_bytes(), proof);
        }
    }

    #[test]
    fn any_bytes_have_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let key = Keeper::new("example.com/ledger", 1).public;
        prop_assert!(checkpoint::open(&bytes, &key).is_err());
        prop_assert!(EntryProof::parse(&bytes).is_err());
        prop_assert!(String::from_utf8_lossy(&bytes).parse::<VerifierKey>().is_err());
        let read: u64 = verify::tiles::Bundle::new(&bytes).map(|entry| u64::from(entry.is_ok())).sum();
        prop_assert!(read <= 200);
    }
}

fn flipped(bytes: &[u8], bit: usize) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    changed[bit / 8] ^= 1 << (bit % 8);
    changed
}

fn with_flipped(hashes: &[Hash], bit: Index) -> Vec<Hash> {
    let bytes: Vec<u8> = hashes.iter().flat_map(Hash::as_bytes).copied().collect();
    let changed = flipped(&bytes, bit.index(bytes.len() * 8));
    changed.chunks(Hash::BYTES).map(|hash| hash.try_into().unwrap()).collect()
}
