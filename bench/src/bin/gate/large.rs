//! `read_file` of files that are larger than what comes back of them: memory must not grow with the file.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use bench::Clean;
use call::Content;
use gate::Status;
use serde_json::json;

use crate::figures::timed;
use crate::home::{Home, incoming, wanted};
use crate::{Plan, told};

/// One size.
pub(crate) struct Large {
    pub(crate) bytes: u64,
    pub(crate) milliseconds: f64,
    /// Megabytes that the process had at most, beyond what it had before.
    pub(crate) memory: f64,
    /// Characters that came back.
    pub(crate) characters: usize,
}

pub(crate) fn measure(plan: &Plan) -> Result<Vec<Large>, String> {
    let home = Home::make()?;
    let call = incoming("read_file", &json!({ "path": "large.txt" }));
    let path = home.workspace.join("large.txt");
    // What is made once, for the first text that is looked at, belongs to no size.
    fill(&path, plan.sizes.first().copied().unwrap_or_default())?;
    home.gate.handle(&call, &wanted()).map_err(told)?;
    plan.sizes
        .iter()
        .map(|&bytes| {
            fill(&path, bytes)?;
            // Peaks count from here on.
            std::fs::write("/proc/self/clear_refs", "5").map_err(told)?;
            let before = memory("VmRSS:");
            let (reply, time) = timed(|| home.gate.handle(&call, &wanted()).map_err(told))?;
            let most = memory("VmHWM:");
            let (Status::Success, Content::Text(text)) = (reply.status, &reply.content) else {
                return Err(format!("the file was not read: {}", reply.summary));
            };
            std::fs::remove_file(&path).map_err(told)?;
            Ok(Large {
                bytes,
                milliseconds: time.as_secs_f64() * 1e3,
                memory: (most - before).max(0.0),
                characters: text.chars().count(),
            })
        })
        .collect()
}

fn fill(path: &Path, bytes: u64) -> Result<(), String> {
    let text = Clean::Prose.text(1 << 16);
    let mut file = BufWriter::new(File::create(path).map_err(told)?);
    for _ in 0..bytes / text.len() as u64 {
        file.write_all(text.as_bytes()).map_err(told)?;
    }
    file.flush().map_err(told)
}

/// As the kernel tells it, in megabytes.
fn memory(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or_default() / 1e3
}
