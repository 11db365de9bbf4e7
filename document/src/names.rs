//! Names that should each be met once.

use std::collections::HashSet;

/// The names so far. Few are searched, many are hashed, so that neither an honest document pays for
/// a hash nor a hostile one makes the search quadratic.
#[derive(Default)]
pub(crate) struct Names<'a> {
    few: Vec<&'a str>,
    many: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    const FEW: usize = 32;

    /// Whether `name` is met for the first time.
    pub(crate) fn is_new(&mut self, name: &'a str) -> bool {
        if self.few.len() < Self::FEW {
            let is_new = !self.few.contains(&name);
            if is_new {
                self.few.push(name);
            }
            return is_new;
        }
        !self.few.contains(&name) && self.many.insert(name)
    }
}
