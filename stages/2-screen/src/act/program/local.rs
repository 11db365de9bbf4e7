//! Programs whose output is no more than what lies on this machine: `kubectl completion bash`, `sed 1d run.sh`.
//!
//! Only where every word is told, and where a text is not built from nothing: a file is named, and no letters are
//! made of numbers or of other letters.

use super::Program;
use super::lists::{is_interpreter, is_shell, known};
use super::name::name_of;
use crate::act::shell::{Command, Word};

pub(super) fn is_local(command: &Command, program: &Program<'_>) -> bool {
    let plain = |word: &Word| word.substitutions.is_empty() && word.names.is_empty();
    let given = !command.given.is_empty() || !command.reads.iter().all(plain);
    let told = command.words.len() <= 64 && command.words.iter().all(plain) && !program.by_xargs;
    // Behind a wrapper it is another program that runs.
    let by_name = program.words.len() == command.words.len();
    told && !given && (tells_of_itself(command) || (by_name && reads_files(command, program)))
}

/// `npm completion`, `starship init bash`, `fzf --bash`: what a program says to the shell that starts it.
fn tells_of_itself(command: &Command) -> bool {
    let Some((first, arguments)) = command.words.split_first() else { return false };
    let name = &*name_of(first);
    // They start what the first word names, or somewhere else.
    let tells = matches!(name, "kubectl" | "oc" | "docker" | "podman" | "nerdctl" | "lxc");
    let facts = known(name);
    let starts = (facts.elsewhere && !tells)
        || facts.wrapper.is_some()
        || is_shell(name)
        || is_interpreter(name)
        || matches!(name, "npx" | "bunx" | "uvx" | "pipx" | "pnpx" | "dlx" | "java" | "dotnet");
    let bare = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b'.'))
    };
    let path = !bare(&first.text);
    if starts || path || arguments.len() > 4 || !arguments.iter().all(|word| bare(&word.text)) {
        return false;
    }
    let asked = arguments.first().map_or("", |word| &*word.text);
    matches!(
        asked,
        "completion"
            | "completions"
            | "complete"
            | "completion-script"
            | "hook"
            | "init"
            | "shellenv"
            | "shell-init"
    ) || matches!(asked, "--bash" | "--zsh" | "--fish")
        || ["--completion", "--shell-completion", "--generate-completion"]
            .iter()
            .any(|flag| asked.starts_with(flag))
}

/// A tool for text that is given the name of a file.
fn reads_files(command: &Command, program: &Program<'_>) -> bool {
    // What they do stands in the first word that is no flag.
    let does = match program.name() {
        "grep" | "egrep" | "fgrep" | "sed" | "awk" | "gawk" | "mawk" | "jq" | "yq" => 1,
        "head" | "tail" | "cut" | "sort" | "uniq" | "tac" | "nl" => 0,
        "envsubst" => return !command.reads.is_empty(),
        "git" => return program.arguments().first().is_some_and(|word| word.text == "show"),
        "make" | "gmake" => return program.arguments().iter().any(|word| word.text == "-n"),
        _ => return false,
    };
    let words = program.arguments().iter();
    let operands: Vec<&Word> = words.filter(|word| !word.text.starts_with('-')).collect();
    let files = operands.get(does..).unwrap_or_default();
    let is_file = |word: &&&Word| !word.text.bytes().all(|byte| byte.is_ascii_digit());
    let stdin = |word: &&Word| word.text.starts_with("/dev/") || word.text.starts_with("/proc/");
    let builds = operands.iter().take(does).any(|word| builds_text(program.name(), &word.text));
    !builds
        && (files.iter().any(|word| is_file(&word)) || !command.reads.is_empty())
        && !files.iter().any(stdin)
}

/// Does what a tool is told make letters of numbers or of other letters, or text of nothing?
fn builds_text(name: &str, told: &str) -> bool {
    match name {
        "sed" => told.trim_start().starts_with('y') || told.contains([';', '\n']) || told.contains("\\x"),
        "awk" | "gawk" | "mawk" => ["BEGIN", "END", "%c", "substr", "system", "getline", "gsub", "|", "\\"]
            .iter()
            .any(|sign| told.contains(sign)),
        "jq" | "yq" => ["@base64d", "implode", "env", "input", "\\u"].iter().any(|sign| told.contains(sign)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_local;
    use crate::act::program::Program;
    use crate::act::shell::{Manner, read};

    #[test]
    fn what_lies_on_this_machine_is_told_from_what_is_made() {
        let cases = [
            ("kubectl completion bash", true),
            ("gh completion -s zsh", true),
            ("direnv hook bash", true),
            ("brew shellenv", true),
            ("just --completions bash", true),
            ("./tool completion bash", false),
            ("npx completion", false),
            ("su completion", false),
            ("sudo completion", false),
            ("bash completion", false),
            ("docker run a completion", false),
            ("tool run completion", false),
            ("tool completion \"$A\"", false),
            ("sed 1d a.sh", true),
            ("sed 1d", false),
            ("sed 1d /dev/stdin", false),
            ("sed y/abc/xyz/ a", false),
            ("sed 's/a/b/' < a", true),
            ("awk '{print $1}' a", true),
            ("awk '{printf \"%c\", $1}' a", false),
            ("awk 'BEGIN { print 1 }' a", false),
            ("head -n 5 a.sh", true),
            ("head -n 5", false),
            ("jq -r '.[]' a.json", true),
            ("jq -r '.[] | @base64d' a.json", false),
            ("git show HEAD:a.sh", true),
            ("git fetch", false),
            ("make -n all", true),
            ("make all", false),
            ("sort $A", false),
            ("xargs cat a", false),
        ];
        for (line, want) in cases {
            let script = read(line, 0, Manner::Line);
            let found =
                script.commands.first().is_some_and(|command| is_local(command, &Program::of(command)));
            assert_eq!(found, want, "{line}");
        }
    }
}
