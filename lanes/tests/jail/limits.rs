//! Every limit is enforced, and each is told apart from the others.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use lanes::{Jail, Job};

use crate::kit::{jail, python, try_run};

/// With control groups where the machine lets us make them, and without.
fn both(job: impl Fn() -> Job, reason: &str) {
    for jail in [jail(), jail().without_groups()] {
        ended(&jail, &job(), reason);
    }
}

#[track_caller]
fn ended(jail: &Jail, job: &Job, reason: &str) {
    let finished = try_run(jail, job).unwrap();
    assert_eq!(
        finished.ran.ending.reason.as_str(),
        reason,
        "{:?} {}",
        finished.ran.layers,
        finished.stderr()
    );
    assert_ne!(finished.ran.ending.code, 0);
}

#[test]
fn time_is_limited_also_for_children_that_left_their_group() {
    let program = "import os, time\n\
                   if os.fork() == 0:\n  os.setsid()\n  if os.fork(): os._exit(0)\n\
                   while True: time.sleep(1)";
    both(
        || {
            let mut job = python(program);
            job.limits.time = Duration::from_millis(700);
            job
        },
        "time_limit",
    );
}

#[test]
fn memory_is_limited_for_one_process_and_for_all_together() {
    let programs = [
        "x = bytearray(400 << 20)\nfor i in range(0, len(x), 4096): x[i] = 1\nimport time; time.sleep(5)",
        "import os, time\nfor _ in range(6):\n  if os.fork() == 0:\n    x = bytearray(40 << 20)\n    time.sleep(9)\ntime.sleep(9)",
    ];
    for program in programs {
        both(
            || {
                let mut job = python(program);
                job.limits.memory = 128 << 20;
                job
            },
            "memory_limit",
        );
    }
}

#[test]
fn memory_that_is_a_file_is_disk_and_not_memory() {
    let mut job = python("open('/out/x', 'wb').write(b'x' * (100 << 20))\nprint('done')");
    job.limits.memory = 192 << 20;
    job.limits.disk = 128 << 20;
    let finished = try_run(&jail(), &job).unwrap();
    assert_eq!(finished.stdout(), "done\n", "{:?}", finished.ran.ending);
}

#[test]
fn a_fork_bomb_is_ended() {
    let bombs = [
        "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass",
        "import threading, time\nfor _ in range(500):\n  threading.Thread(target=time.sleep, args=(9,)).start()",
    ];
    for program in bombs {
        both(
            || {
                let mut job = python(program);
                job.limits.processes = 20;
                job
            },
            "process_limit",
        );
    }
}

#[test]
fn disk_is_limited_in_each_place() {
    for place in ["/out", "/tmp", "/dev/shm"] {
        let program = format!("open('{place}/x', 'wb').write(b'x' * (9 << 20))");
        both(
            || {
                let mut job = python(&program);
                job.limits.disk = 8 << 20;
                job
            },
            "disk_limit",
        );
        let program = format!("for n in range(9):\n  open(f'{place}/{{n}}', 'wb').write(b'x' * (1 << 20))");
        both(
            || {
                let mut job = python(&program);
                job.limits.disk = 8 << 20;
                job
            },
            "disk_limit",
        );
    }
}

#[test]
fn the_number_of_files_is_limited() {
    both(
        || {
            let mut job = python("for n in range(100): open(f'/out/{n}', 'w')");
            job.limits.files = 50;
            job
        },
        "file_limit",
    );
}

#[test]
fn output_is_limited_and_what_came_before_is_kept() {
    for stream in ["stdout", "stderr"] {
        let mut job = python(&format!("import sys\nwhile True: sys.{stream}.write('y' * 1000)"));
        job.limits.output = 100_000;
        let finished = try_run(&jail(), &job).unwrap();
        assert_eq!(finished.ran.ending.reason.as_str(), "output_limit");
        let kept = if stream == "stdout" { &finished.ran.stdout } else { &finished.ran.stderr };
        assert_eq!(kept.len(), 100_000);
    }
}

#[test]
fn a_run_that_nobody_wants_any_more_ends_at_once() {
    let job = python("import time; time.sleep(20)");
    let cancelled = std::sync::Arc::clone(&job.cancelled);
    let waiting = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        cancelled.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    ended(&jail(), &job, "cancelled");
    assert!(start.elapsed() < Duration::from_secs(15));
    waiting.join().unwrap();
}

#[test]
fn a_program_that_came_to_terms_with_a_full_disk_succeeds() {
    let mut job =
        python("try:\n  open('/tmp/x', 'wb').write(b'x' * (9 << 20))\nexcept OSError: print('full')");
    job.limits.disk = 8 << 20;
    let finished = try_run(&jail(), &job).unwrap();
    assert_eq!((finished.ran.ending.reason.as_str(), finished.stdout().as_str()), ("exited", "full\n"));
}
