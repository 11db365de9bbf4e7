//! Whom the egress believes: the authorities that browsers believe, and those that are given.

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::{ClientConfig, RootCertStore};

/// Certificate authorities.
#[derive(Clone, Debug)]
pub struct Trust(Arc<ClientConfig>);

/// Authorities that cannot be believed.
#[derive(Debug, thiserror::Error)]
#[error("the certificate of an authority is not valid")]
pub struct BadTrust(#[source] rustls::Error);

impl Trust {
    /// The authorities of the web, and these of a house, each a certificate in DER form.
    ///
    /// # Errors
    /// When one of them is no certificate of an authority.
    pub fn new(own: impl IntoIterator<Item = Vec<u8>>) -> Result<Self, BadTrust> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        for certificate in own {
            roots.add(CertificateDer::from(certificate)).map_err(BadTrust)?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let settings = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let mut settings = settings.map_err(BadTrust)?.with_root_certificates(roots).with_no_client_auth();
        settings.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self(Arc::new(settings)))
    }

    pub(super) fn settings(&self) -> Arc<ClientConfig> {
        Arc::clone(&self.0)
    }
}
