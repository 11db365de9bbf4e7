//! Words of a program that a shell would take for an order to print the environment: `env`, `set`, `export`.
//!
//! Programs are read as lines as well, because their strings may be some. Outside of strings these words are
//! names (`a | set(b)`, `if env:`), and in a string that is only looked up or compared they are words like
//! others (`options.get("env")`). What a name stands for is looked at by [`source`](super::source).

use call::Family;

use super::Act;

/// Was this found in a name or a word, where nothing is run?
pub(super) fn is_bare_name(text: &str, act: &Act) -> bool {
    let Some(said) = act.span.of(text).filter(|_| act.family == Family::Exfiltration) else { return false };
    let before = text.get(..act.span.start).unwrap_or_default();
    let behind = text.get(act.span.end..).unwrap_or_default();
    is_name(before, said, behind) || is_looked_up(before, said) || is_listed(before, said, behind)
}

const fn is_quote(sign: char) -> bool {
    matches!(sign, '"' | '\'' | '`')
}

fn is_word_of_shells(word: &str) -> bool {
    ["env", "set", "export"].iter().any(|one| word.eq_ignore_ascii_case(one))
}

/// Does it end with such a name, outside of a string?
fn is_name(before: &str, said: &str, behind: &str) -> bool {
    let (before, behind) = (before.trim_end(), behind.trim_start());
    // `%x(env)` is a command after all.
    let ruby =
        ["%x(", "%x{", "%x["].iter().any(|opening| before.ends_with(opening) || said.contains(opening));
    let said = said.trim_end_matches([':', ' ', '\t', '\n', '\r']);
    let in_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let last = said.rsplit(|sign| !in_name(sign)).next().unwrap_or_default();
    // `Set<string>`: behind the last sign of a pipe, something may follow the name.
    let behind_pipe = said.rsplit('|').next().unwrap_or_default().trim_start();
    let first = behind_pipe.split(|sign| !in_name(sign)).next().unwrap_or_default();
    // Over several lines, the quotes are those of a text that was cut in the middle.
    let in_pieces = said.contains('\n') && !said.contains('`');
    let quoted =
        !in_pieces && said.contains(is_quote) || before.ends_with(is_quote) || behind.starts_with(is_quote);
    (is_word_of_shells(last) || is_word_of_shells(first)) && !ruby && !quoted
}

/// Is it a string of one such word, given to something that looks it up or compares it?
fn is_looked_up(before: &str, said: &str) -> bool {
    #[rustfmt::skip]
    const LOOKS: &[&str] = &[
        "get", "pop", "setdefault", "has", "has_key", "hasattr", "delattr", "startswith", "endswith", "startsWith", "endsWith",
        "starts_with", "ends_with", "start_with?", "end_with?", "key?", "include?", "includes", "contains", "indexOf", "index",
        "find", "count", "equals", "split", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace", "partition",
        "add_argument", "add_option", "add_parser", "option", "argument", "Flag", "String", "StringVar", "HasPrefix",
        "HasSuffix", "Contains", "assertEqual", "assertIn", "assertNotIn", "getlist", "getAttribute", "describe", "it",
    ];
    let first = said.split(',').next().unwrap_or_default().trim();
    let word = first.trim_matches(is_quote);
    let name = word.trim().rsplit('/').next().unwrap_or_default();
    let Some(front) = before.trim_end().strip_suffix('(') else { return false };
    let called = front.rsplit(|sign: char| !sign.is_alphanumeric() && sign != '_' && sign != '?').next();
    first.starts_with(is_quote)
        && !first.starts_with('`')
        && is_word_of_shells(name)
        && called.is_some_and(|called| LOOKS.contains(&called))
}

/// Is it the word of a builtin as one of several in a list? Only a shell knows those, and it is given a line.
fn is_listed(before: &str, said: &str, behind: &str) -> bool {
    let word = said.trim().trim_end_matches(',');
    let name = word.trim_matches(is_quote).trim_end_matches('!');
    let goes_on = said.trim_end().ends_with(',') || behind.trim_start().starts_with([',', ']']);
    let builtin = name.eq_ignore_ascii_case("set") || name.eq_ignore_ascii_case("export");
    builtin && word.starts_with(['"', '\'']) && goes_on && !before.trim_end().ends_with('(')
}

#[cfg(test)]
mod tests {
    use crate::act::{Text, examine};
    use crate::landmarks::Landmarks;

    #[test]
    fn names_and_words_of_a_program_print_nothing() {
        let runs = "import subprocess\n";
        let cases = [
            // program, is the environment printed?
            ("os.system('env')", true),
            ("subprocess.run(['env'])", true),
            ("print(subprocess.check_output('env', shell=True))", true),
            ("require('child_process').execSync('env')", true),
            ("puts `env`", true),
            ("%x(env)", true),
            ("exec.Command(\"env\").Run()", true),
            ("sh('env')", true),
            ("os.system('env | sort')", true),
            ("[set(C.nodes()) for C in graphs(G, k=k)]", false),
            ("if env:\n    pass", false),
            ("self.assertEqual(d1.keys() | set(d1.keys()), {'a', 'b'})", false),
            ("near = {v: {v} | set(G[v]) for v in G}", false),
            ("def f(a: list | set) -> None: ...", false),
            ("type X = Map | Set", false),
            ("x = a | env", false),
            ("type Key = string | Set<string>;", false),
            ("const s = require(\"./set\");", false),
            ("names = [\n    \"define\",\n    \"export\",\n    \"set\",\n]", false),
            ("os.system('set')", true),
            ("subprocess.run([\n    'env',\n])", true),
            ("x = '''it's'''\ny = list(set(a))\nz = '''b'''", false),
            ("x = options.get('env')", false),
            ("parser.add_argument('env', help='which one')", false),
            ("if line.startswith('/usr/bin/env '):\n    pass", false),
        ];
        for (program, want) in cases {
            for text in [program.to_owned(), format!("{runs}{program}\n")] {
                let found = examine(&text, Text::Program, &Landmarks::of(&text).acts()).acts;
                assert_eq!(found.iter().any(|act| !act.mention), want, "{text} {found:?}");
            }
        }
    }
}
