//! Policy for effects that only turn up while a call runs.

use call::{Actor, Effect, Effects, Judge, Moment, Reason, ReasonCode, Ruling, ToolName};
use decide::{Deciding, decide};

use crate::standing::Rulebook;

/// Says about one more effect of a call what was said about its others, by the same policy.
pub(crate) struct SamePolicy<'r> {
    pub(crate) rulebook: &'r Rulebook,
    pub(crate) tool: &'r ToolName,
    pub(crate) actor: &'r Actor,
    pub(crate) now: Moment,
    /// Whether a person agreed to the call.
    pub(crate) approved: bool,
}

impl Judge for SamePolicy<'_> {
    fn allows(&self, effect: &Effect) -> Result<(), Reason> {
        let effects = Effects::new(vec![effect.clone()]);
        let deciding = Deciding {
            tool: self.tool,
            actor: self.actor,
            effects: &effects,
            objections: &[],
            now: self.now,
        };
        let reasons = match decide(&self.rulebook.policy, &deciding).ruling {
            Ruling::Allow(_) => return Ok(()),
            // Whoever agreed to a search has agreed to a look at what it finds; to nothing else.
            Ruling::Ask(_) if self.approved && matches!(effect, Effect::Read { .. }) => return Ok(()),
            Ruling::Ask(question) => question.reasons,
            Ruling::Deny(refusal) => refusal.reasons,
        };
        Err(reasons.into_iter().next().unwrap_or_else(|| Reason {
            code: ReasonCode::UNKNOWN_EFFECT,
            message: "policy does not allow what the call turned out to do".to_owned(),
            rule: None,
            remedy: None,
        }))
    }
}
