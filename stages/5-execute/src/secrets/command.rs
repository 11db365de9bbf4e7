//! Credentials that a program prints.
//!
//! The program is started without a shell and knows nothing of the gate's environment but where programs and
//! the user's own files are. What it says to its standard errors is dropped: it may hold the credential.

use std::ffi::OsString;
use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use secrecy::zeroize::Zeroizing;

use super::{LARGEST, Surroundings, assigned};

/// How long a program may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often one looks whether it has ended.
const TICK: Duration = Duration::from_millis(5);

/// Where the name goes.
const NAME: &str = "{name}";

/// Variables that a program of the operator's needs to find its things.
const NEEDED: [&str; 2] = ["PATH", "HOME"];

pub(super) fn ask(argv: &[String], name: &str, around: &Surroundings) -> Result<Zeroizing<Vec<u8>>, String> {
    check(name)?;
    let named = argv.iter().any(|word| word.contains(NAME));
    let words: Vec<String> = argv.iter().map(|word| word.replace(NAME, name)).collect();
    let printed = run(&words, around, &NEEDED, PATIENCE)?;
    let value = if named { whole(&printed) } else { assigned::named(&printed, name) };
    value.ok_or_else(|| "its program printed nothing of that name".to_owned())
}

/// A name that is put into an argument must not be an option, and must not climb.
pub(super) fn check(name: &str) -> Result<(), String> {
    let odd = |part: &str| part.is_empty() || part == "." || part == "..";
    if name.starts_with('-') || name.split('/').any(odd) {
        return Err("it begins with `-` or has an empty, `.` or `..` part".to_owned());
    }
    Ok(())
}

/// All that was printed, without the end of the last line.
pub(super) fn whole(printed: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let value = printed.strip_suffix(b"\n").unwrap_or(printed);
    let value = value.strip_suffix(b"\r").unwrap_or(value);
    (!value.is_empty()).then(|| Zeroizing::new(value.to_vec()))
}

/// What a program prints, if it ends well and in time.
pub(super) fn run(
    words: &[String],
    around: &Surroundings,
    needed: &[&str],
    patience: Duration,
) -> Result<Zeroizing<Vec<u8>>, String> {
    let Some((program, arguments)) = words.split_first() else {
        return Err("its `argv` is empty".to_owned());
    };
    let environment: Vec<(&str, OsString)> =
        needed.iter().filter_map(|&name| Some((name, (around.variable)(name)?))).collect();
    let mut child = Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(environment)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|error| format!("its program `{program}` cannot be started: {}", error.kind()))?;
    let ended = watch(&mut child, patience);
    end(&mut child);
    ended.map_err(|why| format!("its program `{program}` {why}"))
}

fn watch(child: &mut Child, patience: Duration) -> Result<Zeroizing<Vec<u8>>, String> {
    let deadline = Instant::now() + patience;
    let late = || format!("did not end within {} s", patience.as_secs());
    let mut stdout = child.stdout.take().ok_or_else(|| "has no output".to_owned())?;
    let (tell, told) = channel();
    let reader = std::thread::Builder::new().name("secret-reader".to_owned());
    reader
        .spawn(move || {
            let mut printed = Zeroizing::new(Vec::with_capacity(4_096));
            let read = stdout.by_ref().take(LARGEST as u64 + 1).read_to_end(&mut printed);
            // Nobody listens any more when it took too long.
            let _ = tell.send(read.map(|_| printed));
        })
        .map_err(|error| format!("cannot be listened to: {}", error.kind()))?;
    let printed = told.recv_timeout(patience).map_err(|_| late())?;
    let printed = printed.map_err(|error| format!("cannot be listened to: {}", error.kind()))?;
    if printed.len() > LARGEST {
        return Err(format!("printed more than {LARGEST} bytes"));
    }
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(printed),
            Ok(Some(status)) => return Err(format!("failed ({status})")),
            Ok(None) if Instant::now() >= deadline => return Err(late()),
            Ok(None) => std::thread::sleep(TICK),
            Err(error) => return Err(format!("cannot be waited for: {}", error.kind())),
        }
    }
}

/// Ends the program and whatever it started.
fn end(child: &mut Child) {
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It may be gone already, and that is all that is wanted.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.wait();
}
