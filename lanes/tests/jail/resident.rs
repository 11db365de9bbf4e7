//! Programs that stay: they work in the folders that they are given, see nothing else, and go with whoever
//! started them.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lanes::runtime::{Origin, Surroundings};
use lanes::{LaneError, Limits, Network, Residence, Resident};
use tempfile::TempDir;

use crate::kit::{LIMITS, jail};

/// Answers each line, which is Python, with what it gives.
const ANSWERING: &str = r#"
import os, socket, stat, subprocess, sys
print("ready", file=sys.stderr, flush=True)
for line in sys.stdin:
    try:
        print(eval(line), flush=True)
    except BaseException as error:
        print(type(error).__name__, flush=True)
"#;

fn search() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap()).collect()
}

fn origin(argv: &[&str], folder: &Path) -> Result<Origin, LaneError> {
    let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
    Origin::of(&argv, Surroundings { search: &search(), folder, user: None })
}

fn residence(folder: &Path, argv: &[&str]) -> Residence {
    let Origin { program, arguments, made_of, environment } = origin(argv, folder).unwrap();
    Residence {
        program,
        arguments,
        folder: folder.to_owned(),
        made_of,
        read: vec![folder.to_owned()],
        write: Vec::new(),
        hidden: Vec::new(),
        environment,
        limits: LIMITS,
        network: Network::None,
    }
}

struct Talk {
    resident: Resident,
    input: File,
    output: BufReader<File>,
}

impl Talk {
    fn with(residence: Residence) -> Self {
        let mut resident = jail().house(residence).unwrap();
        let (input, output) = resident.take_pipes().unwrap();
        Self { resident, input: input.into(), output: BufReader::new(output.into()) }
    }

    fn ask(&mut self, question: &str) -> String {
        writeln!(self.input, "{question}").unwrap();
        let mut answer = String::new();
        if self.output.read_line(&mut answer).unwrap() == 0 {
            println!("{:?} {}", self.resident.ended(), self.resident.last_words());
        }
        answer.trim_end().to_owned()
    }
}

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["work", "other", "work/secret", "work/server"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        for (name, text) in
            [("work/note", "hello"), ("work/.env", "KEY=1"), ("work/secret/key", "k"), ("other/file", "x")]
        {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::fs::write(folder.path().join("work/server/main.py"), ANSWERING).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    fn residence(&self) -> Residence {
        residence(&self.path("work"), &["python3", "server/main.py"])
    }
}

#[test]
fn it_reads_its_folder_and_nothing_beside_it() {
    let place = Place::new();
    let mut talk = Talk::with(place.residence());
    assert_eq!(talk.ask("open('note').read()"), "hello");
    let other = place.path("other/file");
    assert_eq!(talk.ask(&format!("open({other:?}).read()")), "FileNotFoundError");
    assert_eq!(talk.ask("open('/etc/shadow').read()"), "FileNotFoundError");
    assert_eq!(talk.ask("open('note', 'w')"), "OSError", "the folder is to be read");
    assert_eq!(talk.ask("os.path.exists('/root/.ssh') or os.path.exists('/sys')"), "False");
    assert_eq!(talk.ask("sorted(os.environ)[0:3]"), "['HOME', 'LANG', 'PATH']");
    assert_eq!(talk.ask("os.getuid()"), "1000");
    let layers = talk.resident.layers();
    for layer in ["private_root", "seccomp", "no_capabilities"] {
        assert!(layers.iter().any(|one| one == layer), "{layers:?}");
    }
    assert_eq!(talk.resident.last_words(), "ready\n");
}

#[test]
fn it_writes_where_it_may_and_leaves_nothing_with_more_rights() {
    let place = Place::new();
    let mut residence = place.residence();
    residence.write = residence.read.split_off(0);
    let mut talk = Talk::with(residence);
    assert_eq!(talk.ask("open('new', 'w').write('abc')"), "3");
    assert_eq!(std::fs::read_to_string(place.path("work/new")).unwrap(), "abc");
    assert_eq!(talk.ask("os.rename('new', 'secret/new')"), "None");
    for asked in [
        "os.chmod('note', 0o4755)",
        "os.chmod('note', 0o2755)",
        "os.close(os.open('setuid', os.O_CREAT | os.O_WRONLY, 0o4755))",
        "os.mknod('setuid', 0o4755 | stat.S_IFREG)",
        "socket.socket(socket.AF_UNIX)",
    ] {
        assert_eq!(talk.ask(asked), "PermissionError", "{asked}");
    }
    assert_eq!(talk.ask("os.chmod('note', 0o755)"), "None");
    let mode = std::fs::metadata(place.path("work/note")).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
    assert_eq!(talk.ask("socket.socketpair()[0].fileno() > 0"), "True", "pairs have no name");
}

#[test]
fn what_is_covered_is_not_seen_and_cannot_be_uncovered() {
    let place = Place::new();
    let mut residence = place.residence();
    residence.write = residence.read.split_off(0);
    residence.hidden = vec![place.path("work/secret"), place.path("work/.env"), place.path("work/absent")];
    let mut talk = Talk::with(residence);
    for asked in [
        "open('.env').read()",
        "os.listdir('secret')",
        "open('secret/key').read()",
        "open('secret/new', 'w')",
        "open('.env', 'w')",
    ] {
        assert_eq!(talk.ask(asked), "PermissionError", "{asked}");
    }
    for asked in ["os.rename('secret', 'open')", "os.unlink('.env')"] {
        assert_eq!(talk.ask(asked), "OSError", "{asked}");
    }
    assert_eq!(talk.ask("open('note').read()"), "hello");
    drop(talk);
    assert_eq!(std::fs::read_to_string(place.path("work/.env")).unwrap(), "KEY=1");
    assert_eq!(std::fs::read_to_string(place.path("work/secret/key")).unwrap(), "k");
}

#[test]
fn nobody_of_it_is_left_when_it_is_not_wanted_any_more() {
    let place = Place::new();
    let mut residence = place.residence();
    residence.write = residence.read.split_off(0);
    let mut talk = Talk::with(residence);
    let beat = "subprocess.Popen(['sh', '-c', 'x']) if False else os.fork() or \
                [open('beat', 'a').write('x') for _ in iter(int, 1) if not __import__('time').sleep(0.02)]";
    assert!(talk.ask(beat).parse::<u32>().is_ok());
    let beats = || std::fs::metadata(place.path("work/beat")).map_or(0, |kind| kind.len());
    let begun = Instant::now();
    while beats() == 0 && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(beats() > 0);
    let Talk { resident, input: _input, output } = talk;
    drop(resident);
    // The pipe ends when the last of them is gone.
    assert!(output.lines().all(|line| line.is_ok()));
    let then = beats();
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(beats(), then);
}

#[test]
fn one_that_takes_too_much_memory_is_ended() {
    let place = Place::new();
    let mut residence = place.residence();
    residence.limits = Limits { memory: 64 << 20, ..LIMITS };
    let mut talk = Talk::with(residence);
    assert_eq!(talk.ask("len(b'x' * (400 << 20)) and __import__('time').sleep(30)"), "");
    let begun = Instant::now();
    while talk.resident.ended().is_none() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(talk.resident.ended().as_deref(), Some("it was ended: memory_limit"));
}

#[test]
fn the_machine_itself_is_no_folder_to_work_in() {
    let place = Place::new();
    for folder in ["/", "/proc", "/dev", "/proc/self/root", "/no/such/folder"] {
        let mut residence = place.residence();
        residence.read.push(folder.into());
        assert!(matches!(jail().house(residence), Err(LaneError::BadJob(_))), "{folder}");
    }
}

#[test]
fn what_a_command_starts_is_found_and_nothing_is_fetched() {
    let place = Place::new();
    let work = place.path("work");
    let package = work.join("node_modules/@scope/server");
    std::fs::create_dir_all(package.join("dist")).unwrap();
    std::fs::write(package.join("package.json"), r#"{"version":"1.2.3","bin":{"s":"dist/index.js"}}"#)
        .unwrap();
    std::fs::write(package.join("dist/index.js"), "#!/usr/bin/env node\nconsole.log(process.argv[2])\n")
        .unwrap();
    let found = origin(&["npx", "-y", "@scope/server@1.2.3", "."], &work).unwrap();
    assert!(found.program.ends_with("node"), "{found:?}");
    assert_eq!(found.arguments, [package.join("dist/index.js").to_str().unwrap(), "."]);
    assert!(found.made_of.contains(&work.join("node_modules")), "{found:?}");
    let mut talk = Talk::with(residence(&work, &["npx", "@scope/server", "hello"]));
    let mut line = String::new();
    talk.output.read_line(&mut line).unwrap();
    assert_eq!(line, "hello\n");
    for (argv, want) in [
        (&["npx", "@scope/server@9.9.9"][..], "npm install"),
        (&["npx", "no-such-server"], "npm install"),
        (&["npx", "-c", "ls"], "not known here"),
        (&["uvx", "mcp-server-git"], "could be found"),
        (&["uv", "run", "server.py"], "virtual environment"),
        (&["docker", "run", "server"], "where no wall"),
        (&["no-such-program"], "no program"),
        (&["./note"], "no program"),
    ] {
        let error = origin(argv, &work).unwrap_err().to_string();
        assert!(error.contains(want), "{argv:?}: {error}");
    }
}
