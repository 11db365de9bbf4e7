//! The runtimes of languages, as this machine has them.
//!
//! A runtime is asked where it keeps its things, and its libraries are found as the loader finds them.
//! Nothing else of the machine is seen by a program.

mod ask;
mod javascript;
mod libraries;
mod origin;
mod packaged;
mod typescript;

pub use origin::{Origin, Surroundings};

use std::path::{Path, PathBuf};

use call::Language;

use crate::LaneError;

/// A language as this machine can run it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runtime {
    /// The language.
    pub language: Language,
    /// What it says of itself.
    pub version: String,
    /// The program, with no link in its path.
    pub program: PathBuf,
    /// Folders with what belongs to it, and programs that it starts itself.
    pub folders: Vec<PathBuf>,
    /// Libraries that the loader gives to it.
    pub libraries: Vec<PathBuf>,
    /// Arguments in front of a file with code.
    pub before_code: Vec<String>,
    /// Variables that it needs where nothing but `/tmp` can be written to.
    pub environment: Vec<(String, String)>,
}

impl Runtime {
    /// The runtime of a language, looked for in these folders.
    ///
    /// # Errors
    /// When there is none, with the package that provides it.
    pub fn find(language: Language, search: &[PathBuf]) -> Result<Self, LaneError> {
        let missing = |why: String| LaneError::NoRuntime { language, why };
        let names = names(language);
        let found = names.iter().find_map(|name| {
            search.iter().map(|folder| folder.join(name)).find(|program| is_program(program))
        });
        let found = found.ok_or_else(|| {
            missing(format!(
                "there is no `{}` in the search path; on Debian or Ubuntu, `apt-get install {}` provides it",
                names.join("` or `"),
                package(language)
            ))
        })?;
        let mut asked = ask::ask(language, &found, search).map_err(missing)?;
        if let Some(hidden) = std::iter::once(&asked.program).chain(&asked.tools).find(|path| is_hidden(path))
        {
            return Err(missing(format!(
                "`{}` lies in a folder that every run has for itself; a runtime below `/usr` or `/opt` is seen",
                hidden.display()
            )));
        }
        let libraries_of = |program: &Path, folders: &[PathBuf], by_name: &[&str]| {
            libraries::closure(program, folders, by_name).map_err(|error| {
                missing(format!("the libraries of `{}` cannot be found: {error}", program.display()))
            })
        };
        let mut libraries = libraries_of(&asked.program, &asked.folders, &BY_NAME)?;
        for tool in &asked.tools {
            libraries.extend(libraries_of(tool, &[], &[])?);
        }
        asked.folders.extend(SHARED.iter().map(PathBuf::from).filter(|folder| folder.is_dir()));
        Ok(Self {
            language,
            version: asked.version,
            program: asked.program,
            folders: [asked.folders, asked.tools].concat(),
            libraries,
            before_code: asked.before_code,
            environment: asked.environment,
        })
    }

    /// A plain program of the machine as if it were a runtime, to try a lane with.
    ///
    /// # Errors
    /// When its libraries cannot be found.
    pub fn of_program(program: &Path) -> std::io::Result<Self> {
        let program = std::fs::canonicalize(program)?;
        Ok(Self {
            language: Language::Python,
            version: String::new(),
            libraries: libraries::closure(&program, &[], &[])?,
            program,
            folders: Vec::new(),
            before_code: Vec::new(),
            environment: Vec::new(),
        })
    }

    /// The name of a file with this code of the language.
    #[must_use]
    pub fn code_file(&self, code: &str) -> &'static str {
        match self.language {
            Language::Python => "main.py",
            Language::Node => javascript::code_file(code),
            Language::Ts => "main.mts",
            Language::Go => "main.go",
            Language::Ruby => "main.rb",
        }
    }
}

/// What programs of every language expect of a machine beside their runtime: the one locale that is always
/// there, and what time it is elsewhere.
const SHARED: [&str; 3] = ["/usr/lib/locale/C.utf8", "/usr/lib/locale/C.UTF-8", "/usr/share/zoneinfo"];

/// What the C library loads when a thread is ended early.
const BY_NAME: [&str; 1] = ["libgcc_s.so.1"];

/// The names that a runtime goes by.
#[must_use]
pub const fn names(language: Language) -> &'static [&'static str] {
    match language {
        Language::Python => &["python3", "python"],
        Language::Node | Language::Ts => &["node"],
        Language::Go => &["go"],
        Language::Ruby => &["ruby"],
    }
}

/// The package that provides a runtime.
const fn package(language: Language) -> &'static str {
    match language {
        Language::Python => "python3",
        Language::Node | Language::Ts => "nodejs",
        Language::Go => "golang-go",
        Language::Ruby => "ruby",
    }
}

/// Does it lie where a run has something of its own?
fn is_hidden(path: &Path) -> bool {
    ["/tmp", "/in", "/out", "/code", "/dev", "/proc"].iter().any(|own| path.starts_with(own))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|kind| kind.is_file() && kind.permissions().mode() & 0o111 != 0)
}
