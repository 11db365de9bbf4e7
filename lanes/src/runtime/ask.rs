//! A runtime is asked about itself: its program, its version, its folders.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use call::Language;

use super::typescript::{self, Translation};

/// What a runtime said.
pub(super) struct Asked {
    pub(super) program: PathBuf,
    pub(super) version: String,
    pub(super) folders: Vec<PathBuf>,
    /// Programs that it starts itself.
    pub(super) tools: Vec<PathBuf>,
    pub(super) before_code: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
}

/// Prints the version, the program, and the folders, a line each.
const PYTHON: &str = "\
import os, sys, sysconfig
print(sys.version.split()[0])
print(os.path.realpath(sys.executable))
paths = sysconfig.get_paths()
for path in {paths['stdlib'], paths['platstdlib']}:
    if os.path.isdir(path):
        print(path)
";

const NODE: &str = "console.log(process.version + '\\n' + process.execPath)";

const RUBY: &str = "\
puts RUBY_VERSION, RbConfig.ruby
puts ($LOAD_PATH + Gem.path).select { |path| File.directory?(path) }.uniq
";

/// Prints the folders of its library and of installed packages, a line each.
const PYTHON_FOLDERS: &str = "\
import os, site, sysconfig
paths = sysconfig.get_paths()
all = {paths[name] for name in ('stdlib', 'platstdlib', 'purelib', 'platlib')}
for path in sorted(all | set(site.getsitepackages()) | {site.getusersitepackages()}):
    if os.path.isdir(path):
        print(path)
";

/// The interpreter that a script stands for which has the name of one; nothing when it has another name.
pub(super) fn behind_script(script: &Path) -> Result<Option<PathBuf>, String> {
    let name = script.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let arguments: &[&str] = if name == "node" {
        &["-p", "process.execPath"]
    } else if name
        .strip_prefix("python")
        .is_some_and(|rest| rest.chars().all(|one| one.is_ascii_digit() || one == '.'))
    {
        &["-I", "-S", "-c", "import sys; print(sys.executable)"]
    } else {
        return Ok(None);
    };
    let said = said(script, arguments)?;
    said.first().map(|path| real(Path::new(path)).map(Some)).unwrap_or(Ok(None))
}

/// The folders of a Python. Without the customisations of packages: they would run where no wall is.
pub(super) fn folders_of_python(program: &Path) -> Result<Vec<PathBuf>, String> {
    let said = said(program, &["-I", "-S", "-c", PYTHON_FOLDERS])?;
    Ok(said.into_iter().map(PathBuf::from).collect())
}

/// Asks the program of a language. What it needs beside itself is looked for in these folders.
pub(super) fn ask(language: Language, program: &Path, search: &[PathBuf]) -> Result<Asked, String> {
    let lines = |arguments: &[&str]| said(program, arguments);
    match language {
        Language::Python => {
            let asked = asked(lines(&["-I", "-c", PYTHON])?)?;
            Ok(Asked {
                environment: vec![pair("PYTHONDONTWRITEBYTECODE", "1"), pair("PYTHONUTF8", "1")],
                ..asked
            })
        }
        Language::Node => asked(lines(&["-e", NODE])?),
        Language::Ts => {
            let asked = asked(lines(&["-e", NODE])?)?;
            let Translation { before_code, folders, tools } =
                typescript::translation(&asked.version, search)?;
            Ok(Asked { before_code, folders, tools, ..asked })
        }
        Language::Ruby => asked(lines(&["-e", RUBY])?),
        Language::Go => {
            let said = lines(&["env", "GOVERSION", "GOROOT", "GOMODCACHE"])?;
            let [version, root, modules] = said.as_slice() else {
                return Err(format!("`{} env` said something else than it should", program.display()));
            };
            let program = real(&Path::new(root).join("bin/go"))?;
            let folders = [root, modules].into_iter().map(PathBuf::from).filter(|path| path.is_dir());
            Ok(Asked {
                version: version.trim_start_matches("go").to_owned(),
                program,
                folders: folders.collect(),
                tools: Vec::new(),
                before_code: vec!["run".to_owned()],
                environment: vec![
                    pair("GOROOT", root),
                    pair("GOMODCACHE", modules),
                    pair("GOCACHE", "/tmp/go-build"),
                    pair("GOPATH", "/tmp/go"),
                    pair("GOTOOLCHAIN", "local"),
                    pair("GOPROXY", "off"),
                    pair("GOFLAGS", "-mod=mod"),
                    pair("GOTELEMETRY", "off"),
                    pair("CGO_ENABLED", "0"),
                ],
            })
        }
    }
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// Version, program, folders: a line each.
fn asked(mut lines: Vec<String>) -> Result<Asked, String> {
    if lines.len() < 2 {
        return Err("it did not say what it was asked".to_owned());
    }
    let folders = lines.split_off(2).into_iter().map(PathBuf::from).collect();
    let program = lines.pop().unwrap_or_default();
    let version = lines.pop().unwrap_or_default().trim_start_matches('v').to_owned();
    Ok(Asked {
        program: real(Path::new(&program))?,
        version,
        folders,
        tools: Vec::new(),
        before_code: Vec::new(),
        environment: Vec::new(),
    })
}

fn real(path: &Path) -> Result<PathBuf, String> {
    std::fs::canonicalize(path).map_err(|error| format!("`{}`: {error}", path.display()))
}

/// What a runtime says, line by line.
fn said(program: &Path, arguments: &[&str]) -> Result<Vec<String>, String> {
    let failed = |why: &dyn std::fmt::Display| format!("`{}` cannot be asked: {why}", program.display());
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    let said = command.output().map_err(|error| failed(&error))?;
    if !said.status.success() {
        return Err(failed(&said.status));
    }
    let text = String::from_utf8(said.stdout).map_err(|error| failed(&error))?;
    Ok(text.lines().map(str::to_owned).collect())
}
