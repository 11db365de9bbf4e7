//! Programs in the jail.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use call::{Content, Fault, Lane, Reason, SecretUse};
use serde_json::{Value, json};

use crate::machine::{TOKEN, machine, machine_with};

#[test]
fn code_and_arguments_run_in_their_runtime() {
    let machine = machine();
    let python = machine.python("import sys, os\nprint(sys.stdin.read(), os.getcwd())\nsys.exit(3)");
    assert_eq!((&python["stdout"], &python["exit_code"]), (&json!(" /in\n"), &json!(3)));
    assert_eq!(python["exit_reason"], "exited");
    for argv in [["python3", "-c", "print(6 * 7)"], ["/usr/bin/python3", "-c", "print(6 * 7)"]] {
        let data = machine.data(Lane::Jail, &json!({ "language": "python", "argv": argv, "stdin": "x" }));
        assert_eq!(data["stdout"], "42\n");
    }
    let node = json!({ "language": "node", "argv": ["node", "-e", "console.log(process.argv.length)"] });
    assert_eq!(machine.data(Lane::Jail, &node)["stdout"], "1\n");
    let code = json!({ "language": "python", "code": "print(input()[::-1])", "stdin": "abc" });
    assert_eq!(machine.data(Lane::Jail, &code)["stdout"], "cba\n");
}

#[test]
fn what_a_program_leaves_is_told_with_its_digest_and_then_cleared() {
    let machine = machine();
    let done = machine
        .run(
            Lane::Jail,
            &json!({ "language": "python", "code": "import os\nos.mkdir('/out/sub')\n\
                open('/out/sub/a.txt', 'w').write('small')\nopen('/out/left-behind.bin', 'wb').write(bytes(range(256)))\n\
                open('/out/large.txt', 'w').write('x' * 100000)\nos.symlink('/etc/passwd', '/out/link')" }),
        )
        .unwrap();
    let Content::Data(data) = &done.content else { panic!("{done:?}") };
    let outputs = data["outputs"].as_array().unwrap();
    let named = |path: &str| outputs.iter().find(|output| output["path"] == path).unwrap();
    assert_eq!(named("/out/sub/a.txt")["text"], "small");
    assert_eq!(named("/out/sub/a.txt")["sha256"], call::Sha256::of(b"small").to_string());
    for (path, bytes) in [("/out/left-behind.bin", 256), ("/out/large.txt", 100_000)] {
        assert_eq!(named(path)["bytes"], bytes);
        assert!(named(path).get("text").is_none());
    }
    assert_eq!(data["not_taken"][0]["path"], "/out/link");
    assert!(done.artifacts.contains(&format!("/out/sub/a.txt sha256:{}", call::Sha256::of(b"small"))));
    insta::assert_snapshot!(done.summary, @"the program ended with exit code 0 in the lane `jail` and left 3 files");
    assert!(!is_left("left-behind.bin"));
}

/// Whether a file of this name is left in a folder of any run.
fn is_left(name: &str) -> bool {
    let folders = std::fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let mut runs = folders.filter(|folder| folder.file_name().to_string_lossy().starts_with("toolgate-run-"));
    runs.any(|folder| folder.path().join(name).exists())
}

#[test]
fn nothing_of_one_run_is_there_in_the_next() {
    let machine = machine();
    machine.python("open('/tmp/x', 'w').write('x')\nopen('/out/x', 'w').write('x')");
    let data = machine.python("import os\nprint(os.listdir('/tmp'), os.listdir('/out'), os.listdir('/in'))");
    assert_eq!(data["stdout"], "[] [] []\n");
}

#[test]
fn a_program_sees_neither_the_workspace_nor_the_network_nor_the_environment() {
    let machine = machine();
    let path = machine.write("private.txt", b"private");
    let data = machine.python(&format!(
        "import os, socket\nprint(os.path.exists('{}'), 'CARGO' in ' '.join(os.environ))\n\
         try:\n    socket.create_connection(('1.1.1.1', 80), 1)\nexcept OSError as e:\n    print('no network')",
        path.display()
    ));
    assert_eq!(data["stdout"], "False False\nno network\n");
}

#[test]
fn limits_are_those_of_the_walls_and_of_the_call_whichever_is_smaller() {
    let machine = machine();
    let forever = json!({ "language": "python", "code": "import time\nprint('begun', flush=True)\ntime.sleep(60)", "time_limit_sec": 1 });
    let begun = Instant::now();
    let fault = machine.run(Lane::Jail, &forever).unwrap_err();
    let Fault::TimedOut { message } = &fault else { panic!("{fault:?}") };
    insta::assert_snapshot!(message, @"the program did not end within 1 s; its last words: begun");
    let mut narrow = machine.asked(
        Lane::Jail,
        &json!({ "language": "python", "code": "import time\ntime.sleep(60)", "time_limit_sec": 60 }),
    );
    narrow.walls.max_runtime_seconds = Some(1);
    assert_eq!(machine.run_asked(&narrow).unwrap_err().class(), "timeout");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let cases = [
        ("x = bytearray(200 << 20)", "memory_limit"),
        ("while True: print('x' * 1000)", "output_limit"),
        ("f = open('/out/x', 'wb')\nwhile True: f.write(b'x' * 1000000)", "disk_limit"),
        ("for n in range(1000): open(f'/out/{n}', 'w')", "file_limit"),
    ];
    for (code, class) in cases {
        let arguments = json!({ "language": "python", "code": code, "memory_limit_mb": 100 });
        assert_eq!(machine.run(Lane::Jail, &arguments).unwrap_err().class(), class, "{code}");
    }
}

#[test]
fn a_call_that_nobody_wants_any_more_ends() {
    let machine = machine();
    let asked =
        machine.asked(Lane::Jail, &json!({ "language": "python", "code": "import time\ntime.sleep(60)" }));
    let begun = Instant::now();
    let fault = std::thread::scope(|scope| {
        let running = scope.spawn(|| machine.run_asked(&asked));
        std::thread::sleep(Duration::from_secs(1));
        asked.cancelled.store(true, Ordering::Relaxed);
        running.join().unwrap().unwrap_err()
    });
    assert_eq!(fault, Fault::Cancelled);
    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(machine.run_asked(&asked).unwrap_err(), Fault::Cancelled);
}

#[test]
fn a_credential_is_in_the_lane_and_nowhere_else() {
    let machine = machine();
    let code = "import os, hashlib\nprint(hashlib.sha256(os.environ['KEY'].encode()).hexdigest())\n\
                print(hashlib.sha256(open(os.environ['KEY_FILE'], 'rb').read()).hexdigest(), os.environ['PLAIN'])";
    let env = json!({
        "KEY": machine.handle(SecretUse::Env), "KEY_FILE": machine.handle(SecretUse::File), "PLAIN": "text",
    });
    let done = machine.run(Lane::Jail, &json!({ "language": "python", "code": code, "env": env })).unwrap();
    let digest = call::Sha256::of(TOKEN.as_bytes());
    let Content::Data(data) = &done.content else { panic!("{done:?}") };
    assert_eq!(data["stdout"], format!("{digest}\n{digest} text\n"));
    assert!(!format!("{done:?}").contains(TOKEN));
    assert_eq!(machine.vault.revealed().len(), 1);
    // A handle for one use is none for another.
    let wrong =
        json!({ "language": "python", "code": "1", "env": { "KEY": machine.handle(SecretUse::Header) } });
    assert_eq!(machine.run(Lane::Jail, &wrong).unwrap_err().class(), "bad_handle");
}

#[test]
fn arguments_start_the_runtime_that_was_decided_about_and_no_other_program() {
    let machine = machine();
    for argv in [
        json!(["node", "-e", "1"]),
        json!(["pip", "install", "x"]),
        json!(["/tmp/python3", "-c", "1"]),
        json!(["./python3"]),
        json!(["python3-config"]),
        json!(["env", "python3", "-c", "1"]),
    ] {
        let fault = machine.run(Lane::Jail, &json!({ "language": "python", "argv": argv })).unwrap_err();
        assert_eq!(fault.class(), "bad_request", "{argv}");
    }
    let mut other = machine.asked(Lane::Jail, &json!({ "language": "python", "code": "print(1)" }));
    other.arguments = json!({ "language": "python", "code": "print(2)" }).to_string().parse().unwrap();
    assert_eq!(machine.run_asked(&other).unwrap_err().class(), "bad_request");
}

#[test]
fn a_missing_runtime_says_what_provides_it() {
    let machine = machine_with(Vec::new(), "/bin/false".into());
    let fault = machine.run(Lane::Jail, &json!({ "language": "ruby", "code": "puts 1" })).unwrap_err();
    assert_eq!(fault.class(), "runtime_missing");
    let Fault::Denied(Reason { remedy: Some(remedy), .. }) = fault else { panic!("{fault:?}") };
    assert!(remedy.contains("apt-get install ruby"), "{remedy}");
}

fn shell(command: &str) -> Value {
    machine().data(Lane::Jail, &json!({ "command": command }))
}

#[test]
fn a_line_runs_in_a_shell_behind_the_walls() {
    assert_eq!(shell("printf 'b\\na\\n' | sort; echo \"$HOME $((1 + 1))\"")["stdout"], "a\nb\n/tmp 2\n");
    assert_eq!(shell("exit 7")["exit_code"], 7);
    assert_eq!(shell("echo text > /out/a; cat /out/a | tr a-z A-Z")["outputs"][0]["text"], "text\n");
    assert_eq!(shell("ls /root /home /opt /etc/shadow 2>/dev/null | head -1; id -u")["stdout"], "1000\n");
    let data = machine().data(
        Lane::Jail,
        &json!({ "language": "python", "argv": ["bash", "-c", "echo $0 \"$1\"", "a", "b  c"] }),
    );
    assert_eq!(data["stdout"], "a b  c\n");
}

#[test]
fn a_host_that_is_not_there_is_told_as_a_destination() {
    let machine = machine();
    let code = "import urllib.request\ntry:\n    urllib.request.urlopen('http://elsewhere.example:443/', timeout=5)\n\
                except Exception as e:\n    print('refused')";
    let arguments = json!({ "language": "python", "code": code, "network": ["localhost"] });
    let data = machine.data(Lane::Jail, &arguments);
    assert_eq!(data["stdout"], "refused\n");
    let told = &data["network"][0];
    assert_eq!(
        (&told["host"], &told["refused"]),
        (&json!("elsewhere.example"), &json!("is not on the list of hosts"))
    );
}
