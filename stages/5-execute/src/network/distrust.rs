//! Why there is no TLS with a server, in the words of whoever reads it.

use std::io;

use rustls::{CertificateError as Bad, Error};

/// What went wrong with a connection, as a sentence for people where TLS has one of its own.
pub(super) fn in_words(error: io::Error) -> io::Error {
    let words = error.get_ref().and_then(|cause| cause.downcast_ref::<Error>()).map(why);
    words.map_or(error, io::Error::other)
}

fn why(error: &Error) -> String {
    if let Error::InvalidCertificate(error) = error {
        return format!("the certificate of the server {}", why_not(error));
    }
    if let Error::AlertReceived(alert) = error {
        return format!("the server ended it with the alert {}", u8::from(*alert));
    }
    if matches!(error, Error::InvalidMessage(_)) {
        return "what listens there does not speak TLS".to_owned();
    }
    if matches!(error, Error::PeerIncompatible(_)) {
        return "the server speaks no version or cipher of TLS that is safe".to_owned();
    }
    error.to_string()
}

fn why_not(error: &Bad) -> &'static str {
    let expired = matches!(error, Bad::Expired | Bad::ExpiredContext { .. });
    let early = matches!(error, Bad::NotValidYet | Bad::NotValidYetContext { .. });
    let other_name = matches!(error, Bad::NotValidForName | Bad::NotValidForNameContext { .. });
    // Another key under the name of a trusted authority is another authority.
    let strange = matches!(error, Bad::UnknownIssuer | Bad::BadSignature);
    let reasons = [
        (strange, "is from an authority that this machine does not trust"),
        (other_name, "is for another name"),
        (expired, "has expired"),
        (early, "is not valid yet"),
        (*error == Bad::Revoked, "is revoked"),
        (*error == Bad::BadEncoding, "cannot be read"),
    ];
    let reason = reasons.into_iter().find_map(|(is, reason)| is.then_some(reason));
    // An authority that shows its own certificate, a key for another purpose, and kin.
    reason.unwrap_or("is not one that a server may show")
}
