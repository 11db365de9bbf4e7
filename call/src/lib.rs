//! The words that doors, gate and stages share.
//!
//! What passes from one stage to the next is defined here and nowhere else, so that stages never
//! have to name each other. Nothing in this crate reads a clock, a file or the environment: time
//! arrives as a [`Moment`] that a door took from a [`Clock`].

mod contraband;
mod digest;
mod moment;
mod span;

pub use contraband::{Contraband, Family};
pub use digest::{BadSha256, Sha256};
pub use moment::{BadMoment, Clock, Moment};
pub use span::Span;
