//! Strings that are data to their command: it prints them, searches for them or keeps them.

use call::Span;

use super::shell::Manner;
use super::{program, shell};

/// A string that its command only prints, searches for or keeps.
pub(crate) struct Data {
    pub(crate) span: Span,
    /// Somebody will read it there: a message of a commit, the text of an issue, a line of a file.
    pub(crate) kept: bool,
}

/// The strings of `text` that their commands only print, search for or keep.
pub(crate) fn data_strings(text: &str) -> Vec<Data> {
    let script = shell::read(text, 0, Manner::Line);
    let mut strings = Vec::new();
    for command in script.commands.iter().filter(|command| !command.piped && !command.mention) {
        let program = program::Program::of(command);
        if !program.is_data() && !runs_tests(&program) {
            continue;
        }
        let kept = keeps_text(command, &program);
        let words = command.words.iter().chain(&command.given).filter(|word| word.quoted || is_name(word));
        strings.extend(words.map(|word| Data { span: Span::new(word.start, word.end), kept }));
    }
    strings
}

/// `ignore_previous_instructions`: one word without quotes, as names of tests, files and branches are.
fn is_name(word: &shell::Word) -> bool {
    let in_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:=*".contains(&byte);
    word.text.bytes().all(in_name)
}

/// Does this command run tests, and take words only to choose among them? `go test -run TestIgnore ./...`
fn runs_tests(program: &program::Program<'_>) -> bool {
    #[rustfmt::skip]
    const RUNNERS: &[&str] = &[
        "pytest", "py.test", "unittest", "nosetests", "tox", "nox", "jest", "vitest", "mocha", "ava", "rspec", "phpunit", "ctest",
        "playwright", "cypress", "nextest",
    ];
    #[rustfmt::skip]
    const WITH_TESTS: &[&str] = &[
        "go", "npm", "pnpm", "yarn", "bun", "deno", "dotnet", "mvn", "gradle", "gradlew", "mix", "swift", "bazel", "zig",
        "flutter", "dart", "sbt", "cargo",
    ];
    const STARTERS: &[&str] = &["npx", "pnpm", "yarn", "bunx", "uvx"];
    const RUN_BY: &[&str] = &["uv", "poetry", "pdm", "hatch", "pipenv", "bundle", "pnpm", "yarn"];
    let name = program.name();
    let arguments: Vec<&str> = program.arguments().iter().take(2).map(|word| &*word.text).collect();
    let own = match arguments.as_slice() {
        ["-m", module, ..] => matches!(name, "python" | "python3") && RUNNERS.contains(module),
        ["run" | "exec", runner, ..] => RUN_BY.contains(&name) && RUNNERS.contains(runner),
        ["--test", ..] => name == "node",
        // A variable of such a line may be the task of an agent.
        ["test" | "check", ..] if name == "make" => program.arguments().iter().all(is_name),
        [first, ..] => {
            (*first == "test" && WITH_TESTS.contains(&name))
                || (STARTERS.contains(&name) && RUNNERS.contains(first))
        }
        [] => false,
    };
    RUNNERS.contains(&name) || own
}

/// The words of `text` that are patterns to search by, which nothing is put into: `grep -E "eval \\$\\("`.
pub(crate) fn patterns(text: &str) -> Vec<Span> {
    let script = shell::read(text, 0, Manner::Line);
    let mut patterns = Vec::new();
    for command in &script.commands {
        let program = program::Program::of(command);
        let first = program.arguments().first().map_or("", |word| &*word.text);
        let searches = match program.name() {
            "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack" => true,
            "git" => matches!(first, "grep" | "log"),
            _ => false,
        };
        let plain = command.words.iter().filter(|word| word.quoted && word.substitutions.is_empty());
        patterns.extend(plain.filter(|_| searches).map(|word| Span::new(word.start, word.end)));
    }
    patterns.sort();
    patterns
}

/// Does this command put its strings where others read them?
fn keeps_text(command: &shell::Command, program: &program::Program<'_>) -> bool {
    let says = |words: &[&str]| program.arguments().iter().take(4).any(|word| words.contains(&&*word.text));
    match program.name() {
        "git" => says(&["commit", "tag", "notes"]),
        "gh" | "glab" | "hub" => {
            says(&["pr", "issue", "release", "gist", "mr"])
                && says(&["create", "comment", "edit", "review", "note", "new"])
        }
        "echo" | "printf" | "cat" => command.writes.iter().any(|file| file.text != "/dev/null"),
        "tee" => true,
        _ => false,
    }
}

/// What text is to a program that is given it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// More than text.
    Run,
    /// Text that it prints or searches for.
    Shown,
    /// Text that it puts where others read it.
    Kept,
}

/// What text is to the command of these words.
pub(crate) fn taken_by(words: &[&str]) -> Taken {
    let word = |text: &&str| shell::Word { text: (*text).to_owned(), ..shell::Word::default() };
    let command =
        shell::Command { words: words.iter().take(5).map(word).collect(), ..shell::Command::default() };
    let program = program::Program::of(&command);
    match program.is_data() || runs_tests(&program) {
        false => Taken::Run,
        true if keeps_text(&command, &program) => Taken::Kept,
        true => Taken::Shown,
    }
}
