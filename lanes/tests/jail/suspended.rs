//! A gate that stood still, for longer than the program may take.

use std::time::{Duration, Instant};

use crate::kit::{as_ordinary_user, jail, leftovers, python, try_run};
use crate::still::{Gate, READY, TASK, WENT};

const LIMIT: Duration = Duration::from_secs(1);
const BYTES: usize = 3_000_000;

/// Not a test of its own: the gate of the others.
#[test]
fn gate() {
    let Ok(task) = std::env::var(TASK) else { return };
    let jail = jail();
    try_run(&jail, &python("pass")).unwrap();
    let before = leftovers();
    println!("{READY}");
    let mut job = python(&task);
    job.limits.time = LIMIT;
    let went = match try_run(&jail, &job) {
        Ok(ran) => {
            for artifact in &ran.ran.artifacts {
                assert_eq!(ran.output(&artifact.path).len() as u64, artifact.bytes);
            }
            format!("{} {:?}", ran.ran.ending.reason.as_str(), ran.artifacts())
        }
        Err(error) => format!("refused: {error}"),
    };
    assert_eq!(leftovers(), before);
    println!("{WENT}{went}");
}

fn start(program: &str) -> Gate {
    Gate::start("suspended::gate", program)
}

fn writes(seconds: f64) -> String {
    format!("import time; time.sleep({seconds}); open('/out/x', 'w').write('x' * {BYTES})")
}

#[test]
fn a_program_that_stood_still_with_the_gate_is_ended_for_its_time() {
    let mut gate = start("import time\nwhile True: time.sleep(0.01)");
    gate.wait_for("python", true);
    gate.all_still(LIMIT + Duration::from_millis(500));
    assert_eq!(gate.went(), "time_limit []");
}

#[test]
fn a_program_that_ended_in_time_has_its_result_however_long_the_gate_stood_still() {
    let mut gate = start(&writes(0.2));
    gate.wait_for("python", true);
    let begun = Instant::now();
    gate.alone_still(|gate| {
        gate.wait_for("python", false);
        std::thread::sleep((LIMIT + Duration::from_millis(500)).saturating_sub(begun.elapsed()));
    });
    assert_eq!(gate.went(), "exited [\"x\"]");
}

#[test]
fn whenever_everything_stands_still_the_run_has_one_end_and_nothing_is_left() {
    for moment in [0, 2, 5, 10, 20, 50, 100, 200, 400] {
        let mut gate = start(&writes(0.1));
        std::thread::sleep(Duration::from_millis(moment));
        gate.all_still(LIMIT + Duration::from_millis(200));
        let went = gate.went();
        let ends = ["exited [\"x\"]", "time_limit []", "time_limit [\"x\"]"];
        assert!(ends.contains(&went.as_str()), "{moment}: {went}");
    }
}

#[test]
fn the_gate_of_an_ordinary_user_stands_still_too() {
    as_ordinary_user("suspended::a_program_that_stood_still_with_the_gate_is_ended_for_its_time");
    as_ordinary_user(
        "suspended::a_program_that_ended_in_time_has_its_result_however_long_the_gate_stood_still",
    );
}
