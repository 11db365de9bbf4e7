//! The path of a call: one type for each point on it ([`pass`]), and the whole way on one screen
//! ([`Gate::handle`]).
//!
//! Touches nothing itself: time, tools and what sessions have used up come by traits, and what is written
//! down goes to the ledger. Every way out has been written to the ledger first.

mod answers;
mod clean;
mod docket;
mod fence;
mod gate;
mod halt;
mod held;
mod incoming;
mod judge;
mod keepsake;
mod knowledge;
pub mod pass;
mod reply;
mod risk;
mod shorten;
mod split;
mod standing;
mod waiting;
mod watch;
mod weigh;

pub use answers::{NoQuestion, Question};
pub use gate::Gate;
pub use halt::Halt;
pub use incoming::Incoming;
pub use knowledge::Knowledge;
pub use pass::{Begun, Recording};
pub use reply::{Reply, Status};
pub use standing::{House, NoRules, Rulebook, Standing};
pub use waiting::{Patience, Waiting};
pub use weigh::Weighed;
