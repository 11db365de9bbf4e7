//! `read_file` and `diff`.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::os::unix::net::UnixListener;
use std::sync::atomic::{AtomicBool, Ordering};

use call::{Content, Fault};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;

use crate::desk::{Desk, shown};

fn pipe(desk: &Desk, path: &str) {
    mknodat(CWD, desk.path(path), FileType::Fifo, Mode::RWXU, 0).unwrap();
}

#[test]
fn lines_are_counted_from_one_and_kept_as_they_are() {
    let desk = Desk::new();
    desk.write("ws/a", "one\r\ntwo\nthree");
    let cases = [
        (json!({"path": "a"}), "one\r\ntwo\nthree"),
        (json!({"path": "a", "offset": 1}), "one\r\ntwo\nthree"),
        (json!({"path": "a", "offset": 2}), "two\nthree"),
        (json!({"path": "a", "offset": 2, "limit": 1}), "two\n"),
        (json!({"path": "a", "limit": 1}), "one\r\n"),
        (json!({"path": "a", "offset": 3, "limit": 9}), "three"),
        (json!({"path": "a", "offset": 4}), ""),
        (json!({"path": "a", "offset": 2147483647, "limit": 2147483647}), ""),
    ];
    for (arguments, want) in cases {
        let done = desk.call("read_file", &arguments).unwrap();
        assert_eq!((shown(&done), done.untrusted), (want, true), "{arguments}");
        assert_eq!(done.excerpt.unwrap().left_out, 0, "{arguments}");
    }
    insta::assert_snapshot!(desk.call("read_file", &json!({"path": "a", "offset": 9})).unwrap().summary,
        @"`a` has 3 lines, and so nothing from line 9 on");
    insta::assert_snapshot!(desk.call("read_file", &json!({"path": "a"})).unwrap().summary,
        @"14 characters of `a`");
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    let desk = Desk::new();
    desk.write("ws/a", b"gr\xc3\xb6\xff\xc3(\xe2\x82");
    let done = desk.call("read_file", &json!({"path": "a"})).unwrap();
    assert_eq!(shown(&done), "grö\u{fffd}\u{fffd}(\u{fffd}");
    desk.write("ws/empty", "");
    assert_eq!(shown(&desk.call("read_file", &json!({"path": "empty"})).unwrap()), "");
}

#[test]
fn what_is_no_file_is_a_fault_of_its_own_class() {
    let desk = Desk::new();
    fs::create_dir(desk.path("ws/folder")).unwrap();
    pipe(&desk, "ws/pipe");
    let _socket = UnixListener::bind(desk.path("ws/socket")).unwrap();
    desk.write("ws/file", "x");
    desk.write("out/secret", "secret");
    desk.link("ws/out", "@out/secret");
    desk.link("ws/nowhere", "missing");
    desk.link("ws/loop", "loop");
    desk.link("ws/device", "/dev/zero");
    desk.link("ws/magic", "/proc/self/environ");
    let cases = [
        ("missing", "not_found"),
        ("folder", "is_folder"),
        (".", "is_folder"),
        ("pipe", "special_file"),
        ("socket", "special_file"),
        ("file/below", "not_found"),
        ("out", "path_outside_allowed_roots"),
        ("../out/secret", "path_outside_allowed_roots"),
        ("/etc/passwd", "path_outside_allowed_roots"),
        ("device", "path_outside_allowed_roots"),
        ("magic", "path_outside_allowed_roots"),
        ("/proc/self/fd/0", "path_outside_allowed_roots"),
        ("nowhere", "path_unclear"),
        ("loop", "path_unclear"),
        (".toolgate/policy.toml", "gate_home"),
        ("~/x", "path_unclear"),
    ];
    for (path, want) in cases {
        for tool in ["read_file", "diff"] {
            let got = desk.call(tool, &json!({"path": path, "content": ""}));
            let absent = tool == "diff" && path == "missing";
            let class = got.as_ref().map_or_else(|fault| fault.class(), |_| "fine");
            assert_eq!(class, if absent { "fine" } else { want }, "{tool} {path}");
        }
    }
}

#[test]
fn a_file_of_the_gate_is_not_read_by_another_name() {
    let desk = Desk::new();
    desk.write("ws/.toolgate/ledger.db", "the ledger");
    fs::hard_link(desk.path("ws/.toolgate/ledger.db"), desk.path("ws/innocent")).unwrap();
    assert_eq!(desk.fails("read_file", &json!({"path": "innocent"})), "gate_home");
    assert_eq!(desk.fails("write_file", &json!({"path": "innocent", "content": "x"})), "gate_home");
    assert_eq!(desk.fails("delete_file", &json!({"path": "innocent"})), "gate_home");
    // Its honest twin has two names as well.
    desk.write("ws/one", "fine");
    fs::hard_link(desk.path("ws/one"), desk.path("ws/two")).unwrap();
    assert_eq!(shown(&desk.call("read_file", &json!({"path": "two"})).unwrap()), "fine");
}

#[test]
fn what_took_the_place_of_what_was_decided_about_is_not_read() {
    let desk = Desk::new();
    desk.write("ws/file", "plain");
    desk.write("ws/other", "other");
    desk.write("out/secret", "secret");
    let arguments = json!({"path": "file"});
    let effects = desk.effects("read_file", &arguments);
    let run = || desk.run("read_file", &arguments, &effects, None);
    fs::remove_file(desk.path("ws/file")).unwrap();
    assert_eq!(run().unwrap_err().class(), "target_changed");
    desk.link("ws/file", "other");
    assert_eq!(run().unwrap_err().class(), "target_changed");
    fs::remove_file(desk.path("ws/file")).unwrap();
    desk.link("ws/file", "@out/secret");
    assert_eq!(run().unwrap_err().class(), "path_outside_allowed_roots");
    fs::remove_file(desk.path("ws/file")).unwrap();
    pipe(&desk, "ws/file");
    assert_eq!(run().unwrap_err().class(), "special_file");
    fs::remove_file(desk.path("ws/file")).unwrap();
    desk.write("ws/file", "plain again");
    assert_eq!(shown(&run().unwrap()), "plain again");
}

/// Bytes of memory that this process has touched at most.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

#[test]
fn ten_gigabytes_without_content_are_counted_and_not_held() {
    const SIZE: u64 = 10 << 30;
    let desk = Desk::new();
    let file = File::create(desk.path("ws/sparse")).unwrap();
    file.set_len(SIZE).unwrap();
    let before = peak_memory();
    let done = desk.call("read_file", &json!({"path": "sparse"})).unwrap();
    let text = shown(&done);
    assert_eq!(text.chars().count() as u64 + done.excerpt.unwrap().left_out, SIZE);
    assert!(text.len() > 8000 && text.len() < 1 << 20);
    let done = desk.call("read_file", &json!({"path": "sparse", "offset": 2})).unwrap();
    assert_eq!(shown(&done), "");
    assert!(peak_memory() - before < 64 << 20);
}

#[test]
fn what_is_left_out_of_a_large_file_is_counted_exactly() {
    let desk = Desk::new();
    // Characters of two bytes, so that pieces end inside of one; some bytes that are none; and a hole.
    let mut file = File::create(desk.path("ws/large")).unwrap();
    let piece = format!("x{}\n", "ö".repeat(499));
    for _ in 0..2_000 {
        file.write_all(piece.as_bytes()).unwrap();
    }
    file.write_all(b"\xff\xe2\x82").unwrap();
    file.seek(SeekFrom::Current(3 << 20)).unwrap();
    file.write_all("\nend".as_bytes()).unwrap();
    drop(file);
    let want = String::from_utf8_lossy(&fs::read(desk.path("ws/large")).unwrap()).chars().count() as u64;
    let done = desk.call("read_file", &json!({"path": "large"})).unwrap();
    assert_eq!(shown(&done).chars().count() as u64 + done.excerpt.unwrap().left_out, want);
    assert!(shown(&done).starts_with("xö") && !shown(&done).contains('\u{fffd}'));
    let done = desk.call("read_file", &json!({"path": "large", "offset": 2002})).unwrap();
    assert_eq!(shown(&done), "end");
    let done = desk.call("read_file", &json!({"path": "large", "offset": 3, "limit": 1990})).unwrap();
    assert_eq!(shown(&done).chars().count() as u64 + done.excerpt.unwrap().left_out, 1990 * 501);
}

#[test]
fn reading_from_the_middle_of_a_key_still_shows_the_screen_its_beginning() {
    let desk = Desk::new();
    let body: String = (0..50).map(|line| format!("{line:064}\n")).collect();
    desk.write("ws/key", format!("-----BEGIN PRIVATE {}-----\n{body}-----END PRIVATE KEY-----\n", "KEY"));
    let done = desk.call("read_file", &json!({"path": "key", "offset": 20, "limit": 2})).unwrap();
    let Content::Text(whole) = &done.content else { panic!("no text") };
    assert!(whole.starts_with("-----BEGIN") && whole.ends_with("-----\n"));
    assert_eq!(shown(&done), format!("{:064}\n{:064}\n", 18, 19));
}

#[test]
fn a_file_that_grows_while_it_is_read_does_not_hold_up_the_call() {
    let desk = Desk::new();
    desk.write("ws/log", "line\n".repeat(200_000));
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = OpenOptions::new().append(true).open(desk.path("ws/log")).unwrap();
            while !done.load(Ordering::Relaxed) {
                file.write_all(b"more\n").unwrap();
            }
        });
        for _ in 0..50 {
            let read = desk.call("read_file", &json!({"path": "log"})).unwrap();
            assert!(shown(&read).starts_with("line\n"));
        }
        done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn nobody_waits_for_a_call_that_is_not_wanted_any_more() {
    let mut desk = Desk::new();
    desk.write("ws/a", "x");
    desk.cancelled.store(true, Ordering::Relaxed);
    for (tool, arguments) in [
        ("read_file", json!({"path": "a"})),
        ("list_files", json!({"path": "."})),
        ("search_files", json!({"path": ".", "pattern": "x"})),
        ("write_file", json!({"path": "a", "content": "y"})),
        ("delete_file", json!({"path": "a"})),
    ] {
        assert_eq!(desk.call(tool, &arguments), Err(Fault::Cancelled), "{tool}");
    }
    desk.cancelled.store(false, Ordering::Relaxed);
    desk.walls.max_runtime_seconds = Some(0);
    assert_eq!(desk.fails("read_file", &json!({"path": "a"})), "timeout");
    assert_eq!(desk.text("ws/a"), "x");
    assert_eq!(desk.names("ws"), ["a"]);
}

#[test]
fn a_difference_is_shown_and_nothing_is_written() {
    let desk = Desk::new();
    desk.write("ws/a", "one\ntwo\nthree\n");
    let done = desk.call("diff", &json!({"path": "a", "content": "one\n2\nthree\n"})).unwrap();
    insta::assert_snapshot!(shown(&done), @r"
    --- a/a
    +++ b/a
    @@ -1,3 +1,3 @@
     one
    -two
    +2
     three
    ");
    assert_eq!(desk.text("ws/a"), "one\ntwo\nthree\n");
    let same = desk.call("diff", &json!({"path": "a", "content": "one\ntwo\nthree\n"})).unwrap();
    assert_eq!(same.summary, "`a` has exactly this content");
    let new = desk.call("diff", &json!({"path": "new", "content": "one"})).unwrap();
    insta::assert_snapshot!(shown(&new), @r"
    --- /dev/null
    +++ b/new
    @@ -0,0 +1 @@
    +one
    \ No newline at end of file
    ");
}

#[test]
fn a_difference_does_not_show_the_middle_of_a_key() {
    let desk = Desk::new();
    let key = format!("-----BEGIN PRIVATE {}-----\nAAAA\nBBBB\nCCCC\n-----END PRIVATE KEY-----\n", "KEY");
    desk.write("ws/key", &key);
    let done = desk.call("diff", &json!({"path": "key", "content": key.replace("BBBB", "x")})).unwrap();
    for line in ["AAAA", "BBBB", "CCCC"] {
        assert!(!shown(&done).contains(line), "{}", shown(&done));
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn any_part_of_any_file_is_that_part(
        lines in proptest::collection::vec(proptest::collection::vec(proptest::prelude::any::<u8>(), 0..40), 0..60),
        times in 1..300usize,
        offset in 1..400u32,
        limit in 1..400u32,
    ) {
        let desk = Desk::in_memory();
        let content = lines.join(&b'\n').repeat(times);
        desk.write("ws/a", &content);
        let asked: Vec<u8> = content
            .split_inclusive(|byte| *byte == b'\n')
            .skip(offset as usize - 1)
            .take(limit as usize)
            .flatten()
            .copied()
            .collect();
        let asked = String::from_utf8_lossy(&asked).into_owned();
        let done = desk.call("read_file", &json!({"path": "a", "offset": offset, "limit": limit})).unwrap();
        let got = shown(&done);
        proptest::prop_assert!(asked.starts_with(got));
        let left_out = done.excerpt.unwrap().left_out;
        proptest::prop_assert_eq!(left_out, (asked.chars().count() - got.chars().count()) as u64);
        proptest::prop_assert!(left_out == 0 || got.chars().count() > 8000);
    }
}
