//! The gate beside an equivalent check in CPython, on the same documents and in the same run.
//!
//! Machines are noisy, so nothing here is compared across runs: the sides take turns, round by
//! round, and medians are set against each other. Every side reads its documents from disk. Both
//! sides must give the same verdicts before anything is measured.
//!
//! `cargo x bench` builds and starts this. With `--smoke` it runs once with few documents and
//! writes nothing.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measuring program reads the clock and files, starts processes and talks to a terminal"
)]

mod python;
mod report;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use bench::page::{self, Part};
use bench::{check_named, machine, now, odd_requests, request_of, requests};
use call::Moment;
use document::{Checked, Profile, Verdict};
use tempfile::TempDir;

use python::Python;
use report::{Measured, Report};

/// How much to do.
struct Plan {
    documents: usize,
    rounds: usize,
    kilobytes: &'static [usize],
    counts: &'static [usize],
    /// How long to repeat the check of one size.
    each_size: Duration,
}

const FULL: Plan = Plan {
    documents: 2_000,
    rounds: 9,
    kilobytes: &[1, 4, 16, 64, 256],
    counts: &[250, 500, 1_000, 2_000, 4_000],
    each_size: Duration::from_secs(1),
};

const SMOKE: Plan = Plan {
    documents: 60,
    rounds: 1,
    kilobytes: &[1, 4, 16],
    counts: &[15, 30, 60],
    each_size: Duration::from_millis(50),
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["--gate", gate] => compare(Path::new(gate), &FULL).and_then(|report| {
            let part = report.part();
            println!("{part}");
            page::write(Part::Documents, &part)
        }),
        ["--smoke", "--gate", gate] => compare(Path::new(gate), &SMOKE).map(|report| {
            println!(
                "Built without optimisation: this shows that it runs, not how fast.\n{}",
                report.tables()
            )
        }),
        _ => Err("usage: compare [--smoke] --gate PATH".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn compare(gate: &Path, plan: &Plan) -> Result<Report, String> {
    let now = now().map_err(|error| error.to_string())?;
    let honest = Folder::of_requests(plan.documents)?;
    let mut pythons = Vec::new();
    for variant in ["plain", "pyyaml", "tuned"] {
        match Python::start(variant, honest.path())? {
            Some(python) => pythons.push(python),
            None => eprintln!("python3 or what it needs for `{variant}` is not here: that side is left out"),
        }
    }
    let agreed = agree(&honest, &mut pythons, now)?;
    gate_accepts(gate, &honest)?;

    let mut sides: Vec<(String, Side<'_>)> = vec![
        ("toolgate, strict, in process, one thread".to_owned(), Side::OneThread(Profile::Strict)),
        ("toolgate, threegate-v1, in process, one thread".to_owned(), Side::OneThread(Profile::ThreegateV1)),
        ("toolgate, strict, in process, all cores".to_owned(), Side::AllCores),
        ("`toolgate check FOLDER`, process start included".to_owned(), Side::Gate),
    ];
    sides.extend(pythons.iter_mut().map(|python| {
        (format!("CPython, threegate-v1, in process, one thread: `{}`", python.variant), Side::Python(python))
    }));
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); sides.len()];
    for _ in 0..plan.rounds {
        for ((_, side), times) in sides.iter_mut().zip(&mut times) {
            times.push(side.round(&honest, gate, now)?);
        }
    }
    let measured = sides.iter().zip(times).map(|((name, side), times)| Measured {
        name: name.clone(),
        python: if let Side::Python(python) = side { Some(python.variant.clone()) } else { None },
        median: median(times),
    });
    Ok(Report {
        documents: plan.documents,
        bytes: honest.bytes,
        rounds: plan.rounds,
        agreed,
        sides: measured.collect(),
        by_size: plan.kilobytes.iter().map(|&size| (size, one_size(size, plan.each_size, now))).collect(),
        by_count: by_count(plan, gate, now)?,
    })
}

/// How long each side is at it in every round, at least.
const TURN: Duration = Duration::from_millis(700);

/// One way to check a folder.
enum Side<'a> {
    OneThread(Profile),
    AllCores,
    Gate,
    Python(&'a mut Python),
}

impl Side<'_> {
    /// How long checking the folder takes. A side that is done within [`TURN`] goes on until that has
    /// passed, and its median counts: it has waited for slow sides, and the first pass finds cold caches.
    fn round(&mut self, folder: &Folder, gate: &Path, now: Moment) -> Result<Duration, String> {
        let mut passes = Vec::new();
        let mut all = Duration::ZERO;
        while all < TURN {
            let pass = self.pass(folder, gate, now)?;
            all += pass;
            passes.push(pass);
        }
        Ok(median(passes))
    }

    fn pass(&mut self, folder: &Folder, gate: &Path, now: Moment) -> Result<Duration, String> {
        let start = Instant::now();
        match self {
            Side::OneThread(profile) => {
                for (stem, path) in &folder.documents {
                    let _ = std::hint::black_box(check_file(stem, path, *profile, now)?);
                }
            }
            Side::AllCores => check_on_all_cores(folder, now)?,
            Side::Gate => drop(start_gate(gate, folder)?),
            Side::Python(python) => return python.round(),
        }
        Ok(start.elapsed())
    }
}

fn check_file(stem: &str, path: &Path, profile: Profile, now: Moment) -> Result<Checked, String> {
    let bytes = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    check_named(stem, &bytes, profile, now).map_err(|error| format!("{}: {error}", path.display()))
}

fn check_on_all_cores(folder: &Folder, now: Moment) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), String> {
        while let Some((stem, path)) = folder.documents.get(next.fetch_add(1, Ordering::Relaxed)) {
            let _ = std::hint::black_box(check_file(stem, path, Profile::Strict, now)?);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..machine::cores()).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| "a worker panicked".to_owned())?)
    })
}

fn start_gate(gate: &Path, folder: &Folder) -> Result<std::process::Output, String> {
    let mut command = Command::new(gate);
    command.arg("check").arg(folder.path()).stdin(Stdio::null());
    command.output().map_err(|error| format!("cannot start {}: {error}", gate.display()))
}

/// A fast answer to another question is worth nothing: the gate says `ACCEPT` once a document.
fn gate_accepts(gate: &Path, folder: &Folder) -> Result<(), String> {
    let output = start_gate(gate, folder)?;
    let accepted =
        String::from_utf8_lossy(&output.stdout).lines().filter(|line| line.contains("ACCEPT")).count();
    if output.status.success() && accepted == folder.documents.len() {
        return Ok(());
    }
    let talk = String::from_utf8_lossy(&output.stderr);
    let talk: Vec<&str> = talk.lines().take(5).collect();
    Err(format!(
        "`toolgate check` accepted {accepted} of {} documents and ended with {}\n{}",
        folder.documents.len(),
        output.status,
        talk.join("\n")
    ))
}

/// Holds the verdicts of both sides against each other; returns how many were the same.
fn agree(honest: &Folder, pythons: &mut [Python], now: Moment) -> Result<usize, String> {
    let odd = Folder::of_odd_requests()?;
    let mut agreed = 0;
    for python in pythons {
        let mut for_odd = Python::start(&python.variant, odd.path())?.ok_or("python3 went away")?;
        for (folder, theirs) in [(honest, python.verdicts()?), (&odd, for_odd.verdicts()?)] {
            let ours = verdicts(folder, now)?;
            for (stem, our) in &ours {
                let their = theirs.get(stem).map_or("nothing", String::as_str);
                if their != *our {
                    return Err(format!(
                        "`{stem}`: we say {our}, Python with {} says {their}",
                        python.variant
                    ));
                }
            }
            agreed += ours.len();
        }
    }
    Ok(agreed)
}

fn verdicts(folder: &Folder, now: Moment) -> Result<BTreeMap<String, &'static str>, String> {
    let mut verdicts = BTreeMap::new();
    for (stem, path) in &folder.documents {
        let verdict = match check_file(stem, path, Profile::ThreegateV1, now)?.verdict() {
            Verdict::Accept => "accept",
            Verdict::Reject => "reject",
        };
        verdicts.insert(stem.clone(), verdict);
    }
    Ok(verdicts)
}

/// The median time of one check of a document of this size, from memory.
fn one_size(kilobytes: usize, long: Duration, now: Moment) -> Duration {
    let text = request_of(kilobytes * 1024);
    let mut times = Vec::new();
    let begin = Instant::now();
    while begin.elapsed() < long || times.len() < 3 {
        let start = Instant::now();
        let _ = std::hint::black_box(check_named("sized", text.as_bytes(), Profile::Strict, now));
        times.push(start.elapsed());
    }
    median(times)
}

/// Number of documents, time on one thread in process, time of the gate's process.
fn by_count(plan: &Plan, gate: &Path, now: Moment) -> Result<Vec<(usize, Duration, Duration)>, String> {
    let mut rows = Vec::new();
    for &count in plan.counts {
        let folder = Folder::of_requests(count)?;
        let (mut in_process, mut process) = (Vec::new(), Vec::new());
        for _ in 0..plan.rounds.min(5) {
            in_process.push(Side::OneThread(Profile::Strict).round(&folder, gate, now)?);
            process.push(Side::Gate.round(&folder, gate, now)?);
        }
        rows.push((count, median(in_process), median(process)));
    }
    Ok(rows)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Documents on disk, gone when this is dropped.
struct Folder {
    folder: TempDir,
    documents: Vec<(String, PathBuf)>,
    bytes: usize,
}

impl Folder {
    fn of_requests(count: usize) -> Result<Self, String> {
        Self::of(requests(count).into_iter().map(|request| (request.stem, request.text)))
    }

    fn of_odd_requests() -> Result<Self, String> {
        Self::of(odd_requests().into_iter().map(|odd| (odd.name.replace([' ', ','], "-"), odd.text)))
    }

    fn of(texts: impl Iterator<Item = (String, String)>) -> Result<Self, String> {
        let folder =
            TempDir::new().map_err(|error| format!("cannot make a folder for documents: {error}"))?;
        let mut documents = Vec::new();
        let mut bytes = 0;
        for (stem, text) in texts {
            let path = folder.path().join(format!("{stem}.md"));
            fs::write(&path, &text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
            bytes += text.len();
            documents.push((stem, path));
        }
        Ok(Self { folder, documents, bytes })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}
