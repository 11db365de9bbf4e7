//! An entry in one line, for people.

use record::Entry;
use serde_json::Value;

use crate::visible::visible;

/// Time, what happened, and what matters most about it.
pub(super) fn line(entry: &Entry) -> String {
    let Some(event) = entry.value() else {
        return format!("{:>8}  is not an event", entry.place);
    };
    let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
    let mut words = vec![text("call").to_owned(), text("agent").to_owned(), text("tool").to_owned()];
    words.push(match text("event") {
        "ruled" => text("verdict").to_owned(),
        "refused" | "outcome" => text("result_status").to_owned(),
        "policy_applied" | "policy_loaded" => text("policy").chars().take(12).collect(),
        "checkpoint_witnessed" => text("witness").to_owned(),
        "blob_removed" => text("blob").chars().take(12).collect(),
        _ => String::new(),
    });
    words.push(text("error_class").to_owned());
    let flags = event.get("risk_flags").and_then(Value::as_array);
    words.extend(flags.into_iter().flatten().filter_map(Value::as_str).map(|flag| format!("[{flag}]")));
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    let at = text("at").get(..19).unwrap_or_default();
    format!("{:>8}  {at}  {:<8}  {}", entry.place, text("event"), visible(&words.join(" ")))
}

/// The entry as programs get it: its place, and what was written.
pub(super) fn data(entry: &Entry) -> Value {
    serde_json::json!({ "entry": entry.place, "event": entry.value() })
}
