//! What the address of a server says about TLS, and TLS itself.
//!
//! Over TLS with a certificate that is checked, whatever `sslmode` of the weaker kind the address has. Without
//! TLS only to this very machine, or where the address says `sslmode=disable`. There is no falling back.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::{fmt, io};

use postgres::Config;
use postgres::config::{Host, SslMode};
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use tokio_rustls::{TlsConnector, client};

use super::StoreError;
use super::connection::failed;

/// How a server is reached.
#[derive(Clone)]
pub(super) struct Route {
    pub(super) config: Config,
    /// Nothing when the connection is in the clear.
    pub(super) tls: Option<Tls>,
}

/// What the address says about TLS.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Wish {
    Disabled,
    Required,
    #[default]
    Unsaid,
}

impl Route {
    /// Reads an address: a URL, or words such as `host=db user=gate`.
    pub(super) fn parse(address: &str) -> Result<Self, StoreError> {
        let Said { rest, mode, roots } = Said::of(address);
        let wish = match mode.as_deref() {
            None | Some("prefer" | "allow") => Wish::Unsaid,
            Some("disable") => Wish::Disabled,
            Some("require" | "verify-ca" | "verify-full") => Wish::Required,
            Some(_) => return Err(bad("has an `sslmode` that is none")),
        };
        let mut config: Config = rest.parse().map_err(|error| failed(&error))?;
        let near = config.get_hosts().iter().all(is_near);
        let tls = match wish {
            Wish::Disabled => None,
            Wish::Unsaid if near && roots.is_none() => None,
            Wish::Unsaid | Wish::Required => Some(Tls::believing(roots.as_deref())?),
        };
        config.ssl_mode(if tls.is_some() { SslMode::Require } else { SslMode::Disable });
        Ok(Self { config, tls })
    }
}

/// The words about TLS, and the address without them: the driver does not know all of them.
#[derive(Default)]
struct Said {
    rest: String,
    mode: Option<String>,
    roots: Option<String>,
}

impl Said {
    fn of(address: &str) -> Self {
        let mut said = Self::default();
        let is_url = ["postgres://", "postgresql://"].iter().any(|scheme| address.starts_with(scheme));
        if !is_url {
            let words: Vec<&str> = words(address).into_iter().filter(|word| !said.takes(word)).collect();
            said.rest = words.join(" ");
            return said;
        }
        let Some((before, query)) = address.split_once('?') else {
            return Self { rest: address.to_owned(), ..said };
        };
        let kept: Vec<&str> = query.split('&').filter(|pair| !said.takes(&decoded(pair))).collect();
        said.rest = if kept.is_empty() { before.to_owned() } else { format!("{before}?{}", kept.join("&")) };
        said
    }

    /// Notes a word that is about TLS.
    fn takes(&mut self, word: &str) -> bool {
        let Some((name, value)) = word.split_once('=') else { return false };
        let value = value.trim_matches('\'').to_owned();
        match name {
            "sslmode" => self.mode = Some(value),
            "sslrootcert" => self.roots = Some(value),
            _ => return false,
        }
        true
    }
}

/// The words of an address, of which a quoted value is a part.
fn words(address: &str) -> Vec<&str> {
    let mut quoted = false;
    let is_end = |c: char| {
        quoted ^= c == '\'';
        c.is_whitespace() && !quoted
    };
    address.split(is_end).filter(|word| !word.is_empty()).collect()
}

/// A part of a URL without percent signs. One that is not text is left as it is, and is no word of ours.
fn decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.bytes();
    while let Some(byte) = rest.next() {
        let digits: Vec<u8> = if byte == b'%' { rest.clone().take(2).collect() } else { Vec::new() };
        let code = str::from_utf8(&digits).ok().filter(|digits| digits.len() == 2);
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(code) => {
                bytes.push(code);
                rest.nth(1);
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| part.to_owned())
}

/// Whether the host is this machine.
fn is_near(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
            name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
        }
    }
}

fn bad(what: &str) -> StoreError {
    StoreError::Failed(format!("its address {what}"))
}

/// TLS with the certificates of these authorities.
#[derive(Clone)]
pub(super) struct Tls(TlsConnector);

impl Tls {
    fn believing(roots: Option<&str>) -> Result<Self, StoreError> {
        let mut store = RootCertStore::empty();
        match roots {
            None => store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
            Some(path) => {
                let read =
                    CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
                let read = read.map_err(|_| bad("has an `sslrootcert` that cannot be read"))?;
                let (n_added, _) = store.add_parsable_certificates(read);
                if n_added == 0 {
                    return Err(bad("has an `sslrootcert` without a certificate"));
                }
            }
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|error| StoreError::Failed(format!("TLS cannot be spoken: {error}")))?
            .with_root_certificates(store)
            .with_no_client_auth();
        Ok(Self(TlsConnector::from(Arc::new(config))))
    }
}

/// A handshake with one host.
pub(super) struct Handshake {
    tls: TlsConnector,
    name: ServerName<'static>,
}

/// A connection behind TLS.
pub(super) struct Encrypted<S>(client::TlsStream<S>);

/// A host that no certificate can be for.
#[derive(Debug)]
pub(super) struct NoName;

impl fmt::Display for NoName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host has no name for a certificate")
    }
}

impl std::error::Error for NoName {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Tls {
    type Stream = Encrypted<S>;
    type TlsConnect = Handshake;
    type Error = NoName;

    fn make_tls_connect(&mut self, host: &str) -> Result<Handshake, NoName> {
        let name = ServerName::try_from(host.trim_matches(['[', ']']).to_owned()).map_err(|_| NoName)?;
        Ok(Handshake { tls: self.0.clone(), name })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Handshake {
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { self.tls.connect(self.name, stream).await.map(Encrypted) })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use postgres::config::SslMode;

    use super::Route;

    #[test]
    fn in_the_clear_only_to_this_machine_or_where_the_address_says_so() {
        let cases = [
            ("postgres://gate@db.example/x", Some(true)),
            ("postgres://gate@db.example/x?sslmode=prefer", Some(true)),
            ("postgres://gate@db.example/x?sslmode=disable", Some(false)),
            ("postgres://gate@db.example/x?application_name=a&sslmode=verify-full", Some(true)),
            ("postgres://gate@localhost/x", Some(false)),
            ("postgres://gate@[::1]/x", Some(false)),
            ("postgres://gate@localhost/x?sslmode=require", Some(true)),
            ("postgres://gate@localhost,db.example/x", Some(true)),
            ("postgres://gate@%2Frun%2Fpg/x", Some(false)),
            ("host=/run/pg user=gate dbname=x", Some(false)),
            ("host=db.example user=gate password='a b sslmode=disable' dbname=x", Some(true)),
            ("host=db.example user=gate sslmode=disable", Some(false)),
            ("host=db.example user=gate sslmode='disable'", Some(false)),
            ("postgres://gate@db.example/x?sslmode=maybe", None),
            ("postgres://gate@db.example/x?sslrootcert=/nowhere/root.pem", None),
            ("postgres://gate@db.example/x?ssl%6dode=disable", Some(false)),
        ];
        for (address, wants_tls) in cases {
            let route = Route::parse(address);
            assert_eq!(route.as_ref().ok().map(|route| route.tls.is_some()), wants_tls, "{address}");
            if let Ok(route) = route {
                let mode = if route.tls.is_some() { SslMode::Require } else { SslMode::Disable };
                assert_eq!(route.config.get_ssl_mode(), mode, "{address}");
            }
        }
    }
}
