//! The texts among the arguments of a call, all of them.
//!
//! One walk over whatever JSON is there. Which role a text has is asked for by place; that there
//! is a passage for it is not: a schema or mapping that forgets an argument can make its role
//! plain, and cannot make it disappear. Only a word that a tool's schema lists itself is left out: whoever
//! picks one of a list says nothing of their own.

use call::{Passage, Role, ToolCall};
use serde_json::Value;

/// One step from the arguments towards a value in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// Into the value of a key.
    Key(&'a str),
    /// Into an item of a list.
    Item,
}

/// The purpose, then every text of the arguments; keys below the first level too, because agents
/// choose those as freely as values. `is_listed` says of an argument and its text whether the schema lists it.
pub(crate) fn of<'a>(
    call: &'a ToolCall,
    role_at: impl Fn(&[Step<'a>]) -> Role,
    is_listed: impl Fn(&str, &str) -> bool,
) -> Vec<Passage> {
    let purpose = call.purpose.as_str().to_owned();
    let passages = vec![Passage { argument: "purpose".to_owned(), role: Role::Plain, text: purpose }];
    let mut walk = Walk { role_at, steps: Vec::new(), place: String::new(), passages };
    for (name, value) in call.arguments.values() {
        if value.as_str().is_some_and(|text| is_listed(name, text)) {
            continue;
        }
        walk.enter(name, |walk| walk.value(value));
    }
    walk.passages
}

struct Walk<'a, F> {
    role_at: F,
    steps: Vec<Step<'a>>,
    place: String,
    passages: Vec<Passage>,
}

impl<'a, F: Fn(&[Step<'a>]) -> Role> Walk<'a, F> {
    fn value(&mut self, value: &'a Value) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    let length = self.place.len();
                    self.place.push_str(&format!("[{number}]"));
                    self.steps.push(Step::Item);
                    self.value(item);
                    self.steps.pop();
                    self.place.truncate(length);
                }
            }
            Value::Object(entries) => {
                for (key, value) in entries {
                    self.enter(key, |walk| {
                        walk.text(key);
                        walk.value(value);
                    });
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn text(&mut self, text: &str) {
        let role = (self.role_at)(&self.steps);
        self.passages.push(Passage { argument: self.place.clone(), role, text: text.to_owned() });
    }

    fn enter(&mut self, key: &'a str, inside: impl FnOnce(&mut Self)) {
        let length = self.place.len();
        push_key(&mut self.place, key);
        self.steps.push(Step::Key(key));
        inside(self);
        self.steps.pop();
        self.place.truncate(length);
    }
}

/// `headers.Accept`, or `headers["a.b"]` where a dot would read as another step.
fn push_key(place: &mut String, key: &str) {
    let plain =
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-$".contains(&byte));
    if plain {
        if !place.is_empty() {
            place.push('.');
        }
        place.push_str(key);
    } else {
        // A place is for reading: of a very long key its beginning is enough.
        let short: String = key.chars().take(64).collect();
        place.push_str(&format!("[{short:?}]"));
    }
}
