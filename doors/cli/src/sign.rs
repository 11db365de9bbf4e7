//! Signs a text as `ssh-keygen -Y sign` does, with a key that a person already has.
//!
//! With a key file where it can be read, and through ssh-agent otherwise: for keys with a passphrase, for
//! keys in hardware, and where only the public half is at hand. No passphrase is ever asked for here.
//!
//! What is signed is an approval, in the namespace of approvals; `approve` says whether it counts.

mod agent;
mod envelope;
mod key_file;
mod rsa;
mod scalar;

use std::path::{Path, PathBuf};

use agent::Agent;
use key_file::KeyFile;

/// A signature and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The armoured form, as it lies in a `.sig` file.
    pub(crate) armored: String,
    /// The public key, as it stands in a `.pub` file, without a remark.
    pub(crate) public_key: String,
}

/// Why nothing was signed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotSigned {
    #[error("`{}` cannot be read", crate::visible::visible_path(.path))]
    Unreadable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    #[error("`{}` is not a key of OpenSSH", crate::visible::visible_path(.0))]
    NotKey(PathBuf),
    #[error("`{}` is a key in an older form", crate::visible::visible_path(.0))]
    OldForm(PathBuf),
    #[error("`{}` can be read by others", crate::visible::visible_path(.0))]
    Unprotected(PathBuf),
    #[error("keys of the kind `{0}` are not taken")]
    Kind(String),
    #[error("{why}, and there is no ssh-agent")]
    NoAgent { why: &'static str },
    #[error("ssh-agent cannot be spoken to")]
    AgentLost(#[source] std::io::Error),
    #[error("ssh-agent said something that it should not")]
    AgentOdd,
    #[error("ssh-agent does not hold the key {0}")]
    NotInAgent(String),
    #[error("ssh-agent did not sign: nobody touched the key, or somebody said no")]
    AgentRefused,
    #[error("the key could not be used")]
    Unusable,
}

impl NotSigned {
    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::OldForm(path) => Some(format!(
                "`ssh-keygen -p -f {}` writes it in the present form",
                crate::visible::visible_path(path)
            )),
            Self::Unprotected(path) => Some(format!("chmod 600 {}", crate::visible::visible_path(path))),
            Self::NoAgent { .. } => {
                Some("start one with `eval $(ssh-agent)` and add the key with `ssh-add`".to_owned())
            }
            Self::NotInAgent(_) => {
                Some("add it with `ssh-add`, and see all that it holds with `ssh-add -l`".to_owned())
            }
            Self::NotKey(_) => {
                Some("name a private key, a `.pub` file, or a certificate of either".to_owned())
            }
            Self::Kind(_) => Some("use an ed25519, ecdsa or rsa key, or one in hardware".to_owned()),
            Self::Unreadable { .. }
            | Self::AgentLost(_)
            | Self::AgentOdd
            | Self::AgentRefused
            | Self::Unusable => None,
        }
    }
}

/// Signs an approval with the key at `key`: a private key, a public one, or a certificate.
///
/// # Errors
/// [`NotSigned`] says why not, and its hint what to do.
pub(crate) fn sign(text: &[u8], key: &Path) -> Result<Signature, NotSigned> {
    let agent = std::env::var_os("SSH_AUTH_SOCK").filter(|path| !path.is_empty()).map(PathBuf::from);
    sign_with(text, key, agent.as_deref())
}

/// The public half of the key at `key`, as it stands in a `.pub` file, without a remark.
///
/// # Errors
/// When it is no key.
pub(crate) fn public_key(key: &Path) -> Result<String, NotSigned> {
    Ok(KeyFile::read(key)?.public_text())
}

/// The same, with the agent that listens there.
fn sign_with(text: &[u8], path: &Path, agent: Option<&Path>) -> Result<Signature, NotSigned> {
    let key = KeyFile::read(path)?;
    let message = envelope::message(text);
    let made = match key.sign(&message)? {
        Ok(made) => made,
        Err(why) => {
            let agent = agent.ok_or(NotSigned::NoAgent { why })?;
            Agent::connect(agent)?.sign(&key.candidates(), &message)?
        }
    };
    Ok(Signature { armored: envelope::armored(key.signer(), &made), public_key: key.public_text() })
}

#[cfg(test)]
mod tests;
