//! `cargo x fuzz`: builds the fuzz targets for libFuzzer and runs them.
//!
//! On the pinned stable toolchain and without cargo-fuzz: coverage instrumentation is an LLVM pass
//! that stable accepts, and the rest is one link with libFuzzer. Sanitizers would need another
//! toolchain; the fuzzed crates have no `unsafe`, so panics, hangs and broken promises are what
//! there is to find.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use crate::repository::{cargo, root, succeed, target_folder};

/// Every target with the longest input that is worth its time, what it starts from, and the words
/// that its input is made of: a file of `fuzz/dictionaries`.
const TARGETS: &[Target] = &[
    Target { name: "document", max_len: 8192, seeds: Seeds::Documents, words: "documents" },
    Target { name: "readers", max_len: 2048, seeds: Seeds::Documents, words: "documents" },
    Target { name: "request", max_len: 1024, seeds: Seeds::None, words: "documents" },
    Target { name: "result", max_len: 1024, seeds: Seeds::None, words: "documents" },
    Target { name: "command", max_len: 512, seeds: Seeds::Commands, words: "documents" },
    Target { name: "screen", max_len: 4096, seeds: Seeds::Documents, words: "documents" },
    Target { name: "arguments", max_len: 2048, seeds: Seeds::Own, words: "arguments" },
    Target { name: "sql", max_len: 1024, seeds: Seeds::Own, words: "sql" },
    Target { name: "home", max_len: 2048, seeds: Seeds::Own, words: "policy" },
    Target { name: "manifest", max_len: 2048, seeds: Seeds::Own, words: "policy" },
    Target { name: "organisation", max_len: 2048, seeds: Seeds::Own, words: "cedar" },
    Target { name: "mapping", max_len: 1024, seeds: Seeds::Own, words: "policy" },
    Target { name: "call", max_len: 2048, seeds: Seeds::Own, words: "documents" },
    Target { name: "ledger", max_len: 2048, seeds: Seeds::Own, words: "ledger" },
];

const COVERAGE: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg",
    "fuzzing",
];

/// A run has its time by the clock. Two share a core, so that all of them are through in half of it.
const TARGETS_PER_CORE: usize = 2;

#[derive(Clone, Copy)]
struct Target {
    name: &'static str,
    max_len: usize,
    seeds: Seeds,
    words: &'static str,
}

#[derive(Clone, Copy)]
enum Seeds {
    /// The documents of `tests/corpus`.
    Documents,
    /// The command lines in them.
    Commands,
    /// The files of `fuzz/seeds/NAME`.
    Own,
    /// Nothing: the target brings its own document and reads edits.
    None,
}

/// How long each target is tried, and in which way.
#[derive(Clone, Copy)]
struct Effort {
    seconds: u32,
    /// Where chance begins. The same number tries the same inputs, so that a change is judged by itself and not by
    /// what happened to be tried; without one, every run tries others.
    seed: Option<u32>,
}

/// What one run came to.
struct Outcome {
    target: Target,
    log: String,
    clean: bool,
}

/// Builds the targets, runs them, prints a table; an error when one of them found something.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let (effort, targets) = parse(options)?;
    let built = build()?;
    let queue = Mutex::new(VecDeque::from(targets));
    let outcomes = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(1, usize::from) * TARGETS_PER_CORE;
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(target) = queue.lock().ok().and_then(|mut queue| queue.pop_front()) {
                    let outcome = fuzz(target, &built, effort);
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes.push(outcome);
                    }
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().map_err(|_| "a worker panicked".to_owned())?;
    let outcomes = outcomes.into_iter().collect::<Result<Vec<Outcome>, String>>()?;
    report(&outcomes)
}

fn parse(options: &[&str]) -> Result<(Effort, Vec<Target>), String> {
    let mut effort = Effort { seconds: 30, seed: None };
    let mut chosen = Vec::new();
    let mut rest = options.iter();
    while let Some(&option) = rest.next() {
        if let "--seconds" | "--seed" = option {
            let number = rest.next().and_then(|number| number.parse().ok()).filter(|&number| number > 0);
            let number = number.ok_or_else(|| format!("`{option}` takes a whole number above 0"))?;
            if option == "--seed" { effort.seed = Some(number) } else { effort.seconds = number }
        } else {
            let target = TARGETS.iter().find(|target| target.name == option);
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            let unknown = || format!("no fuzz target `{option}`, expected one of: {}", names.join(", "));
            chosen.push(*target.ok_or_else(unknown)?);
        }
    }
    if chosen.is_empty() {
        chosen = TARGETS.to_vec();
    }
    Ok((effort, chosen))
}

/// Builds every target, and returns the folder they lie in.
///
/// The host is named as the target, so that build scripts and macros are not instrumented and are
/// those that the workspace has built already.
fn build() -> Result<PathBuf, String> {
    let host = host()?;
    let target_folder = target_folder();
    println!("building the fuzz targets");
    let mut build = cargo();
    build.current_dir(root().join("fuzz"));
    build.args(["build", "--quiet", "--bins", "--target", &host]);
    if std::env::var_os("CI").is_some() {
        build.arg("--locked");
    }
    build.env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", COVERAGE.join(" "));
    build.env("CARGO_TARGET_DIR", &target_folder);
    succeed(&mut build)?;
    Ok(target_folder.join(host).join("debug"))
}

fn host() -> Result<String, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").current_dir(root()).output();
    let output = output.map_err(|error| format!("cannot start rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}

fn fuzz(target: Target, built: &Path, effort: Effort) -> Result<Outcome, String> {
    let say = |what: &str, error: io::Error| format!("{}: cannot {what}: {error}", target.name);
    let scratch = built.join("corpus").join(target.name);
    let artifacts = root().join("fuzz/artifacts").join(target.name);
    fs::create_dir_all(&artifacts).map_err(|error| say("make the folder for findings", error))?;
    plant(target, &scratch).map_err(|error| say("copy the seeds", error))?;
    let Effort { seconds, seed } = effort;
    println!("fuzzing {} for {seconds} s", target.name);
    let output = Command::new(built.join(target.name))
        .arg(format!("-max_total_time={seconds}"))
        .args(seed.map(|seed| format!("-seed={seed}")))
        .arg(format!("-max_len={}", target.max_len))
        .arg(format!("-dict={}", root().join("fuzz/dictionaries").join(target.words).display()))
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args(["-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"])
        .arg(scratch)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| say("start", error))?;
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(Outcome { target, log, clean: output.status.success() })
}

/// Puts the seeds of a target into its scratch corpus. What earlier runs found there stays.
fn plant(target: Target, scratch: &Path) -> io::Result<()> {
    fs::create_dir_all(scratch)?;
    let mut documents = Vec::new();
    match target.seeds {
        Seeds::Documents | Seeds::Commands => {
            find_files(&root().join("tests/corpus"), Some("md"), &mut documents)?
        }
        Seeds::Own => find_files(&root().join("fuzz/seeds").join(target.name), None, &mut documents)?,
        Seeds::None => {}
    }
    for (number, document) in documents.iter().enumerate() {
        let bytes = fs::read(document)?;
        let seed = match target.seeds {
            Seeds::Documents | Seeds::Own => Some(bytes),
            Seeds::Commands => command_line(&bytes),
            Seeds::None => None,
        };
        if let Some(seed) = seed.filter(|seed| seed.len() <= target.max_len) {
            fs::write(scratch.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}

/// The files in and below a folder, those with this extension when one is named.
fn find_files(folder: &Path, wanted: Option<&str>, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_files(&path, wanted, found)?;
        } else if wanted.is_none_or(|wanted| path.extension().is_some_and(|extension| extension == wanted)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

fn command_line(document: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(document).ok()?;
    let (_, section) = text.split_once("\n## Command\n")?;
    section.lines().find(|line| !line.trim().is_empty()).map(|line| line.as_bytes().to_vec())
}

fn report(outcomes: &[Outcome]) -> Result<(), String> {
    println!("\n{:<12} {:>10} {:>10} {:>16}  result", "target", "runs", "new units", "coverage");
    let mut failed = Vec::new();
    for Outcome { target, log, clean } in outcomes {
        let (first, last) = coverage(log);
        let guided = last > 0;
        let result = match (clean, guided) {
            (false, _) => "FOUND SOMETHING",
            (true, false) => "NO COVERAGE FEEDBACK",
            (true, true) => "clean",
        };
        let runs = statistic(log, "stat::number_of_executed_units:");
        let new_units = statistic(log, "stat::new_units_added:");
        let grown = format!("{first} -> {last}");
        println!("{:<12} {runs:>10} {new_units:>10} {grown:>16}  {result}", target.name);
        if !clean || !guided {
            failed.push((target.name, log));
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    let mut message = String::new();
    for (name, log) in failed {
        let lines: Vec<&str> = log.lines().collect();
        let tail = lines.get(lines.len().saturating_sub(40)..).unwrap_or_default();
        message.push_str(&format!("\n{name}: the end of the log\n\n{}\n", tail.join("\n")));
    }
    message.push_str(
        "\nthe input lies in fuzz/artifacts; make it a case in tests/corpus and mend what it shows",
    );
    Err(message)
}

/// Covered edges when the seeds were read, and at the end.
fn coverage(log: &str) -> (u64, u64) {
    let count = |line: &str| line.split_once("cov: ")?.1.split(' ').next()?.parse().ok();
    let mut counts = log.lines().filter(|line| line.starts_with('#')).filter_map(count);
    let first = counts.next().unwrap_or(0);
    (first, counts.next_back().unwrap_or(first))
}

fn statistic(log: &str, name: &str) -> String {
    let value = log.lines().find_map(|line| line.strip_prefix(name));
    value.map_or_else(|| "-".to_owned(), |value| value.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Effort, TARGETS, coverage, parse};

    #[test]
    fn every_target_is_built_and_every_built_target_is_run() {
        let manifest = std::fs::read_to_string(crate::repository::root().join("fuzz/Cargo.toml")).unwrap();
        for target in TARGETS {
            assert!(manifest.contains(&format!("name = \"{}\"\npath", target.name)), "{}", target.name);
            let words = crate::repository::root().join("fuzz/dictionaries").join(target.words);
            assert!(words.is_file(), "{}", words.display());
        }
        assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len(), "add the target to xtask/src/fuzz.rs");
    }

    #[test]
    fn targets_and_seconds_are_read_in_any_order() {
        let names = |options: &[&str]| {
            parse(options).map(|(Effort { seconds, seed }, targets)| {
                let targets: Vec<&str> = targets.iter().map(|target| target.name).collect();
                let seed = seed.map(|seed| format!("from {seed} ")).unwrap_or_default();
                format!("{seconds} {seed}{}", targets.join(" "))
            })
        };
        let all = "30 document readers request result command screen \
                   arguments sql home manifest organisation mapping call ledger";
        assert_eq!(names(&[]), Ok(all.to_owned()));
        assert_eq!(names(&["screen", "--seconds", "5"]), Ok("5 screen".to_owned()));
        assert_eq!(names(&["--seed", "7", "screen", "--seconds", "5"]), Ok("5 from 7 screen".to_owned()));
        assert!(names(&["--seed", "x"]).is_err());
        assert!(names(&["--seconds"]).is_err());
        assert!(names(&["--seconds", "0"]).is_err());
        assert!(names(&["shell"]).unwrap_err().contains("expected one of"));
    }

    #[test]
    fn coverage_is_read_from_the_log() {
        let log =
            "INFO: seed\n#3\tINITED cov: 17 ft: 18 corp: 1/1b\n#99\tDONE   cov: 210 ft: 4 corp: 9/9b\nDone";
        assert_eq!(coverage(log), (17, 210));
        assert_eq!(coverage("no counters"), (0, 0));
    }
}
