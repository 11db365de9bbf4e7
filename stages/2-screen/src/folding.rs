//! A quick hash for tables of words that are known beforehand.

use std::hash::{BuildHasherDefault, Hasher};

/// For a table under [`Folding`].
pub(crate) type ByFolding = BuildHasherDefault<Folding>;

/// A quick hash. Only words that are known beforehand are ever kept under it, so nobody can make them meet.
#[derive(Default)]
pub(crate) struct Folding(u64);

impl Hasher for Folding {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x517C_C1B7_2722_0A95);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x517C_C1B7_2722_0A95);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
