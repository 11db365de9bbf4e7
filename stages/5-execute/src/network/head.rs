//! The head of a request and of an answer.

use std::io::{BufRead, Write};

use call::{Fault, WebAddress};
use secrecy::ExposeSecret as _;
use secrecy::zeroize::Zeroizing;

use super::{Budget, HeaderValue};

/// Bytes of the head of an answer.
const LONGEST: usize = 64 * 1024;

/// Headers of an answer.
const MOST_HEADERS: usize = 200;

/// Who asks.
const AGENT: &str = concat!("toolgate/", env!("CARGO_PKG_VERSION"));

/// The head of an answer.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) status: u16,
    /// The version behind `HTTP/1.`.
    pub(super) minor: u8,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
}

impl Head {
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// Writes the head of a request. Nothing that is not a header can come of what it is given.
pub(super) fn write(
    to: &mut impl Write,
    method: &str,
    url: &WebAddress,
    headers: &[(String, HeaderValue)],
    body: Option<usize>,
    budget: &Budget<'_>,
) -> Result<(), Fault> {
    let mut text = Zeroizing::new(Vec::with_capacity(4_096));
    let plain = |text: &str| text.bytes().all(|byte| (0x21..0x7f).contains(&byte));
    if !plain(method) || !plain(&url.path) || !url.path.starts_with('/') {
        return Err(Fault::failed("bad_request", "the method or the path cannot be sent"));
    }
    let usual = if url.port == url.scheme.default_port() { String::new() } else { format!(":{}", url.port) };
    text.extend_from_slice(
        format!("{method} {} HTTP/1.1\r\nHost: {}{usual}\r\n", url.path, url.host).as_bytes(),
    );
    let own = [("user-agent", AGENT), ("accept", "*/*"), ("accept-encoding", "gzip, deflate")];
    for (name, value) in own {
        if !headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)) {
            text.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
    }
    for (name, value) in headers {
        header(&mut text, name, value)?;
    }
    if let Some(length) = body {
        text.extend_from_slice(format!("content-length: {length}\r\n").as_bytes());
    }
    text.extend_from_slice(b"connection: close\r\n\r\n");
    to.write_all(&text).map_err(|error| budget.fault("connect", "the request could not be sent", &error))
}

fn header(text: &mut Vec<u8>, name: &str, value: &HeaderValue) -> Result<(), Fault> {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        return Err(Fault::failed("bad_request", "a header has a name that none can have"));
    }
    let (prefix, value) = match value {
        HeaderValue::Text(value) => ("", value.as_bytes()),
        HeaderValue::Secret { prefix, value } => (prefix.as_str(), value.expose_secret().trim_ascii()),
    };
    let fits = |byte: &u8| *byte == b'\t' || *byte >= 0x20 && *byte != 0x7f;
    if !prefix.as_bytes().iter().chain(value).all(fits) {
        let message =
            format!("the value of the header `{name}` has more than one line, or control characters");
        return Err(Fault::failed("bad_request", message));
    }
    for part in [name.as_bytes(), b": ", prefix.as_bytes(), value, b"\r\n"] {
        text.extend_from_slice(part);
    }
    Ok(())
}

/// Reads the head of an answer; those that only say that another follows are passed over.
pub(super) fn read(from: &mut impl BufRead, budget: &Budget<'_>) -> Result<Head, Fault> {
    for _ in 0..10 {
        let head = read_one(from, budget)?;
        match head.status {
            101 => return Err(protocol("it wants to speak another protocol")),
            100..200 => {}
            _ => return Ok(head),
        }
    }
    Err(protocol("it never comes to the point"))
}

fn read_one(from: &mut impl BufRead, budget: &Budget<'_>) -> Result<Head, Fault> {
    let mut bytes = Vec::new();
    loop {
        let length = bytes.len();
        line(from, &mut bytes, LONGEST - length.min(LONGEST), budget)?;
        match bytes.get(length..) {
            Some(b"\r\n" | b"\n") if length > 0 => break,
            _ => {}
        }
    }
    let mut room = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut answer = httparse::Response::new(&mut room);
    let parsed =
        answer.parse(&bytes).map_err(|error| protocol(&format!("its head cannot be read ({error})")))?;
    let (Some(status), Some(minor), true) = (answer.code, answer.version, parsed.is_complete()) else {
        return Err(protocol("its head cannot be read"));
    };
    let headers = answer.headers.iter().map(|header| {
        (header.name.to_ascii_lowercase(), String::from_utf8_lossy(header.value).trim().to_owned())
    });
    Ok(Head { status, minor, headers: headers.collect() })
}

/// Reads a line with its end.
pub(super) fn line(
    from: &mut impl BufRead,
    into: &mut Vec<u8>,
    most: usize,
    budget: &Budget<'_>,
) -> Result<(), Fault> {
    let mut left = most;
    loop {
        let bytes =
            from.fill_buf().map_err(|error| budget.fault("protocol", "the answer broke off", &error))?;
        if bytes.is_empty() {
            return Err(protocol("it ended early"));
        }
        let end = bytes.iter().position(|&byte| byte == b'\n').map(|place| place + 1);
        let count = end.unwrap_or(bytes.len());
        if count > left {
            return Err(protocol("its head is too long"));
        }
        into.extend(bytes.iter().take(count));
        from.consume(count);
        left -= count;
        if end.is_some() {
            return Ok(());
        }
    }
}

/// An answer that is none.
pub(super) fn protocol(what: &str) -> Fault {
    Fault::failed("protocol", format!("the server's answer is not HTTP as it should be: {what}"))
}
