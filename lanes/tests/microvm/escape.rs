//! The programs of `tests/escape`, in a machine of its own. All of them are children of one program there,
//! because a machine takes seconds to start; those that end everything around them have one each.

use std::io::Read as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::kit::{input, python, run, works};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/escape")
}

fn program(name: &str) -> String {
    let text = |name: &str| std::fs::read_to_string(folder().join(format!("{name}.py"))).unwrap();
    format!("{}\n{}", text("kit"), text(name))
}

/// Those that must be alone, or end otherwise than by themselves.
const ALONE: [&str; 7] = [
    "kit",
    "stays_behind",
    "stops_itself",
    "ends_the_helper",
    "calls_the_kernel_of_another_machine",
    "inherits_something",
    "looks_into_other_processes",
];

const ALL: &str = r#"
import os, subprocess, sys
wrong = 0
for name in sorted(os.listdir('/in')):
    done = subprocess.run([sys.executable, '/in/' + name], capture_output=True, text=True)
    if done.returncode or 'ESCAPED' in done.stdout:
        wrong += 1
        print(name, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
print(len(os.listdir('/in')), 'tried')
sys.exit(wrong)
"#;

#[test]
fn nothing_gets_out_of_a_machine() {
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    outside.set_nonblocking(true).unwrap();
    let mut job = python(ALL);
    let names = std::fs::read_dir(folder()).unwrap().flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        name.strip_suffix(".py").map(str::to_owned).filter(|name| !ALONE.contains(&name.as_str()))
    });
    job.inputs = names.map(|name| input(&format!("{name}.py"), program(&name).as_bytes())).collect();
    job.environment = vec![("HOST_PORT".to_owned(), outside.local_addr().unwrap().port().to_string())];
    let tried = job.inputs.len();
    assert!(tried >= 6, "{tried}");
    let ran = run(&job);
    assert_eq!((ran.ending(), ran.stdout()), (("exited", 0), format!("{tried} tried\n")), "{}", ran.stderr());
    assert!(!outside.accept().is_ok_and(|(mut stream, _)| stream.read(&mut [0]).is_ok()));
}

#[test]
fn a_program_sees_nobody_else_and_inherits_nothing() {
    for name in ["looks_into_other_processes", "inherits_something"] {
        let ran = works(&python(&program(name)));
        assert!(!ran.stdout().contains("ESCAPED"), "{}", ran.stdout());
    }
}

#[test]
fn a_program_that_stays_behind_or_ends_its_helper_does_not_outlive_its_run() {
    works(&python(&program("stays_behind")));
    let ran = run(&python(&program("ends_the_helper")));
    assert!(!ran.stdout().contains("ESCAPED"), "{}", ran.stdout());
    let mut job = python(&program("stops_itself"));
    job.limits.time = Duration::from_secs(2);
    assert_eq!(run(&job).ending().0, "time_limit");
}

const LOOK: &str = r#"
import os, socket, sys
try:
    print([name for _, name in socket.if_nameindex()])
except OSError:
    print([])
print(sorted(os.listdir('/')), sorted(os.listdir('/dev')), os.path.exists('/sys'))
status = dict(line.split(':\t', 1) for line in open('/proc/self/status').read().splitlines() if ':\t' in line)
print([status[key] for key in ('CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs', 'Seccomp')], os.getgroups())
for path in ['/usr/x', '/etc/passwd', '/in/x', '/code/main.py', '/x', '/lib/x']:
    try:
        open(path, 'a'); print('wrote', path)
    except OSError:
        pass
for device in ['/dev/vda', '/dev/vdb', '/dev/vport0p1', '/dev/console', '/dev/mem', '/dev/ttyS0', '/dev/kmsg']:
    try:
        open(device, 'rb'); print('opened', device)
    except OSError:
        pass
"#;

#[test]
fn a_program_cannot_reach_the_disks_the_port_or_a_network_or_change_the_image() {
    let ran = works(&python(LOOK));
    let text = ran.stdout();
    let mut lines = text.lines();
    // Interfaces are told over a kind of socket that there is none of, or there is the one that leads nowhere.
    let interfaces = lines.next().unwrap();
    assert!(["[]", "['lo']"].contains(&interfaces), "{interfaces}");
    let seen = lines.next().unwrap();
    assert!(
        seen.contains(
            "['fd', 'full', 'null', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'urandom', 'zero'] False"
        ),
        "{seen}"
    );
    let powers =
        "['0000000000000000', '0000000000000000', '0000000000000000', '0000000000000000', '1', '2'] []";
    assert_eq!((lines.next(), lines.next()), (Some(powers), None), "{text}");
}
