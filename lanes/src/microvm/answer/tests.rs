//! Answers of machines that were taken over.

use std::io::{Seek as _, Write as _};
use std::time::Duration;

use super::*;

const LIMITS: Limits = Limits {
    time: Duration::from_secs(1),
    memory: 1 << 20,
    cpus: 1.0,
    processes: 1,
    disk: 4_096,
    files: 4,
    output: 16,
};

fn frame(kind: u32, content: &[u8]) -> Vec<u8> {
    [&kind.to_le_bytes(), (content.len() as u64).to_le_bytes().as_slice(), content].concat()
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn entry(mode: u32, names: u32, path: &[u8], content: Option<&[u8]>) -> Vec<u8> {
    let size = content.map_or(0, <[u8]>::len) as u32;
    let head = numbers(&[mode, names, u32::from(content.is_some()), size, 0]);
    let mut bytes = frame(kind::ENTRY, &[head.as_slice(), path].concat());
    bytes.extend_from_slice(content.unwrap_or_default());
    bytes
}

const FILE: u32 = 0o100_644;
const FOLDER: u32 = 0o040_755;

/// A machine that came up, ran a program and ended it, with this behind.
fn ended(rest: &[Vec<u8>]) -> Vec<u8> {
    let begin = [
        frame(kind::UP, &numbers(&[2])),
        frame(kind::STARTS, &[]),
        frame(kind::OUTPUT, b"out"),
        frame(kind::ERRORS, b"err"),
        frame(kind::ENDED, &numbers(&[7 << 8, 0, 0, 0])),
    ];
    begin.iter().chain(rest).flatten().copied().collect()
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file.rewind().unwrap();
    file
}

fn refusal(bytes: &[u8]) -> String {
    read(&file(bytes), &LIMITS).err().unwrap_or_default()
}

/// Files that were taken, and what was refused.
fn unpacked(rest: &[Vec<u8>]) -> (Vec<String>, Vec<(String, &'static str)>) {
    let file = file(&ended(rest));
    let folder = tempfile::tempdir().unwrap();
    let answer = read(&file, &LIMITS).unwrap();
    let taken = answer.unpack(&file, folder.path(), &LIMITS).unwrap();
    let above = std::fs::read_dir(folder.path().parent().unwrap()).unwrap().flatten();
    assert!(!above.map(|entry| entry.file_name()).any(|name| name == "escaped"));
    let artifacts = taken.artifacts.into_iter().map(|artifact| artifact.path).collect();
    (artifacts, taken.unwanted.into_iter().map(|one| (one.path, one.why)).collect())
}

#[test]
fn an_honest_answer_is_read_as_it_was_meant() {
    let rest =
        [entry(FOLDER, 2, b"a", None), entry(FILE, 1, b"a/b", Some(b"content")), frame(kind::DONE, &[])];
    let file = file(&ended(&rest));
    let answer = read(&file, &LIMITS).unwrap();
    assert!(answer.done && answer.started);
    assert_eq!(
        (answer.up, answer.stdout.as_slice(), answer.stderr.as_slice()),
        (Some(2), &b"out"[..], &b"err"[..])
    );
    let status = Ended { status: 7 << 8, stopped: 0, starved: false, full: 0 };
    assert_eq!(answer.ended, Some(status));
    let folder = tempfile::tempdir().unwrap();
    let taken = answer.unpack(&file, folder.path(), &LIMITS).unwrap();
    assert_eq!(taken.artifacts[0].sha256, call::Sha256::of(b"content"));
    assert_eq!(std::fs::read(folder.path().join("a/b")).unwrap(), b"content");
}

#[test]
fn an_answer_that_ends_early_is_not_done() {
    let whole = ended(&[entry(FILE, 1, b"a", Some(b"content")), frame(kind::DONE, &[])]);
    for length in 0..whole.len() {
        let answer = read(&file(&whole[..length]), &LIMITS).unwrap();
        assert!(!answer.done, "{length}");
    }
}

#[test]
fn what_cannot_be_there_is_no_answer() {
    let cases = [
        (frame(99, &[]), "a frame of the unknown kind 99"),
        (frame(kind::STARTS, &[]), "a frame of the kind 2 that cannot be there"),
        (frame(kind::UP, &[0; 5]), "a frame of the kind 1 that cannot be there"),
        (
            [kind::OUTPUT.to_le_bytes().as_slice(), &[0xff; 8]].concat(),
            "a frame of the kind 3 that cannot be there",
        ),
        (ended(&[frame(kind::ENDED, &[0; 16])]), "a frame of the kind 6 that cannot be there"),
        (ended(&[frame(kind::OUTPUT, b"late")]), "a frame of the kind 3 that cannot be there"),
        (ended(&[frame(kind::DONE, &[]), frame(kind::DONE, &[])]), "something comes behind its end"),
        (ended(&[entry(FILE, 1, b"../escaped", Some(b"x"))]), "an entry whose path is none"),
        (ended(&[entry(FILE, 1, b"/escaped", Some(b"x"))]), "an entry whose path is none"),
        (ended(&[entry(FILE, 1, b"a//b", Some(b"x"))]), "an entry whose path is none"),
        (ended(&[entry(FILE, 1, b"a\0b", Some(b"x"))]), "an entry whose path is none"),
        (ended(&[entry(0o120_777, 1, b"a", Some(b"x"))]), "content where there can be none"),
        (ended(&[entry(FILE, 1, b"a", Some(&[0; 5_000]))]), "content where there can be none"),
        (ended(&[entry(FILE, 1, b"a", None), entry(FILE, 1, b"a", None)]), "an entry that is there twice"),
    ];
    for (bytes, why) in cases {
        assert_eq!(refusal(&bytes), why);
    }
    let flood =
        [frame(kind::UP, &[0; 4]), frame(kind::STARTS, &[]), frame(kind::OUTPUT, &[b'x'; 17])].concat();
    assert_eq!(refusal(&flood), "more output than there can be");
    let many: Vec<Vec<u8>> =
        (0..2_000).map(|number: u32| entry(FILE, 1, number.to_string().as_bytes(), None)).collect();
    assert_eq!(refusal(&ended(&many)), "more entries than there can be");
}

#[test]
fn what_nobody_takes_is_refused_for_the_same_reasons_as_in_the_jail() {
    let (taken, unwanted) = unpacked(&[
        entry(FOLDER, 2, b"-d", None),
        entry(FILE, 1, b"-d/inside", Some(b"x")),
        entry(FILE, 1, b"nowhere/inside", Some(b"x")),
        entry(FILE, 1, b"\x1b[2J", Some(b"x")),
        entry(FILE, 1, b"\xff", Some(b"x")),
        entry(FILE, 2, b"twice", None),
        entry(FILE, 1, b"large", None),
        entry(0o120_777, 1, b"link", None),
        entry(0o020_666, 1, b"device", None),
        entry(0o010_666, 1, b"pipe", None),
        entry(FILE, 1, b"good", Some(b"x")),
    ]);
    assert_eq!(taken, ["good"]);
    let expected = [
        ("-d", why::NAME),
        ("\\u{1b}[2J", why::NAME),
        ("device", "it is a device"),
        ("large", why::MANY),
        ("link", "it is a link"),
        ("pipe", "it is a pipe"),
        ("twice", why::NAMES),
        ("\u{fffd}", why::NAME),
    ];
    assert_eq!(unwanted, expected.map(|(path, why)| (path.to_owned(), why)));
}

#[test]
fn more_files_than_are_taken_are_left_out() {
    let files: Vec<Vec<u8>> =
        (0..6).map(|number: u32| entry(FILE, 1, number.to_string().as_bytes(), Some(b"x"))).collect();
    let (taken, unwanted) = unpacked(&files);
    assert_eq!((taken.len(), unwanted.len()), (4, 2));
}

/// Answers with bytes turned at random: nothing panics, and nothing is put where it does not belong.
#[test]
fn no_answer_breaks_the_reader() {
    let whole = ended(&[
        entry(FOLDER, 2, b"a", None),
        entry(FILE, 1, b"a/b", Some(b"content")),
        entry(0o120_777, 1, b"link", None),
        frame(kind::DONE, &[]),
    ]);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    for _ in 0..3_000 {
        let mut bytes = whole.clone();
        for _ in 0..next() % 4 + 1 {
            let place = usize::try_from(next()).unwrap() % bytes.len();
            bytes[place] = next().to_le_bytes()[0];
        }
        let file = file(&bytes);
        if let Ok(answer) = read(&file, &LIMITS) {
            let folder = tempfile::tempdir().unwrap();
            let taken = answer.unpack(&file, folder.path(), &LIMITS).unwrap();
            for artifact in taken.artifacts {
                let path = std::fs::canonicalize(folder.path().join(&artifact.path)).unwrap();
                assert!(path.starts_with(folder.path()), "{path:?}");
            }
        }
    }
}
