//! What is opened is what was located, or nothing.

use std::fs::{self, Permissions};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;

use crate::disk::Disk;
use call::{FileKind, Paths as _};
use execute::place::{Locator, NotOpened, Opened};
use rustix::fs::{CWD, FileType, Mode, mknodat};

fn content(opened: &Opened) -> Result<String, NotOpened> {
    let mut text = String::new();
    opened.read()?.read_to_string(&mut text).unwrap();
    Ok(text)
}

/// What is said when nothing is opened, with paths from the folder of this disk.
fn refusal<T: std::fmt::Debug>(disk: &Disk, result: Result<T, NotOpened>) -> String {
    result.unwrap_err().to_string().replace(&format!("{}/", disk.text("")), "")
}

#[test]
fn a_file_is_read_and_a_folder_is_listed() {
    let disk = Disk::new();
    disk.link("ws/link", "sub/file");
    let locator = disk.locator();
    let file = locator.open("link").unwrap();
    assert_eq!(file.located(), locator.locate("link"));
    assert_eq!(
        (file.path(), file.kind(), file.name()),
        (&disk.path("ws/sub/file"), FileKind::File, Some("file"))
    );
    assert_eq!(content(&file).unwrap(), "ws/sub/file");
    assert!(file.is_same_as(&locator.open("sub/file").unwrap()));
    assert!(!file.is_same_as(&locator.open("file").unwrap()));
    assert_eq!(refusal(&disk, file.list()), "`ws/sub/file` is a file");

    for (given, name) in [("sub", Some("sub")), (".", None)] {
        let folder = locator.open(given).unwrap();
        assert_eq!((folder.kind(), folder.name()), (FileKind::Folder, name));
        assert_eq!(folder.folder().is_some(), name.is_some());
        let names = rustix::fs::Dir::new(folder.list().unwrap()).unwrap();
        assert!(names.map(|entry| entry.unwrap()).any(|entry| entry.file_name() == c"file"), "{given}");
        assert!(matches!(folder.read(), Err(NotOpened::WrongKind { found: FileKind::Folder, .. })));
    }
}

#[test]
fn what_is_absent_is_made_in_the_folder_that_is_held() {
    let disk = Disk::new();
    let absent = disk.locator().open("sub/new/deep/file").unwrap();
    assert_eq!((absent.kind(), absent.name()), (FileKind::Absent, Some("new")));
    assert_eq!(absent.missing(), ["new", "deep", "file"]);
    assert_eq!(refusal(&disk, absent.read()), "`ws/sub/new/deep/file` is not there");

    fs::rename(disk.at("ws/sub"), disk.at("ws/moved")).unwrap();
    disk.link("ws/sub", "@out");
    rustix::fs::mkdirat(absent.folder().unwrap(), "new", Mode::RWXU).unwrap();
    assert!(disk.at("ws/moved/new").is_dir());
    assert!(!disk.at("out/new").exists());
}

#[test]
fn a_file_that_is_swapped_after_the_look_is_not_read() {
    type Swap = (&'static str, fn(&Disk));
    let swaps: [Swap; 5] = [
        ("another file", |disk| disk.file("ws/file")),
        ("a link", |disk| disk.link("ws/file", "@out/secret")),
        ("a hard link", |disk| fs::hard_link(disk.at("out/secret"), disk.at("ws/file")).unwrap()),
        ("a pipe", |disk| mknodat(CWD, disk.at("ws/file"), FileType::Fifo, Mode::RWXU, 0).unwrap()),
        ("nothing", |_| {}),
    ];
    for (what, swap) in swaps {
        let disk = Disk::new();
        let opened = disk.locator().open("file").unwrap();
        fs::rename(disk.at("ws/file"), disk.at("ws/away")).unwrap();
        swap(&disk);
        let read = content(&opened);
        assert!(matches!(read, Err(NotOpened::Changed { .. })), "{what}: {read:?}");
        // A folder is held itself, so nothing can take its place.
        let folder = disk.locator().open("sub").unwrap();
        fs::rename(disk.at("ws/sub"), disk.at("ws/moved")).unwrap();
        disk.link("ws/sub", "@out");
        let names = rustix::fs::Dir::new(folder.list().unwrap()).unwrap();
        assert!(names.map(|entry| entry.unwrap()).all(|entry| entry.file_name() != c"secret"), "{what}");
    }
}

#[test]
fn pipes_sockets_and_devices_are_seen_and_never_opened() {
    let disk = Disk::new();
    mknodat(CWD, disk.at("ws/pipe"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let _listener = UnixListener::bind(disk.at("ws/socket")).unwrap();
    let locator = disk.locator();
    disk.check(&locator, &[("pipe", "special ws/pipe"), ("socket", "special ws/socket")]);
    for given in ["pipe", "socket"] {
        assert_eq!(refusal(&disk, locator.open(given)), format!("`{given}` is a device, pipe or socket"));
    }

    let dev = call::AbsolutePath::parse("/dev").unwrap();
    let devices = Locator::new(&disk.path("ws"), &[dev], &disk.path("ws/.toolgate")).unwrap();
    for given in ["/dev/null", "/dev/zero"] {
        assert_eq!(disk.locate(&devices, given), format!("special {given}"));
        assert!(matches!(devices.open(given), Err(NotOpened::Refused(_))), "{given}");
    }
    disk.check(&devices, &[("/dev/fd/0", "outside"), ("/dev/stdin", "outside")]);
}

#[test]
fn refusals_say_what_is_wrong() {
    let disk = Disk::new();
    disk.link("ws/loop", "loop");
    let cases = [
        ("/etc/passwd", "`/etc/passwd` is outside the allowed roots"),
        (".toolgate/x", "`.toolgate/x` leads into the gate's own home"),
        ("~/x", "`~/x` begins with `~`, which is not expanded; write the path out"),
        ("loop", "`loop` goes through too many links"),
    ];
    for (given, want) in cases {
        assert_eq!(refusal(&disk, disk.locator().open(given)), want);
    }
}

#[test]
fn what_may_not_be_looked_at_is_unclear() {
    let disk = Disk::new();
    disk.file("ws/closed/file");
    disk.file("ws/unreadable");
    for (path, mode) in [("", 0o755), ("ws", 0o755), ("ws/closed", 0o000), ("ws/unreadable", 0o000)] {
        fs::set_permissions(disk.at(path), Permissions::from_mode(mode)).unwrap();
    }
    let locator = disk.locator();
    // Root may look everywhere, so the look is taken by a thread that is somebody else.
    let look = || {
        if rustix::process::geteuid().is_root() {
            rustix::thread::set_thread_uid(rustix::thread::Uid::from_raw(65534)).unwrap();
        }
        disk.check(
            &locator,
            &[
                ("file", "file ws/file"),
                ("closed", "folder ws/closed"),
                ("closed/file", "unclear Unreadable"),
                ("closed/missing", "unclear Unreadable"),
                ("unreadable", "file ws/unreadable"),
            ],
        );
        for given in ["closed", "unreadable"] {
            let opened = locator.open(given).unwrap();
            let opened = if given == "closed" { opened.list().map(drop) } else { opened.read().map(drop) };
            assert!(matches!(opened, Err(NotOpened::Unreadable { .. })), "{given}: {opened:?}");
        }
    };
    std::thread::scope(|scope| scope.spawn(look).join()).unwrap();
    fs::set_permissions(disk.at("ws/closed"), Permissions::from_mode(0o755)).unwrap();
}
