//! What a client sends and what it takes, as HTTP has it: names in any case, wildcards, several headers.
//!
//! The protocol's library compares texts, so a header that means the same in other letters is put into its
//! words here, and one that only begins like it is refused.

use http::header::{ACCEPT, CONTENT_TYPE, HeaderName};
use http::{HeaderMap, HeaderValue};

use super::checks::only;

/// The version of the protocol that a request follows.
pub(crate) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// Both kinds of answers that the protocol knows.
const BOTH: &str = "application/json, text/event-stream";
/// From this version on, clients know events without data.
const KNOWS_EMPTY_EVENTS: &str = "2025-11-25";

/// Whether a client takes answers as events, which is how all are sent. Says so in the library's words.
pub(crate) fn takes_events(headers: &mut HeaderMap) -> bool {
    // Nothing said is anything taken.
    let takes = !headers.contains_key(ACCEPT) || headers.get_all(ACCEPT).iter().any(names_events);
    if takes {
        headers.insert(ACCEPT, HeaderValue::from_static(BOTH));
    }
    takes
}

/// Whether a client takes an answer that is one message. Asked before its words are put into the library's.
pub(crate) fn takes_json(headers: &HeaderMap) -> bool {
    let json = |value| names(value, &["application/json", "application/*", "*/*"]);
    !headers.contains_key(ACCEPT) || headers.get_all(ACCEPT).iter().any(json)
}

fn names_events(value: &HeaderValue) -> bool {
    names(value, &["text/event-stream", "text/*", "*/*"])
}

fn names(value: &HeaderValue, kinds: &[&str]) -> bool {
    let ranges = value.to_str().unwrap_or_default().split(',');
    ranges.into_iter().any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let named = parts.next().unwrap_or_default();
        let fits = kinds.iter().any(|known| named.eq_ignore_ascii_case(known));
        // Weight zero is a no.
        let refused = parts.any(|part| {
            let weight = part.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
            weight.is_some_and(|(_, weight)| weight.trim().parse::<f32>().is_ok_and(|weight| weight <= 0.0))
        });
        fits && !refused
    })
}

/// Whether a body is JSON in UTF-8, and is said to be nothing else. Says so in the library's words.
pub(crate) fn is_json(headers: &mut HeaderMap) -> bool {
    let Some(Some(said)) = only(headers, &CONTENT_TYPE) else { return false };
    let mut parts = said.split(';').map(str::trim);
    let named = parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/json"));
    let in_utf8 = parts.filter_map(|part| part.split_once('=')).all(|(name, value)| {
        let value = value.trim().trim_matches('"');
        !name.trim().eq_ignore_ascii_case("charset")
            || ["utf-8", "utf8"].iter().any(|known| value.eq_ignore_ascii_case(known))
    });
    if named && in_utf8 {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    named && in_utf8
}

/// Versions of the protocol that have sessions.
const WITH_SESSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// Whether the headers of a request in a session say nothing that the protocol would have to look at.
pub(crate) fn is_of_a_session(headers: &HeaderMap) -> bool {
    headers.iter().all(|(name, value)| {
        let is_version = *name == VERSION;
        let known = is_version && WITH_SESSIONS.iter().any(|version| value == version);
        known || *name == super::request::SESSION || !name.as_str().starts_with("mcp-")
    })
}

/// Whether a client knows events without data, with which a stream begins so that it can be taken up again.
/// Older ones read each event as a message, and complain.
pub(crate) fn knows_empty_events(headers: &HeaderMap) -> bool {
    only(headers, &VERSION).flatten().is_some_and(|version| version >= KNOWS_EMPTY_EVENTS)
}

/// From this version on, there is no `initialize`.
const WITHOUT_HELLO: &str = "2026-07-28";

/// Whether a request follows a version of the protocol that has no `initialize`.
pub(crate) fn has_no_hello(headers: &HeaderMap) -> bool {
    only(headers, &VERSION).flatten().is_some_and(|version| version >= WITHOUT_HELLO)
}

/// Whether a part of a stream is an event without data, and nothing else.
pub(crate) fn is_empty_event(part: &[u8]) -> bool {
    part.starts_with(b"data:")
        && part.split(|byte| *byte == b'\n').all(|line| {
            let line = line.trim_ascii_end();
            line.is_empty() || line == b"data:" || line.starts_with(b"id:") || line.starts_with(b"retry:")
        })
}

#[cfg(test)]
mod tests {
    use http::header::{ACCEPT, CONTENT_TYPE};
    use http::{HeaderMap, HeaderValue};

    use super::{is_empty_event, is_json, is_of_a_session, knows_empty_events, takes_events, takes_json};

    fn headers(name: &'static str, values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn a_client_may_say_in_any_way_of_http_what_it_takes() {
        let cases: [(&[&str], bool); 13] = [
            (&[], true),
            (&["application/json, text/event-stream"], true),
            (&["application/json", "text/event-stream"], true),
            (&["APPLICATION/JSON, TEXT/EVENT-STREAM"], true),
            (&["*/*"], true),
            (&["application/*;q=0.5, text/*;q=0.1"], true),
            (&["text/event-stream;q=1.0"], true),
            (&["text/event-stream"], true),
            (&["application/json"], false),
            (&["text/html"], false),
            (&["text/event-stream;q=0, application/json"], false),
            (&["text/event-streams"], false),
            (&[""], false),
        ];
        for (given, want) in cases {
            let mut headers = headers("accept", given);
            assert_eq!(takes_events(&mut headers), want, "{given:?}");
            if want {
                assert_eq!(headers.get_all(ACCEPT).iter().count(), 1);
                assert_eq!(headers[ACCEPT], "application/json, text/event-stream");
            }
        }
    }

    #[test]
    fn headers_of_a_session_are_known_or_the_protocol_looks_at_them() {
        let cases: [(&[(&'static str, &str)], bool); 6] = [
            (&[("accept", "*/*")], true),
            (&[("mcp-session-id", "x"), ("mcp-protocol-version", "2025-06-18")], true),
            (&[("mcp-protocol-version", "2026-07-28")], false),
            (&[("mcp-protocol-version", "2025-06-18"), ("mcp-protocol-version", "1999-01-01")], false),
            (&[("mcp-method", "ping")], false),
            (&[("mcp-param-path", "a")], false),
        ];
        for (given, want) in cases {
            let mut headers = HeaderMap::new();
            for (name, value) in given {
                headers.append(*name, HeaderValue::from_str(value).unwrap());
            }
            assert_eq!(is_of_a_session(&headers), want, "{given:?}");
        }
        for (given, want) in [
            (&[][..], true),
            (&["application/json, text/event-stream"], true),
            (&["text/event-stream", "application/*"], true),
            (&["text/event-stream"], false),
            (&["text/event-stream, application/json;q=0"], false),
        ] {
            assert_eq!(takes_json(&headers("accept", given)), want, "{given:?}");
        }
    }

    #[test]
    fn a_body_is_json_in_utf8_and_said_to_be_nothing_else() {
        let cases: [(&[&str], bool); 12] = [
            (&["application/json"], true),
            (&["Application/JSON"], true),
            (&["application/json; charset=utf-8"], true),
            (&["application/json;charset=\"UTF-8\""], true),
            (&["application/json; profile=x"], true),
            (&["application/json; charset=utf-16"], false),
            (&["application/json-rpc"], false),
            (&["application/jsonp"], false),
            (&["text/plain"], false),
            (&["application/json", "text/plain"], false),
            (&[""], false),
            (&[], false),
        ];
        for (given, want) in cases {
            let mut headers = headers("content-type", given);
            assert_eq!(is_json(&mut headers), want, "{given:?}");
            if want {
                assert_eq!(headers[CONTENT_TYPE], "application/json");
            }
        }
    }

    #[test]
    fn only_clients_that_know_events_without_data_are_sent_any() {
        for (version, want) in [(None, false), (Some("2025-06-18"), false), (Some("2025-11-25"), true)] {
            let given: Vec<&str> = version.into_iter().collect();
            assert_eq!(knows_empty_events(&headers("mcp-protocol-version", &given)), want, "{version:?}");
        }
        assert!(is_empty_event(b"data: \nid: 0/13\nretry: 3000\n\n"));
        assert!(is_empty_event(b"data:\nid:0\nretry:3000\n\n"));
        for message in [&b"data: {}\nid: 1/13\n\n"[..], b"data: {\"id\":1}\n\n", b":\n\n", b"", b"id: 4\n\n"]
        {
            assert!(!is_empty_event(message), "{}", String::from_utf8_lossy(message));
        }
    }
}
