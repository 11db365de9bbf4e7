//! From nothing to the end of a program in the jail, beside `bwrap` with the same namespaces.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use call::Language;
use lanes::runtime::Runtime;
use lanes::{Jail, Job, Lane as _, Limits, Network, Program};
use tempfile::TempDir;

use crate::told;

/// One program, by one way to start it: milliseconds of each round.
struct Side {
    name: &'static str,
    rounds: Vec<f64>,
}

pub(crate) fn measure(smoke: bool) -> Result<String, String> {
    let rounds = if smoke { 3 } else { 200 };
    let folder = TempDir::new().map_err(told)?;
    let jail = Jail::new(["/usr/local/bin", "/usr/bin"].map(Into::into).to_vec());
    let nothing = Runtime::of_program(Path::new("/bin/true")).map_err(told)?;
    let python = jail.runtime(Language::Python).map_err(told)?.program;
    let python = python.to_str().ok_or("the path of Python is no text")?;
    let mut text = format!(
        "\n## The jail\n\nFrom nothing to the end of the program and of every trace of it, {rounds} rounds in turns, medians. `bwrap` \
         has the same namespaces, `/usr` read only, `/proc`, `/dev` and a `/tmp`; it has no Landlock, no list of system \
         calls, no limits and collects nothing. `without groups` is what a user gets who may make no control groups.\n\n\
         | program | jail | jail, without groups | `bwrap` | bare | jail / `bwrap` | without groups / `bwrap` |\n\
         |---|---:|---:|---:|---:|---:|---:|\n"
    );
    for (shown, words) in
        [("`/bin/true`", vec!["/bin/true"]), ("`python3 -c pass`", vec![python, "-c", "pass"])]
    {
        let is_nothing = words.len() == 1;
        let program = |jail: &Jail| {
            let job = job(&words);
            let ran = if is_nothing {
                jail.run_program(&nothing, &job, folder.path())
            } else {
                jail.run(&job, folder.path())
            };
            let ending = ran.map_err(told)?.ending;
            if ending.code == 0 { Ok(()) } else { Err(format!("it ended with {ending:?}")) }
        };
        let without = Jail::new(["/usr/local/bin", "/usr/bin"].map(Into::into).to_vec()).without_groups();
        let mut sides =
            ["jail", "without groups", "bwrap", "bare"].map(|name| Side { name, rounds: Vec::new() });
        for round in 0..=rounds {
            for side in &mut sides {
                let start = Instant::now();
                match side.name {
                    "jail" => program(&jail)?,
                    "without groups" => program(&without)?,
                    "bwrap" => started(bwrap(&words))?,
                    _ => started(bare(&words))?,
                }
                // The first round warms everybody up.
                if round > 0 {
                    side.rounds.push(start.elapsed().as_secs_f64() * 1e3);
                }
            }
        }
        let [jailed, without, bwrap, bare] = sides.map(|side| median(side.rounds));
        let _ = writeln!(
            text,
            "| {shown} | {jailed:.2} ms | {without:.2} ms | {bwrap:.2} ms | {bare:.2} ms | {:.2} | {:.2} |",
            jailed / bwrap,
            without / bwrap
        );
    }
    Ok(text)
}

fn job(words: &[&str]) -> Job {
    Job {
        language: Language::Python,
        program: Program::Arguments(words.iter().map(|&word| word.to_owned()).collect()),
        inputs: Vec::new(),
        stdin: Vec::new(),
        environment: Vec::new(),
        limits: Limits {
            time: Duration::from_secs(30),
            memory: 256 << 20,
            cpus: 2.0,
            processes: 32,
            disk: 16 << 20,
            files: 64,
            output: 65_536,
        },
        network: Network::None,
        cancelled: Arc::new(AtomicBool::new(false)),
    }
}

fn bwrap(words: &[&str]) -> Command {
    let mut command = Command::new("bwrap");
    command.args([
        "--ro-bind",
        "/usr",
        "/usr",
        "--symlink",
        "usr/lib",
        "/lib",
        "--symlink",
        "usr/lib64",
        "/lib64",
    ]);
    command.args(["--symlink", "usr/bin", "/bin", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]);
    command.args(["--unshare-all", "--die-with-parent", "--new-session"]).args(words);
    command
}

fn bare(words: &[&str]) -> Command {
    let mut command = Command::new(words.first().copied().unwrap_or_default());
    command.args(words.iter().skip(1));
    command
}

fn started(mut command: Command) -> Result<(), String> {
    let done = command.env_clear().env("PATH", "/usr/bin:/bin").stdin(Stdio::null()).output();
    let done =
        done.map_err(|error| format!("{command:?}: {error}; `apt-get install bubblewrap` provides it"))?;
    if done.status.success() {
        Ok(())
    } else {
        Err(format!("{command:?}: {}", String::from_utf8_lossy(&done.stderr)))
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
