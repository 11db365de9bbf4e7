//! One call of a tool, as it arrives.

use crate::{Actor, Arguments, ToolName};

/// The names of the gate's own tools, as policy may speak of them. `run_shell` is another spelling
/// of `exec_shell`.
pub const BUILT_IN_TOOLS: [&str; 22] = [
    "delete_file",
    "diff",
    "edit_file",
    "exec_sandbox",
    "exec_shell",
    "execute_db",
    "github_add_comment",
    "github_create_pr",
    "github_get_pr",
    "github_list_files",
    "github_list_prs",
    "list_files",
    "memory_recall",
    "memory_store",
    "network_fetch",
    "query_db",
    "read_file",
    "run_shell",
    "search_files",
    "secrets_get",
    "status",
    "write_file",
];

/// What an agent asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    /// Which tool.
    pub tool: ToolName,
    /// Why, in the agent's words. Shown to people, never decided by.
    pub purpose: Purpose,
    /// With what.
    pub arguments: Arguments,
    /// Who asks.
    pub actor: Actor,
}

/// Why a call is made. No purpose, no call.
///
/// ```
/// use call::Purpose;
///
/// assert!("Update the README".parse::<Purpose>().is_ok());
/// assert!("  ".parse::<Purpose>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purpose(
    // Invariant: has something to read in it, and at most 2,000 characters.
    Box<str>,
);

/// A text is not a purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPurpose {
    /// There is nothing in it.
    #[error("the call has no purpose")]
    Empty,
    /// There is something in it, and nothing to read.
    #[error("the purpose has no letter and no digit in it; say in a sentence what the call is for")]
    Wordless,
    /// It holds characters that a terminal acts on.
    #[error("the purpose holds control characters")]
    Control,
    /// It is longer than a person reads.
    #[error("the purpose is longer than 2,000 characters")]
    TooLong,
}

impl Purpose {
    /// Characters of the longest one.
    pub const LONGEST: usize = 2_000;

    /// The purpose as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for Purpose {
    type Err = BadPurpose;

    fn from_str(text: &str) -> Result<Self, BadPurpose> {
        if text.trim().is_empty() {
            return Err(BadPurpose::Empty);
        }
        if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return Err(BadPurpose::Control);
        }
        if !text.chars().any(char::is_alphanumeric) {
            return Err(BadPurpose::Wordless);
        }
        if text.chars().count() > Self::LONGEST {
            return Err(BadPurpose::TooLong);
        }
        Ok(Self(text.trim().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::{BadPurpose, Purpose};

    #[test]
    fn a_purpose_that_says_nothing_is_told_from_one_that_is_missing() {
        for text in ["", "  ", "\n\t", "\u{a0}"] {
            assert_eq!(text.parse::<Purpose>(), Err(BadPurpose::Empty), "{text:?}");
        }
        for text in ["-", "?", "…", "🎉", "...", "--- !", "\u{200b}"] {
            assert_eq!(text.parse::<Purpose>(), Err(BadPurpose::Wordless), "{text:?}");
        }
        for text in ["\0", "\u{1b}[1m", "?\u{8}"] {
            assert_eq!(text.parse::<Purpose>(), Err(BadPurpose::Control), "{text:?}");
        }
        for text in ["1", "é", "計算", "🎉 release", "fix #12?"] {
            assert!(text.parse::<Purpose>().is_ok(), "{text:?}");
        }
    }
}
