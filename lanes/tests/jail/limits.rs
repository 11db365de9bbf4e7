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
fn memory_that_hides_from_a_look_at_processes_is_limited_too() {
    // Memory that processes share, and pages of tables for memory that was only read.
    let programs = [
        "import mmap, time\nkept = []\nfor _ in range(60):\n  m = mmap.mmap(-1, 16 << 20); m.write(b'x' * (16 << 20)); kept.append(m)\ntime.sleep(5)",
        // Areas without anything in them, in many processes.
        "import ctypes, os, time\nc = ctypes.CDLL(None); c.mmap.restype = ctypes.c_void_p\n\
         for _ in range(40):\n\
         \x20 if os.fork() == 0:\n\
         \x20   for n in range(60000): c.mmap(None, 4096, n % 2, 0x22, -1, 0)\n\
         \x20   time.sleep(20)\n\
         time.sleep(20)",
        "import mmap, time\nm = mmap.mmap(-1, 1 << 38, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)\n\
         for place in range(0, 1 << 38, 1 << 21): m[place]\ntime.sleep(5)",
    ];
    for program in programs {
        both(
            || {
                let mut job = python(program);
                job.limits.memory = 128 << 20;
                job.limits.disk = 16 << 20;
                job
            },
            "memory_limit",
        );
    }
}

#[test]
fn sockets_and_files_without_names_do_not_hold_more_than_memory() {
    let sockets = "import socket, time\nkept, sent = [], 0\n\
                   for _ in range(1500):\n\
                   \x20 a, b = socket.socketpair(); a.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22); a.setblocking(False); kept.append((a, b))\n\
                   \x20 try:\n    while True: sent += a.send(b'x' * 65536)\n\
                   \x20 except BlockingIOError: pass\n\
                   time.sleep(5)";
    both(
        || {
            let mut job = python(sockets);
            job.limits.memory = 128 << 20;
            job
        },
        "memory_limit",
    );
    // Where nobody counts them, there are none.
    let files = "import os, time\nfor n in range(40): os.write(os.memfd_create('x'), b'x' * (16 << 20))\ntime.sleep(5)";
    for jail in [jail(), jail().without_groups()] {
        let mut job = python(files);
        job.limits.memory = 128 << 20;
        let finished = try_run(&jail, &job).unwrap();
        let grouped = !finished.ran.layers.iter().any(|layer| layer == "watchdog");
        let expected = if grouped { "memory_limit" } else { "exited" };
        assert_eq!(finished.ran.ending.reason.as_str(), expected, "{}", finished.stderr());
        assert_ne!(finished.ran.ending.code, 0);
    }
}

#[test]
fn memory_that_several_processes_have_is_counted_once() {
    let program = "import os, time\nlarge = b'x' * (80 << 20)\n\
                   for _ in range(5):\n  if os.fork() == 0:\n    time.sleep(0.5); os._exit(0)\n\
                   for _ in range(5): os.wait()\nprint(len(large))";
    for jail in [jail(), jail().without_groups()] {
        let mut job = python(program);
        job.limits.memory = 192 << 20;
        let finished = try_run(&jail, &job).unwrap();
        assert_eq!(finished.stdout(), "83886080\n", "{:?}", finished.ran.ending);
    }
}

/// While some of them end, each look finds them with other shares of it than the look before.
#[test]
fn memory_that_several_processes_have_is_counted_once_also_while_they_end() {
    let text = "import os, time\nx = bytearray(300 << 20)\nfor i in range(0, len(x), 4096): x[i] = 1\n\
                for round in range(3):\n\
                \x20 children = []\n\
                \x20 for n in range(6):\n\
                \x20   child = os.fork()\n\
                \x20   if child == 0: time.sleep(0.3); os._exit(0)\n\
                \x20   children.append(child)\n\
                \x20 assert all(os.waitpid(child, 0)[1] == 0 for child in children)\n";
    for jail in [jail(), jail().without_groups()] {
        let ran = try_run(&jail, &python(text)).unwrap();
        assert_eq!(ran.ran.ending.reason.as_str(), "exited", "{}", ran.stderr());
    }
}

/// Processes that come and go all the time do not hide what they have together.
#[test]
fn memory_is_limited_for_processes_that_come_and_go_all_the_time() {
    let text = "import os, time\n\
                def churn():\n\
                \x20 while True:\n\
                \x20   child = os.fork()\n\
                \x20   if child == 0: time.sleep(0.005); os._exit(0)\n\
                \x20   os.waitpid(child, 0)\n\
                for n in range(4):\n\
                \x20 if os.fork() == 0: churn()\n\
                for n in range(4):\n\
                \x20 if os.fork() == 0:\n\
                \x20   x = bytearray(200 << 20)\n\
                \x20   for i in range(0, len(x), 4096): x[i] = 1\n\
                \x20   time.sleep(60)\n\
                time.sleep(60)\n";
    both(|| python(text), "memory_limit");
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
