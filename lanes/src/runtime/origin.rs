//! What a command line starts, and which files of the machine that is made of.
//!
//! A server is started by a word such as `mcp-server-filesystem`, which is a link to a script, which names
//! its interpreter, which has a library of its own. Everything on that way is found here, so that a jail can
//! show it and nothing else. Nothing of a package is run to find it: an interpreter is asked where its things
//! are by its own program, never by that of a virtual environment.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use call::Language;

use super::{ask, libraries, packaged};
use crate::LaneError;

/// Where a command line is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'s> {
    /// Folders in which programs are looked for, in order.
    pub search: &'s [PathBuf],
    /// The folder that relative paths are below.
    pub folder: &'s Path,
    /// Where the user keeps what is the user's.
    pub user: Option<&'s Path>,
}

/// What a command line starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The program that the kernel is given.
    pub program: PathBuf,
    /// What stands behind it.
    pub arguments: Vec<String>,
    /// Files and folders that it is made of.
    pub made_of: Vec<PathBuf>,
    /// Variables that it needs where it cannot write to its own folders.
    pub environment: Vec<(String, String)>,
}

/// Interpreters that name an interpreter, one behind the other.
const MOST_SCRIPTS: usize = 4;

/// What programs of a distribution are made of, beside themselves. Every user may read it.
const SYSTEM: [&str; 13] = [
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/share/nodejs",
    "/usr/share/zoneinfo",
    "/usr/share/ca-certificates",
    "/usr/share/mime",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs",
];

/// Programs that start others where no wall of ours reaches.
const ELSEWHERE: [&str; 3] = ["docker", "podman", "ssh"];

impl Origin {
    /// What a command line starts.
    ///
    /// # Errors
    /// When there is no such program, or it is one that would fetch another when it starts.
    pub fn of(argv: &[String], around: Surroundings<'_>) -> Result<Self, LaneError> {
        let bad = LaneError::BadJob;
        let (name, rest) = argv.split_first().ok_or_else(|| bad("there is no program".to_owned()))?;
        let called = Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if ELSEWHERE.contains(&called) {
            return Err(bad(format!(
                "`{called}` starts programs where no wall of the jail reaches; run that server there, and reach \
                 it by its address"
            )));
        }
        let (program, arguments) = match packaged::installed(called, rest, around).map_err(bad)? {
            Some(found) => found,
            None => (find(name, around).map_err(bad)?, rest.to_vec()),
        };
        let mut origin = Self { program, arguments, ..Self::default() };
        origin.made_of.extend(SYSTEM.iter().map(PathBuf::from).filter(|path| path.exists()));
        for _ in 0..MOST_SCRIPTS {
            let Some((interpreter, option)) = shebang(&origin.program) else { break };
            // A version manager puts a script in the place of an interpreter, which knows the real one.
            if let Some(real) = ask::behind_script(&origin.program).map_err(bad)? {
                origin.program = real;
                break;
            }
            let script = origin.program.clone();
            origin.belongs(&script, around);
            origin.program = find(&interpreter, around).map_err(bad)?;
            let before = option.into_iter().chain([script.display().to_string()]);
            origin.arguments = before.chain(std::mem::take(&mut origin.arguments)).collect();
        }
        origin.interpreter(around)?;
        Ok(origin)
    }

    /// What the program itself needs, and the script that it is given.
    fn interpreter(&mut self, around: Surroundings<'_>) -> Result<(), LaneError> {
        let shown = self.program.display().to_string();
        let failed = |error: std::io::Error| LaneError::BadJob(format!("`{shown}`: {error}"));
        let real = std::fs::canonicalize(&self.program).map_err(failed)?;
        let called = real.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        let mut folders = Vec::new();
        let is_python = called.starts_with("python") || called.starts_with("pypy");
        if is_python {
            let missing = |why| LaneError::NoRuntime { language: Language::Python, why };
            folders = ask::folders_of_python(&real).map_err(missing)?;
            // A virtual environment is known by a file beside the folder that its link to Python lies in.
            let environment = self.program.parent().and_then(Path::parent);
            self.made_of
                .extend(environment.filter(|folder| folder.join("pyvenv.cfg").is_file()).map(PathBuf::from));
            self.environment.push(("PYTHONDONTWRITEBYTECODE".to_owned(), "1".to_owned()));
        }
        if is_python || ["node", "nodejs", "ruby", "perl", "deno", "bun"].contains(&called.as_str()) {
            let script = self.arguments.iter().find(|argument| !argument.starts_with('-'));
            let script = script.map(|script| around.folder.join(script)).filter(|script| script.is_file());
            if let Some(script) = script {
                self.belongs(&script, around);
            }
        }
        let found = libraries::closure(&real, &[], &[]).map_err(failed)?;
        let beside = self.program.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
        self.environment.push(("PATH".to_owned(), format!("{beside}:/usr/local/bin:/usr/bin:/bin")));
        self.made_of.extend(folders);
        self.made_of.extend(found);
        self.made_of.push(real);
        Ok(())
    }

    /// The package that a script belongs to: the outermost folder of installed packages, or the project. A
    /// project that is all that a user has is none, and then the script stands alone.
    fn belongs(&mut self, script: &Path, around: Surroundings<'_>) {
        self.made_of.push(script.to_owned());
        let Ok(real) = std::fs::canonicalize(script) else { return };
        let above: Vec<&Path> = real.ancestors().skip(1).collect();
        let named = |folder: &&&Path, names: &[&str]| {
            folder.file_name().is_some_and(|name| names.iter().any(|one| name == *one))
        };
        let packages = above.iter().rfind(|folder| named(folder, &["node_modules", "site-packages"]));
        let marks = ["package.json", "pyproject.toml", "setup.py", "pyvenv.cfg", "Gemfile"];
        let project = || above.iter().find(|folder| marks.iter().any(|mark| folder.join(mark).is_file()));
        let folder = packages.or_else(project);
        let whole = |folder: &Path| {
            folder.parent().is_none() || around.user.is_some_and(|user| user.starts_with(folder))
        };
        self.made_of.extend(folder.filter(|folder| !whole(folder)).map(|folder| folder.to_path_buf()));
        self.made_of.push(real);
    }
}

/// A program by its name or path. Links are kept: an environment is known by them.
fn find(name: &str, around: Surroundings<'_>) -> Result<PathBuf, String> {
    let missing = || format!("there is no program `{name}`");
    if name.contains('/') {
        let path = around.folder.join(name);
        return if super::is_program(&path) { Ok(path) } else { Err(missing()) };
    }
    let found = around.search.iter().map(|folder| folder.join(name)).find(|path| super::is_program(path));
    found.ok_or_else(|| format!("{} in the search path", missing()))
}

/// The interpreter that a script names, and what is to stand in front of the script.
fn shebang(file: &Path) -> Option<(String, Option<String>)> {
    let mut head = Vec::new();
    std::fs::File::open(file).ok()?.take(256).read_to_end(&mut head).ok()?;
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?.trim();
    let (interpreter, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let rest = rest.trim();
    if Path::new(interpreter).file_name().is_some_and(|name| name == "env") {
        let rest = rest.strip_prefix("-S").map_or(rest, str::trim);
        let (name, option) = rest.split_once(' ').unwrap_or((rest, ""));
        return Some((name.to_owned(), Some(option.trim().to_owned()).filter(|option| !option.is_empty())));
    }
    Some((interpreter.to_owned(), Some(rest.to_owned()).filter(|rest| !rest.is_empty())))
}
