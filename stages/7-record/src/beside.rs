//! What happens beside the log together with events: in one transaction, all of it or nothing.

use call::Sha256;

use crate::store::Kept;

/// Content that goes beside the log with the events that name it. It holds no secret: nothing but
/// [`crate::Ledger::attachment`] makes one.
#[derive(Clone, Debug)]
pub struct Attachment(pub(crate) Kept);

impl Attachment {
    /// The digest by which the log may name it.
    #[must_use]
    pub const fn digest(&self) -> Sha256 {
        self.0.digest()
    }
}

/// What happens beside the log together with events.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Contents that are kept from now on.
    pub keep: Vec<Attachment>,
    /// Contents that go. One of the events says so ([`crate::Event::BlobRemoved`]): content that is gone
    /// without a word would look like an attack.
    pub drop: Vec<Sha256>,
}
