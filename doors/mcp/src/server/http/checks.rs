//! Whether a request comes from where it may come from.

use std::net::SocketAddr;

use http::header::{AUTHORIZATION, HOST, HeaderName, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, Uri};

/// Names that this listener goes by, and pages that may talk to it.
#[derive(Debug)]
pub(crate) struct Names {
    own: Vec<String>,
    hosts: Vec<String>,
    origins: Vec<String>,
}

/// Why a request is not looked at any further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stranger {
    /// It is meant for another host: a name that leads here without being ours.
    Host,
    /// It comes from a page that nobody listed.
    Origin,
}

impl Names {
    pub(crate) fn new(address: SocketAddr, hosts: Vec<String>, origins: Vec<String>) -> Self {
        let port = address.port();
        let own: Vec<String> =
            ["localhost", "127.0.0.1", "[::1]"].iter().map(|name| format!("{name}:{port}")).collect();
        let mut own = own;
        if port == 80 {
            // Clients leave out the port that everybody knows.
            own.extend(["localhost", "127.0.0.1", "[::1]"].map(str::to_owned));
        }
        let mut all = own.clone();
        all.push(address.to_string());
        all.extend(hosts.into_iter().map(|host| host.to_ascii_lowercase()));
        Self { own, hosts: all, origins }
    }

    /// The names, for whoever checks them again.
    pub(crate) fn hosts(&self) -> &[String] {
        &self.hosts
    }

    /// Whether it is this listener itself that a browser says a request comes from. There are no pages here,
    /// and none of anybody else has that origin.
    fn is_ours(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.own.iter().any(|known| known == host))
    }

    /// The origins, for whoever checks them again.
    pub(crate) fn origins(&self) -> Vec<String> {
        let own = self.own.iter().map(|host| format!("http://{host}"));
        own.chain(self.origins.iter().cloned()).collect()
    }

    /// Whether a request is meant for this listener, and comes from no page that nobody listed. A request line
    /// that names a host itself is meant for that one, whatever the header says.
    pub(crate) fn check(&self, target: &Uri, headers: &HeaderMap) -> Result<(), Stranger> {
        let host = only(headers, &HOST).flatten().ok_or(Stranger::Host)?;
        let named = target.authority().map(Authority::as_str);
        let is_ours = |host: &str| self.hosts.contains(&host.to_ascii_lowercase());
        if !is_ours(host) || !named.is_none_or(is_ours) {
            return Err(Stranger::Host);
        }
        match only(headers, &ORIGIN) {
            None => Ok(()),
            Some(Some(origin))
                if self.is_ours(origin) || self.origins.iter().any(|known| known == origin) =>
            {
                Ok(())
            }
            Some(_) => Err(Stranger::Origin),
        }
    }
}

/// The token that a request shows, in its header and nowhere else.
pub(crate) fn token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = only(headers, &AUTHORIZATION)??.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// A header that may stand once: nothing when it does not stand, and nothing inside when it stands twice or
/// is no text.
pub(crate) fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<Option<&'h str>> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    Some(if values.next().is_some() { None } else { first.to_str().ok() })
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, HeaderName, HeaderValue};

    use super::{Names, Stranger, token};

    fn headers(given: &[(&str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.append(name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn a_name_that_leads_here_without_being_ours_does_not_get_in() {
        let names =
            Names::new("127.0.0.1:7879".parse().unwrap(), vec![], vec!["https://app.example.org".into()]);
        type Given = &'static [(&'static str, &'static str)];
        let cases: [(Given, Result<(), Stranger>); 13] = [
            (&[("host", "127.0.0.1:7879")], Ok(())),
            (&[("host", "LOCALHOST:7879")], Ok(())),
            (&[("host", "[::1]:7879")], Ok(())),
            (&[("host", "127.0.0.1")], Err(Stranger::Host)),
            (&[("host", "rebound.example:7879")], Err(Stranger::Host)),
            (&[("host", "127.0.0.1:7879.evil.example")], Err(Stranger::Host)),
            (&[("host", "127.0.0.1:7879"), ("host", "evil.example")], Err(Stranger::Host)),
            (&[], Err(Stranger::Host)),
            (&[("host", "127.0.0.1:7879"), ("origin", "https://app.example.org")], Ok(())),
            (
                &[("host", "127.0.0.1:7879"), ("origin", "https://app.example.org.evil.example")],
                Err(Stranger::Origin),
            ),
            (&[("host", "127.0.0.1:7879"), ("origin", "null")], Err(Stranger::Origin)),
            (&[("host", "127.0.0.1:7879"), ("origin", "http://127.0.0.1:7879")], Ok(())),
            (&[("host", "127.0.0.1:7879"), ("origin", "http://127.0.0.1:3000")], Err(Stranger::Origin)),
        ];
        for (given, want) in cases {
            assert_eq!(names.check(&HERE.parse().unwrap(), &headers(given)), want, "{given:?}");
        }
        let given = headers(&[("host", "127.0.0.1:7879")]);
        for (target, want) in [
            ("http://127.0.0.1:7879/mcp", Ok(())),
            ("http://LOCALHOST:7879/mcp", Ok(())),
            ("http://rebound.example/mcp", Err(Stranger::Host)),
            ("http://127.0.0.1:7879@rebound.example/mcp", Err(Stranger::Host)),
            ("http://127.0.0.1/mcp", Err(Stranger::Host)),
        ] {
            assert_eq!(names.check(&target.parse().unwrap(), &given), want, "{target}");
        }
    }

    /// What nearly all requests name.
    const HERE: &str = "/mcp";

    #[test]
    fn the_port_that_everybody_knows_may_be_left_out() {
        let names = Names::new("127.0.0.1:80".parse().unwrap(), vec![], vec![]);
        let check = |host| names.check(&HERE.parse().unwrap(), &headers(&[("host", host)]));
        assert_eq!(check("localhost"), Ok(()));
        assert_eq!(check("localhost:8080"), Err(Stranger::Host));
    }

    #[test]
    fn a_token_is_shown_once_and_as_a_bearer() {
        assert_eq!(token(&headers(&[("authorization", "Bearer tg_a")])), Some("tg_a"));
        assert_eq!(token(&headers(&[("authorization", "bearer tg_a")])), Some("tg_a"));
        assert_eq!(token(&headers(&[("authorization", "Basic tg_a")])), None);
        assert_eq!(token(&headers(&[("authorization", "Bearer a"), ("authorization", "Bearer b")])), None);
        assert_eq!(token(&headers(&[])), None);
    }
}
