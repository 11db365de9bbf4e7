//! Machines that have less, and gates that die: played by this machine.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::Duration;

use lanes::Lane as _;
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

use crate::kit::{groups_of, jail, python, runs_of, try_run};

/// Which call this process has to do without, when it plays another machine.
const WITHOUT: &str = "TOOLGATE_TEST_WITHOUT";

#[test]
fn a_kernel_without_a_feature_is_a_refusal_that_names_it() {
    let kernels = [
        (libc::SYS_landlock_create_ruleset, "landlock"),
        (libc::SYS_mount_setattr, "of the machine"),
        (libc::SYS_seccomp, "seccomp"),
        (libc::SYS_clone, "namespaces"),
        (libc::SYS_pivot_root, "mount namespace"),
        (libc::SYS_mount, "mount namespace"),
        (libc::SYS_capset, "giving up powers"),
        (libc::SYS_close_range, "starting the program"),
        (libc::SYS_pidfd_open, "starting the helper"),
        (libc::SYS_memfd_create, "helper"),
        (libc::SYS_prlimit64, "rlimit"),
        (libc::SYS_sendfile, "file /etc"),
    ];
    for (call, layer) in kernels {
        let played = again("missing::a_machine_with_less", &call.to_string()).output().unwrap();
        let said = String::from_utf8_lossy(&played.stdout);
        let refusal = said.lines().find_map(|line| line.split_once("refused: "));
        let refusal = refusal.unwrap_or_else(|| panic!("{call} {said}")).1;
        assert!(refusal.contains(layer), "{call} {layer}: {refusal}");
    }
}

/// Not a test of its own: the process that plays a machine with less.
#[test]
fn a_machine_with_less() {
    let Some(call) = std::env::var(WITHOUT).ok().and_then(|call| call.parse::<i64>().ok()) else { return };
    let errno = SeccompAction::Errno(libc::ENOSYS.cast_unsigned());
    let rules: BTreeMap<i64, Vec<_>> = [(call, Vec::new())].into();
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, errno, arch).unwrap();
    seccompiler::apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
    match jail().probe() {
        Ok(probe) => println!("works: {:?}", probe.layers),
        Err(error) => println!("refused: {error}"),
    }
}

#[test]
fn a_gate_that_is_killed_leaves_nothing_running() {
    let mut gate = again("missing::a_gate_at_work", "1").stdout(Stdio::null()).spawn().unwrap();
    let own = gate.id();
    let wait = |what: &dyn Fn(usize) -> bool| {
        (0..300).any(|_| {
            std::thread::sleep(Duration::from_millis(100));
            what(runs_of(own).len())
        })
    };
    // The first process inside, and the program.
    if rustix::process::geteuid().is_root() {
        assert!(wait(&|count| count >= 2), "the program never ran");
    } else {
        std::thread::sleep(Duration::from_secs(5));
    }
    gate.kill().unwrap();
    gate.wait().unwrap();
    assert!(wait(&|count| count == 0), "{:?}", runs_of(own));
    // What a killed gate could not remove, the next one does.
    try_run(&jail(), &python("pass")).unwrap();
    assert_eq!(groups_of(own), Vec::<String>::new());
}

/// Not a test of its own: the gate that is killed.
#[test]
fn a_gate_at_work() {
    if std::env::var_os(WITHOUT).is_some() {
        let _ = try_run(&jail(), &python("import time; time.sleep(60)"));
    }
}

/// This program again, with one of its tests.
fn again(test: &str, without: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(WITHOUT, without);
    command
}
