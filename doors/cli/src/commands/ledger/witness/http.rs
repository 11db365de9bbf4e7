//! A server that cosigns checkpoints: the client's side of C2SP tlog-witness.
//!
//! A witness keeps its own memory of the ledger and believes nothing but proofs. What it says about what it
//! has seen is therefore evidence: more than the ledger has, or something else, ends the push.

use std::path::{Path, PathBuf};
use std::time::Duration;

use record::store::Store;
use record::witness::{NotSuccessor, add_checkpoint, conflict_size, proof};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use verify::checkpoint::Checkpoint;
use verify::cosignature::WitnessKey;
use verify::note::SignedNote;

use super::NotWitnessed;
use crate::ordinary;
use crate::terminal::reason;

/// How long a witness may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Bytes of an answer that are read.
const LARGEST: u64 = 64 * 1024;

/// What a witness is asked.
pub(super) struct Asked<'a> {
    pub(super) address: &'a str,
    pub(super) note: &'a str,
    pub(super) checkpoint: &'a Checkpoint,
    pub(super) key: Option<&'a WitnessKey>,
    pub(super) authorities: Option<&'a Path>,
}

/// Bytes of a file of authorities that are read.
const LARGEST_BUNDLE: u64 = 4 * 1024 * 1024;

/// This path, once it is known to have certificates.
pub(super) fn authorities_at(path: &Path) -> Result<PathBuf, NotWitnessed> {
    // It is written down as text.
    let unnamed = || NotWitnessed::NoAuthorities { path: path.display().to_string() };
    path.to_str().ok_or_else(unnamed)?;
    authorities(path).map(|_| path.to_owned())
}

/// The certificates in a file. All of them must be readable: a bundle that is half understood is not what was meant.
fn authorities(path: &Path) -> Result<RootCerts, NotWitnessed> {
    let shown = || path.display().to_string();
    let text = ordinary::read_text(path, LARGEST_BUNDLE)
        .map_err(|source| NotWitnessed::File { path: shown(), source })?;
    let certificates: Result<Vec<Certificate<'static>>, ureq::Error> = parse_pem(text.as_bytes())
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(Ok(certificate)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        })
        .collect();
    match certificates {
        Ok(all) if !all.is_empty() => Ok(RootCerts::new_with_certs(&all)),
        _ => Err(NotWitnessed::NoAuthorities { path: shown() }),
    }
}

impl Asked<'_> {
    /// The note with the cosignatures of a witness that has seen `old` entries, as far as is known.
    pub(super) fn cosigned(&self, store: &mut dyn Store, old: u64) -> Result<String, NotWitnessed> {
        let (status, body) = self.ask(store, old)?;
        let (status, body) = match status {
            409 => {
                let seen = self.conflict(&body, old)?;
                self.ask(store, seen)?
            }
            _ => (status, body),
        };
        match status {
            200 => self.with_cosignatures(&body),
            404 => Err(NotWitnessed::UnknownLog { address: self.address.to_owned() }),
            // The proof was checked before it was sent, so the two of us have seen different entries.
            422 => Err(NotWitnessed::Disagrees { address: self.address.to_owned() }),
            _ => Err(self.answered(status, &body)),
        }
    }

    /// How many entries a witness has seen that has not seen `old`.
    fn conflict(&self, body: &str, old: u64) -> Result<u64, NotWitnessed> {
        let address = || self.address.to_owned();
        let seen = conflict_size(body).ok_or_else(|| self.answered(409, body))?;
        let ours = self.checkpoint.size();
        if seen > ours {
            return Err(NotWitnessed::Ahead { address: address(), size: seen, ours });
        }
        // It has seen as many as we say, and yet there is a conflict: about what they are.
        if seen == old {
            return Err(NotWitnessed::Disagrees { address: address() });
        }
        Ok(seen)
    }

    /// Asks once; the status and the body of the answer.
    fn ask(&self, store: &mut dyn Store, old: u64) -> Result<(u16, String), NotWitnessed> {
        let proof = proof(store, old, self.checkpoint.size()).map_err(|error| match error {
            NotSuccessor::Store(error) => NotWitnessed::from(error),
            NotSuccessor::Truncated { seen, size } => {
                NotWitnessed::Ahead { address: self.address.to_owned(), size: seen, ours: size }
            }
            NotSuccessor::Forked { .. } => NotWitnessed::Disagrees { address: self.address.to_owned() },
        })?;
        let body = add_checkpoint(old, &proof, self.note);
        let unreachable = |error: ureq::Error| NotWitnessed::Unreachable {
            address: self.address.to_owned(),
            why: if let ureq::Error::Io(error) = &error { reason(error) } else { error.to_string() },
        };
        let roots = self.authorities.map(authorities).transpose()?.unwrap_or(RootCerts::WebPki);
        let agent = ureq::Agent::new_with_config(
            ureq::Agent::config_builder()
                .timeout_global(Some(PATIENCE))
                .tls_config(TlsConfig::builder().root_certs(roots).build())
                .http_status_as_error(false)
                // Whoever answers for the witness is who was named.
                .max_redirects(0)
                .max_redirects_will_error(false)
                .user_agent(concat!("toolgate/", env!("CARGO_PKG_VERSION")))
                .build(),
        );
        let request = agent.post(format!("{}/add-checkpoint", self.address)).content_type("text/plain");
        let mut response = request.send(&body).map_err(unreachable)?;
        let text = response.body_mut().with_config().limit(LARGEST).read_to_string().map_err(unreachable)?;
        Ok((response.status().as_u16(), text))
    }

    /// The note with the lines that a witness has sent, which are signatures and nothing else.
    fn with_cosignatures(&self, lines: &str) -> Result<String, NotWitnessed> {
        let bad = || NotWitnessed::NoCosignature { address: self.address.to_owned() };
        let own = SignedNote::parse(self.note.as_bytes()).map_err(|_| bad())?;
        let all = SignedNote::parse(format!("{}{lines}", self.note).as_bytes()).map_err(|_| bad())?;
        if all.text() != own.text() || all.signatures().len() <= own.signatures().len() {
            return Err(bad());
        }
        if let Some(key) = self.key {
            key.cosigned(&all)
                .map_err(|source| NotWitnessed::NotCosigned { address: self.address.to_owned(), source })?;
        }
        Ok(all.to_string())
    }

    fn answered(&self, status: u16, body: &str) -> NotWitnessed {
        let said = body.lines().next().unwrap_or_default().chars().take(200).collect();
        NotWitnessed::Answered { address: self.address.to_owned(), status, said }
    }
}
