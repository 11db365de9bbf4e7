//! Events as OpenTelemetry logs, in the JSON form of OTLP.
//!
//! Each line is one request that a collector takes (`ExportLogsServiceRequest`). As that form has it: whole
//! numbers of 64 bits are texts, the ids of traces are hexadecimal, levels are plain numbers. All events of a
//! call carry its name as their trace, so that they are found together.

use data_encoding::HEXLOWER;
use serde::Serialize;
use serde_json::Value;

use super::{Record, jsonl};

/// The name of the file.
pub const FILE: &str = "events.otlp.jsonl";

/// Events of one request.
pub const MOST_RECORDS: usize = 512;

/// Up to [`MOST_RECORDS`] events as one line, with its line feed.
#[must_use]
pub fn request(records: &[Record]) -> String {
    let service = [
        Attribute { key: "service.name".to_owned(), value: Any::String("toolgate".to_owned()) },
        Attribute {
            key: "service.version".to_owned(),
            value: Any::String(env!("CARGO_PKG_VERSION").to_owned()),
        },
    ];
    let request = Request {
        resource_logs: [ResourceLogs {
            resource: Resource { attributes: service },
            scope_logs: [ScopeLogs {
                scope: Scope { name: "toolgate.ledger" },
                log_records: records.iter().map(LogRecord::of).collect(),
            }],
        }],
    };
    // Plain structures of texts and numbers always have a JSON form.
    format!("{}\n", jsonl::ascii(&serde_json::to_string(&request).unwrap_or_default()))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    resource_logs: [ResourceLogs; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceLogs {
    resource: Resource,
    scope_logs: [ScopeLogs; 1],
}

#[derive(Serialize)]
struct Resource {
    attributes: [Attribute; 2],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ScopeLogs {
    scope: Scope,
    log_records: Vec<LogRecord>,
}

#[derive(Serialize)]
struct Scope {
    name: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogRecord {
    time_unix_nano: String,
    observed_time_unix_nano: String,
    severity_number: u8,
    severity_text: &'static str,
    body: Any,
    attributes: Vec<Attribute>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_id: Option<String>,
    event_name: String,
}

#[derive(Serialize)]
struct Attribute {
    key: String,
    value: Any,
}

/// A value; what kind of value is the name of its only key.
#[derive(Serialize)]
enum Any {
    #[serde(rename = "stringValue")]
    String(String),
    #[serde(rename = "boolValue")]
    Bool(bool),
    #[serde(rename = "intValue")]
    Int(String),
    #[serde(rename = "doubleValue")]
    Double(f64),
    #[serde(rename = "arrayValue")]
    Array { values: Vec<Any> },
}

impl LogRecord {
    fn of(record: &Record) -> Self {
        let (severity_number, severity_text) = severity(record.text("result_status"));
        let mut attributes = Vec::new();
        flatten("toolgate.ledger_entry", &record.place.into(), &mut attributes);
        for (name, value) in record.named() {
            flatten(&format!("toolgate.{name}"), value, &mut attributes);
        }
        // The clock of the gate is the only one there is.
        let time = (i128::from(record.at.microseconds()) * 1_000).max(0).to_string();
        let call = record.text("call").and_then(|call| call.parse::<call::CallId>().ok());
        Self {
            time_unix_nano: time.clone(),
            observed_time_unix_nano: time,
            severity_number,
            severity_text,
            body: Any::String(record.event.clone()),
            attributes,
            trace_id: call.map(|call| HEXLOWER.encode(call.as_bytes())),
            event_name: format!("toolgate.{}", record.event),
        }
    }
}

/// How bad it is, as OpenTelemetry counts: a call that was stopped is worth a look, one that failed more.
fn severity(status: Option<&str>) -> (u8, &'static str) {
    match status {
        Some("denied") => (13, "WARN"),
        Some("error" | "timeout") => (17, "ERROR"),
        Some(_) | None => (9, "INFO"),
    }
}

/// Adds a value under its key. What lies inside of an object, or of a list of objects, has a key of its own.
fn flatten(key: &str, value: &Value, into: &mut Vec<Attribute>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                flatten(&format!("{key}.{name}"), value, into);
            }
        }
        Value::Array(values) if values.iter().any(|value| value.is_object() || value.is_array()) => {
            for (place, value) in values.iter().enumerate() {
                flatten(&format!("{key}.{place}"), value, into);
            }
        }
        Value::Array(values) => {
            let values = values.iter().filter_map(scalar).collect();
            into.push(Attribute { key: key.to_owned(), value: Any::Array { values } });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            into.extend(scalar(value).map(|value| Attribute { key: key.to_owned(), value }));
        }
    }
}

fn scalar(value: &Value) -> Option<Any> {
    match value {
        Value::Bool(truth) => Some(Any::Bool(*truth)),
        Value::String(text) => Some(Any::String(text.clone())),
        Value::Number(number) => match number.as_i64() {
            Some(number) => Some(Any::Int(number.to_string())),
            None => number.as_f64().map(Any::Double),
        },
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::request;
    use crate::Entry;
    use crate::export::Record;

    fn record(leaf: &Value) -> Record {
        Record::of(&Entry { place: 3, leaf: leaf.to_string().into() }).unwrap()
    }

    #[test]
    fn an_event_is_a_log_record_with_flat_attributes() {
        let leaf = json!({
            "at": "2026-11-15T19:29:00.817437Z", "event": "refused", "call": "01kh1jcay80w3ge1r70w3ge1r7",
            "session": "s", "elapsed_ms": 12, "result_status": "denied", "risk_flags": ["path_denied"],
            "reasons": [{"code": "path_denied", "message": "no"}],
        });
        let line = request(&[record(&leaf)]);
        assert_eq!(line.lines().count(), 1);
        let read: Value = serde_json::from_str(&line).unwrap();
        let resource = &read["resourceLogs"][0];
        assert_eq!(
            resource["resource"]["attributes"][0],
            json!({"key": "service.name", "value": {"stringValue": "toolgate"}})
        );
        let attribute = |key: &str, value: Value| json!({"key": format!("toolgate.{key}"), "value": value});
        assert_eq!(
            resource["scopeLogs"][0]["logRecords"],
            json!([{
                "timeUnixNano": "1794770940817437000",
                "observedTimeUnixNano": "1794770940817437000",
                "severityNumber": 13,
                "severityText": "WARN",
                "body": {"stringValue": "refused"},
                "attributes": [
                    attribute("ledger_entry", json!({"intValue": "3"})),
                    attribute("call_id", json!({"stringValue": "01kh1jcay80w3ge1r70w3ge1r7"})),
                    attribute("elapsed_ms", json!({"intValue": "12"})),
                    attribute("reasons.0.code", json!({"stringValue": "path_denied"})),
                    attribute("reasons.0.message", json!({"stringValue": "no"})),
                    attribute("result_status", json!({"stringValue": "denied"})),
                    attribute("risk_flags", json!({"arrayValue": {"values": [{"stringValue": "path_denied"}]}})),
                    attribute("session_id", json!({"stringValue": "s"})),
                ],
                "traceId": "019c43262bc807070707070707070707",
                "eventName": "toolgate.refused",
            }])
        );
    }

    #[test]
    fn the_level_follows_how_the_call_ended() {
        let cases = [
            // event, result_status -> level
            ("outcome", "success", 9),
            ("refused", "denied", 13),
            ("outcome", "error", 17),
            ("outcome", "timeout", 17),
        ];
        for (event, status, want) in cases {
            let leaf = json!({"at": "2026-11-15T19:29:00Z", "event": event, "result_status": status});
            let read: Value = serde_json::from_str(&request(&[record(&leaf)])).unwrap();
            let level = &read["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]["severityNumber"];
            assert_eq!(level, want, "{status}");
        }
    }
}
