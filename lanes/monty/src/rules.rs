//! What a program may not even say: the import and builtin rule, on the syntax tree.
//!
//! Pure. Imports are `math`, `json`, `re`, `datetime` and `uuid`, and what policy adds; the builtins
//! `eval`, `exec`, `compile`, `__import__` and `open` are not used, under no other name either; `os` and
//! `subprocess` are not used. Words are not searched for: a string, an attribute of an own object, a
//! keyword argument or an own function of the same name is fine.
//!
//! The rule is not what keeps a program in: the interpreter has no files and the worker may open none.
//! It says early, with a place and a way out, what would fail late or differ from one lane to the next.

mod depth;
mod edits;
mod names;
mod scopes;
mod walk;

use std::collections::BTreeSet;

use ruff_text_size::{Ranged, TextSize};
use serde::{Deserialize, Serialize};

/// The longest program, in bytes. Longer ones take the parser and compiler too much stack and time.
pub const MAX_SOURCE: usize = 64 * 1024;

/// More refusals than these help nobody.
const MAX_REFUSALS: usize = 50;

/// Modules that every program may import.
pub const MODULES: [&str; 5] = ["math", "json", "re", "datetime", "uuid"];

/// What programs may import.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    added: BTreeSet<String>,
}

/// A module that policy cannot add.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadModule {
    /// It hands out what the rule refuses.
    #[error("`{0}` cannot be added: programs in this lane never use it")]
    Never(String),
    /// It is not the name of a module.
    #[error("`{0}` is not the name of a module")]
    Name(String),
}

/// One thing that a program may not say, and where it says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is refused.
    pub message: String,
    /// What to do instead.
    pub hint: String,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { line, column, message, hint } = self;
        write!(formatter, "line {line}, column {column}: {message}; {hint}")
    }
}

/// A program that keeps to the rule, as the interpreter gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The source, line for line; imports of `uuid` are assignments from what the gate provides.
    pub source: String,
    /// The name that those assignments read, when there are any.
    pub uuid: Option<String>,
}

impl Rules {
    /// The rule with modules that policy adds, each by its whole dotted name.
    ///
    /// # Errors
    ///
    /// A module that leads to what the rule refuses, or that is no name.
    pub fn new<N: Into<String>>(added: impl IntoIterator<Item = N>) -> Result<Self, BadModule> {
        let mut modules = BTreeSet::new();
        for name in added {
            let name = name.into();
            let root = name.split('.').next().unwrap_or_default();
            if names::NEVER_MODULES.contains(&root) {
                return Err(BadModule::Never(name));
            }
            let is_word = |part: &str| {
                part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                    && part.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
            };
            if name.len() > 100 || !name.split('.').all(is_word) {
                return Err(BadModule::Name(name));
            }
            modules.insert(name);
        }
        Ok(Self { added: modules })
    }

    /// Looks at a program. `inputs` are the names of variables that it is given.
    ///
    /// # Errors
    ///
    /// Everything that is wrong, in the order of the source; never empty.
    pub fn check(&self, source: &str, inputs: &[&str]) -> Result<Program, Vec<Refusal>> {
        if source.len() > MAX_SOURCE {
            let message = format!("the program has {} bytes, more than {MAX_SOURCE}", source.len());
            return Err(vec![at_start(message, "give long data as an input")]);
        }
        if let Some(line) = depth::too_deep(source) {
            let message = "this is nested or chained too deeply".to_owned();
            return Err(vec![Refusal { line, ..at_start(message, names::DEEP) }]);
        }
        let parsed = match ruff_python_parser::parse_module(source) {
            Ok(parsed) => parsed,
            Err(error) => {
                let message = format!("SyntaxError: {}", names::short(&error.error.to_string()));
                let hint = "correct the syntax".to_owned();
                return Err(vec![refusal(source, error.location.start(), message, hint)]);
            }
        };
        let provided = edits::free_name(source, inputs);
        let found = walk::look(self, parsed.suite(), inputs, &provided);
        if found.refused.is_empty() {
            let uuid = (!found.edits.is_empty()).then_some(provided);
            return Ok(Program { source: edits::apply(source, &found.edits), uuid });
        }
        let mut refused = found.refused;
        refused.sort_by_key(|(place, _, _)| *place);
        refused.truncate(MAX_REFUSALS);
        Err(refused.into_iter().map(|(place, message, hint)| refusal(source, place, message, hint)).collect())
    }

    /// Whether a program is so plain that [`Rules::check`] can only find fault with its syntax: short,
    /// shallow, in ASCII and without a single piece of text that the rule is about. Most honest programs
    /// that compute something are, and need not be parsed twice.
    pub fn is_plain(source: &str) -> bool {
        source.len() <= MAX_SOURCE
            && source.is_ascii()
            && !names::SIGNS.iter().any(|sign| source.contains(sign))
            && depth::too_deep(source).is_none()
    }

    fn may_import(&self, module: &str) -> bool {
        MODULES.contains(&module) || self.added.contains(module)
    }

    /// The modules that may be imported, for a hint.
    fn importable(&self) -> String {
        let added = self.added.iter().map(String::as_str);
        MODULES.into_iter().chain(added).collect::<Vec<_>>().join(", ")
    }
}

fn at_start(message: String, hint: &str) -> Refusal {
    Refusal { line: 1, column: 1, message, hint: hint.to_owned() }
}

fn refusal(source: &str, place: TextSize, message: String, hint: String) -> Refusal {
    let before = source.get(..place.to_usize()).unwrap_or(source);
    // As Python counts lines: a carriage return that no line feed follows ends one too.
    let mut line = 1_u32;
    let mut column = 1_u32;
    let mut characters = before.chars().peekable();
    while let Some(character) = characters.next() {
        if character == '\n' || (character == '\r' && characters.peek() != Some(&'\n')) {
            line += 1;
            column = 1;
        } else if !(line == 1 && column == 1 && character == '\u{feff}') {
            column += 1;
        }
    }
    Refusal { line, column, message, hint }
}

/// Where something starts.
fn start(node: &impl Ranged) -> TextSize {
    node.range().start()
}
