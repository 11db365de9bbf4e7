//! Paths that are spelt to lead elsewhere, and honest ones that look like them.

use call::{Passing, Paths as _};

use crate::disk::Disk;

#[test]
fn only_text_below_a_root_leads_anywhere() {
    let disk = Disk::new();
    disk.file("ws_evil/file");
    disk.file("ws/docs/~backup.md");
    disk.file("ws/%2e%2e");
    disk.file("ws/trail.");
    disk.check(
        &disk.locator(),
        &[
            ("file", "file ws/file"),
            ("@ws/file", "file ws/file"),
            ("@ws", "folder ws"),
            (".", "folder ws"),
            ("./file", "file ws/file"),
            ("sub//file", "file ws/sub/file"),
            ("sub/./file", "file ws/sub/file"),
            ("sub/", "folder ws/sub"),
            ("sub/.", "folder ws/sub"),
            ("sub/../file", "file ws/file"),
            ("sub/../sub/../file", "file ws/file"),
            ("@/ws//sub///file", "file ws/sub/file"),
            ("../ws/file", "file ws/file"),
            ("@ws/../ws/file", "file ws/file"),
            // A prefix is not a parent.
            ("@ws_evil/file", "outside"),
            ("../ws_evil/file", "outside"),
            ("..", "outside"),
            ("../out/secret", "outside"),
            ("sub/../../out/secret", "outside"),
            ("@ws/../out/secret", "outside"),
            ("@out/secret", "outside"),
            ("@out/missing", "outside"),
            ("@", "outside"),
            ("/", "outside"),
            ("/etc/passwd", "outside"),
            ("/../../../etc/passwd", "outside"),
            ("../../../../../../../../../../etc/passwd", "outside"),
            // Names that mean something only elsewhere.
            ("docs/~backup.md", "file ws/docs/~backup.md"),
            ("%2e%2e", "file ws/%2e%2e"),
            ("%2e%2e/out", "unclear ThroughFile"),
            ("$HOME", "absent ws/$HOME"),
            ("..\\out", "absent ws/..\\out"),
            ("...", "absent ws/..."),
            ("trail.", "file ws/trail."),
            ("trail", "absent ws/trail"),
            (" file", "absent ws/ file"),
            ("", "unclear NoPath"),
            ("fi\0le", "unclear NoPath"),
            ("\0", "unclear NoPath"),
            ("~", "unclear Tilde"),
            ("~/file", "unclear Tilde"),
            ("~root/file", "unclear Tilde"),
        ],
    );
}

#[test]
fn a_file_is_no_folder() {
    let disk = Disk::new();
    disk.check(
        &disk.locator(),
        &[
            ("file/", "unclear ThroughFile"),
            ("file/.", "unclear ThroughFile"),
            ("file/..", "unclear NotFolder"),
            ("file/../file", "unclear NotFolder"),
            ("file/x", "unclear ThroughFile"),
            ("file/x/../../file", "unclear NotFolder"),
        ],
    );
}

#[test]
fn what_is_not_there_yet_is_where_it_would_be_made() {
    let disk = Disk::new();
    disk.link("ws/link", "sub");
    disk.check(
        &disk.locator(),
        &[
            ("new", "absent ws/new"),
            ("new/", "absent ws/new"),
            ("sub/new", "absent ws/sub/new"),
            ("link/new", "absent ws/sub/new"),
            ("new/deep/er", "absent ws/new/deep/er"),
            ("new/./deep//er", "absent ws/new/deep/er"),
            ("new/../file", "unclear NotFolder"),
            ("new/deep/../../file", "unclear NotFolder"),
        ],
    );
}

#[test]
fn what_is_too_long_for_the_kernel_is_unclear() {
    let disk = Disk::new();
    let locator = disk.locator();
    let name = |bytes: usize| "n".repeat(bytes);
    let cases = [
        // path -> what
        (name(255), format!("absent ws/{}", name(255))),
        (name(256), "unclear NameTooLong".to_owned()),
        (name(300), "unclear NameTooLong".to_owned()),
        (format!("new/{}", name(300)), "unclear NameTooLong".to_owned()),
        ("é".repeat(150), "unclear NameTooLong".to_owned()),
        ("a/".repeat(2500), "unclear Unreadable".to_owned()),
        (format!("{}file", "./".repeat(2000)), "file ws/file".to_owned()),
        (format!("{}file", "./".repeat(2500)), "unclear Unreadable".to_owned()),
        (format!("new/{}", "a/".repeat(2040)), "unclear Unreadable".to_owned()),
    ];
    for (given, want) in cases {
        assert_eq!(disk.locate(&locator, &given), want, "{} bytes", given.len());
    }
}

#[test]
fn a_folder_too_deep_to_be_held_is_unclear() {
    let disk = Disk::new();
    let locator = disk.locator();
    disk.folder(&format!("ws/{}", "d/".repeat(300)));
    assert_eq!(disk.locate(&locator, &"d/".repeat(300)), "unclear Unreadable");
    let deep = "d/".repeat(200);
    assert_eq!(disk.locate(&locator, &deep), format!("folder ws/{}", deep.trim_end_matches('/')));
}

#[test]
fn what_a_path_touches_on_its_way_is_told() {
    let disk = Disk::new();
    disk.file("ws/folder/deep/file");
    disk.link("ws/link", "folder");
    disk.link("ws/broken", "folder/none");
    disk.link("ws/out", "/etc");
    let locator = disk.locator();
    let cases: [(&str, &[(&str, Passing)]); 14] = [
        ("file", &[]),
        ("folder/deep/file", &[]),
        ("folder/", &[]),
        ("new", &[]),
        ("new/deeper", &[]),
        ("../ws/file", &[]),
        ("folder/../file", &[("folder", Passing::Up)]),
        ("folder/deep/../../file", &[("folder/deep", Passing::Up), ("folder", Passing::Up)]),
        ("link/deep", &[("link", Passing::Link)]),
        ("broken", &[("broken", Passing::Link), ("folder/none", Passing::Stop)]),
        ("out/passwd", &[("out", Passing::Link)]),
        ("file/", &[("file", Passing::Stop)]),
        ("file/x/y", &[("file", Passing::Stop)]),
        ("new/../file", &[("new", Passing::Stop)]),
    ];
    for (given, want) in cases {
        let passed = locator.locate(given).passed;
        let root = format!("{}/", disk.path("ws"));
        let got: Vec<(&str, Passing)> = passed
            .iter()
            .map(|passed| (passed.path.as_str().strip_prefix(&root).unwrap_or("?"), passed.how))
            .collect();
        assert_eq!(got, want, "{given}");
        if let Ok(opened) = locator.open(given) {
            assert_eq!(opened.located().passed, passed, "{given}");
        }
    }
}
