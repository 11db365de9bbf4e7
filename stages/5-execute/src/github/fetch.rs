//! What a forge is asked, and by whom.

use std::time::Duration;

use call::Fault;
use secrecy::SecretString;

/// Whoever sends requests for the gate: the one way out, which checks hosts and addresses.
///
/// A redirect is given back as it is and never followed, and nothing is sent but what the request has.
pub trait Fetch: Send + Sync {
    /// Sends a request and waits for the whole answer.
    ///
    /// # Errors
    /// When there is no answer, or one that is larger than the request takes.
    fn send(&self, request: &ForgeRequest) -> Result<ForgeResponse, Fault>;
}

/// A request to the API of a forge.
#[derive(Debug)]
pub struct ForgeRequest {
    /// The method, upper case.
    pub method: &'static str,
    /// The address, whole.
    pub url: String,
    /// The headers but for the credential.
    pub headers: Vec<(&'static str, String)>,
    /// The value of the `Authorization` header.
    pub authorization: Option<SecretString>,
    /// The body, which is JSON.
    pub body: Option<Vec<u8>>,
    /// Bytes of the answer that are taken at most.
    pub max_bytes: usize,
    /// How long it may take.
    pub timeout: Duration,
}

/// An answer of a forge, whatever its status.
#[derive(Clone, Debug)]
pub struct ForgeResponse {
    /// The status.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl ForgeResponse {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }
}
