//! Calls that may run, for tests: everything that an errand borrows, in one place.

use std::sync::atomic::AtomicBool;

use call::{
    Actor, Arguments, CallContext, Confinement, Effect, Effects, Errand, Expected, Judge, Lane, Moment,
    Reason, RunCaps, SkillChain, ToolName,
};

/// A call that may run.
pub(crate) struct Asked {
    pub(crate) tool: ToolName,
    pub(crate) arguments: Arguments,
    pub(crate) actor: Actor,
    pub(crate) effects: Effects,
    pub(crate) walls: Confinement,
    pub(crate) expected: Option<Expected>,
    pub(crate) judge: Box<dyn Judge>,
    pub(crate) now: Moment,
    pub(crate) cancelled: AtomicBool,
}

/// Allows everything.
struct Anything;

impl Judge for Anything {
    fn allows(&self, _: &Effect) -> Result<(), Reason> {
        Ok(())
    }
}

impl Asked {
    pub(crate) fn new(tool: &str, arguments: &serde_json::Value, effects: Vec<Effect>) -> Self {
        Self {
            tool: tool.parse().unwrap(),
            arguments: arguments.to_string().parse().unwrap(),
            actor: Actor {
                agent: "ada".parse().unwrap(),
                session: "session-1".parse().unwrap(),
                skills: SkillChain::default(),
                context: CallContext::Operator,
            },
            effects: Effects::new(effects),
            walls: walls(None),
            expected: None,
            judge: Box::new(Anything),
            now: moment("2026-02-09T16:05:01Z"),
            cancelled: AtomicBool::new(false),
        }
    }

    pub(crate) fn errand(&self) -> Errand<'_> {
        Errand {
            tool: &self.tool,
            arguments: &self.arguments,
            actor: &self.actor,
            effects: &self.effects,
            walls: &self.walls,
            expected: self.expected.as_ref(),
            judge: &*self.judge,
            now: self.now,
            cancelled: &self.cancelled,
        }
    }
}

pub(crate) fn walls(lane: Option<Lane>) -> Confinement {
    Confinement {
        max_file_chars: 8_000,
        lane,
        sandbox_required: false,
        max_runtime_seconds: None,
        memory_limit_mb: None,
        run: RunCaps { disk_mb: 64, files: 256, processes: 64, output_kb: 64 },
        max_files_written: None,
        max_bytes_written: None,
        max_calls_per_minute: None,
        max_concurrent: None,
    }
}

pub(crate) fn moment(text: &str) -> Moment {
    text.parse().unwrap()
}
