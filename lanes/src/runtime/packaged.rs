//! Programs that fetch a package and start it: `npx`, `uvx`, `pipx run`.
//!
//! Nothing is fetched when a server starts: what runs is what somebody installed. Where the package is
//! installed, what these programs would start is found and started; where it is not, it is said how to
//! install it.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Surroundings;

/// What is started in place of such a program; nothing when it is none of them.
pub(super) fn installed(
    starter: &str,
    arguments: &[String],
    around: Surroundings<'_>,
) -> Result<Option<(PathBuf, Vec<String>)>, String> {
    match starter {
        "npx" => npx(arguments, around).map(Some),
        "uvx" => uvx(arguments, around).map(Some),
        "pipx" => match arguments.split_first() {
            Some((run, rest)) if run == "run" => uvx(rest, around).map(Some),
            _ => Err("of `pipx`, only `pipx run PACKAGE` starts a server".to_owned()),
        },
        "uv" | "npm" | "pnpm" | "yarn" | "poetry" | "bunx" => Err(format!(
            "`{starter}` installs before it starts, and that needs more than a server has; name what it starts: \
             the program in the virtual environment's `bin` or in `node_modules/.bin`"
        )),
        _ => Ok(None),
    }
}

/// What stands in front of the package, the package, and what stands behind it.
struct Wanted<'a> {
    /// The package whose program is started, where that is not the program's name.
    package: Option<&'a str>,
    program: &'a str,
    rest: &'a [String],
}

fn wanted<'a>(
    starter: &str,
    arguments: &'a [String],
    plain: &[&str],
    package: &[&str],
) -> Result<Wanted<'a>, String> {
    let mut from = None;
    let mut left = arguments;
    while let Some((word, rest)) = left.split_first() {
        left = rest;
        if word == "--" || plain.contains(&word.as_str()) {
        } else if package.contains(&word.as_str()) {
            let (name, rest) =
                left.split_first().ok_or_else(|| format!("`{starter} {word}` names no package"))?;
            (from, left) = (Some(name.as_str()), rest);
        } else if let Some((_, name)) = word.split_once('=').filter(|(option, _)| package.contains(option)) {
            from = Some(name);
        } else if word.starts_with('-') {
            return Err(format!(
                "`{starter} {word}` is not known here; name the server's own program instead"
            ));
        } else {
            return Ok(Wanted { package: from, program: word, rest });
        }
    }
    Err(format!("`{starter}` names no package"))
}

fn npx(arguments: &[String], around: Surroundings<'_>) -> Result<(PathBuf, Vec<String>), String> {
    let plain = ["-y", "--yes", "-q", "--quiet", "--offline", "--prefer-offline", "--no-install", "--no"];
    let asked = wanted("npx", arguments, &plain, &["-p", "--package"])?;
    let specification = asked.package.unwrap_or(asked.program);
    let (name, version) = named(specification);
    let wanted = Some(asked.program).filter(|_| asked.package.is_some());
    let mut other = None;
    for folder in module_folders(around) {
        let folder = folder.join(name);
        let Some(said) = said(&folder) else { continue };
        let its = said.get("version").and_then(Value::as_str).unwrap_or_default();
        if version.is_some_and(|version| version != its) {
            other = Some(its.to_owned());
            continue;
        }
        let file = file_of(&said, name, wanted)
            .ok_or_else(|| format!("the package `{name}` has no program of that name"))?;
        return Ok((folder.join(file), asked.rest.to_vec()));
    }
    let other = other.map(|other| format!(" (version {other} is)")).unwrap_or_default();
    Err(format!(
        "`{specification}` is not installed here{other}, and nothing is fetched when a server starts: `npm install \
         -g {specification}` installs it"
    ))
}

/// A package without its version, and an exact version. What `latest` means is what was installed.
fn named(specification: &str) -> (&str, Option<&str>) {
    let scoped = usize::from(specification.starts_with('@'));
    let at = specification.get(scoped..).and_then(|rest| rest.find('@')).map(|at| at + scoped);
    match at.and_then(|at| specification.split_at_checked(at)) {
        None => (specification, None),
        Some((name, version)) => (name, version.get(1..).filter(|version| *version != "latest")),
    }
}

/// Folders of installed packages, the nearest first; those that `npx` itself fetched last, newest first.
fn module_folders(around: Surroundings<'_>) -> Vec<PathBuf> {
    let near = around.folder.ancestors().map(|above| above.join("node_modules"));
    let beside = around.search.iter().filter(|folder| folder.join("node").exists());
    let beside = beside.filter_map(|folder| Some(folder.parent()?.join("lib/node_modules")));
    let usual = ["/usr/local/lib/node_modules", "/usr/lib/node_modules"].map(PathBuf::from);
    let fetched = around.user.map(|user| user.join(".npm/_npx"));
    let fetched = fetched.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let mut fetched: Vec<PathBuf> = fetched.map(|entry| entry.path().join("node_modules")).collect();
    fetched.sort_by_key(|folder| {
        std::cmp::Reverse(std::fs::metadata(folder).and_then(|kind| kind.modified()).ok())
    });
    near.chain(beside).chain(usual).chain(fetched).filter(|folder| folder.is_dir()).collect()
}

/// What a package says about itself.
fn said(folder: &Path) -> Option<Value> {
    let text = std::fs::read(folder.join("package.json")).ok()?;
    serde_json::from_slice(&text).ok()
}

/// The file of a package's program: the one that is wanted, the only one, or the one with its own name.
fn file_of(said: &Value, package: &str, wanted: Option<&str>) -> Option<String> {
    let own = package.rsplit('/').next().unwrap_or(package);
    let file = match said.get("bin")? {
        Value::String(file) => Some(file.as_str()).filter(|_| wanted.is_none_or(|wanted| wanted == own)),
        Value::Object(all) => match (wanted, all.len()) {
            (None, 1) => all.values().next().and_then(Value::as_str),
            (wanted, _) => all.get(wanted.unwrap_or(own)).and_then(Value::as_str),
        },
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => None,
    }?;
    // A program of a package lies in it.
    let inside = !file.starts_with('/') && file.split('/').all(|part| part != "..");
    inside.then(|| file.trim_start_matches("./").to_owned())
}

fn uvx(arguments: &[String], around: Surroundings<'_>) -> Result<(PathBuf, Vec<String>), String> {
    let plain = ["-q", "--quiet", "--offline", "--isolated"];
    let asked = wanted("uvx", arguments, &plain, &["--from", "--spec"])?;
    let bare = |text: &str| text.split(['@', '=', '<', '>', '[', '~']).next().unwrap_or_default().to_owned();
    let package = bare(asked.package.unwrap_or(asked.program));
    let program = bare(asked.program);
    let odd = |name: &str| name.is_empty() || name.contains('/') || name.starts_with('.');
    let Some(user) = around.user.filter(|_| !odd(&package) && !odd(&program)) else {
        return Err(format!("`{package}` is no package that could be found here"));
    };
    let places = [".local/share/uv/tools", ".local/share/pipx/venvs", ".local/pipx/venvs"];
    let found = places.iter().map(|place| user.join(place).join(&package).join("bin").join(&program));
    let found = found.into_iter().find(|path| super::is_program(path));
    found.map(|path| (path, asked.rest.to_vec())).ok_or_else(|| {
        format!(
            "`{package}` is not installed here, and nothing is fetched when a server starts: `uv tool install \
             {package}` or `pipx install {package}` installs it"
        )
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{file_of, named, wanted};

    #[test]
    fn a_version_is_told_from_a_scope() {
        for (text, want) in [
            ("server", ("server", None)),
            ("server@1.2.3", ("server", Some("1.2.3"))),
            ("@scope/server", ("@scope/server", None)),
            ("@scope/server@latest", ("@scope/server", None)),
            ("@scope/server@2026.8.31", ("@scope/server", Some("2026.8.31"))),
        ] {
            assert_eq!(named(text), want, "{text}");
        }
    }

    #[test]
    fn the_program_of_a_package_lies_in_it() {
        let one = json!({"bin": {"mcp-server": "./dist/index.js"}});
        assert_eq!(file_of(&one, "@scope/other", None).as_deref(), Some("dist/index.js"));
        let two = json!({"bin": {"a": "a.js", "b": "b.js"}});
        assert_eq!(file_of(&two, "@scope/b", None).as_deref(), Some("b.js"));
        assert_eq!(file_of(&two, "c", None), None);
        assert_eq!(file_of(&two, "c", Some("a")).as_deref(), Some("a.js"));
        for outside in ["../x.js", "/bin/sh", "a/../../x"] {
            assert_eq!(file_of(&json!({ "bin": outside }), "x", None), None, "{outside}");
        }
    }

    #[test]
    fn options_that_are_not_known_are_refused() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let given = words("-y --package=@scope/server server /srv -y");
        let asked = wanted("npx", &given, &["-y"], &["-p", "--package"]).unwrap();
        assert_eq!((asked.package, asked.program, asked.rest.len()), (Some("@scope/server"), "server", 2));
        for text in ["-c ls", "--registry=http://x server", "-y", "-p"] {
            assert!(wanted("npx", &words(text), &["-y"], &["-p"]).is_err(), "{text}");
        }
    }
}
