//! The disk with a job: the plan for the helper inside, standard input, and the limits.

use std::io::Write as _;
use std::os::fd::OwnedFd;

use helper::answer::{Job as Told, UNIT};

use crate::jail::image;
use crate::jail::world::World;
use crate::{Job, LaneError};

/// The helper's monitor and first process are in the group of the program too.
const OURS: u64 = 2;

/// A disk that nobody changes any more, and how many bytes it has.
pub(crate) fn write(world: World, job: &Job, processors: u32) -> Result<(OwnedFd, u64), LaneError> {
    let limits = &job.limits;
    let files = world.files.0;
    let written = image::written(false, |file| {
        let plan = world.plan.write(file)?;
        file.write_all(&job.stdin)?;
        let input = job.stdin.len() as u64;
        let behind = plan + input;
        let padding = behind.next_multiple_of(UNIT as u64) - behind;
        file.write_all(&vec![0; usize::try_from(padding).unwrap_or_default()])?;
        let told = Told {
            plan,
            input,
            time: u64::try_from(limits.time.as_millis()).unwrap_or(u64::MAX),
            memory: limits.memory,
            memory_and_files: limits.memory.saturating_add(files),
            processes: u64::from(limits.processes) + OURS,
            quota: if limits.cpus < f64::from(processors) {
                (limits.cpus * 100_000.0).max(1_000.0).round() as u64
            } else {
                0
            },
            output: limits.output,
            disk: limits.disk,
        };
        file.write_all(&told.bytes())?;
        Ok(behind + padding + UNIT as u64)
    });
    written.map_err(|error| LaneError::failed("the disk with the job", error))
}
