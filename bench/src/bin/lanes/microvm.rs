//! From nothing to the end of a program in a machine of its own, beside QEMU alone with the same kernel,
//! image and job; and what grows over many runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use call::Language;
use lanes::{Job, Lane as _, Limits, MicroVm, Network, Program};
use tempfile::TempDir;

use crate::told;

pub(crate) fn measure(smoke: bool) -> Result<String, String> {
    let rounds = if smoke { 2 } else { 50 };
    // Where the tests keep them too.
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let cache = std::path::absolute(Path::new(&target).join("tmp/microvm")).map_err(told)?;
    let machines = MicroVm::new(cache.clone(), ["/usr/bin", "/usr/local/bin"].map(Into::into).to_vec());
    let has_python = machines.languages().is_ok_and(|all| all.iter().any(|(name, _)| name == "python"));
    if !has_python {
        machines.build(&[Language::Python], &mut |said| eprintln!("{said}")).map_err(told)?;
    }
    let (mut lane, mut bare) = (Vec::new(), Vec::new());
    let mut layers = Vec::new();
    let mut before = None;
    for round in 0..=rounds {
        let folder = TempDir::new().map_err(told)?;
        let start = Instant::now();
        let ran = machines.run(&job(), folder.path()).map_err(told)?;
        let took = start.elapsed();
        if ran.ending.code != 0 {
            return Err(format!("it ended with {:?}", ran.ending));
        }
        layers = ran.layers;
        // The first round warms everybody up.
        if round == 0 {
            before = Some(held(&cache)?);
            continue;
        }
        lane.push(took);
        // Half as often: its median needs fewer rounds than growth does.
        if round % 2 == 0 {
            let words = machines.bare(&job(), folder.path()).map_err(told)?;
            let start = Instant::now();
            alone(&words)?;
            bare.push(start.elapsed());
            let answer = std::fs::metadata(folder.path().join("answer")).map_err(told)?;
            if answer.len() < 64 {
                return Err("QEMU alone did not run the program".to_owned());
            }
        }
    }
    let after = held(&cache)?;
    let before = before.unwrap_or_default();
    let (lane, bare) = (median(lane), median(bare));
    let machine = layers.iter().find(|layer| layer.starts_with("machine:")).cloned().unwrap_or_default();
    Ok(format!(
        "\n## Machines of their own\n\nFrom nothing to the end of `python3` with an empty program and of every trace of it, \
         {rounds} rounds (half as many of QEMU alone), medians, `{machine}`. QEMU alone has the same kernel, image and job, and \
         no jail around it.\n\n| lane | QEMU alone | ratio |\n|---:|---:|---:|\n| {:.2} s | {:.2} s | {:.2} |\n\n\
         Over those rounds the gate's process grew by {} KB of memory, {} descriptors and {} children; the cache by {} files.\n",
        lane.as_secs_f64(),
        bare.as_secs_f64(),
        lane.as_secs_f64() / bare.as_secs_f64(),
        after.memory.saturating_sub(before.memory) / 1024,
        after.descriptors.saturating_sub(before.descriptors),
        after.children.saturating_sub(before.children),
        after.files.saturating_sub(before.files),
    ))
}

fn job() -> Job {
    Job {
        language: Language::Python,
        program: Program::Code("pass".to_owned()),
        inputs: Vec::new(),
        stdin: Vec::new(),
        environment: Vec::new(),
        limits: Limits {
            time: Duration::from_secs(60),
            memory: 256 << 20,
            cpus: 1.0,
            processes: 32,
            disk: 16 << 20,
            files: 64,
            output: 65_536,
        },
        network: Network::None,
        cancelled: Arc::new(AtomicBool::new(false)),
    }
}

fn alone(words: &[String]) -> Result<(), String> {
    let (program, arguments) = words.split_first().ok_or("there are no words")?;
    let mut command = Command::new(program);
    let done = command.args(arguments).stdin(Stdio::null()).output().map_err(told)?;
    if done.status.success() {
        Ok(())
    } else {
        Err(format!("{program}: {}", String::from_utf8_lossy(&done.stderr)))
    }
}

/// What this process has.
#[derive(Default)]
struct Held {
    memory: u64,
    descriptors: usize,
    children: usize,
    files: usize,
}

fn held(cache: &Path) -> Result<Held, String> {
    let count = |folder: PathBuf| Ok::<_, String>(std::fs::read_dir(folder).map_err(told)?.count());
    let text = std::fs::read_to_string("/proc/self/statm").map_err(told)?;
    let pages = text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0);
    let own = std::process::id();
    let children = std::fs::read_to_string(format!("/proc/{own}/task/{own}/children")).unwrap_or_default();
    Ok(Held {
        memory: pages * 4_096,
        descriptors: count("/proc/self/fd".into())?,
        children: children.split_whitespace().count(),
        files: count(cache.to_owned())?,
    })
}

fn median(mut figures: Vec<Duration>) -> Duration {
    figures.sort_unstable();
    figures.get(figures.len() / 2).copied().unwrap_or_default()
}
