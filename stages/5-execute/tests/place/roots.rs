//! Roots that are links, lie in one another, go away, or are none.

use std::fs;

use crate::disk::Disk;
use call::AbsolutePath;
use execute::place::{Locator, real_path};

#[test]
fn a_workspace_that_is_a_link_is_where_it_leads() {
    let disk = Disk::new();
    disk.link("alias", "ws");
    disk.link("ws/up", "..");
    let [alias, real, home] = ["alias", "ws", "alias/.toolgate"].map(|path| disk.path(path));
    for (workspace, root) in [(&alias, &alias), (&alias, &real), (&real, &alias), (&real, &real)] {
        let locator = Locator::new(workspace, std::slice::from_ref(root), &home).unwrap();
        assert_eq!(locator.roots().collect::<Vec<_>>(), [&real]);
        disk.check(
            &locator,
            &[
                ("file", "file ws/file"),
                ("@ws/file", "file ws/file"),
                ("new", "absent ws/new"),
                ("../out/secret", "outside"),
                ("@alias/../out/secret", "outside"),
                ("up/out/secret", "outside"),
                ("up/ws/file", "file ws/file"),
                ("@ws/.toolgate/policy.toml", "home"),
            ],
        );
        if *workspace == alias || *root == alias {
            disk.check(&locator, &[("@alias/file", "file ws/file"), ("@alias/../ws/file", "file ws/file")]);
        }
    }
}

#[test]
fn roots_in_one_another_and_side_by_side() {
    let disk = Disk::new();
    disk.file("ws/in/file");
    disk.file("data/file");
    disk.link("ws/to_data", "../data");
    disk.link("data/to_ws", "@ws/in");
    disk.link("ws/to_out", "../out");
    disk.link("by_link", "ws/in");
    let cases = [
        ("in/file", "file ws/in/file"),
        ("@ws/in/../file", "file ws/file"),
        ("@data/file", "file data/file"),
        ("to_data/file", "file data/file"),
        ("@data/to_ws/file", "file ws/in/file"),
        ("@data/to_ws/../file", "file ws/file"),
        ("to_data/../ws/file", "file ws/file"),
        ("@by_link/file", "file ws/in/file"),
        ("to_out/secret", "outside"),
        ("to_data/../out/secret", "outside"),
    ];
    for roots in [["ws", "by_link", "ws/in", "data"], ["data", "ws/in", "by_link", "ws"]] {
        disk.check(&disk.locator_of(&roots), &cases);
    }
    // With the inner one alone, the outer one is outside.
    disk.check(
        &disk.locator_of(&["ws/in"]),
        &[("in/file", "file ws/in/file"), ("file", "outside"), ("in/../file", "outside"), (".", "outside")],
    );
}

#[test]
fn an_inner_root_swapped_for_a_link_does_not_lead_out() {
    let disk = Disk::new();
    disk.link("by_link", "ws/sub");
    let locator = disk.locator_of(&["by_link", "ws"]);
    fs::rename(disk.at("ws/sub"), disk.at("ws/moved")).unwrap();
    disk.link("ws/sub", "@out");
    disk.check(
        &locator,
        &[("sub/secret", "outside"), ("@by_link/secret", "outside"), ("file", "file ws/file")],
    );
}

#[test]
fn a_root_that_was_replaced_leads_nowhere() {
    let disk = Disk::new();
    let locator = disk.locator();
    fs::rename(disk.at("ws"), disk.at("old")).unwrap();
    disk.check(&locator, &[("file", "unclear Unreadable"), (".", "unclear Unreadable")]);
    disk.link("ws", "out");
    disk.check(&locator, &[("secret", "unclear Unreadable")]);
    fs::remove_file(disk.at("ws")).unwrap();
    fs::rename(disk.at("old"), disk.at("ws")).unwrap();
    disk.check(&locator, &[("file", "file ws/file")]);
}

#[test]
fn a_root_that_is_no_folder_is_named() {
    let disk = Disk::new();
    disk.link("dangling", "missing");
    disk.link("loop", "loop");
    let cases = [
        ("missing", "the allowed root `missing` does not exist"),
        ("dangling", "the allowed root `dangling` does not exist"),
        ("ws/file", "the allowed root `ws/file` is not a folder"),
        ("ws/file/x", "the allowed root `ws/file/x` is not a folder"),
        ("loop", "the allowed root `loop` does not exist"),
    ];
    for (root, want) in cases {
        let made =
            Locator::new(&disk.path("ws"), &[disk.path("ws"), disk.path(root)], &disk.path("ws/.toolgate"));
        let said = made.unwrap_err().to_string().replace(&format!("{}/", disk.text("")), "");
        assert_eq!(said, want);
    }
    let proc = AbsolutePath::parse("/proc/self").unwrap();
    let made = Locator::new(&disk.path("ws"), &[proc], &disk.path("ws/.toolgate"));
    assert_eq!(made.unwrap_err().to_string(), "the allowed root `/proc/self` lies on procfs");
}

#[test]
fn paths_of_the_policy_keep_what_is_missing() {
    let disk = Disk::new();
    disk.link("alias", "ws/sub");
    disk.link("dangling", "missing");
    let cases = [
        ("ws/file", "ws/file"),
        ("alias", "ws/sub"),
        ("alias/file", "ws/sub/file"),
        ("alias/not/yet", "ws/sub/not/yet"),
        ("not/yet", "not/yet"),
        ("dangling/x", "dangling/x"),
        ("ws/file/x", "ws/file/x"),
    ];
    for (given, want) in cases {
        assert_eq!(real_path(&disk.path(given)), disk.path(want), "{given}");
    }
    assert_eq!(real_path(&AbsolutePath::root()), AbsolutePath::root());
}
