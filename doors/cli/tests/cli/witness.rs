//! `toolgate ledger witness`: what was given away cannot be taken back.

mod tls;

use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use data_encoding::{BASE64, HEXLOWER};
use ed25519_dalek::{Signer as _, SigningKey};
use sha2::Digest as _;
use verify::checkpoint::{Checkpoint, cut};
use verify::cosignature::{WitnessKey, message};
use verify::key::VerifierKey;
use verify::note::{Signature, SignedNote};
use verify::tree::{Hash, check_consistency};

use crate::books::{Backup, fill, key, moment, with_calls};
use crate::door::{Door, Ran, finish};

/// Runs `toolgate ledger witness`, in an environment that should not matter.
fn witness(door: &Door, words: &[&str]) -> Ran {
    let mut command = door.command(&[&["ledger", "witness"], words].concat());
    command
        .env("GIT_DIR", "/nowhere")
        .env("GIT_INDEX_FILE", "/nowhere/index")
        .env("GIT_CONFIG_COUNT", "no number");
    for name in ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
        command.env_remove(name);
    }
    finish(command.spawn().unwrap())
}

#[track_caller]
fn done(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{}", ran.all());
}

#[track_caller]
fn refused(ran: &Ran, want: &str) {
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    assert!(ran.stderr.contains(want), "{}", ran.all());
}

fn verify_against(door: &Door, place: &str) -> Ran {
    door.run(&["ledger", "verify", "--against", place])
}

#[test]
fn a_file_keeps_every_checkpoint_and_each_can_be_checked() {
    let door = with_calls();
    done(&witness(&door, &["add", "backup", "file:kept"]));
    let list = || witness(&door, &["list"]).stdout;
    assert!(list().ends_with("kept  has seen nothing yet\n"), "{}", list());
    for _ in 0..3 {
        done(&witness(&door, &["push"]));
    }
    let notes = cut(door.read("kept").as_bytes()).unwrap();
    let sizes: Vec<u64> =
        notes.iter().map(|note| Checkpoint::of_note(note, &key(&door)).unwrap().size()).collect();
    assert_eq!(sizes.len(), 3);
    // Each push is an entry of its own.
    assert_eq!((sizes[1] - sizes[0], sizes[2] - sizes[1]), (1, 1));
    done(&verify_against(&door, "kept"));
    let query = door.run(&["ledger", "query", "--event", "checkpoint_witnessed", "--format", "json"]);
    let event: serde_json::Value = serde_json::from_str(query.stdout.lines().next().unwrap()).unwrap();
    assert_eq!((&event["event"]["witness"], &event["event"]["size"]), (&"backup".into(), &sizes[0].into()));
    assert!(list().contains(&format!("has seen {} entries", sizes[2])), "{}", list());
    let path = door.path(".toolgate/ledger/witnesses.toml");
    assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    let names = door.names(".toolgate/ledger");
    assert!(!names.iter().any(|name| name.contains("new")), "{names:?}");
    done(&witness(&door, &["remove", "backup"]));
    assert_eq!(list(), "");
    assert!(door.path("kept").exists(), "what was given away stays");
}

#[test]
fn a_ledger_that_was_put_back_is_exposed_and_shown_to_nobody() {
    let door = with_calls();
    done(&witness(&door, &["add", "backup", "file:kept"]));
    done(&witness(&door, &["add", "other", "file:other"]));
    done(&witness(&door, &["push", "other"]));
    let backup = Backup::of(&door);
    let list = door.read(".toolgate/ledger/witnesses.toml");
    fill(&door, vec![moment("2026-02-09T00:00:00Z"); 5]);
    done(&witness(&door, &["push", "backup"]));
    let kept = door.read("kept");
    // Whoever owns the machine puts the ledger back, and with it what was remembered of the witnesses.
    backup.put_back();
    for remembered in [None, Some(&list)] {
        if let Some(list) = remembered {
            door.write(".toolgate/ledger/witnesses.toml", list);
        }
        done(&door.run(&["ledger", "verify"]));
        refused(&verify_against(&door, "kept"), "truncated or rolled back");
        refused(&witness(&door, &["push", "backup"]), "truncated or rolled back");
        refused(&witness(&door, &["push"]), "truncated or rolled back");
    }
    // And writes another history, which is longer than the one that was seen.
    fill(&door, vec![moment("2026-02-10T00:00:00Z"); 20]);
    refused(&verify_against(&door, "kept"), "forked or changed");
    refused(&witness(&door, &["push"]), "forked or changed");
    assert_eq!(door.read("kept"), kept, "nothing was given to the witness");
    assert_eq!(cut(door.read("other").as_bytes()).unwrap().len(), 1, "nor to any other");
    // A new name for the same file helps nobody.
    done(&witness(&door, &["remove", "backup"]));
    done(&witness(&door, &["add", "fresh", "file:kept"]));
    refused(&witness(&door, &["push", "fresh"]), "forked or changed");
}

#[test]
fn what_cannot_be_a_witness_is_said_so() {
    let door = with_calls();
    done(&witness(&door, &["add", "backup", "file:kept"]));
    let log_key = door.run(&["ledger", "key"]).stdout;
    let cases: [(&[&str], &str); 9] = [
        (&["add", "backup", "file:other"], "there is a witness `backup` already"),
        (&["add", "Back Up", "file:other"], "is not a name"),
        (&["add", "a", "kept"], "is neither"),
        (&["add", "a", "git:nowhere#main"], "nowhere"),
        (&["add", "a", "https://ada:secret@witness.example"], "is not an address"),
        (&["add", "a", "https://witness.example", "--key", log_key.trim()], "type 4"),
        (
            &[
                "add",
                "a",
                "file:a",
                "--key",
                "witness.example/w+bbabb70a+BNdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea",
            ],
            "cosign",
        ),
        (&["remove", "nobody"], "there is no witness `nobody`"),
        (&["push", "nobody"], "there is no witness `nobody`"),
    ];
    for (words, want) in cases {
        let ran = witness(&door, words);
        assert_eq!(ran.code, Some(3), "{}", ran.all());
        assert!(ran.stderr.contains(want), "{}", ran.all());
    }
    // One that does not work does not keep the others from theirs.
    fs::create_dir(door.path("folder")).unwrap();
    done(&witness(&door, &["add", "broken", "file:folder"]));
    let ran = witness(&door, &["push", "--format", "json"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    let answer = ran.json();
    assert_eq!(answer["pushed"][0]["witness"], "backup");
    assert_eq!(answer["problems"][0]["witness"], "broken");
    // A file in which something else is written is not added to.
    door.write("mine", "my own notes\n");
    done(&witness(&door, &["add", "mine", "file:mine"]));
    refused(&witness(&door, &["push", "mine"]), "not a signed note");
    let before = cut(door.read("kept").as_bytes()).unwrap().len();
    assert_eq!(witness(&door, &["push"]).code, Some(3));
    assert_eq!(cut(door.read("kept").as_bytes()).unwrap().len(), before + 1, "the others get theirs");
    assert_eq!(door.read("mine"), "my own notes\n");
}

fn git(folder: &Path, words: &[&str]) -> String {
    let output = Command::new("git").current_dir(folder).args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

/// A repository that would run something at every occasion.
fn hostile_repository(door: &Door, name: &str, more: &[&str]) {
    git(door.folder.path(), &[&["init", "-q", "-b", "main"], more, &[name]].concat());
    let hooks = [
        "reference-transaction",
        "post-update",
        "post-commit",
        "pre-commit",
        "update",
        "post-receive",
        "fsmonitor",
    ];
    let folder = if more.is_empty() { format!("{name}/.git") } else { name.to_owned() };
    for hook in hooks {
        let ran = door.path("ran");
        let path = door.write(
            &format!("{folder}/hooks/{hook}"),
            format!("#!/bin/sh\necho {hook} >> {}\n", ran.display()),
        );
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let repository = door.path(name);
    let hooks = door.path(&format!("{folder}/hooks"));
    git(&repository, &["config", "core.hooksPath", hooks.to_str().unwrap()]);
    git(&repository, &["config", "core.fsmonitor", hooks.join("fsmonitor").to_str().unwrap()]);
    git(&repository, &["config", "commit.gpgSign", "true"]);
}

#[test]
fn a_ref_keeps_every_checkpoint_and_nothing_of_the_repository_is_run() {
    let door = with_calls();
    hostile_repository(&door, "kept.git", &["--bare"]);
    done(&witness(&door, &["add", "archive", "git:kept.git#refs/heads/gate"]));
    for _ in 0..3 {
        done(&witness(&door, &["push", "archive"]));
    }
    assert!(!door.path("ran").exists(), "{}", door.read("ran"));
    let repository = door.path("kept.git");
    let show = |words: &[&str]| git(&repository, &[&["-c", "core.fsmonitor=false"], words].concat());
    assert_eq!(show(&["rev-list", "--count", "gate"]), "3");
    assert_eq!(show(&["ls-tree", "-r", "--name-only", "gate"]), "checkpoint");
    let note = SignedNote::parse(format!("{}\n", show(&["show", "gate:checkpoint"])).as_bytes()).unwrap();
    assert!(Checkpoint::of_note(&note, &key(&door)).is_ok());
    done(&verify_against(&door, "git:kept.git#gate"));
    let missing = verify_against(&door, "git:kept.git#nothing");
    assert_eq!(missing.code, Some(2), "{}", missing.all());
    // The ledger is put back, and the ref tells.
    let backup = Backup::of(&door);
    fill(&door, [moment("2026-02-09T00:00:00Z")]);
    done(&witness(&door, &["push", "archive"]));
    backup.put_back();
    refused(&verify_against(&door, "git:kept.git#gate"), "truncated or rolled back");
    fs::remove_file(door.path(".toolgate/ledger/witnesses.toml")).unwrap();
    done(&witness(&door, &["add", "archive", "git:kept.git#gate"]));
    refused(&witness(&door, &["push"]), "truncated or rolled back");
    assert_eq!(show(&["rev-list", "--count", "gate"]), "4");
}

#[test]
fn a_working_tree_and_the_files_of_others_are_never_touched() {
    let door = with_calls();
    hostile_repository(&door, "project", &[]);
    let repository = door.path("project");
    let run = |words: &[&str]| {
        let quiet = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "user.name=a"];
        let more = ["-c", "user.email=a@b", "-c", "commit.gpgSign=false"];
        git(&repository, &[&quiet, more.as_slice(), words].concat())
    };
    door.write("project/README.md", "hello\n");
    run(&["add", "README.md"]);
    run(&["commit", "-q", "-m", "first"]);
    run(&["branch", "other"]);
    for (target, want) in [("git:project#main", "is checked out"), ("git:project#other", "has other files")] {
        let ran = witness(&door, &["add", "a", target]);
        assert_eq!(ran.code, Some(3), "{}", ran.all());
        assert!(ran.stderr.contains(want), "{}", ran.all());
    }
    done(&witness(&door, &["add", "a", "git:project#refs/witness/gate"]));
    done(&witness(&door, &["push"]));
    assert_eq!(run(&["status", "--porcelain"]), "");
    assert_eq!(run(&["rev-list", "--count", "refs/witness/gate"]), "1");
    assert!(!door.path("ran").exists());
    // A folder inside of a repository is not the repository.
    fs::create_dir(door.path("project/inside")).unwrap();
    let ran = witness(&door, &["add", "b", "git:project/inside#gate"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
}

/// A witness that keeps its own memory, and believes proofs only.
struct Server {
    address: String,
    key: WitnessKey,
    seen: Arc<Mutex<(u64, Hash)>>,
}

impl Server {
    /// A witness that knows one log.
    fn start(log: VerifierKey) -> Self {
        Self::start_over("http", log, |stream, talk| talk(&mut &stream))
    }

    /// The same over a connection that somebody makes of a plain one.
    fn start_over(
        scheme: &str,
        log: VerifierKey,
        over: impl Fn(TcpStream, Talk<'_>) + Send + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let host = if scheme == "http" { "127.0.0.1" } else { "localhost" };
        let address = format!("{scheme}://{host}:{port}/w/");
        let signer = SigningKey::from_bytes(&[3; 32]);
        let key = witness_key(&signer);
        let seen = Arc::new(Mutex::new((0, Hash::of_nothing())));
        let (memory, public) = (Arc::clone(&seen), key.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                over(stream.unwrap(), &mut |stream| answer(stream, &log, &signer, &public, &memory));
            }
        });
        Self { address, key, seen }
    }

    fn seen(&self) -> u64 {
        self.seen.lock().unwrap().0
    }
}

/// A connection of whatever kind.
trait Stream: Read + Write {}

impl<T: Read + Write> Stream for T {}

/// What is said on it.
type Talk<'t> = &'t mut dyn FnMut(&mut dyn Stream);

fn witness_key(signer: &SigningKey) -> WitnessKey {
    let name = "witness.example/w";
    let typed = [&[4], signer.verifying_key().as_bytes().as_slice()].concat();
    let hash = sha2::Sha256::digest([format!("{name}\n").as_bytes(), &typed].concat());
    format!("{name}+{}+{}", HEXLOWER.encode(&hash[..4]), BASE64.encode(&typed)).parse().unwrap()
}

fn answer(
    stream: &mut dyn Stream,
    log: &VerifierKey,
    signer: &SigningKey,
    public: &WitnessKey,
    memory: &Mutex<(u64, Hash)>,
) {
    let mut reader = BufReader::new(&mut *stream);
    let (mut head, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        // Whoever does not trust the server says nothing to it.
        if reader.read_line(&mut line).is_err() {
            return;
        }
        let line = line.trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.to_lowercase().strip_prefix("content-length: ") {
            length = number.parse().unwrap();
        }
        head.push(line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let known = head.first().is_some_and(|line| line == "POST /w/add-checkpoint HTTP/1.1");
    let (status, body) = if known { judge(&body, log, signer, public, memory) } else { (405, String::new()) };
    let kind = if status == 409 { "text/x.tlog.size" } else { "text/plain" };
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
}

/// The rules of C2SP tlog-witness, in their order.
fn judge(
    body: &[u8],
    log: &VerifierKey,
    signer: &SigningKey,
    public: &WitnessKey,
    memory: &Mutex<(u64, Hash)>,
) -> (u16, String) {
    let text = str::from_utf8(body).unwrap();
    let (lines, note) = text.split_once("\n\n").unwrap();
    let mut lines = lines.lines();
    let old: u64 = lines.next().unwrap().strip_prefix("old ").unwrap().parse().unwrap();
    let proof: Vec<Hash> = lines.map(|line| Hash::from_base64(line).unwrap()).collect();
    let note = SignedNote::parse(note.as_bytes()).unwrap();
    let said: Checkpoint = note.text().parse().unwrap();
    if said.origin() != log.name() {
        return (404, String::new());
    }
    let Ok(checkpoint) = Checkpoint::of_note(&note, log) else { return (403, String::new()) };
    if old > checkpoint.size() {
        return (400, String::new());
    }
    let mut seen = memory.lock().unwrap();
    let (size, root) = *seen;
    if old != size || (old == checkpoint.size() && root != checkpoint.root()) {
        return (409, format!("{size}\n"));
    }
    let now = (checkpoint.size(), checkpoint.root());
    if check_consistency((size, root), now, &proof).is_err() {
        return (422, String::new());
    }
    *seen = now;
    let time = 1_800_000_000_u64;
    let signature = signer.sign(message(time, note.text()).as_bytes()).to_bytes();
    let bytes = [time.to_be_bytes().as_slice(), &signature].concat();
    let line = Signature { name: public.name().clone(), key_hash: public.hash(), bytes };
    (200, format!("{line}\n"))
}

#[test]
fn a_server_cosigns_what_follows_from_what_it_has_seen() {
    let door = with_calls();
    let server = Server::start(key(&door));
    let key_text = server.key.to_string();
    let add = |name: &str| witness(&door, &["add", name, &server.address, "--key", &key_text]);
    done(&add("public"));
    done(&witness(&door, &["push"]));
    let first = server.seen();
    fill(&door, vec![moment("2026-02-09T00:00:00Z"); 300]);
    done(&witness(&door, &["push"]));
    assert!(server.seen() > first + 300);
    let listed = witness(&door, &["list", "--format", "json"]).json();
    let note = listed["witnesses"][0]["note"].as_str().unwrap();
    let note = SignedNote::parse(note.as_bytes()).unwrap();
    assert_eq!(server.key.cosigned(&note), Ok(1_800_000_000));
    assert!(Checkpoint::of_note(&note, &key(&door)).is_ok(), "and the ledger has signed it");
    // A gate that has forgotten what the server has seen is told, and proves it from there.
    done(&witness(&door, &["remove", "public"]));
    done(&add("again"));
    let before = server.seen();
    done(&witness(&door, &["push"]));
    assert!(server.seen() > before);
}

#[test]
fn a_server_exposes_a_ledger_that_was_put_back_whatever_the_gate_remembers() {
    let door = with_calls();
    let server = Server::start(key(&door));
    let add = || witness(&door, &["add", "public", &server.address]);
    done(&add());
    done(&witness(&door, &["add", "backup", "file:kept"]));
    let backup = Backup::of(&door);
    fill(&door, vec![moment("2026-02-09T00:00:00Z"); 5]);
    done(&witness(&door, &["push", "public"]));
    let seen = server.seen();
    backup.put_back();
    refused(&witness(&door, &["push"]), "truncated or rolled back");
    fs::remove_file(door.path(".toolgate/ledger/witnesses.toml")).unwrap();
    done(&add());
    done(&witness(&door, &["add", "backup", "file:kept"]));
    refused(&witness(&door, &["push"]), &format!("has seen {seen} entries"));
    fill(&door, vec![moment("2026-02-10T00:00:00Z"); 20]);
    refused(&witness(&door, &["push"]), "has seen other entries");
    assert_eq!(server.seen(), seen);
    assert!(!door.path("kept").exists(), "what a server objects to is given to nobody else");
}

#[test]
fn an_answer_that_the_witness_has_not_signed_is_no_cosignature() {
    let door = with_calls();
    let server = Server::start(key(&door));
    let other = witness_key(&SigningKey::from_bytes(&[9; 32])).to_string();
    done(&witness(&door, &["add", "public", &server.address, "--key", &other]));
    refused(&witness(&door, &["push"]), "has no signature of `witness.example/w");
    let nobody = witness(&door, &["add", "gone", "http://127.0.0.1:1/"]);
    done(&nobody);
    let ran = witness(&door, &["push", "gone"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    // A server that watches another log.
    let elsewhere = Server::start(key(&with_calls()));
    done(&witness(&door, &["add", "elsewhere", &elsewhere.address]));
    let ran = witness(&door, &["push", "elsewhere"]);
    assert_eq!(ran.code, Some(3), "{}", ran.all());
    assert!(ran.stderr.contains("does not know this ledger"), "{}", ran.all());
    let query = door.run(&["ledger", "query", "--event", "checkpoint_witnessed"]);
    assert_eq!(query.stdout, "", "nobody has witnessed anything");
}
