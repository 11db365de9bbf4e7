//! From the URL of policy to a session.
//!
//! Over TLS with a certificate that is checked, whatever `sslmode` of the weaker kind the URL has. Without TLS
//! only to this very machine, or where the URL says `sslmode=disable`. There is no falling back.

use std::error::Error as _;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use call::Fault;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{CancelToken, Config, NoTls};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::Url;
use url::form_urlencoded::byte_serialize;

use super::bounded::{Allowance, Bounded, Carrier};
use super::{Lookup, Patience, Session};

/// How long a server may take to answer at all.
const GREETING: Duration = Duration::from_secs(10);

/// The request for TLS: its length, and the number that stands for it.
const ASK_FOR_TLS: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];

/// How a database is reached.
pub(super) struct Route {
    config: Config,
    /// Nothing when the connection is in the clear.
    tls: Option<TlsConnector>,
}

/// What the URL says about TLS.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wish {
    Disabled,
    Required,
    Unsaid,
}

impl Route {
    pub(super) fn parse(url: &str, secrets: &Lookup) -> Result<Self, Fault> {
        let secret = |named: &str| -> Result<SecretString, Fault> {
            let found = named.split_once('/').and_then(|(scope, name)| secrets(scope, name));
            found.ok_or_else(|| Fault::Failed {
                class: "no_secret",
                message: format!("the secret `{named}` of the database cannot be had"),
                remedy: Some(
                    "whoever owns the policy can name it as `scope/name` and give it a provider".to_owned(),
                ),
            })
        };
        let whole = url.strip_prefix("secret:").map(secret).transpose()?;
        let text = whole.as_ref().map_or(url, |whole| whole.expose_secret());
        let mut parsed = Url::parse(text.trim()).map_err(|_| bad_url("cannot be read"))?;
        if !matches!(parsed.scheme(), "postgres" | "postgresql") {
            return Err(bad_url("does not begin with `postgres://`"));
        }
        let (mut wish, mut password, mut roots) = (Wish::Unsaid, None, None);
        let mut rest = Vec::new();
        for (key, value) in parsed.query_pairs() {
            match (key.as_ref(), value.as_ref()) {
                ("secret", named) => password = Some(secret(named)?),
                ("sslmode", "disable") => wish = Wish::Disabled,
                ("sslmode", "prefer" | "allow") => wish = Wish::Unsaid,
                ("sslmode", "require" | "verify-ca" | "verify-full") => wish = Wish::Required,
                ("sslmode", _) => return Err(bad_url("has an `sslmode` that is none")),
                ("sslrootcert", path) => roots = Some(path.to_owned()),
                ("hostaddr", _) => return Err(bad_url("has `hostaddr`, which is not taken")),
                _ => rest.push((key.into_owned(), value.into_owned())),
            }
        }
        // Spaces as the driver reads them.
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
        let rest: Vec<String> =
            rest.iter().map(|(key, value)| format!("{}={}", encoded(key), encoded(value))).collect();
        parsed.set_query((!rest.is_empty()).then(|| rest.join("&")).as_deref());
        let mut config: Config =
            parsed.as_str().parse().map_err(|_| bad_url("has a part that is not understood"))?;
        if let Some(password) = password {
            config.password(password.expose_secret());
        }
        if config.get_application_name().is_none() {
            config.application_name("toolgate");
        }
        // TLS is spoken below the driver.
        config.ssl_mode(SslMode::Disable);
        if config.get_hosts().is_empty() {
            return Err(bad_url("names no host"));
        }
        let near = config.get_hosts().iter().all(is_near);
        let tls = match wish {
            Wish::Disabled => None,
            Wish::Unsaid if near => None,
            Wish::Unsaid | Wish::Required => Some(connector(roots.as_deref())?),
        };
        Ok(Self { config, tls })
    }

    pub(super) async fn connect(&self, patience: &Patience<'_>) -> Result<Session, Fault> {
        let wait = self.config.get_connect_timeout().copied().unwrap_or(GREETING).min(patience.left());
        let connecting = async {
            let allowance = Allowance::new();
            let inner = self.carrier().await.map_err(|error| {
                Fault::failed("connection", format!("the server cannot be reached: {error}"))
            })?;
            let stream = Bounded::new(inner, allowance.clone());
            let (client, connection) =
                self.config.connect_raw(stream, NoTls).await.map_err(|error| failed(&error))?;
            tokio::spawn(async move {
                // Whoever waits for an answer is told by the client.
                let _ = connection.await;
            });
            Ok(Session { client, allowance })
        };
        let waited = tokio::time::timeout(wait, connecting).await;
        waited.unwrap_or_else(|_| Err(Fault::failed("connection", "the server does not answer")))
    }

    /// Tells the server that nobody waits for the answer.
    pub(super) async fn stop(&self, token: CancelToken) {
        if let Ok(stream) = self.carrier().await {
            let _ = token.cancel_query_raw(stream, NoTls).await;
        }
    }

    /// The first of the hosts that answers.
    async fn carrier(&self) -> io::Result<Box<dyn Carrier>> {
        let mut failure = io::Error::other("the URL names no host");
        for (number, host) in self.config.get_hosts().iter().enumerate() {
            let ports = self.config.get_ports();
            let port = ports.get(number).or(ports.first()).copied().unwrap_or(5432);
            match self.carrier_to(host, port).await {
                Ok(carrier) => return Ok(carrier),
                Err(error) => failure = error,
            }
        }
        Err(failure)
    }

    async fn carrier_to(&self, host: &Host, port: u16) -> io::Result<Box<dyn Carrier>> {
        let name = match host {
            Host::Unix(folder) => {
                return Ok(Box::new(UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?));
            }
            Host::Tcp(name) => name,
        };
        let mut stream = TcpStream::connect((name.trim_matches(['[', ']']), port)).await?;
        stream.set_nodelay(true)?;
        let Some(tls) = &self.tls else { return Ok(Box::new(stream)) };
        stream.write_all(&ASK_FOR_TLS).await?;
        // One byte and no more: what else is there already belongs to TLS, or to somebody in between.
        if stream.read_u8().await? != b'S' {
            return Err(io::Error::other("the server has no TLS"));
        }
        let name = name.trim_matches(['[', ']']).to_owned();
        let name = ServerName::try_from(name)
            .map_err(|_| io::Error::other("the host has no name for a certificate"))?;
        Ok(Box::new(tls.connect(name, stream).await?))
    }
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

fn connector(roots: Option<&str>) -> Result<TlsConnector, Fault> {
    let mut store = RootCertStore::empty();
    match roots {
        None => store.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(path) => {
            let certificates =
                CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
            let certificates =
                certificates.map_err(|_| bad_url("has an `sslrootcert` that cannot be read"))?;
            let (n_added, _) = store.add_parsable_certificates(certificates);
            if n_added == 0 {
                return Err(bad_url("has an `sslrootcert` without a certificate"));
            }
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| Fault::failed("connection", format!("TLS cannot be spoken: {error}")))?
        .with_root_certificates(store)
        .with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

fn bad_url(what: &str) -> Fault {
    Fault::Failed {
        class: "bad_database_url",
        message: format!("the URL of the database {what}"),
        remedy: Some("write `postgres://user@host:5432/database?secret=scope/name`".to_owned()),
    }
}

/// What went wrong on the way, without how the server is reached.
pub(super) fn failed(error: &tokio_postgres::Error) -> Fault {
    if let Some(said) = error.as_db_error() {
        return Fault::failed("connection", format!("the server refuses: {}", said.message()));
    }
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    Fault::failed("connection", format!("the connection failed: {error}{cause}"))
}
