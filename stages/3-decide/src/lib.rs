//! Stage 3: what does policy say about this call?
//!
//! Pure and total. [`decide`] has no error case: everything that can be wrong with a policy is
//! found when it is loaded, and a call that no rule allows is denied. No clock, no files, no
//! network; the same inputs give the same ruling on every machine, so an auditor can replay it.
//!
//! `policy.toml` and every manifest are compiled to Cedar, and so is an organisation's own policy
//! held to the same schema. Each effect of a call is put to each authority that must allow it: the
//! home, and every skill of the chain.
//!
//! **Invariants:** one more rule that refuses never loosens a ruling; deny beats ask beats allow;
//! neither the order of rules nor that of keys matters; authority is not transitive between skills.

mod cedar;
pub mod compare;
mod decide;
mod entry;
mod files;
mod finding;
mod home;
mod passing;
mod policy;
mod read;
pub mod rules;
mod skill;
mod table;
mod tool_policy;
mod walls;
mod wording;

pub use decide::{Deciding, Voice, decide, explain};
pub use entry::{HostEntry, PathEntry};
pub use files::{Ground, PolicyFiles};
pub use finding::{PolicyFinding, text_of_file};
pub use home::{
    Approvals, Database, DatabaseLocation, Github, Home, Lanes, May, Network, Organisation, Provider,
};
pub use policy::{Loaded, Policy};
pub use skill::{Limits, RiskTier, Skill};
pub use tool_policy::{ToolPolicy, ToolPolicyError, Violation};
pub use wording::flag_of;
