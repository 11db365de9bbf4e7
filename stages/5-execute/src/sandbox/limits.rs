//! How far a run goes: what was asked for, within the walls.

use std::time::Duration;

use call::{Confinement, Run};
use lanes::Limits;

/// Where neither call nor policy says more: seconds, megabytes, processors.
const USUAL_SECONDS: u32 = 30;
const USUAL_MEGABYTES: u32 = 512;
const USUAL_PROCESSORS: u32 = 1;

/// No run of a tool is longer.
const MOST_SECONDS: u32 = 60;

const MEGABYTE: u64 = 1024 * 1024;

pub(super) fn time(run: &Run, walls: &Confinement) -> Duration {
    let asked = run.limits.time_limit_sec.unwrap_or(USUAL_SECONDS);
    let seconds = walls.max_runtime_seconds.map_or(asked, |walls| walls.min(asked));
    Duration::from_secs(seconds.clamp(1, MOST_SECONDS).into())
}

pub(super) fn memory(run: &Run, walls: &Confinement) -> u64 {
    let asked = run.limits.memory_limit_mb.unwrap_or(USUAL_MEGABYTES);
    u64::from(walls.memory_limit_mb.map_or(asked, |walls| walls.min(asked))) * MEGABYTE
}

/// Bytes of output.
pub(super) fn output(walls: &Confinement) -> u64 {
    u64::from(walls.run.output_kb) * 1024
}

pub(super) fn of_job(run: &Run, walls: &Confinement) -> Limits {
    Limits {
        time: time(run, walls),
        memory: memory(run, walls),
        cpus: f64::from(run.limits.cpu_limit.unwrap_or(USUAL_PROCESSORS)),
        processes: walls.run.processes,
        disk: u64::from(walls.run.disk_mb) * MEGABYTE,
        files: walls.run.files,
        output: output(walls),
    }
}
