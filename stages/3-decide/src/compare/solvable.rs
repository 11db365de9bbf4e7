//! Rules as a solver takes them.
//!
//! Whether an address lies in one of many ranges is a long formula over its bits, and a solver's own
//! compiler spends minutes on it. It is the same formula in every policy, so a solver is told of one bit
//! instead: `resource.private`. What is proved for any value of that bit holds for the true one.

use std::sync::LazyLock;

use cedar_policy::{Policy as CedarPolicy, Schema};

use crate::cedar::{PRIVATE_CONDITION, SCHEMA_TEXT};

static SCHEMA: LazyLock<Option<Schema>> = LazyLock::new(|| {
    let text = SCHEMA_TEXT.replacen("\"address\"?: ipaddr,", "\"address\"?: ipaddr, \"private\": Bool,", 1);
    Schema::from_cedarschema_str(&text).ok().map(|(schema, _)| schema)
});

/// The schema that rules are held to once they are written this way.
#[must_use]
pub fn schema() -> Option<&'static Schema> {
    SCHEMA.as_ref()
}

/// The rule with that bit in the place of the ranges. Nothing comes back for one that has more ranges
/// than a solver can be asked about.
pub(super) fn rule(rule: &CedarPolicy) -> Option<CedarPolicy> {
    const RANGES: usize = 4;
    let text = rule.to_string();
    let short = text.replace(PRIVATE_CONDITION.as_str(), "resource.private");
    if short.matches("isInRange").count() > RANGES {
        return None;
    }
    if short == text {
        return Some(rule.clone());
    }
    CedarPolicy::parse(Some(rule.id().clone()), short).ok()
}
