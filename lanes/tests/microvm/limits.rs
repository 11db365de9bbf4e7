//! Every limit is enforced inside, and each is told apart from the others.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::kit::{python, run};

/// Programs that go too far, two machines at a time.
#[test]
fn every_limit_is_told_apart() {
    let cases = [
        ("import os, time\nif os.fork() == 0: os.setsid()\nwhile True: time.sleep(1)", "time_limit"),
        (
            "x = bytearray(200 << 20)\nfor i in range(0, len(x), 4096): x[i] = 1\nimport time; time.sleep(60)",
            "memory_limit",
        ),
        ("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", "process_limit"),
        ("while True: print('x' * 10000)", "output_limit"),
        ("with open('/out/x', 'wb') as f:\n  while True: f.write(b'x' * 65536)", "disk_limit"),
        ("for i in range(1000): open(f'/tmp/{i}', 'w').close()", "file_limit"),
    ];
    let waiting = std::sync::Mutex::new(cases.into_iter());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some((code, reason)) = waiting.lock().unwrap().next() else { break };
                    let mut job = python(code);
                    job.limits.memory = 96 << 20;
                    job.limits.disk = 8 << 20;
                    job.limits.files = 64;
                    job.limits.processes = 16;
                    if reason == "time_limit" {
                        job.limits.time = Duration::from_secs(2);
                    }
                    let ran = run(&job);
                    assert_eq!(ran.ending().0, reason, "{code}: {}", ran.stderr());
                    assert_ne!(ran.ending().1, 0);
                    if reason == "output_limit" {
                        assert_eq!(ran.ran.stdout.len(), 64 * 1024);
                    }
                }
            });
        }
    });
}

#[test]
fn a_run_that_nobody_wants_any_more_ends_at_once() {
    let job = python("import time; time.sleep(1000)");
    let cancelled = std::sync::Arc::clone(&job.cancelled);
    crate::kit::machines();
    let begin = Instant::now();
    let waiter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        cancelled.store(true, Ordering::Relaxed);
    });
    let ran = run(&job);
    waiter.join().unwrap();
    assert_eq!(ran.ending().0, "cancelled");
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}
