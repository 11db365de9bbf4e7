//! Rules that texts are held to, as rows of a table.

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// What was checked must not be used.
    Error,
    /// Worth a look; it may be used.
    Warning,
}

/// One rule. Its code is a promise: it keeps its meaning for ever, and a retired one is never used
/// again.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable code, such as `TR104`.
    pub code: &'static str,
    /// What a finding of this rule means.
    pub severity: Severity,
    /// What must hold, in one sentence.
    pub holds: &'static str,
}

/// Makes a table of rules: one static for each, and `ALL` of them by code.
#[macro_export]
macro_rules! rules {
    ($($name:ident = $code:literal $severity:ident $holds:literal;)+) => {
        $(#[doc = concat!("`", $code, "`: ", $holds, ".")]
        pub static $name: $crate::Rule =
            $crate::Rule { code: $code, severity: $crate::Severity::$severity, holds: $holds };)+

        /// Every rule, by code.
        pub static ALL: &[&$crate::Rule] = &[$(&$name),+];
    };
}
