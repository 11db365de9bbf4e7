//! Stage 4: what did a person say?
//!
//! The record of an approval, what it is bound to, who signed it, and whether it still counts. Pure: time,
//! files and keys are given, and nothing here makes a signature: that is a door's, which has the key.
//!
//! 1. A door renders what is asked ([`show`]) and writes down the answer as an [`Approval`].
//! 2. It is signed in its canonical form ([`Approval::canonical`]) as OpenSSH signs files, in [`NAMESPACE`].
//! 3. [`settle`] holds all answers against what is asked now: who may answer stands in [`Approvers`], how many
//!    must in [`Rules`], and what they agreed to in the [`Binding`].
//!
//! **Invariant:** only the binding is compared. A reworded purpose or another order of keys needs no new
//! answer; another byte of content, path, word, address or limit does, and so do another policy, another
//! definition of the tool and another state of what would be changed.

mod approval;
mod approvers;
mod binding;
mod glyph;
mod grant;
mod principal;
mod proposal;
mod refusals;
mod rules;
mod scope;
mod settle;
pub mod show;
mod signature;

pub use approval::{Answer, Approval, BadApproval};
pub use approvers::{Approvers, BadApprovers, BadLine, BadRevocation, Revoked};
pub use binding::{Binding, Difference, Subject};
pub use grant::{Grant, NotCovered};
pub use principal::{BadPrincipal, Principal};
pub use proposal::Proposal;
pub use refusals::{Refusals, Remembered};
pub use rules::{May, NoQuorum, Risk, Rules};
pub use scope::{Extent, Scope};
pub use settle::{Asked, NotCounted, SetAside, Settled, Signed, Why, settle};
pub use signature::{
    BadCertificate, BadKey, BadSignature, CertificateUsed, NAMESPACE, NotApproved, Signer, check, verify,
};
