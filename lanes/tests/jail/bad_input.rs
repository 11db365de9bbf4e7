//! What cannot be run is refused, with the place and the remedy, and nothing is left half done.

use call::Language;
use lanes::{Jail, Lane as _, LaneError, Program};
use tempfile::TempDir;

use crate::kit::{as_ordinary_user, code, input, jail, leftovers, python, try_run};

#[test]
fn a_language_that_the_machine_has_not_is_refused_with_its_package() {
    let empty = Jail::new(vec!["/nowhere".into()]);
    for (language, package) in [
        (Language::Python, "python3"),
        (Language::Node, "nodejs"),
        (Language::Ts, "nodejs"),
        (Language::Go, "golang-go"),
        (Language::Ruby, "ruby"),
    ] {
        let error = try_run(&empty, &code(language, "1")).err().unwrap();
        assert!(matches!(error, LaneError::NoRuntime { .. }));
        assert!(error.to_string().contains(&format!("apt-get install {package}")), "{error}");
    }
}

#[test]
fn a_runtime_that_is_none_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    for content in ["#!/bin/sh\nexit 3\n", "#!/bin/sh\necho nonsense\n", "not a program"] {
        let folder = TempDir::new().unwrap();
        let fake = folder.path().join("python3");
        std::fs::write(&fake, content).unwrap();
        std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
        let error = try_run(&Jail::new(vec![folder.path().to_owned()]), &python("1")).err().unwrap();
        assert!(matches!(error, LaneError::NoRuntime { .. }), "{error}");
    }
}

#[test]
fn a_runtime_where_a_run_has_its_own_files_is_refused_with_the_reason() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    let fake = folder.path().join("python3");
    std::fs::write(&fake, "#!/bin/sh\necho 3.11.0\necho $0\n").unwrap();
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let error = try_run(&Jail::new(vec![folder.path().to_owned()]), &python("1")).err().unwrap();
    assert!(matches!(error, LaneError::NoRuntime { .. }), "{error}");
    assert!(error.to_string().contains("lies in a folder that every run has for itself"), "{error}");
}

#[test]
fn jobs_that_are_none_are_refused() {
    let bad = |change: &dyn Fn(&mut lanes::Job)| {
        let mut job = python("1");
        change(&mut job);
        let error = try_run(&jail(), &job).err().unwrap();
        assert!(matches!(error, LaneError::BadJob(_)), "{error}");
    };
    for name in ["", ".", "..", "a//b", "a/../b", "a/", "/etc/passwd", "a\0b", &"n".repeat(256)] {
        bad(&|job| job.inputs = vec![input(name, b"x")]);
    }
    bad(&|job| job.inputs = vec![input("a", b"x"), input("a", b"y")]);
    bad(&|job| job.environment = vec![("A=B".to_owned(), "c".to_owned())]);
    bad(&|job| job.environment = vec![("A".to_owned(), "c\0d".to_owned())]);
    bad(&|job| job.environment = (0..500).map(|n| (format!("V{n}"), String::new())).collect());
    bad(&|job| job.program = Program::Arguments(vec!["python3".to_owned(), "a\0b".to_owned()]));
    bad(&|job| job.program = Program::Arguments(vec!["python3".to_owned(); 600]));
    let mut job = python("1");
    job.inputs =
        vec![lanes::Input { name: "null".to_owned(), content: std::fs::File::open("/dev/zero").unwrap() }];
    assert!(try_run(&jail(), &job).is_err());
}

#[test]
fn what_cannot_be_collected_is_an_error_that_names_it() {
    let job = python("open('/out/x', 'w').write('x' * 100000)");
    let nowhere = std::path::Path::new("/nowhere/at/all");
    let error = jail().run(&job, nowhere).err().unwrap();
    assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
}

#[test]
fn an_argument_that_no_kernel_takes_is_told_as_such() {
    let mut job = python("1");
    job.program = Program::Arguments(vec!["python3".to_owned(), "-c".to_owned(), "#".repeat(200_000)]);
    let error = try_run(&jail(), &job).err().unwrap();
    assert!(error.to_string().contains("starting the program"), "{error}");
}

#[test]
fn a_helper_that_somebody_ends_is_an_error_and_leaves_nothing() {
    let jail = jail();
    try_run(&jail, &python("pass")).unwrap();
    let before = leftovers();
    let killer = std::thread::spawn(|| {
        for _ in 0..600 {
            std::thread::sleep(std::time::Duration::from_millis(100));
            if let Some(helper) = children().into_iter().next() {
                // So that the program runs when it happens.
                std::thread::sleep(std::time::Duration::from_millis(300));
                let helper = rustix::process::Pid::from_raw(helper).unwrap();
                return rustix::process::kill_process(helper, rustix::process::Signal::KILL).unwrap();
            }
        }
    });
    let error = try_run(&jail, &python("import time; time.sleep(60)")).err().unwrap();
    killer.join().unwrap();
    assert!(matches!(error, LaneError::Failed { .. }), "{error}");
    // Without its monitor, the first process inside is taken in by whoever takes in orphans here.
    let gone = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        leftovers() == before
    });
    assert!(gone, "{:?}", leftovers());
}

/// Processes that threads of this one started.
fn children() -> Vec<i32> {
    let threads = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<i32>>())
        .collect()
}

#[test]
fn the_lane_is_tried_for_real() {
    let probe = jail().probe().unwrap();
    for layer in ["user_namespace", "private_root", "seccomp", "no_capabilities"] {
        assert!(probe.layers.iter().any(|one| one == layer), "{:?}", probe.layers);
    }
    let without = jail().without_groups().probe().unwrap();
    assert!(without.layers.iter().any(|layer| layer == "watchdog"));
    assert_eq!(without.weaker.len(), 1);
}

#[test]
fn honest_programs_of_an_ordinary_user_work() {
    as_ordinary_user("honest::threads_and_processes_of_the_same_interpreter_work");
    as_ordinary_user("honest::a_program_reads_its_inputs_and_leaves_its_outputs");
    as_ordinary_user("limits::a_fork_bomb_is_ended");
    as_ordinary_user("limits::memory_is_limited_for_one_process_and_for_all_together");
    as_ordinary_user("limits::memory_that_several_processes_have_is_counted_once_also_while_they_end");
}

#[test]
fn a_hundred_at_once_all_finish() {
    let jail = jail();
    jail.runtime(Language::Python).unwrap();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..100)
            .map(|number| {
                let jail = &jail;
                scope.spawn(move || try_run(jail, &python(&format!("print({number})"))).unwrap().stdout())
            })
            .collect();
        for (number, run) in runs.into_iter().enumerate() {
            assert_eq!(run.join().unwrap(), format!("{number}\n"));
        }
    });
}
