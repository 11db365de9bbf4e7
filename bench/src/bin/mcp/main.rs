//! What the MCP door adds to a call, beside a bare server of the same library in one run: over pipes and over
//! HTTP, one caller and many, and from the start to the first answer. And a soak: many calls in flight for as
//! long as one likes.
//!
//! `cargo x bench mcp` builds and starts this. With `--smoke` it does little and writes nothing.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measuring program reads the clock, starts servers and talks to a terminal"
)]

mod appends;
mod calls;
mod echo;
mod gate;
mod report;
mod soak;
mod wire;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use appends::{Appends, Told};
use echo::Kind;
use gate::{Gate, Served};
use wire::{Connection, Http, Pipes};

/// How much to do.
struct Plan {
    /// Calls of one caller on each side, turn by turn.
    calls: usize,
    /// How long many callers call in a round.
    each: Duration,
    rounds: usize,
    callers: usize,
    /// Tokens that callers over HTTP are spread over, as several agents have several: each has a limit.
    tokens: usize,
    /// Starts that are timed.
    starts: usize,
}

const FULL: Plan =
    Plan { calls: 2_000, each: Duration::from_secs(2), rounds: 5, callers: 64, tokens: 16, starts: 21 };
const SMOKE: Plan =
    Plan { calls: 20, each: Duration::from_millis(100), rounds: 1, callers: 8, tokens: 2, starts: 2 };

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["--echo", "pipes", "bare"] => echo::pipes(Kind::Bare),
        ["--echo", "pipes", "recording"] => echo::pipes(Kind::Recording),
        ["--echo", "http", "bare"] => echo::http(Kind::Bare),
        ["--echo", "http", "recording"] => echo::http(Kind::Recording),
        ["--gate", gate] => measure(&PathBuf::from(gate), &FULL, true),
        ["--gate", gate, "--smoke"] | ["--smoke", "--gate", gate] => {
            measure(&PathBuf::from(gate), &SMOKE, false)
        }
        ["--gate", gate, soak @ ..] => soak_plan(soak).and_then(|plan| soak::run(&PathBuf::from(gate), plan)),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "usage: mcp --gate TOOLGATE [--smoke | --soak SECONDS [--kill TIMES] | --soak-calls CALLS [--kill TIMES]]";

/// What is asked for: a soak by the clock, at full size, or one by answers, as a test has it.
fn soak_plan(words: &[&str]) -> Result<soak::Plan, String> {
    let number = |word: &str| word.parse::<u64>().map_err(|_| format!("`{word}` is no number"));
    let (words, kills) = match words {
        [words @ .., "--kill", times] => (words, number(times)?),
        words => (words, 0),
    };
    match words {
        ["--soak", seconds] => {
            let length = soak::Length::Time(Duration::from_secs(number(seconds)?.max(1)));
            Ok(soak::Plan { sessions: 50, in_flight: 20, tokens: 10, length, kills })
        }
        ["--soak-calls", calls] => {
            let length = soak::Length::Calls(number(calls)?.max(1));
            Ok(soak::Plan { sessions: 6, in_flight: 5, tokens: 3, length, kills })
        }
        _ => Err(USAGE.to_owned()),
    }
}

fn measure(program: &std::path::Path, plan: &Plan, keep: bool) -> Result<(), String> {
    let gate = Gate::new(program)?;
    let fresh = starts(&gate, plan)?;
    let mut appends = Appends::new()?;
    let pipes = turns(
        &mut appends,
        &mut Pipes::start(&mut gate.command(&["mcp"]))?,
        &mut Pipes::start(&mut echo::command("pipes", Kind::Bare))?,
        plan.calls,
    )?;
    let (ours, theirs) = (Served::gate(&gate, plan.tokens)?, Served::echo(Kind::Bare)?);
    let recording = Served::echo(Kind::Recording)?;
    let http = turns(&mut appends, &mut ours.connect()?, &mut theirs.connect()?, plan.calls)?;
    let mut rates = Vec::new();
    for _ in 0..plan.rounds {
        rates.push(report::Rates {
            appends: appends.rate(plan.callers, plan.each, Told::Event)?,
            calls: appends.rate(plan.callers, plan.each, Told::Call)?,
            http: [many(&ours, plan)?, many(&recording, plan)?, many(&theirs, plan)?],
            pipes: [
                in_flight(Pipes::start(&mut gate.command(&["mcp"]))?, plan)?,
                in_flight(Pipes::start(&mut echo::command("pipes", Kind::Recording))?, plan)?,
                in_flight(Pipes::start(&mut echo::command("pipes", Kind::Bare))?, plan)?,
            ],
        });
    }
    drop((ours, recording, theirs));
    let grown = starts(&gate, plan)?;
    gate.verify()?;
    let entries = gate.entries()?;
    let text = report::text(&report::Figures { pipes, http, rates, fresh, grown, entries });
    println!("{text}");
    if keep {
        bench::page::write(bench::page::Part::Mcp, &text)?;
    }
    Ok(())
}

/// From the start of the program to its first answer.
fn starts(gate: &Gate, plan: &Plan) -> Result<Vec<Duration>, String> {
    let mut times = Vec::new();
    for _ in 0..plan.starts {
        let begun = Instant::now();
        let pipes = Pipes::start(&mut gate.command(&["mcp"]))?;
        times.push(begun.elapsed());
        drop(pipes);
    }
    Ok(times)
}

/// One append, one call here, one there, so that all meet the same machine.
fn turns(
    append: &mut Appends,
    ours: &mut impl Connection,
    theirs: &mut impl Connection,
    calls: usize,
) -> Result<[Vec<Duration>; 3], String> {
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for number in 0..calls + calls / 10 {
        let sides: [&mut dyn Connection; 3] = [append, ours, theirs];
        for (side, times) in sides.into_iter().zip(&mut times) {
            let begun = Instant::now();
            side.call()?;
            // The first ones warm up.
            if number >= calls / 10 {
                times.push(begun.elapsed());
            }
        }
    }
    Ok(times)
}

/// Calls a second of one client that has many in flight.
fn in_flight(mut pipes: Pipes, plan: &Plan) -> Result<f64, String> {
    for _ in 0..plan.callers {
        pipes.begin()?;
    }
    let begun = Instant::now();
    let mut calls = 0_u64;
    while begun.elapsed() < plan.each {
        pipes.end()?;
        pipes.begin()?;
        calls += 1;
    }
    let rate = calls as f64 / begun.elapsed().as_secs_f64();
    for _ in 0..plan.callers {
        pipes.end()?;
    }
    Ok(rate)
}

/// Calls a second of many callers, each with a connection of its own.
fn many(served: &Served, plan: &Plan) -> Result<f64, String> {
    let connections: Result<Vec<Http>, String> =
        (0..plan.callers).map(|number| served.connect_as(number)).collect();
    let begun = Instant::now();
    let until = begun + plan.each;
    let callers = connections?.into_iter().map(|mut connection| {
        std::thread::spawn(move || {
            let mut calls = 0_u64;
            while Instant::now() < until {
                connection.call()?;
                calls += 1;
            }
            Ok::<u64, String>(calls)
        })
    });
    let callers: Vec<_> = callers.collect();
    let mut calls = 0;
    for caller in callers {
        calls += caller.join().map_err(|_| "a caller panicked".to_owned())??;
    }
    Ok(calls as f64 / begun.elapsed().as_secs_f64())
}
