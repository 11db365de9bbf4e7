//! A call as it came in by a door, before anybody knows whether it is one.

use call::CallContext;

/// A call as it came in. Nothing of it was looked at: names may be no names, and the arguments no JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Incoming {
    /// The tool, as it was named.
    pub tool: String,
    /// Why, in the words of whoever asks.
    pub purpose: Option<String>,
    /// The arguments: the text of one JSON object.
    pub arguments: String,
    /// The first byte of the arguments that is no text, when there is one.
    pub not_text: Option<usize>,
    /// Who asks.
    pub agent: String,
    /// In which session.
    pub session: String,
    /// With which skill, or chain of skills, outermost first.
    pub skill: Option<String>,
    /// Where the wish came from.
    pub context: CallContext,
}
