//! Risk flags: what a reader of the ledger should look at twice.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

use crate::ReasonCode;

/// A mark on a call that somebody should look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct RiskFlag(Cow<'static, str>);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $flag:literal,)*) => {
        impl RiskFlag {
            $($(#[$doc])* pub const $name: Self = Self(Cow::Borrowed($flag));)*
        }
    };
}

flags! {
    /// An argument looked like an attack on a shell or a path.
    INJECTION_ATTEMPT = "injection_attempt",
    /// An argument carried a secret, or a secret was asked for in vain.
    SECRET_ATTEMPT = "secret_attempt",
    /// A path was refused.
    PATH_DENIED = "path_denied",
    /// A host was refused.
    NETWORK_DENIED = "network_denied",
    /// Code ran against its walls.
    SANDBOX_VIOLATION = "sandbox_violation",
    /// It took too long.
    TIMEOUT = "timeout",
    /// A person agreed to something of high risk.
    HIGH_RISK_APPROVED = "high_risk_approved",
    /// Whoever asked agreed to it themselves.
    SELF_APPROVED = "self_approved",
    /// A text tried to give instructions.
    EXTERNAL_INSTRUCTION = "external_instruction",
    /// A secret was taken out of a result.
    SECRET_REDACTED = "secret_redacted",
    /// What was changed or deleted is not kept beside the ledger: the disk had no room for it.
    CONTENT_NOT_KEPT = "content_not_kept",
    /// The skill may not use the tool.
    TOOL_DENIED = "TOOL_DENIED",
    /// The skill must run in a sandbox.
    SANDBOX_REQUIRED = "SANDBOX_REQUIRED",
    /// The skill is of high risk.
    RISK_TIER_HIGH = "RISK_TIER_HIGH",
    /// The skill is of critical risk.
    RISK_TIER_CRITICAL = "RISK_TIER_CRITICAL",
    /// The tool failed.
    EXECUTION_ERROR = "EXECUTION_ERROR",
}

impl RiskFlag {
    /// `denial:<reason>`, which every denial carries.
    #[must_use]
    pub fn denial(reason: &ReasonCode) -> Self {
        Self(Cow::Owned(format!("denial:{reason}")))
    }

    /// The flag as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RiskFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
