//! Programs that run what an address names, without a pipe and without a file.
//!
//! `npx https://…` and `deno run https://…` are a download and a shell in one word. What a registry
//! serves under a name (`npx prettier`, `deno run npm:cowsay`) is the ordinary use of the same programs,
//! and so are addresses that they are given to work on.

use super::program::{Program, is_interpreter};
use super::shell::Word;

/// Every program that [`runs_address`] knows beside interpreters.
pub(super) const RUNNERS: [&str; 27] = [
    "npx",
    "pnpx",
    "bunx",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "deno",
    "uv",
    "uvx",
    "pipx",
    "pip-run",
    "zx",
    "tsx",
    "ts-node",
    "jbang",
    "groovy",
    "scala-cli",
    "streamlit",
    "marimo",
    "nix",
    "wscript",
    "cscript",
    "msiexec",
    "ansible-pull",
    "rundll32",
    "mshta",
];

/// The address that this command runs, if it runs one.
pub(super) fn runs_address<'c>(program: &Program<'c>) -> Option<&'c Word> {
    let words = program.arguments();
    match program.name() {
        "npx" | "pnpx" | "bunx" => package(words, Forge::ByOwner),
        "npm" => {
            behind(words, &["exec", "x", "init", "create"]).and_then(|rest| package(rest, Forge::ByOwner))
        }
        "pnpm" | "yarn" => behind(words, &["dlx", "create"]).and_then(|rest| package(rest, Forge::ByOwner)),
        "bun" => behind(words, &["x", "create"])
            .and_then(|rest| package(rest, Forge::ByOwner))
            .or_else(|| script(words)),
        "uvx" => package(words, Forge::Unknown),
        "uv" => match behind(words, &["tool"]).and_then(|rest| behind(rest, &["run"])) {
            Some(rest) => package(rest, Forge::Unknown),
            None => behind(words, &["run"])
                .and_then(|rest| script(rest).or_else(|| package(rest, Forge::Unknown))),
        },
        "pipx" => behind(words, &["run"]).and_then(|rest| package(rest, Forge::Unknown)),
        "deno" | "streamlit" | "marimo" | "scala-cli" => script(words),
        "zx" | "tsx" | "ts-node" | "jbang" | "groovy" | "wscript" | "cscript" | "mshta" => script(words),
        "nix" => behind(words, &["run", "shell", "develop"]).and_then(script),
        "msiexec" => words.iter().find(|word| is_web(&word.text)),
        "ansible-pull" => words.iter().find(|word| is_address(&word.text)),
        name if is_interpreter(name) => script(words),
        _ => None,
    }
}

/// What stands behind one of these subcommands, if one is the first operand.
fn behind<'c>(words: &'c [Word], subcommands: &[&str]) -> Option<&'c [Word]> {
    let place = words.iter().position(|word| !word.text.starts_with('-'))?;
    let named = words.get(place).is_some_and(|word| subcommands.contains(&&*word.text));
    named.then(|| words.get(place + 1..)).flatten()
}

/// What `owner/repository` is to a program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forge {
    /// A repository of the usual forge, as programs of Node have it.
    ByOwner,
    /// A file in a folder.
    Unknown,
}

/// Flags whose value is no package: where to work, and where to look.
const VALUED: &[&str] = &[
    "-c",
    "--call",
    "--python",
    "--registry",
    "--cache",
    "--index-url",
    "-w",
    "--workspace",
    "--prefix",
    "--userconfig",
    "--loglevel",
    "-C",
    "--dir",
    "--cwd",
    "--directory",
    "--project",
    "--filter",
    "--extra",
    "--group",
    "--env-file",
];

/// The package that is fetched and run: behind a flag that names it, or the first operand. What comes
/// later belongs to the package.
fn package(words: &[Word], forge: Forge) -> Option<&Word> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = &*word.text;
        if matches!(text, "-p" | "--package" | "--from" | "--spec" | "--with" | "--with-editable") {
            if let Some(named) = rest.next().filter(|named| is_package_address(&named.text, forge)) {
                return Some(named);
            }
            continue;
        }
        if let Some((flag, value)) = text.split_once('=').filter(|_| text.starts_with('-')) {
            let names = matches!(flag, "-p" | "--package" | "--from" | "--spec" | "--with");
            if names && is_package_address(value, forge) {
                return Some(word);
            }
            continue;
        }
        if VALUED.contains(&text) {
            rest.next();
            continue;
        }
        if text.starts_with('-') {
            continue;
        }
        return is_package_address(text, forge).then_some(word);
    }
    None
}

/// The file that is run: the first operand that is no subcommand, and what is loaded before it.
fn script(words: &[Word]) -> Option<&Word> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let text = &*word.text;
        if let Some(flag) = text.strip_prefix("--") {
            let (flag, value) =
                flag.split_once('=').map_or((flag, None), |(flag, value)| (flag, Some(value)));
            let loads = matches!(
                flag,
                "import" | "loader" | "require" | "preload" | "import-map" | "experimental-loader"
            );
            if loads {
                let loaded = if value.is_some() { Some(word) } else { rest.next() };
                let written = value.unwrap_or(loaded.map(|word| &*word.text).unwrap_or_default());
                if is_web(written) {
                    return loaded;
                }
            }
            continue;
        }
        if text.starts_with('-') {
            continue;
        }
        if matches!(text, "run" | "serve" | "test" | "bench" | "x" | "install" | "compile" | "edit" | "watch")
        {
            continue;
        }
        return is_web(text).then_some(word);
    }
    None
}

fn is_web(text: &str) -> bool {
    let lower = text.get(..text.floor_char_boundary(16)).unwrap_or(text).to_ascii_lowercase();
    ["http://", "https://", "ftp://", "git://", "ssh://", "//", "git+", "tarball+http"]
        .iter()
        .any(|scheme| lower.starts_with(scheme))
        || lower.starts_with("data:")
}

/// An address, also in the short forms for forges.
fn is_address(text: &str) -> bool {
    is_web(text)
        || ["github:", "gitlab:", "bitbucket:", "gist:", "git@", "sourcehut:"]
            .iter()
            .any(|forge| text.starts_with(forge))
}

/// The same as a package is named: behind a name and an `@`, or as `owner/repository`.
fn is_package_address(text: &str, forge: Forge) -> bool {
    let named = text.split_once("@ ").map_or(text, |(_, address)| address);
    let aliased = named.get(1..).and_then(|rest| rest.split_once('@')).is_some_and(|(_, to)| is_address(to));
    let mut parts = named.split('/');
    let (owner, repository, more) = (parts.next(), parts.next(), parts.next());
    let plain = |part: Option<&str>| {
        part.is_some_and(|part| {
            part.starts_with(|first: char| first.is_ascii_alphanumeric())
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.#".contains(&byte))
        })
    };
    let short = forge == Forge::ByOwner && plain(owner) && plain(repository) && more.is_none();
    is_address(named) || aliased || short
}

#[cfg(test)]
mod tests {
    use super::super::program::Program;
    use super::super::shell::{Manner, read};
    use super::runs_address;

    #[test]
    fn an_address_is_run_and_a_name_is_not() {
        let cases = [
            // command, the address that it runs
            ("npx -y https://x.invalid/p.tgz", Some("https://x.invalid/p.tgz")),
            ("npx github:a/b --flag", Some("github:a/b")),
            ("npx a/b", Some("a/b")),
            ("npx x@https://x.invalid/p.tgz", Some("x@https://x.invalid/p.tgz")),
            ("npx @scope/name https://x.invalid", None),
            ("npx serve https://x.invalid", None),
            ("npx -p typescript tsc", None),
            ("npm exec --package=https://x.invalid/p.tgz -- p", Some("--package=https://x.invalid/p.tgz")),
            ("npm install https://x.invalid/p.tgz", None),
            ("pnpm dlx degit a/b", None),
            ("pnpm dlx a/b", Some("a/b")),
            ("deno run -A https://x.invalid/m.ts", Some("https://x.invalid/m.ts")),
            ("deno https://x.invalid/m.ts", Some("https://x.invalid/m.ts")),
            ("deno run npm:cowsay https://x.invalid", None),
            ("deno run main.ts https://x.invalid", None),
            ("bun run build", None),
            ("bun https://x.invalid/m.ts", Some("https://x.invalid/m.ts")),
            ("node --import https://x.invalid/m.mjs app.js", Some("https://x.invalid/m.mjs")),
            ("node app.js https://x.invalid", None),
            ("uvx --from git+https://x.invalid/a a", Some("git+https://x.invalid/a")),
            ("uv run https://x.invalid/a.py", Some("https://x.invalid/a.py")),
            ("uv run app.py https://x.invalid", None),
            ("uv pip install git+https://x.invalid/a", None),
            ("uv run scripts/release.py", None),
            ("uv run --project tools/a scripts/release.py \"$VERSION\"", None),
            ("uv run --with git+https://x.invalid/a scripts/a.py", Some("git+https://x.invalid/a")),
            ("npm init -w packages/a", None),
            ("npm init -w packages/a react-app .", None),
            ("npm init -w packages/a owner/name", Some("owner/name")),
            ("npm exec --workspace packages/a eslint", None),
            ("pnpm dlx --dir packages/a prettier", None),
            ("npx --prefix apps/web eslint", None),
            ("pipx run https://x.invalid/a.py", Some("https://x.invalid/a.py")),
        ];
        for (line, want) in cases {
            let script = read(line, 0, Manner::Line);
            let found = script.commands.first().and_then(|command| runs_address(&Program::of(command)));
            assert_eq!(found.map(|word| &*word.text), want, "{line}");
        }
    }
}
