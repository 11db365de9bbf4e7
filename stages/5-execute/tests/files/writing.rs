//! `write_file`, `edit_file` and `delete_file`.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use call::{Expected, Fault, Sha256, TargetState};
use serde_json::json;

use crate::desk::{Desk, arguments_of, shown};

#[test]
fn a_file_is_created_and_replaced() {
    let desk = Desk::new();
    let done = desk.call("write_file", &json!({"path": "a.txt", "content": "one\n"})).unwrap();
    assert_eq!((desk.text("ws/a.txt").as_str(), done.verified), ("one\n", Some(true)));
    insta::assert_snapshot!(done.diff.unwrap(), @r"
    --- /dev/null
    +++ b/a.txt
    @@ -0,0 +1 @@
    +one
    ");
    let done = desk.call("write_file", &json!({"path": "a.txt", "content": "two\n"})).unwrap();
    assert_eq!((desk.text("ws/a.txt").as_str(), done.verified), ("two\n", Some(true)));
    insta::assert_snapshot!(done.diff.unwrap(), @r"
    --- a/a.txt
    +++ b/a.txt
    @@ -1 +1 @@
    -one
    +two
    ");
    insta::assert_snapshot!(done.summary, @"replaced `a.txt`: 4 bytes, sha256 27dd8ed44a83ff94d557f9fd0412ed5a8cbca69ea04922d88c01184a07300a5a");
    assert_eq!(done.artifacts, [desk.path("ws/a.txt").to_str().unwrap()]);
    let done = desk.call("write_file", &json!({"path": "b", "content_base64": "AP8="})).unwrap();
    assert_eq!(fs::read(desk.path("ws/b")).unwrap(), [0, 255]);
    assert!(done.diff.unwrap().starts_with("Binary files /dev/null and b/b differ\n-no file\n+2 bytes"));
    let done = desk.call("write_file", &json!({"path": "empty", "content": ""})).unwrap();
    assert_eq!((desk.text("ws/empty").as_str(), done.diff.is_some()), ("", true));
    assert_eq!(desk.names("ws"), ["a.txt", "b", "empty"]);
}

#[test]
fn folders_are_made_only_when_that_is_asked_for() {
    let desk = Desk::new();
    let mut arguments = json!({"path": "a/b/c", "content": "x"});
    insta::assert_snapshot!(desk.call("write_file", &arguments).unwrap_err(),
        @"`a/b/c` cannot be written: there is no folder `a` on the way to it");
    assert_eq!(desk.names("ws"), Vec::<String>::new());
    arguments["create_dirs"] = json!(true);
    assert_eq!(desk.call("write_file", &arguments).unwrap().verified, Some(true));
    assert_eq!(desk.text("ws/a/b/c"), "x");
    // A folder that cannot be made takes the ones before it away again.
    let long = "n".repeat(255);
    let arguments = json!({"path": format!("x/y/{long}"), "content": "x", "create_dirs": true});
    assert_eq!(desk.call("write_file", &arguments).unwrap().verified, Some(true));
    assert_eq!(
        desk.fails("write_file", &json!({"path": "a/b/c/d", "content": "x", "create_dirs": true})),
        "not_found"
    );
}

#[test]
fn mode_is_kept_and_other_names_keep_their_content() {
    let desk = Desk::new();
    desk.write("ws/run.sh", "old");
    fs::set_permissions(desk.path("ws/run.sh"), Permissions::from_mode(0o4751)).unwrap();
    fs::hard_link(desk.path("ws/run.sh"), desk.path("out/other")).unwrap();
    desk.call("write_file", &json!({"path": "run.sh", "content": "new"})).unwrap();
    assert_eq!((desk.text("ws/run.sh").as_str(), desk.text("out/other").as_str()), ("new", "old"));
    assert_eq!(fs::metadata(desk.path("ws/run.sh")).unwrap().mode() & 0o7777, 0o751);
}

#[test]
fn what_cannot_be_written_is_a_fault_of_its_own_class() {
    let desk = Desk::new();
    fs::create_dir(desk.path("ws/folder")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        desk.path("ws/pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RWXU,
        0,
    )
    .unwrap();
    desk.write("out/secret", "secret");
    desk.link("ws/link", "@out/secret");
    desk.link("ws/outer", "@out");
    desk.link("ws/nowhere", "@out/new");
    let cases = [
        ("folder", "is_folder"),
        (".", "is_folder"),
        ("pipe", "special_file"),
        ("link", "path_outside_allowed_roots"),
        ("outer/new", "path_outside_allowed_roots"),
        ("nowhere", "path_outside_allowed_roots"),
        ("../out/new", "path_outside_allowed_roots"),
        (".toolgate/policy.toml", "gate_home"),
        ("sub/.TOOLGATE/x", "gate_home"),
    ];
    for (path, want) in cases {
        let write = json!({"path": path, "content": "x", "create_dirs": true});
        assert_eq!(desk.fails("write_file", &write), want, "{path}");
        assert_eq!(desk.fails("edit_file", &json!({"path": path, "old": "s", "new": "x"})), want, "{path}");
        assert_eq!(desk.fails("delete_file", &json!({"path": path})), want, "{path}");
    }
    assert_eq!(desk.fails("edit_file", &json!({"path": "missing", "old": "s", "new": "x"})), "not_found");
    assert_eq!(desk.fails("delete_file", &json!({"path": "missing"})), "not_found");
    assert_eq!((desk.names("out"), desk.text("out/secret").as_str()), (vec!["secret".to_owned()], "secret"));
    assert_eq!(desk.names("ws"), ["folder", "link", "nowhere", "outer", "pipe"]);
}

#[test]
fn a_link_inside_of_the_root_is_written_through_to_where_it_leads() {
    let desk = Desk::new();
    desk.write("ws/real", "old");
    desk.link("ws/link", "real");
    desk.call("write_file", &json!({"path": "link", "content": "new"})).unwrap();
    assert_eq!(desk.text("ws/real"), "new");
    assert!(fs::symlink_metadata(desk.path("ws/link")).unwrap().is_symlink());
}

#[test]
fn only_what_was_decided_about_is_written() {
    let desk = Desk::new();
    desk.write("ws/a", "old");
    let decided = desk.effects("write_file", &json!({"path": "a", "content": "approved"}));
    let other = json!({"path": "a", "content": "something else"});
    assert_eq!(desk.run("write_file", &other, &decided, None).unwrap_err().class(), "unknown_effect");
    let decided = desk.effects("edit_file", &json!({"path": "a", "old": "old", "new": "new"}));
    let other = json!({"path": "a", "old": "old", "new": "worse"});
    assert_eq!(desk.run("edit_file", &other, &decided, None).unwrap_err().class(), "unknown_effect");
    assert_eq!(desk.text("ws/a"), "old");
}

#[test]
fn what_a_person_did_not_see_is_not_changed() {
    let desk = Desk::new();
    let calls = [
        ("write_file", json!({"path": "a", "content": "new"})),
        ("edit_file", json!({"path": "a", "old": "seen", "new": "new"})),
        ("delete_file", json!({"path": "a"})),
    ];
    for (tool, arguments) in calls {
        desk.write("ws/a", "seen");
        let effects = desk.effects(tool, &arguments);
        let expected = desk.files.survey(&effects).unwrap();
        desk.write("ws/a", "seen, and more");
        let run = |expected: &Expected| desk.run(tool, &arguments, &effects, Some(expected));
        assert_eq!(run(&expected), Err(Fault::Changed { path: "a".to_owned() }), "{tool}");
        assert_eq!(desk.text("ws/a"), "seen, and more");
        assert_eq!(run(&Expected::default()).unwrap_err().class(), "target_changed", "{tool}");
        desk.write("ws/a", "seen");
        run(&expected).unwrap();
        let want: &[&str] = if tool == "delete_file" { &[] } else { &["a"] };
        assert_eq!(desk.names("ws"), want, "{tool}");
    }
}

#[test]
fn a_text_is_replaced_exactly_and_line_ends_stay() {
    let desk = Desk::new();
    let cases = [
        // content, old, new, all -> content or class
        ("a\r\nb\r\n", "b", "c", false, Ok("a\r\nc\r\n")),
        ("one two one", "two", "", false, Ok("one  one")),
        ("one two one", "one", "1", true, Ok("1 two 1")),
        ("one two one", "one", "1", false, Err("many_matches")),
        ("aaa", "aa", "b", false, Err("many_matches")),
        ("aaa", "aa", "b", true, Ok("ba")),
        ("one", "One", "1", false, Err("no_match")),
        ("one", "One", "1", true, Err("no_match")),
        ("a\r\nb", "a\nb", "c", false, Err("no_match")),
        ("größe", "ö", "oe", false, Ok("groesse")),
    ];
    for (content, old, new, all, want) in cases {
        desk.write("ws/a", content);
        let arguments = json!({"path": "a", "old": old, "new": new, "all": all});
        let got = desk.call("edit_file", &arguments);
        match want {
            Ok(want) => {
                assert_eq!(got.unwrap().verified, Some(true));
                let want = if want == "groesse" { "groeße" } else { want };
                assert_eq!(desk.text("ws/a"), want, "{arguments}");
            }
            Err(class) => {
                assert_eq!(got.unwrap_err().class(), class, "{arguments}");
                assert_eq!(desk.text("ws/a"), content);
            }
        }
    }
    desk.write("ws/a", "x x x");
    insta::assert_snapshot!(desk.call("edit_file", &json!({"path": "a", "old": "x", "new": "y"})).unwrap_err(),
        @"`old` occurs 3 times in `a`, and must occur once");
    desk.write("ws/a", "a\r\nb");
    let Err(Fault::Failed { remedy, .. }) =
        desk.call("edit_file", &json!({"path": "a", "old": "a\nb", "new": "y"}))
    else {
        panic!("a text with other line ends is not there")
    };
    insta::assert_snapshot!(remedy.unwrap(), @r"the lines of this file end with CR LF: write `\r\n` in `old` and `new`");
}

#[test]
fn an_edit_that_would_multiply_a_file_is_refused() {
    let desk = Desk::new();
    desk.write("ws/a", "a".repeat(1 << 20));
    let arguments = json!({"path": "a", "old": "a", "new": "b".repeat(1 << 10), "all": true});
    assert_eq!(desk.fails("edit_file", &arguments), "too_large");
}

#[test]
fn a_deleted_file_is_handed_over() {
    let desk = Desk::new();
    desk.write("ws/a", "gone");
    desk.write("ws/b", "stays");
    let done = desk.call("delete_file", &json!({"path": "a"})).unwrap();
    assert_eq!((desk.names("ws"), done.removed.as_deref()), (vec!["b".to_owned()], Some(&b"gone"[..])));
    assert_eq!(done.artifacts, [desk.path("ws/a").to_str().unwrap()]);
    insta::assert_snapshot!(done.diff.unwrap(), @r"
    --- a/a
    +++ /dev/null
    @@ -1 +0,0 @@
    -gone
    \ No newline at end of file
    ");
    fs::File::create(desk.path("ws/large")).unwrap().set_len(17 << 20).unwrap();
    let done = desk.call("delete_file", &json!({"path": "large"})).unwrap();
    assert_eq!(done.removed, None);
    assert!(
        done.summary.contains("17825792 bytes, sha256 ")
            && done.summary.ends_with("too large for a copy to be kept")
    );
    // Of a link, what it leads to goes: that is what was decided about.
    desk.write("ws/real", "x");
    desk.link("ws/link", "real");
    desk.call("delete_file", &json!({"path": "link"})).unwrap();
    assert_eq!(desk.names("ws"), ["b", "link"]);
}

#[test]
fn a_preview_is_what_then_happens() {
    let desk = Desk::new();
    desk.write("ws/a", "one\ntwo\n");
    let calls = [
        ("write_file", json!({"path": "new", "content": "x\n"})),
        ("write_file", json!({"path": "a", "content": "one\n2\n"})),
        ("edit_file", json!({"path": "a", "old": "one", "new": "1"})),
        ("delete_file", json!({"path": "a"})),
    ];
    for (tool, arguments) in calls {
        let effects = desk.effects(tool, &arguments);
        let name = tool.parse().unwrap();
        let preview = desk.files.preview(&name, &arguments_of(&arguments), &effects).unwrap();
        let done = desk.call(tool, &arguments).unwrap();
        assert!(preview.is_some());
        assert_eq!(preview, done.diff, "{tool} {arguments}");
    }
    desk.write("ws/a", "one");
    let arguments = json!({"path": "a", "old": "absent", "new": "1"});
    let effects = desk.effects("edit_file", &arguments);
    let preview = desk.files.preview(&"edit_file".parse().unwrap(), &arguments_of(&arguments), &effects);
    assert_eq!(preview.unwrap_err().class(), "no_match");
    let read = json!({"path": "a"});
    let effects = desk.effects("read_file", &read);
    let preview = desk.files.preview(&"read_file".parse().unwrap(), &arguments_of(&read), &effects);
    assert_eq!(preview, Ok(None));
}

#[test]
fn a_binary_file_is_not_edited_unless_a_person_saw_it() {
    let desk = Desk::new();
    let edit = json!({"path": "a", "old": "one", "new": "two"});
    for content in [&b"one\0"[..], b"\x7fELF one \0\xff"] {
        desk.write("ws/a", content);
        assert_eq!(desk.fails("edit_file", &edit), "binary_file");
        assert_eq!(fs::read(desk.path("ws/a")).unwrap(), content);
        let effects = desk.effects("edit_file", &edit);
        let expected = desk.files.survey(&effects).unwrap();
        let done = desk.run("edit_file", &edit, &effects, Some(&expected)).unwrap();
        assert_eq!(done.verified, Some(true));
    }
    // What is text in some other encoding is text.
    desk.write("ws/a", b"one \xe9");
    assert_eq!(desk.call("edit_file", &edit).unwrap().verified, Some(true));
    assert_eq!(fs::read(desk.path("ws/a")).unwrap(), b"two \xe9");
}

#[test]
fn a_file_is_not_made_where_a_folder_is_named() {
    let desk = Desk::new();
    for path in ["new/", "new/.", "new//"] {
        let arguments = json!({"path": path, "content": "x", "create_dirs": true});
        assert_eq!(desk.fails("write_file", &arguments), "is_folder", "{path}");
        let effects = desk.effects("write_file", &arguments);
        let prospect =
            desk.files.prospect(&"write_file".parse().unwrap(), &arguments_of(&arguments), &effects);
        assert_eq!(prospect.unwrap_err().class(), "is_folder", "{path}");
    }
    assert_eq!(desk.names("ws"), Vec::<String>::new());
}

#[test]
fn nobody_waits_for_the_digest_of_a_huge_file_that_is_not_changed() {
    let desk = Desk::new();
    // More than could be read in the time that a test has.
    fs::File::create(desk.path("ws/huge")).unwrap().set_len(4 << 40).unwrap();
    let done = desk.call("diff", &json!({"path": "huge", "content": "x"})).unwrap();
    insta::assert_snapshot!(shown(&done), @r"
    Large files a/huge and b/huge differ
    -4398046511104 bytes
    +1 bytes, sha256 2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881
    ");
    let edit = json!({"path": "huge", "old": "a", "new": "b"});
    assert_eq!(desk.fails("edit_file", &edit), "too_large");
    // One that has the same size is compared all the same.
    let same = "x".repeat(5 << 20);
    desk.write("ws/large", &same);
    assert_eq!(shown(&desk.call("diff", &json!({"path": "large", "content": same})).unwrap()), "");
}

#[test]
fn a_preview_of_large_or_binary_content_says_so() {
    let desk = Desk::new();
    desk.write("ws/a", b"\0binary");
    let preview = |arguments: serde_json::Value| {
        let effects = desk.effects("write_file", &arguments);
        let preview = desk.files.preview(&"write_file".parse().unwrap(), &arguments_of(&arguments), &effects);
        preview.unwrap().unwrap()
    };
    assert!(
        preview(json!({"path": "a", "content": "text"})).starts_with("Binary files a/a and b/a differ\n")
    );
    let large = preview(json!({"path": "a", "content": "x".repeat(5 << 20)}));
    assert!(large.starts_with("Large files") && large.len() < 1000, "{}", large.len());
    let lines = preview(json!({"path": "b", "content": "line\n".repeat(400_000)}));
    assert!(
        lines.len() < (1 << 20) + 100 && lines.ends_with("more bytes of this difference are not shown]\n")
    );
}

#[test]
fn what_stands_at_targets_is_told_in_constant_memory() {
    let desk = Desk::new();
    desk.write("ws/a", "content");
    let state = |path: &str| {
        let effects = desk.effects("write_file", &json!({"path": path, "content": "x"}));
        let expected = desk.files.survey(&effects).unwrap();
        expected.targets().iter().map(|target| target.state).collect::<Vec<_>>()
    };
    assert_eq!(state("a"), [TargetState::File { sha256: Sha256::of(b"content"), bytes: 7 }]);
    assert_eq!(state("new"), [TargetState::Absent]);
    assert_eq!(state("."), [TargetState::Folder]);
    // What leads nowhere is refused by policy, so there is nothing to expect.
    assert_eq!(state("../out/x"), []);
    let effects = desk.effects("read_file", &json!({"path": "a"}));
    assert_eq!(desk.files.survey(&effects).unwrap(), Expected::default());
    let effects = desk.effects("delete_file", &json!({"path": "a"}));
    fs::remove_file(desk.path("ws/a")).unwrap();
    assert_eq!(desk.files.survey(&effects).unwrap_err().class(), "target_changed");
}

#[test]
fn a_file_that_its_owner_protects_is_not_replaced() {
    use rustix::process::{Gid, Uid, geteuid};
    let desk = Desk::new();
    desk.write("ws/protected", "old");
    desk.write("ws/open", "old");
    fs::set_permissions(desk.path("ws/protected"), Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(&desk.base, Permissions::from_mode(0o755)).unwrap();
    let write = |path: &str| desk.call("write_file", &json!({"path": path, "content": "new"}));
    let run = || (write("protected").map_err(|fault| fault.class().to_owned()), write("open"));
    // Root may write to anything, so a thread of it becomes somebody else.
    let (protected, open) = if geteuid().is_root() {
        let (owner, group) = (Uid::from_raw(65534), Gid::from_raw(65534));
        for path in ["ws", "ws/protected", "ws/open"] {
            std::os::unix::fs::chown(desk.path(path), Some(65534), Some(65534)).unwrap();
        }
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                rustix::thread::set_thread_res_gid(group, group, group).unwrap();
                rustix::thread::set_thread_res_uid(owner, owner, owner).unwrap();
                run()
            });
            thread.join().unwrap()
        })
    } else {
        run()
    };
    assert_eq!(protected.unwrap_err(), "not_writable");
    assert_eq!(open.unwrap().verified, Some(true));
    assert_eq!((desk.text("ws/protected").as_str(), desk.text("ws/open").as_str()), ("old", "new"));
    assert_eq!(desk.names("ws"), ["open", "protected"]);
}
