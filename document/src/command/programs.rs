//! The runtimes of each language, and how they read their command lines.
//!
//! This is no list of safe commands: it says which programs belong to a language and what their
//! options take, so that code can be told from a path. What is refused by name is in [`super::refused`].

use call::Language;

/// What the argument of an option is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// A program text in the language itself.
    Code,
    /// A module to run; what follows are its arguments.
    Module,
    /// A script, looked up where programs are found; what follows are its arguments.
    Script,
    /// Another program, or a script that a shell runs.
    Program,
    /// Anything else.
    Value,
}

/// How a runtime reads its command line.
#[derive(Debug)]
pub(super) struct Runtime {
    pub(super) language: Language,
    /// Names that start it. `python3.N` belongs to `python3`.
    pub(super) programs: &'static [&'static str],
    /// Whether `-abc` means `-a -b -c`.
    pub(super) clusters: bool,
    /// Options that take an argument, in the next word, behind `=`, or attached to one letter.
    pub(super) options: &'static [(&'static str, Takes)],
    /// Folders of its own library, as parent and beginning of the name.
    pub(super) library: &'static [(&'static str, &'static str)],
}

use Takes::{Code, Module, Program, Script, Value};

const NODE_OPTIONS: &[(&str, Takes)] = &[
    ("-e", Code),
    ("--eval", Code),
    ("-p", Code),
    ("--print", Code),
    ("-pe", Code),
    ("--run", Program),
    ("-r", Value),
    ("--require", Value),
    ("--import", Value),
    ("--loader", Value),
    ("--experimental-loader", Value),
    ("-C", Value),
    ("--conditions", Value),
    ("--env-file", Value),
    ("--input-type", Value),
    ("--tsconfig", Value),
    ("-P", Value),
    ("--project", Value),
    ("-O", Value),
    ("--compiler-options", Value),
    ("--cwd", Value),
];

const NODE_LIBRARY: &[(&str, &str)] =
    &[("/usr/lib", "node_modules"), ("/usr/local/lib", "node_modules"), ("/usr/share", "nodejs")];

pub(super) const RUNTIMES: &[Runtime] = &[
    Runtime {
        language: Language::Python,
        programs: &["python", "python3"],
        clusters: true,
        options: &[
            ("-c", Code),
            ("-m", Module),
            ("-W", Value),
            ("-X", Value),
            ("--check-hash-based-pycs", Value),
        ],
        library: &[("/usr/lib", "python3"), ("/usr/local/lib", "python3")],
    },
    Runtime {
        language: Language::Node,
        programs: &["node"],
        clusters: false,
        options: NODE_OPTIONS,
        library: NODE_LIBRARY,
    },
    Runtime {
        language: Language::Ts,
        programs: &["tsx", "ts-node", "node"],
        clusters: false,
        options: NODE_OPTIONS,
        library: NODE_LIBRARY,
    },
    Runtime {
        language: Language::Go,
        programs: &["go"],
        clusters: false,
        options: &[
            ("-exec", Program),
            ("-toolexec", Program),
            ("-C", Value),
            ("-p", Value),
            ("-mod", Value),
            ("-modfile", Value),
            ("-overlay", Value),
            ("-tags", Value),
            ("-ldflags", Value),
            ("-gcflags", Value),
            ("-asmflags", Value),
            ("-buildmode", Value),
            ("-compiler", Value),
            ("-pkgdir", Value),
        ],
        library: &[("/usr/lib", "go"), ("/usr/local", "go"), ("/usr/share", "go")],
    },
    Runtime {
        language: Language::Ruby,
        programs: &["ruby"],
        clusters: true,
        options: &[
            ("-e", Code),
            ("-S", Script),
            ("-r", Value),
            ("-I", Value),
            ("-C", Value),
            ("-X", Value),
            ("-E", Value),
            ("--encoding", Value),
            ("--external-encoding", Value),
            ("--internal-encoding", Value),
        ],
        library: &[("/usr/lib", "ruby"), ("/usr/local/lib", "ruby"), ("/var/lib", "gems")],
    },
];

/// Folders that a runtime may be named in.
pub(super) const PROGRAM_FOLDERS: [&str; 2] = ["/usr/bin/", "/usr/local/bin/"];
