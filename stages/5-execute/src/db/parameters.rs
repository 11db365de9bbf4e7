//! The values for the placeholders of a statement.

use call::Fault;
use serde_json::{Map, Value};

use crate::files::counted;

/// By place or by name.
#[derive(Clone, Copy)]
pub(super) enum Parameters<'a> {
    List(&'a [Value]),
    Named(&'a Map<String, Value>),
}

impl<'a> Parameters<'a> {
    /// None at all is an empty list.
    pub(super) fn take(given: Option<&'a Value>) -> Result<Self, Fault> {
        let parameters = match given {
            None | Some(Value::Null) => Self::List(&[]),
            Some(Value::Array(list)) => Self::List(list),
            Some(Value::Object(named)) => Self::Named(named),
            Some(Value::Bool(_) | Value::Number(_) | Value::String(_)) => {
                return Err(bad("`params` must be a list or an object"));
            }
        };
        let nested = |value: &Value| value.is_array() || value.is_object();
        let any = match parameters {
            Self::List(list) => list.iter().any(nested),
            Self::Named(named) => named.values().any(nested),
        };
        if any {
            Err(bad("a value of `params` is a list or an object; write it as a text"))
        } else {
            Ok(parameters)
        }
    }
}

pub(super) fn bad(message: impl Into<String>) -> Fault {
    Fault::failed("bad_parameters", message)
}

/// As many values as there are placeholders.
pub(super) fn same_count(given: usize, wanted: usize) -> Result<(), Fault> {
    if given == wanted {
        return Ok(());
    }
    Err(bad(format!(
        "the statement has {}, and `params` has {}",
        counted(wanted as u64, "placeholder"),
        counted(given as u64, "value"),
    )))
}
