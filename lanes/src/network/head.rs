//! The first lines of a request to a proxy.

/// The longest head that is read.
pub(crate) const LONGEST: usize = 16 * 1024;

/// What a program asks a proxy for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) host: String,
    pub(crate) port: u16,
    /// What is sent on in place of the head; nothing for `CONNECT`.
    pub(crate) forward: Option<Vec<u8>>,
    /// Bytes of the head.
    pub(crate) length: usize,
}

/// Nothing while the head is not whole; an error when it is none.
pub(crate) fn read(bytes: &[u8]) -> Result<Option<Head>, &'static str> {
    let mut space = [httparse::EMPTY_HEADER; 64];
    let mut request = httparse::Request::new(&mut space);
    let length = match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) if bytes.len() < LONGEST => return Ok(None),
        Ok(httparse::Status::Partial) => return Err("the head of the request is too long"),
        Err(_) => return Err("it is no HTTP request"),
    };
    let (Some(method), Some(target)) = (request.method, request.path) else {
        return Err("it is no HTTP request");
    };
    if method == "CONNECT" {
        let (host, port) = authority(target, None).ok_or("CONNECT wants a host and a port")?;
        return Ok(Some(Head { host, port, forward: None, length }));
    }
    let rest = target.strip_prefix("http://").ok_or("a proxy is asked with a whole address: http://...")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (name, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let (host, port) = authority(name, Some(80)).ok_or("the address names no host that can be")?;
    let slash = if path.starts_with('/') { "" } else { "/" };
    let mut forward = format!("{method} {slash}{path} HTTP/1.1\r\nHost: {name}\r\n").into_bytes();
    // What is between the program and the proxy stays there; one request for each connection, so that a
    // second one cannot name somebody else.
    let own =
        ["host", "connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "upgrade"];
    for header in
        request.headers.iter().filter(|header| !own.iter().any(|name| header.name.eq_ignore_ascii_case(name)))
    {
        forward.extend_from_slice(header.name.as_bytes());
        forward.extend_from_slice(b": ");
        forward.extend_from_slice(header.value);
        forward.extend_from_slice(b"\r\n");
    }
    forward.extend_from_slice(b"Connection: close\r\n\r\n");
    Ok(Some(Head { host, port, forward: Some(forward), length }))
}

/// A host in the one spelling that lists have, and its port.
fn authority(text: &str, usual: Option<u16>) -> Option<(String, u16)> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            address.parse::<std::net::Ipv6Addr>().ok()?;
            (address, port.strip_prefix(':'))
        }
        None => match text.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        },
    };
    let port = match port {
        Some(port) if port.bytes().all(|digit| digit.is_ascii_digit()) => port.parse().ok()?,
        Some(_) => return None,
        None => usual?,
    };
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b':');
    (!host.is_empty() && host.len() <= 253 && host.bytes().all(plain) && port > 0).then_some((host, port))
}

#[cfg(test)]
mod tests {
    use super::read;

    fn asked(text: &str) -> Option<(String, u16)> {
        read(text.as_bytes()).ok().flatten().map(|head| (head.host, head.port))
    }

    #[test]
    fn hosts_have_one_spelling() {
        let cases = [
            ("CONNECT example.org:443 HTTP/1.1\r\n\r\n", Some(("example.org", 443))),
            ("CONNECT EXAMPLE.org.:443 HTTP/1.1\r\nHost: other\r\n\r\n", Some(("example.org", 443))),
            ("CONNECT [2001:db8::1]:443 HTTP/1.1\r\n\r\n", Some(("2001:db8::1", 443))),
            ("GET http://example.org/a HTTP/1.1\r\n\r\n", Some(("example.org", 80))),
            ("GET http://example.org:8080?x HTTP/1.1\r\n\r\n", Some(("example.org", 8080))),
            ("CONNECT example.org HTTP/1.1\r\n\r\n", None),
            ("CONNECT example.org:+443 HTTP/1.1\r\n\r\n", None),
            ("CONNECT example.org:0 HTTP/1.1\r\n\r\n", None),
            ("CONNECT user@example.org:443 HTTP/1.1\r\n\r\n", None),
            ("CONNECT a%00.example.org:443 HTTP/1.1\r\n\r\n", None),
            ("CONNECT ex\u{e4}mple.org:443 HTTP/1.1\r\n\r\n", None),
            ("CONNECT [::1%25eth0]:443 HTTP/1.1\r\n\r\n", None),
            ("GET /local HTTP/1.1\r\nHost: example.org\r\n\r\n", None),
            ("GET https://example.org/ HTTP/1.1\r\n\r\n", None),
            ("GET http://user:word@example.org/ HTTP/1.1\r\n\r\n", None),
            ("nonsense\r\n\r\n", None),
        ];
        for (text, expected) in cases {
            assert_eq!(asked(text), expected.map(|(host, port)| (host.to_owned(), port)), "{text:?}");
        }
    }

    #[test]
    fn what_is_sent_on_names_the_host_that_was_looked_at() {
        let text = "GET http://example.org/a?b HTTP/1.1\r\nHost: evil.example\r\nProxy-Authorization: x\r\nAccept: */*\r\n\r\nbody";
        let head = read(text.as_bytes()).unwrap().unwrap();
        let forward = String::from_utf8(head.forward.unwrap()).unwrap();
        assert_eq!(
            forward,
            "GET /a?b HTTP/1.1\r\nHost: example.org\r\nAccept: */*\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(text.get(head.length..), Some("body"));
    }

    #[test]
    fn a_head_that_never_ends_is_refused() {
        assert!(read(b"GET http://example.org/ HTTP/1.1\r\n").unwrap().is_none());
        let long = format!("GET http://example.org/{} HTTP/1.1\r\n", "a".repeat(super::LONGEST));
        assert!(read(long.as_bytes()).is_err());
    }
}
