//! Certificates of OpenSSH: an authority says who a key belongs to.

use super::key::{BadKey, Key};
use super::wire::{Wire, put};

/// A certificate whose signature is good. Whether its authority is listed is another question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Certificate {
    /// The key that it speaks of.
    pub(crate) key: Key,
    pub(crate) serial: u64,
    pub(crate) id: String,
    pub(crate) principals: Vec<String>,
    /// Seconds since 1970: valid from the first, up to before the second.
    pub(crate) valid: (u64, u64),
    pub(crate) critical: Vec<String>,
    pub(crate) authority: Key,
}

/// Why bytes are no certificate that is taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCertificate {
    /// They cannot be read.
    #[error("the certificate cannot be read")]
    Form,
    /// It is for a host.
    #[error("the certificate is for a host, expected one for a user")]
    Host,
    /// Its authority did not sign it.
    #[error("the certificate was not signed by the authority that it names")]
    Signature,
    /// A key in it is not taken.
    #[error(transparent)]
    Key(#[from] BadKey),
}

/// The kind of the key inside a certificate of this kind, and how many fields it has.
fn inside(kind: &str) -> Option<(String, usize)> {
    let plain = kind.strip_suffix("-cert-v01@openssh.com")?;
    let fields = match plain {
        "ssh-ed25519" => 1,
        "ssh-rsa" | "sk-ssh-ed25519" => 2,
        "ecdsa-sha2-nistp256" | "ecdsa-sha2-nistp384" | "ecdsa-sha2-nistp521" => 2,
        "sk-ecdsa-sha2-nistp256" => 3,
        _ => return None,
    };
    let of_hardware = plain.starts_with("sk-");
    Some((if of_hardware { format!("{plain}@openssh.com") } else { plain.to_owned() }, fields))
}

/// Whether these are the bytes of a certificate.
pub(crate) fn is_certificate(blob: &[u8]) -> bool {
    Wire::new(blob).text().is_some_and(|kind| kind.contains("-cert-"))
}

impl Certificate {
    /// Reads a certificate for a user, and checks that the authority that it names signed it.
    pub(crate) fn parse(blob: &[u8]) -> Result<Self, BadCertificate> {
        let parts = Parts::read(blob).ok_or(BadCertificate::Form)?;
        let authority = Key::parse(parts.authority)?;
        let key = Key::parse(&parts.key)?;
        if parts.kind != 1 {
            return Err(BadCertificate::Host);
        }
        authority.signed(parts.signed, parts.signature).ok_or(BadCertificate::Signature)?;
        let principals = texts(parts.principals).ok_or(BadCertificate::Form)?;
        let critical = names(parts.critical).ok_or(BadCertificate::Form)?;
        let (serial, id, valid) = (parts.serial, parts.id.to_owned(), parts.valid);
        Ok(Self { key, serial, id, principals, valid, critical, authority })
    }
}

struct Parts<'a> {
    key: Vec<u8>,
    serial: u64,
    kind: u32,
    id: &'a str,
    principals: &'a [u8],
    valid: (u64, u64),
    critical: &'a [u8],
    authority: &'a [u8],
    signed: &'a [u8],
    signature: &'a [u8],
}

impl<'a> Parts<'a> {
    fn read(blob: &'a [u8]) -> Option<Self> {
        let mut wire = Wire::new(blob);
        let (kind, fields) = inside(wire.text()?)?;
        wire.string()?;
        let mut key = Vec::new();
        put(&mut key, kind.as_bytes());
        for _ in 0..fields {
            put(&mut key, wire.string()?);
        }
        let serial = wire.long_number()?;
        let kind = wire.number()?;
        let id = wire.text()?;
        let principals = wire.string()?;
        let valid = (wire.long_number()?, wire.long_number()?);
        let (critical, _extensions, _reserved) = (wire.string()?, wire.string()?, wire.string()?);
        let authority = wire.string()?;
        let signed = blob.get(..blob.len().checked_sub(wire.left())?)?;
        let signature = wire.string()?;
        wire.end()?;
        Some(Self { key, serial, kind, id, principals, valid, critical, authority, signed, signature })
    }
}

fn texts(list: &[u8]) -> Option<Vec<String>> {
    let mut wire = Wire::new(list);
    let mut found = Vec::new();
    while wire.left() > 0 {
        found.push(wire.text()?.to_owned());
    }
    Some(found)
}

/// The names of options, each of which has a value behind it.
fn names(list: &[u8]) -> Option<Vec<String>> {
    let mut wire = Wire::new(list);
    let mut found = Vec::new();
    while wire.left() > 0 {
        found.push(wire.text()?.to_owned());
        wire.string()?;
    }
    Some(found)
}
