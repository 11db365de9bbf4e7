//! What a call leaves beside the log: the difference that it made, or what it removed.

use call::{Moment, Sha256};
use record::{Attachment, Ledger, NotRecorded};

use crate::Halt;

/// A content that goes beside the log.
pub(crate) enum Keepsake {
    /// There is none, or it holds a secret.
    None,
    /// It is written down together with the end of the call.
    With(Attachment),
    /// It is there already, since it is large.
    Apart(Sha256),
    /// There was no room for it. The call is done by now, and ends on record as done.
    Lost,
}

impl Keepsake {
    /// Bytes up to which a content is written together with events. A disk that is almost full has room for
    /// those; what is larger must not keep the end of a call from being written.
    const SMALL: usize = 16 * 1024;

    pub(crate) fn of(ledger: &Ledger, content: Vec<u8>, now: Moment) -> Result<Self, Halt> {
        let copy = if content.len() <= Self::SMALL {
            ledger.attachment(content, now).map(Self::With)
        } else {
            ledger.keep_blob(&content, now).map(Self::Apart)
        };
        match copy {
            Ok(copy) => Ok(copy),
            Err(NotRecorded::Secret(_)) => Ok(Self::None),
            Err(NotRecorded::Store(_)) => Ok(Self::Lost),
            Err(error @ NotRecorded::Misstep(_)) => Err(error.into()),
        }
    }

    pub(crate) const fn digest(&self) -> Option<Sha256> {
        match self {
            Self::With(attachment) => Some(attachment.digest()),
            Self::Apart(digest) => Some(*digest),
            Self::None | Self::Lost => None,
        }
    }

    pub(crate) fn with_the_event(self) -> Option<Attachment> {
        match self {
            Self::With(attachment) => Some(attachment),
            Self::None | Self::Apart(_) | Self::Lost => None,
        }
    }
}
