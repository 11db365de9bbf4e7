//! One message of the protocol, read strictly before the protocol's library sees it.
//!
//! Two readers of one message must not see two messages: a key given twice, a key in another case, half a
//! surrogate or anything behind the value refuses it. The arguments of a call are cut out and kept as they
//! were written, whatever they are: reading them is the gate's business, so that a bad call is on record.

use std::ops::Range;

use call::json::{Json, JsonEntry, JsonNode, Reading, read};
use serde_json::Value;

use crate::arguments::{RawArguments, Written};

/// A message that may be handed to the protocol's library.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    /// The message, with empty arguments where it is a call.
    pub(crate) text: String,
    /// Its id; none where no answer is expected.
    pub(crate) id: Option<Value>,
    /// Whether it asks for something, and is not an answer.
    pub(crate) asks: bool,
    /// The call, where it is one.
    pub(crate) call: Option<Written>,
    /// The id of the request that it takes back, where it is such a notification.
    pub(crate) cancels: Option<Value>,
    /// Whether it is a call with a name, arguments and nothing else: a message of every version of the
    /// protocol, whoever reads it.
    pub(crate) plain_call: bool,
}

/// Why a message is none, in the protocol's own words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refused {
    /// The id of the message, where it can be told.
    pub(crate) id: Option<Value>,
    /// The protocol's code.
    pub(crate) code: i32,
    /// What is wrong.
    pub(crate) message: String,
}

/// Not JSON.
pub(crate) const PARSE_ERROR: i32 = -32700;
/// JSON, and no message.
pub(crate) const INVALID_REQUEST: i32 = -32600;
/// A method that there is not.
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
/// A message whose parameters do not fit.
pub(crate) const INVALID_PARAMS: i32 = -32602;

impl Refused {
    pub(crate) fn new(id: Option<Value>, code: i32, message: impl Into<String>) -> Self {
        Self { id, code, message: message.into() }
    }

    /// The answer to it.
    pub(crate) fn answer(&self) -> Value {
        serde_json::json!({
            "jsonrpc": "2.0",
            "id": self.id,
            "error": {"code": self.code, "message": self.message}
        })
    }
}

const OF_MESSAGE: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];
const OF_CALL: [&str; 6] = ["name", "arguments", "_meta", "inputResponses", "requestState", "task"];

/// Reads one message.
pub(crate) fn read_frame(bytes: &[u8]) -> Result<Frame, Refused> {
    let not_text = std::str::from_utf8(bytes).err().map(|error| error.valid_up_to());
    let text = String::from_utf8_lossy(bytes);
    let json = read(&text, 0, Reading::CPython)
        .map_err(|error| Refused::new(None, PARSE_ERROR, format!("the message is {error}")))?;
    let entries = match &json.node {
        JsonNode::Object(entries) => entries,
        JsonNode::List(_) => {
            let message = "batches are not taken: send each message by itself";
            return Err(Refused::new(None, INVALID_REQUEST, message));
        }
        JsonNode::Null | JsonNode::Bool(_) | JsonNode::Number(_) | JsonNode::Text(_) => {
            return Err(Refused::new(None, INVALID_REQUEST, "a message is an object"));
        }
    };
    unambiguous(entries, &OF_MESSAGE, None)?;
    let id = id(entries)?;
    shape(entries, id.as_ref())?;
    let found = call(entries, id.as_ref())?;
    let named = found.as_ref().map(|found| found.tool);
    let arguments = found.and_then(|found| found.arguments).map(|span| {
        let inside = text.get(span.clone()).unwrap_or_default().to_owned();
        let not_text = not_text.and_then(|at| at.checked_sub(span.start)).filter(|at| *at < span.len());
        (span, RawArguments { text: inside, not_text })
    });
    let (rest, arguments) = match arguments {
        Some((span, raw)) => {
            let before = text.get(..span.start).unwrap_or_default();
            let behind = text.get(span.end..).unwrap_or_default();
            (format!("{before}{{}}{behind}"), Some(raw))
        }
        None => (text.clone().into_owned(), None),
    };
    let elsewhere = not_text.filter(|_| arguments.as_ref().is_none_or(|raw| raw.not_text.is_none()));
    if let Some(at) = elsewhere {
        return Err(Refused::new(id, PARSE_ERROR, format!("the message is not text at byte {at}")));
    }
    read(&rest, 0, Reading::Strict)
        .map_err(|error| Refused::new(id.clone(), PARSE_ERROR, format!("the message is {error}")))?;
    let asks = find(entries, "method").is_some();
    let plain_call = id.is_some() && arguments.is_some() && is_plain_call(entries);
    let call = named.map(|tool| Written { tool: tool.to_owned(), arguments: arguments.unwrap_or_default() });
    let cancels = cancels(entries);
    Ok(Frame { text: rest, id, asks, call, cancels, plain_call })
}

fn cancels(entries: &[JsonEntry]) -> Option<Value> {
    match (find(entries, "method"), find(entries, "params")) {
        (Some(JsonNode::Text(method)), Some(JsonNode::Object(params)))
            if method == "notifications/cancelled" =>
        {
            match find(params, "requestId") {
                Some(JsonNode::Text(text)) => Some(text.as_str().into()),
                Some(JsonNode::Number(number)) => Some(Value::Number(number.clone())),
                Some(_) | None => None,
            }
        }
        _ => None,
    }
}

/// The call that a message was meant to be which is refused: of a batch, the first. What is given twice, or
/// in another case, is not taken for anybody's word.
pub(crate) fn meant(bytes: &[u8]) -> Option<Written> {
    let text = String::from_utf8_lossy(bytes);
    let json = read(&text, 0, Reading::CPython).ok()?;
    match &json.node {
        JsonNode::Object(entries) => meant_by(entries, &text),
        JsonNode::List(all) => {
            all.iter().find_map(|one| one.entries().and_then(|entries| meant_by(entries, &text)))
        }
        JsonNode::Null | JsonNode::Bool(_) | JsonNode::Number(_) | JsonNode::Text(_) => None,
    }
}

fn meant_by(entries: &[JsonEntry], text: &str) -> Option<Written> {
    let names_calls = |entry: &JsonEntry| {
        entry.key.eq_ignore_ascii_case("method")
            && matches!(&entry.value.node, JsonNode::Text(method) if method == CALL)
    };
    entries.iter().find(|entry| names_calls(entry))?;
    let params = only(entries, "params").and_then(Json::entries);
    let inside = |key| params.and_then(|params| only(params, key));
    let tool = match inside("name").map(|name| &name.node) {
        Some(JsonNode::Text(tool)) => tool.clone(),
        Some(_) | None => String::new(),
    };
    let span = inside("arguments").map(|given| given.span);
    let arguments = span
        .and_then(|span| text.get(span.start..span.end))
        .map(|text| RawArguments { text: text.to_owned(), not_text: None });
    Some(Written { tool, arguments: arguments.unwrap_or_default() })
}

/// The value of a key that is given once.
fn only<'e>(entries: &'e [JsonEntry], key: &str) -> Option<&'e Json> {
    let mut with_key = entries.iter().filter(|entry| entry.key == key);
    match (with_key.next(), with_key.next()) {
        (Some(entry), None) => Some(&entry.value),
        (None | Some(_), _) => None,
    }
}

/// The method of calls.
const CALL: &str = "tools/call";

/// Whether a call, which is known to be one, has nothing that it could do without.
fn is_plain_call(entries: &[JsonEntry]) -> bool {
    let only = |entries: &[JsonEntry], known: &[&str]| {
        entries.iter().all(|entry| known.contains(&entry.key.as_str()))
    };
    let params = matches!(find(entries, "params"), Some(JsonNode::Object(params)) if only(params, &["name", "arguments"]));
    params && only(entries, &["jsonrpc", "id", "method", "params"])
}

/// What every message looks like, said in words before the protocol's library says only no.
fn shape(entries: &[JsonEntry], id: Option<&Value>) -> Result<(), Refused> {
    let wrong = |code, message: &str| Err(Refused::new(id.cloned(), code, message));
    if !matches!(find(entries, "jsonrpc"), Some(JsonNode::Text(version)) if version == "2.0") {
        return wrong(INVALID_REQUEST, "`jsonrpc` of a message is \"2.0\"");
    }
    if !matches!(find(entries, "method"), None | Some(JsonNode::Text(_))) {
        return wrong(INVALID_REQUEST, "`method` is a text");
    }
    match find(entries, "params") {
        None | Some(JsonNode::Null) => Ok(()),
        Some(JsonNode::Object(params)) => match find(params, "_meta") {
            None | Some(JsonNode::Null | JsonNode::Object(_)) => Ok(()),
            Some(_) => wrong(INVALID_PARAMS, "`_meta` is an object"),
        },
        Some(_) => wrong(INVALID_PARAMS, "`params` is an object"),
    }
}

/// A call: which tool, and where its arguments stand, when it has any.
struct Call<'e> {
    tool: &'e str,
    arguments: Option<Range<usize>>,
}

/// What is called, when this is a call.
fn call<'e>(entries: &'e [JsonEntry], id: Option<&Value>) -> Result<Option<Call<'e>>, Refused> {
    let is_call = matches!(find(entries, "method"), Some(JsonNode::Text(method)) if method == CALL);
    if !is_call {
        return Ok(None);
    }
    let wrong = |message: &str| Refused::new(id.cloned(), INVALID_PARAMS, message);
    let Some(JsonNode::Object(params)) = find(entries, "params") else {
        return Err(wrong("`params` of a call is an object with `name` and `arguments`"));
    };
    unambiguous(params, &OF_CALL, id)?;
    let Some(JsonNode::Text(tool)) = find(params, "name") else {
        return Err(wrong("`name` of a call is the name of a tool"));
    };
    let arguments = params.iter().find(|entry| entry.key == "arguments");
    let arguments = arguments.map(|entry| entry.value.span.start..entry.value.span.end);
    Ok(Some(Call { tool, arguments }))
}

/// Texts and whole numbers can be ids, and nothing else.
fn id(entries: &[JsonEntry]) -> Result<Option<Value>, Refused> {
    match find(entries, "id") {
        None => Ok(None),
        Some(JsonNode::Text(text)) => Ok(Some(text.as_str().into())),
        Some(JsonNode::Number(number)) if number.is_i64() => Ok(Some(Value::Number(number.clone()))),
        Some(JsonNode::Null) if find(entries, "error").is_some() => Ok(None),
        Some(_) => Err(Refused::new(None, INVALID_REQUEST, "`id` is a text or a whole number of 64 bits")),
    }
}

/// No key twice, and none that another reader would take for a known one.
fn unambiguous(entries: &[JsonEntry], known: &[&str], id: Option<&Value>) -> Result<(), Refused> {
    for (number, entry) in entries.iter().enumerate() {
        let key = entry.key.as_str();
        if entries.iter().take(number).any(|other| other.key == key) {
            let message = format!("the key `{}` is given twice", shown(key));
            return Err(Refused::new(id.cloned(), INVALID_REQUEST, message));
        }
        if let Some(meant) = known.iter().find(|name| **name != key && name.eq_ignore_ascii_case(key)) {
            let message = format!("the key `{}` is written `{meant}`", shown(key));
            return Err(Refused::new(id.cloned(), INVALID_REQUEST, message));
        }
        // What is not known cannot be many, and comparing each with each must not take long.
        if number >= 64 {
            return Err(Refused::new(id.cloned(), INVALID_REQUEST, "the message has too many keys"));
        }
    }
    Ok(())
}

fn find<'e>(entries: &'e [JsonEntry], key: &str) -> Option<&'e JsonNode> {
    entries.iter().find(|entry| entry.key == key).map(|JsonEntry { value: Json { node, .. }, .. }| node)
}

fn shown(key: &str) -> String {
    key.chars().take(40).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::read_frame;

    proptest::proptest! {
        /// Whatever is handed on is read by the protocol's reader as the same value, and nothing panics.
        #[test]
        fn what_is_handed_on_has_one_reading(
            key in "[a-zA-Z]{1,8}",
            inside in r#"(\{[\PC]{0,40}\}|"[\PC]{0,20}"|[0-9eE.+-]{1,30}|\PC{0,60})"#,
            cut in 0_usize..200,
            bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..80),
        ) {
            let whole = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","{key}":1,"params":{{"name":"a","arguments":{inside}}}}}"#
            );
            let _ = read_frame(&bytes);
            let _ = read_frame(whole.as_bytes().get(..cut).unwrap_or_default());
            if let Ok(frame) = read_frame(whole.as_bytes()) {
                let value: serde_json::Value = serde_json::from_str(&frame.text).unwrap();
                assert_eq!(value["method"], "tools/call");
                assert_eq!(value["params"]["arguments"], serde_json::json!({}));
                let message = serde_json::from_value::<rmcp::model::ClientJsonRpcMessage>(value);
                assert!(message.is_ok() || !frame.plain_call);
                assert_eq!(frame.call.unwrap().arguments.text, inside.trim());
            }
        }
    }

    #[test]
    fn a_plain_call_is_one_whoever_reads_it() {
        let cases: [(&str, bool); 8] = [
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"b":[1]}}}"#,
                true,
            ),
            (
                r#"{"params":{"arguments":null,"name":""},"method":"tools/call","id":"x","jsonrpc":"2.0"}"#,
                true,
            ),
            (r#"{"jsonrpc":"2.0","id":-7,"method":"tools/call","params":{"name":"a","arguments":{}}}"#, true),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}"#, false),
            (r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"a","arguments":{}}}"#, false),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{},"_meta":{}}}"#,
                false,
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","x":1,"params":{"name":"a","arguments":{}}}"#,
                false,
            ),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, false),
        ];
        for (text, want) in cases {
            let frame = read_frame(text.as_bytes()).unwrap();
            assert_eq!(frame.plain_call, want, "{text}");
            if want {
                let message = serde_json::from_str::<rmcp::model::ClientJsonRpcMessage>(&frame.text).unwrap();
                let rmcp::model::ClientJsonRpcMessage::Request(request) = message else { panic!("{text}") };
                let is_call = matches!(request.request, rmcp::model::ClientRequest::CallToolRequest(_));
                assert!(is_call, "{text}");
            }
        }
    }

    fn told(text: impl AsRef<[u8]>) -> String {
        match read_frame(text.as_ref()) {
            Ok(frame) => match frame.call {
                Some(call) => format!("call {} {:?}", call.arguments.text, call.arguments.not_text),
                None => "message".to_owned(),
            },
            Err(refused) => format!("{} {}", refused.code, refused.message),
        }
    }

    #[test]
    fn a_message_that_two_readers_could_read_differently_is_refused() {
        let cases: [(&str, &str); 22] = [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "message"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, "message"),
            (r#"{"id":1,"method":"ping"}"#, "-32600 `jsonrpc` of a message is \"2.0\""),
            (r#"{"jsonrpc":2.0,"id":1,"method":"ping"}"#, "-32600 `jsonrpc` of a message is \"2.0\""),
            (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, "-32600 `method` is a text"),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, "-32602 `params` is an object"),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":[]}}"#,
                "-32602 `_meta` is an object",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}"#,
                "-32600 the key `method` is given twice",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping"}"#,
                "-32600 the key `Method` is written `method`",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","Name":"b"}}"#,
                "-32600 the key `Name` is written `name`",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{},"arguments":{}}}"#,
                "-32600 the key `arguments` is given twice",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}"#,
                "-32602 `name` of a call is the name of a tool",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
                "-32602 `params` of a call is an object with `name` and `arguments`",
            ),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#,
                "-32600 batches are not taken: send each message by itself",
            ),
            (
                r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
                "-32600 `id` is a text or a whole number of 64 bits",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
                "-32600 `id` is a text or a whole number of 64 bits",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}"#,
                "-32700 the message is not JSON: expected a value at byte 54",
            ),
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"ping"} {}"#,
                "-32700 the message is not JSON: something follows the value at byte 41",
            ),
            ("\u{feff}{}", "-32700 the message is not JSON: expected a value at byte 0"),
            (
                "{\"jsonrpc\":\"2.0\" // no\n}",
                "-32700 the message is not JSON: expected `,` or the end at byte 17",
            ),
            ("hello", "-32700 the message is not JSON: expected a value at byte 0"),
            ("7", "-32600 a message is an object"),
        ];
        for (text, want) in cases {
            assert_eq!(told(text), want, "{text}");
        }
    }

    #[test]
    fn arguments_reach_the_gate_as_they_were_written() {
        let call = |arguments: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"a","arguments":{arguments}}}}}"#
            )
        };
        for odd in [
            r#"{"a":1,"a":2}"#,
            r#"{"n":123456789012345678901234567890}"#,
            r#"{"s":"\ud800"}"#,
            "NaN",
            "[]",
            "null",
        ] {
            assert_eq!(told(call(odd)), format!("call {odd} None"), "{odd}");
        }
        let mut bytes = call(r#"{"s":"?"}"#).into_bytes();
        let place = bytes.iter().position(|byte| *byte == b'?').unwrap();
        bytes[place] = 0xff;
        assert_eq!(told(&bytes), "call {\"s\":\"\u{fffd}\"} Some(6)");
        bytes[place] = b'?';
        bytes[20] = 0xff;
        assert!(told(&bytes).starts_with("-32"), "{}", told(&bytes));
    }
}
