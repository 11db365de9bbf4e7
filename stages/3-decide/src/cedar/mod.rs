//! The policy as Cedar: what is written in `policy.toml` and the manifests, as rules with ids.

mod filing;
mod globs;
mod home;
mod index;
mod literal;
mod organisation;
mod pattern;
mod question;
mod quick;
mod rule;
mod shared;
mod skill;

pub(crate) use home::home_rules;
pub(crate) use index::{ACTIONS, Index, Names, Spoken, concerns};
pub(crate) use organisation::organisation_rules;
pub(crate) use pattern::pattern;
pub(crate) use question::{Authority, Circumstances, Question, folders_of, groups_of};
pub(crate) use rule::{Remark, RuleText};
pub(crate) use shared::PRIVATE_CONDITION;
pub(crate) use skill::skill_rules;

use std::sync::LazyLock;

use cedar_policy::Schema;

/// The schema as text, for `policy show --cedar`.
pub(crate) const SCHEMA_TEXT: &str = include_str!("schema.cedarschema");

/// The schema, parsed. It is part of the program, and a test parses it.
pub(crate) static SCHEMA: LazyLock<Option<Schema>> =
    LazyLock::new(|| Schema::from_cedarschema_str(SCHEMA_TEXT).ok().map(|(schema, _)| schema));

#[cfg(test)]
mod tests {
    #[test]
    fn the_schema_can_be_parsed() {
        cedar_policy::Schema::from_cedarschema_str(super::SCHEMA_TEXT).map(drop).unwrap();
    }
}
