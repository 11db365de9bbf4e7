//! Redirects, followed by hand.
//!
//! Each hop is a request that nobody has decided about yet: it is put to policy before its name is looked up.
//! What was meant for one origin is not given to another.

use call::{Effect, Fault, Sha256, WebAddress, WebRequest, WebScheme};
use secrecy::ExposeSecret as _;
use url::Url;

use super::exchange::exchange;
use super::{Budget, Egress, HeaderValue, Request, Response};

/// Headers that say nothing but how an answer is wanted, and so may go to another origin too.
const HARMLESS: [&str; 6] =
    ["accept", "accept-charset", "accept-encoding", "accept-language", "content-type", "user-agent"];

pub(super) fn follow(egress: &Egress, request: &Request<'_>, budget: &Budget<'_>) -> Result<Response, Fault> {
    let mut method = request.method.to_owned();
    let mut url = request.url.clone();
    let mut headers: Vec<(String, HeaderValue)> = request.headers.iter().map(copy).collect();
    let mut body = request.body;
    let mut redirects: Vec<WebAddress> = Vec::new();
    let mut seen: Vec<(String, WebAddress)> = Vec::new();
    loop {
        let (head, taken) = exchange(egress, &method, &url, &headers, body, budget)?;
        let location =
            head.all("location").next().filter(|_| matches!(head.status, 301 | 302 | 303 | 307 | 308));
        let Some(location) = location else {
            let (status, headers) = (head.status, head.headers);
            let super::body::Taken { bytes, truncated } = taken;
            return Ok(Response { status, url, headers, body: bytes, truncated, redirects });
        };
        let next = target(&url, location)?;
        seen.push((method.clone(), url.clone()));
        let to_get = match head.status {
            303 => !matches!(method.as_str(), "GET" | "HEAD"),
            301 | 302 => method == "POST",
            _ => false,
        };
        if to_get {
            "GET".clone_into(&mut method);
            body = None;
            headers.retain(|(name, _)| !name.to_ascii_lowercase().starts_with("content-"));
        }
        if next.origin() != url.origin() {
            headers.retain(|(name, value)| {
                let text = matches!(value, HeaderValue::Text(_));
                text && HARMLESS.contains(&name.to_ascii_lowercase().as_str())
            });
        }
        redirects.push(std::mem::replace(&mut url, next));
        allowed(&redirects, &method, &url, egress.caps.redirects, &seen)?;
        let effect = effect(&method, &url, &headers, body);
        budget.judge.allows(&effect).map_err(Fault::Denied)?;
    }
}

/// One request and whatever comes back, also where that leads elsewhere.
pub(super) fn only(egress: &Egress, request: &Request<'_>, budget: &Budget<'_>) -> Result<Response, Fault> {
    let headers: Vec<(String, HeaderValue)> = request.headers.iter().map(copy).collect();
    let (head, taken) = exchange(egress, request.method, request.url, &headers, request.body, budget)?;
    let super::body::Taken { bytes, truncated } = taken;
    Ok(Response {
        status: head.status,
        url: request.url.clone(),
        headers: head.headers,
        body: bytes,
        truncated,
        redirects: Vec::new(),
    })
}

/// Whether a hop leads anywhere.
fn allowed(
    redirects: &[WebAddress],
    method: &str,
    url: &WebAddress,
    most: usize,
    seen: &[(String, WebAddress)],
) -> Result<(), Fault> {
    if redirects.last().is_some_and(|from| from.scheme == WebScheme::Https) && url.scheme == WebScheme::Http {
        let message = format!("a redirect leads from `https` to `{}`, in the clear", url.origin());
        return Err(Fault::failed("insecure_redirect", message));
    }
    if seen.iter().any(|(own, place)| own == method && place == url) {
        let message = format!("the redirects go in a circle, through `{url}`");
        return Err(Fault::failed("redirect_circle", message));
    }
    if redirects.len() > most {
        return Err(Fault::failed("too_many_redirects", format!("there are more than {most} redirects")));
    }
    Ok(())
}

/// Where a redirect leads.
fn target(from: &WebAddress, location: &str) -> Result<WebAddress, Fault> {
    let bad =
        |why: &str| Fault::failed("bad_redirect", format!("`{}` redirects to what {why}", from.origin()));
    let location = location.trim_matches(' ').replace(' ', "%20");
    if location.chars().any(|c| c.is_control() || c == '\\' || c == char::REPLACEMENT_CHARACTER) {
        return Err(bad("programs read differently"));
    }
    let base = Url::parse(&from.to_string()).map_err(|error| bad(&error.to_string()))?;
    // A user name in front of a host is refused below; in a relative address, joining would hide it.
    let joined = base.join(&location).map_err(|_| bad("is no address"))?;
    WebAddress::parse(joined.as_str()).map_err(|error| bad(&error.to_string()))
}

/// A hop as policy sees it.
fn effect(method: &str, url: &WebAddress, headers: &[(String, HeaderValue)], body: Option<&[u8]>) -> Effect {
    let mut named: Vec<(String, Sha256)> = headers
        .iter()
        .map(|(name, value)| {
            let digest = match value {
                HeaderValue::Text(text) => Sha256::of(text.as_bytes()),
                // Not of the value: a digest of what can be guessed can be guessed back.
                HeaderValue::Secret { .. } => Sha256::of(b"\0secret"),
            };
            (name.to_ascii_lowercase(), digest)
        })
        .collect();
    named.sort();
    Effect::Network(WebRequest {
        method: method.to_owned(),
        url: url.clone(),
        headers: named,
        body: body.map(Sha256::of),
    })
}

fn copy((name, value): &(String, HeaderValue)) -> (String, HeaderValue) {
    let value = match value {
        HeaderValue::Text(text) => HeaderValue::Text(text.clone()),
        HeaderValue::Secret { prefix, value } => {
            HeaderValue::Secret { prefix: prefix.clone(), value: value.expose_secret().to_vec().into() }
        }
    };
    (name.clone(), value)
}

#[cfg(test)]
mod tests {
    use call::WebAddress;

    use super::target;

    #[test]
    fn a_redirect_is_read_as_browsers_read_it_or_not_at_all() {
        let from = WebAddress::parse("https://example.org/a/b?c").unwrap();
        let cases = [
            ("https://other.example/x", Some("https://other.example/x")),
            ("/x", Some("https://example.org/x")),
            ("x", Some("https://example.org/a/x")),
            ("?d", Some("https://example.org/a/b?d")),
            ("//other.example", Some("https://other.example/")),
            ("/with space", Some("https://example.org/with%20space")),
            ("/caf\u{e9}#part", Some("https://example.org/caf%C3%A9")),
            ("https://2130706433/", Some("https://127.0.0.1/")),
            ("https://0x7f.1/", Some("https://127.0.0.1/")),
            ("https://other.example./", Some("https://other.example/")),
            ("https://user@other.example/", None),
            ("//user:word@other.example/", None),
            ("file:///etc/passwd", None),
            ("gopher://other.example/", None),
            ("data:text/html,x", None),
            ("https:\\\\other.example", None),
            ("/a\tb", None),
            ("https://", None),
        ];
        for (location, want) in cases {
            let got = target(&from, location).ok().map(|url| url.to_string());
            assert_eq!(got.as_deref(), want, "{location:?}");
        }
    }
}
