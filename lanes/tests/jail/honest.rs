//! Programs that mean well.

use call::Language;
use lanes::Program;

use crate::kit::{Finished, code, has, input, python, run, works};

#[test]
fn a_program_reads_its_inputs_and_leaves_its_outputs() {
    let mut job = python(
        "import csv, json\n\
         rows = list(csv.DictReader(open('/in/täble.csv', encoding='utf-8')))\n\
         json.dump(rows, open('/out/rows.json', 'w'))\n\
         import os; os.makedirs('/out/deep/er'); open('/out/deep/er/ünïcode ✓.txt', 'w').write('x')\n\
         print(len(rows))\n",
    );
    job.inputs = vec![input("täble.csv", "name,age\nann,3\nbob,4\n".as_bytes())];
    let ran = works(&job);
    assert_eq!(ran.stdout(), "2\n");
    assert_eq!(ran.artifacts(), ["deep/er/ünïcode ✓.txt", "rows.json"]);
    let rows = ran.output("rows.json");
    assert_eq!(rows, br#"[{"name": "ann", "age": "3"}, {"name": "bob", "age": "4"}]"#);
    assert_eq!(ran.ran.artifacts[1].sha256, call::Sha256::of(&rows));
}

#[test]
fn a_large_input_is_the_same_inside() {
    let content: Vec<u8> = (0..50_u32 << 20).map(|place| (place >> 10).to_le_bytes()[0]).collect();
    let digest = call::Sha256::of(&content).to_string();
    let mut job = python("import hashlib\nprint(hashlib.sha256(open('large', 'rb').read()).hexdigest())");
    job.inputs = vec![input("large", &content)];
    assert_eq!(works(&job).stdout().trim(), digest);
}

#[test]
fn threads_and_processes_of_the_same_interpreter_work() {
    works(&python(
        "import subprocess, sys, threading, multiprocessing as mp, concurrent.futures as cf\n\
         def double(x): return 2 * x\n\
         if __name__ == '__main__':\n\
         \x20 done = []\n\
         \x20 threads = [threading.Thread(target=done.append, args=(n,)) for n in range(8)]\n\
         \x20 [t.start() for t in threads]; [t.join() for t in threads]\n\
         \x20 assert sorted(done) == list(range(8))\n\
         \x20 assert subprocess.check_output([sys.executable, '-c', 'print(6*7)']) == b'42\\n'\n\
         \x20 assert subprocess.check_output(['python3', '-c', 'print(6*7)']) == b'42\\n'\n\
         \x20 mp.set_start_method('fork')\n\
         \x20 with mp.Pool(2) as pool: assert pool.map(double, [1, 2, 3]) == [2, 4, 6]\n\
         \x20 with cf.ThreadPoolExecutor(4) as pool: assert list(pool.map(double, [1])) == [2]\n",
    ));
}

#[test]
fn what_every_program_expects_is_there() {
    works(&python(
        "import os, tempfile, sqlite3, ssl, socket, random, time, uuid, pwd, getpass, asyncio, selectors\n\
         import ctypes, hashlib, zlib, lzma, bz2, decimal\n\
         with tempfile.NamedTemporaryFile() as f: f.write(b'x')\n\
         db = sqlite3.connect('/tmp/a.db'); db.execute('create table t (x)'); db.commit()\n\
         a, b = socket.socketpair(); a.send(b'x'); assert b.recv(1) == b'x'\n\
         assert pwd.getpwuid(os.getuid()).pw_name == getpass.getuser() == 'lane'\n\
         assert os.getcwd() == '/in' and os.path.expanduser('~') == '/tmp'\n\
         open('/dev/null', 'w').write('x'); assert len(open('/dev/urandom', 'rb').read(8)) == 8\n\
         asyncio.run(asyncio.sleep(0.01)); os.urandom(8); uuid.uuid4(); time.time()\n\
         r, w = os.pipe(); os.mkfifo('/tmp/fifo'); os.symlink('a', '/tmp/b'); os.link('/tmp/a.db', '/tmp/c')\n\
         assert open('/proc/self/comm').read() and os.listdir('/proc/self/fd')\n\
         assert socket.gethostname() == 'lane'\n",
    ));
}

#[test]
fn languages_times_and_early_ends_of_threads_are_there() {
    // The machine may have no zones; then there are none inside either.
    let zones = std::path::Path::new("/usr/share/zoneinfo/Europe/Berlin").exists();
    let zones = if zones { "zoneinfo.ZoneInfo('Europe/Berlin')" } else { "pass" };
    works(&python(&format!(
        "import asyncio, ctypes, locale, sys, zoneinfo\n\
         assert locale.setlocale(locale.LC_ALL, '') == 'C.UTF-8'\n\
         {zones}\n\
         async def once():\n\
         \x20 child = await asyncio.create_subprocess_exec(sys.executable, '-c', '')\n\
         \x20 assert await child.wait() == 0\n\
         asyncio.run(once())\n\
         ctypes.CDLL('libgcc_s.so.1')\n",
    )));
}

#[test]
fn a_gate_whose_files_are_nobody_elses_runs_programs_all_the_same() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let ran = works(&python("import os; open('/out/x', 'w'); print(oct(os.umask(0)))"));
    assert_eq!(ran.stdout(), "0o22\n");
}

#[test]
fn standard_input_arguments_and_variables_arrive() {
    let mut job = python("");
    job.program = Program::Arguments(
        [
            "python3",
            "-c",
            "import sys, os; print(sys.stdin.read(), sys.argv[1:], os.environ['WORD'])",
            "a b",
            "*",
        ]
        .map(str::to_owned)
        .to_vec(),
    );
    job.stdin = b"from outside".to_vec();
    job.environment = vec![("WORD".to_owned(), "yes".to_owned())];
    assert_eq!(works(&job).stdout(), "from outside ['a b', '*'] yes\n");
}

#[test]
fn exit_codes_and_signals_are_told_apart() {
    let ending = |text: &str| -> (String, i32) {
        let Finished { ran, .. } = run(&python(text));
        (ran.ending.reason.as_str().to_owned(), ran.ending.code)
    };
    assert_eq!(ending("raise SystemExit(7)"), ("exited".to_owned(), 7));
    assert_eq!(ending("1/0"), ("exited".to_owned(), 1));
    assert_eq!(ending("import os; os.abort()"), ("signal".to_owned(), 134));
    assert_eq!(ending("import os; os.kill(os.getpid(), 15)"), ("signal".to_owned(), 143));
    assert_eq!(ending("import ctypes; ctypes.string_at(0)"), ("signal".to_owned(), 139));
    assert_eq!(
        ending("import os, signal; signal.signal(15, lambda *_: os._exit(3)); os.kill(os.getpid(), 15)").1,
        3
    );
}

#[test]
fn javascript_works_with_files_workers_and_processes() {
    let ran = works(&code(
        Language::Node,
        "import fs from 'fs'; import os from 'os'; import { execFileSync } from 'child_process';\n\
         import { Worker } from 'worker_threads'; import crypto from 'crypto';\n\
         fs.writeFileSync('/out/a.json', JSON.stringify({ a: [1, 2, 3], up: os.cpus().length > 0 }));\n\
         console.log(execFileSync(process.execPath, ['-p', '6*7']).toString().trim());\n\
         await new Promise((ok) => new Worker('1', { eval: true }).on('exit', ok));\n\
         console.log(crypto.createHash('sha256').update('x').digest('hex').length);\n\
         console.log(Object.keys(os.networkInterfaces()).every((name) => name === 'lo'), os.hostname());\n",
    ));
    assert_eq!(ran.stdout(), "42\n64\ntrue lane\n");
    assert_eq!(ran.artifacts(), ["a.json"]);
}

#[test]
fn javascript_of_the_older_kind_works_too() {
    let ran = works(&code(
        Language::Node,
        "const { writeFileSync } = require('fs');\nconst path = require('node:path');\n\
         writeFileSync(path.join('/out', 'a.txt'), 'a');\nconsole.log(path.basename(__filename, '.cjs'));\n",
    ));
    assert_eq!(ran.stdout(), "main\n");
    assert_eq!(ran.artifacts(), ["a.txt"]);
}

#[test]
fn go_and_ruby_work_where_they_are() {
    if has(Language::Ruby) {
        assert_eq!(
            works(&code(
                Language::Ruby,
                "require 'json'; require 'socket'; puts({ a: 1 }.to_json, Socket.getifaddrs.map(&:name).uniq - ['lo'])"
            ))
            .stdout(),
            "{\"a\":1}\n"
        );
    }
    if has(Language::Go) {
        let mut job = code(
            Language::Go,
            "package main\n\nimport (\n\"crypto/sha1\"\n\"fmt\"\n\"net\"\n)\n\nfunc main() { _, err := net.Interfaces(); fmt.Printf(\"%x %v\\n\", sha1.Sum(nil), err) }\n",
        );
        job.limits.disk = 1 << 30;
        job.limits.files = 20_000;
        job.limits.memory = 2 << 30;
        job.limits.time = std::time::Duration::from_secs(120);
        // It includes a file that distributions keep elsewhere and link to from deep inside.
        assert_eq!(works(&job).stdout(), "da39a3ee5e6b4b0d3255bfef95601890afd80709 <nil>\n");
    }
}

#[test]
fn typescript_is_read_by_node_or_translated() {
    let mut job = code(
        Language::Ts,
        "import { add, type Pair } from '/in/pair.ts'\n\
         import legacy from '/in/legacy.cts'\n\
         const pair: Pair = { a: 1, b: 2 }\n\
         console.log(add(pair), legacy.three as number, await Promise.resolve(4))\n\
         process.exit(5)\n",
    );
    job.inputs = vec![
        input(
            "pair.ts",
            b"export interface Pair { a: number; b: number }\n\
              export const add = (pair: Pair): number => pair.a + pair.b\n",
        ),
        input("legacy.cts", b"const three: number = 3; module.exports = { three }\n"),
    ];
    let Finished { ran, .. } = run(&job);
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
    assert_eq!((ran.ending.reason.as_str(), ran.ending.code), ("exited", 5));
    job.program = Program::Arguments(["tsx", "/in/plain.ts", "x"].map(str::to_owned).into());
    job.inputs = vec![input(
        "plain.ts",
        b"const { sep } = require('path'); const word: string = process.argv[2]; console.log(sep + word)\n",
    )];
    assert_eq!(works(&job).stdout(), "/x\n");
    let wrong = run(&code(Language::Ts, "const x: = 3\n"));
    assert_eq!(wrong.ran.ending.code, 1);
    assert!(wrong.stderr().contains("SyntaxError"), "{}", wrong.stderr());
}
