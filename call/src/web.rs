//! Addresses on the web, parsed once.

use std::fmt;
use std::net::IpAddr;

use serde::Serialize;
use url::{Position, Url};

/// An `http` or `https` address, in the form that browsers agree on: lower-case IDNA host, IP
/// addresses in their usual form however they were written, no user name or password, no fragment.
///
/// ```
/// use call::WebAddress;
///
/// let address = WebAddress::parse("https://EXAMPLE.org.:443/a?b").unwrap();
/// assert_eq!(address.to_string(), "https://example.org/a?b");
/// assert_eq!(WebAddress::parse("http://0x7f.1/").unwrap().host.to_string(), "127.0.0.1");
///
/// assert!(WebAddress::parse("https://user:password@example.org/").is_err());
/// assert!(WebAddress::parse("file:///etc/passwd").is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress {
    /// Which of the two protocols.
    pub scheme: WebScheme,
    /// The host.
    pub host: WebHost,
    /// The port, also where it was left out.
    pub port: u16,
    /// Path and query, from the slash on.
    pub path: String,
}

/// How an address is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WebScheme {
    /// In the clear.
    Http,
    /// Over TLS.
    Https,
}

/// A host: a name or an address.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WebHost {
    /// A name in its ASCII form, lower case, without a trailing dot.
    Name(Box<str>),
    /// An address. IPv4 inside IPv6 is told apart by whoever judges it.
    Ip(IpAddr),
}

/// Why a text is not an address on the web.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadWebAddress {
    /// It cannot be parsed.
    #[error("is not a URL: {0}")]
    NotUrl(String),
    /// Another protocol.
    #[error("has the scheme `{0}`, expected `http` or `https`")]
    Scheme(String),
    /// A name or password stands in front of the host.
    #[error("carries a user name or password")]
    UserInfo,
    /// There is no host.
    #[error("has no host")]
    NoHost,
    /// Characters that parsers drop or read differently.
    #[error("holds {0}, which programs read differently")]
    Ambiguous(&'static str),
}

impl WebScheme {
    /// The port that need not be written.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }

    /// `http` or `https`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
}

impl WebAddress {
    /// Reads an address.
    ///
    /// # Errors
    ///
    /// [`BadWebAddress`] says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, BadWebAddress> {
        // The URL standard drops tabs and line ends and turns `\` into `/`; other parsers do not.
        // Between these bytes lies no blank and no control character; nearly all addresses have no others.
        let plain = text.bytes().all(|byte| matches!(byte, b'!'..=b'~') && byte != b'\\');
        if !plain && text.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(BadWebAddress::Ambiguous("blanks or control characters"));
        }
        if !plain && text.contains('\\') {
            return Err(BadWebAddress::Ambiguous("a backslash"));
        }
        let url = Url::parse(text).map_err(|error| BadWebAddress::NotUrl(error.to_string()))?;
        let scheme = match url.scheme() {
            "http" => WebScheme::Http,
            "https" => WebScheme::Https,
            other => return Err(BadWebAddress::Scheme(other.to_owned())),
        };
        let names_user = || {
            let authority = text.split_once("://").map_or("", |(_, rest)| rest);
            authority.split(['/', '?', '#']).next().unwrap_or_default().contains('@')
        };
        // Most addresses have no such sign at all.
        let at_sign = text.bytes().any(|byte| byte == b'@');
        if !url.username().is_empty() || url.password().is_some() || (at_sign && names_user()) {
            return Err(BadWebAddress::UserInfo);
        }
        let host = match url.host() {
            Some(url::Host::Domain(name)) => WebHost::name(name).ok_or(BadWebAddress::NoHost)?,
            Some(url::Host::Ipv4(address)) => WebHost::Ip(address.into()),
            Some(url::Host::Ipv6(address)) => WebHost::Ip(address.into()),
            None => return Err(BadWebAddress::NoHost),
        };
        let port = url.port().unwrap_or_else(|| scheme.default_port());
        let path = url[Position::BeforePath..Position::AfterQuery].to_owned();
        Ok(Self { scheme, host, port, path })
    }

    /// Scheme, host and port, without a port that need not be written.
    #[must_use]
    pub fn origin(&self) -> String {
        let scheme = self.scheme.as_str();
        if self.port == self.scheme.default_port() {
            format!("{scheme}://{}", self.host)
        } else {
            format!("{scheme}://{}:{}", self.host, self.port)
        }
    }
}

impl WebHost {
    /// Reads a host that was already parsed as part of a URL.
    fn name(text: &str) -> Option<Self> {
        let name = text.strip_suffix('.').unwrap_or(text);
        // The URL standard lets more characters through than any name has.
        let fits = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let mut labels = name.as_bytes().split(|byte| *byte == b'.');
        let labels_fit = labels.all(|label| !label.is_empty() && label.iter().all(fits));
        (labels_fit && name.len() <= 253).then(|| Self::Name(name.into()))
    }

    /// Reads a host as people write it in a list: a name in any case or script, or an address, in
    /// brackets or not.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(address) = text.trim_start_matches('[').trim_end_matches(']').parse() {
            return Some(Self::Ip(address));
        }
        match url::Host::parse(text).ok()? {
            url::Host::Domain(name) => Self::name(&name),
            url::Host::Ipv4(address) => Some(Self::Ip(address.into())),
            url::Host::Ipv6(address) => Some(Self::Ip(address.into())),
        }
    }

    /// The domains above a name: `a.b.c` lies below `b.c` and `c`.
    pub fn domains_above(&self) -> impl Iterator<Item = &str> {
        let name = match self {
            Self::Name(name) => name.split_once('.').map(|(_, above)| above),
            Self::Ip(_) => None,
        };
        std::iter::successors(name, |above| above.split_once('.').map(|(_, above)| above))
    }
}

impl fmt::Display for WebHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Ip(IpAddr::V4(address)) => address.fmt(f),
            Self::Ip(IpAddr::V6(address)) => write!(f, "[{address}]"),
        }
    }
}

impl fmt::Display for WebAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.origin(), self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::WebAddress;

    #[test]
    fn every_spelling_of_a_host_is_the_same_host() {
        let cases = [
            ("https://Example.ORG", "https://example.org/"),
            ("https://example.org.", "https://example.org/"),
            ("https://bücher.example/", "https://xn--bcher-kva.example/"),
            ("https://ｅxample.org/", "https://example.org/"),
            ("http://2130706433/", "http://127.0.0.1/"),
            ("http://0177.0.0.1/", "http://127.0.0.1/"),
            ("http://[::FFFF:7f00:1]/", "http://[::ffff:127.0.0.1]/"),
            ("https://example.org:8443/a#b", "https://example.org:8443/a"),
            ("https://example.org/a/../b", "https://example.org/b"),
        ];
        for (text, want) in cases {
            assert_eq!(
                WebAddress::parse(text).map(|address| address.to_string()),
                Ok(want.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_programs_read_differently_is_refused() {
        for text in [
            "https://user@example.org/",
            "https://@example.org/",
            "https://example.org\\@evil.example/",
            "https://exa\tmple.org/",
            " https://example.org/",
            "https:///",
            "https://a..b/",
            "ftp://example.org/",
            "javascript:alert(1)",
            "example.org",
            "https://evil\0.example/",
            "https://example.org:99999/",
        ] {
            assert!(WebAddress::parse(text).is_err(), "{text:?}");
        }
    }
}
