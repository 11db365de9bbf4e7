//! What can go wrong with a witness, and who acts on it.

use record::NotRecorded;
use record::store::StoreError;
use record::witness::NotSuccessor;
use verify::checkpoint::{BadCheckpoint, BadNotes};

use crate::exit::Exit;
use crate::home::{BadTarget, BadWitnesses, NoBooks};
use crate::terminal::{reason, say_error, with_causes};

/// Why a witness was not given a checkpoint, or what it keeps could not be read.
#[derive(Debug, thiserror::Error)]
pub(in super::super) enum NotWitnessed {
    #[error(transparent)]
    Books(#[from] NoBooks),
    #[error(transparent)]
    Witnesses(#[from] BadWitnesses),
    #[error(transparent)]
    Target(#[from] BadTarget),
    #[error("`{path}`: {}", reason(source))]
    File { path: String, source: std::io::Error },
    #[error("{from}: {}", with_causes(source))]
    Notes { from: String, source: BadNotes },
    #[error("{from}: {}", with_causes(source))]
    OtherLog { from: String, source: BadCheckpoint },
    #[error("git: {0}")]
    Git(String),
    #[error("`{0}` is checked out, and its files would be out of step")]
    CheckedOut(String),
    #[error("`{0}` has other files than `checkpoint`, which would be lost")]
    OtherFiles(String),
    #[error("the witness `{name}`: {source}")]
    NotSuccessor { name: String, source: NotSuccessor },
    #[error("`{address}` cannot be reached: {why}")]
    Unreachable { address: String, why: String },
    #[error("`{address}` answered {status}: {said}")]
    Answered { address: String, status: u16, said: String },
    #[error("`{address}` does not know this ledger")]
    UnknownLog { address: String },
    #[error("`{address}` has seen {size} entries, and the ledger has {ours}: it was cut or put back")]
    Ahead { address: String, size: u64, ours: u64 },
    #[error("`{address}` has seen other entries: the ledger was changed, or it is not the only one")]
    Disagrees { address: String },
    #[error("`{address}` did not send a cosignature that can be read")]
    NoCosignature { address: String },
    #[error("`{address}`: {source}")]
    NotCosigned { address: String, source: verify::note::NotSigned },
    #[error("there is no witness `{0}`")]
    NoWitness(String),
    #[error("there are no witnesses yet")]
    NoWitnesses,
    #[error("there is a witness `{0}` already")]
    Taken(String),
    #[error("`{0}` is not a name: small letters, digits, `.`, `_` and `-`, at most 64")]
    BadName(String),
    #[error("`--key`: {0}")]
    Key(#[from] verify::cosignature::BadWitnessKey),
    #[error("`--key` is for witnesses that cosign, at an `http://` or `https://` address")]
    KeyWithoutAddress,
    #[error("`--ca` is for witnesses at an `https://` address")]
    AuthoritiesWithoutTls,
    #[error("`{path}` has no certificate in PEM form")]
    NoAuthorities { path: String },
}

impl From<StoreError> for NotWitnessed {
    fn from(error: StoreError) -> Self {
        Self::Books(error.into())
    }
}

impl From<NotRecorded> for NotWitnessed {
    fn from(error: NotRecorded) -> Self {
        Self::Books(error.into())
    }
}

impl NotWitnessed {
    /// Evidence against the ledger or the witness is a refusal; everything else could not be done.
    pub(in super::super) const fn exit(&self) -> Exit {
        match self {
            Self::Notes { .. }
            | Self::OtherLog { .. }
            | Self::NotSuccessor {
                source: NotSuccessor::Truncated { .. } | NotSuccessor::Forked { .. },
                ..
            }
            | Self::Ahead { .. }
            | Self::Disagrees { .. }
            | Self::NotCosigned { .. } => Exit::Refused,
            Self::Books(_)
            | Self::Witnesses(_)
            | Self::Target(_)
            | Self::File { .. }
            | Self::Git(_)
            | Self::CheckedOut(_)
            | Self::OtherFiles(_)
            | Self::NotSuccessor { source: NotSuccessor::Store(_), .. }
            | Self::Unreachable { .. }
            | Self::Answered { .. }
            | Self::UnknownLog { .. }
            | Self::NoCosignature { .. }
            | Self::NoWitness(_)
            | Self::NoWitnesses
            | Self::Taken(_)
            | Self::BadName(_)
            | Self::Key(_)
            | Self::KeyWithoutAddress
            | Self::AuthoritiesWithoutTls
            | Self::NoAuthorities { .. } => Exit::CouldNot,
        }
    }

    /// Has a server seen something else than there is?
    pub(super) const fn is_fork(&self) -> bool {
        matches!(self, Self::Ahead { .. } | Self::Disagrees { .. })
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Books(error) => error.hint(),
            Self::NotSuccessor {
                source: NotSuccessor::Truncated { .. } | NotSuccessor::Forked { .. },
                ..
            }
            | Self::Ahead { .. }
            | Self::Disagrees { .. } => Some(
                "keep what the witness has: it is the evidence; `toolgate ledger verify --against` says more",
            ),
            Self::OtherLog { .. } => Some("a file or ref keeps the checkpoints of one ledger"),
            Self::CheckedOut(_) | Self::OtherFiles(_) => {
                Some("take a ref for checkpoints alone, such as `refs/heads/witness`")
            }
            Self::Git(_) => Some("the repository must be on this machine, and belong to whoever runs this"),
            Self::UnknownLog { .. } => Some("tell its operator the key that `toolgate ledger key` prints"),
            Self::NoWitness(_) => Some("`toolgate ledger witness list` shows all of them"),
            Self::NoWitnesses => Some("`toolgate ledger witness add NAME TARGET` makes one known"),
            Self::Taken(_) => Some("`toolgate ledger witness remove` makes room for another one"),
            Self::Notes { .. } => Some("keep a copy of it, and take away what is no whole checkpoint"),
            Self::Witnesses(_)
            | Self::Target(_)
            | Self::File { .. }
            | Self::NotSuccessor { source: NotSuccessor::Store(_), .. }
            | Self::Unreachable { .. }
            | Self::Answered { .. }
            | Self::NoCosignature { .. }
            | Self::NotCosigned { .. }
            | Self::BadName(_)
            | Self::Key(_)
            | Self::KeyWithoutAddress
            | Self::AuthoritiesWithoutTls
            | Self::NoAuthorities { .. } => None,
        }
    }

    /// Tells whoever typed the command, and says how it ends.
    pub(super) fn say(&self) -> Exit {
        say_error(&self.to_string(), self.hint());
        self.exit()
    }
}
