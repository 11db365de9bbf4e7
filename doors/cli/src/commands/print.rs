//! One answer on its way out.

use serde::Serialize;

use super::lost;
use crate::exit::Exit;
use crate::terminal::Output;
use crate::visible::visible_json;

/// Prints a text that ends with a line feed, and ends with `exit`.
pub(crate) fn text(text: &str, exit: Exit) -> Exit {
    let mut output = Output::new();
    match output.text(text).and_then(|()| output.flush()) {
        Ok(()) => exit,
        Err(error) => lost(&error, exit),
    }
}

/// Prints one JSON object on a line, and ends with `exit`.
pub(crate) fn json(answer: &impl Serialize, exit: Exit) -> Exit {
    // Plain structures of text and numbers always have a JSON form.
    let line = visible_json(serde_json::to_string(answer).unwrap_or_default());
    text(&format!("{line}\n"), exit)
}
