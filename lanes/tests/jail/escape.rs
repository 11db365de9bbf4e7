//! The programs of `tests/escape`, in the real jail.

use std::io::Read as _;
use std::net::TcpListener;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use call::Language;
use lanes::{Jail, Job};

use crate::kit::{as_ordinary_user, code, jail, leftovers, python, try_run, works};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/escape")
}

/// Programs of a folder, with what their first line expects.
fn programs(folder: &Path) -> Vec<(String, Job, String)> {
    let kit = std::fs::read_to_string(self::folder().join("kit.py")).unwrap();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = || std::fs::read_to_string(&path).unwrap();
        let job = match path.extension().and_then(|extension| extension.to_str()) {
            Some("py") if name != "kit" => code(Language::Python, &format!("{kit}\n{}", text())),
            Some("mjs") => code(Language::Node, &text()),
            Some("rb") => code(Language::Ruby, &text()),
            Some("go") => code(Language::Go, &text()),
            _ => continue,
        };
        let first = text().lines().next().unwrap_or_default().to_owned();
        let expected = first.split_once("expect: ").map_or("exited", |(_, expected)| expected).to_owned();
        found.push((name, job, expected));
    }
    assert!(!found.is_empty());
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// Somebody on the machine who would be glad to be reached.
struct Outside {
    tcp: TcpListener,
    abstract_: UnixListener,
    name: String,
}

impl Outside {
    fn new() -> Self {
        let name = format!("toolgate-escape-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let abstract_ = UnixListener::bind_addr(&address).unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        tcp.set_nonblocking(true).unwrap();
        abstract_.set_nonblocking(true).unwrap();
        Self { tcp, abstract_, name }
    }

    fn was_reached(&self) -> bool {
        let mut byte = [0];
        self.tcp.accept().is_ok_and(|(mut stream, _)| stream.read(&mut byte).is_ok())
            || self.abstract_.accept().is_ok()
    }
}

fn all_hold(jail: &Jail) {
    let outside = Outside::new();
    let mut wrong = Vec::new();
    for (name, mut job, expected) in programs(&folder()) {
        job.environment = vec![
            ("HOST_PORT".to_owned(), outside.tcp.local_addr().unwrap().port().to_string()),
            ("HOST_SOCKET".to_owned(), outside.name.clone()),
        ];
        job.limits.time = Duration::from_secs(if expected == "time_limit" { 2 } else { 60 });
        let finished = match try_run(jail, &job) {
            Ok(finished) => finished,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let ending = finished.ran.ending;
        let held = ending.reason.as_str() == expected && (expected != "exited" || ending.code == 0);
        if !held || finished.stdout().contains("ESCAPED") {
            wrong.push(format!("{name}: {ending:?}\n{}{}", finished.stdout(), finished.stderr()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!outside.was_reached());
}

#[test]
fn nothing_gets_out_of_the_jail() {
    // The helper's program is kept open for the next run.
    works(&python("pass"));
    let before = leftovers();
    all_hold(&jail());
    all_hold(&jail().without_groups());
    assert_eq!(leftovers(), before);
}

/// Root runs all of this again as somebody else.
#[test]
fn nothing_gets_out_of_the_jail_of_an_ordinary_user() {
    as_ordinary_user("escape::nothing_gets_out_of_the_jail");
}
