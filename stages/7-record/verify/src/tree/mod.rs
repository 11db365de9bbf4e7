//! RFC 6962 trees: hashes, roots, and proofs about them.

mod check;
mod frontier;
mod hash;
mod prove;

pub use check::{NotProved, check_consistency, check_inclusion};
pub use frontier::{BadFrontier, Frontier};
pub use hash::{Hash, NotHash};
pub use prove::{Nodes, prove_consistency, prove_inclusion, root};
