//! Lines that touch the gate's own home: `cat .toolgate/policy.toml`.
//!
//! Tools for files are kept from it by policy; a line for a shell names it as a word. What is only printed,
//! searched for or left out (`--exclude=.toolgate`) is not touched.

use call::{Family, Span};

use super::Act;
use super::program::{Program, Runs};
use super::shell::{Command, Manner, Script, Word, read};
use super::traversal::glob;

/// The folder by which a home is known, wherever it lies.
const HOME: &str = ".toolgate";

/// How often a line inside a line is read.
const DEEPEST: usize = 3;

/// Every command of `script` that touches it.
pub(super) fn find(script: &Script, found: &mut Vec<Act>) {
    look(&script.commands, None, DEEPEST, found);
}

fn look(commands: &[Command], outer: Option<Span>, left: usize, found: &mut Vec<Act>) {
    for command in commands {
        let program = Program::of(command);
        let redirected = command.writes.iter().chain(&command.reads).any(|word| names_home(&word.text));
        if redirected || touches(&program) {
            let span = outer.unwrap_or_else(|| command.span());
            found.push(Act { family: Family::Traversal, kind: "gate_home", span, mention: command.mention });
        }
        let words = command.words.iter().chain(&command.writes).chain(&command.reads).chain(&command.given);
        for inner in words.flat_map(|word| &word.substitutions) {
            look(&inner.commands, outer, left, found);
        }
        if let Runs::Line(line) = program.runs()
            && left > 0
            && line.text.contains(".tool")
        {
            let span = outer.unwrap_or_else(|| Span::new(line.start, line.end));
            look(&read(&line.text, 0, Manner::Line).commands, Some(span), left - 1, found);
        }
    }
}

/// Is one of its words a path into the home that it would open?
fn touches(program: &Program<'_>) -> bool {
    let arguments = program.arguments();
    match program.name() {
        // For these a word is a text.
        "echo" | "printf" | "test" | "[" | "[[" => return false,
        _ => {}
    }
    let searches = matches!(program.name(), "grep" | "egrep" | "fgrep" | "rg" | "ag" | "ack" | "sed" | "awk");
    let pattern = arguments.iter().position(|word| !word.text.starts_with('-')).filter(|_| searches);
    if let Runs::Code(code) = program.runs()
        && code.text.split(['"', '\'', '`']).take(256).any(names_home)
    {
        return true;
    }
    let own = program.words.first().is_some_and(|word| names_home(&word.text));
    own || arguments.iter().enumerate().any(|(place, word)| {
        let before = place.checked_sub(1).and_then(|place| arguments.get(place));
        Some(place) != pattern
            && !word.text.contains(' ')
            && names_home(&word.text)
            && !is_left_out(&word.text)
            && !before.is_some_and(leaves_out)
    })
}

/// A path with the home as one of its folders, as a flag's value as well.
fn names_home(text: &str) -> bool {
    let is_home = |part: &str| {
        part.eq_ignore_ascii_case(HOME)
            || part.len() <= 12
                && part.starts_with(".t")
                && part.contains(['*', '?', '['])
                && glob(part.as_bytes(), HOME.as_bytes())
    };
    text.len() <= 1_024 && text.contains('.') && text.split(['/', '=', ':', '@', '\\', ',']).any(is_home)
}

/// `--exclude=.toolgate`, `!.toolgate/**`
fn is_left_out(text: &str) -> bool {
    let flag = text.split_once('=').map_or("", |(flag, _)| flag);
    text.starts_with('!') || text.starts_with(":!") || text.starts_with(":(exclude)") || excludes(flag)
}

/// The flag in front of a word that says what to leave out, or by which name.
fn leaves_out(flag: &Word) -> bool {
    let flag = &*flag.text;
    excludes(flag)
        || matches!(flag, "-path" | "-name" | "-wholename" | "-ipath" | "-m" | "--message" | "-x" | "-I")
}

fn excludes(flag: &str) -> bool {
    flag.starts_with('-') && (flag.contains("exclude") || flag.contains("ignore") || flag.contains("skip"))
}

#[cfg(test)]
mod tests {
    use super::{Manner, find, read};

    #[test]
    fn a_line_that_touches_the_home_is_found() {
        let cases = [
            ("cat .toolgate/policy.toml", true),
            ("echo 'allow_shell = true' >> .toolgate/policy.toml", true),
            ("sed -i s/true/false/ ./.toolgate/policy.toml", true),
            ("rm -rf /srv/app/.toolgate/ledger", true),
            ("cd .toolgate && cat policy.toml", true),
            ("cat .tool''gate/policy.toml", true),
            ("cat .toolg*/policy.toml", true),
            ("cp -r .toolgate /tmp/x", true),
            ("bash -c 'cat .toolgate/approvers'", true),
            ("echo $(cat .toolgate/approvers)", true),
            ("tar czf x.tgz --directory=.toolgate .", true),
            ("python3 -c 'print(open(\".toolgate/policy.toml\").read())'", true),
            ("tee .toolgate/policy.toml < x", true),
            ("cat < .toolgate/policy.toml", true),
            ("grep -r x .toolgate", true),
            ("echo .toolgate/ >> .gitignore", false),
            ("grep -rn '.toolgate' docs", false),
            ("rg -g '!.toolgate/**' TODO", false),
            ("tar czf x.tgz --exclude=.toolgate .", false),
            ("rsync -a --exclude .toolgate ./ /backup/", false),
            ("find . -path ./.toolgate -prune -o -name '*.rs' -print", false),
            ("git commit -m 'Ignore .toolgate/ledger'", false),
            ("git add . ':!.toolgate'", false),
            ("test -d .toolgate || echo none", false),
            ("cat docs/.toolgate.md toolgate.toml", false),
            ("ls .t*", true),
            ("ls *.toml .*", false),
        ];
        for (line, want) in cases {
            let mut found = Vec::new();
            find(&read(line, 0, Manner::Line), &mut found);
            assert_eq!(!found.is_empty(), want, "{line}");
        }
    }
}
