//! Arguments against a JSON Schema.
//!
//! A schema is compiled once. Patterns run in linear time, and a reference to another document is
//! an error when the schema is compiled, never a fetch. What is reported names the place and what
//! was expected there; it never repeats the value.

use call::ToolCall;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use crate::{Fault, Unclassified};

/// Levels of nesting that arguments may have. No tool needs more than four.
const DEEPEST: usize = 64;

/// Faults that are told at once.
const MOST_FAULTS: usize = 8;

/// Compiles a schema.
pub(crate) fn compile(schema: &Value) -> Result<Validator, String> {
    jsonschema::options()
        .with_draft(jsonschema::Draft::Draft202012)
        .with_pattern_options(PatternOptions::regex().size_limit(1 << 20).dfa_size_limit(1 << 20))
        .build(schema)
        .map_err(|error| error.masked().to_string())
}

/// What is wrong with these arguments; nothing, when they fit.
pub(crate) fn faults(validator: &Validator, arguments: &Value) -> Vec<Fault> {
    // Nearly all arguments fit, and that is told sooner than what would be wrong with them.
    if validator.is_valid(arguments) {
        return Vec::new();
    }
    let mut faults: Vec<Fault> =
        validator.iter_errors(arguments).take(MOST_FAULTS).map(|error| fault(&error)).collect();
    if faults.is_empty() {
        faults.push(Fault::new("", "does not fit the schema"));
    }
    faults
}

/// Refuses arguments that are nested so deeply that walking them could exhaust the stack.
pub(crate) fn check_nesting(call: &ToolCall) -> Result<(), Unclassified> {
    let holds = |value: &&Value| value.is_array() || value.is_object();
    let mut level: Vec<&Value> = call.arguments.values().values().filter(holds).collect();
    for _ in 0..DEEPEST {
        if level.is_empty() {
            return Ok(());
        }
        level = level.into_iter().flat_map(inside).filter(holds).collect();
    }
    let expected = format!("are nested more than {DEEPEST} levels deep");
    Err(Unclassified::BadArguments { tool: call.tool.clone(), faults: vec![Fault::new("", expected)] })
}

fn inside(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(entries) => Box::new(entries.values()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Box::new(std::iter::empty()),
    }
}

/// The longest name of an argument that is repeated.
const LONGEST_NAME: usize = 64;

fn fault(error: &ValidationError<'_>) -> Fault {
    use ValidationErrorKind as Kind;
    let place: String = error.instance_path().as_str().chars().take(4 * LONGEST_NAME).collect();
    let kind = error.kind();
    if let Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } = kind {
        let names: Vec<String> = unexpected.iter().take(MOST_FAULTS).map(|name| shown(name)).collect();
        let fault = Fault::new(place, format!("does not take {}", names.join(", ")).trim_start().to_owned());
        let about_approval = unexpected.iter().any(|name| name == "approval");
        return if about_approval { fault.about_approval() } else { fault };
    }
    if let Kind::Required { property } = kind {
        return Fault::new(place, format!("must have {}", property.as_str().map_or_else(String::new, shown)));
    }
    Fault::new(place, expected(kind))
}

fn shown(name: &str) -> String {
    let name: String = name.chars().take(LONGEST_NAME).collect();
    format!("`{}`", name.escape_debug())
}

/// What was expected, for the rules that our own schemas use; the rule's name for others.
fn expected(kind: &ValidationErrorKind) -> String {
    use ValidationErrorKind as Kind;
    if let Kind::Type { kind } = kind {
        return match kind {
            TypeKind::Single(one) => format!("must be of type {one}"),
            TypeKind::Multiple(many) => {
                let names: Vec<String> = many.iter().map(|one| one.to_string()).collect();
                format!("must be of type {}", names.join(" or "))
            }
        };
    }
    if let Kind::Enum { options } = kind {
        return format!("must be one of {options}");
    }
    if let Kind::Constant { expected_value } = kind {
        return format!("must be {expected_value}");
    }
    if let Kind::MinLength { limit } = kind {
        return format!("must have at least {limit} characters");
    }
    if let Kind::MaxLength { limit } = kind {
        return format!("must have at most {limit} characters");
    }
    if let Kind::Minimum { limit } = kind {
        return format!("must be at least {limit}");
    }
    if let Kind::Maximum { limit } = kind {
        return format!("must be at most {limit}");
    }
    if let Kind::MinItems { limit } = kind {
        return format!("must have at least {limit} items");
    }
    if let Kind::MaxItems { limit } = kind {
        return format!("must have at most {limit} items");
    }
    if let Kind::MaxProperties { limit } = kind {
        return format!("must have at most {limit} entries");
    }
    if let Kind::Pattern { pattern } = kind {
        return format!("must match `{pattern}`");
    }
    if let Kind::PropertyNames { error } = kind {
        return format!("has a key that {}", expected(error.kind()));
    }
    if let Kind::AnyOf { context } = kind {
        let ways: Vec<String> =
            context.iter().filter_map(|errors| errors.first()).map(|error| expected(error.kind())).collect();
        return ways.join(", or ");
    }
    format!("breaks the rule `{}` of the schema", kind.keyword())
}
