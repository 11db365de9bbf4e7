//! The terms of a permission: how far it goes.

use serde::Serialize;

use crate::Lane;

/// The walls around an allowed call. What policy limits is here, and nowhere beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confinement {
    /// Characters of text that come back at most.
    pub max_file_chars: usize,
    /// The lane that code runs in; nothing when no code runs.
    pub lane: Option<Lane>,
    /// Whether the skill demands a sandbox for whatever it runs.
    pub sandbox_required: bool,
    /// Seconds that the call may take.
    pub max_runtime_seconds: Option<u32>,
    /// Megabytes of memory that code may take.
    pub memory_limit_mb: Option<u32>,
    /// Caps of a run.
    pub run: RunCaps,
    /// Files that the session may write.
    pub max_files_written: Option<u64>,
    /// Bytes that the session may write.
    pub max_bytes_written: Option<u64>,
    /// Calls that the session may make in a minute.
    pub max_calls_per_minute: Option<u32>,
    /// Calls that the session may have under way.
    pub max_concurrent: Option<u32>,
}

/// Caps of a run, beside its own limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RunCaps {
    /// Megabytes on disk.
    pub disk_mb: u32,
    /// Files.
    pub files: u32,
    /// Processes.
    pub processes: u32,
    /// Kilobytes of output.
    pub output_kb: u32,
}
