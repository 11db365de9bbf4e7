//! Tool Request and Tool Result documents: Markdown to types, every finding with a code and a place.
//!
//! One pass over a document finds everything that is wrong with it, in the order of the document.
//! Pure: no file, no clock, no environment. The caller brings the bytes, the file's stem and the
//! present moment, so the same document gets the same findings on every machine.
//!
//! Start with [`check`]. The rules it holds a document to are one table, [`rules`].

#[cfg(any(test, feature = "fuzzing"))]
mod agreement;
mod approval;
mod bytes;
mod canonical;
mod checked;
mod command;
mod draft;
mod fields;
mod findings;
mod front;
mod labels;
mod listing;
mod monty;
mod names;
mod outcome;
mod path;
mod profile;
mod report;
mod request;
pub mod rules;
mod screening;
mod sections;
mod text;
mod threegate;
mod yaml;

#[cfg(any(test, feature = "fuzzing"))]
pub use agreement::assert_readers_agree;
pub use approval::{NotFilled, fill_approval};
pub use call::{Finding, Place, Severity};
pub use checked::{Checked, Document, NotText, Source, Verdict, check, digest};
pub use draft::{Draft, DraftInput, DraftOutput, DraftRisk, DraftTask};
pub use outcome::{Artifact, Outcome};
pub use profile::{Differences, Profile, differences};
pub use report::{Report, ReportArtifact, ReportStream, Unwritable};
pub use request::types::{Input, Limits, Output, Request, Requester, Risk, RiskLevel, Sensitivity, Task};

/// A request of more bytes than this is refused unread.
pub const REQUEST_CAP: usize = 256 * 1024;

/// A result of more bytes than this is refused unread. No document is larger, so a reader that
/// stops one byte behind this has seen enough of any file.
pub const RESULT_CAP: usize = 1024 * 1024;
