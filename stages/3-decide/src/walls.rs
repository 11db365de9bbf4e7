//! The terms of a permission.

use call::{Confinement, Effect, Lane, Program, Run};

use crate::home::Home;
use crate::skill::Skill;

/// Seconds and megabytes of a run that asks for nothing.
const DEFAULT_SECONDS: u32 = 30;
const DEFAULT_MEGABYTES: u32 = 512;

/// The lane that code would run in, or why there is none.
pub(crate) fn lane(run: &Run, home: &Home) -> Result<Lane, String> {
    let fits_monty = matches!(&run.program, Program::Code { language, .. } if language == "python")
        && run.inputs == 0
        && run.environment.is_empty()
        && !run.network;
    match run.lane {
        Some(Lane::Monty) if fits_monty => Ok(Lane::Monty),
        Some(Lane::Monty) => {
            Err("the lane `monty` runs Python code without files, variables and network only".to_owned())
        }
        // A weaker lane than the minimum is refused by a rule, so that the refusal names it.
        Some(asked) => Ok(asked),
        None if fits_monty => Ok(Lane::Monty),
        // Whatever the minimum is, what does not fit `monty` runs in no such lane.
        None => Ok(home.lanes.minimum.max(Lane::Jail)),
    }
}

/// The walls around a call that home and skills allow: of every limit the smallest.
pub(crate) fn walls(home: &Home, skills: &[&Skill], effects: &[&Effect]) -> Confinement {
    let least = |limit: fn(&Skill) -> Option<u64>| skills.iter().filter_map(|skill| limit(skill)).min();
    let least_small = |limit: fn(&Skill) -> Option<u32>| skills.iter().filter_map(|skill| limit(skill)).min();
    let run = effects.iter().find_map(|effect| match effect {
        Effect::Run(run) => Some(run),
        Effect::Read { .. }
        | Effect::Write { .. }
        | Effect::Delete { .. }
        | Effect::Network(_)
        | Effect::Secret { .. }
        | Effect::Query(_)
        | Effect::Memory(_)
        | Effect::Repository(_)
        | Effect::Status
        | Effect::Nothing
        | Effect::Unknown { .. } => None,
    });
    let asked_seconds = run.map(|run| run.limits.time_limit_sec.unwrap_or(DEFAULT_SECONDS));
    let skill_seconds = least_small(|skill| Some(skill.limits.max_runtime_seconds));
    Confinement {
        max_file_chars: home.max_file_chars,
        lane: run.and_then(|run| lane(run, home).ok()),
        sandbox_required: skills.iter().any(|skill| skill.limits.sandbox_required),
        max_runtime_seconds: asked_seconds.into_iter().chain(skill_seconds).min(),
        memory_limit_mb: run.map(|run| run.limits.memory_limit_mb.unwrap_or(DEFAULT_MEGABYTES)),
        run: home.lanes.caps,
        max_files_written: least(|skill| Some(skill.limits.max_files_written)),
        max_bytes_written: least(|skill| Some(skill.limits.max_bytes_written)),
        max_calls_per_minute: least_small(|skill| skill.limits.max_calls_per_minute),
        max_concurrent: least_small(|skill| skill.limits.max_concurrent),
    }
}
