//! Honest programs find what they need.

use call::Language;
use lanes::Program;

use crate::kit::{as_ordinary_user, input, python, run, wanted, works};

const PROGRAM: &str = r#"
import csv, hashlib, json, os, subprocess, sys, threading
rows = list(csv.DictReader(open('/in/zahlen für alle.csv', encoding='utf-8')))
json.dump(rows, open('/out/zahlen.json', 'w'), ensure_ascii=False)
print(hashlib.sha256(open('/in/large', 'rb').read()).hexdigest())
print(subprocess.run([sys.executable, '-c', 'print(6 * 7)'], capture_output=True, text=True).stdout.strip())
found = []
threads = [threading.Thread(target=found.append, args=(number,)) for number in range(8)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
print(sorted(found), sys.stdin.read(), os.environ['OWN'], os.getcwd(), os.getuid())
os.makedirs('/out/a/b'); open('/out/a/b/ünï.txt', 'w').write('x' * 100_000)
open('/out/large', 'wb').write(open('/in/large', 'rb').read())
print('to errors', file=sys.stderr)
sys.exit(7)
"#;

#[test]
fn an_honest_program_finds_everything_it_needs() {
    let large: Vec<u8> =
        (0..10_u32 << 20).map(|number| number.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
    let mut job = python(PROGRAM);
    job.inputs =
        vec![input("zahlen für alle.csv", "name,wert\nä,1\nb,2\n".as_bytes()), input("large", &large)];
    job.stdin = b"from outside".to_vec();
    job.environment = vec![("OWN".to_owned(), "own value".to_owned())];
    let ran = run(&job);
    assert_eq!(ran.ending(), ("exited", 7), "{}", ran.stderr());
    let digest = call::Sha256::of(&large);
    let expected = format!("{digest}\n42\n[0, 1, 2, 3, 4, 5, 6, 7] from outside own value /in 1000\n");
    assert_eq!((ran.stdout(), ran.stderr()), (expected, "to errors\n".to_owned()));
    assert_eq!(ran.artifacts(), ["a/b/ünï.txt", "large", "zahlen.json"]);
    assert_eq!(
        ran.output("zahlen.json"),
        r#"[{"name": "ä", "wert": "1"}, {"name": "b", "wert": "2"}]"#.as_bytes()
    );
    assert_eq!(ran.ran.artifacts[1].sha256, digest);
    assert!(ran.output("large") == large);
    let layers = &ran.ran.layers;
    assert!(layers.iter().any(|layer| layer == "machine:tcg" || layer == "machine:kvm"), "{layers:?}");
}

#[test]
fn arguments_reach_the_runtime_and_a_signal_is_told_apart() {
    let mut job = python("");
    let code = "import os, sys; print(sys.argv[1:], flush=True); os.kill(os.getpid(), 11)";
    job.program = Program::Arguments(["python3", "-c", code, "a b", ""].map(str::to_owned).to_vec());
    let ran = run(&job);
    assert_eq!((ran.stdout().as_str(), ran.ending()), ("['a b', '']\n", ("signal", 139)), "{}", ran.stderr());
}

/// A runtime that compiles while it runs, and has many threads.
#[test]
fn a_program_of_node_runs_too() {
    if !wanted().contains(&Language::Node) {
        return;
    }
    let mut job = python(
        "import fs from 'node:fs'\nimport os from 'node:os'\nfs.writeFileSync('/out/ü.json', JSON.stringify({ sum: [1, 2, 3].reduce((a, b) => a + b) }))\n\
         console.log(process.argv.length, Object.keys(os.networkInterfaces()).every((name) => name === 'lo'))",
    );
    job.language = Language::Node;
    job.limits.memory = 512 << 20;
    let ran = works(&job);
    assert_eq!((ran.stdout().as_str(), ran.output("ü.json")), ("2 true\n", b"{\"sum\":6}".to_vec()));
}

#[test]
fn two_machines_run_at_once_and_know_nothing_of_each_other() {
    let runs = ["one", "two"].map(|word| {
        std::thread::spawn(move || {
            let code = format!("import os; print(os.listdir('/tmp'), '{word}'); open('/tmp/x', 'w'); open('/out/{word}', 'w')");
            let ran = works(&python(&code));
            (ran.stdout(), ran.artifacts().join(" "))
        })
    });
    let [one, two] = runs.map(|run| run.join().unwrap());
    assert_eq!(one, ("[] one\n".to_owned(), "one".to_owned()));
    assert_eq!(two, ("[] two\n".to_owned(), "two".to_owned()));
}

#[test]
fn an_ordinary_user_has_machines_too_from_parts_that_lie_anywhere() {
    as_ordinary_user("honest::an_honest_program_finds_everything_it_needs");
}
