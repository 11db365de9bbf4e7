//! Whole decisions beside those of agent-os-kernel, on the same calls and rules and in the same run;
//! how fast texts are screened; and how long it takes to say what two policies differ in.
//!
//! A decision is what happens to every call: its arguments are classified, its texts screened, and
//! policy is asked. Machines are noisy, so nothing is compared across runs: the sides take turns,
//! round by round. Both sides must give the same verdicts before anything is measured.
//!
//! `cargo x bench` builds and starts this. With `--smoke` it does little and writes nothing.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measuring program reads the clock, starts a process and talks to a terminal"
)]

mod agent_os;
mod comparing;
mod deciding;
mod report;
mod samples;
mod screening;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use bench::page::{self, Part};

use report::Report;

/// How much to do.
struct Plan {
    /// Numbers of rules that do not concern the calls.
    rules: &'static [usize],
    rounds: usize,
    /// Decisions of one side about one call in a round.
    decisions: usize,
    clean_kilobytes: &'static [usize],
    hostile_kilobytes: [usize; 2],
    /// How long to repeat the screening of one text.
    each_text: Duration,
    /// Numbers of rules of policies that are compared.
    compared_rules: &'static [usize],
}

const FULL: Plan = Plan {
    rules: &[1, 10, 100, 1_000],
    rounds: 15,
    decisions: 100,
    clean_kilobytes: &[1, 16, 1_024],
    hostile_kilobytes: [64, 1_024],
    each_text: Duration::from_millis(200),
    compared_rules: &[5, 50, 500],
};

const SMOKE: Plan = Plan {
    rules: &[1, 10, 100],
    rounds: 1,
    decisions: 5,
    clean_kilobytes: &[1, 4],
    hostile_kilobytes: [1, 4],
    each_text: Duration::from_millis(1),
    compared_rules: &[5],
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        [] => measure(None, &FULL).and_then(|report| write(&report, Path::new("python3"))),
        ["--python", python] => {
            let python = Path::new(python);
            measure(Some(python), &FULL).and_then(|report| write(&report, python))
        }
        ["--smoke"] => measure(None, &SMOKE).map(|report| show(&report)),
        ["--smoke", "--python", python] => {
            measure(Some(Path::new(python)), &SMOKE).map(|report| show(&report))
        }
        _ => Err("usage: decisions [--smoke] [--python PATH]".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn write(report: &Report, python: &Path) -> Result<(), String> {
    let part = report.part(python);
    println!("{part}");
    page::write(Part::Decisions, &part)
}

fn show(report: &Report) {
    println!("Built without optimisation: this shows that it runs, not how fast.\n{}", report.tables());
}

fn measure(python: Option<&Path>, plan: &Plan) -> Result<Report, String> {
    let decided = deciding::measure(python, plan)?;
    if !decided.has_other_side() {
        eprintln!("agent-os-kernel is not installed: only the gate's own side is measured");
    }
    Ok(Report {
        rounds: plan.rounds,
        decided,
        clean: screening::clean(plan),
        hostile_kilobytes: plan.hostile_kilobytes,
        hostile: screening::hostile(plan),
        compared: comparing::measure(plan)?,
    })
}
