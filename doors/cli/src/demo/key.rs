//! The key of the person in the demo: ed25519, in a file as OpenSSH writes it.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use ssh_key::private::Ed25519Keypair;
use ssh_key::{LineEnding, PrivateKey};

use crate::chance::chance;

/// Makes a key and gives its public half, as it stands in a `.pub` file.
pub(super) fn make(path: &Path) -> io::Result<String> {
    let seed = chance::<32>().map_err(io::Error::other)?;
    let unusable = |error: ssh_key::Error| io::Error::other(error.to_string());
    let key = PrivateKey::from(Ed25519Keypair::from_seed(&seed));
    let private = key.to_openssh(LineEnding::LF).map_err(unusable)?;
    let public = key.public_key().to_openssh().map_err(unusable)?;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(private.as_bytes())?;
    Ok(public)
}
