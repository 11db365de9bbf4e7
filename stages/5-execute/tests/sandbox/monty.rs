//! Python that needs nothing.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use call::{Fault, Lane};
use serde_json::{Value, json};

use crate::machine::{machine, machine_with};

fn code(text: &str) -> Value {
    json!({ "language": "python", "code": text })
}

#[test]
fn a_program_gives_its_value_and_what_it_printed() {
    let machine = machine();
    let data = machine.data(Lane::Monty, &code("import math\nprint('hello')\n{'root': math.sqrt(16)}"));
    assert_eq!(data["value"], json!({ "root": 4.0 }));
    assert_eq!((&data["stdout"], &data["exit_code"]), (&json!("hello\n"), &json!(0)));
    let data =
        machine.data(Lane::Monty, &json!({ "language": "python", "code": "stdin.upper()", "stdin": "abc" }));
    assert_eq!(data["value"], "ABC");
}

#[test]
fn an_error_of_the_program_is_a_result() {
    let data = machine().data(Lane::Monty, &code("print('before')\n1 / 0"));
    assert_eq!((&data["exit_code"], &data["stdout"]), (&json!(1), &json!("before\n")));
    assert!(data["stderr"].as_str().unwrap().contains("ZeroDivisionError"), "{data}");
}

#[test]
fn what_the_rule_of_the_lane_refuses_is_denied_with_its_place() {
    let machine = machine();
    for text in ["import os", "x = 1\neval('1')", "open('/etc/passwd')"] {
        let fault = machine.run(Lane::Monty, &code(text)).unwrap_err();
        let Fault::Denied(reason) = &fault else { panic!("{fault:?}") };
        assert_eq!(reason.code.as_str(), "sandbox_rule");
        assert!(reason.message.contains("line"), "{reason:?}");
        assert!(reason.remedy.as_ref().unwrap().contains("jail"));
    }
    assert_eq!(machine.data(Lane::Monty, &code("'import os; eval(1)'"))["value"], "import os; eval(1)");
}

#[test]
fn a_program_without_end_is_ended() {
    let machine = machine();
    let mut asked = machine.asked(Lane::Monty, &code("while True:\n    pass"));
    asked.walls.max_runtime_seconds = Some(1);
    let begun = Instant::now();
    let fault = machine.run_asked(&asked).unwrap_err();
    assert!(matches!(fault, Fault::TimedOut { .. }), "{fault:?}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    // And the lane goes on.
    assert_eq!(machine.data(Lane::Monty, &code("1 + 1"))["value"], 2);
}

#[test]
fn a_call_that_nobody_wants_any_more_ends() {
    let machine = machine();
    let asked = machine.asked(Lane::Monty, &code("while True:\n    pass"));
    let fault = std::thread::scope(|scope| {
        let running = scope.spawn(|| machine.run_asked(&asked));
        std::thread::sleep(Duration::from_millis(500));
        asked.cancelled.store(true, Ordering::Relaxed);
        running.join().unwrap().unwrap_err()
    });
    assert_eq!(fault, Fault::Cancelled);
}

#[test]
fn a_program_that_needs_too_much_has_failed() {
    let machine = machine();
    for (text, class) in [
        ("x = 'a' * 10\nwhile True:\n    x = x + x", "memory_limit"),
        ("while True:\n    print('x' * 1000)", "output_limit"),
    ] {
        assert_eq!(machine.run(Lane::Monty, &code(text)).unwrap_err().class(), class, "{text}");
    }
}

#[test]
fn a_lane_that_is_not_there_is_never_replaced_by_another() {
    let machine = machine_with(Vec::new(), "/bin/false".into());
    let fault = machine.run(Lane::Monty, &code("1 + 1")).unwrap_err();
    assert_eq!(fault.class(), "lane_missing");
    assert_eq!(machine.run(Lane::Microvm, &code("1 + 1")).unwrap_err().class(), "lane_missing");
    let mut nowhere = machine.asked(Lane::Monty, &code("1 + 1"));
    nowhere.walls.lane = None;
    assert_eq!(machine.run_asked(&nowhere).unwrap_err().class(), "lane_missing");
}

#[test]
fn monty_runs_nothing_but_python_code() {
    let machine = machine();
    for arguments in [
        json!({ "language": "node", "code": "1" }),
        json!({ "language": "python", "argv": ["python3", "-c", "1"] }),
        json!({ "command": "echo x" }),
        json!({ "language": "python", "code": "1", "env": { "A": "b" } }),
    ] {
        assert_eq!(machine.run(Lane::Monty, &arguments).unwrap_err().class(), "bad_request", "{arguments}");
    }
}
