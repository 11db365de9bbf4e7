//! Stage 7: the ledger, a record that an outsider can check.
//!
//! Every event is a leaf of a transparency log: canonical JSON (RFC 8785), hashed into an RFC 6962 tree,
//! whose root is signed from time to time. What was acknowledged is durable; what is durable is in one
//! order, for ever. An event that cannot be made durable is an error that stops the call.
//!
//! **Invariants:** every call has exactly one terminal event; the intent of an effect is durable before
//! the effect; a gate that died in between is found out at the next start. Nothing but the store in this
//! crate writes to the ledger.
#![expect(clippy::disallowed_methods, reason = "the store keeps its files and its lock")]

mod audit;
mod beside;
mod entry;
mod event;
pub mod export;
mod key;
mod ledger;
mod past;
mod pending;
pub mod proofs;
mod queue;
mod scribe;
pub mod store;
pub mod witness;

pub use audit::{Audited, Known, Notice, Problem, audit, audit_since};
pub use beside::{Attachment, Beside};
pub use entry::{Entry, Header};
pub use event::{Applied, Asked, Declined, Ended, Event, Intent, Ruling, Signed, Status};
pub use key::{BadKey, SigningKey};
pub use ledger::{Guard, Ledger, NotRecorded, Settings};
pub use past::PastRuling;
pub use pending::Pending;
