//! The texts of a call and what they are for.
//!
//! The same words are an attack in one argument and ordinary work in another: a path with `../..`
//! in it is refused, a Dockerfile that speaks of one is a file. So whatever is screened comes with
//! its role.

use crate::Contraband;

/// One text among the arguments of a call, however deep it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// Where it stands: `path`, `headers.Authorization`, `changes[2].content`, or `purpose`.
    pub argument: String,
    /// What it is for.
    pub role: Role,
    /// The text.
    pub text: String,
}

/// What a text of a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The name of a file or folder.
    Path,
    /// A line for a shell or a word of an argument vector.
    Command,
    /// Source code to be run.
    Code,
    /// An address, a header or a body: something that leaves the machine.
    Outbound,
    /// Content to be kept: a file, a memory, the text of a pull request.
    Content,
    /// Content to be compared with and not kept.
    Draft,
    /// A pattern or query to search by.
    Pattern,
    /// A statement for a database, or a parameter of one.
    Statement,
    /// Anything else, the purpose included.
    Plain,
}

/// Something that a passage should not carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The argument it stands in.
    pub argument: String,
    /// What it is, and where in the text of the passage.
    pub found: Contraband,
    /// What follows from it.
    pub weight: Weight,
}

/// What follows from an objection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// The call goes on, and carries a flag.
    Flag,
    /// The call is refused, whatever the permissions.
    Refuse,
}
