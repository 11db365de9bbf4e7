//! Stage 1: what would this call touch?
//!
//! [`classify`] takes a call and says which tool it means, what it would do to the world
//! ([`call::Effect`]), and which texts it carries and for what ([`call::Passage`]). It never
//! decides whether that is allowed, never touches what the call is about, and never guesses: what
//! cannot be told is an unknown effect, and what is no call at all is [`Unclassified`].
//!
//! Pure: no files, clock or environment. What it has to know about the world (databases, the API
//! of the forge, mappings of other servers' tools) is in the [`Catalogue`] that it is given.
//!
//! **Invariants:** every text among the arguments, however deep, is in a passage; an argument that
//! neither a schema nor a mapping names refuses the call.

mod builtin;
mod catalogue;
mod classified;
mod exact;
mod foreign;
mod near;
mod passages;
mod schema;
pub mod sql;
mod unclassified;

pub use catalogue::Catalogue;
pub use classified::Classified;
pub use foreign::{Mapping, MappingError};
pub use unclassified::{Fault, Unclassified};

use call::ToolCall;

/// Says what a call would touch.
///
/// ```
/// use call::{Actor, CallContext, Effect, Reach, SkillChain, ToolCall};
/// use classify::{Catalogue, classify};
///
/// let call = ToolCall {
///     tool: "read_file".parse()?,
///     purpose: "see what the project is".parse()?,
///     arguments: r#"{"path": "README.md"}"#.parse()?,
///     actor: Actor {
///         agent: "writer".parse()?,
///         session: "s1".parse()?,
///         skills: SkillChain::default(),
///         context: CallContext::Agent,
///     },
/// };
/// let classified = classify(&call, &Catalogue::default())?;
/// let effects: Vec<_> = classified.effects.iter().cloned().collect();
/// assert_eq!(effects, [Effect::Read { path: "README.md".to_owned(), reach: Reach::Itself }]);
///
/// let misspelt = ToolCall { tool: "read_fiel".parse()?, ..call };
/// assert!(classify(&misspelt, &Catalogue::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`Unclassified`] says why it is no call: an unknown tool, another server's tool that nothing
/// maps, or arguments that do not fit.
pub fn classify(call: &ToolCall, catalogue: &Catalogue) -> Result<Classified, Unclassified> {
    schema::check_nesting(call)?;
    if let Some(tool) = builtin::Tool::find(call.tool.as_str()) {
        return tool.classify(call, catalogue);
    }
    match call.tool.as_str().split_once('.') {
        Some((server, name)) => foreign::classify(call, server, name, catalogue),
        None => Err(Unclassified::UnknownTool {
            tool: call.tool.clone(),
            near: near::names(call.tool.as_str(), builtin::names()),
        }),
    }
}
