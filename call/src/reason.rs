//! Why a ruling is what it is, in words that programs and people both read.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

/// A reason in one machine-readable word, such as `path_denied`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ReasonCode(
    // Invariant: lower-case letters, digits and `_`, at most 64.
    Cow<'static, str>,
);

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $code:literal,)*) => {
        impl ReasonCode {
            $($(#[$doc])* pub const $name: Self = Self(Cow::Borrowed($code));)*

            /// Every code that the gate itself gives.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];
        }
    };
}

reasons! {
    /// The path does not lie below an allowed root.
    PATH_OUTSIDE_ALLOWED_ROOTS = "path_outside_allowed_roots",
    /// The home is read-only.
    WRITE_BLOCKED_READ_ONLY = "write_blocked_read_only",
    /// Shells are off.
    SHELL_BLOCKED = "shell_blocked",
    /// The skill has no manifest.
    NO_PERMISSIONS_DEFINED = "no_permissions_defined",
    /// The skill may not use the tool.
    TOOL_DENIED = "tool_denied",
    /// The path is on a deny list.
    PATH_DENIED = "path_denied",
    /// The path is on no list that allows it.
    PATH_NOT_ALLOWED = "path_not_allowed",
    /// The network is off.
    NETWORK_DISABLED = "network_disabled",
    /// The host is on no list that allows it.
    DOMAIN_NOT_ALLOWED = "domain_not_allowed",
    /// The host is on a deny list.
    DOMAIN_DENIED = "domain_denied",
    /// The scope is on no list that allows it.
    SECRET_SCOPE_DENIED = "secret_scope_denied",
    /// Secrets are for operators.
    SECRET_CONTEXT_DENIED = "secret_context_denied",
    /// The call is no call: no purpose, bad JSON, arguments that do not fit.
    BAD_REQUEST = "bad_request",
    /// Whoever asks may not come in at all, or not in this session.
    NOT_ADMITTED = "not_admitted",
    /// There is no such tool, or nothing says what it does.
    UNKNOWN_TOOL = "unknown_tool",
    /// Another server's tool without a mapping.
    UNMAPPED_TOOL = "unmapped_tool",
    /// It cannot be said what the call would do.
    UNKNOWN_EFFECT = "unknown_effect",
    /// The skill's manifest is not valid.
    INVALID_MANIFEST = "invalid_manifest",
    /// The files of the policy are not those that were applied.
    POLICY_NOT_APPLIED = "policy_not_applied",
    /// There is no policy, or it cannot be read.
    NO_POLICY = "no_policy",
    /// A rule could not be evaluated.
    POLICY_ERROR = "policy_error",
    /// The organisation's own rules say no.
    ORGANISATION_POLICY = "organisation_policy",
    /// The path leads into the gate's own home.
    GATE_HOME = "gate_home",
    /// It cannot be said where the path leads.
    PATH_UNCLEAR = "path_unclear",
    /// Nothing can be where the path leads.
    NOT_FOUND = "not_found",
    /// Neither a file nor a folder.
    SPECIAL_FILE = "special_file",
    /// The address is private, loopback, link-local or a metadata service.
    PRIVATE_ADDRESS = "private_address",
    /// The method is not one that the skill may use.
    METHOD_NOT_ALLOWED = "method_not_allowed",
    /// Policy names no such database.
    DATABASE_NOT_ALLOWED = "database_not_allowed",
    /// The table may not be written.
    TABLE_NOT_ALLOWED = "table_not_allowed",
    /// The repository is not authorised.
    REPOSITORY_NOT_ALLOWED = "repository_not_allowed",
    /// The branch is protected.
    BRANCH_PROTECTED = "branch_protected",
    /// The lane is weaker than policy demands.
    LANE_TOO_WEAK = "lane_too_weak",
    /// The machine does not have the lane that the code is to run in, and no weaker one takes its place.
    LANE_MISSING = "lane_missing",
    /// The machine does not have the runtime of the language.
    RUNTIME_MISSING = "runtime_missing",
    /// More than the skill may ask for.
    LIMIT_EXCEEDED = "limit_exceeded",
    /// A person must agree.
    APPROVAL_REQUIRED = "approval_required",
    /// The approval was for another call.
    APPROVAL_MISMATCH = "approval_mismatch",
    /// The approval was used, or the call has ended.
    APPROVAL_USED = "approval_used",
    /// The approval does not count any more, or never did.
    APPROVAL_INVALID = "approval_invalid",
    /// Nobody agreed in time.
    APPROVAL_EXPIRED = "approval_expired",
    /// A person said no.
    APPROVAL_REFUSED = "approval_refused",
    /// The session has as many questions open as it may.
    TOO_MANY_WAITING = "too_many_waiting",
    /// What stands at a target is not what was approved.
    TARGET_CHANGED = "target_changed",
    /// An argument holds a download that is piped into a shell, or kin.
    SHELL_INJECTION = "shell_injection",
    /// An argument climbs out of its folder, or reaches for where secrets lie.
    PATH_TRAVERSAL = "path_traversal",
    /// An argument carries or collects secrets.
    SECRET_EXFILTRATION = "secret_exfiltration",
    /// An argument tries to take over whoever reads it.
    INSTRUCTION_OVERRIDE = "instruction_override",
}

impl ReasonCode {
    /// Reads a code, for instance from an annotation of an organisation's policy.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        let plain = (1..=64).contains(&text.len()) && text.bytes().all(fits);
        plain.then(|| Self(Cow::Owned(text.to_owned())))
    }

    /// The code as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is this machine that lacks something, and nobody who says no.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        [Self::LANE_MISSING, Self::RUNTIME_MISSING].contains(self)
    }
}

impl fmt::Display for ReasonCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One reason for a ruling.
///
/// The agent is shown all of it, so it names nothing that the agent may not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The reason in one word.
    pub code: ReasonCode,
    /// The reason in a sentence.
    pub message: String,
    /// The rule that spoke, when one did: `policy.toml:7` or `skills/web_research/tools.allow`.
    pub rule: Option<String>,
    /// What would be allowed instead, or who can grant it.
    pub remedy: Option<String>,
}
