//! Landlock: no file and no TCP, in the newest form that the kernel has.

use landlock::{
    ABI, Access, AccessFs, AccessNet, LandlockStatus, Ruleset, RulesetAttr, RulesetStatus, Scope,
};

use super::{Missing, missing};

/// The newest form that is asked for. An older kernel does what it can of it.
const NEWEST: ABI = ABI::V9;

/// The oldest that will do: without it, sockets of TCP are not covered.
const OLDEST: ABI = ABI::V4;

/// Refuses every file and every TCP port from now on, and says which form of Landlock does so.
pub(super) fn close() -> Result<String, Missing> {
    let failed = || missing("landlock");
    let rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(NEWEST)))
        .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
        .and_then(Ruleset::create)
        .map_err(failed())?;
    // No rule is added: what is handled and not allowed is refused.
    let status = rules.restrict_self().map_err(failed())?;
    let enforced = match status.ruleset {
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => true,
        RulesetStatus::NotEnforced => false,
    };
    match status.landlock {
        LandlockStatus::Available { effective_abi, .. } if enforced && effective_abi >= OLDEST => {
            Ok((effective_abi as i32).to_string())
        }
        LandlockStatus::Available { effective_abi, .. } => {
            Err(missing("landlock")(format!("the kernel has only ABI {}", effective_abi as i32)))
        }
        LandlockStatus::NotEnabled => Err(missing("landlock")("it is not enabled in this kernel")),
        LandlockStatus::NotImplemented => Err(missing("landlock")("this kernel does not have it")),
    }
}
