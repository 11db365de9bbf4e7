//! A disk that changes while calls are under way.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use serde_json::json;

use crate::desk::{Desk, data, shown};

/// How often each call is made by each of the callers while names change places.
const TIMES: u32 = 12_500;

/// Callers at once: with a read and a write of two paths each, 100,000 calls in all.
const CALLERS: u32 = 2;

/// Swaps pairs of names for as long as `act` runs.
fn while_swapping(pairs: &[(&Path, &Path)], act: impl FnOnce()) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for (one, other) in pairs {
                    renameat_with(CWD, *one, CWD, *other, RenameFlags::EXCHANGE).unwrap();
                }
            }
        });
        act();
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn nothing_outside_is_read_or_written_while_links_and_parents_swap() {
    let desk = Desk::in_memory();
    // `a` is a folder or a link to `out`; `a/b` moves to another name and back; `f` is a file or a link out.
    desk.write("ws/a/b/file", "inside");
    desk.write("ws/a/other/file", "inside");
    desk.write("ws/f", "inside");
    desk.write("out/b/file", "OUTSIDE");
    desk.write("out/secret", "OUTSIDE");
    desk.link("ws/l", "@out");
    desk.link("ws/g", "@out/secret");
    let (a, l) = (desk.path("ws/a"), desk.path("ws/l"));
    let (f, g) = (desk.path("ws/f"), desk.path("ws/g"));
    let done = AtomicU64::new(0);
    let refused = AtomicU64::new(0);
    let caller = |number: u32| {
        for round in 0..TIMES {
            for path in ["a/b/file", "f"] {
                match desk.call("read_file", &json!({"path": path})) {
                    Ok(read) => {
                        assert!(!shown(&read).contains("OUTSIDE"), "{path}");
                        done.fetch_add(1, Ordering::Relaxed);
                    }
                    Err(_) => drop(refused.fetch_add(1, Ordering::Relaxed)),
                }
                let write = json!({"path": path, "content": format!("inside {round}")});
                match desk.call("write_file", &write) {
                    Ok(_) => drop(done.fetch_add(1, Ordering::Relaxed)),
                    Err(_) => drop(refused.fetch_add(1, Ordering::Relaxed)),
                }
            }
            if round % 250 == 0 {
                let arguments = json!({"path": ".", "pattern": "OUTSIDE"});
                if let Ok(found) = desk.call("search_files", &arguments) {
                    assert_eq!(data(&found), &json!([]));
                }
                let path = format!("a/new/{number}-{round}");
                let new = json!({"path": path, "content": "inside", "create_dirs": true});
                let _ = desk.call("write_file", &new);
                let _ = desk.call("delete_file", &json!({"path": path}));
                let _ = desk.call("delete_file", &json!({"path": "a/b/file"}));
                let _ = desk.call("write_file", &json!({"path": "a/b/file", "content": "inside"}));
            }
        }
    };
    while_swapping(&[(&a, &l), (&f, &g)], || {
        std::thread::scope(|scope| {
            for number in 0..CALLERS {
                scope.spawn(move || caller(number));
            }
        });
    });
    assert_eq!(desk.names("out"), ["b", "secret"]);
    assert_eq!(desk.names("out/b"), ["file"]);
    assert_eq!((desk.text("out/b/file").as_str(), desk.text("out/secret").as_str()), ("OUTSIDE", "OUTSIDE"));
    let (done, refused) = (done.into_inner(), refused.into_inner());
    assert!(done > 0 && refused > 0, "both were seen: {done} done, {refused} refused");
    assert_eq!(done + refused, 100_000);
    // Whatever happened, nothing lies about.
    let list = desk.call("list_files", &json!({"path": "."})).unwrap();
    assert!(!data(&list).to_string().contains(".tmp"), "{}", data(&list));
}

#[test]
fn a_parent_that_moves_out_takes_no_write_along() {
    let desk = Desk::in_memory();
    desk.write("ws/a/file", "old");
    desk.write("out/b/file", "OUTSIDE");
    let (a, b) = (desk.path("ws/a"), desk.path("out/b"));
    // Both folders are in the root half of the time. What is never in it is the content of a third.
    while_swapping(&[(&a, &b)], || {
        for round in 0..1_000 {
            let write = json!({"path": "a/file", "content": format!("inside {round}")});
            let _ = desk.call("write_file", &write);
            let _ = desk.call("write_file", &json!({"path": format!("a/{round}"), "content": "x"}));
            let _ = desk.call("delete_file", &json!({"path": format!("a/{round}")}));
        }
    });
    for folder in ["ws/a", "out/b"] {
        let names = desk.names(folder);
        assert!(names.iter().all(|name| !name.ends_with(".tmp")), "{names:?}");
        let text = desk.text(&format!("{folder}/file"));
        assert!(text == "old" || text == "OUTSIDE" || text.starts_with("inside "), "{text}");
    }
}

#[test]
fn what_somebody_else_writes_meanwhile_is_never_lost() {
    let desk = Desk::in_memory();
    // With an end on both sides: a `9` is found in `19` too.
    desk.write("ws/count", "<0>");
    // Both add one, each by replacing the whole file; a call that was too late is made again.
    let add = |times: u32| {
        for _ in 0..times {
            loop {
                let read = desk.call("read_file", &json!({"path": "count"}));
                let Ok(read) = read else { continue };
                let before = shown(&read).to_owned();
                let number: u32 = before.trim_matches(['<', '>']).parse().unwrap();
                let after = format!("<{}>", number + 1);
                if desk.call("edit_file", &json!({"path": "count", "old": before, "new": after})).is_ok() {
                    break;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| add(200));
        scope.spawn(|| add(200));
    });
    assert_eq!(desk.text("ws/count"), "<400>");
    assert_eq!(desk.names("ws"), ["count"]);
}

#[test]
fn readers_see_the_old_or_the_new_content_and_no_mixture() {
    let desk = Desk::in_memory();
    let (old, new) = ("o".repeat(100_000), "n".repeat(100_000));
    desk.write("ws/a", &old);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..100 {
                let content = if round % 2 == 0 { &new } else { &old };
                desk.call("write_file", &json!({"path": "a", "content": content})).unwrap();
            }
            done.store(true, Ordering::Relaxed);
        });
        while !done.load(Ordering::Relaxed) {
            let content = fs::read(desk.path("ws/a")).unwrap();
            assert!(content == old.as_bytes() || content == new.as_bytes());
        }
    });
}

#[test]
fn calls_that_need_the_same_new_folder_do_not_get_into_each_others_way() {
    for _ in 0..20 {
        let desk = Desk::in_memory();
        std::thread::scope(|scope| {
            for number in 0..6 {
                let desk = &desk;
                scope.spawn(move || {
                    let path = format!("new/deep/{number}");
                    let arguments = json!({"path": path, "content": "x", "create_dirs": true});
                    assert_eq!(desk.call("write_file", &arguments).unwrap().verified, Some(true));
                });
            }
        });
        assert_eq!(desk.names("ws/new/deep"), ["0", "1", "2", "3", "4", "5"]);
    }
}

#[test]
fn a_file_that_others_replace_all_the_time_can_be_read() {
    let desk = Desk::in_memory();
    desk.write("ws/status", "0");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0.. {
                if done.load(Ordering::Relaxed) {
                    return;
                }
                desk.write("ws/next", format!("{round}"));
                fs::rename(desk.path("ws/next"), desk.path("ws/status")).unwrap();
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
        });
        for _ in 0..1_000 {
            assert!(desk.call("read_file", &json!({"path": "status"})).is_ok());
        }
        done.store(true, Ordering::Relaxed);
    });
}
