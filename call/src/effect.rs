//! What a call would do to the world.
//!
//! Policy speaks of effects and of nothing else: a tool's name is a label, and what it would read,
//! write, run, send or reveal is decided, shown to the approver and bound by the approval.

mod canonical;
mod recorded;

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::{Located, Paths, Sha256, WebAddress};

/// One thing that a call would do. `P` is how paths are given: as they were written, until
/// [`Effects::located`] has found out where they lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<P = Located> {
    /// Look at a file or folder.
    Read {
        /// Which.
        path: P,
        /// How much of it.
        reach: Reach,
    },
    /// Create or change a file.
    Write {
        /// Which.
        path: P,
        /// Into what.
        change: Change,
    },
    /// Remove a file.
    Delete {
        /// Which.
        path: P,
    },
    /// Run code.
    Run(Run),
    /// Talk to another machine.
    Network(WebRequest),
    /// Use a credential.
    Secret {
        /// The scope that holds it.
        scope: String,
        /// Its name in the scope.
        name: String,
        /// Where its value goes.
        reveal: SecretUse,
    },
    /// Ask a database, or change it.
    Query(Query),
    /// Remember or recall.
    Memory(MemoryUse),
    /// Look at or change a repository on a forge.
    Repository(RepositoryUse),
    /// Ask the gate about itself.
    Status,
    /// Touch nothing: another server's tool that only computes, as its mapping says.
    Nothing,
    /// It cannot be said, and so it is refused.
    Unknown {
        /// What stood in the way; what to do instead stands behind its last semicolon, if there is something.
        why: String,
    },
}

/// How much of what lies at a path is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reach {
    /// The thing itself.
    Itself,
    /// The thing and whatever lies below it.
    Below,
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "change")]
pub enum Change {
    /// This content replaces whatever is there.
    Content {
        /// Its digest.
        sha256: Sha256,
        /// Its size.
        bytes: u64,
        /// Whether it is anything but text.
        binary: bool,
        /// Whether missing folders are made.
        create_dirs: bool,
    },
    /// One text is replaced by another.
    Edit {
        /// Digest of the old text.
        old: Sha256,
        /// Digest of the new text.
        new: Sha256,
        /// Bytes of the new text.
        bytes: u64,
        /// Whether the new text is anything but text.
        #[serde(default, skip_serializing_if = "is_text")]
        binary: bool,
        /// Everywhere, or once.
        all: bool,
    },
    /// By another server's tool, in a way that is its own.
    Foreign,
}

/// What was recorded before anything was said about it was text.
const fn is_text(binary: &bool) -> bool {
    !*binary
}

/// Code to be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// What is run.
    pub program: Program,
    /// The lane that was asked for, if any.
    pub lane: Option<Lane>,
    /// Whether it asks for the network.
    pub network: bool,
    /// Digest of what it is given on standard input.
    pub stdin: Option<Sha256>,
    /// How many files it is given.
    pub inputs: usize,
    /// Names and digests of values of the variables that it is given, in order of the names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<(String, Sha256)>,
    /// The limits that were asked for.
    pub limits: RunLimits,
}

/// What is run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "program")]
pub enum Program {
    /// Source code of a language.
    Code {
        /// The language.
        language: String,
        /// Digest of the source.
        sha256: Sha256,
    },
    /// A program and its arguments.
    Argv {
        /// The language whose runtime it is.
        language: String,
        /// The words.
        argv: Vec<String>,
    },
    /// A line for a shell.
    Shell {
        /// The line.
        command: String,
    },
    /// Another server's tool that runs things in a way that is its own.
    Foreign {
        /// The line or words it was given.
        command: String,
    },
}

/// Limits that a call asks for. Nothing means the default of the gate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLimits {
    /// Seconds of wall-clock time.
    pub time_limit_sec: Option<u32>,
    /// Megabytes of memory.
    pub memory_limit_mb: Option<u32>,
    /// Processors.
    pub cpu_limit: Option<u32>,
}

/// Where code runs, weakest isolation from the machine first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lane {
    /// An interpreter without any access, for Python that needs nothing.
    Monty,
    /// Namespaces, Landlock and seccomp of the kernel.
    Jail,
    /// A kernel of its own.
    Microvm,
}

impl Lane {
    /// All lanes with their spellings.
    pub const ALL: [(&'static str, Self); 3] =
        [("monty", Self::Monty), ("jail", Self::Jail), ("microvm", Self::Microvm)];

    /// Its spelling.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Monty => "monty",
            Self::Jail => "jail",
            Self::Microvm => "microvm",
        }
    }
}

/// A request to another machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebRequest {
    /// The method, upper case.
    pub method: String,
    /// The address.
    pub url: WebAddress,
    /// Names and digests of values of the headers, in order of the names.
    pub headers: Vec<(String, Sha256)>,
    /// Digest of the body.
    pub body: Option<Sha256>,
}

/// Where the value of a credential goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecretUse {
    /// Into a header of a request.
    Header,
    /// Into the environment of a run.
    Env,
    /// Into a file of a run.
    File,
}

/// A statement for a database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Query {
    /// The database, as policy names it.
    pub database: String,
    /// Whether it changes anything.
    pub access: Access,
    /// The tables it names, sorted.
    pub tables: Vec<String>,
    /// The statement.
    pub sql: String,
    /// Digest of the parameters.
    pub parameters: Sha256,
}

/// Looking or changing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// Nothing changes.
    Read,
    /// Something does.
    Write,
}

/// What is done with the gate's memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "memory")]
pub enum MemoryUse {
    /// Texts are searched for.
    Recall {
        /// Digest of the query.
        query: Sha256,
    },
    /// A text is kept.
    Store {
        /// Digest of the text.
        text: Sha256,
        /// Its tags.
        tags: Vec<String>,
    },
}

/// What is done with a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryUse {
    /// `owner/name`
    pub repository: String,
    /// Looking or changing.
    pub access: Access,
    /// The branch that is written to.
    pub branch: Option<String>,
    /// The branch that a pull request asks to be merged into.
    pub base: Option<String>,
    /// Digest of everything else that is sent.
    pub content: Sha256,
}

/// Everything that one call would do. Never empty: a call whose effects are not known has one
/// unknown effect, which is the strict reading.
#[derive(Debug, PartialEq, Eq)]
pub struct Effects<P = Located>(
    // Shared: nobody changes effects, and the ruling, the ledger and whoever runs the call all have them.
    Arc<Held<P>>,
);

#[derive(Debug, PartialEq, Eq)]
struct Held<P> {
    all: Vec<Effect<P>>,
    digest: Taken,
}

impl<P> Clone for Effects<P> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The digest of effects once somebody asked for it. Effects never change, so it is taken once; and it says
/// nothing that they do not say themselves, so two of them are alike whether it was taken or not.
#[derive(Debug, Default)]
struct Taken(OnceLock<Sha256>);

impl PartialEq for Taken {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Taken {}

impl<P> Effects<P> {
    /// These effects; none at all counts as unknown.
    #[must_use]
    pub fn new(effects: Vec<Effect<P>>) -> Self {
        if effects.is_empty() {
            return Self::of(vec![Effect::Unknown { why: "nothing says what this call does".to_owned() }]);
        }
        Self::of(effects)
    }

    /// The effects, in the order in which they happen.
    pub fn iter(&self) -> impl Iterator<Item = &Effect<P>> {
        self.0.all.iter()
    }

    fn of(all: Vec<Effect<P>>) -> Self {
        Self(Arc::new(Held { all, digest: Taken::default() }))
    }
}

impl Effects<String> {
    /// The same effects, with every path followed to where it leads.
    pub fn located(self, paths: &impl Paths) -> Effects {
        self.with_paths(|path| paths.locate(&path))
    }
}

impl<P: Clone> Effects<P> {
    /// The same effects, with every path made into another one.
    pub fn with_paths<Q>(self, mut other: impl FnMut(P) -> Q) -> Effects<Q> {
        let all = Arc::try_unwrap(self.0).map_or_else(|shared| shared.all.clone(), |own| own.all);
        let effects = all.into_iter().map(|effect| match effect {
            Effect::Read { path, reach } => Effect::Read { path: other(path), reach },
            Effect::Write { path, change } => Effect::Write { path: other(path), change },
            Effect::Delete { path } => Effect::Delete { path: other(path) },
            Effect::Run(run) => Effect::Run(run),
            Effect::Network(request) => Effect::Network(request),
            Effect::Secret { scope, name, reveal } => Effect::Secret { scope, name, reveal },
            Effect::Query(query) => Effect::Query(query),
            Effect::Memory(memory) => Effect::Memory(memory),
            Effect::Repository(repository) => Effect::Repository(repository),
            Effect::Status => Effect::Status,
            Effect::Nothing => Effect::Nothing,
            Effect::Unknown { why } => Effect::Unknown { why },
        });
        Effects::of(effects.collect())
    }
}
