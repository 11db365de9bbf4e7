//! What a program may be written in.

/// The languages that a program may be written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// Python.
    Python,
    /// JavaScript on Node.
    Node,
    /// TypeScript on Node.
    Ts,
    /// Go.
    Go,
    /// Ruby.
    Ruby,
}

impl Language {
    /// Every language with its spelling.
    pub const ALL: [(&'static str, Self); 5] = [
        ("python", Self::Python),
        ("node", Self::Node),
        ("ts", Self::Ts),
        ("go", Self::Go),
        ("ruby", Self::Ruby),
    ];

    /// Its spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Node => "node",
            Self::Ts => "ts",
            Self::Go => "go",
            Self::Ruby => "ruby",
        }
    }
}
