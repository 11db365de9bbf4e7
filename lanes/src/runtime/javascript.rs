//! Which of its two kinds of modules Node takes a program for.

/// The name of a file with this program.
///
/// A program that asks for its modules by `require` and neither imports nor exports any is of the older kind, and
/// would end at its first line in the newer one. Any other works in the newer kind, which may also wait.
pub(super) fn code_file(code: &str) -> &'static str {
    let is_module = code.lines().any(|line| {
        let line = line.trim_start();
        let rest = line.strip_prefix("import").or_else(|| line.strip_prefix("export"));
        rest.is_some_and(|rest| rest.starts_with([' ', '\t', '{', '*', '"', '\'', '.']))
    });
    let asks = ["require(", "require.", "module.exports", "__dirname", "__filename"];
    if !is_module && asks.iter().any(|word| code.contains(word)) { "main.cjs" } else { "main.mjs" }
}

#[cfg(test)]
mod tests {
    use super::code_file;

    #[test]
    fn a_program_that_requires_is_of_the_older_kind() {
        let cases = [
            ("const fs = require('fs')\nfs.readFileSync", "main.cjs"),
            ("module.exports = {}", "main.cjs"),
            ("console.log(__dirname)", "main.cjs"),
            ("const a = require('fs')\nimport('os').then(console.log)", "main.cjs"),
            ("import fs from 'fs'\nconsole.log(fs)", "main.mjs"),
            (
                "import { createRequire } from 'module'\nconst require = createRequire(import.meta.url); require('fs')",
                "main.mjs",
            ),
            ("  import'fs'\nrequire('x')", "main.mjs"),
            ("export const a = 1", "main.mjs"),
            ("console.log(await Promise.resolve(1))", "main.mjs"),
            ("", "main.mjs"),
        ];
        for (code, want) in cases {
            assert_eq!(code_file(code), want, "{code}");
        }
    }
}
