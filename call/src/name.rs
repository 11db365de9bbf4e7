//! Names that agents, policies, prompts and the ledger share.
//!
//! They come from outside, so each is parsed once, here. Their alphabets are narrow enough that a
//! name can be printed in a terminal, a log line or a page without escaping, and that two different
//! names do not look the same to the person who approves.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A text is not a name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} has {rule}")]
pub struct BadName {
    what: &'static str,
    rule: &'static str,
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident, $what:literal, $longest:literal, $rule:literal, $fits:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(
            // Shared: whoever made a call is named in every event about it.
            Arc<str>,
        );

        impl $name {
            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = BadName;

            fn from_str(text: &str) -> Result<Self, BadName> {
                let fits: fn(&[u8]) -> bool = $fits;
                if (1..=$longest).contains(&text.len()) && fits(text.as_bytes()) {
                    Ok(Self(text.into()))
                } else {
                    Err(BadName { what: $what, rule: $rule })
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }
    };
}

name!(
    /// The name of a tool, `read_file` or `server.tool`; its case matters.
    ///
    /// ```
    /// use call::ToolName;
    ///
    /// assert!("read_file".parse::<ToolName>().is_ok());
    /// assert!("read\u{200b}file".parse::<ToolName>().is_err());
    /// ```
    ToolName,
    "a tool's name",
    128,
    "1 to 128 ASCII letters, digits, `_`, `-`, `.` and `/`",
    |bytes| bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(byte))
);

name!(
    /// The name of a skill, which is the name of its folder.
    ///
    /// ```
    /// use call::SkillName;
    ///
    /// assert!("web_research".parse::<SkillName>().is_ok());
    /// assert!("../web".parse::<SkillName>().is_err());
    /// ```
    SkillName,
    "a skill's name",
    64,
    "1 to 64 lower-case letters, digits, `_` and `-`, and begins with a letter",
    |bytes| {
        bytes.first().is_some_and(u8::is_ascii_lowercase)
            && bytes.iter().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(byte)
            })
    }
);

name!(
    /// Who asks: the name of an agent.
    AgentName,
    "an agent's name",
    128,
    "1 to 128 ASCII letters, digits, `_`, `-`, `.`, `:`, `/`, `@` and `+`",
    |bytes| bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:/@+".contains(byte))
);

name!(
    /// Which of an agent's sessions asks.
    SessionId,
    "a session's name",
    128,
    "1 to 128 ASCII letters, digits, `_`, `-`, `.` and `:`",
    |bytes| bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-.:".contains(byte))
);
