//! Tools of other servers, which have the effects that a mapping gives them.
//!
//! A mapping says for each tool which argument is a path, an address, a command. It is written and
//! reviewed by people; here it is applied without good faith: an argument that it does not name
//! refuses the call, and so does one of another type, and one that has an effect and is missing,
//! because the server then takes a default that nobody saw.

mod argument;
mod error;
mod parse;
mod rule;

pub use error::MappingError;

use std::collections::BTreeMap;

use call::{Effect, Effects, Sha256, ToolCall};

use crate::classified::classes_of;
use crate::{Catalogue, Classified, Unclassified, near, passages};
use rule::Rule;

/// What the tools of one server do: the text of `.toolgate/tools/<server>.toml`.
///
/// ```
/// use classify::Mapping;
///
/// let mapping = Mapping::parse(
///     r#"
///     [tools.move_file]
///     delete = "source"
///     write = "destination"
///     "#,
/// );
/// assert_eq!(mapping.unwrap().tools().collect::<Vec<_>>(), ["move_file"]);
///
/// let errors = Mapping::parse("[tools.move_file]\nerase = 'source'").unwrap_err();
/// assert_eq!(errors[0].to_string(), "there is no key `erase` in the mapping of a tool");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    tools: BTreeMap<String, Rule>,
}

impl Mapping {
    /// Reads a mapping.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, each with its place.
    pub fn parse(text: &str) -> Result<Self, Vec<MappingError>> {
        parse::mapping(text).map(|tools| Self { tools })
    }

    /// The names of the tools, without the server's.
    pub fn tools(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// The digest that a tool's definition had when it was reviewed.
    #[must_use]
    pub fn definition(&self, tool: &str) -> Option<Sha256> {
        self.tools.get(tool).and_then(|rule| rule.definition)
    }
}

/// What a call of another server's tool would touch.
pub(crate) fn classify(
    call: &ToolCall,
    server: &str,
    name: &str,
    catalogue: &Catalogue,
) -> Result<Classified, Unclassified> {
    let mapping = catalogue.mapping(server);
    let Some(rule) = mapping.and_then(|mapping| mapping.tools.get(name)) else {
        let known = mapping.into_iter().flat_map(Mapping::tools);
        let near = near::names(name, known).into_iter().map(|name| format!("{server}.{name}")).collect();
        let (tool, server) = (call.tool.clone(), server.to_owned());
        return Err(Unclassified::UnmappedTool { tool, server, name: bare(name), near });
    };
    let effects = rule
        .effects(call.arguments.values(), catalogue)
        .map_err(|faults| Unclassified::BadArguments { tool: call.tool.clone(), faults })?;
    let effects = Effects::new(if effects.is_empty() { vec![unsaid(server, name)] } else { effects });
    let classes = classes_of(&effects);
    let passages = passages::of(call, |steps| rule.role_at(steps), |_, _| false);
    Ok(Classified { tool: call.tool.clone(), classes, effects, passages })
}

/// A mapping that names nothing that a tool touches may have been left unfinished.
fn unsaid<P>(server: &str, name: &str) -> Effect<P> {
    let tool = bare(name);
    Effect::Unknown {
        why: format!(
            "nothing says what this call does: the mapping of `{server}.{name}` names nothing that it touches; \
             write that below `[tools.{tool}]` in `.toolgate/tools/{server}.toml`, or `touches_nothing = true` \
             where that is so"
        ),
    }
}

/// A key as TOML writes it.
fn bare(name: &str) -> String {
    let plain =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if plain { name.to_owned() } else { format!("{name:?}") }
}
