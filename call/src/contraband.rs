//! What a text carries that it should not.

use crate::Span;

/// One thing that a screen found in a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contraband {
    /// Where it stands, in the text as it arrived.
    pub span: Span,
    /// Which of the families it belongs to.
    pub family: Family,
    /// What exactly it is, in lower-case words joined by `_`: `github_token`, `ignore_instructions`.
    pub kind: &'static str,
}

/// The families of things that a text must not carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// A credential: key, token, password, private key.
    Secret,
    /// Words that try to take over whoever reads the text.
    Override,
    /// Something made to be run: a script, a download-and-run line, a large encoded blob.
    Payload,
    /// Words that make a shell run what somebody else wrote: a download piped into a shell and kin.
    Injection,
    /// A path that climbs out of its folder, or reaches for where secrets lie.
    Traversal,
    /// Code or words that collect secrets in order to print or send them.
    Exfiltration,
}
