//! The program, run as an auditor would run it.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::made::{Keeper, Log, entries};

/// A folder with a log in `ledger`, its key, and two checkpoints that were kept.
struct Desk {
    folder: TempDir,
    keeper: Keeper,
}

impl Desk {
    fn new() -> Self {
        let (folder, keeper) = (TempDir::new().unwrap(), Keeper::new("example.com/ledger", 1));
        let desk = Self { folder, keeper };
        Log::new(&desk.keeper, &entries(300)).save(&desk.path("ledger"));
        desk.write("key", format!("{}\n", desk.keeper.public).as_bytes());
        desk.write("old", desk.keeper.checkpoint(&entries(120)).to_string().as_bytes());
        desk.write("new", desk.keeper.checkpoint(&entries(300)).to_string().as_bytes());
        desk
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = std::fs::read(self.path(name)).unwrap();
        change(&mut bytes);
        self.write(name, &bytes);
    }

    /// Another log in place of the one that is there.
    fn replace(&self, log: &Log) {
        std::fs::remove_dir_all(self.path("ledger")).unwrap();
        log.save(&self.path("ledger"));
    }

    #[track_caller]
    fn check(&self, arguments: &str, code: i32, said: &str) {
        let output = run(self.folder.path(), arguments);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert_eq!((output.status.code(), text.as_str()), (Some(code), said), "{arguments}");
    }
}

fn run(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_toolgate-verify"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

const LOG: &str = "--key @key log ledger --against old --against new";

#[test]
fn an_honest_log_holds() {
    let desk = Desk::new();
    desk.check(
        LOG,
        0,
        "ok: `checkpoint`: 300 entries of `example.com/ledger`, root GsS9+1nUgUAehoRedht3aNgInsfM4KthR5P+WGac0iU=\n\
         ok: `old`: 120 entries of `example.com/ledger`, root dt/k4IzFMeJJx3jjJkLPVmozDf/by38QIjzNdjzeQ/U=\n\
         ok: `new`: 300 entries of `example.com/ledger`, root GsS9+1nUgUAehoRedht3aNgInsfM4KthR5P+WGac0iU=\n",
    );
    let key = desk.keeper.public.to_string();
    desk.check(
        &format!("checkpoint old --key {key}"),
        0,
        "ok: signed for 120 entries of `example.com/ledger`, root dt/k4IzFMeJJx3jjJkLPVmozDf/by38QIjzNdjzeQ/U=\n",
    );
}

#[test]
fn an_edited_entry_is_found_by_its_number() {
    let desk = Desk::new();
    desk.change("ledger/tile/entries/001.p/44", |bundle| {
        let at = bundle.windows(4).position(|found| found == b"c263").unwrap();
        bundle[at + 1] = b'9';
    });
    desk.check(LOG, 2, "not ok: `tile/0/001.p/44` has another hash for entry 263\n");
}

#[test]
fn swapped_entries_are_found_by_the_number_of_the_first() {
    let desk = Desk::new();
    let mut swapped = entries(300);
    swapped.swap(7, 8);
    let mut log = Log::new(&desk.keeper, &entries(300));
    let tile = log.0["tile/0/000"].clone();
    log.write_entries(&swapped);
    log.0.insert("tile/0/000".to_owned(), tile);
    desk.replace(&log);
    desk.check(LOG, 2, "not ok: `tile/0/000` has another hash for entry 7\n");
}

#[test]
fn a_deleted_entry_is_found_by_its_number() {
    let desk = Desk::new();
    desk.change("ledger/tile/entries/000", |bundle| {
        let length = 2 + usize::from(u16::from_be_bytes([bundle[0], bundle[1]]));
        bundle.drain(..length);
    });
    desk.check(LOG, 2, "not ok: `tile/0/000` has another hash for entry 0\n");
}

#[test]
fn a_deleted_bundle_is_missed() {
    let desk = Desk::new();
    std::fs::remove_file(desk.path("ledger/tile/entries/001.p/44")).unwrap();
    desk.check(LOG, 2, "not ok: there is no `tile/entries/001.p/44`, for entries 256 to 299\n");
}

#[test]
fn the_key_of_somebody_else_accepts_nothing() {
    let desk = Desk::new();
    let key = Keeper::new("example.com/ledger", 2).public;
    desk.check(
        &format!("--key {key} log ledger"),
        2,
        &format!(
            "not ok: `checkpoint` is not a checkpoint of the log: it is not signed by the key of the log: \
             it has no signature of `example.com/ledger+{}`\n",
            key.hash()
        ),
    );
}

#[test]
fn the_checkpoint_of_another_log_is_refused() {
    let desk = Desk::new();
    let text = desk.keeper.checkpoint(&entries(300)).text().replace("/ledger", "/other");
    desk.write("ledger/checkpoint", desk.keeper.sign(&text).to_string().as_bytes());
    desk.check(
        LOG,
        2,
        "not ok: `checkpoint` is not a checkpoint of the log: it is for the log `example.com/other`, not for \
         `example.com/ledger`\n",
    );
}

#[test]
fn what_strangers_wrote_does_not_draw_on_the_terminal() {
    let desk = Desk::new();
    let text = desk.keeper.checkpoint(&entries(300)).text().replace("/ledger", "/\u{202e}\u{200b}redgel");
    desk.write("old", desk.keeper.sign(&text).to_string().as_bytes());
    desk.check(
        "--key @key checkpoint old",
        2,
        "not ok: it is for the log `example.com/\\u{202e}\\u{200b}redgel`, not for `example.com/ledger`\n",
    );
    desk.check("--key @key checkpoint a\u{1b}[31mb", 3, "error: `a\\u{1b}[31mb` does not exist\n");
}

#[test]
fn a_log_that_was_put_back_is_found_with_a_newer_checkpoint() {
    let desk = Desk::new();
    desk.replace(&Log::new(&desk.keeper, &entries(200)));
    desk.check(
        "--key @key log ledger",
        0,
        "ok: `checkpoint`: 200 entries of `example.com/ledger`, root 3UNYp7CWDbmA9pFz4M/zMywatQzxRY1MszE6r0ez5ck=\n",
    );
    desk.check(
        "--key @key log ledger --against new",
        2,
        "ok: `checkpoint`: 200 entries of `example.com/ledger`, root 3UNYp7CWDbmA9pFz4M/zMywatQzxRY1MszE6r0ez5ck=\n\
         not ok: `new` was signed for 300 entries, and the log has 200: it was cut, or put back\n",
    );
}

#[test]
fn a_log_that_was_forked_is_found_with_an_older_checkpoint() {
    let desk = Desk::new();
    let mut other = entries(300);
    other[100] = b"{}".to_vec();
    desk.replace(&Log::new(&desk.keeper, &other));
    let output = run(desk.folder.path(), "--key @key log ledger --against old");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("ok: `checkpoint`: 300 entries"), "{said}");
    assert!(said.contains("not ok: `old` was signed for other entries: the first 120 have"), "{said}");
    assert!(said.ends_with("so the log was changed or forked\n"), "{said}");
}

#[test]
fn tiles_that_were_all_made_anew_do_not_have_the_signed_root() {
    let desk = Desk::new();
    let mut log = Log::new(&desk.keeper, &entries(300));
    let mut other = entries(300);
    other[100] = b"{}".to_vec();
    log.write_entries(&other);
    desk.replace(&log);
    let output = run(desk.folder.path(), "--key @key log ledger");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("not ok: `checkpoint` was signed for other entries"), "{said}");
}

#[test]
fn a_kept_file_that_is_no_checkpoint_is_not_passed_over() {
    let desk = Desk::new();
    desk.write("old", b"example.com/ledger\n120\n");
    let output = run(desk.folder.path(), LOG);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.starts_with("not ok: `old`: checkpoint 1 in it is not a signed note: there is no blank line"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 3, "{said}");
}

#[test]
fn a_proof_is_checked_without_the_log() {
    let desk = Desk::new();
    let entries = entries(300);
    desk.write("proof", desk.keeper.prove(&entries, 263).to_string().as_bytes());
    desk.write("entry", &entries[263]);
    let proof = "--key @key proof proof --entry entry";
    desk.check(proof, 0, "ok: it is entry 263 of the 300 entries of `example.com/ledger`\n");

    desk.write("entry", &entries[264]);
    desk.check(proof, 2, "not ok: the proof is not for this entry: the proof leads to another root\n");
    desk.write("entry", &entries[263]);
    desk.change("proof", |proof| proof.truncate(100));
    desk.check(proof, 2, "not ok: there is no empty line with a checkpoint below it\n");
}

#[test]
fn what_cannot_be_asked_or_read_is_said() {
    let desk = Desk::new();
    let usage = |what: &str| {
        format!("error: the arguments are not understood: {what}\n\nhint: toolgate-verify --help\n")
    };
    let cases = [
        // arguments -> what is said
        ("", usage("`log, proof or checkpoint` is missing")),
        ("log ledger", usage("`--key` is missing")),
        ("--key", usage("`--key` needs a value")),
        ("--key a --key b log ledger", usage("`--key` is given twice")),
        ("--key a log", usage("`FOLDER` is missing")),
        ("--key a proof p", usage("`--entry` is missing")),
        ("--key a checkpoint", usage("`FILE` is missing")),
        ("--key a log ledger more", usage("`more` is one argument too many")),
        ("--key a logs ledger", usage("there is no command `logs`, expected `log`, `proof` or `checkpoint`")),
        ("--key a log ledger --since x", usage("there is no option `--since`")),
        ("--key a log ledger --entry x", usage("`--entry` does not belong to `log`")),
        ("--key a proof p --entry x --against y", usage("`--against` does not belong to `proof`")),
        ("--key a checkpoint p --entry x", usage("`--entry` does not belong to `checkpoint`")),
        (
            "--key a log ledger",
            "error: `--key` is not a key: a key is written NAME+HASH+BASE64\n\n\
             hint: give the key as `NAME+HASH+BASE64`, or its file as `@FILE`\n"
                .to_owned(),
        ),
        ("--key @none log ledger", "error: `none` does not exist\n".to_owned()),
        ("--key @key checkpoint none", "error: `none` does not exist\n".to_owned()),
        ("--key @key log ledger --against none", "error: `none` does not exist\n".to_owned()),
        (
            "--key @key log none",
            "error: `none` has no file `checkpoint`: it is not the folder of a log\n".to_owned(),
        ),
        (
            "--key @key checkpoint ledger",
            "error: `ledger` is not a file that can be read: it is not a file\n".to_owned(),
        ),
    ];
    for (arguments, want) in cases {
        desk.check(arguments, 3, &want);
    }
    std::fs::remove_file(desk.path("ledger/tile/0/000")).unwrap();
    std::fs::create_dir(desk.path("ledger/tile/0/000")).unwrap();
    desk.check(
        "--key @key log ledger",
        3,
        "error: `ledger/tile/0/000` is not a file that can be read: it is not a file\n",
    );
}

#[test]
fn help_and_version_are_said() {
    let desk = Desk::new();
    let output = run(desk.folder.path(), "--help");
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    for part in ["Usage:", "Exit codes:", "Examples:", "--against FILE"] {
        assert!(said.contains(part), "{part}");
    }
    assert!(said.lines().all(|line| line.len() <= 110), "{said}");
    desk.check("--version", 0, &format!("toolgate-verify {}\n", env!("CARGO_PKG_VERSION")));
}
