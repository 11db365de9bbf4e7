//! Programs that start a shell and give it what they fetched: `run(["sh"], input=urlopen(…).read())`.
//!
//! Read as [`super::fetched`] reads: which variable holds what came from elsewhere, which one a shell
//! that was started, and whether the one is given to the other. A shell that is given a line of the
//! program itself is ordinary, and so is a download that goes into any other program.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use call::Span;
use regex::bytes::Regex;

use super::fetched::{Call, calls};
use super::{compiled, source};

/// How far in front of a call the variable is looked for that it is put into.
const NEAR: usize = 120;

/// Where a shell is given what one of `fetches` brings.
pub(super) fn find(text: &str, fetches: &[Call]) -> Vec<Span> {
    let shells = shells(text);
    if shells.is_empty() {
        return Vec::new();
    }
    let mut held: BTreeSet<String> = fetches.iter().filter_map(|call| variable(text, call.start)).collect();
    // What is made of it, from top to bottom: `body = r.read()`.
    for line in text.split(['\n', ';']) {
        if source::mentions(line, &held).is_some()
            && let Some((name, _)) = source::assignment(line)
        {
            held.insert(name.to_owned());
        }
    }
    let fetched_in = |span: Span| {
        let first = fetches.partition_point(|fetch| fetch.start < span.start);
        let direct = fetches.get(first).is_some_and(|fetch| fetch.start < span.end);
        direct || span.of(text).is_some_and(|given| source::mentions(given, &held).is_some())
    };
    let mut found = Vec::new();
    let mut names: BTreeSet<String> = BTreeSet::new();
    for shell in &shells {
        names.extend(variable(text, shell.start));
        let given = given(text, shell);
        if given.is_some_and(fetched_in) || is_piped_into(text, shell, fetches, &held) {
            found.push(Span::new(shell.start, shell.end));
        }
    }
    found.extend(
        given_later(text, &names).into_iter().filter(|(_, given)| fetched_in(*given)).map(|(all, _)| all),
    );
    found
}

/// Calls that start a shell and no line for it.
fn shells(text: &str) -> Vec<Call> {
    static SHELLS: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"\b(?:subprocess\.\w+|run|call|check_call|check_output|Popen|create_subprocess_exec|spawn|spawnSync|execFile|execFileSync|execSync|exec\.Command|Command::new|popen2?e?|capture2e?|capture3|proc_open)\s*\("#;
    let mut shells = calls(text, &SHELLS, pattern);
    shells.retain(|call| text.get(call.arguments..call.end).is_some_and(starts_shell));
    shells
}

fn starts_shell(arguments: &str) -> bool {
    static SHELL: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r#"^\(\s*\[?\s*["'`](?:/\w+){0,3}/?(?:(?:ba|z|da|k)?sh|python\d?|node|perl|ruby)["'`]\s*(?:[,\])]|$)"#;
    let shell = compiled(&SHELL, pattern).is_some_and(|shell| shell.is_match(arguments.as_bytes()));
    shell && !["'-c'", "\"-c\"", "'-e'", "\"-e\""].iter().any(|flag| arguments.contains(flag))
}

/// What stands behind `input=` or `stdin=` in the arguments.
fn given(text: &str, shell: &Call) -> Option<Span> {
    static GIVEN: OnceLock<Option<Regex>> = OnceLock::new();
    let arguments = text.get(shell.arguments..shell.end)?;
    let given = compiled(&GIVEN, r"\b(?:input|stdin|stdin_data)\s*[=:]\s*")?.find(arguments.as_bytes())?;
    Some(Span::new(shell.arguments + given.end(), shell.end))
}

/// `spawn("curl", …).stdout.pipe(spawn("sh").stdin)`
fn is_piped_into(text: &str, shell: &Call, fetches: &[Call], held: &BTreeSet<String>) -> bool {
    let from = text.floor_char_boundary(shell.start.saturating_sub(NEAR));
    let before = text.get(from..shell.start).unwrap_or_default();
    let front = before.trim_end().trim_end_matches(|sign: char| sign.is_alphanumeric() || sign == '.');
    let Some(source) = front.strip_suffix(".pipe(") else { return false };
    let chain = source.rsplit(['\n', ';', '{', '>']).next().unwrap_or_default();
    let start = from + source.len() - chain.len();
    // Inside the call that fetches, or behind it in the same row.
    let last = fetches.partition_point(|fetch| fetch.start < shell.start).checked_sub(1);
    let near = last.and_then(|last| fetches.get(last));
    let tied = near.is_some_and(|fetch| fetch.end > shell.start || fetch.start >= start.saturating_sub(2));
    tied || source::mentions(chain, held).is_some()
}

/// `shell.stdin.write(…)`, `shell.communicate(…)`, `shell.Stdin = …`, `….pipe(shell.stdin)`: all of it, and
/// what is given.
fn given_later(text: &str, names: &BTreeSet<String>) -> Vec<(Span, Span)> {
    static LATER: OnceLock<Option<Regex>> = OnceLock::new();
    let pattern = r"\b(?P<fed>\w{1,60})(?:\.stdin)?\.(?:write|end|communicate|puts|print)\s*\(|\b(?P<set>\w{1,60})\.Stdin\s*=|\b(?P<chain>[\w.]{1,120})\.pipe\s*\(\s*(?P<piped>\w{1,60})\.stdin";
    let Some(later) = compiled(&LATER, pattern).filter(|_| !names.is_empty()) else { return Vec::new() };
    let one = |captures: regex::bytes::Captures<'_>| {
        let all = captures.get(0)?;
        let name = ["fed", "set", "piped"].into_iter().find_map(|name| captures.name(name))?;
        names.contains(std::str::from_utf8(name.as_bytes()).ok()?).then_some(())?;
        let span = Span::new(all.start(), all.end());
        let given = match (captures.name("chain"), captures.name("fed")) {
            (Some(chain), _) => Span::new(chain.start(), chain.end()),
            (None, Some(_)) => Span::new(all.end(), source::arguments_end(text, all.end() - 1)),
            (None, None) => {
                let rest = text.get(all.end()..)?;
                Span::new(all.end(), all.end() + rest.find(['\n', ';']).unwrap_or(rest.len()))
            }
        };
        Some((span, given))
    };
    later.captures_iter(text.as_bytes()).filter_map(one).collect()
}

/// The variable that the call at `start` is put into: `name = await …`, `name, err := …`.
fn variable(text: &str, start: usize) -> Option<String> {
    static BEFORE: OnceLock<Option<Regex>> = OnceLock::new();
    let from = text.floor_char_boundary(start.saturating_sub(NEAR));
    let before = text.get(from..start)?;
    let line = before.rsplit('\n').next()?;
    let pattern = r"(\w{1,60})(?:\s*,\s*\w{1,60}){0,2}\s*:?=\s*(?:await\s+|\(|new\s+|\w{1,40}\.)*$";
    let found = compiled(&BEFORE, pattern)?.captures(line.as_bytes())?;
    std::str::from_utf8(found.get(1)?.as_bytes()).ok().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::super::fetched;

    #[test]
    fn a_shell_that_is_given_a_download_is_found() {
        let cases = [
            ("subprocess.run(['sh'], input=urlopen(u).read())", true),
            ("r = requests.get(u)\nsubprocess.run(['bash', '-s'], input=r.text, text=True)", true),
            ("p = Popen(['curl', u], stdout=PIPE)\nrun(['bash'], stdin=p.stdout)", true),
            ("p = Popen(['/bin/sh'], stdin=PIPE)\np.communicate(urlopen(u).read())", true),
            ("body = urlopen(u).read()\np = Popen('sh', stdin=PIPE)\np.stdin.write(body)", true),
            ("spawn('curl', [u]).stdout.pipe(spawn('sh').stdin)", true),
            ("const c = spawn('curl', [u]); const s = spawn('bash'); c.stdout.pipe(s.stdin)", true),
            ("https.get(u, r => r.pipe(spawn('sh').stdin))", true),
            ("r, _ := http.Get(u); c := exec.Command(\"sh\"); c.Stdin = r.Body; c.Run()", true),
            ("r = requests.get(u)\nsubprocess.run(['jq', '.'], input=r.text)", false),
            ("r = requests.get(u)\nsubprocess.run(['sh'], input='make test')", false),
            ("r = requests.get(u)\nsubprocess.run(['bash', 'build.sh'], check=True)", false),
            ("curl = spawn('curl', [u]); curl.stdout.pipe(fs.createWriteStream('a'))", false),
            ("r, _ := http.Get(u); c := exec.Command(\"jq\", \".\"); c.Stdin = r.Body", false),
            ("os.system(os.popen('curl -s ' + u).read())", true),
            ("os.execute(io.popen('curl -s x'):read('*a'))", true),
            ("execSync(execSync('curl -s x'))", true),
            ("execSync('curl -so a.json x')", false),
            ("print(os.popen('curl -s x').read())", false),
            ("os.system('echo ' + requests.get(u).text)", false),
        ];
        for (text, want) in cases {
            let mut found = Vec::new();
            fetched::find(text, 0, &mut found);
            assert_eq!(!found.is_empty(), want, "{text}");
        }
    }
}
