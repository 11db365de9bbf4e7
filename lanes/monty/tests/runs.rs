//! Programs in real workers: honest ones give what they should, hostile ones are ended and told apart,
//! and after each the pool goes on.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "helpers of tests, which start processes and read the clock"
)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use monty_lane::{Cancel, Exit, FailureKind, Limits, Outcome, Pool, PoolError, Request, Settings};
use serde_json::{Value, json};

const MEGABYTE: usize = 1024 * 1024;

fn worker() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.join("examples").join("worker")
}

fn pool(workers: usize) -> Pool {
    Pool::start(Settings { workers, ..Settings::new(worker()) }).unwrap()
}

fn request(source: &str) -> Request {
    let limits =
        Limits { time: Duration::from_secs(20), memory: 64 * MEGABYTE, prints: 10_000, value: 10_000 };
    Request { source: source.to_owned(), modules: Vec::new(), inputs: serde_json::Map::new(), limits }
}

fn run(pool: &Pool, source: &str) -> Outcome {
    pool.run(&request(source), None).unwrap()
}

#[track_caller]
fn gives(pool: &Pool, source: &str, want: &Value) {
    let outcome = run(pool, source);
    match &outcome.result {
        Ok(value) => {
            let found: Value = serde_json::from_str(&value.json).unwrap();
            assert_eq!(&found, want, "{source}");
            assert_eq!(outcome.exit, Exit::Exited);
        }
        Err(failure) => assert_eq!(None, Some(failure), "{source}"),
    }
}

#[test]
fn honest_programs_give_their_values() {
    let pool = pool(1);
    let cases = [
        ("", json!(null)),
        ("x = 1", json!(null)),
        ("1 + 1", json!(2)),
        ("import json\njson.loads('{\"a\": [1, 2.5, null, true]}')", json!({"a": [1, 2.5, null, true]})),
        ("import json\njson.dumps({'b': 1, 'a': [True, None]})", json!("{\"b\": 1, \"a\": [true, null]}")),
        (
            "import re\nre.findall(r'(\\w+)@(\\w+)', 'ann@site, bob@home')",
            json!([["ann", "site"], ["bob", "home"]]),
        ),
        ("import re\nm = re.compile(r'\\d+').search('ab12c')\nm.group()", json!("12")),
        ("import math\n[math.floor(2.7), math.gcd(12, 18), round(math.sqrt(2), 3)]", json!([2, 6, 1.414])),
        (
            "from datetime import date, timedelta\nstr(date(2024, 2, 28) + timedelta(days=2))",
            json!("2024-03-01"),
        ),
        ("import datetime\ndatetime.datetime(2026, 3, 1, 12, 30)", json!("2026-03-01T12:30:00")),
        (
            "import datetime\ndatetime.datetime.now().year >= 2024 and datetime.date.today().year >= 2024",
            json!(true),
        ),
        ("[n * n for n in range(5) if n % 2]", json!([1, 9])),
        ("{word: len(word) for word in ['a', 'bb']}", json!({"a": 1, "bb": 2})),
        (
            "def outer():\n    n = 0\n    def inner():\n        nonlocal n\n        n += 1\n        return n\n    return inner\nf = outer()\nf()\nf()",
            json!(2),
        ),
        (
            "class P:\n    def __init__(self, x):\n        self.x = x\n    def double(self):\n        return self.x * 2\nP(4).double()",
            json!(8),
        ),
        (
            "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    text = str(error)\ntext",
            json!("division by zero"),
        ),
        ("'\u{e9}\u{4f60}\u{1f600}'[::-1]", json!("\u{1f600}\u{4f60}\u{e9}")),
        ("sorted([3, 1, 2], key=lambda n: -n)", json!([3, 2, 1])),
        ("f'{3.14159:.2f}|{42:>6}|{\"x\"!r}'", json!("3.14|    42|'x'")),
        ("2 ** 64", json!(18_446_744_073_709_551_616.0)),
        ("(1, 2)", json!([1, 2])),
        ("{1: 'a', 2: 'b'}", json!([[1, "a"], [2, "b"]])),
        ("float('inf')", json!("inf")),
        ("b'ab'", json!("b'ab'")),
    ];
    for (source, want) in cases {
        gives(&pool, source, &want);
    }
}

#[test]
fn modules_that_policy_adds_are_there() {
    let pool = pool(1);
    let source = "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n    y: int = 2\nP(1)";
    let mut asked = request(source);
    let refused = pool.run(&asked, None).unwrap();
    assert_eq!(refused.result.unwrap_err().kind, FailureKind::Refused);
    asked.modules = vec!["dataclasses".to_owned()];
    let value = pool.run(&asked, None).unwrap().result.unwrap();
    assert_eq!((value.json.as_str(), value.exact), ("{\"x\":1,\"y\":2}", false));
    asked.modules = vec!["os".to_owned()];
    assert_eq!(pool.run(&asked, None).unwrap().result.unwrap_err().kind, FailureKind::Refused);
}

#[test]
fn uuid_is_there_although_the_interpreter_has_none() {
    let pool = pool(1);
    let cases = [
        (
            "import uuid\nstr(uuid.uuid5(uuid.NAMESPACE_DNS, 'python.org'))",
            json!("886313e1-3b8a-5372-9b90-0c9aee199e5d"),
        ),
        (
            "import uuid\nuuid.uuid3(uuid.NAMESPACE_DNS, 'python.org')",
            json!("6fa459ea-ee8a-3ca4-894e-db77e160355e"),
        ),
        (
            "from uuid import uuid4, UUID\nu = uuid4()\n[len(str(u)), u.version, u == UUID(str(u)), isinstance(u, UUID), uuid4() == u]",
            json!([36, 4, true, true, false]),
        ),
        (
            "import uuid as u\nx = u.UUID('{00010203-0405-0607-0809-0a0b0c0d0e0f}')\n[x.hex, x.bytes == bytes.fromhex(x.hex), x.urn, repr(x), len({x: 1, u.UUID(bytes=x.bytes): 2})]",
            json!([
                "000102030405060708090a0b0c0d0e0f",
                true,
                "urn:uuid:00010203-0405-0607-0809-0a0b0c0d0e0f",
                "UUID('00010203-0405-0607-0809-0a0b0c0d0e0f')",
                1
            ]),
        ),
        (
            "import uuid\n[uuid.UUID(int=5).int, str(uuid.UUID(fields=(1, 2, 3, 4, 5, 6))), uuid.NIL.int]",
            json!([5, "00000001-0002-0003-0405-000000000006", 0]),
        ),
        (
            "def f():\n    from uuid import (\n        UUID,\n        uuid4 as fresh,\n    )\n    return [UUID(int=1), str(fresh())[14]]\nf()",
            json!(["00000000-0000-0000-0000-000000000001", "4"]),
        ),
    ];
    for (source, want) in cases {
        gives(&pool, source, &want);
    }
    let failure = run(&pool, "import uuid\nuuid.UUID('short')").result.unwrap_err();
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (FailureKind::Python, "ValueError: badly formed hexadecimal UUID string")
    );
    let failure = run(&pool, "import uuid\nuuid.uuid1()").result.unwrap_err();
    assert_eq!(failure.kind, FailureKind::Python);
    assert!(failure.message.contains("uuid1"), "{failure}");
}

#[test]
fn a_traceback_has_the_lines_of_the_program() {
    let pool = pool(1);
    for source in
        ["x = 1\n\ndef f(n):\n    return n / 0\nf(3)", "import uuid\n\ndef f(n):\n    return n / 0\nf(3)"]
    {
        let failure = run(&pool, source).result.unwrap_err();
        assert_eq!(failure.kind, FailureKind::Python);
        assert_eq!(failure.message, "ZeroDivisionError: division by zero");
        let traceback = failure.traceback.unwrap();
        let want = "Traceback (most recent call last):\n  File \"program.py\", line 5, in <module>\n    f(3)\n    ~~~~\n  \
                    File \"program.py\", line 4, in f\n    return n / 0\n           ~~~~~\nZeroDivisionError: division by zero";
        assert_eq!(traceback, want);
    }
    let traceback = run(&pool, "import json, uuid; x = 1\nx.y").result.unwrap_err().traceback.unwrap();
    assert!(traceback.contains("line 2"), "{traceback}");
}

#[test]
fn inputs_are_variables() {
    let pool = pool(1);
    let mut asked = request("[name.upper(), count + 1, items[-1]['k'], big, open]");
    let inputs =
        json!({"name": "ann", "count": 2, "items": [1, {"k": [null]}], "big": u64::MAX, "open": 1.5});
    asked.inputs = inputs.as_object().unwrap().clone();
    let value = pool.run(&asked, None).unwrap().result.unwrap();
    assert_eq!(value.json, "[\"ANN\",3,[null],18446744073709551615,1.5]");
    asked.source = "missing".to_owned();
    let failure = pool.run(&asked, None).unwrap().result.unwrap_err();
    assert_eq!(failure.message, "NameError: name 'missing' is not defined");
}

#[test]
fn inputs_that_cannot_be_variables_are_refused() {
    let pool = pool(1);
    for name in ["", "a b", "1a", "class", "a-b", "a;b", "\u{e9}", "None", "a\n"] {
        let mut asked = request("1");
        asked.inputs.insert(name.to_owned(), json!(1));
        assert_eq!(
            pool.run(&asked, None).unwrap().result.unwrap_err().kind,
            FailureKind::Refused,
            "{name:?}"
        );
    }
    for name in ["match", "_", "type", "a1", "Class"] {
        let mut asked = request("1");
        asked.inputs.insert(name.to_owned(), json!(1));
        assert!(pool.run(&asked, None).unwrap().result.is_ok(), "{name}");
    }
    // Nested as deep as a reader of JSON takes it, and deeper than the worker's takes it as a request.
    let deep = format!("{}{}", "[".repeat(126), "]".repeat(126));
    let mut asked = request("1");
    asked.inputs.insert("deep".to_owned(), serde_json::from_str(&deep).unwrap());
    assert_eq!(pool.run(&asked, None).unwrap().result.unwrap_err().kind, FailureKind::Refused);
    gives(&pool, "1", &json!(1));
}

#[test]
fn errors_say_whose_they_are() {
    let pool = pool(1);
    let cases = [
        ("import os", FailureKind::Refused, "`os` is not imported"),
        ("eval('1')", FailureKind::Refused, "`eval` is not used"),
        ("x = = 1", FailureKind::Syntax, "line 1, column 5: SyntaxError"),
        ("class A(B): pass", FailureKind::Unsupported, "inheritance"),
        ("def f():\n    yield 1", FailureKind::Unsupported, "yield"),
        ("bytearray(3)", FailureKind::Unsupported, "does not have it"),
        ("from json import *", FailureKind::Unsupported, "ildcard"),
        ("raise NotImplementedError('later')", FailureKind::Python, "NotImplementedError: later"),
        ("nothing(1)", FailureKind::Python, "NameError"),
        ("_uuid_random_(1)", FailureKind::Python, "TypeError"),
        ("def f(n): return f(n + 1)\nf(0)", FailureKind::Recursion, "RecursionError"),
        ("x = 1\nassert x == 2, 'a\\nb'", FailureKind::Python, "AssertionError: a"),
        ("raise MemoryError('mine')", FailureKind::Python, "MemoryError: mine"),
    ];
    for (source, kind, message) in cases {
        let outcome = run(&pool, source);
        let failure = outcome.result.unwrap_err();
        assert_eq!((failure.kind, outcome.exit), (kind, Exit::Exited), "{source}: {failure}");
        assert!(failure.message.contains(message), "{source}: {failure}");
        assert!(!failure.message.contains('\n'), "{source}: {failure}");
    }
    let refused = run(&pool, "import os\nopen('x')").result.unwrap_err();
    assert_eq!(refused.refusals.len(), 2);
}

#[test]
fn prints_come_in_order_and_up_to_their_limit() {
    let pool = pool(1);
    let outcome = run(&pool, "for n in range(3):\n    print(n, 'x', sep='-')\nprint('end', end='')\n7");
    assert_eq!((outcome.prints.as_str(), outcome.result.unwrap().json.as_str()), ("0-x\n1-x\n2-x\nend", "7"));
    let outcome = run(&pool, "while True:\n    print('x' * 1000)");
    assert_eq!((outcome.exit, outcome.prints.len()), (Exit::OutputLimit, 10_000));
    let outcome = run(&pool, "print('\u{e9}' * 9000)");
    assert_eq!((outcome.exit, outcome.prints.len()), (Exit::OutputLimit, 10_000));
    let caught = "try:\n    print('x' * 20000)\nexcept MemoryError:\n    pass\n5";
    assert_eq!(run(&pool, caught).exit, Exit::OutputLimit);
    let outcome = run(&pool, "'x' * 20000");
    assert_eq!((outcome.exit, outcome.result.unwrap_err().kind), (Exit::OutputLimit, FailureKind::Output));
    gives(&pool, "1", &json!(1));
}

/// Programs that go past a limit, and how that may end. All are ended soon after half a second.
#[test]
fn hostile_programs_end_and_the_pool_goes_on() {
    let pool = pool(1);
    let laughs = "a = ['x']\nfor _ in range(26):\n    a = [a, a]\n";
    let sum = vec!["1"; 30_000].join("+");
    let nested = format!("{}1{}", "(".repeat(25_000), ")".repeat(25_000));
    let over = format!("'{}'", "x".repeat(70_000));
    let programs = [
        ("while True: pass".to_owned(), "time"),
        ("sum(range(10 ** 12))".to_owned(), "time"),
        ("x = 3\nwhile True: x = x * x".to_owned(), "time memory"),
        ("10 ** 10 ** 8".to_owned(), "memory time"),
        ("1 << 10 ** 12".to_owned(), "memory python"),
        ("pow(3, 10 ** 2000, 10 ** 2000 + 7)".to_owned(), "time memory"),
        ("'a' * 10 ** 12".to_owned(), "memory"),
        ("[0] * 10 ** 12".to_owned(), "memory"),
        ("x = []\nwhile True: x.append('y' * 1000)".to_owned(), "memory time"),
        (format!("{laughs}b = ['x']\nfor _ in range(26):\n    b = [b, b]\na == b"), "time memory"),
        (format!("{laughs}str(a)"), "time memory"),
        (format!("{laughs}repr(a)[:10]"), "time memory"),
        (format!("{laughs}a"), "time memory output"),
        ("def f(): return f()\nf()".to_owned(), "recursion"),
        (
            "def f():\n    try:\n        f()\n    except RecursionError:\n        f()\nf()".to_owned(),
            "recursion time",
        ),
        ("import re\nre.match('(a+)+$', 'a' * 40 + 'b')".to_owned(), "value time python recursion"),
        ("f'{1:>{10 ** 10}}'".to_owned(), "memory python time"),
        ("'{:>10000000000}'.format(1)".to_owned(), "memory python time"),
        ("int('9' * 10 ** 6)".to_owned(), "python"),
        ("import json\njson.loads('[' * 100000)".to_owned(), "python recursion"),
        ("a = []\nfor _ in range(100000): a = [a]\na == a\na".to_owned(), "recursion"),
        ("a = []\nfor _ in range(100000): a = [a]\nstr(a)".to_owned(), "recursion value time"),
        ("a = []\na.append(a)\nstr(a)".to_owned(), "value"),
        (sum, "refused"),
        (nested, "refused"),
        (over, "refused"),
        ("while True: print('flood' * 100)".to_owned(), "output"),
        ("sorted(range(10 ** 9))".to_owned(), "memory time"),
        ("import math\nmath.factorial(10 ** 7)".to_owned(), "python memory time"),
        ("x = '9' * 4000\nwhile True: x = str(int(x[:4000]) * 7)".to_owned(), "time"),
    ];
    for (source, ends) in programs {
        let mut asked = request(&source);
        asked.limits.time = Duration::from_millis(500);
        let start = Instant::now();
        let outcome = pool.run(&asked, None).unwrap();
        let took = start.elapsed();
        let start: String = source.chars().take(60).collect();
        let found = match &outcome.result {
            Ok(_) => "value",
            Err(failure) => match failure.kind {
                FailureKind::Refused => "refused",
                FailureKind::Python => "python",
                FailureKind::Memory => "memory",
                FailureKind::Recursion => "recursion",
                FailureKind::Time => "time",
                FailureKind::Output => "output",
                FailureKind::Syntax
                | FailureKind::Unsupported
                | FailureKind::Cancelled
                | FailureKind::Crashed => "other",
            },
        };
        println!("{start:?}: {found} after {took:?}");
        assert!(ends.split(' ').any(|end| end == found), "{start:?}: {:?}", outcome.result);
        assert!(took < Duration::from_secs(5), "{start:?}: {took:?}");
        gives(&pool, "1 + 1", &json!(2));
    }
}

#[test]
fn what_was_printed_before_the_limit_of_time_is_kept() {
    let pool = pool(1);
    let mut asked = request("print('before')\nx = 3\nwhile True: x = x * x if x < 1000 else 3");
    asked.limits.time = Duration::from_millis(400);
    let outcome = pool.run(&asked, None).unwrap();
    assert_eq!((outcome.exit, outcome.prints.as_str()), (Exit::TimeLimit, "before\n"));
    assert!(outcome.duration >= Duration::from_millis(390), "{:?}", outcome.duration);
}

#[test]
fn a_run_is_cancelled_from_another_thread() {
    let pool = pool(1);
    let cancel = Cancel::new().unwrap();
    let other = cancel.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        other.cancel();
    });
    let start = Instant::now();
    let outcome = pool.run(&request("while True: pass"), Some(&cancel)).unwrap();
    assert_eq!((outcome.exit, outcome.result.unwrap_err().kind), (Exit::Cancelled, FailureKind::Cancelled));
    assert!(start.elapsed() < Duration::from_secs(5));
    thread.join().unwrap();
    gives(&pool, "1", &json!(1));
}

#[test]
fn nothing_of_a_run_is_there_in_the_next() {
    let pool = pool(1);
    gives(&pool, "import uuid, json\nsecret = 'x'\ndef f(): return secret\nf()", &json!("x"));
    for name in ["secret", "f", "json", "uuid", "_uuid_", "_make"] {
        let failure = run(&pool, name).result.unwrap_err();
        assert!(
            failure.message.starts_with(&format!("NameError: name '{name}' is not defined")),
            "{failure}"
        );
    }
    // Even a change to a module would be gone.
    let _ = run(&pool, "import math\nmath.pi = 3");
    gives(&pool, "import math\nround(math.pi, 1)", &json!(3.1));
}

#[test]
fn every_layer_is_named_in_the_outcome() {
    let pool = pool(1);
    let layers = run(&pool, "1").layers;
    for layer in [
        "monty",
        "process",
        "empty_environment",
        "no_descriptors",
        "no_new_privs",
        "no_capabilities",
        "rlimits",
        "seccomp",
        "memory_limit",
    ] {
        assert!(layers.iter().any(|found| found == layer), "{layer}: {layers:?}");
    }
    let landlock = layers.iter().find_map(|layer| layer.strip_prefix("landlock:")).unwrap();
    assert!(landlock.parse::<u32>().unwrap() >= 4, "{landlock}");
    assert_eq!(pool.layers().unwrap(), layers);
}

#[test]
fn what_is_no_worker_is_no_lane() {
    let start = |executable: &str| Pool::start(Settings::new(executable)).map(|_| ()).unwrap_err();
    assert!(matches!(start("/nonexistent/worker"), PoolError::Start(_)));
    assert!(matches!(start("/bin/true"), PoolError::NotAWorker(_)));
    assert!(matches!(start("/bin/echo"), PoolError::NotAWorker(_)));
}

#[test]
fn many_threads_share_the_workers_and_none_is_left_behind() {
    let before = children();
    {
        let pool =
            Pool::start(Settings { workers: 3, runs_per_worker: 5, ..Settings::new(worker()) }).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let pool = &pool;
                scope.spawn(move || {
                    for round in 0..12 {
                        let source = format!("print({thread})\n[{thread}, {round}]");
                        let outcome = run(pool, &source);
                        assert_eq!(outcome.prints, format!("{thread}\n"));
                        assert_eq!(outcome.result.unwrap().json, format!("[{thread},{round}]"));
                        if round == 5 {
                            let mut asked = request("x = 3\nwhile True: x = x * x");
                            asked.limits.time = Duration::from_millis(50);
                            assert!(pool.run(&asked, None).unwrap().result.is_err());
                        }
                    }
                });
            }
        });
        assert!(children().len() <= before.len() + 3, "{:?}", children());
    }
    assert_eq!(children(), before, "workers or zombies are left");
}

/// Processes that this one has started and not waited for.
fn children() -> Vec<u32> {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let mut children: Vec<u32> = tasks
        .filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>())
        .collect();
    children.sort_unstable();
    children
}

#[test]
fn a_worker_that_was_killed_while_it_waited_is_replaced() {
    let pool = pool(1);
    gives(&pool, "1", &json!(1));
    for child in children() {
        let id = rustix::process::Pid::from_raw(i32::try_from(child).unwrap()).unwrap();
        let name = std::fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
        if name.trim() == "worker" {
            rustix::process::kill_process(id, rustix::process::Signal::KILL).unwrap();
        }
    }
    std::thread::sleep(Duration::from_millis(100));
    gives(&pool, "2", &json!(2));
}
