//! The tools for files: look, search, compare, write, edit, delete.
//!
//! Every path is followed by the [`Locator`] and held from then on. What is held must be what was decided
//! about, and where a person was asked, it must also be what they saw; both are checked on the descriptor
//! that is then used. Nothing here decides what is allowed: for files that only turn up during a call, the
//! judge of the errand is asked.
//!
//! **Invariants:** a file is replaced whole or not at all; what fails leaves nothing behind; memory does not
//! grow with the size of a file that is only looked at; pipes and devices are never opened.

mod arguments;
mod characters;
mod delete;
mod difference;
mod list;
mod patience;
mod prospect;
mod read;
mod replace;
mod search;
mod seen;
mod spot;
mod survey;
mod target;
mod walk;
mod write;

use std::sync::Arc;

use crate::place::Locator;

pub(crate) use arguments::take;

/// Files below the roots of a [`Locator`].
#[derive(Clone, Debug)]
pub struct Files {
    locator: Arc<Locator>,
}

impl Files {
    /// The files that this locator finds.
    #[must_use]
    pub const fn new(locator: Arc<Locator>) -> Self {
        Self { locator }
    }
}

/// So many of something, as people say it.
pub(crate) fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
