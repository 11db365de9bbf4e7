//! What is signed, and the form in which a signature is written down (PROTOCOL.sshsig).

use data_encoding::BASE64;
use sha2::{Digest as _, Sha512};

const MAGIC: &[u8] = b"SSHSIG";

/// Bytes with their length in front, as SSH writes them.
pub(super) fn string(bytes: &[u8]) -> Vec<u8> {
    // Nothing that is signed or stored here comes near four gigabytes.
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], bytes].concat()
}

/// The bytes that a key signs for this text.
pub(super) fn message(text: &[u8]) -> Vec<u8> {
    let hash = Sha512::digest(text);
    let namespace = approve::NAMESPACE.as_bytes();
    [MAGIC, &string(namespace), &string(b""), &string(b"sha512"), &string(&hash)].concat()
}

/// The armoured form of a signature by this key or certificate.
pub(super) fn armored(signer: &[u8], signature: &[u8]) -> String {
    let namespace = approve::NAMESPACE.as_bytes();
    let version = 1_u32.to_be_bytes();
    let parts = [string(signer), string(namespace), string(b""), string(b"sha512"), string(signature)];
    let bytes = [MAGIC, &version, &parts.concat()].concat();
    let mut text = String::from("-----BEGIN SSH SIGNATURE-----\n");
    for (place, letter) in BASE64.encode(&bytes).chars().enumerate() {
        if place > 0 && place % 70 == 0 {
            text.push('\n');
        }
        text.push(letter);
    }
    text.push_str("\n-----END SSH SIGNATURE-----\n");
    text
}
