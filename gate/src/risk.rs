//! How much can go wrong with a call, for those who say who may agree to what.

use approve::Risk;
use call::{Access, Effect, Effects, MemoryUse, RiskFlag};
use std::collections::BTreeSet;

/// The risk of what is worst about a call.
pub(crate) fn risk_of(effects: &Effects, flags: &BTreeSet<RiskFlag>) -> Risk {
    let of_skill = if flags.contains(&RiskFlag::RISK_TIER_CRITICAL) {
        Risk::Critical
    } else if flags.contains(&RiskFlag::RISK_TIER_HIGH) {
        Risk::High
    } else {
        Risk::Low
    };
    effects.iter().map(of_effect).fold(of_skill, Ord::max)
}

fn of_effect(effect: &Effect) -> Risk {
    match effect {
        Effect::Read { .. } | Effect::Status | Effect::Nothing | Effect::Memory(MemoryUse::Recall { .. }) => {
            Risk::Low
        }
        Effect::Write { .. } | Effect::Delete { .. } | Effect::Memory(MemoryUse::Store { .. }) => {
            Risk::Medium
        }
        Effect::Query(query) => by_access(query.access),
        Effect::Repository(repository) => by_access(repository.access),
        Effect::Run(_) | Effect::Network(_) | Effect::Secret { .. } => Risk::High,
        Effect::Unknown { .. } => Risk::Critical,
    }
}

const fn by_access(access: Access) -> Risk {
    match access {
        Access::Read => Risk::Low,
        Access::Write => Risk::Medium,
    }
}
