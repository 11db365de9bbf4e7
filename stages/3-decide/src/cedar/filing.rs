//! A table that is looked up many times for every decision.
//!
//! Its keys are names out of a policy, filed when the policy is loaded, and a call only looks them up. So
//! nobody who makes calls can make keys meet, and the hash need not withstand anybody: it has to be quick.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table whose keys come from a policy alone.
pub(crate) type Filing<K, V> = HashMap<K, V, BuildHasherDefault<Folding>>;

/// Folds eight bytes at a time into one number.
#[derive(Default)]
pub(crate) struct Folding(u64);

impl Folding {
    const fn fold(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x517C_C1B7_2722_0A95);
    }
}

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        eights.iter().for_each(|eight| self.fold(u64::from_le_bytes(*eight)));
        if !rest.is_empty() {
            self.fold(rest.iter().fold(rest.len() as u64, |number, &byte| (number << 8) | u64::from(byte)));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.fold(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.fold(number as u64);
    }

    fn finish(&self) -> u64 {
        // A table takes its places from both ends of the number; the lowest bits depend on little.
        self.0 ^ (self.0 >> 32)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::BuildHasher as _;

    use super::Filing;

    #[test]
    fn names_that_are_alike_lie_at_different_places() {
        let filing: Filing<String, ()> = Filing::default();
        let names = (0..20_000).map(|number| format!("/w/archive/box-{number}"));
        let hashes: Vec<u64> = names.map(|name| filing.hasher().hash_one(name)).collect();
        let places: BTreeSet<u64> = hashes.iter().map(|hash| hash & 0xFFFF).collect();
        let all: BTreeSet<u64> = hashes.iter().copied().collect();
        assert_eq!(all.len(), 20_000);
        // As many as would be by chance, or nearly.
        assert!(places.len() > 15_000, "{}", places.len());
    }
}
