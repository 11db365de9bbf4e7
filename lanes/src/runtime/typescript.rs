//! TypeScript where Node does not read it by itself: its loader has each file translated by a tool that is
//! on this machine, esbuild or the compiler of TypeScript.

use std::path::{Path, PathBuf};

use serde_json::json;

/// What is put into Node's loader.
const HOOKS: &str = include_str!("typescript.mjs");

/// What Node is told, and what it must see for that.
pub(super) struct Translation {
    pub(super) before_code: Vec<String>,
    pub(super) folders: Vec<PathBuf>,
    pub(super) tools: Vec<PathBuf>,
}

/// What Node of this version needs to read types.
///
/// # Errors
/// When it can do so neither by itself nor with a tool from the search path.
pub(super) fn translation(version: &str, search: &[PathBuf]) -> Result<Translation, String> {
    let mut numbers = version.split('.').map_while(|number| number.parse::<u32>().ok());
    let by_itself = |words: &[&str]| Translation {
        before_code: words.iter().map(|word| (*word).to_owned()).collect(),
        folders: Vec::new(),
        tools: Vec::new(),
    };
    match (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) {
        (24.., _) | (23, 6..) | (22, 18..) => Ok(by_itself(&[])),
        (23, _) | (22, 6..) => Ok(by_itself(&["--experimental-strip-types", "--no-warnings"])),
        (21 | 22, _) | (20, 6..) | (18, 19..) => by_tool(search).ok_or_else(|| {
            format!(
                "Node {version} does not read TypeScript, and there is no `esbuild` or `tsc` that could translate \
                 it; Node 22.6 or newer does, or on Debian or Ubuntu, `apt-get install esbuild`"
            )
        }),
        _ => Err(format!("Node {version} does not read TypeScript; Node 22.6 or newer does")),
    }
}

fn by_tool(search: &[PathBuf]) -> Option<Translation> {
    let found = |name: &str| search.iter().find_map(|folder| std::fs::canonicalize(folder.join(name)).ok());
    let bundler = ["esbuild", "tsx"].into_iter().filter_map(found).find_map(|program| bundler(&program));
    if let Some(bundler) = bundler {
        let before_code = hooked(&json!({ "bundler": bundler.to_str()? }));
        return Some(Translation { before_code, folders: Vec::new(), tools: vec![bundler] });
    }
    // `typescript/bin/tsc`, beside which lies what it is made of.
    let package = found("tsc")?.parent()?.parent()?.to_owned();
    let compiler = package.join("lib/typescript.js");
    if !compiler.is_file() {
        return None;
    }
    let before_code = hooked(&json!({ "compiler": compiler.to_str()? }));
    Some(Translation { before_code, folders: vec![package], tools: Vec::new() })
}

/// The program of esbuild itself. What is in the search path may be a script of its package, or of one that
/// has it.
fn bundler(program: &Path) -> Option<PathBuf> {
    let machine = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
    let inside = |folder: &Path| {
        let packages = [folder.to_owned(), folder.join("node_modules")];
        packages.map(|folder| folder.join(format!("@esbuild/linux-{machine}/bin/esbuild")))
    };
    let beside = program.ancestors().skip(1).take(4).flat_map(inside);
    std::iter::once(program.to_owned()).chain(beside).find(|file| is_elf(file))
}

fn is_elf(file: &Path) -> bool {
    use std::io::Read as _;
    let mut magic = [0; 4];
    std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == b"\x7fELF"
}

/// The arguments that put the hooks into Node's loader. They are part of the command line, so that no file
/// has to be put anywhere.
fn hooked(tools: &serde_json::Value) -> Vec<String> {
    let hooks = serde_json::Value::String(module(HOOKS));
    let registering =
        format!("import {{ register }} from 'node:module'; register({hooks}, {{ data: {tools} }})");
    vec!["--no-warnings".to_owned(), "--import".to_owned(), module(&registering)]
}

/// A module as an address.
fn module(source: &str) -> String {
    use std::fmt::Write as _;
    let mut address = "data:text/javascript,".to_owned();
    for byte in source.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' | b'/' | b'(' | b')' => {
                address.push(char::from(byte));
            }
            _ => {
                let _ = write!(address, "%{byte:02X}");
            }
        }
    }
    address
}

#[cfg(test)]
mod tests {
    use super::translation;

    #[test]
    fn newer_versions_of_node_need_nothing_and_old_ones_a_tool() {
        let cases = [
            ("24.1.0", Some(0)),
            ("23.6.0", Some(0)),
            ("23.5.0", Some(2)),
            ("22.18.0", Some(0)),
            ("22.6.0", Some(2)),
            ("22.5.9", None),
            ("20.20.2", None),
            ("18.18.0", None),
            ("", None),
        ];
        for (version, words) in cases {
            let told = translation(version, &[]);
            assert_eq!(told.ok().map(|told| told.before_code.len()), words, "{version}");
        }
    }
}
