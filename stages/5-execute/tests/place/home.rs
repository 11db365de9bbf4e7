//! Ways into the gate's own home, all of them closed.

use std::fs;
use std::process::Command;

use crate::disk::Disk;
use execute::place::Locator;

#[test]
fn the_home_is_closed_by_every_name() {
    let disk = Disk::new();
    disk.file("ws/.toolgate/policy.toml");
    disk.file("ws/.toolgate/ledger/1");
    disk.file("ws/toolgate/file");
    disk.file("ws/.toolgate.md");
    disk.link("ws/to_home", ".toolgate");
    disk.link("ws/to_policy", "@ws/.toolgate/policy.toml");
    disk.link("ws/to_other_home", "@out/.toolgate/policy.toml");
    disk.check(
        &disk.locator(),
        &[
            (".toolgate", "home"),
            (".toolgate/policy.toml", "home"),
            (".toolgate/new", "home"),
            ("sub/../.toolgate", "home"),
            ("./.toolgate/", "home"),
            (".toolgate/../file", "home"),
            ("to_home", "home"),
            ("to_home/policy.toml", "home"),
            ("to_policy", "home"),
            (".TOOLGATE", "home"),
            (".tool\u{200c}gate/x", "home"),
            // Also the home of another gate, here or elsewhere, there or not.
            ("sub/.toolgate", "home"),
            ("sub/new/.toolgate/x", "home"),
            ("@out/.toolgate", "home"),
            ("to_other_home", "home"),
            // And names that are only alike.
            ("toolgate/file", "file ws/toolgate/file"),
            (".toolgate.md", "file ws/.toolgate.md"),
            (".toolgates", "absent ws/.toolgates"),
        ],
    );
}

#[test]
fn a_home_that_is_not_there_yet_is_closed_too() {
    let disk = Disk::new();
    let locator = disk.locator();
    disk.check(
        &locator,
        &[
            (".toolgate", "home"),
            (".toolgate/policy.toml", "home"),
            (".Toolgate/policy.toml", "home"),
            ("new/../.toolgate", "home"),
        ],
    );
    // Made after the locator, and then moved to another name.
    disk.file("ws/.toolgate/policy.toml");
    disk.link("ws/link", ".toolgate/policy.toml");
    disk.check(&locator, &[("link", "home")]);
    fs::rename(disk.at("ws/.toolgate"), disk.at("ws/other")).unwrap();
    disk.check(&locator, &[("other/policy.toml", "home"), (".toolgate", "home")]);
}

#[test]
fn a_home_with_any_name_is_known_by_what_it_is() {
    let disk = Disk::new();
    disk.file("ws/state/policy.toml");
    let locator = Locator::new(&disk.path("ws"), &[disk.path("ws")], &disk.path("ws/state")).unwrap();
    disk.check(&locator, &[("state", "home"), ("state/policy.toml", "home"), ("state/new", "home")]);

    // Renamed, it is still the home; and so is the path where it was.
    fs::rename(disk.at("ws/state"), disk.at("ws/other")).unwrap();
    disk.check(&locator, &[("other", "home"), ("other/policy.toml", "home"), ("state/x", "home")]);
    disk.file("ws/state/policy.toml");
    disk.check(
        &locator,
        &[("other/policy.toml", "home"), ("state/policy.toml", "home"), ("file", "file ws/file")],
    );
}

#[test]
fn a_home_that_is_reached_by_a_link_is_closed_where_it_is() {
    let disk = Disk::new();
    disk.file("ws/real_home/policy.toml");
    disk.link("ws/.toolgate", "real_home");
    disk.check(
        &disk.locator(),
        &[
            ("real_home", "home"),
            ("real_home/policy.toml", "home"),
            ("real_home/new", "home"),
            (".toolgate", "home"),
        ],
    );
}

#[test]
fn a_root_inside_the_home_is_closed() {
    let disk = Disk::new();
    disk.file("ws/.toolgate/skills/file");
    disk.file("ws/state/skills/file");
    let cases =
        [("ws/.toolgate", "ws/.toolgate/skills"), ("ws/state", "ws/state/skills"), ("ws/state", "ws/state")];
    for (home, root) in cases {
        let locator = Locator::new(&disk.path("ws"), &[disk.path(root)], &disk.path(home)).unwrap();
        let given = format!("{}/file", disk.text(root));
        assert_eq!(disk.locate(&locator, &given), "home", "{root}");
    }
}

#[test]
fn a_root_that_becomes_the_home_is_closed() {
    let disk = Disk::new();
    disk.file("data/file");
    let roots = [disk.path("ws"), disk.path("data")];
    let locator = Locator::new(&disk.path("ws"), &roots, &disk.path("state")).unwrap();
    disk.check(&locator, &[("@data/file", "file data/file")]);
    disk.link("state", "data");
    disk.check(&locator, &[("@data/file", "home"), ("@data", "home"), ("file", "file ws/file")]);
}

#[test]
fn a_mount_that_shows_a_part_of_the_home_is_the_home() {
    let disk = Disk::new();
    disk.file("ws/.toolgate/keys/deep/key");
    disk.file("ws/.toolgate/policy.toml");
    disk.folder("ws/folder");
    disk.folder("ws/honest");
    disk.file("ws/one");
    // In a mount namespace of its own, which ends with the process that looks.
    const INSIDE: &str = "TOOLGATE_TEST_MOUNTS";
    let Ok(base) = std::env::var(INSIDE) else {
        let name = "home::a_mount_that_shows_a_part_of_the_home_is_the_home";
        let mut again = Command::new("unshare");
        again.arg("-rm").arg(std::env::current_exe().unwrap()).args(["--exact", name, "--nocapture"]);
        let output = again.env(INSIDE, disk.text("")).output();
        match &output {
            Ok(done) if done.status.success() => {}
            Ok(done) if done.status.code() == Some(101) => panic!("{output:?}"),
            // Without namespaces an agent cannot mount either.
            _ => println!("skipped: no mount namespace to be had here: {output:?}"),
        }
        return;
    };
    let disk = Disk::existing(base.into());
    for (from, to) in
        [("ws/.toolgate/keys", "ws/folder"), ("ws/.toolgate/policy.toml", "ws/one"), ("ws/sub", "ws/honest")]
    {
        let mount = Command::new("mount").arg("--bind").args([disk.at(from), disk.at(to)]).status();
        if !mount.is_ok_and(|status| status.success()) {
            println!("skipped: nothing can be mounted here");
            return;
        }
    }
    disk.check(
        &disk.locator(),
        &[
            ("folder", "home"),
            ("folder/deep", "home"),
            ("folder/deep/key", "home"),
            ("folder/new", "home"),
            ("one", "home"),
            ("honest/file", "file ws/honest/file"),
        ],
    );
}

#[test]
fn a_hard_link_to_a_file_of_the_home_is_the_home() {
    let disk = Disk::new();
    disk.file("ws/.toolgate/keys/deep/key");
    disk.file("ws/.toolgate/policy.toml");
    for (from, to) in [
        ("ws/.toolgate/keys/deep/key", "ws/key"),
        ("ws/.toolgate/policy.toml", "ws/sub/policy"),
        ("ws/file", "ws/sub/twin"),
        ("out/secret", "ws/linked_in"),
    ] {
        fs::hard_link(disk.at(from), disk.at(to)).unwrap();
    }
    disk.link("ws/to_key", "key");
    let locator = disk.locator();
    disk.check(
        &locator,
        &[
            ("key", "home"),
            ("to_key", "home"),
            ("sub/policy", "home"),
            // Two honest names of one file.
            ("file", "file ws/file"),
            ("sub/twin", "file ws/sub/twin"),
            // A second name of a file outside is a file inside, like a copy: making it takes the
            // right to write here, and what it shows was readable for whoever made it.
            ("linked_in", "file ws/linked_in"),
        ],
    );
    // Once the home has let go of it, it is a file like any other.
    fs::remove_file(disk.at("ws/.toolgate/keys/deep/key")).unwrap();
    disk.check(&locator, &[("key", "file ws/key")]);
}
