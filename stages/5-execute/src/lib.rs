//! Stage 5: do it, each effect by descriptor and never by name twice.
//!
//! For now there is [`place`]: where the paths of a call lead. This crate touches files below the
//! allowed roots and looks at the gate's own home; it reads no clock and no environment, and it
//! decides nothing.

pub mod place;
