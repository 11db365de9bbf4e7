//! Who signed a text, and whether they may.
//!
//! Signatures are those of `ssh-keygen -Y sign`, with the keys that people already have. A key says nothing
//! by itself: it counts where the file of approvers lists it for the name that the record gives.

mod certificate;
mod envelope;
mod key;
mod wire;

pub use certificate::BadCertificate;
pub(crate) use certificate::Certificate;
pub use key::BadKey;
pub(crate) use key::Key;

use call::Moment;

use crate::approval::{Approval, BadApproval};
use crate::approvers::Approvers;
use crate::principal::Principal;
use envelope::Envelope;

/// What signatures of approvals are made for: `ssh-keygen -Y sign -n toolgate-approval@v1`. A signature that
/// was made for something else is none here, and ours are none there.
pub const NAMESPACE: &str = "toolgate-approval@v1";

/// Who signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// Their name in the file of approvers.
    pub principal: Principal,
    /// The key, as OpenSSH shows it: `SHA256:…`
    pub fingerprint: String,
    /// The kind of the key, `ssh-ed25519`.
    pub kind: String,
    /// The certificate, when one was used.
    pub certificate: Option<CertificateUsed>,
    /// The line of the file of approvers.
    pub line: usize,
}

impl Signer {
    /// Whether both are one person: two keys of one name are, and so are two names of one key.
    pub(crate) fn is_same_person(&self, other: &Self) -> bool {
        self.principal.looks_like(other.principal.as_str()) || self.fingerprint == other.fingerprint
    }
}

/// A certificate that a signature was made with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificateUsed {
    /// The name that the authority gave it.
    pub id: String,
    /// Its number.
    pub serial: u64,
    /// The authority, `SHA256:…`
    pub authority: String,
}

/// Why a signature does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadSignature {
    /// It cannot be read.
    #[error("the signature cannot be read; expected what `ssh-keygen -Y sign -n {NAMESPACE}` writes")]
    Form,
    /// It was made for something else.
    #[error("the signature was made for `{}`, expected `{NAMESPACE}`", .0.escape_debug())]
    Namespace(String),
    /// Its key is not one that is taken.
    #[error(transparent)]
    Key(#[from] BadKey),
    /// Its certificate is not one that is taken.
    #[error(transparent)]
    Certificate(#[from] BadCertificate),
    /// It is not of this text.
    #[error("the signature is not of this text")]
    OtherText,
    /// Nobody lists the key.
    #[error("the key {fingerprint} is not in the file of approvers")]
    UnknownKey {
        /// The key, or the authority of the certificate.
        fingerprint: String,
    },
    /// The key is listed, for another name.
    #[error("the key {fingerprint} is not listed for `{principal}`")]
    OtherPrincipal {
        /// The key.
        fingerprint: String,
        /// The name that the record gives.
        principal: Principal,
    },
    /// The key is listed, for other purposes.
    #[error("the key is not listed for approvals (line {line} of the file of approvers)")]
    OtherPurpose {
        /// The line.
        line: usize,
    },
    /// The key counts only later.
    #[error("the key is not valid yet (line {line} of the file of approvers)")]
    NotYetValid {
        /// The line.
        line: usize,
    },
    /// The key counts no more.
    #[error("the key is not valid any more (line {line} of the file of approvers)")]
    NoLongerValid {
        /// The line.
        line: usize,
    },
    /// The certificate counts only later, or no more.
    #[error("the certificate is not valid now")]
    CertificateTime,
    /// The certificate is for other names.
    #[error("the certificate is not for `{0}`")]
    CertificatePrincipal(Principal),
    /// The certificate has terms that are not understood.
    #[error("the certificate has the critical option `{}`, which is not understood", .0.escape_debug())]
    CertificateTerms(String),
    /// The key, certificate or authority was revoked.
    #[error("{what} was revoked (line {line} of the file of revoked keys)")]
    Revoked {
        /// What it is.
        what: &'static str,
        /// The line.
        line: usize,
    },
    /// A hardware key signed on its own.
    #[error("the hardware key was not touched when it signed")]
    NotTouched,
}

/// Why a signed record does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotApproved {
    /// It is no record.
    #[error(transparent)]
    Record(#[from] BadApproval),
    /// Its signature does not count.
    #[error(transparent)]
    Signature(#[from] BadSignature),
}

/// The record that this text is, and who signed it. Whether it is the answer to a question, and in time, is
/// for [`crate::settle`] to say.
///
/// # Errors
/// [`NotApproved`] says why it does not count.
pub fn verify(
    signed_text: &[u8],
    armored_signature: &str,
    approvers: &Approvers,
    now: Moment,
) -> Result<(Approval, Signer), NotApproved> {
    let approval = Approval::parse(signed_text)?;
    let signer = check(signed_text, armored_signature, &approval.approver, approvers, now)?;
    Ok((approval, signer))
}

/// Whether `principal` signed this text for an approval, with a key that is theirs now.
///
/// # Errors
/// [`BadSignature`] says why not.
pub fn check(
    text: &[u8],
    armored_signature: &str,
    principal: &Principal,
    approvers: &Approvers,
    now: Moment,
) -> Result<Signer, BadSignature> {
    let envelope = Envelope::parse(armored_signature).ok_or(BadSignature::Form)?;
    if envelope.namespace != NAMESPACE {
        return Err(BadSignature::Namespace(envelope.namespace.chars().take(64).collect()));
    }
    let certificate = if certificate::is_certificate(&envelope.signer) {
        Some(Certificate::parse(&envelope.signer)?)
    } else {
        None
    };
    let key = match &certificate {
        Some(certificate) => certificate.key.clone(),
        None => Key::parse(&envelope.signer)?,
    };
    let signed = key.signed(&envelope.signed_bytes(text), &envelope.signature);
    let touch = signed.ok_or(BadSignature::OtherText)?;
    if touch.is_some_and(|touch| !touch.present) {
        return Err(BadSignature::NotTouched);
    }
    let line = match &certificate {
        None => approvers.admit_key(&key, principal, now)?,
        Some(certificate) => {
            // The one term that is understood: a hardware key that knows who touches it.
            let knows = touch.is_some_and(|touch| touch.verified);
            let unmet = |term: &&String| !(*term == "verify-required" && knows);
            if let Some(term) = certificate.critical.iter().find(unmet) {
                return Err(BadSignature::CertificateTerms(term.clone()));
            }
            approvers.admit_certificate(certificate, principal, now)?
        }
    };
    Ok(Signer {
        principal: principal.clone(),
        fingerprint: key.fingerprint(),
        kind: key.kind().to_owned(),
        certificate: certificate.map(|certificate| CertificateUsed {
            id: certificate.id,
            serial: certificate.serial,
            authority: certificate.authority.fingerprint(),
        }),
        line,
    })
}
