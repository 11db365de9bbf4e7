//! `list_files`.

use std::fs;

use serde_json::json;

use crate::desk::{Desk, data};

fn small_tree() -> Desk {
    let desk = Desk::new();
    for file in ["b.rs", "a.txt", "src/lib.rs", "src/deep/er/x.rs", ".hidden", "node/ignored.js"] {
        desk.write(&format!("ws/{file}"), file);
    }
    desk.write("ws/.gitignore", "node/\n");
    desk
}

#[test]
fn files_are_listed_in_order_whatever_git_ignores() {
    let desk = small_tree();
    let cases = [
        (
            json!({"path": "."}),
            json!([
                ".gitignore",
                ".hidden",
                "a.txt",
                "b.rs",
                "node/ignored.js",
                "src/deep/er/x.rs",
                "src/lib.rs"
            ]),
        ),
        (json!({"path": "src"}), json!(["deep/er/x.rs", "lib.rs"])),
        (json!({"path": "src/"}), json!(["deep/er/x.rs", "lib.rs"])),
        (json!({"path": ".", "glob": "*.rs"}), json!(["b.rs"])),
        (json!({"path": ".", "glob": "**/*.rs"}), json!(["b.rs", "src/deep/er/x.rs", "src/lib.rs"])),
        (json!({"path": ".", "glob": "src/**"}), json!(["src/deep/er/x.rs", "src/lib.rs"])),
        (json!({"path": "src", "glob": "src/**"}), json!([])),
        (json!({"path": ".", "max_results": 2}), json!([".gitignore", ".hidden"])),
    ];
    for (arguments, want) in cases {
        let done = desk.call("list_files", &arguments).unwrap();
        assert_eq!((data(&done), done.untrusted), (&want, true), "{arguments}");
    }
    insta::assert_snapshot!(desk.call("list_files", &json!({"path": ".", "max_results": 2})).unwrap().summary,
        @"7 files below `.`, of which these are the first 2");
    assert_eq!(desk.fails("list_files", &json!({"path": "a.txt"})), "not_folder");
    assert_eq!(desk.fails("list_files", &json!({"path": "missing"})), "not_found");
    assert_eq!(desk.fails("list_files", &json!({"path": ".", "glob": "a[b"})), "bad_arguments");
}

#[test]
fn what_policy_denies_is_neither_listed_nor_counted() {
    let mut desk = small_tree();
    desk.denied.0 = vec!["deep", ".hidden"];
    let done = desk.call("list_files", &json!({"path": "."})).unwrap();
    assert_eq!(data(&done), &json!([".gitignore", "a.txt", "b.rs", "node/ignored.js", "src/lib.rs"]));
    assert_eq!(done.summary, "5 files below `.`");
}

#[test]
fn the_home_of_the_gate_is_not_listed_by_any_name() {
    let desk = Desk::new();
    desk.write("ws/.toolgate/policy.toml", "x");
    desk.write("ws/sub/.toolgate/policy.toml", "x");
    desk.write("ws/file", "x");
    fs::hard_link(desk.path("ws/.toolgate/policy.toml"), desk.path("ws/innocent")).unwrap();
    fs::hard_link(desk.path("ws/file"), desk.path("ws/twin")).unwrap();
    desk.link("ws/link", ".toolgate/policy.toml");
    desk.link("ws/home", ".toolgate");
    let done = desk.call("list_files", &json!({"path": "."})).unwrap();
    assert_eq!(data(&done), &json!(["file", "twin"]));
    let done = desk.call("search_files", &json!({"path": ".", "pattern": "x"})).unwrap();
    let found: Vec<&str> =
        data(&done).as_array().unwrap().iter().map(|hit| hit["file"].as_str().unwrap()).collect();
    assert_eq!(found, ["file", "twin"]);
}

#[test]
fn links_are_listed_only_where_what_they_lead_to_is_allowed() {
    let mut desk = Desk::new();
    desk.write("ws/file", "x");
    desk.write("ws/folder/inner", "x");
    desk.write("ws/denied/secret", "x");
    desk.write("out/secret", "x");
    desk.link("ws/to_file", "file");
    desk.link("ws/to_folder", "folder");
    desk.link("ws/to_denied", "denied/secret");
    desk.link("ws/to_out", "@out/secret");
    desk.link("ws/to_out_folder", "@out");
    desk.link("ws/to_up", "..");
    desk.link("ws/to_self", ".");
    desk.link("ws/to_nowhere", "missing");
    desk.link("ws/to_loop", "to_loop");
    desk.link("ws/to_proc", "/proc/self/root/etc/passwd");
    desk.denied.0 = vec!["denied"];
    let done = desk.call("list_files", &json!({"path": "."})).unwrap();
    assert_eq!(data(&done), &json!(["file", "folder/inner", "to_file", "to_folder", "to_self"]));
}

#[test]
fn names_that_are_no_text_or_no_files_are_passed_over() {
    use std::os::unix::ffi::OsStrExt as _;
    let desk = Desk::new();
    desk.write("ws/a\nb", "x");
    fs::write(desk.path("ws").join(std::ffi::OsStr::from_bytes(b"\xff\xfe")), "x").unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        desk.path("ws/pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        0,
    )
    .unwrap();
    let done = desk.call("list_files", &json!({"path": "."})).unwrap();
    assert_eq!(data(&done), &json!(["a\nb"]));
    assert_eq!(
        data(&desk.call("search_files", &json!({"path": ".", "pattern": "x"})).unwrap())[0]["file"],
        "a\nb"
    );
}

#[test]
fn a_tree_that_is_too_deep_is_listed_as_far_as_it_goes() {
    let desk = Desk::new();
    let mut at =
        rustix::fs::open(desk.path("ws"), rustix::fs::OFlags::PATH, rustix::fs::Mode::empty()).unwrap();
    for _ in 0..400 {
        rustix::fs::mkdirat(&at, "d", rustix::fs::Mode::RWXU).unwrap();
        at = rustix::fs::openat(&at, "d", rustix::fs::OFlags::PATH, rustix::fs::Mode::empty()).unwrap();
    }
    desk.write("ws/z", "x");
    let done = desk.call("list_files", &json!({"path": "."})).unwrap();
    assert_eq!(data(&done), &json!(["z"]));
    insta::assert_snapshot!(done.summary, @"1 file below `.`; 1 folder could not be looked into");
}

struct Panicking;

impl call::Judge for Panicking {
    fn allows(&self, _: &call::Effect) -> Result<(), call::Reason> {
        panic!("a judge that falls ill")
    }
}

#[test]
fn a_judge_that_fails_ends_the_walk_and_hangs_nobody() {
    let desk = small_tree();
    for folder in 0..50 {
        desk.write(&format!("ws/{folder}/x/y/z"), "x");
    }
    let arguments = json!({"path": "."});
    let effects = desk.effects("list_files", &arguments);
    let listed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        desk.run_with(&Panicking, "list_files", &arguments, &effects, None)
    }));
    assert!(listed.is_err() || listed.is_ok_and(|listed| listed.is_err()));
}
