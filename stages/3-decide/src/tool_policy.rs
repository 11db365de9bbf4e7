//! The six fields that other runtimes know a tool policy by, with their checks and messages.
//!
//! The gate itself decides by [`crate::decide`], which says the same and more. This is for those
//! who embed it where a `ToolPolicy` is expected, and for `toolgate policy show`.

use call::{AbsolutePath, PathPlace, Paths, cap_text};
use serde::Serialize;

use crate::home::Home;

/// A tool policy. Its fields serialise in the order that readers of traces expect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ToolPolicy {
    /// Folders that may be looked at, absolute and without links.
    pub allowed_roots: Vec<AbsolutePath>,
    /// Whether every change is refused.
    pub read_only: bool,
    /// Whether a shell may run.
    pub allow_shell: bool,
    /// Characters of text that a call gives back.
    pub max_file_chars: usize,
    /// Actions that a person must agree to.
    pub approval_required: Vec<String>,
    /// What was refused so far. Grows before the refusal is given.
    pub violations: Vec<Violation>,
}

/// What was refused, as traces record it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Violation {
    /// A path that does not lie below a root.
    Path {
        /// `path_outside_allowed_roots`
        reason: &'static str,
        /// The path as it was given.
        path: String,
        /// The roots.
        allowed_roots: Vec<AbsolutePath>,
    },
    /// A shell.
    Shell {
        /// `shell_blocked`
        reason: &'static str,
        /// `run_shell`
        action: &'static str,
        /// The line.
        command: String,
    },
    /// Any other refusal.
    Action {
        /// Its reason code.
        reason: String,
        /// The tool.
        action: String,
    },
}

/// Why an action was refused, in the words that traces carry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ToolPolicyError {
    /// A path that does not lie below a root.
    #[error("path is outside allowed roots: {0}")]
    PathOutsideAllowedRoots(String),
    /// A change under a read-only policy.
    #[error("write action blocked by read-only policy: {0}")]
    WriteBlockedReadOnly(String),
    /// A shell where none may run.
    #[error("shell execution is disabled by policy")]
    ShellBlocked,
}

impl ToolPolicy {
    /// The part of a home's policy that these fields hold, without violations.
    #[must_use]
    pub fn of(home: &Home) -> Self {
        Self {
            allowed_roots: home.roots(),
            read_only: home.read_only,
            allow_shell: home.allow_shell,
            max_file_chars: home.max_file_chars,
            approval_required: home.approval_required.clone(),
            violations: Vec::new(),
        }
    }

    /// Where a path leads, when that is a root or lies below one.
    ///
    /// # Errors
    ///
    /// [`ToolPolicyError::PathOutsideAllowedRoots`], recorded as a violation.
    pub fn resolve_path(&mut self, path: &str, paths: &impl Paths) -> Result<AbsolutePath, ToolPolicyError> {
        match paths.locate(path).place {
            PathPlace::Below { path, .. } if self.allowed_roots.iter().any(|root| path.is_within(root)) => {
                Ok(path)
            }
            PathPlace::Below { .. } | PathPlace::Outside | PathPlace::GateHome | PathPlace::Unclear(_) => {
                let reason = "path_outside_allowed_roots";
                let allowed_roots = self.allowed_roots.clone();
                self.violations.push(Violation::Path { reason, path: path.to_owned(), allowed_roots });
                Err(ToolPolicyError::PathOutsideAllowedRoots(path.to_owned()))
            }
        }
    }

    /// Whether something may be changed at all.
    ///
    /// # Errors
    ///
    /// [`ToolPolicyError::WriteBlockedReadOnly`], recorded as a violation.
    pub fn check_write(&mut self, action: &str) -> Result<(), ToolPolicyError> {
        if !self.read_only {
            return Ok(());
        }
        let reason = "write_blocked_read_only".to_owned();
        self.violations.push(Violation::Action { reason, action: action.to_owned() });
        Err(ToolPolicyError::WriteBlockedReadOnly(action.to_owned()))
    }

    /// Whether a shell may run at all.
    ///
    /// # Errors
    ///
    /// [`ToolPolicyError::ShellBlocked`], recorded as a violation.
    pub fn check_shell(&mut self, command: &str) -> Result<(), ToolPolicyError> {
        if self.allow_shell {
            return Ok(());
        }
        let (reason, action) = ("shell_blocked", "run_shell");
        self.violations.push(Violation::Shell { reason, action, command: command.to_owned() });
        Err(ToolPolicyError::ShellBlocked)
    }

    /// A text, cut at the smaller of both limits, with a mark that says how much was left out.
    #[must_use]
    pub fn cap_text(&self, text: &str, max: Option<usize>) -> String {
        cap_text(text, max.map_or(self.max_file_chars, |max| max.min(self.max_file_chars)))
    }

    /// The policy as JSON, keys in their order.
    #[must_use]
    pub fn to_dict(&self) -> String {
        // Texts, numbers and lists of them always have a JSON form.
        serde_json::to_string(self).unwrap_or_default()
    }
}
