//! Links that lead out of the roots, and honest ones that stay.

use std::os::unix::ffi::OsStrExt as _;
use std::{ffi::OsStr, fs};

use crate::disk::Disk;

#[test]
fn a_link_is_judged_by_where_it_leads() {
    let disk = Disk::new();
    for (path, target) in [
        ("ws/in_relative", "sub/file"),
        ("ws/in_absolute", "@ws/sub/file"),
        ("ws/in_folder", "sub"),
        ("ws/in_folder_slash", "sub/"),
        ("ws/in_by_dots", "sub/../file"),
        ("ws/sub/up", "../file"),
        ("ws/chain", "in_relative"),
        ("ws/out_relative", "../out/secret"),
        ("ws/out_absolute", "@out/secret"),
        ("ws/out_folder", "@out"),
        ("ws/out_chain", "out_folder/secret"),
        ("ws/out_and_back", "../ws/file"),
        ("ws/evil_prefix", "@ws_evil"),
        ("ws/file_as_folder", "file/"),
        ("out/back", "@ws/file"),
        ("ws/over_out", "@out/back"),
        ("ws/etc", "/etc"),
    ] {
        disk.link(path, target);
    }
    disk.file("ws_evil/file");
    disk.check(
        &disk.locator(),
        &[
            ("in_relative", "file ws/sub/file"),
            ("in_absolute", "file ws/sub/file"),
            ("in_folder", "folder ws/sub"),
            ("in_folder/", "folder ws/sub"),
            ("in_folder/file", "file ws/sub/file"),
            ("in_folder_slash/file", "file ws/sub/file"),
            ("in_by_dots", "file ws/file"),
            ("sub/up", "file ws/file"),
            ("in_folder/up", "file ws/file"),
            ("chain", "file ws/sub/file"),
            ("out_relative", "outside"),
            ("out_absolute", "outside"),
            ("out_folder", "outside"),
            ("out_folder/secret", "outside"),
            ("out_folder/missing", "outside"),
            ("out_folder/../ws/file", "outside"),
            ("out_chain", "outside"),
            // Above the root are real folders alone, so the way back is known.
            ("out_and_back", "file ws/file"),
            ("evil_prefix/file", "outside"),
            // What stands outside is not looked at, so nobody knows that it leads back.
            ("over_out", "outside"),
            ("file_as_folder", "unclear NotFolder"),
            ("etc/passwd", "outside"),
        ],
    );
}

#[test]
fn two_dots_behind_a_link_go_up_from_where_it_leads() {
    let disk = Disk::new();
    disk.file("ws/a/b/c/file");
    disk.file("ws/a/b/here");
    disk.file("ws/here");
    disk.link("ws/link", "a/b/c");
    disk.link("ws/top", "@ws");
    disk.link("ws/elsewhere", "@out");
    disk.check(
        &disk.locator(),
        &[
            // As text both are `here`; the disk knows better.
            ("link/../here", "file ws/a/b/here"),
            ("a/../here", "file ws/here"),
            ("link/../../x", "outside"),
            ("link/../c/file", "file ws/a/b/c/file"),
            ("top/../out/secret", "outside"),
            ("elsewhere/../file", "outside"),
        ],
    );
}

#[test]
fn a_link_that_leads_nowhere_is_unclear_and_not_absent() {
    let disk = Disk::new();
    for (path, target) in [
        ("ws/dangling", "missing"),
        ("ws/dangling_deep", "sub/missing/file"),
        ("ws/dangling_absolute", "@ws/missing"),
        ("ws/dangling_out", "@out/missing"),
        ("ws/loop", "loop"),
        ("ws/one", "two"),
        ("ws/two", "one"),
    ] {
        disk.link(path, target);
    }
    disk.check(
        &disk.locator(),
        &[
            ("dangling", "unclear BrokenLink"),
            ("dangling/x", "unclear BrokenLink"),
            ("dangling_deep", "unclear BrokenLink"),
            ("dangling_absolute", "unclear BrokenLink"),
            ("dangling_out", "outside"),
            ("loop", "unclear Loop"),
            ("loop/x", "unclear Loop"),
            ("one", "unclear Loop"),
        ],
    );
}

#[test]
fn forty_links_are_followed_and_no_more() {
    let disk = Disk::new();
    disk.link("ws/link1", "file");
    for n in 2..=41 {
        disk.link(&format!("ws/link{n}"), &format!("link{}", n - 1));
    }
    disk.check(&disk.locator(), &[("link40", "file ws/file"), ("link41", "unclear Loop")]);
}

#[test]
fn a_link_created_later_is_seen() {
    let disk = Disk::new();
    let locator = disk.locator();
    disk.check(&locator, &[("later", "absent ws/later"), ("sub/file", "file ws/sub/file")]);
    let opened = locator.open("later").unwrap();

    disk.link("ws/later", "@out/secret");
    fs::rename(disk.at("ws/sub"), disk.at("ws/moved")).unwrap();
    disk.link("ws/sub", "@out");
    disk.check(
        &locator,
        &[("later", "outside"), ("sub/file", "outside"), ("moved/file", "file ws/moved/file")],
    );

    // Whoever makes a file at the place that was held does not follow the link either.
    use rustix::fs::{Mode, OFlags};
    let make = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::NOFOLLOW;
    let made = rustix::fs::openat(opened.folder().unwrap(), opened.name().unwrap(), make, Mode::RUSR);
    assert_eq!(made.unwrap_err(), rustix::io::Errno::EXIST);
}

#[test]
fn names_that_are_no_text_are_never_guessed() {
    let disk = Disk::new();
    let odd = disk.at("ws").join(OsStr::from_bytes(b"odd\xff"));
    fs::create_dir(&odd).unwrap();
    fs::write(odd.join("file"), "odd").unwrap();
    std::os::unix::fs::symlink(&odd, disk.at("ws/to_odd")).unwrap();
    disk.check(
        &disk.locator(),
        &[
            (".", "folder ws"),
            ("to_odd", "unclear Unreadable"),
            ("to_odd/file", "unclear Unreadable"),
            ("odd\u{fffd}", "absent ws/odd\u{fffd}"),
        ],
    );
}

#[test]
fn magic_links_of_procfs_lead_nowhere() {
    let disk = Disk::new();
    let held = fs::File::open(disk.at("out")).unwrap();
    let number = std::os::fd::AsRawFd::as_raw_fd(&held);
    let by_number = format!("/proc/self/fd/{number}");
    disk.link("ws/fd", &by_number);
    disk.link("ws/proc_root", "/proc/self/root");
    disk.link("ws/dev_fd", "/dev/fd");
    let locator = disk.locator();
    for given in [
        "fd/secret",
        "proc_root/etc",
        "dev_fd/0",
        "/proc/self/root",
        "/proc/self/cwd",
        "/dev/fd/0",
        &by_number,
    ] {
        assert_eq!(disk.locate(&locator, given), "outside", "{given}");
    }

    // Even where everything is allowed, and even for plain files there.
    let all = disk.locator_of(&[""]);
    assert_eq!(disk.locate(&all, "out/secret"), "absent ws/out/secret");
    let top = execute::place::Locator::new(
        &disk.path("ws"),
        &[call::AbsolutePath::root()],
        &disk.path("ws/.toolgate"),
    )
    .unwrap();
    let ours = format!("/proc/self/root{}", disk.text("ws/file"));
    for given in [
        "fd/secret",
        "proc_root/etc",
        "dev_fd/0",
        "/proc/self/root/etc",
        "/proc/self/cwd",
        "/proc/thread-self/root",
        "/proc/1/root",
        "/dev/fd/0",
        "/dev/stdin",
        "/proc/self/environ",
        "/proc",
        &by_number,
        &ours,
    ] {
        assert_eq!(disk.locate(&top, given), "unclear Unreadable", "{given}");
    }
    assert_eq!(disk.locate(&top, "file"), "file ws/file");
    assert_eq!(disk.locate(&top, "/.."), "folder /");
}
