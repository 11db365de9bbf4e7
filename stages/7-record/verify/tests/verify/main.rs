//! What an auditor relies on, held against published vectors.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers of tests stop at the first thing that goes wrong"
)]

mod made;
mod vectors;
