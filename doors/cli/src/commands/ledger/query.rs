//! `toolgate ledger query`

use call::Moment;
use record::Entry;
use record::store::Store;
use serde_json::Value;

use super::tail::spelled;
use super::{failed, look};
use crate::arguments::QueryArguments;
use crate::commands::lost;
use crate::exit::Exit;
use crate::terminal::{Output, say, say_error};

/// Entries that are looked at together.
const AT_ONCE: usize = 1_000;

/// What an entry must hold.
struct Question {
    /// Texts of canonical JSON without which no entry is what is asked for.
    texts: Vec<String>,
    /// Fields with their values.
    fields: Vec<(&'static str, String)>,
    flag: Option<String>,
    /// What one of its values must say.
    text: Option<String>,
    since: Option<String>,
    until: Option<String>,
}

pub(super) fn run(arguments: &QueryArguments) -> Exit {
    let question = match Question::of(arguments) {
        Ok(question) => question,
        Err(message) => {
            say_error(&message, Some("a moment is written `2026-02-09T16:05:01Z`"));
            return Exit::CouldNot;
        }
    };
    let mut ledger = match look(arguments.home.home.as_deref()) {
        Ok(ledger) => ledger,
        Err(exit) => return exit,
    };
    let mut output = Output::new();
    let (mut next, mut shown) = (0, 0);
    loop {
        let entries = match question.candidates(&mut *ledger, next) {
            Ok(entries) => entries,
            Err(exit) => return exit,
        };
        for entry in entries.iter().filter(|entry| question.is_answered_by(entry)) {
            if shown == arguments.limit {
                say(&format!("note: there are more than {shown}; `--limit` shows more of them"));
                return output.flush().map_or_else(|error| lost(&error, Exit::Done), |()| Exit::Done);
            }
            if let Err(error) = output.line(&spelled(entry, arguments.home.format)) {
                return lost(&error, Exit::Done);
            }
            shown += 1;
        }
        match entries.last() {
            Some(last) if entries.len() == AT_ONCE => next = last.place + 1,
            Some(_) | None => break,
        }
    }
    output.flush().map_or_else(|error| lost(&error, Exit::Done), |()| Exit::Done)
}

impl Question {
    fn of(arguments: &QueryArguments) -> Result<Self, String> {
        let moment = |text: &Option<String>| {
            let parse = |text: &String| {
                text.parse::<Moment>().map_err(|error| format!("`{text}` is not a moment: {error}"))
            };
            text.as_ref().map(|text| parse(text).map(Moment::microseconds_text)).transpose()
        };
        let status = arguments.status.map(|status| status.as_str().to_owned());
        let fields = [
            ("agent", arguments.agent.clone()),
            ("tool", arguments.tool.clone()),
            ("result_status", status),
            ("event", arguments.event.clone()),
        ];
        let fields: Vec<(&str, String)> =
            fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        let json = |text: &str| Value::from(text).to_string();
        let mut texts: Vec<String> =
            fields.iter().map(|(name, value)| format!("\"{name}\":{}", json(value))).collect();
        texts.extend(arguments.flag.as_deref().map(json));
        // As it stands in a JSON text, without the one quote on either side of it.
        let bare = |text: &str| json(text).strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
        texts.extend(arguments.text.as_deref().and_then(bare));
        let (since, until) = (moment(&arguments.since)?, moment(&arguments.until)?);
        Ok(Self { texts, fields, flag: arguments.flag.clone(), text: arguments.text.clone(), since, until })
    }

    fn candidates(&self, ledger: &mut dyn Store, from: u64) -> Result<Vec<Entry>, Exit> {
        let texts: Vec<&str> = self.texts.iter().map(String::as_str).collect();
        ledger.search(from, &texts, AT_ONCE).map_err(|error| failed(&error))
    }

    fn is_answered_by(&self, entry: &Entry) -> bool {
        let Some(event) = entry.value() else { return false };
        let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
        let flags = event.get("risk_flags").and_then(Value::as_array);
        let flagged = |flag: &str| flags.is_some_and(|flags| flags.iter().any(|other| other == flag));
        self.fields.iter().all(|(name, value)| text(name) == value)
            && self.flag.as_deref().is_none_or(flagged)
            && self.text.as_deref().is_none_or(|text| says(&event, text))
            && self.since.as_deref().is_none_or(|since| text("at") >= since)
            && self.until.as_deref().is_none_or(|until| text("at") < until)
    }
}

/// Does a value in this data say the text? How its fields are called says nothing about what happened.
fn says(data: &Value, text: &str) -> bool {
    match data {
        Value::Null => false,
        Value::Bool(_) | Value::Number(_) => data.to_string().contains(text),
        Value::String(value) => value.contains(text),
        Value::Array(values) => values.iter().any(|value| says(value, text)),
        Value::Object(fields) => fields.values().any(|value| says(value, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::says;

    #[test]
    fn a_text_is_found_in_values_and_not_in_their_names() {
        let event = serde_json::json!({"event": "asked", "purpose": "say \"hi\" \\ there", "size": 41, "reasons": [{"code": "x"}]});
        let cases = [
            ("asked", true),
            ("event", false),
            ("reasons", false),
            ("\"", true),
            ("\"hi\"", true),
            ("\\", true),
            ("41", true),
            ("code", false),
            ("x", true),
            ("\",\"", false),
        ];
        for (text, want) in cases {
            assert_eq!(says(&event, text), want, "{text}");
        }
    }
}
