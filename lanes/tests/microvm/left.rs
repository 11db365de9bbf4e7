//! Nothing is left behind.

use std::sync::atomic::Ordering;

use crate::kit::{cache, leftovers, machines, python, run, try_run};

#[test]
fn nothing_is_left_of_runs_however_they_end() {
    machines();
    // The helper's program is kept open for the next run.
    run(&python("open('/out/x', 'w').write('x' * 1000)"));
    let before = leftovers();
    run(&python("import os\nfor _ in range(3):\n  if os.fork() == 0: os.setsid()\nos._exit(3)"));
    let cancelled = python("import time; time.sleep(1000)");
    cancelled.cancelled.store(true, Ordering::Relaxed);
    assert_eq!(run(&cancelled).ending().0, "cancelled");
    let mut odd = python("pass");
    odd.environment = vec![("a=b".to_owned(), String::new())];
    assert!(try_run(&odd).is_err());
    assert_eq!(leftovers(), before);
    assert!(std::fs::read_dir(cache()).unwrap().flatten().all(|entry| {
        let name = entry.file_name();
        name == ".lock" || !name.to_string_lossy().starts_with('.')
    }));
}
