//! Event lines: `events_YYYY-MM-DD.jsonl`.
//!
//! A call has one line, when it has ended: eleven keys in an order that readers rely on, then ours. Every
//! other event is a line with `event_type`, by which readers tell them apart and pass over them; of the
//! eleven keys it has those that it knows something about.
//!
//! Lines are plain ASCII. Everything else is escaped, so that no text of an agent can end a line or draw on
//! a terminal, whatever its reader takes for a line end.

use std::fmt::Write as _;

use serde_json::Value;

use super::Record;

/// The name of the file that a line belongs to.
#[must_use]
pub fn file_name(day: &str) -> String {
    format!("events_{day}.jsonl")
}

/// The day of a file with this name. Nothing for a name that no such file has.
///
/// ```
/// use record::export::jsonl::day_of_file;
///
/// assert_eq!(day_of_file("events_2026-11-15.jsonl"), Some("2026-11-15"));
/// assert_eq!(day_of_file("events_2026-11-31.jsonl"), None);
/// assert_eq!(day_of_file("events.jsonl"), None);
/// ```
#[must_use]
pub fn day_of_file(name: &str) -> Option<&str> {
    let day = name.strip_prefix("events_")?.strip_suffix(".jsonl")?;
    format!("{day}T00:00:00Z").parse::<call::Moment>().ok().map(|_| day)
}

/// The event as one line, with its line feed.
#[must_use]
pub fn line(record: &Record) -> String {
    let mut line = Line::default();
    let microseconds = record.at.microseconds();
    let (sign, whole) = (if microseconds < 0 { "-" } else { "" }, microseconds.unsigned_abs());
    line.raw("ts", &format!("{sign}{}.{:06}", whole / 1_000_000, whole % 1_000_000));
    let iso = record.at.microseconds_text();
    line.add("ts_iso", &format!("{}+00:00", iso.trim_end_matches('Z')).into());
    for (key, absent) in LEADING {
        match field(record, key) {
            Some(value) => line.add(key, value),
            None if record.is_terminal() => line.raw(key, absent),
            None => {}
        }
    }
    if !record.is_terminal() {
        line.add("event_type", &record.event.as_str().into());
    }
    if let Some(call) = field(record, "call_id") {
        line.add("call_id", call);
    }
    line.add("ledger_entry", &record.place.into());
    if record.is_terminal() {
        line.add("event", &record.event.as_str().into());
    }
    for key in OWN {
        if let Some(value) = field(record, key) {
            line.add(key, value);
        }
    }
    let leading =
        |key: &str| key == "call_id" || OWN.contains(&key) || LEADING.iter().any(|(k, _)| *k == key);
    for (key, value) in record.named().filter(|(key, _)| !leading(key)) {
        line.add(key, value);
    }
    line.end()
}

/// The keys behind the two of the time, and what a call has where nothing is known.
const LEADING: [(&str, &str); 9] = [
    ("session_id", r#""""#),
    ("agent", r#""""#),
    ("tool", r#""""#),
    ("args_hash", r#""""#),
    ("result_status", r#""error""#),
    ("elapsed_ms", "0"),
    ("error_class", "null"),
    ("risk_flags", "[]"),
    ("artifacts", "[]"),
];

/// Our keys, behind those that name the call. Whatever else an event has follows by the alphabet.
const OWN: [&str; 12] = [
    "skills",
    "context",
    "purpose",
    "decision",
    "reasons",
    "policy",
    "approval",
    "approver",
    "effects_digest",
    "diff",
    "lane",
    "layers",
];

fn field<'r>(record: &'r Record, key: &str) -> Option<&'r Value> {
    record.named().find(|(name, _)| *name == key).map(|(_, value)| value)
}

/// An object whose keys stay in the order in which they came.
#[derive(Default)]
struct Line(String);

impl Line {
    fn add(&mut self, key: &str, value: &Value) {
        self.raw(key, &ascii(&value.to_string()));
    }

    fn raw(&mut self, key: &str, json: &str) {
        let before = if self.0.is_empty() { '{' } else { ',' };
        let key = ascii(&Value::from(key).to_string());
        let _ = write!(self.0, "{before}{key}:{json}");
    }

    fn end(self) -> String {
        format!("{}}}\n", self.0)
    }
}

/// JSON with the same meaning in plain ASCII. Outside of its texts JSON has nothing else.
pub(super) fn ascii(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    for character in json.chars() {
        if matches!(character, ' '..='~') {
            plain.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            let _ = write!(plain, "\\u{unit:04x}");
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::line;
    use crate::Entry;
    use crate::export::Record;

    #[track_caller]
    fn check(leaf: &str, want: &str) {
        let entry = Entry { place: 5, leaf: leaf.into() };
        let got = line(&Record::of(&entry).unwrap());
        assert_eq!(got, format!("{want}\n"));
        assert!(serde_json::from_str::<serde_json::Value>(&got).unwrap().is_object());
    }

    #[test]
    fn a_call_has_the_eleven_keys_in_order_and_then_ours() {
        check(
            r#"{"agent":"coder","args_hash":"sha256:44","artifacts":["README.md"],"at":"2026-11-15T19:29:00.817437Z","call":"01kh1jcay80w3ge1r70w3ge1r7","decision":"allow","elapsed_ms":12,"event":"outcome","policy":"ab","purpose":"look","result_status":"success","risk_flags":[],"run":"r","session":"s1","skills":["a"],"tool":"read_file","zeal":1}"#,
            r#"{"ts":1794770940.817437,"ts_iso":"2026-11-15T19:29:00.817437+00:00","session_id":"s1","agent":"coder","tool":"read_file","args_hash":"sha256:44","result_status":"success","elapsed_ms":12,"error_class":null,"risk_flags":[],"artifacts":["README.md"],"call_id":"01kh1jcay80w3ge1r70w3ge1r7","ledger_entry":5,"event":"outcome","skills":["a"],"purpose":"look","decision":"allow","policy":"ab","run":"r","zeal":1}"#,
        );
    }

    #[test]
    fn a_call_of_which_nothing_is_known_has_all_keys_too() {
        check(
            r#"{"at":"2026-11-15T19:29:00Z","call":"c","error_class":"bad_request","event":"refused","result_status":"denied"}"#,
            r#"{"ts":1794770940.000000,"ts_iso":"2026-11-15T19:29:00.000000+00:00","session_id":"","agent":"","tool":"","args_hash":"","result_status":"denied","elapsed_ms":0,"error_class":"bad_request","risk_flags":[],"artifacts":[],"call_id":"c","ledger_entry":5,"event":"refused"}"#,
        );
    }

    #[test]
    fn other_events_say_their_type_and_only_what_they_know() {
        check(
            r#"{"at":"2026-11-15T19:29:00.5Z","event":"gate_started","run":"r","version":"0.1.0"}"#,
            r#"{"ts":1794770940.500000,"ts_iso":"2026-11-15T19:29:00.500000+00:00","event_type":"gate_started","ledger_entry":5,"run":"r","version":"0.1.0"}"#,
        );
        check(
            r#"{"agent":"a","at":"2026-11-15T19:29:00.5Z","call":"c","event":"asked","purpose":"p","session":"s","tool":"t"}"#,
            r#"{"ts":1794770940.500000,"ts_iso":"2026-11-15T19:29:00.500000+00:00","session_id":"s","agent":"a","tool":"t","event_type":"asked","call_id":"c","ledger_entry":5,"purpose":"p"}"#,
        );
    }

    #[test]
    fn no_text_can_end_a_line_or_draw_on_a_terminal() {
        let leaf = serde_json::json!({
            "at": "2026-11-15T19:29:00Z", "event": "asked", "call": "c",
            "purpose": "a\nb\u{85}\u{2028}\u{1b}[31m\u{7f}\u{202e}é😀\"",
        });
        let text = line(&Record::of(&Entry { place: 0, leaf: leaf.to_string().into() }).unwrap());
        assert_eq!(text.lines().count(), 1);
        assert!(text.trim_end().bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{text}");
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["purpose"], leaf["purpose"]);
    }
}
