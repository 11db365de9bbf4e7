//! A gate whose workers stood still with it, or without it, for longer than a program may take.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "helpers of tests, which start and stop processes"
)]

#[path = "../../tests/jail/still.rs"]
mod still;

use std::path::PathBuf;
use std::time::Duration;

use monty_lane::{Limits, Pool, Request, Settings};
use still::{Gate, READY, TASK, WENT};

const LIMIT: Duration = Duration::from_secs(1);

fn worker() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples").join("worker")
}

/// Not a test of its own: the gate of the others.
#[test]
fn gate() {
    let Ok(task) = std::env::var(TASK) else { return };
    let pool = Pool::start(Settings { workers: 1, ..Settings::new(worker()) }).unwrap();
    let limits = Limits { time: LIMIT, memory: 64 << 20, prints: 10_000, value: 10_000 };
    let request = |source: &str| Request {
        source: source.to_owned(),
        modules: Vec::new(),
        inputs: serde_json::Map::new(),
        limits,
    };
    println!("{READY}");
    let outcome = pool.run(&request(&task), None).unwrap();
    // Whatever became of it, the next one is served.
    let next = pool.run(&request("6 * 7"), None).unwrap().result.unwrap().json;
    println!("{WENT}{:?} {:?} {next}", outcome.exit, outcome.result.map(|value| value.json).ok());
}

/// Takes as long as it is told.
fn counts(most: u32) -> String {
    format!("n = 0\nwhile n < {most}:\n    n += 1\nn")
}

#[test]
fn a_program_that_stood_still_with_the_gate_is_ended_for_its_time() {
    let mut gate = Gate::start("gate", &counts(2_000_000_000));
    gate.wait_for("worker", true);
    std::thread::sleep(Duration::from_millis(200));
    gate.all_still(LIMIT + Duration::from_millis(500));
    assert_eq!(gate.went(), "TimeLimit None 42");
}

#[test]
fn a_program_that_ended_in_time_has_its_value_however_long_the_gate_stood_still() {
    let mut gate = Gate::start("gate", &counts(20_000));
    gate.alone_still(|_| std::thread::sleep(LIMIT + Duration::from_secs(1)));
    assert_eq!(gate.went(), "Exited Some(\"20000\") 42");
}

#[test]
fn whenever_everything_stands_still_the_run_has_one_end() {
    for moment in [0, 1, 3, 10, 30] {
        let mut gate = Gate::start("gate", &counts(20_000));
        std::thread::sleep(Duration::from_millis(moment));
        gate.all_still(LIMIT + Duration::from_millis(300));
        let went = gate.went();
        assert!(
            ["Exited Some(\"20000\") 42", "TimeLimit None 42"].contains(&went.as_str()),
            "{moment}: {went}"
        );
    }
}
