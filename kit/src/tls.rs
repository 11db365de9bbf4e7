//! An authority of a test's own, and servers that it vouches for.

use std::net::TcpStream;
use std::sync::Arc;

use data_encoding::BASE64;
use rcgen::{BasicConstraints, Certificate, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Somebody who signs certificates, and whom nobody knows.
#[derive(Debug)]
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A server with a certificate.
#[derive(Clone, Debug)]
pub struct Server(Arc<ServerConfig>);

impl Authority {
    /// A new one, unlike any other.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "no two of them are the same")]
    pub fn new() -> Self {
        let mut parameters = CertificateParams::new(Vec::new()).unwrap();
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap())
    }

    /// Its own certificate.
    #[must_use]
    pub fn der(&self) -> &[u8] {
        self.0.der()
    }

    /// Its own certificate, as it lies in files.
    #[must_use]
    pub fn pem(&self) -> String {
        pem("CERTIFICATE", self.der())
    }

    /// A certificate for this name and its key, as they lie in files.
    #[must_use]
    pub fn certificate(&self, name: &str) -> (String, String) {
        let (certificate, key) = self.signed(name);
        (pem("CERTIFICATE", certificate.der()), pem("PRIVATE KEY", &key.serialize_der()))
    }

    /// A server that this authority says has this name.
    #[must_use]
    pub fn server(&self, name: &str) -> Server {
        let (certificate, key) = self.signed(name);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let settings =
            ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let chain = vec![certificate.der().clone()];
        Server(Arc::new(settings.with_no_client_auth().with_single_cert(chain, key).unwrap()))
    }

    fn signed(&self, name: &str) -> (Certificate, KeyPair) {
        let key = KeyPair::generate().unwrap();
        let parameters = CertificateParams::new(vec![name.to_owned()]).unwrap();
        (parameters.signed_by(&key, &self.0).unwrap(), key)
    }
}

fn pem(kind: &str, der: &[u8]) -> String {
    let text = BASE64.encode(der);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----\n", lines.join("\n"))
}

impl Server {
    /// Talks over a connection that somebody has made, and ends it as TLS wants it.
    pub fn talk<T>(
        &self,
        stream: TcpStream,
        talk: impl FnOnce(&mut StreamOwned<ServerConnection, TcpStream>) -> T,
    ) -> T {
        let connection = ServerConnection::new(Arc::clone(&self.0)).unwrap();
        let mut stream = StreamOwned::new(connection, stream);
        let said = talk(&mut stream);
        stream.conn.send_close_notify();
        // Whoever has hung up already does not hear it.
        let _ = stream.conn.complete_io(&mut stream.sock);
        said
    }
}
