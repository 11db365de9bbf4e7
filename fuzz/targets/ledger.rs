//! What somebody hands over as a checkpoint, a proof, a key or a bundle of entries.
#![no_main]

use verify::checkpoint::Checkpoint;
use verify::key::VerifierKey;
use verify::note::SignedNote;
use verify::proof::EntryProof;
use verify::tiles::Bundle;
use verify::tree::{Hash, check_consistency, check_inclusion};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(note) = SignedNote::parse(bytes) {
        assert_eq!(note.to_string().as_bytes(), bytes, "a note is written as it was read");
        if let Ok(checkpoint) = note.text().parse::<Checkpoint>() {
            assert_eq!(checkpoint.to_string(), note.text());
        }
    }
    if let Ok(proof) = EntryProof::parse(bytes) {
        assert_eq!(proof.to_string().as_bytes(), bytes, "a proof is written as it was read");
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(key) = text.parse::<VerifierKey>()
    {
        assert_eq!(key.to_string(), text);
        assert!(verify::checkpoint::open(bytes, &key).is_err(), "a key is no checkpoint");
    }
    let mut again = Vec::new();
    let mut whole = true;
    for entry in Bundle::new(bytes) {
        match entry {
            Ok(entry) => Bundle::write(&mut again, entry).expect("it came out of a bundle"),
            Err(_) => whole = false,
        }
    }
    assert_eq!(whole, again == bytes, "a whole bundle is all of its entries");
    // A proof of anything at all has an answer.
    let (numbers, hashes) = bytes.split_at(bytes.len().min(4));
    let hashes: Vec<Hash> =
        hashes.chunks_exact(Hash::BYTES).filter_map(|hash| hash.try_into().ok()).collect();
    let number = |place: usize| u64::from(numbers.get(place).copied().unwrap_or_default());
    if let [first, second, proof @ ..] = hashes.as_slice() {
        let _ = check_inclusion(*first, number(0), number(1), proof, *second);
        let _ = check_consistency((number(2), *first), (number(3), *second), proof);
    }
});
