//! What is known about a call once it is classified.

use call::{Class, Effect, Effects, Passage, ToolName};

/// A call, and what it would touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classified {
    /// The tool, in the one spelling that policy knows.
    pub tool: ToolName,
    /// What kind of tool it is, in the order of [`Class`].
    pub classes: Vec<Class>,
    /// What it would do, with paths as they were written.
    pub effects: Effects<String>,
    /// The texts that it carries, the purpose first.
    pub passages: Vec<Passage>,
}

/// The classes that effects belong to, in the order of [`Class`]. Nothing that touches nothing has
/// one, so a tool of another server that does is a tool that looks.
pub(crate) fn classes_of(effects: &Effects<String>) -> Vec<Class> {
    let mut classes: Vec<Class> = effects.iter().filter_map(class_of).collect();
    classes.sort_unstable();
    classes.dedup();
    if classes.is_empty() {
        classes.push(Class::Read);
    }
    classes
}

const fn class_of(effect: &Effect<String>) -> Option<Class> {
    use call::{Access, MemoryUse};
    match effect {
        Effect::Read { .. } | Effect::Status => Some(Class::Read),
        Effect::Write { .. } | Effect::Delete { .. } => Some(Class::Write),
        Effect::Run(_) => Some(Class::Exec),
        Effect::Network(_) => Some(Class::Network),
        Effect::Secret { .. } => Some(Class::Secrets),
        Effect::Query(query) => Some(match query.access {
            Access::Read => Class::Read,
            Access::Write => Class::Write,
        }),
        Effect::Memory(MemoryUse::Recall { .. }) => Some(Class::Read),
        Effect::Memory(MemoryUse::Store { .. }) => Some(Class::Write),
        Effect::Repository(repository) => Some(match repository.access {
            Access::Read => Class::Read,
            Access::Write => Class::Write,
        }),
        Effect::Nothing | Effect::Unknown { .. } => None,
    }
}
