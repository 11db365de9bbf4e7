//! Stage 5: do it.
