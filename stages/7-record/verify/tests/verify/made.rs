//! Makes trees for the tests.

use std::convert::Infallible;

use verify::tree::{Frontier, Hash, Nodes};

/// Hashes of leaves, from which every other hash is computed when it is asked for.
pub(crate) struct Leaves(pub(crate) Vec<Hash>);

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
