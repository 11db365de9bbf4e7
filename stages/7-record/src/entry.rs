//! An entry as it was written, read again.

use std::borrow::Cow;

use call::CallId;
use serde::Deserialize;
use serde_json::Value;

/// One entry of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place, from 0 on.
    pub place: u64,
    /// What was written: canonical JSON.
    pub leaf: Vec<u8>,
}

/// What every entry says about itself.
#[derive(Clone, Debug, Deserialize)]
pub struct Header<'e> {
    /// When it was written, by the clock of whoever wrote it.
    #[serde(borrow)]
    pub at: Cow<'e, str>,
    /// What happened.
    #[serde(borrow)]
    pub event: Cow<'e, str>,
    /// The call it is about.
    #[serde(borrow)]
    pub call: Option<Cow<'e, str>>,
    /// The digest of content beside the log that some of its fields were moved to.
    #[serde(borrow)]
    pub moved: Option<Cow<'e, str>>,
    /// The digest of content beside the log that it is about.
    #[serde(borrow)]
    pub blob: Option<Cow<'e, str>>,
}

impl Entry {
    /// What it says about itself; nothing when it is no event.
    #[must_use]
    pub fn header(&self) -> Option<Header<'_>> {
        serde_json::from_slice(&self.leaf).ok()
    }

    /// All of it as data; nothing when it is no event.
    #[must_use]
    pub fn value(&self) -> Option<Value> {
        serde_json::from_slice(&self.leaf).ok()
    }
}

impl Header<'_> {
    /// The call, when its name is one.
    #[must_use]
    pub fn call_id(&self) -> Option<CallId> {
        self.call.as_ref()?.parse().ok()
    }

    /// Is this the end of a call?
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        matches!(&*self.event, "refused" | "outcome")
    }
}
