//! Checks a ledger of the gate from outside.
//!
//! A ledger is a transparency log: its entries are the leaves of an RFC 6962 tree, and its keeper signs
//! checkpoints, each of which says how many entries there are and which root they have. Whoever holds a
//! checkpoint can check that an entry is among them, and that a later checkpoint has changed nothing.
//!
//! This crate has all that is needed for that and nothing else, so that an auditor who trusts neither the
//! gate nor its host can read and build it alone. From the bottom up: [`tree`] has the hashes, [`key`] and
//! [`note`] the signatures, [`checkpoint`] what is signed, [`cosignature`] what witnesses add to it, [`proof`] one entry with its proof, [`audit`] a
//! whole log in one pass, [`tiles`] and [`export`] a log that lies in files.
//!
//! **Invariants:** pure; any bytes at all have an answer; nothing is accepted that RFC 6962 does not accept;
//! nothing that was parsed has a second spelling.

pub mod audit;
mod base64;
pub mod checkpoint;
pub mod cosignature;
mod decimal;
pub mod export;
pub mod key;
pub mod note;
pub mod proof;
pub mod tiles;
pub mod tree;
