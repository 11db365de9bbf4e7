//! A machine that stood still with the gate, for longer than the program may take.

use std::time::Duration;

use crate::kit::{leftovers, machines, python, try_run};
use crate::still::{Gate, READY, TASK, WENT};

const LIMIT: Duration = Duration::from_secs(3);

/// Not a test of its own: the gate of the other.
#[test]
fn gate() {
    let Ok(task) = std::env::var(TASK) else { return };
    machines();
    try_run(&python("pass")).unwrap();
    let before = leftovers();
    println!("{READY}");
    let mut job = python(&task);
    job.limits.time = LIMIT;
    let went = match try_run(&job) {
        Ok(ran) => format!("{} {:?} {}", ran.ending().0, ran.artifacts(), ran.stdout().trim()),
        Err(error) => format!("refused: {error}"),
    };
    assert_eq!(leftovers(), before);
    println!("{WENT}{went}");
}

#[test]
fn a_machine_that_stood_still_has_one_end_and_nothing_of_it_is_left() {
    machines();
    // While it comes up, and while the program runs.
    for seconds in [1, 6] {
        let mut gate =
            Gate::start("suspended::gate", "import time; print('began', flush=True); time.sleep(100)");
        gate.wait_for("qemu", true);
        std::thread::sleep(Duration::from_secs(seconds));
        gate.all_still(LIMIT + Duration::from_secs(2));
        assert_eq!(gate.went(), "time_limit [] began", "{seconds}");
    }
}
